"""The dtype of every result: NumPy's promotion, in one place for all modes.

NumPy computes an elementwise function in one dtype at a time. int8 + float32 becomes float32 + float32, and the square
root of int64 that of float64. NumPy's own tables decide. A Python number (`2 * x`) has no dtype of its own and takes
that of the other operand. The graph, a replay, the compiler and plain Python follow these rules, so that all of them
compute in the same dtypes.

One exception: NumPy computes functions of 8-bit integers in half precision, which minigrad does not have. They are
computed in float32.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

Kind = np.dtype | type  # a dtype, or int or float for a number of Python's

HALF, SINGLE, DOUBLE = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
Loop = tuple[tuple[np.dtype, ...], np.dtype]  # the dtypes that the inputs are converted to, and that of the value


@functools.cache
def of_ufunc(ufunc: np.ufunc, *inputs: Kind) -> Loop:
    """Return the dtypes in which a NumPy ufunc computes. Raises TypeError if it does not take the inputs."""
    *loop, value = ufunc.resolve_dtypes((*inputs, None))
    if HALF in loop and HALF not in inputs:
        return of_ufunc(ufunc, *(SINGLE if isinstance(kind, np.dtype) else kind for kind in inputs))
    return tuple(loop), value


@functools.cache
def of_choices(*inputs: Kind) -> Loop:
    """Return the dtypes of a function whose value is one of its inputs, such as clip: their common dtype."""
    value = together(inputs)
    return tuple(value for _ in inputs), value


@functools.cache
def of_choice(condition: Kind, *choices: Kind) -> Loop:
    """The dtypes of where(condition, a, b)."""
    loop, value = of_choices(*choices)
    return (np.dtype(bool), *loop), value


@functools.cache
def of_expression(*inputs: Kind) -> Loop:
    """The dtypes of a longer expression, which is computed in float32 if that holds all inputs, else in float64."""
    strong = [kind for kind in inputs if isinstance(kind, np.dtype)]
    value = SINGLE if strong and all(np.can_cast(kind, SINGLE) for kind in strong) else DOUBLE
    return tuple(value for _ in inputs), value


def together(kinds: Sequence[Kind]) -> np.dtype:
    """Return the common dtype of numbers of all these kinds in one array."""
    examples: list[Any] = [kind if isinstance(kind, np.dtype) else kind(0) for kind in kinds]
    return np.result_type(*examples)
