"""Keys of indexing, a[2, ::-1, None, ...]; and sizes, which are whole numbers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def is_basic(key: object) -> bool:
    """Tell whether `key` holds integers, slices, None and ... alone, so that a[key] is a view, and repeats nothing."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(
        part is None or part is Ellipsis or (isinstance(part, int | np.integer | slice) and not isinstance(part, bool))
        for part in parts
    )


def key_text(key: Any) -> str:
    """A key as it is written; an array as its shape."""

    def part(k: object) -> str:
        if isinstance(k, slice):
            return ":".join("" if x is None else str(x) for x in ((k.start, k.stop, k.step)[: 3 if k.step else 2]))
        if k is Ellipsis:
            return "..."
        return f"array{k.shape}" if isinstance(k, np.ndarray) else str(k)

    return ", ".join(part(k) for k in key) if isinstance(key, tuple) else part(key)


def is_first_or_last(axis: object) -> bool:
    """Tell whether an axis is 0 or -1, which NumPy also accepts for a single number."""
    return isinstance(axis, int | np.integer) and axis in (0, -1)


def whole(number: Any, what: str, least: int | None = None) -> int:
    """A size or a count that is a whole number, and no smaller than `least`."""
    try:
        size = operator.index(number)
    except TypeError:
        raise TypeError(f"{what} is a whole number, got {number!r}. int(x) and x // y make one") from None
    if least is not None and size < least:
        raise ValueError(f"{what} is at least {least}, got {number!r}")
    return size


def wholes(numbers: Any, what: str, least: int | None = None) -> tuple[int, ...]:
    """Several of them, or a single one."""
    return tuple(whole(x, what, least) for x in (numbers if np.ndim(numbers) else (numbers,)))
