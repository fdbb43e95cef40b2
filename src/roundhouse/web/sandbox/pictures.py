"""Maps as pictures to keep: SVG as they are drawn, PNG by resvg."""

from __future__ import annotations

import resvg_py

from ...render import Svg

#: The larger side of a PNG, in pixels.
_SIDE = 2400


def svg_file(drawing: Svg) -> bytes:
    """A drawing as a file of its own."""
    return drawing.standalone().encode()


def png_file(drawing: Svg) -> bytes:
    """A drawing as pixels on white."""
    _, _, width, height = (float(v) for v in drawing.split('viewBox="', 1)[1].split('"')[0].split())
    wide = round(_SIDE * min(1.0, width / height))
    text = drawing.standalone()
    return bytes(resvg_py.svg_to_bytes(svg_string=text, background="white", width=wide))


#: Formats by ending: content type, and what makes them.
FORMATS = {"svg": ("image/svg+xml", svg_file), "png": ("image/png", png_file)}
