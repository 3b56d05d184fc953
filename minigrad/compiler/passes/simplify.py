"""Simplify equations, by tables of patterns and their replacements.

On the left stands an equation, in letters for its inputs: `a` and `b` are any arrays, `n` is a number known at compile
time, 0 is 0 or -0, and `plus_zero` is 0 alone. On the right stands its replacement: an input, a number, or another
equation. A row holds for all numbers, infinities and nan included. Those of BACKWARD do but for the sign of a zero.

    a * 1   is a also where a is nan
    a + 0   is not a where a is -0, since -0 + 0 is 0. But -0 - 0 is -0, so `a - plus_zero` is a.
            In the backward pass it counts as a: the sign of a zero derivative may differ (docs/compiler.md)
    a * 0   is not 0 where a is infinite

That transpose(transpose(a)) is a needs no row: a transpose is no equation, it only says where to look (values.py).
"""

from __future__ import annotations

import ast
import functools
import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from minigrad.compiler.ir import (
    ProgramIR,
    all_equations,
    become,
    can_alias,
    groups,
    reshaped,
)
from minigrad.compiler.origins import BACK, FORWARD, UPDATE
from minigrad.compiler.passes.assembled import Makers, forward_views, join
from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Number,
    Value,
    identity,
    literal,
    reads,
    row,
)
from minigrad.core.rules import TABLE

PATTERNS = {
    "identity(a)": "a",
    "stop_gradient(a)": "a",
    "a * 1": "a",
    "1 * a": "a",
    "a / 1": "a",
    "a - plus_zero": "a",
    "a ** 1": "a",
    "a ** 2": "square(a)",
    "scaled_power(0, a, b)": "0.0",  # scaled_power(n, a, b) is n a^b, the slope of a power
    "scaled_power(n, a, 0)": "n",
    "scaled_power(n, a, 1)": "n * a",
}

BACKWARD = {
    "a + 0": "a",
    "0 + a": "a",
    "a - 0": "a",
}

ROUNDS = 3  # one round may enable simplifications in the next
OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}


def simplify(ir: ProgramIR) -> str:
    """Replace equations that are constant, or equal to an input, and simplify others."""
    rows = {phase: _by_operation(PATTERNS) for phase in (FORWARD, UPDATE)}
    rows[BACK] = _by_operation({**BACKWARD, **PATTERNS})
    before = sum(1 for _ in all_equations(ir.equations))
    makers: Makers = {id(value): e for e in all_equations(ir.equations) for value in e.outs}
    used: Counter[str] = Counter()
    for _ in range(ROUNDS):
        fixed = reshaped(ir.equations)
        for group in groups(ir.equations):
            for equation in group:
                for value in reads(equation):
                    forward_views(value, makers, fixed)
            kept = []
            for equation in group:
                simpler = _simpler(equation, rows, makers, fixed, used)
                if simpler is not None:
                    kept.append(simpler)
                    if simpler is not equation:
                        makers[id(simpler.out)] = simpler  # for the following equations
            group[:] = kept
    after = sum(1 for _ in all_equations(ir.equations))
    by_row = ", ".join(f"{row} ({count})" for row, count in used.most_common())
    return f"{before - after} of {before} equations needed no work" + (f": {by_row}" if by_row else "")


def _by_operation(patterns: dict[str, str]) -> Rows:
    """Read a table, and group its rows by the operation on the left."""
    rows: Rows = {}
    for left, right in patterns.items():
        rows.setdefault(_read(left).operation, []).append((_read(left), _read(right)))
    return rows


class Term(NamedTuple):
    """One side of a row: its text; an operation and its operands, letters and numbers; "" for no operation."""

    text: str
    operation: str
    operands: tuple[Any, ...]


Rows = dict[str, list[tuple[Term, Term]]]


@functools.cache
def _read(text: str) -> Term:
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.BinOp):
        name, operands = OPERATORS[type(tree.op)], [tree.left, tree.right]
    elif isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        name, operands = tree.func.id, tree.args
    else:
        return Term(text, "", ())
    return Term(text, name, tuple(x.id if isinstance(x, ast.Name) else ast.literal_eval(x) for x in operands))


def _simpler(
    equation: Equation, rows: dict[str, Rows], makers: Makers, fixed: set[int], used: Counter[str]
) -> Equation | None:
    """Return `equation`, or a simpler replacement; None if its value already exists.

    rows: of each phase. fixed: values that are also read in another shape, which needs an array in order: they become
    no other view. used: counts the rows.
    """
    if not isinstance(equation, Elementwise):
        return equation
    if _worked_out(equation):
        used["computed from numbers alone"] += 1
        return None
    phase = equation.out.origin.phase if equation.rule and equation.out.origin else FORWARD
    for left, right in rows[phase].get(equation.rule, ()):
        known = _match(left, equation)
        changed = equation if known is None else _become(right, known, equation, fixed)
        if changed is not equation:
            used[f"{left.text} is {right.text}"] += 1
            return changed
    return join(equation, makers) if equation.rule == "add" else equation


def _match(pattern: Term, equation: Equation) -> dict[str, Value] | None:
    """Bind the pattern's letters; None if it does not match."""
    bound: dict[str, Value] = {}
    for letter, value in zip(pattern.operands, equation.inputs, strict=True):
        number = literal(value)
        if isinstance(letter, str):
            if letter == "n" and number is None:
                return None
            if letter == "plus_zero" and (number != 0 or math.copysign(1, number) < 0):
                return None
            bound[letter] = value
        elif number is None or number != letter:
            return None
    return bound


def _become(new: Term, known: dict[str, Value], equation: Equation, fixed: set[int]) -> Equation | None:
    """Return the right side of a row in place of `equation` (or that itself, if impossible); None for no equation."""
    out = equation.out
    if new.operation:
        return row(TABLE[new.operation], [known[letter] for letter in new.operands], out)
    if new.text in known and new.text != "n":
        same = known[new.text]
        if same.dtype != out.dtype or not (same.is_number or can_alias(out, same, identity(same.shape), fixed)):
            return equation
        become(out, same)
        return None
    number = literal(known["n"]) if "n" in known else float(new.text)
    assert number is not None
    out.at = Number(number)
    return None


def _worked_out(equation: Elementwise) -> bool:
    """Evaluate an equation whose inputs are all numbers, with the eager operation; return whether it was possible."""
    numbers = [literal(x) for x in equation.inputs]
    if equation.rule not in TABLE or not numbers or any(number is None for number in numbers):
        return False
    with np.errstate(all="ignore"):
        exact = TABLE[equation.rule].value(
            *(np.asarray(n, x.dtype) for n, x in zip(numbers, equation.inputs, strict=True))
        )
    equation.out.at = Number(np.asarray(exact).astype(equation.out.dtype).item())
    return True
