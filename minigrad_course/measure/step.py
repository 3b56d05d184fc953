"""Allocations of one more step: the difference of two runs, in which everything requested once cancels out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from minigrad_course.measure.block import count_allocations


class PerStep(NamedTuple):
    """The average allocations of one step; None where they could not be counted."""

    #: Bytes a step.
    allocated_bytes: float | None
    #: Blocks of memory a step.
    allocations: float | None


def per_step(run: Callable[[int], Any], few: int, many: int, *, warmup: int = 1, bytes: str = "process") -> PerStep:
    """Count what `run(few)` and `run(many)` allocate, and divide the difference by the steps that lie between.

    run: does as many steps as it is told. Each length runs `warmup` times uncounted, and once counted (not timed).
    bytes: "process" counts everything, by memray; "arrays" NumPy's and numba's arrays alone, exactly.

    What the process does beside the steps is in the difference too: some bytes, so let the steps between be many.
    Where nothing can be counted, `run(few)` runs once. ValueError unless 0 <= few < many.
    """
    if not 0 <= few < many:
        raise ValueError(f"per_step: few is {few} and many is {many}; one step more needs 0 <= few < many.")
    less = count_allocations(run, few, warmup=warmup, bytes=bytes)
    if less.allocated_bytes is None:
        return PerStep(None, None)
    more = count_allocations(run, many, warmup=warmup, bytes=bytes)

    def share(small: int | None, large: int | None) -> float | None:
        return None if small is None or large is None else (large - small) / (many - few)

    return PerStep(share(less.allocated_bytes, more.allocated_bytes), share(less.allocations, more.allocations))
