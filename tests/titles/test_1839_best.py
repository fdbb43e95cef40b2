"""1839: the best routes of random boards are legal, earn what they say, and beat a quick search."""

from __future__ import annotations

import pytest
from test_1839_routes import naive_total, random_board

from roundhouse.routes.best import best_routes
from roundhouse.titles.g1839.finder import find_trips
from roundhouse.titles.g1839.routes import RouteRules1839

STABLES = (("7D", "2+"), ("5+", "FLOOD"), ("3+",), ("5D", "5D"))


@pytest.mark.parametrize("seed", [0, 5, 12, 16])
def test_best_routes_are_legal_and_counted_right(seed: int) -> None:
    table, _ = random_board(seed)
    for who, stable in zip(("NBDS", "ZHESM", "NCS", "RS"), STABLES, strict=True):
        table.train(who, *(f"{kind}-{n}{seed}" for n, kind in enumerate(stable)))
        rules, s = table.rules, table.s
        answer = best_routes(rules.route_model(s, who), effort=400)
        model = RouteRules1839(rules, s, who)
        trips = model.read(answer.routes)
        assert model.total(trips) == answer.revenue == naive_total(table, who, trips)
        assert answer.revenue <= answer.bound
        quick = model.total(find_trips(model))
        assert quick <= answer.bound
        if answer.optimal:
            assert quick <= answer.revenue
