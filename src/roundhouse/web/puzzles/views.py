"""The pages of puzzles."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods

from ...titles.title import all_titles
from .. import limits
from . import daily, solving
from .composing import unpacked
from .models import Attempt, Puzzle

#: Earlier puzzles that are listed.
_LISTED = 60


@require_GET
def puzzles(request: HttpRequest) -> HttpResponse:
    """Today's puzzle, and those of the days before."""
    today = solving.puzzle_of(solving.today())
    earlier = Puzzle.objects.exclude(day=None).defer("picture", "solution")
    solved = set(_mine(request).filter(right=True).values_list("puzzle", flat=True))
    rows = [(p, p.pk in solved) for p in earlier[:_LISTED]]
    fresh = today is not None and today.day == solving.today()
    making = not fresh and daily.being_made(solving.today())
    context = {"today": today, "rows": rows, "fresh": fresh, "making": making}
    return render(request, "puzzles/puzzles.html", context)


@require_http_methods(["GET", "POST"])
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """A puzzle; posted to it: an ``answer``, or ``show`` to be told."""
    found = get_object_or_404(Puzzle.objects.exclude(day=None), pk=pk)
    if found.title not in all_titles():
        raise Http404("The title of this puzzle is not here any more.")
    known = f"puzzle-{pk}"
    if request.method == "POST":
        limits.count("hint", limits.visitor(request))
        request.session[known] = _answered(request, found)
        return redirect("puzzle", pk)
    state = request.session.get(known, "")
    mine = _mine(request).filter(puzzle=found).first()
    told = state in ("right", "shown") or bool(mine and mine.right)
    return render(request, "puzzles/puzzle.html", _context(found, state, told))


def _answered(request: HttpRequest, found: Puzzle) -> str:
    if request.POST.get("show"):
        return "shown"
    right = solving.is_right(found, request.POST.get("answer", ""))
    if request.session.get(f"puzzle-{found.pk}") != "shown":
        solving.note(found, request.user, right)
    return "right" if right else "wrong"


def _mine(request: HttpRequest) -> Any:
    user = request.user
    return Attempt.objects.filter(user=user) if user.is_authenticated else Attempt.objects.none()


def _context(found: Puzzle, state: str, told: bool) -> dict[str, Any]:
    """Nothing that tells the answer is in the page before it is told."""
    solvers = found.attempts.filter(right=True).count()
    context: dict[str, Any] = {
        "puzzle": found,
        "title": all_titles()[found.title],
        "picture": mark_safe(unpacked(found.picture)),
        "state": state,
        "told": told,
        "solvers": solvers,
        "failed": found.attempts.count() - solvers,
    }
    if told:
        solution = unpacked(found.solution)
        words = dict(found.options).get(found.answer, found.answer)
        context |= {"answer": words, "proof": found.proof, "solution": mark_safe(solution)}
    return context
