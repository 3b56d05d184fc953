"""The outcome of running a cell, and the points it is worth.

Points need proof. A test earns them only when the kernel itself answered "ok"; a cell with no error in its output
may just as well belong to a kernel that died. As in nbgrader, a test that ends in a plain number gives that many
points.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from minigrad_course.mistakes import calls_itself

UNWRITTEN = "not written yet"
HIDDEN_LINE = "+ "  # begins a line that comes from a hidden test, in Outcome.also
MARK = " #"  # ends a line of Outcome.also, before the mark of its numbers (Mismatch.mark)


def in_points(of: float) -> str:
    """Write a number of points: "1 point", "3 points"."""
    return f"{of:g} point{'' if of == 1 else 's'}"


@dataclass(frozen=True)
class Outcome:
    """The end of one cell: "ok", "error", "timeout", "dead" (the kernel went away), "refused" (a test that was
    changed) or "not run"."""

    status: str
    error: str = ""  # the exception's class
    message: str = ""  # the exception's text, or what there is to say; beside points, why there are not more
    value: str | None = None  # the text of the value of the cell's last line
    overwritten: tuple[str, ...] = ()  # names from locked cells that the answers gave another meaning
    also: Sequence[str] = ()  # after a check that failed: the lines of the later ones that fail too (Runner.go_on)
    mark: str = ""  # of the numbers of the first check that failed (Mismatch.mark)
    place: str = ""  # after an error of Python's own: where the learner's code was then, in a sentence (places.py)

    @property
    def unwritten(self) -> bool:
        """True if the cell met an answer that is not written yet: a program that lacks something says what."""
        return self.status == "error" and self.error == "NotImplementedError" and not self.message


@dataclass(frozen=True)
class Row:
    """One test in the points table. `points` is None where nothing has run yet."""

    test: str
    points: float | None
    of: float
    feedback: str = ""
    hint: str = ""

    @property
    def passed(self) -> bool:
        return self.points is not None and self.points >= self.of


def marked(line: str, mark: str) -> str:
    """Add the mark of its numbers to a line."""
    return f"{line}{MARK}{mark}" if mark else line


def score(outcome: Outcome, of: float) -> tuple[float | None, str]:
    """Return the points, out of `of`, of a test cell that ended so, and the feedback in a sentence."""
    if outcome.status == "not run":
        return None, "not run yet"
    if outcome.status == "dead":
        return 0.0, "the kernel died while this cell ran"
    if outcome.error == "StdinNotImplementedError":
        return 0.0, "your answer asks for input(), and nobody is there to type: use its arguments instead"
    if outcome.status in ("timeout", "refused"):
        return 0.0, outcome.message
    if outcome.unwritten:
        return 0.0, UNWRITTEN
    if outcome.status != "ok":
        bare = outcome.error == "Mismatch" and outcome.message.strip()
        return 0.0, one_line(outcome.message if bare else f"{outcome.error}: {outcome.message}").rstrip(": ")
    if outcome.value is None:
        return of, ""
    try:
        points = float(outcome.value)
    except ValueError:
        return (
            0.0,
            f"the test ends in {one_line(outcome.value, 40)}, where its points should stand; please tell the author",
        )
    points = min(max(points, 0.0), of) if points == points else 0.0
    return points, "" if points >= of else one_line(outcome.message) or "partly right"


def one_line(text: str, most: int = 300) -> str:
    """Shorten a program's text to one line of a table, without control characters or colours."""
    text = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]", "", text[: 10 * most])
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def overwritten_message(names: tuple[str, ...]) -> str:
    """Tell the learner that answers redefine names of locked cells; empty if they do not."""
    if not names:
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    return f"your code gives {listed} another meaning; the tests use what was given"


def time_limit_message(seconds: float, struck: BaseException | None = None) -> str:
    """Tell the learner that a cell took too long. `struck` is what ended it: its traceback says where it was then."""
    if name := calls_itself(struck):
        return (
            f"no answer within {seconds:g} s, in the midst of `{name}`, which calls itself: "
            "does it come to an end, or does it go the same way many times?"
        )
    return f"no answer within {seconds:g} s: is there a loop that never ends?"
