"""One walk through memory for a single row: x @ W, and then W += scale * x y, read and change the same matrix."""

from __future__ import annotations

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.values import (
    Call,
    Guard,
    Product,
    Value,
    View,
    all_reads,
    base,
    identity,
    is_whole,
    resolve,
    transposed,
)


def one_walk(ir: ProgramIR) -> str:
    """x @ W and then W += scale * x y: with a single row x, both are done in one walk over the matrix in memory."""
    joined, order = 0, ir.equations
    for first in [e for e in order if isinstance(e, Product) and e.out.shape[:1] == (1,) and len(e.out.shape) == 2]:
        x, matrix = first.inputs
        if first.adds is not None or first.scale is not None or not is_whole(matrix):
            continue
        weights = base(matrix)
        start = order.index(first)
        for k in range(start + 1, len(order)):
            second = order[k]
            if (
                isinstance(second, Product)
                and second.adds is weights
                and second.inputs[0].shape[1] == 1
                and second.out.shape == matrix.shape
                and second.inputs[0].size == x.size == resolve(x)[0].size
                and _same_entries(x, second.inputs[0])
                and not any(base(v) is base(second.inputs[1]) for e in order[start:k] for v in e.outs)
                and not any(isinstance(e, Guard) for e in order[start:k])  # before it no weight may change
            ):
                scale = [] if second.scale is None else [second.scale]
                inputs = [x, matrix, second.inputs[1], *scale]
                order[start] = Call(first.out, inputs, "vecmat_and_add_outer", (second.negative,))
                second.out.at = View(weights, identity(weights.shape))
                del order[k]
                joined += 1
                break
            if any(base(value) is weights for value in all_reads(second)):
                break
    return f"{joined} matrices are read and changed in one walk"


def _same_entries(row: Value, column: Value) -> bool:
    """Tell whether a row and a column are views of the same array, in the same order."""
    (array, places), (other, down) = resolve(transposed(row)), resolve(column)
    long = [axis for axis, size in enumerate(array.shape) if size != 1]
    return array is other and all(places[axis] == down[axis] for axis in long)
