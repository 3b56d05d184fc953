"""Check the inputs of a replayed graph before anything is computed: labels in range, numbers of the right kind.

A compiled program checks nothing itself: an out-of-range label would make it read out of bounds. So an operation that
looks something up by an integer declares the valid integers (`Operation.limits`), `bounds` finds the leaves of a graph
that reach it, and their rows are checked before each run. Nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.errors import Line, refusal
from minigrad.core.graph import Node, topological_order
from minigrad.core.operation import Operation, numbers
from minigrad.loops.scan import Scan
from minigrad.native.jit import kernel
from minigrad.ops.shape import BroadcastTo, Cast, Reshape, Transpose

SAME_NUMBERS = Reshape | Cast | Transpose | BroadcastTo  # each of them, and no other


def are_labels(y: np.ndarray | Node) -> bool:
    """Tell whether these are the classes of rows: integers along one axis."""
    return y.ndim == 1 and y.dtype.kind in "iu"


@dataclass(frozen=True)
class Bound:
    """`leaf` holds integers from `low` to `high`, because `op` looks something up by them as its input `i`.

    inputs: stand-ins for the inputs of `op`, with their shapes and dtypes. line: the learner's line that made it.
    """

    leaf: Node
    low: int
    high: int
    op: Operation
    i: int
    inputs: tuple[np.ndarray, ...]
    line: Line | None

    def error(self, number: int, row: int) -> Exception:
        """Return the operation's own error for a number out of range."""
        return refusal(self.op, self.inputs, self.op.outside(self.i, number, row, *self.inputs), self.line)


def bounds(nodes: Iterable[Node], leaves: Collection[Node]) -> list[Bound]:
    """Return the limits of those `leaves` that reach an operation unchanged, or in another shape or dtype.

    The cell of a loop may also look up values from outside, step by step, or the same at every step.
    """
    limits: dict[tuple[int, int, int], Bound] = {}
    for node, i, x, (low, high) in _looked_up(nodes, {}):
        if x in leaves and x.dtype.kind in "iu":
            assert node.op is not None
            stand_ins = tuple(np.broadcast_to(np.zeros((), y.dtype), y.shape) for y in node.inputs)
            limits.setdefault((id(x), low, high), Bound(x, low, high, node.op, i, stand_ins, node.line))
    return list(limits.values())


Lookup = tuple[Node, int, Node, tuple[int, int]]


def _looked_up(nodes: Iterable[Node], cell_arguments: Mapping[Node, Node]) -> Iterator[Lookup]:
    """Yield the nodes that look something up, by which input, the node that this comes from unchanged, its limits.

    cell_arguments: the values for the leaves of a cell.
    """
    for node in nodes:
        if isinstance(node.op, Scan):
            body, carried = node.op.body, len(node.op.body.carry_in)
            filled = dict(zip(body.inputs[carried:], node.inputs[carried:], strict=True))
            yield from _looked_up(topological_order(*body.outputs), {**cell_arguments, **filled})
            continue
        for i, x in enumerate(node.inputs):
            limits = node.op.limits(i, *node.inputs) if node.op is not None else None
            if limits is None:
                continue
            while x in cell_arguments or (isinstance(x.op, SAME_NUMBERS) and x.inputs[0].dtype.kind in "iub"):
                x = cell_arguments[x] if x in cell_arguments else x.inputs[0]
            yield node, i, x, limits


def looks_up_computed(nodes: Collection[Node]) -> bool:
    """Tell whether something is looked up by integers that are computed on the way. They cannot be checked before."""
    leaves = {node for node in nodes if node.op is None}
    return any(x not in leaves for _, _, x, _ in _looked_up(nodes, {}))  # not so the state of a loop


def check_bounds(limits: Iterable[Bound], data: Mapping[Node, np.ndarray], order: np.ndarray) -> None:
    """Raise the operation's own error if a row that `order` names is out of bounds. data: the rows for each leaf."""
    for bound in limits:
        if bound.leaf in data:
            row, number = first_out_of_range(data[bound.leaf], order, bound.low, bound.high)
            if row >= 0:
                raise bound.error(number, row)


def first_out_of_range(rows: np.ndarray, order: np.ndarray, low: int, high: int) -> tuple[int, int]:
    """Return the first of the rows in `order` with an integer below `low` or above `high`, and it; else (-1, 0)."""
    if not rows.size or not order.size:
        return -1, 0
    if not (rows.flags.carray and rows.dtype.isnative):  # what the kernel is compiled for
        rows = np.require(rows, rows.dtype.newbyteorder("="), ["C", "A"])
    flat = rows.reshape(len(rows), -1)
    search = _first_outside.compiled()  # type: ignore[attr-defined]
    k, j = divmod(search(flat, order, max(low, -(2**63)), min(high, 2**63 - 1)), flat.shape[1])
    return (-1, 0) if k < 0 else (int(order[k]), int(flat[order[k], j]))


def fitting(who: str, name: str, value: ArrayLike, dtype: np.dtype) -> np.ndarray:
    """Return `value` as a contiguous array whose numbers may become `dtype`: any integers, but floats only for floats.

    It is not converted yet: an integer may be too large for `dtype`, which `first_out_of_range` finds.
    """
    array = numbers(value, f"{who}: {name}", np.asarray)
    fits = {"f": "fiub", "b": "b"}.get(dtype.kind, "iub")
    if array.dtype.kind not in fits and array.size:
        advice = ". Labels and row numbers are integers: try .astype(int)" if dtype.kind in "iu" else ""
        raise TypeError(
            f"{who} was compiled for {dtype} as {name}, and cannot take {array.dtype} of shape {array.shape}{advice}"
        )
    return array


def check_range(who: str, name: str, rows: np.ndarray, order: np.ndarray, dtype: np.dtype) -> None:
    """Raise ValueError if one of the `rows` in `order` holds an integer that `dtype` cannot represent."""
    if dtype.kind not in "iu" or rows.dtype.kind not in "iu" or np.can_cast(rows.dtype, dtype):
        return
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    row, number = first_out_of_range(rows, order, low, high)
    if row >= 0:
        raise ValueError(
            f"{who} was compiled for {dtype} as {name}, from {low} to {high}, and row {row} holds {number}"
        )


@kernel
def _first_outside(rows, order, low, high):
    for k in range(order.size):
        for j in range(rows.shape[1]):
            if rows[order[k], j] < low or rows[order[k], j] > high:
                return k * rows.shape[1] + j
    return -1


@kernel
def _same(a, b):
    different = 0
    for k in range(a.size):
        different |= a[k] ^ b[k]
    return different == 0


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Tell whether two arrays are equal in every bit, without a temporary array; a nan equals itself."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.flags.c_contiguous and b.flags.c_contiguous) or a.dtype.kind not in "fiubc":
        return bool(a.tobytes() == b.tobytes())
    return bool(_same(a.reshape(-1).view(np.uint8), b.reshape(-1).view(np.uint8)))
