"""Our end of the judge: one judge process per exercise in each grader, started when it is first needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.outcome import Outcome
from minigrad_course.isolation.helper import Helper, Lost

PATIENCE = 60.0  # seconds for judging one submission, at most
LAST = 5.0  # ... that it has in any case: all was answered, and only comparing is left
ENOUGH = 16  # bits in a test's answers, so that nobody passes by trying (see judge.py)
MEMORY = 3_000_000_000
LOST = "your answer could not be compared"

_judges: dict[str, Judging] = {}
_lock = threading.Lock()


def judge_for(exercise: dict[str, Any]) -> Judging:
    """The judge of an exercise. Raises GradingError where the author's solution does not pass its own tests."""
    with _lock:
        digest = exercise["digest"]
        if digest not in _judges:
            _judges[digest] = Judging(exercise)
        return _judges[digest]


class Judging:
    """A judge process, and its replacement should it be lost."""

    def __init__(self, exercise: dict[str, Any]) -> None:
        first = {key: exercise[key] for key in ("redefined", "limit", "tests")} | {"cells": exercise["judged"]}
        self.helper = Helper("minigrad_class.judge_process", first, MEMORY)
        try:
            beginning = self.helper.begin()
        except Lost as lost:
            raise GradingError(f"the author's solution of {exercise['id']} did not run to its end: {lost}") from None
        if beginning["problems"]:
            self.helper.close()
            raise GradingError(f"{exercise['id']} cannot be graded: {beginning['problems'][0]}")
        self.bits: dict[str, float] = beginning["bits"]
        self.with_things: set[str] = set(beginning["outside"])  # tests in which something stays outside

    def outside(self, request: dict[str, Any]) -> dict[str, Any]:
        """Asks the things that stay outside, for a submission that runs. Raises Lost."""
        return self.helper.ask({"outside": request}, LAST + 5.0)

    def outcomes(
        self, replies: dict[str, dict[str, Any]], patience: float = PATIENCE, sources: Sequence[str] = ()
    ) -> dict[str, tuple[Outcome, int | None]]:
        """Return each test's outcome, and the question at which it failed. `sources`: the submission's own cells.

        Takes at most `patience` seconds, or LAST if that is more.
        """
        deadline = time.monotonic() + max(min(patience, PATIENCE), LAST)
        request = {"replies": replies, "sources": [*sources]}
        try:
            answers = self.helper.ask(request, max(deadline - time.monotonic(), LAST) / 2)
        except Lost:  # one answer is more than the judge can stand: find out which
            answers = {}
            for test, reply in replies.items():
                alone = self._alone({**request, "replies": {test: reply}}, deadline)
                answers[test] = alone[test] if alone else {"status": "refused", "message": LOST, "site": None}
        return {test: _outcome(answer) for test, answer in answers.items()}

    def _alone(self, request: dict[str, Any], deadline: float) -> dict[str, Any] | None:
        if (left := deadline - time.monotonic()) <= 0:
            return None
        try:
            self.helper.begin()  # the time that a new one takes to start is not the submission's
            return self.helper.ask(request, max(left / 2, 0.5))
        except Lost:
            return None


def _outcome(answer: dict[str, Any]) -> tuple[Outcome, int | None]:
    site = answer.pop("site")
    return Outcome(**{**answer, "overwritten": tuple(answer.get("overwritten", ()))}), site
