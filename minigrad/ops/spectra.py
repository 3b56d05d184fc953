"""Eigenvalues, singular values and orthogonal factors, with NumPy's names: eigh, svd, qr, pinv.

Each finds several results at once. They lie under each other in one array, which is the operation's value, and slices
of it are what a caller gets. LAPACK computes them in float64 (eigh: syevd, svd: gesdd, qr: geqrf and orgqr), and always
through the same kernels, eagerly and in compiled programs: so the signs of vectors, which mathematics leaves open, are
the same in both. Of a matrix with a nan or an infinity all results are nan.

A derivative of a vector divides by the distance of its eigenvalue from the others. Where two are equal there is none,
and `Separate` says so, unless what is asked does not depend on the vectors.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from minigrad import jit, rules
from minigrad.operation import Operation, stored
from minigrad.ops.arrange import diagonal, matrix_transpose
from minigrad.ops.elementwise import floats
from minigrad.ops.products import matmul
from minigrad.ops.reduce import max, sum
from minigrad.ops.shape import concatenate, dtype_of, expand_dims, shape_of
from minigrad.ops.solve import Solve

EQUAL = "two eigenvalues or singular values are equal, and the vectors of equal ones have no derivative"


@jit.kernel
def eigenvectors(a, out):
    """out[0] = the eigenvalues, the smallest first, out[1:] = their vectors, of symmetric matrices' lower triangles."""
    n = a.shape[-1]
    matrices, found = a.reshape(-1, n), out.reshape(-1, n)
    for s in range(matrices.shape[0] // n):
        matrix, results = matrices[s * n :][:n].astype(np.float64), found[s * (n + 1) :][: n + 1]
        results[:] = np.nan
        if np.isfinite(matrix).all():
            w, v = np.linalg.eigh(matrix)
            results[0] = w
            results[1:] = v


@jit.kernel
def singular_vectors(a, out):
    """U, then the singular values, the largest first, then V, of (m, n) matrices with a = U diag(s) V.T."""
    m, n = a.shape[-2:]
    matrices, found = a.reshape(-1, n), out.reshape(-1, min(m, n))
    for s in range(matrices.shape[0] // m):
        matrix, results = matrices[s * m :][:m].astype(np.float64), found[s * (m + 1 + n) :][: m + 1 + n]
        results[:] = np.nan
        if np.isfinite(matrix).all():
            left, sizes, across = np.linalg.svd(matrix, False)  # full_matrices
            results[:m] = left
            results[m] = sizes
            results[m + 1 :] = across.T


@jit.kernel
def orthogonal_factors(a, out):
    """Q, then R, of (m, n) matrices with m >= n."""
    m, n = a.shape[-2:]
    matrices, found = a.reshape(-1, n), out.reshape(-1, n)
    for s in range(matrices.shape[0] // m):
        matrix, results = matrices[s * m :][:m].astype(np.float64), found[s * (m + n) :][: m + n]
        results[:] = np.nan
        if np.isfinite(matrix).all():
            q, r = np.linalg.qr(matrix)
            results[:m] = q
            results[m:] = r


@jit.kernel
def separate(x, w, out):
    """out[i, j] = x[i, j] / (w[j] - w[i]); 0 on the diagonal, and where x is 0."""
    n = w.shape[-1]
    values, given, found = w.reshape(-1, n), x.reshape(-1, n), out.reshape(-1, n)
    for row in range(given.shape[0]):
        w_row = values[row // n]
        i = row % n
        for j in range(n):
            if i == j or given[row, j] == 0:
                found[row, j] = 0
            elif w_row[j] == w_row[i]:
                raise ValueError("two eigenvalues or singular values are equal, and their vectors have no derivative")
            else:
                found[row, j] = given[row, j] / (w_row[j] - w_row[i])


class Separate(Operation):
    """x[i, j] / (w[j] - w[i]) for matrices x and vectors w; 0 on the diagonal, and where x is 0."""

    name = "separate"
    kernel = staticmethod(separate)

    def value(self, x: np.ndarray, w: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return _filled(separate, (x, w), x.shape, out)

    def jvp(self, i: int, tangent: Any, v: Any, x: Any, w: Any) -> Any:
        if i == 0:
            return Separate()(tangent, w)
        return -Separate()(v * (expand_dims(tangent, -2) - expand_dims(tangent, -1)), w)

    def vjp(self, i: int, adjoint: Any, v: Any, x: Any, w: Any) -> Any:
        if i == 0:
            return Separate()(adjoint, w)
        change = Separate()(v * adjoint, w)
        return sum(change, -1) - sum(change, -2)

    def advice(self, x: Any, w: Any) -> str:
        return f"In this derivative {EQUAL}"


class Decomposition(Operation):
    """Shared by operations whose results lie under each other: how many rows each has."""

    kernel: Any

    def rows(self, m: int, n: int) -> tuple[tuple[int, ...], int]:
        """Of each result for an (m, n) matrix, and how many columns they have."""
        raise TypeError(f"{type(self).__name__} does not say how many rows its results have")

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        rows, columns = self.rows(*a.shape[-2:])
        return _filled(self.kernel, (a,), (*a.shape[:-2], int(np.sum(rows)), columns), out)

    def results(self, together: Any, a: Any) -> list[Any]:
        """The results, one by one."""
        ends = np.cumsum((0, *self.rows(*shape_of(a)[-2:])[0])).tolist()
        return [together[..., ends[k] : ends[k + 1], :] for k in range(len(ends) - 1)]


class Eigh(Decomposition):
    """w, then the columns of V, with a = V diag(w) Vᵀ, of symmetric matrices a; of which the lower triangle is read.

    In the basis of V a change M = Vᵀ da V of a is seen directly: dw = diag(M), dV = V (M / (w_j - w_i)).
    """

    name = "eigh"
    kernel = staticmethod(eigenvectors)

    def rows(self, m: int, n: int) -> tuple[tuple[int, ...], int]:
        return (1, n), n

    def jvp(self, i: int, tangent: Any, together: Any, a: Any) -> Any:
        w, v = self.results(together, a)
        change = matmul(matrix_transpose(v), matmul(symmetric(tangent), v))
        turned = matmul(v, Separate()(change, w[..., 0, :]))
        return concatenate([expand_dims(diagonal(change, 0, -2, -1), -2), turned], -2)

    def vjp(self, i: int, adjoint: Any, together: Any, a: Any) -> Any:
        w, v = self.results(together, a)
        w_bar, v_bar = self.results(adjoint, a)
        across = matrix_transpose(v)
        middle = _on_diagonal(w_bar) + Separate()(matmul(across, v_bar), w[..., 0, :])
        return symmetric(matmul(v, matmul(middle, across)))

    def advice(self, a: Any) -> str:
        return f"Only square matrices have eigenvalues, and this one is {np.shape(a)[-2:]}"


class Svd(Decomposition):
    """U, then s, then V, with a = U diag(s) Vᵀ, of any matrices; k columns each, where k is the smaller of their sizes.

    With P = Uᵀ da V:  ds = diag(P), dU = U ((P s + s Pᵀ) / (s_j² - s_i²)) and what lies outside of U's columns, and so
    for V with s P + Pᵀ s.
    """

    name = "svd"
    kernel = staticmethod(singular_vectors)

    def rows(self, m: int, n: int) -> tuple[tuple[int, ...], int]:
        return (m, 1, n), min(m, n)

    def jvp(self, i: int, tangent: Any, together: Any, a: Any) -> Any:
        u, s, v = self.results(together, a)
        forth, back = matmul(tangent, v), matmul(matrix_transpose(tangent), u)
        p, squares = matmul(matrix_transpose(u), forth), (s * s)[..., 0, :]
        q, down = matrix_transpose(p), matrix_transpose(s)
        u_dot = matmul(u, Separate()(p * s + down * q, squares)) + _outside(u, forth, s)
        v_dot = matmul(v, Separate()(down * p + q * s, squares)) + _outside(v, back, s)
        return concatenate([u_dot, expand_dims(diagonal(p, 0, -2, -1), -2), v_dot], -2)

    def vjp(self, i: int, adjoint: Any, together: Any, a: Any) -> Any:
        u, s, v = self.results(together, a)
        u_bar, s_bar, v_bar = self.results(adjoint, a)
        squares, down = (s * s)[..., 0, :], matrix_transpose(s)
        of_u, of_v = (matmul(matrix_transpose(x), x_bar) for x, x_bar in ((u, u_bar), (v, v_bar)))
        of_u, of_v = (x - matrix_transpose(x) for x in (of_u, of_v))
        middle = Separate()(of_u, squares) * s + down * Separate()(of_v, squares) + _on_diagonal(s_bar)
        across = matmul(u, middle) + _outside(u, u_bar, s)
        return matmul(across, matrix_transpose(v)) + matmul(u, matrix_transpose(_outside(v, v_bar, s)))


class Qr(Decomposition):
    """Q, then R, with a = Q R, of matrices with at least as many rows as columns.

    With C = Qᵀ da R⁻¹ and X its lower triangle less the transpose of that:  dQ = Q X + (da R⁻¹ - Q C), dR = (C - X) R.
    """

    name = "qr"
    kernel = staticmethod(orthogonal_factors)

    def rows(self, m: int, n: int) -> tuple[tuple[int, ...], int]:
        return (m, n), n

    def jvp(self, i: int, tangent: Any, together: Any, a: Any) -> Any:
        q, r = self.results(together, a)
        change = _over(tangent, r)
        seen = matmul(matrix_transpose(q), change)
        below = _below(seen)
        turned = below - matrix_transpose(below)
        return concatenate([change + matmul(q, turned - seen), matmul(seen - turned, r)], -2)

    def vjp(self, i: int, adjoint: Any, together: Any, a: Any) -> Any:
        q, r = self.results(together, a)
        q_bar, r_bar = self.results(adjoint, a)
        met = matmul(r, matrix_transpose(r_bar)) - matmul(matrix_transpose(q_bar), q)
        below = _below(met)
        mirrored = below + matrix_transpose(below) + met * np.eye(shape_of(met)[-1], dtype=dtype_of(met))
        return _over(q_bar + matmul(q, mirrored), matrix_transpose(r))


class Pinv(Operation):
    """The matrix P that is nearest to an inverse: V diag(1 / s) Uᵀ without singular values s of at most `rcond` times
    the largest.

    Its derivative asks for no single vectors:  dP = -P da P + P Pᵀ daᵀ (1 - a P) + (1 - P a) daᵀ Pᵀ P.
    """

    name = "pinv"

    def __init__(self, rcond: float):
        self.rcond = rcond

    def found(self, a: Any) -> Any:
        u, s, v = svd(a, full_matrices=False)
        counts = rules.greater(s, self.rcond * max(s, -1, keepdims=True))
        inverse = rules.where(counts, 1 / rules.where(counts, s, 1), 0)
        return matmul(matrix_transpose(v) * expand_dims(inverse, -2), matrix_transpose(u))

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(self.found(a), out)

    def jvp(self, i: int, tangent: Any, p: Any, a: Any) -> Any:
        across, over = matrix_transpose(tangent), matrix_transpose(p)
        left = matmul(matmul(p, over), across - matmul(matmul(across, a), p))
        right = matmul(across - matmul(p, matmul(a, across)), matmul(over, p))
        return left + right - matmul(p, matmul(tangent, p))

    def vjp(self, i: int, adjoint: Any, p: Any, a: Any) -> Any:
        across, over = matrix_transpose(adjoint), matrix_transpose(p)
        left = matmul(across - matmul(a, matmul(p, across)), matmul(p, over))
        right = matmul(matmul(over, p), across - matmul(matmul(across, p), a))
        return left + right - matmul(over, matmul(adjoint, over))

    def lower(self, to: Any, node: Any, a: Any) -> Any:
        return to.same_as(node, self.found(*node.inputs))


def _matrices(a: Any, who: str) -> Any:
    a = floats(a)
    if len(shape_of(a)) < 2 or 0 in shape_of(a)[-2:]:
        raise ValueError(f"{who} takes matrices in the last two axes, got shape {shape_of(a)}")
    return a


def square(a: Any, who: str) -> Any:
    """`a`, if it is made of square matrices."""
    shape = shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"{who} takes square matrices in the last two axes, got shape {shape}")
    return a


def _filled(kernel: Any, inputs: tuple[Any, ...], shape: tuple[int, ...], out: np.ndarray | None) -> np.ndarray:
    """What a kernel computes, in `out` or a new array; kernels take arrays in one piece."""
    dtype = np.result_type(*inputs)
    if dtype.kind != "f":
        raise TypeError(f"decompositions are found for float32 and float64, got {dtype}")
    target = out if out is not None and out.flags.c_contiguous else np.empty(shape, dtype)
    kernel(*(np.ascontiguousarray(x, dtype) for x in inputs), target)
    return target if target is out else stored(target, out)


def symmetric(x: Any) -> Any:
    """The symmetric part of x."""
    return (x + matrix_transpose(x)) / 2


def _on_diagonal(row: Any) -> Any:
    """A row (..., 1, n) on the diagonal of a matrix."""
    n = shape_of(row)[-1]
    return row * np.eye(n, dtype=dtype_of(row))


def _below(x: Any) -> Any:
    """What lies below the diagonal, and else 0."""
    return x * np.tri(shape_of(x)[-1], k=-1, dtype=dtype_of(x))


def _outside(u: Any, x: Any, s: Any) -> Any:
    """What of x lies outside of the columns of u, divided by s. A square u leaves nothing outside.

    What is 0 stays 0, also over a singular value of 0: vectors that are not asked about need no derivative.
    """
    m, k = shape_of(u)[-2:]
    if m == k:
        return x * 0
    outside = x - matmul(u, matmul(matrix_transpose(u), x))
    return outside / rules.where(rules.equal(outside, 0), 1, s)


def _over(x: Any, r: Any) -> Any:
    """x r⁻¹."""
    return matrix_transpose(Solve()(matrix_transpose(r), matrix_transpose(x)))


# What callers call -----------------------------------------------------------------------------------------------


# Several results have NumPy's names.
EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
SVDResult = namedtuple("SVDResult", "U S Vh")
QRResult = namedtuple("QRResult", "Q R")


def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Eigenvalues of symmetric matrices, the smallest first, and their vectors as columns. The derivative takes a as
    symmetric, and gives it so."""
    a = square(_matrices(a, "eigh"), "eigh")
    operation = Eigh()
    w, v = operation.results(operation(a if UPLO.upper() == "L" else matrix_transpose(a)), a)
    return EighResult(w[..., 0, :], v)


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of symmetric matrices, the smallest first."""
    return eigh(a, UPLO).eigenvalues


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """U, the singular values, the largest first, and Vᵀ: a = U diag(S) Vᵀ. full_matrices=False for matrices that are
    not square: the further columns of a full U or V are any, and have no derivative."""
    a = _matrices(a, "svd")
    m, n = shape_of(a)[-2:]
    if compute_uv and full_matrices and m != n:
        raise TypeError(
            f"svd of a matrix ({m}, {n}) of minigrad's takes full_matrices=False: which columns fill up a full matrix "
            "is left open, and they have no derivative"
        )
    operation = Svd()
    u, s, v = operation.results(operation(a), a)
    return SVDResult(u, s[..., 0, :], matrix_transpose(v)) if compute_uv else s[..., 0, :]


def svdvals(x: Any, /) -> Any:
    """The singular values, the largest first."""
    return svd(x, compute_uv=False)


def qr(a: Any, mode: str = "reduced") -> Any:
    """Q with orthonormal columns and the upper triangular R: a = Q R. mode: "reduced", or "r" for R alone."""
    a = _matrices(a, "qr")
    m, n = shape_of(a)[-2:]
    if mode not in ("reduced", "r") and not (mode == "complete" and m <= n):
        raise TypeError(f'qr of minigrad\'s takes mode="reduced" or "r", got {mode!r} for a matrix ({m}, {n})')
    operation = Qr()
    left = a if m >= n else a[..., :m]
    q, r = operation.results(operation(left), left)
    if m < n:  # what stands beside the square part is only turned
        r = concatenate([r, matmul(matrix_transpose(q), a[..., m:])], -1)
    return r if mode == "r" else QRResult(q, r)


def pinv(a: Any, rcond: float | None = None, hermitian: bool = False) -> Any:
    """The pseudoinverse: the inverse where there is one; else solutions with it are those of least squares. Singular
    values up to rcond times the largest (1e-15 if not said) count as 0. The derivative holds while as many do."""
    return Pinv(1e-15 if rcond is None else rcond)(_matrices(a, "pinv"))
