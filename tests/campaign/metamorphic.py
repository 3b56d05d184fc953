"""Laws that hold for every graph, whatever it computes, without a reference to compare with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core import graph as graph_room

Arrays = Sequence[np.ndarray]


def check_laws(fn: Callable[..., Any], inputs: Arrays, rng: np.random.Generator, which: int | None = None) -> None:
    """All four laws below on the graph of fn at `inputs`, or only number `which`, counted round and round."""
    variables = [mg.Variable(x) for x in inputs]
    graph = mg.Graph(fn(*variables))
    graph.backward()
    gradient = [np.copy(x.grad) for x in variables]
    laws: list[Callable[[], None]] = [
        lambda: two_backwards_add_up(graph, variables, gradient),
        lambda: linear_in_the_seed(graph, variables, gradient),
        lambda: any_order_gives_the_same(graph, variables, gradient, rng),
        lambda: rerun_equals_fresh(fn, graph, variables, [x + rng.normal(size=x.shape) for x in inputs]),
    ]
    for law in laws if which is None else [laws[which % len(laws)]]:
        law()


def two_backwards_add_up(graph: mg.Graph, variables: Sequence[mg.Variable], gradient: Arrays) -> None:
    """Without zero_grad() a second backward pass adds the same gradient again, to the last bit."""
    graph.backward()
    for x, g in zip(variables, gradient, strict=True):
        np.testing.assert_array_equal(x.grad, g + g)
    graph.zero_grad()
    for x in variables:
        np.testing.assert_array_equal(x.grad, np.zeros(x.shape))


def linear_in_the_seed(graph: mg.Graph, variables: Sequence[mg.Variable], gradient: Arrays) -> None:
    """A seed of -2.5 gives -2.5 times the gradient."""
    graph.zero_grad()
    graph.backward(np.full(graph.output.shape, -2.5))
    for x, g in zip(variables, gradient, strict=True):
        _close(x.grad, -2.5 * g)


def any_order_gives_the_same(
    graph: mg.Graph, variables: Sequence[mg.Variable], gradient: Arrays, rng: np.random.Generator
) -> None:
    """The reverse pass over any other topological order of the nodes gives the same gradient."""
    usual = graph_room.topological_order
    graph_room.topological_order = lambda *outputs: shuffled_order(rng, *outputs)
    try:
        adjoints = mg.adjoints(graph.output, variables)
    finally:
        graph_room.topological_order = usual
    for node, g in zip(adjoints, gradient, strict=True):
        _close(node.value, g)


def shuffled_order(rng: np.random.Generator, *outputs: mg.Node) -> list[mg.Node]:
    """A topological order in which, at each step, chance decides between the nodes whose inputs are all placed."""
    nodes, stack = {}, list(outputs)
    while stack:
        node = stack.pop()
        if id(node) not in nodes:
            nodes[id(node)] = node
            stack.extend(node.inputs)
    missing = {key: len({id(x) for x in node.inputs}) for key, node in nodes.items()}
    users: dict[int, list[mg.Node]] = {key: [] for key in nodes}
    for node in nodes.values():
        for key in {id(x) for x in node.inputs}:
            users[key].append(node)
    ready, order = [node for key, node in nodes.items() if not missing[key]], []
    while ready:
        node = ready.pop(int(rng.integers(len(ready))))
        order.append(node)
        for user in users[id(node)]:
            missing[id(user)] -= 1
            if not missing[id(user)]:
                ready.append(user)
    assert len(order) == len(nodes)
    return order


def rerun_equals_fresh(
    fn: Callable[..., Any], graph: mg.Graph, variables: Sequence[mg.Variable], inputs: Arrays
) -> None:
    """With new numbers in its variables, a graph that has run before gives what a new graph gives."""
    fresh = [mg.Variable(x) for x in inputs]
    with np.errstate(all="ignore"):
        output = fn(*fresh)
        output.backward()
        for variable, x in zip(variables, inputs, strict=True):
            variable.value = x
        graph.forward()
        graph.zero_grad()
        graph.backward()
    _close(graph.output.value, output.value)
    for again, first in zip(variables, fresh, strict=True):
        _close(again.grad, first.grad)


def _close(a: Any, b: Any) -> None:
    """Equal but for rounding: sums may be taken in another order."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.subtract(a, b))
    equal = (apart <= 1e-11 * (1 + np.abs(b))) | (np.equal(a, b)) | (np.isnan(a) & np.isnan(b))
    assert np.all(equal), f"{a} and {b} differ by up to {np.max(apart)}"
