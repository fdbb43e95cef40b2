"""Why something cannot be done at a table."""

from __future__ import annotations


class Refused(Exception):
    """What somebody wanted is not possible; ``rule`` is a section of the rules, if it is one."""

    status = 422

    def __init__(self, sentence: str, code: str = "refused", rule: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.rule = rule


def as_sentence(fault: object) -> str:
    """What is wrong, as a sentence; names in it stay as they are written."""
    text = str(fault)
    return f"{text[:1].upper()}{text[1:]}."


class NotBegun(Refused):
    """The table still waits for players."""

    status = 409

    def __init__(self) -> None:
        super().__init__("The game has not begun yet.", "not_begun")


class Held(Refused):
    """The present program does not play a stored game the way it was played; ``number``: the first
    action that differs, ``how``: in what."""

    status = 503

    def __init__(self, number: int, how: str) -> None:
        self.number = number
        self.how = how
        super().__init__(
            f"This game is held: the present program plays it differently from action {number} on"
            f" ({how}). Nothing of it is lost; the host decides how it goes on.",
            "held",
        )


class Stale(Refused):
    """The game has moved on since the page was made."""

    status = 409


class Forbidden(Refused):
    """The seat is somebody else's."""

    status = 403
