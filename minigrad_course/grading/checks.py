"""Checks for test cells: each compares a result with the expected one, and names the first place where they differ.

A failed check raises `Mismatch`, which shows as one line under the cell, without a traceback: the mistake is in the
learner's function, not in the lines of the check. The line depends only on the mistake, so the same mistake gives the
same line; hints are found by it (see sheet.py).
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from minigrad_course.grading import likeness

MOST_MARKED = 1000  # numbers of an array that its mark stands for


class Mismatch(AssertionError):
    """A check that failed. Its text says where, what was expected and what came; `line` is that without the remark in
    brackets on what the mistake looks like. `mark` stands for all numbers that came, where the text names one of
    several that are wrong: the same numbers have the same mark."""

    def __init__(self, text: str = "", line: str = "", mark: str = ""):
        super().__init__(text)
        self.line, self.mark = line or text, mark

    def _render_traceback_(self) -> list[str]:
        # IPython asks an exception for this before it writes a traceback of its own.
        return [f"\x1b[1m✗\x1b[0m {self}"]


def check_order(order: Iterable[Any], parents: Mapping[Any, Iterable[Any]] | Callable[[Any], Iterable[Any]]) -> None:
    """Check that `order` holds every node once, each after all of its parents.

    `parents` maps each node of the graph to its parents. Given as a function instead, it is asked for the parents
    of each node that turns up, and a node that nothing mentions cannot be missed.

    Raises Mismatch naming the first position that is wrong, or the first node that is missing.
    """
    if isinstance(order, str) or not isinstance(order, Iterable):
        raise Mismatch(f"expected a list of nodes, got {_show(order)}{_note(likeness.of_type(order))}")
    if isinstance(order, (set, frozenset)):  # in which the same answer has another order each time
        raise Mismatch("expected a list of nodes, got a set, which has no order")
    graph = parents if isinstance(parents, Mapping) else None
    parents_of = parents.__getitem__ if isinstance(parents, Mapping) else parents
    position: dict[Any, int] = {}
    places = enumerate(order)
    for i, node in places:
        if graph is not None and node not in graph:
            raise Mismatch(f"position {i}: got {node}, which is not a node of this graph")
        if node in position:
            raise Mismatch(f"position {i}: got {node} again; it is already at position {position[node]}")
        for parent in parents_of(node):
            if parent not in position:
                line = f"position {i}: got {node}, but its parent {parent} has not appeared yet"
                raise Mismatch(f"{line} ({_comes(parent, places)})", line)
        position[node] = i
    missing = [node for node in graph or () if node not in position]
    if missing:
        raise Mismatch(f"{missing[0]} is missing: the list has {len(position)} of {len(position) + len(missing)} nodes")


def _comes(node: object, places: Iterable[tuple[int, Any]]) -> str:
    """Say where a node stands in the rest of an order."""
    later = next((i for i, other in itertools.islice(places, 100_000) if other == node), None)
    return "it is nowhere in the list" if later is None else f"it comes later, at position {later}"


def check_close(got: object, expected: object, where: str = "", tolerance: float = 1e-9) -> None:
    """Check that `got` is `expected`, to `tolerance` relative to max(1, |expected|).

    Both are numbers, or arrays (or lists) of the same shape, or dicts with the same keys; a dict is compared in the
    order of `expected`, so that the message names the first entry to look at. `where` says in a few words what was
    computed.

    Raises Mismatch: "where, entry: expected this, got that".
    """
    difference = first_difference(got, expected, where, tolerance)
    if difference is not None:
        line, note = difference
        raise Mismatch(f"{line} ({note})" if note else line, line, mark_of(got, expected, tolerance))


def first_difference(got: object, expected: object, where: str, tolerance: float) -> tuple[str, str] | None:
    """Return a line that says what differs, and a note on what it looks like; None if nothing differs."""
    head = f"{where}: " if where else ""
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            return f"{head}expected a dict, got {_show(got)}", likeness.of_type(got)
        for key, value in expected.items():
            if key not in got:
                return f"{head}{key} is missing", _keys(got, expected)
            difference = first_difference(got[key], value, f"{where}, {key}" if where else str(key), tolerance)
            if difference is not None:
                return difference[0], likeness.of_entries(got, expected, key, difference[1])
        return None

    want = np.asarray(expected, dtype=float)
    have = _numbers(got)
    if have is None:
        return f"{head}expected {_show(expected)}, got {_show(got)}", likeness.of_type(got)
    if have.shape != want.shape:
        return f"{head}expected {_shape(want)}, got {_shape(have)}", likeness.of_numbers(have, want)
    wrong = ~(np.abs(have - want) <= tolerance * np.maximum(1.0, np.abs(want)))  # so that nan is wrong
    if not wrong.any():
        return None
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    entry = "" if not first else f"entry {first[0] if len(first) == 1 else first}"
    place = ", ".join(filter(None, (where, entry)))
    head = f"{place}: " if place else ""
    if isinstance(got, (bool, np.bool_)) or isinstance(expected, bool):
        return f"{head}expected {_show(expected)}, got {_truth(got, expected)}", ""
    one, other = want[first] + 0, have[first] + 0  # + 0 turns -0 into 0
    digits = next((k for k in range(6, 18) if f"{one:.{k}g}" != f"{other:.{k}g}"), 6)
    return f"{head}expected {one:.{digits}g}, got {other:.{digits}g}", likeness.of_numbers(have, want)


def mark_of(got: object, expected: object, tolerance: float = 1e-9) -> str:
    """Return a few letters that stand for the numbers of `got`, to five digits; none unless two or more are wrong."""
    if isinstance(expected, Mapping):
        pairs = [(got.get(key), value) for key, value in expected.items()] if isinstance(got, Mapping) else []
    else:
        pairs = [(got, expected)]
    numbers, wrong = [], 0
    for part, value in pairs:
        have, want = _numbers(part), np.asarray(value, dtype=float)
        if have is None or have.shape != want.shape:
            numbers.append("?" if have is None else f"{have.shape}")
            continue
        wrong += int(np.sum(~(np.abs(have - want) <= tolerance * np.maximum(1.0, np.abs(want)))))
        numbers += [f"{0.0 if abs(number) < 1e-9 else number:.5g}" for number in have.ravel()[:MOST_MARKED].tolist()]
    return f"{zlib.crc32(' '.join(numbers).encode()):08x}" if wrong > 1 else ""


class Credit(float):
    """Points for a partly right test, with feedback on the rest. Prints as a plain number, as nbgrader expects."""

    feedback: str = ""


def partial(*parts: tuple[float, Callable[[], Any]]) -> Credit:
    """Give points for each part that passes: `partial((2, lambda: check_close(...)), (1, lambda: check_close(...)))`.

    Belongs into the last line of a test cell, whose value is then its points. A part fails by raising; the first
    failure is what the learner reads. An answer that is not written yet earns nothing.

    Returns the sum of the points of the parts that passed.
    """
    earned, feedback = 0.0, ""
    for points, check in parts:
        try:
            check()
            earned += points
        except NotImplementedError:
            raise
        except Exception as error:
            line = str(error) if isinstance(error, Mismatch) else f"{type(error).__name__}: {error}"
            feedback = feedback or line.rstrip(": ")
    credit = Credit(earned)
    credit.feedback = feedback
    return credit


def _numbers(value: object) -> np.ndarray | None:
    """Convert to an array of floats; None if anything but numbers is in it (NumPy would take None for nan)."""
    try:
        array = np.asarray(value)
        numbers = array.dtype.kind in "biuf" or all(isinstance(one, Real) for one in array.ravel().tolist())
        return array.astype(float) if numbers else None
    except (TypeError, ValueError):
        return None


def _show(value: Any) -> str:
    """Format a value so that the same mistake gives the same text: six digits, and a type if it is not a number."""
    if value is None or isinstance(value, (bool, str)):
        return repr(value)
    if isinstance(value, Real):
        return f"{float(value) + 0:.6g}"  # + 0 turns -0 into 0
    if isinstance(value, (list, tuple)) or np.ndim(value):
        return f"{type(value).__name__} of length {len(value)}"
    try:
        shown = repr(value)
    except Exception:
        return f"an object of type {type(value).__name__}, which cannot be shown"
    if len(shown) > 200:
        shown = f"{shown[:200]}…"
    return f"an object of type {type(value).__name__}" if " at 0x" in shown else f"{shown}, a {type(value).__name__}"


def _shape(array: np.ndarray) -> str:
    return "a single number" if array.ndim == 0 else f"an array of shape {array.shape}"


def _truth(got: object, expected: object) -> str:
    """Format as True or False, NumPy's booleans included."""
    return str(bool(got)) if isinstance(got, (bool, np.bool_)) or not isinstance(expected, bool) else _show(got)


def _keys(got: Mapping, expected: Mapping) -> str:
    """List the keys that a dict has instead of the expected ones."""
    extra = [str(key) for key in got if key not in expected]
    return f"it has {', '.join(extra)}"[:120] if extra else "it is empty" if not got else ""


def _note(text: str) -> str:
    return f" ({text})" if text else ""
