"""From a graph to a picture of it: which nodes there are, which share a box, which arrows lead into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from minigrad import rules
from minigrad.graph import Graph, Node, topological_order
from minigrad.viz.boxes import count_kinds, folded_box, single_box, unique_names
from minigrad.viz.fold import ARROWS_PER_BOX, fits, folded
from minigrad.viz.picture import Picture
from minigrad.viz.sketch import Arrow, Sketch

DIRECTIONS = ("LR", "TB", "RL", "BT")
LONGEST_ROW = 12  # boxes from left to right that a notebook's width still shows in a readable size
MAX_NODES = 100  # nobody reads more boxes than this, and up to here the layout takes well under a second
SIDE_BY_SIDE = 4  # arrows between the same two boxes; more become one arrow with a count

UNORDERED = {rules.add, rules.mul, rules.maximum, rules.minimum, rules.equal, rules.not_equal}


def draw(
    *outputs: Node | Graph | Sequence[Node],
    adjoints: bool = True,
    direction: str | None = None,
    fold: bool | None = None,
    max_nodes: int = MAX_NODES,
) -> Picture:
    """A picture of what `outputs` are computed from: shows itself in a notebook, and saves itself to a file.

    outputs: one or more nodes, lists of nodes (such as `mg.adjoints` returns), or a Graph.
    adjoints: whether to show the adjoints that the last backward pass left in the nodes.
    direction: where the results lie: "LR" to the right, "TB" below, "RL" to the left, "BT" above. Not said, to the
        right; but below if the way to a result leads through more than 12 boxes, because notebooks scroll downwards.
    fold: True lets nodes that are alike share a box, False never does; not said, only a graph of more than
        `max_nodes` nodes, or of more than three arrows for each of these, is folded.
    max_nodes: the largest number of boxes. A folded picture has at most 60.

    A Variable has square corners, an Operator round ones, a Constant a dashed outline. A thick outline marks an
    output, a double one stands for many nodes. Arrows lead from inputs to what is computed from them; they are
    numbered where exchanging two inputs would matter. Values are those at the moment of the call: 6 significant
    digits for a number; 3 for the entries of an array of up to 3, and for the range of a larger one.

    Raises TypeError for what is no node, ValueError for an unknown direction, and for fold=False on a larger graph.
    """
    if direction not in (None, *DIRECTIONS):
        raise ValueError(f"draw knows direction {', '.join(map(repr, DIRECTIONS))}; got {direction!r}")
    if max_nodes < 1:
        raise ValueError(f"draw needs room for at least one box, got max_nodes={max_nodes}")
    wanted = list(dict.fromkeys(_nodes(outputs)))
    if not wanted:
        raise TypeError("draw needs a node to start from: draw(f), draw(f, g), draw(mg.adjoints(f, [x, y]))")
    nodes = topological_order(*wanted)
    small = fits(nodes, max_nodes)
    if fold is False and not small:
        arrows = sum(len(node.inputs) for node in nodes)
        raise ValueError(
            f"{len(nodes):,} nodes with {arrows:,} arrows are more than one picture shows, and laying them out could "
            "take minutes. Leave fold=False away and nodes that are alike will share boxes; or raise max_nodes to "
            f"{max(len(nodes), -(-arrows // ARROWS_PER_BOX)):,} and wait"
        )
    groups, alike = folded(nodes, wanted, max_nodes) if fold or not small else ([[node] for node in nodes], "")
    sketch = _sketch(nodes, wanted, groups, alike, adjoints)
    return Picture(sketch, direction or ("LR" if _depth(sketch) <= LONGEST_ROW else "TB"), groups)


def _nodes(given: Sequence[Any]) -> Iterator[Node]:
    """The nodes among what draw was given; a graph gives those that no other of its nodes is computed from."""
    for x in given:
        if isinstance(x, Node):
            yield x
        elif isinstance(x, Graph):
            used = {id(i) for node in x.nodes for i in node.inputs}
            yield from (node for node in x.nodes if id(node) not in used or node is x.output)
        elif isinstance(x, list | tuple):
            yield from _nodes(x)
        else:
            hint = ". Call it on Variables, and draw what it returns" if callable(x) else ""
            raise TypeError(f"draw needs a node or a Graph, got a {type(x).__name__}{hint}")


def _sketch(
    nodes: Sequence[Node], outputs: Sequence[Node], groups: list[list[Node]], alike: str, adjoints: bool
) -> Sketch:
    names = unique_names([group[0] for group in groups])
    for group in groups:
        if len(group) > 1:  # in formulas a node goes by the name of its box
            names.update(dict.fromkeys(map(id, group), f"{names[id(group[0])]}…"))
    wanted = {id(node) for node in outputs}
    box_of = {id(node): i for i, group in enumerate(groups) for node in group}
    boxes = []
    for group in groups:
        box = single_box(group[0], names, adjoints) if len(group) == 1 else folded_box(group, names)
        boxes.append(replace(box, output=any(id(node) in wanted for node in group)))
    caption = ""
    if len(groups) < len(nodes):
        caption = f"{len(nodes):,} nodes folded into {len(groups)} boxes: {alike} share a box"
    shown = [names[id(node)] for node in outputs[:8]] + (["…"] if len(outputs) > 8 else [])
    summary = f"Graph of {count_kinds(nodes)}. Output: {', '.join(shown)}."
    return Sketch(tuple(boxes), tuple(_arrows(groups, box_of)), summary, caption)


def _arrows(groups: list[list[Node]], box_of: dict[int, int]) -> Iterator[Arrow]:
    """An arrow for each input of each node; where nodes are folded, one with a count for all that lie side by side."""
    counts: Counter[tuple[int, int, int | None]] = Counter()
    for head, group in enumerate(groups):
        for node in group:
            ordered = len(node.inputs) > 1 and node.op not in UNORDERED
            tails = [box_of[id(x)] for x in node.inputs]
            places = Counter(tails)
            for i, tail in enumerate(tails, 1):
                numbered = ordered and places[tail] <= SIDE_BY_SIDE  # 28 states joined together are one arrow
                counts[tail, head, i if numbered else None] += 1
    for (tail, head, position), count in counts.items():
        if count <= SIDE_BY_SIDE and len(groups[tail]) == len(groups[head]) == 1:
            yield from [Arrow(tail, head, position)] * count
        else:
            yield Arrow(tail, head, position, count)


def _depth(sketch: Sketch) -> int:
    """How many boxes the longest way leads through; arrows back to an earlier box do not count."""
    depth = [1] * len(sketch.boxes)
    for arrow in sorted(sketch.arrows, key=lambda arrow: arrow.head):
        if arrow.tail < arrow.head:
            depth[arrow.head] = max(depth[arrow.head], depth[arrow.tail] + 1)
    return max(depth)
