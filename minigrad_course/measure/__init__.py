"""Measure seconds and bytes: `with measure() as m:` and the cell magic `%%measure`.

    with measure() as m:
        c = a + b
    m.seconds, m.compile_seconds, m.allocated_bytes, m.allocations, m.peak_bytes, m.method

Bytes are all bytes that were allocated, as Julia's `@time` counts them, not the peak. There are two ways to count:

| | bytes="arrays" (the default) | bytes="process" (%%measure --all) |
|---|---|---|
| sees | NumPy and numba arrays, exactly | every malloc of the process: PyTorch, JAX, BLAS, Python too |
| costs | 20 ns an array: good for timing | slows Python several times: time first, count in another run |
| needs | numba and ctypes | memray, which Windows does not have |

A cell is run once: running a training cell twice would train twice. So `%%measure` times and counts arrays in that one
run, and reports what it cannot see. To compare engines, time them first and then count them all by one method:
`repeat(step, bytes="process")` or `count_allocations(step)`; `per_step(run, 50, 500)` gives the cost of one more step.
`in_turns([slow, fast])` times several jobs beside each other, for a few seconds at most.

Read result.py, stopwatch.py, magic.py; then compiling.py, array_counter.py and llvm.py, memray_counter.py.
"""

import sys

from minigrad_course.measure.magic import load_ipython_extension
from minigrad_course.measure.result import Measurement
from minigrad_course.measure.stopwatch import PerStep, count_allocations, in_turns, measure, per_step, repeat

__all__ = [
    "Measurement", "PerStep", "count_allocations", "in_turns", "load_ipython_extension", "measure", "per_step",
    "repeat",
]  # fmt: skip

# In a notebook, importing is enough: no lesson has to begin with %load_ext. Registering changes no variable.
if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()) is not None:
    load_ipython_extension(_shell)
