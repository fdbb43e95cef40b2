"""What the trains of one company earn in the rounds of a plan, in a network that grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .firm import Firm
    from .forecast import Forecast

#: What a network that is better than others stays good for, against what is typical.
_LASTING = 1.2
#: What is left to grow of a network that is no longer built at.
_GROWN = 0.1

#: What is known of what trains earn after a company has built for some rounds.
Earned: TypeAlias = dict[tuple[tuple[str, ...], int], float]


class Earnings:
    """What trains earn: at first like those a company has now, later like those of other networks.
    ``unbuilt``: rounds it had no money for track in."""

    def __init__(self, forecast: Forecast, firm: Firm, earned: Earned) -> None:
        """``earned``: shared by the plans of one company under one ledger."""
        self.forecast, self.firm = forecast, firm
        self.weights, self.table = forecast.known.weights, forecast.known.typical
        self.unbuilt = 0
        self._earned = earned
        #: What its trains typically earn, and the same of those it is to get if it has none.
        self.typical = forecast.typical(firm.kinds, firm.shells)
        self._basis = self.typical or forecast.typical(firm.supposed, firm.shells)

    def grows(self, now: int) -> bool:
        """Whether its network is still built at in a round."""
        return self._left(self._built(now)) >= _GROWN

    def net(self, kinds: Sequence[str], now: int, costs: Mapping[str, int]) -> float:
        """What some trains earn in a round, less what keeping them ``costs``: those that do not
        bring that are scrapped, but for the last."""
        if not costs:
            return self._earns(kinds, now)

        def net(kept: Sequence[str]) -> float:
            return self._earns(kept, now) - sum([costs.get(k, 0) for k in kept])

        kept, found = list(kinds), net(kinds)
        for kind in [k for k in self.forecast.rules.box.trains if k in costs]:
            while kind in kept and len(kept) > 1:
                fewer = kept.copy()
                fewer.remove(kind)
                if (without := net(fewer)) <= found:
                    break
                kept, found = fewer, without
        return found

    def _earns(self, kinds: Sequence[str], now: int) -> float:
        key = tuple(kinds), self._built(now)
        found = self._earned.get(key)
        if found is None:
            found = self._earned[key] = self._earning(*key)
        return found

    def _earning(self, kinds: tuple[str, ...], built: int) -> float:
        """What trains earn after rounds in which it has built."""
        typical = self.forecast.typical(kinds, self.firm.shells)
        left = self._left(built)
        quality = 1.0 + (self.firm.quality - 1.0) * left
        once = self._with_one_more(kinds)
        grown = quality * self._used(kinds, once, typical, built)
        if not self._basis:
            return grown
        like = self.firm.income * min(1.0, typical / self._basis)
        like += self.firm.more * max(0.0, once - self._basis)
        like += self.firm.further * max(0.0, typical - max(self._basis, once))
        return left * like + (1.0 - left) * max(grown, min(like, _LASTING * typical))

    def _with_one_more(self, kinds: Sequence[str]) -> float:
        """What the best of some trains typically earn, one more than it owns now."""
        most = max(1, len(self.firm.kinds)) + 1
        if len(kinds) > most:
            kinds = sorted(kinds, key=lambda k: self.table.get(k, 0.0), reverse=True)[:most]
        return self.forecast.typical(kinds, self.firm.shells)

    def _used(self, kinds: Sequence[str], once: float, typical: float, built: int) -> float:
        """What trains typically earn where one more finds little to do: the network makes room for
        it in time. ``once``: what one more than there are now does, all of them ``typical``."""
        best = max([self.table.get(k, 0.0) for k in kinds], default=0.0)
        once = max(best, once)
        still = (1.0 - self.weights.spreading) ** built
        idle = still * (1.0 - min(1.0, self.firm.more))
        idle_too = still * (1.0 - min(1.0, self.firm.further))
        return best + (1.0 - idle) * (once - best) + (1.0 - idle_too) * max(0.0, typical - once)

    def _left(self, built: int) -> float:
        """What is left to grow of its network after rounds in which it has built."""
        return (1.0 - self.weights.maturing) ** built

    def _built(self, now: int) -> int:
        """Rounds in which it has built."""
        return max(0, now - self.firm.delay - self.unbuilt)
