"""Help on a row of the derivative table, made of its texts: what `mg.sin?` and `help(mg.sin)` print."""

from __future__ import annotations

import functools
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from minigrad.core.rules import Rule

EXAMPLE = (0.5, 2.0, 1.5)  # a, b, c


@functools.cache
def words() -> dict[str, str]:
    """The names of rows in a sentence, as rows.txt has them."""
    lines = Path(__file__).with_name("rows.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def row_help(row: Rule) -> str:
    """Write the help on a row: value, derivatives, arguments, and an example, for rows of the table."""
    called = f"The {words()[row.name]}:" if row.name in words() else "Compute"
    parts = [f"{called} `{row.expression}`, entry by entry."]
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
