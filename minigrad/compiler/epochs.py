"""The loop over batches as text: gather the rows, run the step, record the loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.compiler.optional.addresses import table
from minigrad.compiler.origins import free_name
from minigrad.compiler.program import build
from minigrad.compiler.step_nodes import Recipe, forward, gradients_of, is_classification, rates_of, updates_of
from minigrad.compiler.text import Program
from minigrad.node import Constant, Node


@dataclass
class Plan:
    """The parts of a step: its programs, the loop around them, and the arrays that it is called with.

    x, y: the leaves that receive a batch, or its first shard. counted: the loop counts correct rows. kept: the arrays
    in a table of addresses. weights: of a shard of each size. changes: the arrays that the updates write to.
    """

    x: Constant
    y: Constant
    loss: Node
    programs: list[Program]
    epoch: str
    arrays: list[Any]
    counted: bool
    kept: list[np.ndarray] = field(default_factory=list)
    weights: Sequence[float] | None = None
    changes: Sequence[np.ndarray] = ()


class Arrays:
    """The arrays of a step's programs, each under one name in the loop over batches.

    The same array gets the same name in all programs, and different arrays get different names. updates: the number of
    functions named update_0 and so on.
    """

    def __init__(self, updates: int = 0) -> None:
        self.named: dict[str, Any] = {}
        self._taken = {f"update_{k}" for k in range(updates)}
        self._taken |= {f"{name}{part}_rows" for name in "xy" for part in ("", "_of_fewer")}  # see seen_as_rows

    def name(self, array: Any, wanted: str) -> str:
        """Return the name of an array: as wanted, unless another one has that name."""
        for name, other in self.named.items():
            if other is array:
                return name
        name = free_name(wanted, self._taken)
        self._taken.add(name)
        self.named[name] = array
        return name


def whole(recipe: Recipe) -> Plan:
    """Plan forward, backward and update as one function, and the loop around it."""
    x, y, loss, output = forward(recipe, len(recipe.x))
    variables, grads = gradients_of(loss, recipe.model)
    rates = rates_of(recipe)
    stores = updates_of(recipe, variables, grads, rates)
    counted = is_classification(output, y)
    program = build(
        {x: "x", y: "y", **rates}, [loss, output] if counted else [loss], stores, off=recipe.off, on=recipe.on,
        name="step", kind="@apart", may_be_addressed=True, guarded=True,
    )  # fmt: skip
    arrays = Arrays()
    batch = [arrays.name(node._value, value.name) for node, value in zip((x, y), program.inputs, strict=False)]
    others = program.fixed | program.new_buffers()
    kept: list[np.ndarray] = []
    if program.addressed:
        kept = [x._value, y._value, *(array for array in others.values() if isinstance(array, np.ndarray))]
        others = {word: thing for word, thing in others.items() if not isinstance(thing, np.ndarray)}
        others["at"] = table(kept)
    names = [arrays.name(array, name) for name, array in others.items()]
    arguments = [*([] if program.addressed else batch), *(f"rates[k, {r}]" for r in range(len(rates))), *names]
    before = ["X", "Y", "order", "losses", "hits", "rates", "done", "first", "last"]
    text = "\n".join([
        "@main",
        f"def epoch({', '.join([*before, *arrays.named])}):",
        '    """Batches `first` to `last` of the rows of X and Y in the given order, while the loss is a number."""',
        *(f"    {line}" for line in seen_as_rows(batch, x, y)),
        "    for k in range(first, last):",
        *(f"        {line}" for line in gather(batch, x, y, f"k * {x.shape[0]}", "i")),
        f"        {'losses[k], scores' if counted else 'losses[k]'} = step({', '.join(arguments)})",
        *([f"        hits[k] = kernels.count_hits(scores, {batch[1]})"] if counted else []),
        "        if not math.isfinite(losses[k]):",
        "            return",
        "        done[0] = k + 1 - first",
        "",
    ])  # fmt: skip
    changes = [old._value for old, _ in stores]
    return Plan(x, y, loss, [program], text, list(arrays.named.values()), counted, kept, changes=changes)


def gather(names: Sequence[str], x: Node, y: Node, begin: str, at: str) -> list[str]:
    """Return lines that copy rows of the data into a batch, from `begin` on in the order. at: a row's place there."""
    lines = [f"for i in range({x.shape[0]}):", f"    row = order[{begin} + i]"]
    for name, node, source in zip(names, (x, y), "XY", strict=True):
        if node.ndim == 1:
            lines.append(f"    {name}[{at}] = {source}[row]")
            continue
        target = name if node.ndim == 2 else f"{name}_rows"
        lines.append(f"    for j in range({math.prod(node.shape[1:])}):")
        lines.append(f"        {target}[{at}, j] = {source}[row, j]")
    return lines


def seen_as_rows(names: Sequence[str], x: Node, y: Node, *lead: int) -> list[str]:
    """Return lines that view batches of pictures as batches of rows."""
    shapes = [(name, (*lead, node.shape[0], math.prod(node.shape[1:])))
              for name, node in zip(names, (x, y), strict=True) if node.ndim > 2]  # fmt: skip
    return [f"{name}_rows = shaped({name}, {shape})" for name, shape in shapes]
