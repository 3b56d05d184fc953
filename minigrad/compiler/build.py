"""A training step put together: its nodes (forward, the gradients, the update of each parameter), their program, and
the loop over batches around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from minigrad.compiler.origins import free_name
from minigrad.compiler.program import build
from minigrad.compiler.training import Built, Gradients, Recipe
from minigrad.core.block import block
from minigrad.core.errors import kind_of
from minigrad.core.graph import adjoint_nodes
from minigrad.core.node import Constant, Node, Operator, Variable, leaf_of
from minigrad.guards.bounds import are_labels
from minigrad.native import aligned
from minigrad.native.compiled import by_name
from minigrad.nn.module import loss_of
from minigrad.ops.shape import cast

# ------------------------------------------------------------ the step as nodes


def forward(recipe: Recipe, rows: int, first: int = 0) -> tuple[Constant, Constant, Node, Any]:
    """Make leaves for these rows of the example batch, the loss, and the model's output."""
    part = slice(first, first + rows)
    x, y = Constant(recipe.x[part], name="x"), Constant(recipe.y[part], name="y")
    for leaf in (x, y):
        leaf._value = aligned.copy(leaf._value)
    output = recipe.model(x)
    with block("the loss"):
        value = loss_of(recipe.model, recipe.loss, output, y)
    if not isinstance(value, Node) or value.shape != ():
        raise ValueError(f"compile: the loss is a single number made from the model's output, got {value!r}")
    for node, name in ((output, "output"), (value, "loss")):  # their names in the program
        if isinstance(node, Operator) and node.name is None:
            node.name = name
    return x, y, value, output


def gradients_of(value: Node, recipe: Recipe) -> tuple[list[Variable], list[Node]]:
    """Return the parameters, and the derivatives of the loss by them, as nodes; 0 for unused ones, which an optimizer
    may still change, by weight decay for example.
    """
    parameters = recipe.parameters
    adjoints = adjoint_nodes({value: Constant(np.ones((), value.dtype))}, parameters)
    if not any(variable in adjoints for variable in parameters):
        raise ValueError("compile: the loss depends on no parameter of the model, so there is nothing to train")
    return parameters, [adjoints[v] if v in adjoints else Constant(np.zeros(v.shape, v.dtype)) for v in parameters]


def rates_of(recipe: Recipe) -> dict[Node, str]:
    """Make leaves for the numbers that change from step to step, with their names."""
    leaves = [Constant(np.array(rate, recipe.rate_dtype)) for rate in recipe.optimizer.rates(0)]
    return dict(zip(leaves, ["lr"] if len(leaves) == 1 else [f"rate_{k + 1}" for k in range(len(leaves))], strict=True))


def updates_of(
    recipe: Recipe, variables: Sequence[Variable], grads: Sequence[Node], rates: dict[Node, str]
) -> list[tuple[Node, Node]]:
    """Return the new value of each parameter, and of its optimizer state, as nodes."""
    optimizer = recipe.optimizer
    with block("update"):
        if recipe.gradients is not None:
            grads = _changed(recipe.gradients, grads)
        stores: list[tuple[Node, Node]] = []
        for variable, grad in zip(variables, grads, strict=True):
            kept = [leaf_of(array, f"{variable.name or 'parameter'}_kept") for array in optimizer.kept(variable)]
            if any(array.shape != variable.shape for array in kept):
                raise ValueError(
                    f"compile: the optimizer keeps arrays of another shape for {variable.name or 'a parameter'}, which "
                    f"is now {variable.shape}. Start with a new optimizer"
                )
            own_rates = [cast(rate, variable.dtype) for rate in rates]
            with block(variable.name or "parameter", kind="parameter"):
                new, changed = optimizer.next_values(variable, grad, own_rates, kept)
            stores += [(variable, new), *((kept[k], node) for k, node in changed.items())]
    return stores


def _changed(gradients: Gradients, grads: Sequence[Node]) -> list[Node]:
    """Apply the user's function to the gradients."""
    changed = gradients(list(grads))
    if isinstance(changed, Mapping | Set):
        raise TypeError(
            f"compile: `gradients` returns a list, in the order of the one it is given; a {type(changed).__name__} has "
            "another order, or none"
        )
    changed = list(changed) if isinstance(changed, Iterable) and not isinstance(changed, Node) else [changed]
    if strange := [g for g in changed if not isinstance(g, Node)]:
        raise TypeError(
            f"compile: `gradients` returns nodes, got {kind_of(strange[0])}. A gradient that is an array, such as "
            ".value, would be the same in every step; mg.Constant(array) says that this is meant"
        )
    if [g.shape for g in changed] != [g.shape for g in grads]:
        raise ValueError("compile: `gradients` returns as many gradients as it is given, in the same shapes")
    return changed


def is_classification(output: Node, y: Node) -> bool:
    """Tell whether correct rows can be counted: those whose largest output is at the label."""
    return isinstance(output, Node) and output.ndim == 2 and are_labels(y)


# ------------------------------------------------------------ as a program, with the loop around it


class Arrays:
    """The arrays of a step's programs, each under one name in the loop over batches.

    The same array gets the same name in all programs, and different arrays get different names. updates: the number of
    functions named update_0 and so on.
    """

    def __init__(self, updates: int = 0) -> None:
        self.named: dict[str, Any] = {}
        self._taken = {f"update_{k}" for k in range(updates)}
        self._taken |= {"x_rows", "y_rows"}  # see batches_of

    def name(self, array: object, wanted: str) -> str:
        """Return the name of an array: as wanted, unless another one has that name."""
        for name, other in self.named.items():
            if other is array:
                return name
        name = free_name(wanted, self._taken)
        self._taken.add(name)
        self.named[name] = array
        return name

    def argument(self, thing: object, wanted: str) -> str:
        """Return what the loop passes on: an array by its name in `at`, a generator as it is."""
        name = self.name(thing, wanted)
        return name if isinstance(thing, np.random.Generator) else f"at.{name}"

    def parameters(self) -> dict[str, Any]:
        """Return the loop's last parameters: `at`, for all arrays, and generators."""
        generators = {name: thing for name, thing in self.named.items() if isinstance(thing, np.random.Generator)}
        return {"at": by_name({k: array for k, array in self.named.items() if k not in generators}), **generators}


def whole(recipe: Recipe, more: Sequence[str] = ()) -> Built:
    """Plan forward, backward and update as one function, and the loop around it. more: last arguments of both."""
    x, y, loss, output = forward(recipe, len(recipe.x))
    variables, grads = gradients_of(loss, recipe)
    rates = rates_of(recipe)
    stores = updates_of(recipe, variables, grads, rates)
    counted = is_classification(output, y)
    program = build(
        {x: "x", y: "y", **rates}, [loss, output] if counted else [loss], stores, off=recipe.off,
        name="step", kind="@apart", guarded=True,
    )  # fmt: skip
    arrays = Arrays()
    batch = [arrays.name(node._value, value.name) for node, value in zip((x, y), program.inputs, strict=False)]
    names = [arrays.argument(array, name) for name, array in (program.fixed | program.new_buffers()).items()]
    arguments = [*batch, *(f"rates[k, {r}]" for r in range(len(rates))), *names, *more]
    parameters = arrays.parameters()
    before = ["X", "Y", "order", "losses", "hits", "rates", "done", "first", "last"]
    text = "\n".join([
        "@main",
        f"def epoch({', '.join([*before, *parameters, *more])}):",
        '    """Batches `first` to `last` of the rows of X and Y in the given order, while the loss is a number."""',
        *(f"    {line}" for line in batches_of(batch, x, y)),
        "    for k in range(first, last):",
        *(f"        {line}" for line in gather(batch, x, y, f"k * {x.shape[0]}")),
        f"        {'losses[k], scores' if counted else 'losses[k]'} = step({', '.join(arguments)})",
        *([f"        hits[k] = kernels.count_hits(scores, {batch[1]})"] if counted else []),
        "        if not math.isfinite(losses[k]):",
        "            return",
        "        done[0] = k + 1 - first",
        "",
    ])  # fmt: skip
    changes = [old._value for old, _ in stores]
    return Built(recipe, x, y, loss, [program], text, list(parameters.values()), counted, changes)


def gather(names: Sequence[str], x: Node, y: Node, begin: str, shard: str = "") -> list[str]:
    """Return lines that copy rows of the data into a batch, from `begin` on in the order, or into a shard of it."""
    lines = []
    for name, node, source in zip(names, (x, y), "XY", strict=True):
        if node.ndim == 1:
            place = f"{shard}, i" if shard else "i"
            lines += [f"for i in range({x.shape[0]}):", f"    {name}[{place}] = {source}[order[{begin} + i]]"]
        else:
            rows = name if node.ndim == 2 else f"{name}_rows"
            lines.append(f"kernels.take_rows({source}, order, {begin}, {f'{rows}[{shard}]' if shard else rows})")
    return lines


def batches_of(names: Sequence[str], x: Node, y: Node, *lead: int) -> list[str]:
    """Return lines that fetch the arrays for batches, and view batches of pictures as batches of rows."""
    shapes = [(name, (*lead, node.shape[0], math.prod(node.shape[1:])))
              for name, node in zip(names, (x, y), strict=True) if node.ndim > 2]  # fmt: skip
    fetched = f"{', '.join(names)} = {', '.join(f'at.{name}' for name in names)}"
    return [fetched, *(f"{name}_rows = shaped({name}, {shape})" for name, shape in shapes)]
