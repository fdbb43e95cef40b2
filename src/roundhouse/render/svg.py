"""SVG as text: the string class all drawings are, and the few helpers that write them."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr


class Svg(str):
    """A drawing: its markup, without any style of its own, to be put into a page that has
    :func:`.style.stylesheet`. In a notebook, and by :meth:`standalone`, it shows by itself."""

    __slots__ = ()

    def standalone(self, *, dark: bool = False) -> str:
        """The drawing as a file of its own: the style included, every colour written out, so
        that viewers which know no custom properties show it too."""
        from .style import resolved

        head, sep, body = self.partition(">")
        if " xmlns=" not in head:
            head += ' xmlns="http://www.w3.org/2000/svg"'
        return f"{head}{sep}<style>{resolved(dark)}</style>{body}"

    def _repr_svg_(self) -> str:
        return self.standalone()


def num(value: float) -> str:
    """A number as short as a tenth of a unit allows."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def text_of(value: object) -> str:
    """Escaped text, in ASCII alone."""
    return _ascii(escape(str(value)))


def attr(value: object) -> str:
    """A quoted, escaped attribute value, in ASCII alone."""
    return _ascii(quoteattr(str(value)))


def _ascii(text: str) -> str:
    """Other characters by their numbers: one dash in it would make a map twice as long in memory,
    and all that is done with it twice as slow."""
    return text if text.isascii() else text.encode("ascii", "xmlcharrefreplace").decode()


def write(x: float, y: float, content: object, css: str, size: float, more: str = "") -> str:
    """A line of text whose middle is at x, y."""
    return (
        f'<text class="{css}" x="{num(x)}" y="{num(y + size * 0.35)}" '
        f'font-size="{num(size)}"{more}>{text_of(content)}</text>'
    )


def framed(
    width: float,
    height: float,
    body: str,
    css: str,
    *,
    left: float = 0,
    top: float = 0,
    more: str = "",
) -> Svg:
    """A whole drawing with its view box."""
    box = " ".join(num(v) for v in (left, top, width, height))
    return Svg(f'<svg class="rh {css}" viewBox="{box}"{more}>{body}</svg>')
