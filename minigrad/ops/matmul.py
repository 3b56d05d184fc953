"""Matrix multiplication, and what is made of it: the products of vectors."""

from __future__ import annotations

import math

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.errors import learner_line, refusal
from minigrad.core.operation import Operation
from minigrad.ops.shape import array_like, dtype_of, expand_dims, ravel, reshape, shape_of, squeeze, swapaxes, transpose


class Matmul(Operation):
    """c = a @ b for matrices (..., m, k) and (..., k, n); leading axes broadcast.

    With a_bar for the adjoint of a:  a_bar = c_bar @ b.T,  b_bar = a.T @ c_bar.
    """

    name = "matmul"
    symbol = "@"

    def value(self, a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.matmul(a, b, out=out)

    def blank(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if a.shape[-1] != b.shape[-2]:
            return self.value(a, b)
        shape = *np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]
        return np.empty(shape, np.result_type(a, b))

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array, b: Array) -> Array | None:
        return adjoint @ swapaxes(b, -1, -2) if i == 0 else swapaxes(a, -1, -2) @ adjoint

    def lower(self, to: Lowering, node: Node, a: Value, b: Value) -> Value:
        return to.product(node, a, b)

    def text(self, a: str, b: str) -> str:
        return f"{a} @ {b}"

    def advice(self, a: Array, b: Array) -> str:
        m, n = np.shape(a), np.shape(b)
        if m[-1] == n[-2:][0]:
            return f"The axes before the last two count matrices and must broadcast, here {m[:-2]} and {n[:-2]}"
        hint = f"The inner sizes must be equal, here {m[-1]} and {n[-2:][0]}"
        return hint + ("; the second input transposed (.T) would fit" if m[-1] == n[-1] else "")


def matmul(a: ArrayLike, b: ArrayLike) -> Array:
    """a @ b as NumPy has it: vectors count as a row on the left and as a column on the right."""
    rows, columns = len(shape_of(a)), len(shape_of(b))
    if rows == 0 or columns == 0:
        raise ValueError(f"matmul needs vectors or matrices, got shapes {shape_of(a)} and {shape_of(b)}; use * instead")
    if shape_of(a)[-1] != shape_of(b)[-2:][0]:  # said of the vectors that there are, not of rows and columns
        own = [np.empty(shape_of(x), dtype_of(x)) for x in (a, b)]
        raise refusal(Matmul(), own, ValueError(), learner_line())
    product = Matmul()(a if rows > 1 else expand_dims(a, 0), b if columns > 1 else expand_dims(b, 1))
    if rows == 1:
        product = squeeze(product, -2)
    return squeeze(product, -1) if columns == 1 else product


def dot(a: ArrayLike, b: ArrayLike) -> Array:
    """NumPy's dot: of vectors the sum of products, of matrices a @ b, with a single number a * b.

    In general it sums over the last axis of a and the last but one of b; the other axes of a come first, then b's.
    """
    a, b = array_like(a), array_like(b)
    left, right = shape_of(a), shape_of(b)
    if not left or not right:
        return rules.mul(a, b)
    if len(left) == 1 or len(right) <= 2:
        return matmul(a, b)
    if left[-1] != right[-2]:
        raise ValueError(f"dot: the last axis of {left} and the last but one of {right} must have one size")
    inner_first = (len(right) - 2, *range(len(right) - 2), len(right) - 1)
    rows = reshape(a, (math.prod(left[:-1]), left[-1]))
    columns = reshape(transpose(b, inner_first), (right[-2], math.prod(right[:-2] + right[-1:])))
    return reshape(matmul(rows, columns), left[:-1] + right[:-2] + right[-1:])


def outer(a: ArrayLike, b: ArrayLike) -> Array:
    """Every entry of a times every entry of b, a matrix (a.size, b.size)."""
    return rules.mul(expand_dims(ravel(a), 1), ravel(b))
