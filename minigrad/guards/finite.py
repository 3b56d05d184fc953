"""A step that would leave a nan or an infinity in the weights is taken back, and a sentence says which.

A loss may be finite and its gradient not: sqrt(x)**2 is 0 at 0, and its derivative, by the chain rule, infinity times
0. One such step makes weights of nan, and no later one brings them back. So a step looks at what it has changed. A sum
of numbers is finite only if each of them is, so that looking costs as much as reading them once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np


class StepError(FloatingPointError):
    """A step that was taken back: parameters and optimizer are as before it. batch: how many were trained before."""

    batch = 0


class Before:
    """Arrays that a step changes, and the numbers that were in them before it."""

    def __init__(self, arrays: Iterable[np.ndarray]):
        self.arrays = list(arrays)
        self._numbers = [np.empty_like(array) for array in self.arrays]
        self._sums = [np.zeros((), array.dtype) for array in self.arrays]
        self._watched: list[Callable[[bool], int]] | None = None

    def watch(self) -> None:
        """Look after the arrays in machine code from now on: they stay where they are in memory."""
        from minigrad.native.watched import look_after

        pairs = [(a, b) for a, b in zip(self.arrays, self._numbers, strict=True) if a.size]
        if not all(a.dtype in (np.float32, np.float64) and a.flags.carray for a, _ in pairs):
            return
        self._watched = []
        for size in sorted({a.itemsize for a, _ in pairs}):
            table = [(a.ctypes.data, b.ctypes.data, a.size) for a, b in pairs if a.itemsize == size]
            exponent = np.array(np.inf, f"f{size}").view(f"u{size}")[()]
            self._watched.append(partial(look_after, np.array(table, np.int64), exponent))
        if len(self._watched) == 1:
            self.keep = partial(self._watched[0], True)  # type: ignore[assignment, method-assign]

    def keep(self) -> None:
        """Remember the numbers of now."""
        if self._watched is not None:
            for look in self._watched:
                look(True)
            return
        for numbers, array in zip(self._numbers, self.arrays, strict=True):
            np.copyto(numbers, array)

    def bring_back(self) -> None:
        """Put the remembered numbers into the arrays again."""
        for numbers, array in zip(self._numbers, self.arrays, strict=True):
            np.copyto(array, numbers)

    def spoilt(self) -> tuple[int, tuple[int, ...]] | None:
        """Return the number of the first array with a nan or an infinity that was not there before, and the entry."""
        for look in self._watched or ():
            if look(False) >= 0:
                break
        else:
            if self._watched is not None:
                return None
        with np.errstate(all="ignore"):
            for k, (numbers, array, total) in enumerate(zip(self._numbers, self.arrays, self._sums, strict=True)):
                np.add.reduce(array, axis=None, out=total)
                if not math.isfinite(total):
                    entry = first_of(~np.isfinite(array) & np.isfinite(numbers))
                    if entry is not None:
                        return k, entry
        return None


def first_of(chosen: np.ndarray) -> tuple[int, ...] | None:
    """Return the index of the first entry that is True."""
    return tuple(int(i) for i in np.unravel_index(np.argmax(chosen), chosen.shape)) if chosen.any() else None


def first_bad(array: np.ndarray) -> tuple[int, ...] | None:
    """Return the index of the first entry that is nan or infinite."""
    return first_of(~np.isfinite(array)) if array.dtype.kind == "f" else None


def at(array: np.ndarray, entry: tuple[int, ...]) -> str:
    """Format the number at an entry, and the entry: "nan at entry [0, 2]"."""
    return f"{float(array[entry])}" + (f" at entry {list(entry)}" if entry else "")


def refused_step(who: str, name: str, number: str, gradients: Sequence[tuple[str, np.ndarray]], how: str) -> StepError:
    """Make the error for a step by which `name` would become `number`. gradients: with the names of their parameters.

    how: the means to find the operation that it came from.
    """
    for of, gradient in gradients:
        if (entry := first_bad(gradient)) is None:
            continue
        return StepError(
            f"{who}: the gradient of {of} is {at(gradient, entry)}, and {name} would become {number}. Parameters and "
            f"optimizer are as before this step. {how} names the operation that it came from"
        )
    return StepError(
        f"{who}: the gradients are finite, but by this step {name} would become {number}. Parameters and optimizer are "
        "as before it. Try a smaller learning rate, or clip the gradients"
    )


def place_in_data(rows: Iterable[int], **arrays: np.ndarray) -> str | None:
    """Describe the first nan or infinity among these rows of the data by array, row and column; None without one."""
    rows = np.asarray(rows)
    for name, array in arrays.items():
        entry = first_bad(np.asarray(array)[rows])
        if entry is not None:
            row, rest = int(rows[entry[0]]), entry[1:]
            column = f", column {rest[0]}" if len(rest) == 1 else f", entry {list(rest)}" if rest else ""
            return f"{name} holds {float(np.asarray(array)[(row, *rest)])} at row {row}{column}"
    return None
