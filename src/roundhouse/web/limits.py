"""How often things may be done: what is more is answered with 429, and when to try again."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from . import clock
from .models import Tally
from .names import LONGEST_NAME, skeleton
from .outward import LONGEST
from .tables.faults import Refused

#: What is limited, for each visitor or each name.
RATES: dict[str, RateLimitItem] = {
    "login": parse("20/5minutes"),
    "login-name": parse("10/5minutes"),
    "signup": parse("10/hour"),
    "reset": parse("10/hour"),
    "password": parse("10/5minutes"),
    "chat": parse("15/minute"),
    "import": parse("60/hour"),
    "report": parse("10/hour"),
    "invite": parse("30/hour"),
    "hint": parse("40/minute"),
    "review": parse("20/hour"),
    "promise": parse("60/minute"),
    "stream": parse("120/minute"),
    "token": parse("30/hour"),
    "new-hook": parse("30/hour"),
    "new-table": parse("60/hour"),
    "notes": parse("60/minute"),
    "looks": parse("60/minute"),
    "new-branch": parse("120/hour"),
    "routes": parse("60/minute"),
    "act": parse(settings.ACT_RATE),
    "api": parse(settings.API_RATE),
    "api-anybody": parse(settings.API_RATE_ANYBODY),
    "api-guess": parse("30/5minutes"),
    "channel": parse("20/hour"),
    "try": parse("20/hour"),
}

#: What is counted all the time is kept in the memory of each process, not written down.
QUICK = frozenset({"act", "api", "api-anybody"})

#: What takes seconds in a thread all pages need: so many at once in a process, and no more; seconds
#: after which to try again.
_FEW = {
    "outward": (BoundedSemaphore(2), LONGEST),
    "search": (BoundedSemaphore(max(1, settings.THREADS // 2)), 5),
}

View = Callable[..., HttpResponseBase]


class TooMany(Refused):
    """Something was done too often; ``seconds`` until it may be done again."""

    status = 429

    def __init__(self, seconds: int) -> None:
        self.seconds = max(1, seconds)
        super().__init__(f"This is too often. Try again in {self.seconds} seconds.", "too_many")


class _Ours(Storage):
    """What the library wants to know of any place where counts are kept."""

    @property
    def base_exceptions(self) -> type[Exception]:
        return OSError

    def check(self) -> bool:
        return True


class Tallies(_Ours):
    """Counts in the database, which all processes share."""

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        now = clock.now().timestamp()
        with transaction.atomic():
            rows = Tally.objects.filter(key=key)
            if rows.filter(until__gt=now).update(count=F("count") + amount):
                return rows.values_list("count", flat=True).get()
            Tally.objects.update_or_create(
                key=key, defaults={"count": amount, "until": now + expiry}
            )
            return amount

    def get(self, key: str) -> int:
        found = Tally.objects.filter(key=key, until__gt=clock.now().timestamp()).first()
        return found.count if found else 0

    def get_expiry(self, key: str) -> float:
        found = Tally.objects.filter(key=key).first()
        return found.until if found else clock.now().timestamp()

    def reset(self) -> int | None:
        return Tally.objects.all().delete()[0]

    def clear(self, key: str) -> None:
        Tally.objects.filter(key=key).delete()


class Counts(_Ours):
    """Counts in the memory of a process. The library's own starts a thread whenever something is
    counted, to clear away what is over; here that is done when there are many."""

    #: How many are kept before those that are over are cleared away.
    MANY = 4096

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, tuple[int, float]] = {}
        self._most, self._lock = self.MANY, Lock()

    def __len__(self) -> int:
        return len(self._counts)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        now = clock.machine()
        with self._lock:
            count, until = self._counts.get(key, (0, 0.0))
            if until <= now:
                count, until = 0, now + expiry
            self._counts[key] = count + amount, until
            if len(self._counts) > self._most:
                self._counts = {k: v for k, v in self._counts.items() if v[1] > now}
                self._most = max(self.MANY, 2 * len(self._counts))
        return count + amount

    def get(self, key: str) -> int:
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > clock.machine() else 0

    def get_expiry(self, key: str) -> float:
        return self._counts.get(key, (0, clock.machine()))[1]

    def reset(self) -> int | None:
        with self._lock:
            known = len(self._counts)
            self._counts.clear()
        return known

    def clear(self, key: str) -> None:
        with self._lock:
            self._counts.pop(key, None)


_limiter = FixedWindowRateLimiter(Tallies())
_quick_limiter = FixedWindowRateLimiter(Counts())


def count(what: str, who: Any) -> None:
    """Somebody does something. Raises :class:`TooMany`. Who plays on his own machine, alone, has
    nobody to be kept from anything."""
    if settings.LOCAL:
        return
    rate, key = RATES[what], (what, str(who)[:100])
    limiter, now = (
        (_quick_limiter, clock.machine()) if what in QUICK else (_limiter, clock.now().timestamp())
    )
    if not limiter.hit(rate, *key):
        window = limiter.get_window_stats(rate, *key)
        raise TooMany(int(window.reset_time - now) + 1)


def clear_counts() -> None:
    """Clear away the counts that are over."""
    Tally.objects.filter(until__lt=clock.now().timestamp()).delete()


@contextmanager
def few(what: str) -> Iterator[None]:
    """Something few may do at once. Raises :class:`TooMany` if as many do already."""
    turns, seconds = _FEW[what]
    if not turns.acquire(blocking=False):
        raise TooMany(seconds)
    try:
        yield
    finally:
        turns.release()


def visitor(request: HttpRequest) -> str:
    """Whom a count is for: the account, or the address one comes from."""
    user = request.user
    return f"user {user.pk}" if user.is_authenticated else origin(request)


def origin(request: HttpRequest) -> str:
    """The address a request comes from; of the new kind its network, as one line has 2⁶⁴ of
    them."""
    text = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return text


def limited(what: str, method: str = "POST") -> Callable[[View], View]:
    """A view that may be asked only so often by one visitor."""

    def decorate(view: View) -> View:
        @wraps(view)
        def limiting(request: HttpRequest, *given: Any, **named: Any) -> HttpResponseBase:
            if request.method == method:
                count(what, visitor(request))
                if what == "login":
                    name = request.POST.get("username", "")[:LONGEST_NAME]
                    count("login-name", skeleton(name)[:80])
            return view(request, *given, **named)

        return limiting

    return decorate
