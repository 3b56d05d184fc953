"""What a test keeps away from the answers that it tests: a counter is no use where it can be set back."""

from __future__ import annotations

from typing import Any


def outside(thing: Any, *names: str) -> Any:
    """The thing itself: what counts calls, for a test to ask afterwards. `names`: what an answer may use of it; none:
    it is called.

    Where a class is graded it stays outside of the submission's program, which only stands in for it, so that nobody
    sets a counter back (grading/classroom/outside.py).
    """
    return thing
