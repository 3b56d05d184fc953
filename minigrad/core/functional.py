"""Derivatives of functions: grad, vjp, jacobian, hessian, hvp. Their forward-mode counterparts are in `dual.py`.

Each builds the graph of the function at its arguments, takes adjoints, and returns plain numbers. Called inside another
derivative they return traced values of that one, so they nest in any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Tree
from minigrad.core.dual import Dual, jvp, split
from minigrad.core.fit import dtype_of, shape_of, to
from minigrad.core.graph import Constant, Node, Variable, adjoint_nodes, seed_node, tangents, topological_order
from minigrad.core.operation import Traced, owned, plain, total
from minigrad.core.rules import identity
from minigrad.core.tree import called, flatten, matching_leaves

# The vmaps that are being taken, the outermost first. Each has `own(x)`, a copy of x for each of its examples.
under_way: ContextVar[tuple[Any, ...]] = ContextVar("under_way", default=())


def value_and_grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., tuple[Any, Any]]:
    """Return a function that computes f(*args), a scalar, and its gradient by the arguments `argnums`, together.

    The gradient has the structure, shapes and dtypes of the argument (a number, an array, or tuples, lists and dicts
    of them); for several argnums it is a tuple. It costs a small constant times f, whatever the number of inputs.
    """
    several = isinstance(argnums, tuple | list)
    places: tuple[Any, ...] = tuple(argnums) if isinstance(argnums, tuple | list) else (argnums,)
    if not all(isinstance(k, int | np.integer) for k in places):
        raise TypeError(f"argnums is the number of an argument, from 0 on, or a tuple of such numbers: got {argnums!r}")

    def evaluate(*args: Tree, **options: Any) -> tuple[Any, Any]:
        for k in places:
            if not -len(args) <= k < len(args):
                raise ValueError(f"argnums asks for argument {k}, and only {len(args)} were given")
        if not flatten([args[k] for k in places])[0]:
            raise ValueError("there is nothing to differentiate by: the chosen arguments hold no numbers")

        def of_chosen(*chosen: Tree) -> Array:
            filled = list(args)
            for k, argument in zip(places, chosen, strict=True):
                filled[k] = argument
            return _one_number(f(*filled, **options), "grad")

        value, pull = _vjp("grad", of_chosen, [args[k] for k in places])
        gradient = pull(np.ones((), dtype_of(value)))
        return value, gradient if several else gradient[0]

    return evaluate


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """Return the gradient of a scalar-valued function f, as a function: grad(f)(x)[k] = df / dx[k].

    argnums: the arguments to differentiate by, counted from 0; for several the result is a tuple. It has the structure,
    shapes and dtypes of the argument, as in `value_and_grad`. Raises ValueError if the value of f is not one number.
    """
    both = value_and_grad(f, argnums)
    return lambda *args, **options: both(*args, **options)[1]


def vjp(f: Callable[..., Any], *args: Tree) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Return f(*args), and the function from an adjoint of the value to the adjoints of the arguments, as a tuple.

    That function is u -> u @ Jacobian, for each argument; u has the structure and shapes of the value. Arguments and
    value are numbers, arrays, or tuples, lists and dicts of them. It may be called many times.
    """
    return _vjp("vjp", f, args)


def _vjp(who: str, f: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    leaves, build = flatten(tuple(args))
    opened, nodes = _open_all(leaves)
    result = called(who, f, build(opened))
    outputs, rebuild = flatten(result)
    outputs = [_each(y) for y in outputs]

    def pull(adjoint: Tree) -> tuple[Any, ...]:
        seeds = matching_leaves(adjoint, result, "vjp needs one adjoint for each part of the value")
        return build(_unwrap(pulled_back(outputs, seeds, nodes), nodes))

    return rebuild(_unwrap(outputs, nodes)), pull


def jacobian(f: Callable[[Any], Any], mode: str | None = None) -> Callable[[Any], Any]:
    """The Jacobian of f as a function of x: entry [i, j] is d f(x)[i] / d x[j], of shape f(x).shape + x.shape.

    Where f(x) or x are tuples, lists or dicts, the result has the structure of f(x), and in each place of it the
    structure of x: one such array for each part of the value and each part of x.
    mode: "forward" fills one column a pass, one for each input; "reverse" fills one row a pass, one for each output.
    If it is left out, the one that needs fewer passes is used; in a tie, forward.
    """
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f'jacobian knows mode="forward" and mode="reverse", got {mode!r}')

    def evaluate(x: Tree) -> Any:
        leaves, build = _numbers(x, "jacobian")
        value, pull = vjp(f, build(leaves))
        outputs, rebuild = flatten(value)
        rows, columns = (sum(math.prod(shape_of(part)) for part in parts) for parts in (outputs, leaves))
        if mode == "forward" or (mode is None and columns <= rows):
            pushed = [jvp(f, (build(leaves),), (build(unit),))[1] for unit in _units(leaves)]
            blocks = _blocks(pushed, leaves, outputs, -1)
        else:
            pulled = [pull(rebuild(unit))[0] for unit in _units(outputs)]
            blocks = [list(row) for row in zip(*_blocks(pulled, outputs, leaves, 0), strict=True)]
        return rebuild([build(row) for row in blocks])

    return evaluate


def hessian(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the matrix of second derivatives of a scalar f as a function of x: shape x.shape + x.shape, one hvp a
    column.

    Where x is a tuple, a list or a dict, so is the result, and each of its places holds one: [i][j] is the array of
    the derivatives by x[i] and x[j].
    """

    def evaluate(x: Tree) -> Any:
        leaves, build = _numbers(x, "hessian")
        pushed = [hvp(f, build(leaves), build(unit)) for unit in _units(leaves)]
        return build([build(row) for row in _blocks(pushed, leaves, leaves, -1)])

    return evaluate


def hvp(f: Callable[[Any], Any], x: Tree, direction: Tree) -> Any:
    """Multiply the Hessian of a scalar f at x by `direction`, without forming the Hessian: forward over reverse.

    The gradient is a graph; its tangent in the direction is H @ direction, for about the price of two gradients
    (Pearlmutter, "Fast exact multiplication by the Hessian", 1994). x, direction and the result have one structure.
    """
    values, build = flatten(x)
    directions = matching_leaves(direction, x, "hvp needs one direction for each part of x")
    shapes, direction_shapes = [shape_of(value) for value in values], [shape_of(d) for d in directions]
    if shapes != direction_shapes:
        raise ValueError(f"hvp: the direction has the shapes of x, {shapes}; got {direction_shapes}")
    if under_way.get() or any(isinstance(leaf, Traced) for leaf in values + directions):
        return jvp(grad(f), (x,), (direction,))[1]
    opened, nodes = _open_all(values)
    output = _one_number(called("hvp", f, [build(opened)]), "hvp")
    gradient = pull_nodes([output], [np.ones((), dtype_of(output))], nodes)
    moving = [g if isinstance(g, Node) else Constant(g) for g in gradient]
    return build(_unwrap(tangents(moving, nodes, directions), nodes))


def _one_number(output: Any, who: str) -> Array:
    """Return the value of a function to be differentiated: one number, or an error that describes it."""
    description = type(output).__name__
    if not isinstance(output, tuple | list | dict) and dtype_of(output).kind in "fiub":
        if shape_of(output) == ():
            return output
        description = f"shape {shape_of(output)}"
    raise ValueError(f"{who} needs a function with one number as its value, got {description}. Try sum() or mean()")


def _numbers(x: Tree, who: str) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Return the leaves of x with a shape and a floating dtype, and a function that rebuilds x from other leaves."""
    leaves, build = flatten(x)
    if not leaves:
        raise ValueError(f"{who} has nothing to differentiate by: the argument holds no numbers")
    return [np.float64(x) if isinstance(x, int | float) and not isinstance(x, np.generic) else x for x in leaves], build


def _units(leaves: list[Any]) -> Iterator[list[Any]]:
    """Yield the directions along one entry each of all leaves."""
    zeros = [np.zeros(shape_of(x), dtype_of(x)) for x in leaves]
    for j, zero in enumerate(zeros):
        for k in range(zero.size):
            unit = zero.copy()
            unit.reshape(-1)[k] = 1
            yield [*zeros[:j], unit, *zeros[j + 1 :]]


def _blocks(results: list[Any], sides: list[Any], others: list[Any], axis: int) -> list[list[Any]]:
    """Arrange the blocks of a Jacobian, by `others` and by `sides`, from the results for each unit of `sides`."""
    lines = [flatten(tree)[0] for tree in results]
    return [_cut([line[k] for line in lines], sides, axis, other) for k, other in enumerate(others)]


def _cut(parts: list[Any], sides: list[Any], axis: int, other: ArrayLike) -> list[Any]:
    """Split `parts`, one for each entry of `sides`, into an array for each of `sides`, with its axes first or last."""
    blocks, start = [], 0
    for side in sides:
        size = math.prod(shape_of(side))
        shape = shape_of(side) + shape_of(other) if axis == 0 else shape_of(other) + shape_of(side)
        some, start = parts[start : start + size], start + size
        x = other if axis == 0 else side  # the input of the derivative
        block = np.reshape(np.stack(some, axis), shape) if some else np.zeros(shape)
        blocks.append(plain(to(block, shape, dtype_of(x))))
    return blocks


def _each(x: Any) -> Any:
    """Make a separate copy of x for each example of each vmap under way, so that derivatives stay per example."""
    for vmap in under_way.get():
        x = vmap.own(x)
    return x


def _open_all(values: list[Any]) -> tuple[list[Any], list[Node]]:
    """`_open` for all; inside vmap each example gets arguments of its own, so that gradients are not added up."""
    if under_way.get():
        values = [_each(x if hasattr(x, "dtype") else np.float64(x)) for x in values]
    pairs = [_open(x) for x in values]
    return [x for x, _ in pairs], [node for _, node in pairs]


def _open(x: Any) -> tuple[Any, Node]:
    """Return the function's argument in place of x, and the node inside it to differentiate by.

    Inside another derivative x is already traced. A node gets a new node after it, so that this derivative stops there
    and does not reach the outer one. A dual number keeps its tangent, and its primal becomes the node. Inside vmap the
    node holds the values of all examples.
    """
    if type(x) in PULL:
        inside, node = _open(x._value)
        return x.with_value(inside), node
    node = identity(x) if isinstance(x, Node) else Argument(x)
    return node, node


def pulled_back(outputs: list[Any], seeds: list[Any], nodes: list[Node]) -> list[Any]:
    """seeds @ Jacobian, for each of `nodes`: one walk back from all outputs together.

    Inside other derivatives outputs or seeds are dual numbers, inside vmap examples: what began last holds the others,
    and is taken apart first.
    """
    layers = [x for x in (*outputs, *seeds) if type(x) in PULL]
    if not layers:
        return pull_nodes(outputs, seeds, nodes)
    top = max(layers, key=lambda x: x.tag)
    return PULL[type(top)](top, outputs, seeds, nodes)


def pull_nodes(outputs: list[Any], seeds: list[Any], nodes: list[Node]) -> list[Any]:
    """The adjoints of `nodes` in a graph."""
    start: dict[Node, Node] = {}
    for y, seed in zip(outputs, seeds, strict=True):
        if isinstance(y, Node):  # anything else does not depend on the arguments
            start[y] = start[y] + seed_node(y, seed) if y in start else seed_node(y, seed)
    adjoint_of = adjoint_nodes(start, nodes)
    return [adjoint_of[x] if x in adjoint_of else np.zeros(x.shape, x.dtype)[()] for x in nodes]


def _pull_duals(top: Dual, outputs: list[Any], seeds: list[Any], nodes: list[Node]) -> list[Any]:
    """The result is linear in outputs and seeds, so its tangent is by the rule of products: tangents of the outputs
    with the seeds, and outputs with tangents of the seeds.
    """
    y, y_tangent = zip(*(split(x, top.tag) for x in outputs), strict=True)
    u, u_tangent = zip(*(split(x, top.tag) for x in seeds), strict=True)
    moving = [any(isinstance(x, Dual) and x.tag == top.tag for x in part) for part in (outputs, seeds)]
    by_output = pulled_back([*y_tangent], [*u], nodes) if moving[0] else [None] * len(nodes)
    by_seed = pulled_back([*y], [*u_tangent], nodes) if moving[1] else [None] * len(nodes)
    parts = zip(pulled_back([*y], [*u], nodes), by_output, by_seed, strict=True)
    return [Dual(primal, total(tangents), top.tag) for primal, *tangents in parts]  # type: ignore[arg-type]


PULL: dict[type, Callable[..., list[Any]]] = {Dual: _pull_duals}  # by the topmost layer; vmap.py adds its examples


class Argument(Variable):
    """The variable that stands for a number during a derivative. Open while that derivative is being taken."""

    __slots__ = ("open",)

    def __init__(self, value: ArrayLike):
        super().__init__(value)
        self.open = True


def _unwrap(results: list[Any], arguments: list[Node]) -> list[Any]:
    """Turn nodes into numbers, unless they depend on an outer variable, whose derivative still needs them."""
    for node in arguments:
        if isinstance(node, Argument):
            node.open = False
    return [_unwrapped(x) for x in results]


def _unwrapped(x: Any) -> Any:
    if isinstance(x, Node):
        leaves = (node for node in topological_order(x) if isinstance(node, Variable))
        outside = any(not isinstance(leaf, Argument) or leaf.open for leaf in leaves)
        return x if outside else owned(x._value)
    return x.mapped(_unwrapped) if type(x) in PULL else owned(x)
