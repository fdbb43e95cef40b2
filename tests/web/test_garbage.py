"""What survives a full collection is set aside; cycles among it are found in the end."""

from __future__ import annotations

import gc
import weakref

import pytest

from roundhouse.web import garbage


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    monkeypatch.setattr(garbage.threading.Thread, "start", lambda self: None)
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.callbacks[:] = [c for c in gc.callbacks if c.__module__ != garbage.__name__]
    gc.unfreeze()


class Node:
    """Something that may hold itself."""


def test_what_survives_is_set_aside_and_freed_as_ever():
    garbage.start()
    node = Node()
    seen = weakref.ref(node)
    before = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() > before
    assert not any(found is node for found in gc.get_objects())
    del node
    assert seen() is None


def test_cycles_that_were_set_aside_are_found_by_a_sweep():
    garbage.start()
    node = Node()
    node.itself = node
    seen = weakref.ref(node)
    gc.collect()
    del node
    gc.collect()
    assert seen() is not None
    assert garbage.sweep() > 0
    assert seen() is None


def test_it_is_started_once():
    garbage.start()
    garbage.start()
    assert sum(c.__module__ == garbage.__name__ for c in gc.callbacks) == 1
