"""The campaign's questions besides random graphs, in every mode: every operation on every kind of number, special
values.

The operations are those of operations.py, the special values those of special_values.py. An operation is asked about
all of its gradient cases; about its inputs in other dtypes, mixed, and as integers and truth values, where it takes
them; about inputs without entries and without axes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

import minigrad as mg

from .modes import Question
from .operations import TABLE, Case, Entry, cases
from .special_values import Special, table

KINDS = {
    "float64 and float32": (np.float64, np.float32),
    "float32 and float64": (np.float32, np.float64),
    "integers": (np.int64,),
    "small integers": (np.int8, np.uint8),
    "truth values": (np.bool_,),
    "a float32 and truth values": (np.float32, np.bool_),
    "integers and a float32": (np.int32, np.float32),
}


def case_question(case: Case) -> Question:
    """A gradient case of the table."""
    then, first = ([np.asarray(x) for x in case.leaves(shift)] for shift in (0, 1))
    return Question(str(case), case.fn, first, then, seed=case.seed)


def case_questions(entry: Entry, every: int = 1) -> Iterator[Question]:
    """Every so many-th gradient case of an operation."""
    for case in itertools.islice(cases(entry), len(entry.name) % every, None, every):
        yield case_question(case)


def kind_questions(entry: Entry, most: int = 3, turns: bool = False) -> Iterator[Question]:
    """An operation on other kinds of numbers: in each kind a few of its plain cases that eager mode takes.

    turns: only in every third kind; the next operation in others.
    """
    plain = [case for case in cases(entry) if case.dtype is np.float64]
    chosen = plain[:: max(1, len(plain) // most)][:most] if most else []
    if entry.group and most > 1:
        chosen = [next(case for case in plain if case.call is call) for call in entry.calls]
    for number, (kind, dtypes) in enumerate(KINDS.items()):
        if turns and (number + len(entry.name)) % 3:
            continue
        if len(dtypes) > 1 and len(entry.numbers) == 1:
            dtypes = dtypes[:1]
            if dtypes[0] in (np.float64, np.float32):
                continue
        for case in chosen:
            question = case_question(case)
            turn = itertools.cycle(dtypes)
            wanted = [next(turn) for _ in question.then]
            then = [_as(x, dtype) for x, dtype in zip(question.then, wanted, strict=True)]
            first = [_as(x, dtype) for x, dtype in zip(question.first, wanted, strict=True)]
            changed = Question(f"{entry.name} on {case.call.shapes}, {kind}", case.fn, first, then, seed=case.seed)
            if _takes(changed):
                yield changed


def _as(x: np.ndarray, dtype: Any) -> np.ndarray:
    if dtype == np.bool_:
        return np.asarray(np.asarray(x) > 0)
    kind = np.dtype(dtype).kind
    return np.asarray(x).astype(dtype) if kind == "f" else np.asarray(np.abs(np.round(3 * np.asarray(x)))).astype(dtype)


def _takes(question: Question) -> bool:
    """Tell whether eager mode accepts these inputs: refused ones are refused before anything is compiled."""
    try:
        with np.errstate(all="ignore"):
            question.fn(*(mg.Constant(x) for x in question.then))
    except (TypeError, ValueError):
        return False
    return True


def operation_questions(
    part: int = 0, parts: int = 1, every: int = 1, most: int = 3, turns: bool = False
) -> Iterator[Question]:
    """The questions about every `parts`-th operation of the table."""
    for entry in TABLE[part::parts]:
        yield from case_questions(entry, every)
        yield from kind_questions(entry, most, turns)


def special_questions(turns: bool = False) -> Iterator[Question]:
    """Every special value, in float64 and in float32. turns: in one of them, and the next one in the other."""
    for turn, dtype in enumerate((np.float64, np.float32)):
        for number, special in enumerate(table()):
            if not turns or number % 2 == turn:
                yield special_question(special, dtype)


def special_question(special: Special, dtype: Any) -> Question:
    """Built from ordinary numbers, asked about special ones: value and derivatives are the same in every mode."""
    then = [np.asarray(x, dtype) for x in special.inputs]
    first = [np.full(x.shape, 0.5 + 0.25 * k, dtype) for k, x in enumerate(then)]
    return Question(f"{special.key}, {np.dtype(dtype)}", special.ours, first, then, exact=True)
