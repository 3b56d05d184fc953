"""Systems of equations as an operation: the x with a x = b, in all directions without an inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.like_numpy.arrange import matrix_transpose
from minigrad.operation import Operation, stored
from minigrad.ops.products import matmul


class Solve(Operation):
    """x with a x = b, for stacks of square matrices a (..., n, n) and of columns b (..., n, k)."""

    name = "solve"

    def value(self, a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(np.linalg.solve(a, b), out)

    def jvp(self, i: int, tangent: Any, x: Any, a: Any, b: Any) -> Any:
        return Solve()(a, -matmul(tangent, x) if i == 0 else tangent)

    def vjp(self, i: int, adjoint: Any, x: Any, a: Any, b: Any) -> Any:
        of_b = Solve()(matrix_transpose(a), adjoint)
        return -matmul(of_b, matrix_transpose(x)) if i == 0 else of_b

    def advice(self, a: Any, b: Any) -> str:
        if np.shape(a)[-1] != np.shape(a)[-2]:
            return f"Only square matrices have one solution, and this one is {np.shape(a)[-2:]}"
        return "" if np.shape(a)[-1] != np.shape(b)[-2] else SINGULAR

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
                best = k
                for i in range(k + 1, n):
                    if abs(m[i, k]) > abs(m[best, k]):
                        best = i
                if m[best, k] == 0:
                    raise ValueError("a matrix is singular: it has no inverse, and its equations no single solution")
                for j in range(n):
                    m[k, j], m[best, j] = m[best, j], m[k, j]
                for j in range(columns):
                    x[k, j], x[best, j] = x[best, j], x[k, j]
                for i in range(k + 1, n):
                    factor = m[i, k] / m[k, k]
                    for j in range(k, n):
                        m[i, j] -= factor * m[k, j]
                    for j in range(columns):
                        x[i, j] -= factor * x[k, j]
            for k in range(n - 1, -1, -1):
                for j in range(columns):
                    for i in range(k + 1, n):
                        x[k, j] -= m[k, i] * x[i, j]
                    x[k, j] /= m[k, k]


SINGULAR = "A matrix is singular: it has no inverse, and its equations no single solution"
