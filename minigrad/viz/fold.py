"""Many nodes in few boxes: a graph of thousands of nodes, drawn so that it says something.

A loop makes the same few operations again and again. So nodes that are alike share a box: those of one operation, one
shape and one source line. Then the boxes are divided, as far as the room allows: by the variables they use, and by the
boxes that their inputs come from, so that the beginning of a loop and the two matrix products of a recurrent layer
come apart. A network unrolled over time thereby folds back into its loop.

(To divide by what the neighbours are, again and again, is known as colour refinement.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from minigrad.graph import Node, Variable

ROOM = 60  # boxes of a folded picture: it is there for an overview
VARIABLES = 1 / 4  # the part of the room that variables may take before they share boxes as well
ROUNDS = 2  # how often boxes are divided by their inputs; each time the start of a loop unrolls by one node more
ARROWS_PER_BOX = 3  # layout time grows with the arrows: 100 boxes take 0.1 s with 200 arrows, and 120 s with 2,000

ALIKE = (  # by how much of their looks
    "all nodes",
    "nodes of one kind",
    "nodes of one operation",
    "nodes of one operation (but each output)",
    "nodes of one operation and one shape",
    "nodes of one operation, one shape and one source line",
)


def fits(nodes: Sequence[Node], most: int) -> bool:
    """Whether a graph can be drawn node by node with at most `most` boxes."""
    return len(nodes) <= most and sum(len(node.inputs) for node in nodes) <= ARROWS_PER_BOX * most


def folded(nodes: Sequence[Node], outputs: Sequence[Node], most: int) -> tuple[list[list[Node]], str]:
    """`nodes` (inputs before results) in at most `most` groups, ordered by their first node.

    Returns the groups, and what the nodes of a group have in common, in words.
    """
    most = min(most, ROOM)
    place = {id(node): i for i, node in enumerate(nodes)}
    inputs = [[place[id(x)] for x in node.inputs] for node in nodes]
    arrows = [(k, i) for i, sources in enumerate(inputs) for k in sources]
    wanted = {id(node): i for i, node in enumerate(outputs)}

    def fit(group: Sequence[int]) -> bool:
        return max(group) < most and len({(group[k], group[i]) for k, i in arrows}) <= ARROWS_PER_BOX * most

    looks = [(type(n), n.op.name if n.op else "", wanted.get(id(n)), n.shape, n.line) for n in nodes]
    for detail in (5, 4, 3, 2, 1, 0):  # as much of the looks as there is room for
        group = _numbered(look[:detail] for look in looks)
        if fit(group):
            break
    own = _numbered((group[i], i if isinstance(node, Variable) else None) for i, node in enumerate(nodes))
    if sum(isinstance(node, Variable) for node in nodes) <= VARIABLES * most and fit(own):
        group = own
    for _ in range(ROUNDS):
        finer = _numbered((group[i], *[group[k] for k in sources]) for i, sources in enumerate(inputs))
        if not fit(finer):
            break
        group = finer
    members: list[list[Node]] = [[] for _ in range(max(group) + 1)]
    for node, number in zip(nodes, group, strict=True):
        members[number].append(node)
    return members, ALIKE[detail]


def _numbered(looks: Iterable[Hashable]) -> list[int]:
    """Equal things get equal numbers, counted from 0 in order of appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(look, len(seen)) for look in looks]
