"""The backward pass one node at a time, right or broken on purpose, to look at what each of its three rules is for.

`walk_back` really runs the pass, on the nodes of a graph of single numbers, with switches that leave a rule out. It is
for lessons: `Node.backward` is the real one. `explore` shows such walks share by share, with a slider.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.graph import Node, topological_order
from minigrad_course.viz.draw import draw
from minigrad_course.viz.picture import Picture


@dataclass(frozen=True)
class Step:
    """After a node has passed its adjoint on: what happened in words, and all adjoints at this moment."""

    sentence: str
    adjoints: dict[Node, float]

    def picture(self, output: Node) -> Picture:
        """The graph of `output` with the adjoints of this moment."""
        with lent(topological_order(output), self.adjoints):
            return draw(output)


def walk_back(
    output: Node, *, in_order: bool = True, add: bool = True, reset: bool = True, passes: int = 1
) -> list[Step]:
    """The steps of a backward pass from `output`, a node whose graph holds single numbers.

    in_order=False takes a node as soon as something reached it, without waiting for the rest. add=False overwrites an
    adjoint where it should add. reset=False starts the second of several `passes` with what the first one left.
    """
    order = topological_order(output)
    if any(node.shape for node in order):
        raise ValueError("walk_back is for graphs of single numbers: arrays would not fit into the pictures")
    names = {node: node.name or f"v{k}" for k, node in enumerate(order)}
    adjoint: dict[Node, float] = {}
    steps: list[Step] = []
    for _ in range(passes):
        if reset:
            adjoint = {}
        adjoint[output] = 1.0
        steps.append(Step(f"Seed: the output {names[output]} gets the adjoint 1", dict(adjoint)))
        for node in reversed(order) if in_order else _as_reached(output):
            if node.op is None:
                continue
            said = []
            for i, x in enumerate(node.inputs):
                passed = node.op.vjp(i, np.float64(adjoint[node]), node._value, *(y._value for y in node.inputs))
                passed = 0.0 if passed is None else float(passed)
                adjoint[x] = adjoint.get(x, 0.0) + passed if add else passed
                said.append(f"{passed:g} to {names[x]}")
            steps.append(Step(f"{names[node]} passes on {' and '.join(said)}", dict(adjoint)))
    return steps


def _as_reached(output: Node) -> Iterator[Node]:
    """Each node once, in the order in which a walk from the output meets them first."""
    queue, seen = [output], {output}
    while queue:
        node = queue.pop(0)
        yield node
        for x in node.inputs:
            if x not in seen:
                seen.add(x)
                queue.append(x)


@contextmanager
def lent(nodes: Sequence[Node], adjoints: Mapping[Node, Any]) -> Iterator[None]:
    """Lend the nodes these adjoints for the time of a drawing."""
    kept = [node._adjoint for node in nodes]
    try:
        for node in nodes:
            node._adjoint = np.asarray(adjoints[node]) if node in adjoints else None
        yield
    finally:
        for node, adjoint in zip(nodes, kept, strict=True):
            node._adjoint = adjoint
