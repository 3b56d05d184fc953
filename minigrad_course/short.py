"""Numbers in few digits: 6 for a single number, 3 inside arrays; larger arrays by their range."""

from __future__ import annotations

import re

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.graph import Constant, Node

ENTRIES = 3  # arrays up to this size are written out
DIGITS, DIGITS_IN_ARRAYS = 6, 3


def is_literal(node: Node) -> bool:
    """Tell whether a node is a number of the program, such as the 2 in 2 * x, which needs no name and no row."""
    return isinstance(node, Constant) and node.shape == () and not node.name


def number(x: float | np.generic | np.ndarray, digits: int = DIGITS) -> str:
    """Format a number with at most `digits` significant digits; integers and truth values in full."""
    if isinstance(x, bool | int | np.bool_ | np.integer):
        return str(x)
    return re.sub(r"e([+-])0*(\d)", lambda m: "e" + m[1].strip("+") + m[2], f"{float(x):.{digits}g}")


def value(x: ArrayLike) -> str:
    """Format a number, the entries of a small array, or the range of a large one: `-0.31 … 0.98`.

    Non-finite entries are counted, because a picture often serves to find where they begin.
    """
    array = np.asarray(x)
    if array.ndim == 0:
        return number(array.item())
    if array.size == 0:
        return "empty"
    if array.size <= ENTRIES:
        return _entries(array.tolist())
    if array.dtype.kind == "b":
        return f"{np.count_nonzero(array)} of {array.size} true"
    finite = np.isfinite(array)
    if finite.all():
        return _range(array)
    counts = {"nan": np.isnan(array), "inf": np.isinf(array)}
    odd = [f"{np.count_nonzero(mask)} {word}" for word, mask in counts.items() if mask.any()]
    return ", ".join(odd + ([_range(array[finite])] if finite.any() else []))


def _range(array: np.ndarray) -> str:
    low, high = (number(end.item(), DIGITS_IN_ARRAYS) for end in (array.min(), array.max()))
    return f"{low} … {high}" if array.min() != array.max() else f"all {low}"


def _entries(nested: list | float) -> str:
    if isinstance(nested, list):
        return f"[{', '.join(_entries(x) for x in nested)}]"
    return number(nested, DIGITS_IN_ARRAYS)


def name(label: object, longest: int = 24) -> str:
    """Put a name on one line: unprintable characters become spaces, and a long name is cut and ends in `…`."""
    text = "".join(c if c.isprintable() else " " for c in str(label)).strip()
    return text if len(text) <= longest else text[: longest - 1] + "…"
