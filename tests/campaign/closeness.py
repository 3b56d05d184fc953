"""Measure the allowed distance of two runs of one graph, for each graph anew, instead of choosing it.

Two programs for the same mathematics differ by rounding alone: each of their operations is right to a few units in the
last place (ulps), and the graph decides what becomes of that. So the graph runs again on slightly shaken numbers: every
input and every intermediate result is moved by SHAKE / 2 to SHAKE ulps of its own dtype, up or down at random (and not
by less: a single number that chance leaves where it is would make all that follows from it look exact). How far that
moves the results is how well they are determined. A mode may be ROOM times as far away, and ROOM ulps of the result's
largest entry. Where the graph is exact (integers, indices, copies) shaking moves nothing, and nothing is allowed. Most
modes are within those ulps, and then nothing runs again; two shaken runs may by chance come out nearly alike, so before
anything counts as a failure there are MORE of them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.loops.scan import Pack, Scan

SHAKE = 4.0  # ulps: the least accurate kernel (tanh in float32) is within 3e-7, which is 2.5 of them
ROOM = 16.0  # how much farther than the shaken runs: they are only two, and other processors round otherwise
RUNS, MORE = 2, 20


def allowances(outputs: Sequence[mg.Node], seed: int, runs: int) -> list[float]:
    """For each output, how far an entry of it may be from the eager one. The same seed: the same runs, and more."""
    rng = np.random.default_rng(seed)
    order = mg.topological_order(*outputs)
    room = [0.0] * len(outputs)
    for _ in range(runs):
        with np.errstate(all="ignore"):
            result = _shaken(order, rng)
        for k, node in enumerate(outputs):
            room[k] = max(room[k], distance(result[node], node._value))
    return [
        ROOM * (room[k] + _ulp(node.dtype) * largest(node._value)) if node.dtype.kind == "f" else 0.0
        for k, node in enumerate(outputs)
    ]


def _shaken(order: Sequence[mg.Node], rng: np.random.Generator) -> dict[mg.Node, Any]:
    """The values of a graph whose every node is moved a little."""
    values: dict[mg.Node, Any] = {}
    for node in order:
        if node.op is None:
            value = node._value
        else:
            value = node.op.value(*(values[x] for x in node.inputs))
        if isinstance(node.op, Scan | Pack):  # several results, each of a dtype of its own: shaken when taken out
            values[node] = value
            continue
        if node.dtype.kind == "f" and isinstance(value, np.ndarray | np.generic):
            value = shaken(value, rng, node.dtype)
        values[node] = value
    return values


def shaken(x: Any, rng: np.random.Generator, dtype: np.dtype, ulp: float = 0.0) -> np.ndarray:
    """x with each entry moved by SHAKE / 2 to SHAKE ulps of its dtype, or by so many times `ulp` where that is more."""
    moves = rng.uniform(-1, 1, np.shape(x))
    moves = SHAKE * max(ulp, _ulp(dtype)) * (moves + np.copysign(1, moves)) / 2
    return np.asarray(x * (1 + moves), dtype)


@functools.cache
def _ulp(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).eps)


def largest(value: Any) -> float:
    """The largest finite entry, without its sign; 0 if there is none."""
    entries = np.abs(np.asarray(value, np.float64))
    entries = entries[np.isfinite(entries)]
    return float(entries.max()) if entries.size else 0.0


def distance(a: Any, b: Any) -> float:
    """The largest difference of entries; 0 between equal infinities and between nans, infinite where only one is."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where(same, 0.0, np.abs(a - b))
    return float(np.max(np.where(np.isnan(apart), math.inf, apart), initial=0.0))


def difference(got: Any, expected: Any, allowed: float, dtype: Any = None) -> str:
    """Describe the error in `got` in a few words, or return "" if it is the expected array. dtype: the required one."""
    result = np.asarray(got)
    if result.shape != np.shape(expected):
        return f"shape {result.shape} instead of {np.shape(expected)}"
    if dtype is not None and result.dtype != dtype:
        return f"dtype {result.dtype} instead of {dtype}"
    apart = distance(result, expected)
    return "" if apart <= allowed else f"{apart:.3g} apart, {allowed:.3g} allowed"


Check = Callable[..., Any]
