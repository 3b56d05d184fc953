"""The backward pass one node at a time, correct or broken on purpose, to show what each of its three rules is for.

`walk_back` describes a walk of explore (explore/walk.py) node by node, in sentences. It is for lessons: `Node.backward`
is the real one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from minigrad.core.graph import Node, topological_order
from minigrad_course.viz.draw import draw
from minigrad_course.viz.explore.record import lent, record
from minigrad_course.viz.explore.walk import Rules, walks
from minigrad_course.viz.picture import Picture


@dataclass(frozen=True)
class Step:
    """The moment after a node has passed on its adjoint: a description, and all adjoints."""

    sentence: str
    adjoints: dict[Node, float]

    def picture(self, output: Node) -> Picture:
        """Draw the graph of `output` with the adjoints of this moment."""
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
    events = walks(record(output), Rules(in_order, add, reset), passes=passes)
    for source, group in groupby(events, lambda event: event.share.source if event.share else event.kind):
        shares = list(group)
        if source == "reset":
            adjoint = {}
        adjoint |= {event.node: float(event.after) for event in shares if event.after is not None}
        if source == "seed":
            steps.append(Step(f"Seed: the output {names[output]} gets the adjoint 1", dict(adjoint)))
        elif isinstance(source, Node):
            shares_in_words = " and ".join(f"{float(event.amount):g} to {names[event.node]}" for event in shares)
            steps.append(Step(f"{names[source]} passes on {shares_in_words}", dict(adjoint)))
    return steps
