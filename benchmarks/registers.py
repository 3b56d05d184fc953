"""Measure two peaks of a processor: multiply-adds of numbers that are in its registers already, with nothing to load;
and loads of vectors from the L1 cache, with nothing to multiply.

The figures hold vector width, units and clock together, as they are while they are measured. What matrix products reach
stays below the first, since they also have to fetch their numbers.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from minigrad.native.tile import Tile, keep_wide, vector_bits

SUMS = 12  # that do not wait for each other: more than a processor has under way, and they fit into 16 registers
STEPS = 200_000


def _turn(what: str) -> Any:
    """A function of an address and `steps`, which does one thing for each of the sums, `steps` times.

    "multiply-adds", or "vectors" or "numbers": loads near the address, of vectors or of numbers into all lanes, which
    are added up. It returns the first number of what all sums come to, so that all are needed.
    """

    @intrinsic
    def turn(typing_context: Any, address: Any, steps: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.function.attributes.add("noinline")
            keep_wide(builder.function)
            tile = Tile(builder, 32, 1, False, whole=loads)
            add = builder.add if loads else builder.fadd
            start = [ir.Constant(tile.vector, [k] * tile.lanes) for k in range(SUMS)]
            with tile.loop(arguments[1], start) as (k, sums, new):
                # Another part of the cache in each of eight steps: no load can be left out.
                begin = tile.at(arguments[0], builder.shl(builder.and_(k, tile.const(7)), tile.const(10)))
                for j, x in enumerate(sums):
                    if what == "vectors":
                        new.append(add(x, tile.load(begin, j, None)))
                    elif what == "numbers":
                        new.append(add(x, tile.in_all_lanes(tile.number_at(tile.at(begin, 4 * j)))))
                    else:
                        factor = tile.in_all_lanes(ir.Constant(tile.number, 0.5))
                        new.append(tile.multiply_add(factor, x, factor))
            return builder.extract_element(functools.reduce(add, new), ir.Constant(ir.IntType(32), 0))

        return (types.int32 if loads else types.float32)(types.int64, types.int64), write

    @njit
    def run(address: int, steps: int) -> float:
        return turn(address, steps)  # type: ignore[call-arg,no-any-return]

    loads = what != "multiply-adds"
    return run


def per_second(what: str) -> float:
    """Multiply-adds of vectors of float32 a second on one core, or loads: see `_turn`. The best of ten runs."""
    run, place, best = _turn(what), np.zeros(4096), float("inf")
    address = (place.ctypes.data + 63) // 64 * 64
    run(address, 10)
    for _ in range(10):
        since = time.perf_counter()
        run(address, STEPS)
        best = min(best, time.perf_counter() - since)
    return SUMS * STEPS / best


def gflops() -> float:
    """Billions of operations a second on one core, in float32: two for each lane of a multiply-add."""
    return 2 * per_second("multiply-adds") * vector_bits() / 32 / 1e9
