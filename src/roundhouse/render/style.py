"""The style all drawings share, as CSS with custom properties for light and dark."""

from __future__ import annotations


def stylesheet() -> str:
    """The CSS of all drawings. Themes follow the system; ``data-theme="light"`` or ``"dark"`` on
    an element above a drawing decides otherwise."""
    raise NotImplementedError


def resolved(dark: bool) -> str:
    """The same CSS for one theme with all custom properties replaced by their values."""
    raise NotImplementedError
