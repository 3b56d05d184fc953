"""Sizes and other settings, checked when they are given: a wrong one is named at once, not by a nan later."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.errors import kind_of
from minigrad.core.operation import numbers


def size(who: str, name: str, value: object, least: int = 1) -> int:
    """Return `value` as an int of at least `least`; a bool and a float are refused, also 2.0."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError(f"{who}: {name} is an int of at least {least}, got {_shown(value)}")
    if value < least:
        raise ValueError(f"{who}: {name} is an int of at least {least}, got {value}")
    return int(value)


def number(
    who: str, name: str, value: Any, low: float = -math.inf, high: float = math.inf, *, above: bool = False,
    infinite: bool = False,
) -> Any:  # fmt: skip
    """Return `value`, a number from `low` to below `high`; above: more than `low`; infinite: an infinity is one too."""
    if type(value) is float and low < value < high:  # the usual case, asked in each step
        return value
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    fits = is_number and (low < value if above else low <= value) and (value < high or (infinite and high == math.inf))
    if fits and (infinite or math.isfinite(value)):  # of nan no comparison is true
        return value.item() if isinstance(value, np.generic) else value  # NumPy's dtype must not spread from it
    least = f" {'above' if above else 'from'} {low:g}" if low > -math.inf else ""
    most = (f" to below {high:g}" if least else f" below {high:g}") if high < math.inf else ""
    words = f"{who}: {name} is a {'' if infinite else 'finite '}number{least}{most}, got {_shown(value)}"
    raise ValueError(words) if is_number else TypeError(words)


def as_rows(who: str, name: str, rows: ArrayLike) -> np.ndarray:
    """Return data as an array of numbers, one entry along the first axis for each row; lists are taken too."""
    array = rows if isinstance(rows, np.ndarray) else numbers(rows, f"{who}: {name}", np.asarray)
    if not array.ndim:
        raise TypeError(f"{who}: {name} is an array of numbers with a row for each example, got {kind_of(rows)}")
    return array


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, bool | int | float | str | np.generic | None) else kind_of(value)
