"""Makes ``data.json`` from the facts of the title.

    python tests/model1839/make_data.py FACTS.json

Only facts the model uses are kept, in the model's own form.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def node(raw: dict[str, Any]) -> dict[str, Any]:
    value = raw.get("revenue", 0)
    return {
        "kind": raw["kind"],
        "slots": raw.get("slots", 0),
        "value": value if isinstance(value, int) else 0,
        "groups": raw.get("groups", []),
    }


def tile(raw: dict[str, Any]) -> dict[str, Any]:
    refs = {n["ref"]: f"n{n['part']}" for n in raw.get("nodes", [])}
    return {
        "color": raw["color"],
        "label": (raw.get("labels") or [""])[-1],
        "nodes": [node(n) for n in sorted(raw.get("nodes", []), key=lambda n: n["part"])],
        "paths": [[refs.get(p[end], p[end]) for end in "ab"] for p in raw.get("paths", [])],
    }


def place(raw: dict[str, Any]) -> dict[str, Any]:
    printed = raw["tile"]
    return tile(printed) | {
        "id": printed["id"],
        "river": sum(u["cost"] for u in printed.get("upgrades", [])),
        "stubs": printed.get("stubs", []),
        "may_exit": sorted(int(e) for e in raw["neighbors"]),
    }


def private(raw: dict[str, Any]) -> dict[str, Any]:
    change = [a["revenue"] for a in raw["abilities"] if a["kind"] == "revenue_change"]
    blocks = [a["hexes"] for a in raw["abilities"] if a["kind"] == "blocks_hexes"]
    return {
        "value": raw["value"],
        "revenue": raw["revenue"],
        "company_revenue": change[0] if change else raw["revenue"],
        "blocks": blocks[0] if blocks else [],
        "drawn": raw["kind"] == "drawn",
        "closes": [c.removeprefix("phase:") for c in raw["closes"] if c.startswith("phase:")],
    }


def compact(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts in the model's form."""
    special = facts["special"]
    rows = facts["market"]["rows"]
    cells = [c | {"at": [r, n]} for r, row in enumerate(rows) for n, c in enumerate(row) if c]
    public = [c for c in facts["corporations"] if c["type"] == "public"]
    return {
        "cash": facts["starting_cash"],
        "cert_limit": facts["cert_limit"],
        "market": [[c and c["price"] for c in row] for row in rows],
        "par": [
            [*c["at"], z.removeprefix("par_").capitalize()]
            for c in cells
            for z in c.get("zones", [])
            if z.startswith("par_")
        ],
        "phases": {
            p["name"]: {
                "on": p.get("on", [""])[0],
                "limit": p["train_limit"],
                "tiles": p["tiles"],
                "ors": p["operating_rounds"],
            }
            for p in facts["phases"]
        },
        "trains": {
            t["name"]: {"price": t["price"], "count": t["count"], "rusts_on": t.get("rusts_on")}
            for t in facts["trains"]
        },
        "privates": {c["id"]: private(c) for c in facts["companies"]},
        "companies": {c["id"]: [[h["hex"], h.get("city", -1)] for h in c["home"]] for c in public},
        "countries": {c["id"]: c["foreigners"] for c in special["countries"]},
        "foreigners": {
            f["id"]: {"country": f["country"], "hexes": f["hexes"], "value": f["revenue_by_phase"]}
            for f in special["foreigners"]
        },
        "named_cities": special["named_city_terrain"]["hexes"],
        "ports": special["port_hexes"],
        "dikes": {
            a["private"]: [[t["hex"], t["tile"], t["rotation"]] for t in a["tiles"]]
            for a in special["automatic_tiles"]
        },
        "trade_in": next(
            {new: next(iter(old.items())) for new, old in o["data"]["discount"].items()}
            for o in facts["optional_rules"]
            if o["id"] == "train_trade_in"
        ),
        "cm": next(
            a["discount"]
            for c in facts["companies"]
            for a in c["abilities"]
            if a["kind"] == "train_discount"
        ),
        "tiles": {
            name: tile(facts["tile_defs"][t["def"]]) | {"count": t["count"]}
            for name, t in facts["tiles"].items()
        },
        "map": {h["coord"]: place(h) for h in facts["map"]["hexes"]},
    }


def text(facts: dict[str, Any]) -> str:
    """The contents of ``data.json``: one entry of each table a line."""
    lines = []
    for key, value in compact(facts).items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{inner}\n }}")
        else:
            inner = ",\n".join(f"  {json.dumps(v)}" for v in value)
            lines.append(f" {json.dumps(key)}: [\n{inner}\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    source = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    (HERE / "data.json").write_text(text(source), encoding="utf-8")
