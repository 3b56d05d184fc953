"""Linear algebra with NumPy's names, as `mg.linalg`: systems of equations, determinants, Cholesky's factor, norms.

Solve (solve.py), Determinant and Cholesky are operations, each with the derivative that a line of algebra gives. If x
solves a x = b, then

    a dx + da x = db,   so   dx = solve(a, db - da x),

and backwards b_bar = solve(aᵀ, x_bar) and a_bar = -b_bar xᵀ. Nothing here forms an inverse to solve with.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy import arrange
from minigrad.like_numpy.arrange import matrix_transpose
from minigrad.like_numpy.einsum import multi_dot, tensordot, vecdot
from minigrad.like_numpy.elementwise import cross
from minigrad.like_numpy.names import as_numpy
from minigrad.like_numpy.nearest import without
from minigrad.like_numpy.solve import Solve
from minigrad.operation import Operation, stored
from minigrad.ops import products, reduce
from minigrad.ops.keys import whole
from minigrad.ops.numbers import floats
from minigrad.ops.products import matmul
from minigrad.ops.shape import (
    array_like,
    broadcast_to,
    cast,
    dtype_of,
    expand_dims,
    normal_axes,
    reshape,
    shape_of,
    transpose,
)

__all__ = [
    "cholesky", "cross", "det", "diagonal", "inv", "matmul", "matrix_norm", "matrix_power", "matrix_transpose",
    "multi_dot", "norm", "outer", "slogdet", "solve", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip
for _op in (cross, matmul, matrix_transpose, multi_dot, tensordot, vecdot):
    as_numpy(f"linalg.{_op.__name__}")(_op)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"minigrad has no linalg.{name}{without(f'linalg.{name}')}")


class Determinant(Operation):
    """Of stacks of square matrices (..., n, n): the determinant ("det"), its sign, or the logarithm of its size."""

    def __init__(self, part: str):
        self.name = part

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> Any:
        result = np.linalg.det(a) if self.name == "det" else np.linalg.slogdet(a)[self.name == "logdet"]
        return stored(result, out)

    def jvp(self, i: int, tangent: Any, v: Any, a: Any) -> Any:
        if self.name == "signdet":
            return None
        change = trace(Solve()(a, tangent))
        return v * change if self.name == "det" else change

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any) -> Any:
        if self.name == "signdet":
            return None
        of_log = adjoint * v if self.name == "det" else adjoint
        return expand_dims(of_log, (-1, -2)) * matrix_transpose(inv(a))

    def advice(self, a: Any) -> str:
        return f"Only square matrices have a determinant, and this one is {np.shape(a)[-2:]}"

    @property
    def kernel(self) -> Any:
        what = ("det", "signdet", "logdet").index(self.name)

        def eliminate(a, out):
            n, results = a.shape[-1], out.reshape(-1)
            for s in range(len(results)):
                m, sign, size, log = a.reshape(len(results), n, n)[s].astype(out.dtype), 1.0, 1.0, 0.0
                for k in range(n):
                    best = k
                    for i in range(k + 1, n):
                        if abs(m[i, k]) > abs(m[best, k]):
                            best = i
                    if best != k:
                        sign = -sign
                    for j in range(n):
                        m[k, j], m[best, j] = m[best, j], m[k, j]
                    size, log = size * abs(m[k, k]), log + np.log(abs(m[k, k]))
                    sign *= -1.0 if m[k, k] < 0 else 0.0 if m[k, k] == 0 else 1.0  # of a nan as in NumPy: no change
                    for i in range(k + 1, n):
                        factor = m[i, k] / m[k, k] if m[k, k] != 0 else m[i, k]
                        for j in range(k, n):
                            m[i, j] -= factor * m[k, j]
                results[s] = sign * size if what == 0 else sign if what == 1 else log

        return eliminate


class Cholesky(Operation):
    """The lower triangular matrix L with L Lᵀ = a, of stacks of symmetric positive definite matrices a.

    Of the derivative of L Lᵀ = a, with Φ for the lower triangle with half of the diagonal:  dL = L Φ(L⁻¹ da L⁻ᵀ).
    """

    name = "cholesky"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(np.linalg.cholesky(a), out)

    def jvp(self, i: int, tangent: Any, v: Any, a: Any) -> Any:
        inside = matrix_transpose(Solve()(v, matrix_transpose(Solve()(v, symmetric(tangent)))))
        return matmul(v, _half(inside))

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any) -> Any:
        across = matrix_transpose(v)
        inside = Solve()(across, _half(matmul(across, adjoint)))
        return symmetric(matrix_transpose(Solve()(across, matrix_transpose(inside))))

    def advice(self, a: Any) -> str:
        return "Only symmetric matrices with positive eigenvalues have a Cholesky factor"

    @staticmethod
    def kernel(a, out):
        n = a.shape[-1]
        for s in range(a.size // (n * n) if n else 0):
            m, v = a.reshape(-1, n, n)[s], out.reshape(-1, n, n)[s]
            for i in range(n):
                for j in range(n):
                    v[i, j] = m[i, j] if j <= i else 0
                for j in range(i + 1):
                    for k in range(j):
                        v[i, j] -= v[i, k] * v[j, k]
                    if i == j and v[i, i] <= 0:  # a nan is none of them: it goes on, as in LAPACK
                        raise ValueError("a matrix has no Cholesky factor: it is not positive definite")
                    v[i, j] = np.sqrt(v[i, i]) if i == j else v[i, j] / v[j, j]


def square(a: Any, who: str) -> Any:
    """`a`, if it is made of square matrices."""
    shape = shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"{who} takes square matrices in the last two axes, got shape {shape}")
    return a


def symmetric(x: Any) -> Any:
    """The symmetric part of x."""
    return (x + matrix_transpose(x)) / 2


def _half(x: Any) -> Any:
    """The lower triangle with half of the diagonal."""
    n = shape_of(x)[-1]
    return x * np.asarray(np.tri(n) - np.eye(n) / 2, dtype_of(x))


@as_numpy("linalg.solve")
def solve(a: Any, b: Any) -> Any:
    """x with a @ x = b; b is a vector, or the columns of a matrix; stacks broadcast."""
    a, b = square(floats(a), "solve"), floats(b)
    column = len(shape_of(b)) == 1
    b = expand_dims(b, 1) if column else b
    lead = np.broadcast_shapes(shape_of(a)[:-2], shape_of(b)[:-2])
    dtype = np.result_type(dtype_of(a), dtype_of(b))
    a, b = (cast(broadcast_to(x, lead + shape_of(x)[-2:]), dtype) for x in (a, b))
    x = Solve()(a, b)
    return x[..., 0] if column else x


@as_numpy("linalg.inv")
def inv(a: Any) -> Any:
    """The inverse matrix: the solution for the columns of the unit matrix."""
    a = square(floats(a), "inv")
    return solve(a, np.eye(shape_of(a)[-1], dtype=dtype_of(a)))


@as_numpy("linalg.det")
def det(a: Any) -> Any:
    """The determinant. Its derivative is det(a) inv(a)ᵀ, so that a must have an inverse where it is asked for."""
    return Determinant("det")(square(floats(a), "det"))


SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")


@as_numpy("linalg.slogdet")
def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its size."""
    a = square(floats(a), "slogdet")
    return SlogdetResult(Determinant("signdet")(a), Determinant("logdet")(a))


@as_numpy("linalg.cholesky")
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The lower triangular L with L @ L.T = a (upper: L.T). The derivative takes a as symmetric, and gives it so."""
    lower = Cholesky()(square(floats(a), "cholesky"))
    return matrix_transpose(lower) if upper else lower


@as_numpy("linalg.matrix_power")
def matrix_power(a: Any, n: int) -> Any:
    """A square matrix times itself, n times; of its inverse for n below 0."""
    n = whole(n, "the power of a matrix")
    a = inv(a) if n < 0 else square(array_like(a), "matrix_power")
    power, n = None, abs(n)
    if n == 0:
        return broadcast_to(np.eye(shape_of(a)[-1], dtype=dtype_of(a)), shape_of(a))
    while n:
        if n % 2:
            power = a if power is None else matmul(power, a)
        a, n = matmul(a, a) if n > 1 else a, n // 2
    return power


@as_numpy("linalg.diagonal")
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonal of the matrices in the last two axes."""
    return arrange.diagonal(x, offset, -2, -1)


@as_numpy("linalg.trace")
def trace(x: Any, /, *, offset: int = 0) -> Any:
    """The sum along the diagonal of the matrices in the last two axes."""
    return arrange.trace(x, offset, -2, -1)


@as_numpy("linalg.outer")
def outer(x1: Any, x2: Any, /) -> Any:
    """Every entry of one vector times every entry of another."""
    if len(shape_of(x1)) != 1 or len(shape_of(x2)) != 1:
        raise ValueError(
            f"linalg.outer takes vectors, got shapes {shape_of(x1)} and {shape_of(x2)}. mg.outer takes more"
        )
    return products.outer(x1, x2)


def _largest(sizes: Any, axis: Any, keepdims: bool) -> Any:
    """The largest of sizes; of none 0, which is the length of a vector without entries."""
    return (reduce.max if 0 not in shape_of(sizes) else reduce.sum)(sizes, axis, keepdims)


@as_numpy("linalg.vector_norm")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The length of vectors: sum(|x| ** ord) ** (1 / ord), the largest for inf, how many are not 0 for 0."""
    x = floats(x)
    if ord is None or ord == 2:
        return reduce.norm(x, axis, keepdims)
    size = rules.abs(x)
    if ord == np.inf:
        return _largest(size, axis, keepdims)
    if ord == -np.inf:
        return reduce.min(size, axis, keepdims)
    if ord == 0:
        return cast(reduce.sum(rules.not_equal(x, 0), axis, keepdims), dtype_of(x))
    if ord == 1:
        return reduce.sum(size, axis, keepdims)
    total = reduce.sum(_power(size, ord), axis, keepdims)
    return _power(total, 1.0 / ord) if ord > 0 else total ** (1.0 / ord)


def _power(x: Any, exponent: float) -> Any:
    """x ** exponent with derivative 0 at 0, where a norm has a corner."""
    corner = rules.equal(x, 0)
    with np.errstate(divide="ignore"):
        return rules.where(corner, float(np.float64(0.0) ** exponent), rules.where(corner, 1.0, x) ** exponent)


@as_numpy("linalg.matrix_norm")
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The size of the matrices in the last two axes: "fro", or the largest (-: smallest) sum of a column (1) or a row
    (inf)."""
    x = floats(x)
    if ord in ("fro", None):
        return reduce.norm(x, (-2, -1), keepdims)
    ways: dict[Any, tuple[int, Callable[..., Any]]] = {
        1: (-2, _largest), -1: (-2, reduce.min), np.inf: (-1, _largest), -np.inf: (-1, reduce.min),
    }  # fmt: skip
    if ord not in ways:
        singular = ", which is made of singular values" if ord in (2, -2, "nuc") else ""
        raise TypeError(
            f"norm of a matrix has no ord={ord!r} in minigrad{singular}. There are 'fro', 1, -1, inf and -inf"
        )
    axis, most = ways[ord]
    return most(reduce.sum(rules.abs(x), axis, keepdims=True), (-2, -1), keepdims)


@as_numpy("linalg.norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """NumPy's norm: of all numbers; of vectors along one axis, or of matrices in two, with their kinds `ord`."""
    n = len(shape_of(x))
    if ord is None:
        return reduce.norm(x, axis, keepdims)
    axes = normal_axes(axis, n)
    if len(axes) == 1:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=ord)
    if len(axes) != 2:
        raise ValueError(f"norm of kind ord={ord!r} is one of vectors or matrices: along 1 axis or 2, not {len(axes)}")
    row, column = axis if axis is not None else (0, 1)
    row, column = row % n, column % n
    order = [k for k in range(n) if k not in axes] + [row, column]
    norms = matrix_norm(transpose(floats(x), order), ord=ord)
    return reshape(norms, tuple(1 if k in axes else m for k, m in enumerate(shape_of(x)))) if keepdims else norms
