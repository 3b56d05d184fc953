"""The backward pass one node at a time, right or broken on purpose, to look at what each of its three rules is for.

`walk_back` really runs the pass, on the nodes of a graph of single numbers, with switches that leave a rule out. It is
for lessons: `Node.backward` is the real one. `stepper` shows the same walk with a slider and check boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.graph import Node, topological_order
from minigrad.viz.draw import draw
from minigrad.viz.picture import Picture


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


def stepper(output: Node) -> Any:
    """A widget: a slider through the steps of the backward pass, and three switches that break it."""
    try:
        import ipywidgets as widgets
    except ImportError:
        raise ImportError("the stepper needs ipywidgets, which is not installed: pip install ipywidgets") from None

    slider = widgets.IntSlider(0, min=0, max=1, description="step", continuous_update=True)
    labels = ("no topological order", "= instead of +=", "no reset (two passes)")
    boxes = [widgets.Checkbox(False, description=text, indent=False) for text in labels]
    said, picture = widgets.HTML(), widgets.HTML()
    picture.add_class("minigrad-stepper")
    steps: list[Step] = []

    def show(_: Any = None) -> None:
        step = steps[slider.value]
        said.value = f"<b>Step {slider.value} of {len(steps) - 1}.</b> {step.sentence}."
        picture.value = step.picture(output).svg

    def walk(_: Any = None) -> None:
        no_order, overwrite, no_reset = (box.value for box in boxes)
        passes = 2 if no_reset else 1
        steps[:] = walk_back(output, in_order=not no_order, add=not overwrite, reset=not no_reset, passes=passes)
        slider.max = len(steps) - 1
        show()

    slider.observe(show, "value")
    for box in boxes:
        box.observe(walk, "value")
    walk()
    return widgets.VBox([widgets.HBox(boxes), slider, said, picture])
