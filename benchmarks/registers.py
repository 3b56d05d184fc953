"""Measure a processor's peak: multiply-adds of numbers that are in its registers already, with nothing to load.

The figure holds vector width, units and clock together, as they are while it is measured. What matrix products reach
stays below it, since they also have to fetch their numbers.
"""

from __future__ import annotations

import functools
import time
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from minigrad.native.tile import Tile, keep_wide, vector_bits

SUMS = 12  # that do not wait for each other: more than a processor has under way, and they fit into 16 registers
STEPS = 200_000


@intrinsic
def _multiply_adds(typing_context: Any, steps: Any) -> Any:
    """`steps` multiply-adds of each of the sums. Return the first number of their total, so that all are needed."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        keep_wide(builder.function)
        tile = Tile(builder, 32, 1, False, whole=False)
        start = [ir.Constant(tile.vector, [k] * tile.lanes) for k in range(SUMS)]
        factor = tile.in_all_lanes(ir.Constant(tile.number, 0.5))
        with tile.loop(arguments[0], start) as (_, sums, new):
            new.extend(tile.multiply_add(factor, x, factor) for x in sums)
        return builder.extract_element(functools.reduce(builder.fadd, new), ir.Constant(ir.IntType(32), 0))

    return types.float32(types.int64), write


@njit
def _run(steps: int) -> float:
    return _multiply_adds(steps)  # type: ignore[call-arg,no-any-return]


def gflops() -> float:
    """Return billions of operations a second on one core, in float32: two for each lane; the best of ten runs."""
    _run(10)
    best = float("inf")
    for _ in range(10):
        since = time.perf_counter()
        _run(STEPS)
        best = min(best, time.perf_counter() - since)
    return 2 * SUMS * STEPS / best * vector_bits() / 32 / 1e9
