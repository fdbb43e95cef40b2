"""The style all drawings share, as CSS with custom properties for light and dark."""

from __future__ import annotations

import re
from functools import cache

#: Custom properties: light value, dark value. ``print`` is the ink on tiles, dark in both.
COLORS = {
    "paper": ("#f6f1e4", "#1d1b18"),
    "ink": ("#2a2622", "#e9e2d3"),
    "line": ("#b9ad96", "#4a443b"),
    "accent": ("#9a6b1f", "#d3a24a"),
    "alarm": ("#a3262a", "#e0696c"),
    "print": ("#1c1814", "#16130f"),
    "faint": ("#6a5f4f", "#4d4538"),
    "edge": ("#fbf7ec", "#e6dfcd"),
    "white": ("#f2ecd9", "#cfc6ad"),
    "yellow": ("#f3c95b", "#dfb850"),
    "green": ("#7fb069", "#74a360"),
    "brown": ("#b9855b", "#ab7a53"),
    "gray": ("#b9bcc0", "#a5a8ac"),
    "diesel": ("#8d9299", "#7f848a"),
    "red": ("#d8766a", "#c9695e"),
    "blue": ("#a9cbd6", "#86a7b2"),
    "grid": ("#8d8169", "#5d5443"),
    "water": ("#2f6f9f", "#2f6f9f"),
    "slot": ("#fffdf6", "#f4eedf"),
    "z0": ("#dd9a8f", "#c48379"),
    "z1": ("#c3c3bf", "#a3a39f"),
    "z2": ("#f0dfa4", "#cdbb80"),
    "z3": ("#a9c4dd", "#86a1ba"),
    "z4": ("#c8d9a8", "#a5b684"),
    "z5": ("#d9bfdc", "#b599b8"),
    "z6": ("#e5c3a0", "#c29f7c"),
    "r0": ("#c4161c", "#c4161c"),
    "r1": ("#1457b8", "#1457b8"),
    "r2": ("#0b7d43", "#0b7d43"),
    "r3": ("#8a2aa6", "#8a2aa6"),
    "r4": ("#bf5200", "#bf5200"),
    "r5": ("#087a86", "#087a86"),
    "r6": ("#b3126f", "#b3126f"),
    "r7": ("#4a4a4a", "#4a4a4a"),
}

FONTS = {
    "serif": '"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua","Liberation Serif",'
    "Georgia,serif",
    "sans": 'system-ui,"Segoe UI","Helvetica Neue","Liberation Sans",Arial,sans-serif',
}

_TILE_COLORS = ("white", "yellow", "green", "brown", "gray", "diesel", "red", "blue")
_LAYERS = (
    "coordinates", "names", "terrain", "values", "tokens", "reservations", "markers", "numbers",
)  # fmt: skip

# ruff: noqa: E501
_RULES = """
.rh{font-family:var(--rh-sans);color:var(--rh-ink);font-variant-numeric:tabular-nums lining-nums}
.rh text,.rh-hex text{text-anchor:middle;fill:var(--rh-print);pointer-events:none}
.rh-field{fill:var(--rh-fill);stroke:var(--rh-grid);stroke-width:1.6}
.rh-hatch{fill:none;stroke:var(--rh-print);stroke-width:1;opacity:.3}
.rh-dots{stroke-width:3;stroke-linecap:round}
.rh-frame{fill:none;stroke-width:7;opacity:.75}
.rh-joint-bed{fill:var(--rh-edge)}
.rh-joint-track{fill:var(--rh-print)}
.rh-bed{fill:none;stroke:var(--rh-edge);stroke-width:16.5}
.rh-track{fill:none;stroke:var(--rh-print);stroke-width:11.5}
.rh-narrow{fill:none;stroke:var(--rh-edge);stroke-width:7.5;stroke-dasharray:9 6}
.rh-dual{fill:none;stroke:var(--rh-edge);stroke-width:3;stroke-dasharray:12 5}
.rh-hint{fill:none;stroke:var(--rh-faint);stroke-width:5;stroke-dasharray:7 7;opacity:.6}
.rh-arrow{fill:var(--rh-print);stroke:var(--rh-edge);stroke-width:2.2;stroke-linejoin:round}
.rh-town{fill:var(--rh-print);stroke:var(--rh-edge);stroke-width:2.4}
.rh-halt{fill:var(--rh-slot);stroke:var(--rh-print);stroke-width:3}
.rh-pass{fill:var(--rh-fill);stroke:var(--rh-print);stroke-width:3;stroke-dasharray:4 3}
.rh-body{fill:var(--rh-edge);stroke:var(--rh-print);stroke-width:2.6}
.rh-body-edge{fill:none;stroke:var(--rh-print);stroke-linejoin:round}
.rh-body-fill{fill:var(--rh-edge);stroke:var(--rh-edge);stroke-linejoin:round}
.rh-hole{fill:var(--rh-slot);stroke:var(--rh-print);stroke-width:1.4}
.rh-kept{font-weight:600;opacity:.62}
.rh-disc{stroke:var(--rh-print);stroke-width:1.3}
.rh .rh-mark,.rh-hex .rh-mark{fill:currentColor;font-weight:700;paint-order:stroke;stroke-width:3.4px;stroke-linejoin:round;letter-spacing:-.2px}
.rh-blocker .rh-disc{fill:var(--rh-print)}
.rh-blocker path{stroke:var(--rh-edge);stroke-width:4.5;stroke-linecap:round}
.rh-value circle{fill:var(--rh-edge);stroke:var(--rh-print);stroke-width:1.2}
.rh-number{font-weight:700}
.rh-box{fill:var(--rh-fill);stroke:var(--rh-print);stroke-width:1}
.rh-now{fill:none;stroke:var(--rh-print);stroke-width:3.2}
.rh-label{font-family:var(--rh-serif);font-weight:700;letter-spacing:.3px}
.rh-name{font-family:var(--rh-serif);font-weight:600;letter-spacing:.1px;paint-order:stroke;stroke:var(--rh-fill);stroke-width:4px;stroke-linejoin:round}
.rh-coordinate,.rh-tile-number{paint-order:stroke;stroke:var(--rh-fill);stroke-width:3px}
.rh-cost{font-weight:600}
.rh-sign{fill:none;stroke:var(--rh-print);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.rh-t-water .rh-sign,.rh-t-lake .rh-sign,.rh-t-river .rh-sign{stroke:var(--rh-water);stroke-width:1.9}
.rh-marker rect{fill:var(--rh-edge);stroke:var(--rh-print);stroke-width:1.1}
.rh-flag{fill:var(--rh-edge);stroke:var(--rh-faint);stroke-width:1;stroke-dasharray:3 2}
.rh-flag-text{font-weight:600;opacity:.8}
.rh-border{fill:none;stroke-width:7;stroke-linecap:round}
.rh-b-impassable{stroke:var(--rh-alarm)}
.rh-b-water,.rh-b-river{stroke:var(--rh-water)}
.rh-b-mountain{stroke:var(--rh-faint)}
.rh-b-province,.rh-b-divider{stroke:var(--rh-print);stroke-width:3;stroke-dasharray:9 6}
.rh-b-none{stroke:var(--rh-fill);stroke-width:4;stroke-linecap:butt}
.rh-toll{fill:var(--rh-edge);stroke:var(--rh-water);stroke-width:2}
.rh-outline{fill:none;stroke:var(--rh-faint);stroke-width:3.4;stroke-linecap:round}
.rh-glow{fill:none;stroke:transparent;stroke-width:0;pointer-events:none}
.rh-glow-edge{fill:none;stroke:none;stroke-width:10;pointer-events:none}
.is-choice>.rh-glow-edge,.is-selected>.rh-glow-edge{stroke:var(--rh-edge)}
.is-selected>.rh-glow-edge{stroke-width:14}
.is-choice>.rh-glow{stroke:var(--rh-accent);stroke-width:6}
.is-selected>.rh-glow{stroke:var(--rh-accent);stroke-width:9}
.is-changed>.rh-glow{stroke:var(--rh-alarm);stroke-width:4;stroke-dasharray:11 7}
.is-reach>.rh-glow{stroke:var(--rh-accent);stroke-width:2.5;fill:var(--rh-accent);fill-opacity:.14}
.rh-hex.is-choice,.rh-slot.is-choice{cursor:pointer}
.rh-hex:focus-visible,.rh-slot:focus-visible{outline:none}
.rh-hex:focus-visible>.rh-glow,.rh-slot:focus-visible>.rh-glow{stroke:var(--rh-r1);stroke-width:9;stroke-dasharray:none}
.rh-route-edge{fill:none;stroke:var(--rh-edge);stroke-width:9}
.rh-route{fill:none;stroke:var(--rh-run);stroke-width:6.4}
.rh-r1{stroke-dasharray:16 4}.rh-r2{stroke-dasharray:5 4}.rh-r3{stroke-dasharray:16 4 4 4}.rh-r4{stroke-dasharray:9 5}.rh-r5{stroke-dasharray:3 3}.rh-r6{stroke-dasharray:22 4}.rh-r7{stroke-dasharray:12 3 3 3 3 3}
.rh-reach{pointer-events:none}
.rh-reach-under{fill:none;stroke:var(--rh-print);stroke-width:21}
.rh-reach-band{fill:none;stroke:currentColor;stroke-width:17}
.rh-reach-beads{fill:none;stroke:var(--rh-edge);stroke-width:6.5;stroke-linecap:round;stroke-dasharray:0 13}
.rh-reach-edge{fill:none;stroke:var(--rh-edge);stroke-width:10}
.rh-reach-own{fill:none;stroke:var(--rh-print);stroke-width:6}
.rh-reach-stop{fill:none;stroke:var(--rh-print);stroke-width:4.5;stroke-dasharray:.1 9;stroke-linecap:round}
.rh-told{pointer-events:all}
.rh-told rect{fill:var(--rh-edge);stroke:var(--rh-alarm);stroke-width:4;stroke-dasharray:11 4}
.rh .rh-told text{fill:var(--rh-print);font-weight:700}
.rh-lays rect{stroke:var(--rh-print);stroke-dasharray:none;stroke-width:3}
.rh-badge rect{fill:var(--rh-run);stroke:var(--rh-edge);stroke-width:1.6;stroke-dasharray:none}
.rh .rh-badge text{fill:#fff;font-weight:700}
.rh-cell rect{fill:var(--rh-white);stroke:var(--rh-grid);stroke-width:1}
.rh-cell .rh-price{font-weight:600}
.rh-z0 rect{fill:var(--rh-z0)}.rh-z1 rect{fill:var(--rh-z1)}.rh-z2 rect{fill:var(--rh-z2)}.rh-z3 rect{fill:var(--rh-z3)}
.rh-z4 rect{fill:var(--rh-z4)}.rh-z5 rect{fill:var(--rh-z5)}.rh-z6 rect{fill:var(--rh-z6)}
.rh-train rect{fill:var(--rh-edge);stroke:var(--rh-print);stroke-width:1.2}
.rh-obsolete{text-decoration:line-through;opacity:.7}
.rh-turned{opacity:.8}
.rh-cell.is-goal>rect{stroke:var(--rh-accent);stroke-width:4}
.rh-goal{fill:none;stroke:var(--rh-accent);stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round;pointer-events:none}
.rh-ghost{opacity:.65;pointer-events:none}
.rh .rh-preview rect{fill:none;stroke:var(--rh-accent);stroke-width:3}
.rh .rh-preview text{fill:var(--rh-print);font-weight:700}
.rh .rh-preview .rh-tag{fill:var(--rh-edge);stroke:var(--rh-accent);stroke-width:1}
.rh .rh-zone-name{fill:var(--rh-ink);text-anchor:start}
.rh-swatch{stroke:var(--rh-grid);stroke-width:1}
.rh-crown{fill:currentColor}
.rh-card{fill:var(--rh-white);stroke:var(--rh-grid);stroke-width:1.2}
.rh .rh-title{font-family:var(--rh-serif);font-weight:600;text-anchor:start}
.rh .rh-left{text-anchor:start}
.rh .rh-fact{fill:var(--rh-print);fill-opacity:.78}
.rh-cert.rh text{fill:currentColor;font-weight:700}
.rh-cert.rh .rh-letters{font-weight:600}
.rh-short rect{stroke-dasharray:3 2}
"""


def _theme(index: int) -> str:
    values = {f"--rh-{k}": v[index] for k, v in COLORS.items()}
    if index == 0:
        values |= {f"--rh-{k}": v for k, v in FONTS.items()}
    return ";".join(f"{k}:{v}" for k, v in values.items())


def _per_color() -> str:
    rules = [f".rh-c-{c}{{--rh-fill:var(--rh-{c})}}" for c in _TILE_COLORS]
    rules += [f".rh-r{n}{{--rh-run:var(--rh-r{n})}}" for n in range(8)]
    hidden = [f".rh-no-{layer} .rh-{layer}" for layer in _LAYERS if layer != "tokens"]
    rules.append(f"{','.join([*hidden, '.rh-no-tokens .rh-slot .rh-token'])}{{display:none}}")
    return "\n".join(rules)


@cache
def stylesheet() -> str:
    """The CSS of all drawings. Themes follow the system; ``data-theme="light"`` or ``"dark"`` on
    an element above a drawing decides otherwise."""
    light, dark = _theme(0), _theme(1)
    return (
        f":root{{{light}}}\n"
        f'@media(prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}\n'
        f'[data-theme="light"]{{{light}}}\n[data-theme="dark"]{{{dark}}}\n'
        f"{_per_color()}{_RULES}"
    )


@cache
def resolved(dark: bool) -> str:
    """The same CSS for one theme with all fixed custom properties replaced by their values, and
    for each tile colour its own rules, so that no custom property is left."""
    values = {k: v[1 if dark else 0] for k, v in COLORS.items()} | FONTS
    rules = []
    for line in _RULES.strip().splitlines():
        rules += _expanded(line) if "--rh-fill" in line or "--rh-run" in line else [line]
    text = "\n".join(rules)
    return re.sub(r"var\(--rh-([a-z0-9]+)\)", lambda m: values[m[1]], text)


def _expanded(line: str) -> list[str]:
    """A rule once for each colour: of an element above, then, stronger, of the element itself."""
    selector, _, rest = line.partition("{")
    name, colors = ("run", [f"r{n}" for n in range(8)])
    prefix = "rh-"
    if "--rh-fill" in line:
        name, colors, prefix = "fill", list(_TILE_COLORS), "rh-c-"
    above, own = [], []
    for color in colors:
        body = rest.replace(f"var(--rh-{name})", f"var(--rh-{color})")
        ones = selector.split(",")
        above.append(",".join(f".{prefix}{color} {one}" for one in ones) + "{" + body)
        heads = [one.removeprefix(".rh ").partition(" ") for one in ones]
        direct = (f"{head}.{prefix}{color}{gap}{tail}" for head, gap, tail in heads)
        own.append(",".join(direct) + "{" + body)
    return above + own
