"""Lines worked on as a whole come to what a loop over their entries comes to."""

from __future__ import annotations

from random import Random

from roundhouse.routes.lanes import Lanes
from roundhouse.routes.picking import Tops


def test_the_greater_of_two_lines_is_told_lane_by_lane():
    rng = Random(1)
    for count in (0, 1, 7, 60):
        lanes = Lanes(count)
        one, other = [[rng.choice((0, 5, 6, 1 << 62)) for _ in range(count)] for _ in range(2)]
        found = lanes.greater(lanes.packed(one), lanes.packed(other))
        assert lanes.unpacked(found) == tuple(map(max, one, other))


def test_a_number_is_added_to_every_lane():
    lanes = Lanes(3)
    assert lanes.unpacked(lanes.packed([1, 0, 1 << 61]) + lanes.ones * 9) == (10, 9, (1 << 61) + 9)


def test_the_greatest_of_groups_of_any_sizes():
    rng = Random(2)
    line = [rng.randrange(-9, 99) for _ in range(40)]
    for count in (0, 1, 25):
        groups = [rng.sample(range(40), rng.choice((1, 1, 2, 3, 8))) for _ in range(count)]
        assert list(Tops(groups)(line)) == [max([line[n] for n in own]) for own in groups]
