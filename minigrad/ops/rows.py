"""Rows of a table, picked by numbers that are part of the graph: `table[x]`, where x is a node of integers.

An `Index` has its key built in. Here the key is an input, as the batch of words is that looks up its rows in a table of
word vectors: when the graph runs again with another batch, other rows are picked, and learn.
"""

from __future__ import annotations

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.native import jit
from minigrad.ops.shape import array_like, dtype_of, normal_axis, shape_of, transpose
from minigrad.ops.workspace import Working


@jit.kernel
def take_rows(a: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    """out[k] = a[places[k]] in plain loops; a place below 0 counts from the end."""
    wanted = places.reshape(-1)
    rows = a.shape[0]
    width = a.size // max(rows, 1)
    table, picked = a.reshape(rows, width), out.reshape(wanted.size, width)
    for k in range(wanted.size):
        row = int(wanted[k])
        if row < -rows or row >= rows:
            raise IndexError("a row was asked for that the table does not have")
        for j in range(width):
            picked[k, j] = table[row + rows if row < 0 else row, j]


@jit.kernel
def add_rows(adjoint: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    """out[places[k]] += adjoint[k] in plain loops, from 0: a row that was picked twice gets both."""
    wanted = places.reshape(-1)
    rows = out.shape[0]
    width = out.size // max(rows, 1)
    table, picked = out.reshape(rows, width), adjoint.reshape(wanted.size, width)
    for row in range(rows):
        for j in range(width):
            table[row, j] = 0
    for k in range(wanted.size):
        row = int(wanted[k])
        if row < -rows or row >= rows:
            raise IndexError("a row was asked for that the table does not have")
        for j in range(width):
            table[row + rows if row < 0 else row, j] += picked[k, j]


class TakeRows(Working):
    """a[places] along the first axis: places are integers of any shape, in the places of which the rows come."""

    name = "take_rows"
    symbol = "[ ]"
    kernel = staticmethod(take_rows)

    def value(self, a: np.ndarray, places: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        _demand_rows(len(a), places)
        if out is None:
            return np.asarray(a[places])
        # NumPy fills `out` without a detour through a new array only in the modes that check no index.
        return np.take(self.workspace.solid("a", a), places, axis=0, out=out, mode="wrap")

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array, places: Array) -> Array | None:
        return AddRows(shape_of(a)[0])(adjoint, places) if i == 0 else None

    def limits(self, i: int, a: Array, places: Array) -> tuple[int, int] | None:
        return _all_rows(shape_of(a)[0]) if i == 1 else None

    def outside(self, i: int, number: int, row: int, a: Array, places: Array) -> Exception:
        return _no_such_row(shape_of(a)[0], number, f" (asked for in row {row} of the indices)")

    def text(self, a: str, places: str) -> str:
        return f"{a}[{places}]"


class AddRows(Working):
    """The adjoint of `TakeRows`: a table of so many rows, in which those that come at one place are added up."""

    name = "add_rows"
    kernel = staticmethod(add_rows)

    def __init__(self, rows: int):
        self.rows = rows

    def value(self, a: np.ndarray, places: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        a, places = np.asarray(a), np.asarray(places)
        _demand_rows(self.rows, places)
        out = self.blank(a, places) if out is None else out
        solid = self.workspace.solid
        add_rows(solid("a", a), solid("places", places, np.dtype(np.int64)), out)
        return out

    def blank(self, a: np.ndarray, places: np.ndarray) -> np.ndarray:
        _demand_rows(self.rows, places)
        return np.empty((self.rows, *a.shape[places.ndim :]), a.dtype)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array, places: Array) -> Array | None:
        return TakeRows()(adjoint, places) if i == 0 else None

    def limits(self, i: int, a: Array, places: Array) -> tuple[int, int] | None:
        return _all_rows(self.rows) if i == 1 else None

    def outside(self, i: int, number: int, row: int, a: Array, places: Array) -> Exception:
        return _no_such_row(self.rows, number, f" (asked for in row {row} of the indices)")

    def text(self, a: str, places: str) -> str:
        return f"zeros({self.rows} rows).add_at[{places}]({a})"


def take(a: ArrayLike, indices: ArrayLike, axis: int = 0) -> Array:
    """The rows of `a` with the numbers `indices`, as a[indices]; along another axis, the columns or what lies there.

    indices: integers of any shape, below 0 from the end. As a node, such as a batch of `fit`, they pick anew in each
    run. Raises IndexError for a number that `a` does not have, TypeError for indices that are no integers.
    """
    a, indices = array_like(a), array_like(indices)
    if (kind := dtype_of(indices)).kind not in "iu":
        raise TypeError(
            f"take picks by integers, got {kind} of shape {shape_of(indices)}. mg.Constant(np.array([0, 2])) holds "
            "integers, and mg.cast(node, np.int64) makes them"
        )
    size, n = len(shape_of(a)), len(shape_of(indices))
    k = normal_axis(axis, size)
    picked = TakeRows()(transpose(a, (k, *(j for j in range(size) if j != k))), indices)
    return transpose(picked, (*range(n, n + k), *range(n), *range(n + k, n + size - 1)))


def _all_rows(rows: int) -> tuple[int, int]:
    return -rows, rows - 1


def _demand_rows(rows: int, places: np.ndarray) -> None:
    """Say which number is no row of a table of `rows` rows."""
    if np.size(places) and not (-rows <= np.min(places) and np.max(places) < rows):
        wrong = np.argwhere((places < -rows) | (places >= rows))[0]
        row = np.asarray(places)[tuple(wrong)]
        raise _no_such_row(rows, row, f" (entry {wrong.tolist()} of the indices)" if wrong.size else "")


def _no_such_row(rows: int, row: int, where: str) -> IndexError:
    known = f"They are 0 to {rows - 1}, or {-rows} to -1 from the end" if rows else "It is empty"
    return IndexError(f"There is no row {row} in a table of {rows} rows{where}. {known}")
