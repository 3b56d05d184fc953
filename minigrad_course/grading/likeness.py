"""Describes what a wrong number or array looks like: the right one transposed, doubled, shifted, of another type.

A check that fails says what it expected and what it got. Often the two are relatives, and the relation is the mistake:
a forgotten transpose, a mean in place of a sum. Each sentence here says what was *seen*, never what must have
happened, so it is true whatever the mistake was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np


def of_numbers(got: np.ndarray, expected: np.ndarray) -> str:
    """Describe in a few words how `got` is related to `expected`; empty if no relation shows."""
    with np.errstate(all="ignore"):
        return next(_relations(got, expected), "")


def of_entries(got: Mapping, expected: Mapping, key: object, alone: str) -> str:
    """Do the same for a dict whose entry `key` is wrong; `alone` describes that entry by itself."""
    with np.errstate(all="ignore"):
        pairs = {other: (_number(got.get(other)), _number(value)) for other, value in expected.items()}
        have, own = pairs[key]
        for other, (_, want) in pairs.items():
            if other == key or have is None or want is None or not want.any() or have.shape != want.shape:
                continue
            if _same(have, want) and not (own is not None and _same(want, own)):
                return f"that is what {other} should be"
        single = len(pairs) > 1 and all(
            h is not None and w is not None and h.shape == w.shape == () for h, w in pairs.values()
        )
        if single:
            alone = next(_proportional(*(np.array([pair[k] for pair in pairs.values()]) for k in (0, 1))), "") or alone
        if alone or len(pairs) < 2:
            return alone
        wrong = [
            str(o)
            for o, (h, w) in pairs.items()
            if o != key and (h is None or w is None or h.shape != w.shape or not _same(h, w))
        ]
        if not wrong:
            return "all others are right"
        return "all are wrong" if len(wrong) == len(pairs) - 1 > 2 else f"wrong as well: {', '.join(wrong)}"[:100]


def of_type(got: object) -> str:
    """Describe a value that is no number."""
    name = type(got).__name__
    if got is None:
        return "is a `return` missing? `print` shows a value, but hands nothing back"
    if isinstance(got, complex) or getattr(getattr(got, "dtype", None), "kind", "") == "c":
        return "a complex number: its parts are .real and .imag"
    if isinstance(got, str):
        return "this is text: numbers stand without quotation marks"
    if hasattr(got, "tangent") and hasattr(got, "value"):
        return "a dual number: one of its parts, .value or .tangent, is a number"
    if hasattr(got, "grad") and hasattr(got, "value"):
        return "a node: the numbers are in its .value or its .grad"
    if isinstance(got, Mapping):
        return f"a dict, with the keys {', '.join(map(str, got))}"[:120]
    if name in ("generator", "map", "zip", "range", "filter", "dict_values", "dict_keys", "set", "reversed"):
        return f"a {name}: put list(...) around it"
    if callable(got):
        return "a function that was not called: are the brackets () missing?"
    if isinstance(got, (tuple, list)) and any(entry is None for entry in got):
        return "it holds None: does a function in it have no `return`?"
    if isinstance(got, (tuple, list)):
        strange = [entry for entry in got if not isinstance(entry, Real)]
        return f"in it: {type(strange[0]).__name__}" if strange else ""
    return ""


def of_sum(got: float, terms: Sequence[float]) -> str:
    """Describe how `got` is related to the sum of some terms: is one missing, has one the wrong sign?"""
    right = sum(terms)
    if _near(got, -right):
        return "the sign is the opposite"
    if len(terms) > 1 and any(_near(got, right - term) for term in terms if term):
        return "one share is missing"
    if len(terms) > 2 and any(_near(got, term) for term in terms):
        return "that is one share alone"
    if any(_near(got, right - 2 * term) for term in terms if term):
        return "one share has the wrong sign"
    return ""


RATIOS = {
    2.0: "twice",
    0.5: "half of",
    3.0: "three times",
    1 / 3: "a third of",
    4.0: "four times",
    0.25: "a quarter of",
}


def _near(a: float, b: float) -> bool:
    return abs(a - b) < 1e-9


def _relations(got: np.ndarray, want: np.ndarray) -> Iterator[str]:
    """Yield all relations that show, the most telling first."""
    if got.shape != want.shape:
        yield from _shapes(got, want)
        return
    if np.isnan(got).any() and not np.isnan(want).any():
        yield "nan means: there is no such number. It comes from 0/0, inf - inf, or a root or log of a negative number"
        return
    if np.isinf(got).any() and not np.isinf(want).any():
        where = "an exp of a large number" if (got > 1e308).any() else "a log of 0"
        yield f"inf means: too large for a float. It comes from a division by 0 or {where}, if no line puts it there"
        return
    for digits in range(2, 7):
        if np.all(np.abs(got - np.round(want, digits)) < 1e-12):
            yield f"rounded to {digits} digits after the point"
            return
    if np.all(np.abs(got - want) <= 1e-4 * np.maximum(1e-3, np.abs(want))):
        yield "nearly right, but not exactly: is it computed approximately, by a small step or in float32?"
        return
    related = list(_proportional(got, want))
    if related or not got.any():
        yield from related
        return
    many, whole = got.size > 1, bool(np.all(want == np.round(want)))
    if np.isfinite(got).all() and not whole:
        yield from _another_function(got, want)
    if many:
        yield from _rearranged(got, want)
        difference = (got - want).ravel()
        if _same(difference, np.full(difference.shape, difference[0])):
            more = "too large" if difference[0] > 0 else "too small"
            yield f"every entry is {abs(difference[0]):.6g} {more}"
        cut = ~_close(got, want)
        if cut.sum() > 1 and (_same(got, np.trunc(want)) or _same(got, np.round(want))):
            yield "all digits after the point are lost: is it an array of integers?"
    elif (
        not whole
        and abs(float(got.ravel()[0])) >= 10  # of smaller numbers many are whole by chance
        and float(got.ravel()[0]) == np.trunc(float(want.ravel()[0]))
    ):
        yield "the digits after the point are lost"
    if many:
        wrong = ~_close(got, want)
        if wrong.sum() == 1:
            yield "the other entry is right" if wrong.size == 2 else "all other entries are right"
        elif got.ndim == 2 and wrong.any(axis=1).sum() == 1 and len(got) > 2:
            yield "all the other rows are right"
        elif got.ndim == 2 and wrong.any(axis=0).sum() == 1 and got.shape[1] > 2:
            yield "all the other columns are right"
        elif wrong.sum() * 2 < wrong.size:
            yield f"{wrong.size - wrong.sum()} of {wrong.size} entries are right"


def _proportional(got: np.ndarray, want: np.ndarray) -> Iterator[str]:
    """Yield one common factor of all entries."""
    many = got.size > 1
    if not got.any():
        if want.any() and got.size > 2:
            yield "all are 0"
    elif want.any() and _same(got, -want):
        yield "the sign of every entry is the opposite" if many else "the sign is the opposite"
    else:
        nonzero = want != 0
        if not nonzero.any() or not _same(got[~nonzero], want[~nonzero]):
            return
        ratios = (got[nonzero] / want[nonzero]).ravel()
        factor = ratios[0]
        if not np.all(np.abs(ratios - factor) <= 1e-6 * abs(factor)):
            return
        words = next((words for number, words in RATIOS.items() if abs(factor - number) < 1e-6 * number), "")
        if not words and len(ratios) > 1 and abs(factor - 1) > 1e-6 and factor != 0:
            words = f"{factor:.6g} times"
        if words and (many or not np.all(want == np.round(want))):
            yield f"{'every entry is' if many else 'that is'} {words} what is expected"


def _another_function(got: np.ndarray, want: np.ndarray) -> Iterator[str]:
    """Yield signs, a reciprocal, a square or a root."""
    what = "what is expected" if got.size == 1 else "each expected entry"
    if got.size > 1 and _same(np.abs(got), np.abs(want)):
        yield "the sizes are right, but not all signs"
    elif _same(got * want, np.ones(want.shape)):
        yield f"that is 1 divided by {what}"
    elif _same(got, want * want):
        yield f"that is the square of {what}"
    elif _same(got * got, want):
        yield f"that is the square root of {what}"


def _shapes(got: np.ndarray, want: np.ndarray) -> Iterator[str]:
    """Relate arrays of different shapes."""
    if got.size == want.size:
        if got.ndim == 2 and want.ndim == 2 and got.T.shape == want.shape and _same(got.T, want):
            yield "it is the transpose of what is expected"
        elif _same(got.ravel(), want.ravel()):
            yield "the numbers are right, only the shape is not"
        elif _same(np.sort(got.ravel()), np.sort(want.ravel())):
            yield "the right numbers, in another order and shape"
        return
    if got.ndim == 0 and want.size:
        entries = want.ravel()
        for value, name in ((want.sum(), "their sum"), (want.mean(), "their mean"), (entries[0], "the first of them"),
                            (entries[-1], "the last of them")):  # fmt: skip
            if _same(got, np.asarray(value)):
                yield f"the number is {name}"
                return
        return
    if got.ndim == want.ndim + 1 and want.shape == got.shape[1:]:
        if _same(got.sum(axis=0), want):
            yield "its sum over the first axis would be right"
        elif len(got) and _same(got[0], want):
            yield "its first entry is right"
        return
    if got.ndim == want.ndim - 1 and got.shape == want.shape[1:] and len(want):
        for row, name in ((want[0], "first"), (want[-1], "last"), (want.sum(axis=0), "sum of all")):
            if _same(got, row):
                yield f"it is the {name} {'rows' if name.startswith('sum') else 'row'} of it"
                return
    if got.ndim == want.ndim and got.ndim:
        axis = next(k for k in range(got.ndim) if got.shape[k] != want.shape[k])
        gap = got.shape[axis] - want.shape[axis]
        others = all(got.shape[k] == want.shape[k] for k in range(got.ndim) if k != axis)
        if others and got.ndim <= 2:
            thing = ("entry", "entries") if got.ndim == 1 else ("row", "rows") if axis == 0 else ("column", "columns")
            yield f"{abs(gap)} {thing[abs(gap) != 1]} too {'many' if gap > 0 else 'few'}"


def _rearranged(got: np.ndarray, want: np.ndarray) -> Iterator[str]:
    """Relate arrays of one shape that hold the same numbers in other places."""
    if got.ndim == 2 and got.shape[0] == got.shape[1] and _same(got.T, want):
        yield "it is the transpose of what is expected"
        return
    if got.ndim == 2 and _same(got[::-1, ::-1], want) and min(got.shape) > 1:
        yield "it is rotated by half a circle"
        return
    for axis in range(got.ndim):
        along = "" if got.ndim == 1 else f" along axis {axis}"
        if got.shape[axis] > 1 and _same(np.flip(got, axis), want):
            two = "the two" if got.ndim == 1 else ("the two rows", "the two columns")[min(axis, 1)]
            yield f"the right numbers, in reverse order{along}" if got.shape[axis] > 2 else f"{two} are swapped"
            return
        if got.shape[axis] > 2:
            for step in (1, -1):
                if _same(np.roll(want, step, axis), got):
                    yield f"the right numbers, moved on by one place{along}"
                    return
                inner = [slice(None)] * got.ndim
                outer = list(inner)
                inner[axis], outer[axis] = (
                    (slice(1, None), slice(None, -1)) if step > 0 else (slice(None, -1), slice(1, None))
                )
                if want.shape[axis] > 3 and _same(got[tuple(inner)], want[tuple(outer)]):
                    yield f"nearly all numbers are right, but one place too {'late' if step > 0 else 'early'}{along}"
                    return
    if _same(np.sort(got.ravel()), np.sort(want.ravel())):
        yield "the right numbers, in another order"
        return
    numbers, counts = np.unique(got, return_counts=True)
    if got.size > 3 and np.unique(want).size == got.size > numbers.size and np.isin(numbers, want).all():
        missing = np.setdiff1d(want, numbers)[0]
        yield f"{numbers[counts.argmax()]:g} is there {counts.max()} times, and {missing:g} is missing"
        return
    if got.ndim == 1 and got.size > 2 and _same(np.cumsum(want), got):
        yield "each entry has all entries before it added"


def _close(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.abs(a - b) <= 1e-6 * np.maximum(np.abs(b), 1e-3)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(_close(a, b).all())


def _number(value: Any) -> np.ndarray | None:
    """Convert a number, or an array of numbers, to an array; None for anything else."""
    if value is None or isinstance(value, (str, bool)) or not (isinstance(value, Real) or np.ndim(value)):
        return None
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
