"""A training step as nodes: forward, the gradients, and the update of each parameter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.block import block
from minigrad.bounds import are_labels
from minigrad.graph import adjoint_nodes
from minigrad.nn.module import Module, loss_of
from minigrad.node import Constant, Node, Operator, Variable, leaf_of
from minigrad.operation import kind_of
from minigrad.ops.shape import cast
from minigrad.optim import Optimizer, each_once

Gradients = Callable[[list[Node]], Sequence[Node]]


@dataclass(frozen=True)
class Recipe:
    """The arguments of `mg.compile`. x, y: the example batch."""

    model: Module
    loss: Callable[[Any, Any], Any]
    optimizer: Optimizer
    x: np.ndarray
    y: np.ndarray
    shards: int
    threads: int
    gradients: Gradients | None
    off: Collection[str]
    on: Collection[str]
    name: str


def forward(recipe: Recipe, rows: int, first: int = 0) -> tuple[Constant, Constant, Node, Any]:
    """Make leaves for these rows of the example batch, the loss, and the model's output."""
    part = slice(first, first + rows)
    x, y = Constant(recipe.x[part], name="x"), Constant(recipe.y[part], name="y")
    output = recipe.model(x)
    with block("the loss"):
        value = loss_of(recipe.model, recipe.loss, output, y)
    if not isinstance(value, Node) or value.shape != ():
        raise ValueError(f"compile: the loss is a single number made from the model's output, got {value!r}")
    for node, name in ((output, "output"), (value, "loss")):  # their names in the program
        if isinstance(node, Operator) and node.name is None:
            node.name = name
    return x, y, value, output


def parameters_of(model: Module) -> list[Variable]:
    """Return the parameters to train."""
    return each_once(model.parameters())


def gradients_of(value: Node, model: Module) -> tuple[list[Variable], list[Node]]:
    """Return the parameters, and the derivatives of the loss by them, as nodes; 0 for unused ones, which an optimizer
    may still change, by weight decay for example.
    """
    parameters = parameters_of(model)
    adjoints = adjoint_nodes({value: Constant(np.ones((), value.dtype))}, parameters)
    if not any(variable in adjoints for variable in parameters):
        raise ValueError("compile: the loss depends on no parameter of the model, so there is nothing to train")
    return parameters, [adjoints[v] if v in adjoints else Constant(np.zeros(v.shape, v.dtype)) for v in parameters]


def rate_dtype(model: Module) -> np.dtype:
    """Return the dtype of the program's rates: that of the parameters, or float64 if they have two."""
    dtypes = {variable.dtype for variable in parameters_of(model)}
    return dtypes.pop() if len(dtypes) == 1 else np.dtype(np.float64)


def rates_of(recipe: Recipe) -> dict[Node, str]:
    """Make leaves for the numbers that change from step to step, with their names."""
    dtype = rate_dtype(recipe.model)
    leaves = [Constant(np.array(rate, dtype)) for rate in recipe.optimizer.rates(0)]
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
