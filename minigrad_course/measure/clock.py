"""A clock for compiled code to time itself, for `parts`. Without numba it is Python's."""

from __future__ import annotations

import sys
import time
from typing import Any

from minigrad.native import jit
from minigrad.native.compiled import PURE_PYTHON


def _clock(typing_context: Any) -> Any:
    """Ticks of the system's clock; nanoseconds but on Windows."""
    from llvmlite import ir
    from numba import types

    from minigrad.native.numba_internals import cgutils

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        long, short = ir.IntType(64), ir.IntType(32)
        place = cgutils.alloca_once(builder, ir.ArrayType(long, 2))
        address = builder.bitcast(place, long.as_pointer())
        if sys.platform == "win32":
            ask = ir.FunctionType(short, [long.as_pointer()])
            builder.call(cgutils.get_or_insert_function(builder.module, ask, "QueryPerformanceCounter"), [address])
            return builder.load(address)
        which = ir.Constant(short, time.CLOCK_MONOTONIC)
        ask = ir.FunctionType(short, [short, long.as_pointer()])
        builder.call(cgutils.get_or_insert_function(builder.module, ask, "clock_gettime"), [which, address])
        seconds = builder.mul(builder.load(address), ir.Constant(long, 10**9))
        return builder.add(seconds, builder.load(builder.gep(address, [ir.Constant(short, 1)])))

    return types.int64(), write


clock: Any = time.perf_counter_ns if PURE_PYTHON else jit.numba().extending.intrinsic(_clock)


def mark(ticks: Any, part: int) -> None:
    """Add the time since the last mark to the part named there; from now on, time counts for this part."""
    now = clock()
    if ticks[-1] >= 0:
        ticks[ticks[-1]] += now - ticks[-2]
    ticks[-2] = now
    ticks[-1] = part


if not PURE_PYTHON:
    mark = jit.numba().njit(nogil=True, error_model="numpy")(mark)
