"""The worked example: a policy is trained, kept, and plays. Skipped without the extra ``learn``."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")
pytest.importorskip("torch")

from learner.features import features  # noqa: E402
from learner.train import TERMS, Policy, compare, lessons, train  # noqa: E402
from roundhouse.env import Turn  # noqa: E402


def test_features_have_a_row_for_each_candidate_and_tell_them_apart() -> None:
    game = TERMS.game(1)
    turn = Turn(TERMS, TERMS.layout(game), game)
    rows = features(turn)
    assert rows.shape[0] == len(turn.candidates)
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_a_policy_is_trained_kept_and_plays(tmp_path: Path) -> None:
    said: list[str] = []
    policy = train(1, 1, said.append)
    assert len(said) == 3
    path = tmp_path / "policy.npz"
    policy.save(path)
    again = Policy.load(path)
    learnt = lessons(again, range(1))
    assert all((policy.scores(x.rows) == again.scores(x.rows)).all() for x in learnt)
    assert 0 <= compare(again, 1) <= 1
