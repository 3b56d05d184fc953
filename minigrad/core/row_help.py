"""Help on a row of the derivative table, made of its texts: what `mg.sin?` and `help(mg.sin)` print."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from minigrad.core.rules import Rule

EXAMPLE = (0.5, 2.0, 1.5)  # a, b, c
CALLED = {
    "add": "sum", "sub": "difference", "mul": "product", "div": "quotient", "pow": "power", "neg": "negative number",
    "exp": "exponential function", "expm1": "exponential function less 1, with all digits near 0",
    "log": "natural logarithm", "log1p": "logarithm of 1 + a, with all digits near 0",
    "log2": "logarithm to base 2", "log10": "logarithm to base 10", "exp2": "power of 2",
    "square": "square", "sqrt": "square root", "cbrt": "cube root", "abs": "absolute value",
    "sin": "sine of an angle in radians", "cos": "cosine of an angle in radians",
    "tan": "tangent of an angle in radians",
    "arcsin": "angle in radians with this sine", "arccos": "angle in radians with this cosine",
    "arctan": "angle in radians with this tangent", "arctan2": "angle in radians of the point (b, a)",
    "hypot": "length of the vector (a, b)", "sinh": "hyperbolic sine", "cosh": "hyperbolic cosine",
    "tanh": "hyperbolic tangent", "arcsinh": "inverse of sinh", "arctanh": "inverse of tanh",
    "sigmoid": "logistic sigmoid, between 0 and 1", "softplus": "smooth ReLU, log(1 + exp(a))",
    "logsigmoid": "logarithm of the sigmoid", "logaddexp": "logarithm of exp(a) + exp(b)",
    "relu": "rectified linear unit", "leaky_relu": "ReLU with the slope b below 0",
    "gelu": "Gaussian error linear unit", "maximum": "larger of two numbers; ties share the derivative",
    "minimum": "smaller of two numbers; ties share the derivative", "clip": "number a between the limits b and c",
    "remainder": "remainder, with the sign of b", "fmod": "remainder, with the sign of a",
    "copysign": "size of a with the sign of b", "where": "choice: b where a is not 0, else c",
    "sign": "sign: -1, 0 or 1", "floor": "next integer below", "ceil": "next integer above",
    "trunc": "next integer towards 0", "rint": "nearest integer, halves to the even one",
    "floor_divide": "quotient, rounded down", "stop_gradient": "same value, through which no derivative flows",
    "identity": "same value, as a node of its own",
}  # fmt: skip


def row_help(row: Rule) -> str:
    """Write the help on a row: value, derivatives, arguments, and an example, for rows of the table."""
    called = f"The {CALLED[row.name]}" if row.name in CALLED else "Compute"
    parts = [f"{called}{':' if row.name in CALLED else ''} `{row.expression}`, entry by entry."]
    lines = [f"d/d{x} = {partial}" for x, partial in zip(row.inputs, row.partials, strict=True)]
    parts.append("\n".join(f"    {line}" for line in [*lines, *_meanings(row)]))
    several = f"{', '.join(row.inputs)}: numbers, arrays, dual numbers or nodes, whose shapes broadcast"
    takes = several if len(row.inputs) > 1 else "a: a number, an array of any shape, a dual number or a node"
    kinds = [(kind, row.dtypes(*[np.dtype(kind)] * len(row.inputs))[1]) for kind in ("float32", "int64")]
    parts.append(f"{takes}. {' and '.join(f'{kind} gives {value}' for kind, value in kinds)}.")
    return "\n\n".join([*parts, *_examples(row)])


def _meanings(row: Rule) -> list[str]:
    """Write out what stands in partial derivatives: the value, and rows that NumPy has no function for."""
    from minigrad.core.rules import TABLE  # the table is made of rows

    names = dict.fromkeys(re.findall(r"[a-z_]\w*", " ".join(row.partials)))
    rows = [TABLE[name] for name in names if name in TABLE and name != row.name and not hasattr(np, name)]
    value = [f"v = {row.expression}"] if "v" in names else []
    return value + [f"{helper.name}({', '.join(helper.inputs)}) = {helper.expression}" for helper in rows]


def _examples(row: Rule) -> list[str]:
    """Return the value and the slopes at a point, as a session in Python, for rows of the table itself."""
    from minigrad.core.functional import grad
    from minigrad.core.rules import TABLE

    if TABLE.get(row.name) is not row:
        return []
    at = (True if row.name == "where" else EXAMPLE[0], *EXAMPLE[1:])[: len(row.inputs)]
    point = f"({', '.join(map(repr, at))})"
    lines = [f">>> mg.{row.name}{point}", repr(row(*at))]
    if places := tuple(k for k, partial in enumerate(row.partials) if partial != "0"):
        chosen = "" if places == (0,) else f", {places[0] if len(places) == 1 else places}"
        slope = grad(row, places if len(places) > 1 else places[0])(*at)
        lines += [f">>> mg.grad(mg.{row.name}{chosen}){point}", repr(slope)]
    return ["\n".join(lines)]


def signature(row: Rule) -> inspect.Signature:
    """Return the signature of a row called as a function: its inputs by place."""
    parameters = [inspect.Parameter(x, inspect.Parameter.POSITIONAL_ONLY, annotation="ArrayLike") for x in row.inputs]
    return inspect.Signature(parameters, return_annotation="Array")


class OfRow:
    """An attribute that a row makes of itself when it is asked for; the class has one of its own."""

    def __init__(self, make: object, of_class: object):
        self.make, self.of_class = make, of_class

    def __get__(self, row: Rule | None, owner: type) -> object:
        return self.of_class if row is None else self.make(row)  # type: ignore[operator]
