"""Matrix multiplication, and what is made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.operation import Operation
from minigrad.ops.shape import expand_dims, shape_of, squeeze, swapaxes


class Matmul(Operation):
    """c = a @ b for matrices (..., m, k) and (..., k, n); leading axes broadcast.

    With a_bar for the adjoint of a:  a_bar = c_bar @ b.T,  b_bar = a.T @ c_bar.
    """

    name = "matmul"
    symbol = "@"

    def value(self, a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.matmul(a, b, out=out)

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any, b: Any) -> Any:
        return adjoint @ swapaxes(b, -1, -2) if i == 0 else swapaxes(a, -1, -2) @ adjoint

    def text(self, a: str, b: str) -> str:
        return f"{a} @ {b}"

    def advice(self, a: Any, b: Any) -> str:
        m, n = np.shape(a), np.shape(b)
        if len(m) < 2 or len(n) < 2 or m[-1] == n[-2]:
            return ""
        hint = f"The inner sizes must be equal, here {m[-1]} and {n[-2]}"
        return hint + ("; the second input transposed (.T) would fit" if m[-1] == n[-1] else "")


def matmul(a: Any, b: Any) -> Any:
    """a @ b as NumPy has it: vectors count as a row on the left and as a column on the right."""
    rows, columns = len(shape_of(a)), len(shape_of(b))
    if rows == 0 or columns == 0:
        raise ValueError(f"matmul needs vectors or matrices, got shapes {shape_of(a)} and {shape_of(b)}; use * instead")
    product = Matmul()(a if rows > 1 else expand_dims(a, 0), b if columns > 1 else expand_dims(b, 1))
    if rows == 1:
        product = squeeze(product, -2)
    return squeeze(product, -1) if columns == 1 else product
