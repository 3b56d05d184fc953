"""Linear algebra with NumPy's names, as `mg.linalg`: systems of equations, inverses, lengths.

`Solve` is an operation, with the derivative that a line of algebra gives. If x solves a x = b, then

    a dx + da x = db,   so   dx = solve(a, db - da x),

and backwards b_bar = solve(aᵀ, x_bar) and a_bar = -b_bar xᵀ. Nothing here forms an inverse to solve with.
"""

from __future__ import annotations

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.operation import Operation, stored
from minigrad.like_numpy.registry import as_numpy, without
from minigrad.ops import reduce
from minigrad.ops import shape as shapes
from minigrad.ops.matmul import matmul
from minigrad.ops.shape import broadcast_to, cast, common_shape, dtype_of, expand_dims, floats, shape_of, swapaxes

__all__ = ["inv", "matmul", "norm", "solve"]
as_numpy("linalg.matmul")(matmul)


def __getattr__(name: str) -> Array:
    raise AttributeError(f"minigrad has no linalg.{name}{without(f'linalg.{name}')}")


class Solve(Operation):
    """x with a x = b, for stacks of square matrices a (..., n, n) and of columns b (..., n, k)."""

    name = "solve"

    def value(self, a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(np.linalg.solve(a, b), out)

    def jvp(self, i: int, tangent: Array, x: Array, a: Array, b: Array) -> Array | None:
        return Solve()(a, -matmul(tangent, x) if i == 0 else tangent)

    def vjp(self, i: int, adjoint: Array, x: Array, a: Array, b: Array) -> Array | None:
        of_b = Solve()(swapaxes(a, -1, -2), adjoint)
        return -matmul(of_b, swapaxes(x, -1, -2)) if i == 0 else of_b

    def advice(self, a: ArrayLike, b: ArrayLike) -> str:
        if shape_of(a)[-1] != shape_of(a)[-2]:
            return f"Only square matrices have one solution, and this one is {shape_of(a)[-2:]}"
        singular = "A matrix is singular: it has no inverse, and its equations no single solution"
        return "" if shape_of(a)[-1] != shape_of(b)[-2] else singular

    @staticmethod
    def kernel(a, b, out):
        n, columns = out.shape[-2:]
        count = out.size // (n * columns) if out.size else 0
        lefts = a.reshape(-1, max(n, 1))
        rights, solutions = b.reshape(-1, max(columns, 1)), out.reshape(-1, max(columns, 1))
        for s in range(count):
            m, x = lefts[s * n : s * n + n].astype(out.dtype), solutions[s * n : s * n + n]
            x[:] = rights[s * n : s * n + n]
            for k in range(n):  # eliminate column k below its largest entry
                best = k + np.argmax(np.abs(m[k:, k]))
                if m[best, k] == 0:
                    raise ValueError("a matrix is singular: it has no inverse, and its equations no single solution")
                m[k], m[best] = m[best].copy(), m[k].copy()
                x[k], x[best] = x[best].copy(), x[k].copy()
                for i in range(k + 1, n):
                    factor = m[i, k] / m[k, k]
                    m[i, k:] -= factor * m[k, k:]
                    x[i] -= factor * x[k]
            for k in range(n - 1, -1, -1):
                for i in range(k + 1, n):
                    x[k] -= m[k, i] * x[i]
                x[k] /= m[k, k]


def _square(a: Array, who: str) -> Array:
    """`a`, if it is made of square matrices."""
    shape = shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"{who} takes square matrices in the last two axes, got shape {shape}")
    return a


@as_numpy("linalg.solve")
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """x with a @ x = b; b is a vector, or the columns of a matrix; stacks broadcast."""
    a, b = _square(floats(a), "solve"), floats(b)
    column = len(shape_of(b)) == 1
    b = expand_dims(b, 1) if column else b
    if shape_of(b)[-2:-1] != shape_of(a)[-1:]:
        got = shape_of(b)[:1] if column else shape_of(b)
        raise ValueError(f"solve needs as many rows in b as there are in a, of shape {shape_of(a)}; got shape {got}")
    lead = common_shape("solve: matrices and right sides", shape_of(a)[:-2], shape_of(b)[:-2])
    dtype = np.result_type(dtype_of(a), dtype_of(b))
    a, b = (cast(broadcast_to(x, lead + shape_of(x)[-2:]), dtype) for x in (a, b))
    x = Solve()(a, b)
    return x[..., 0] if column else x


@as_numpy("linalg.inv")
def inv(a: ArrayLike) -> Array:
    """The inverse matrix: the solution for the columns of the unit matrix."""
    a = _square(floats(a), "inv")
    return solve(a, np.eye(shape_of(a)[-1], dtype=dtype_of(a)))


@as_numpy("linalg.norm")
def norm(x: ArrayLike, ord: object = None, axis: shapes.Axis = None, keepdims: bool = False) -> Array:
    """The root of the sum of squares over axes; minigrad has no other kind `ord`."""
    if ord is not None:
        raise TypeError(
            f"norm has no ord={ord!r} in minigrad, only the root of the sum of squares. mg.sum(mg.abs(x)) "
            "and mg.max(mg.abs(x)) are the norms 1 and inf of a vector"
        )
    return reduce.norm(x, axis, keepdims)
