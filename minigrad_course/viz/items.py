"""A graph as pictures need it: a list of items, inputs first, each with the part of the program it belongs to.

An item is a node. Only where a loop that is one node of the graph (`mg.scan`) is to be shown open do they differ: then
the nodes of its cell become items as well, and read what the loop hands them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush

from minigrad.core.block import BACKWARD, Block
from minigrad.core.graph import Constant, Node, Variable, topological_order
from minigrad.loops.scan import Scan

Path = tuple[Block, ...]  # from the outermost block to the innermost
Label = tuple[str, str]  # name and kind: common to all runs of a part

LOOP = "scan"  # the kind of block that is the cell of a loop
FEW = 6  # operations outside the outermost block, such as those of a loss


@dataclass
class Item:
    """A node in a picture. `inputs` are indices of items."""

    node: Node
    inputs: list[int]
    path: Path = ()
    looped: bool = False  # in the cell of a loop: its value belongs to one step, so it is not shown
    called: str = ""  # in an open loop, the role of an input or result of the loop


@dataclass
class Items:
    """All of them, the places of the outputs, and the pairs (from, to) that a loop hands from one step to the next."""

    items: list[Item]
    outputs: list[int]
    again: list[tuple[int, int]]


def items_of(nodes: Sequence[Node], outputs: Sequence[Node], is_open: Callable[[Block], bool]) -> Items:
    """The items of `nodes` (inputs before results). Loops for whose block `is_open` is true show their cell."""
    collector = _Collector(is_open, {id(node) for node in outputs})
    places = collector.add(nodes, {}, (), 0)
    _place_leaves(collector.items)
    return Items(collector.items, [places[id(node)] for node in outputs], collector.again)


def labels(path: Path) -> tuple[Label, ...]:
    """Return the labels of a path's blocks, which all runs of one part share."""
    return tuple((block.name, block.kind) for block in path)


def is_backward(path: Path) -> bool:
    """Tell whether a path lies in a backward part."""
    return any(block.kind == BACKWARD for block in path)


def layer_names(items: Sequence[Item]) -> dict[Block, str]:
    """Name layers that have only a number, as those in a `Sequential`: `Linear 784 to 300`."""
    weights: dict[Block, tuple[int, ...]] = {}
    for item in items:
        for block in item.path:
            if block.name.isdigit():
                weights.setdefault(block, ())
        if item.path and item.path[-1] in weights:
            shapes = [items[k].node.shape for k in item.inputs if isinstance(items[k].node, Variable)]
            weights[item.path[-1]] = max([weights[item.path[-1]], *shapes], key=len)
    return {block: " ".join([block.kind, _sizes(shape)]).rstrip() for block, shape in weights.items()}


def _sizes(weight: tuple[int, ...]) -> str:
    """Describe a weight's sizes: numbers or channels in and out, and the pixels of a filter."""
    if len(weight) < 2:
        return ""
    inside = ", " + " × ".join(map(str, weight[2:])) if len(weight) > 2 else ""
    return f"{weight[1]} to {weight[0]}{inside}"


def in_order_of_steps(nodes: Sequence[Node]) -> list[Node]:
    """The same nodes, each still after its inputs, but step 1 of a loop before step 2. A leaf is where it is used."""
    first: dict[Node, tuple[int, ...]] = {}  # the numbers of the runs around a node, or around what it comes after
    for node in nodes:
        own = () if node.op is None else _runs_around(node.block)
        first[node] = max([own, *(first[x] for x in node.inputs)])
    if not any(first.values()):
        return list(nodes)
    use: dict[Node, tuple[int, ...]] = {}
    for node in reversed(nodes):
        first[node] = first[node] or use.get(node, ())
        for x in node.inputs:
            use[x] = min(use.get(x, first[node]), first[node])
    place = {node: k for k, node in enumerate(nodes)}
    missing = {node: len(set(node.inputs)) for node in nodes}
    users: defaultdict[Node, list[Node]] = defaultdict(list)
    for node in nodes:
        for x in dict.fromkeys(node.inputs):
            users[x].append(node)
    ready = [(first[node], place[node], node) for node in nodes if not missing[node]]
    heapify(ready)
    order = []
    while ready:
        *_, node = heappop(ready)
        order.append(node)
        for user in users[node]:
            missing[user] -= 1
            if not missing[user]:
                heappush(ready, (first[user], place[user], user))
    return order


def _runs_around(block: Block | None) -> tuple[int, ...]:
    numbers = []
    while block is not None:
        numbers += [] if block.number is None else [block.number]
        block = block.outer
    return tuple(reversed(numbers))


def passes(items: Sequence[Item]) -> list[Block]:
    """Return the backward passes, each after those that it passes back through."""
    before: dict[Block, list[Block]] = {}
    for item in items:
        own = _pass(item.path[-1]) if item.path else None
        if own is not None:
            required = before.setdefault(own, [])
            others = dict.fromkeys(_pass(x.block) for x in item.node.adjoint_of)
            required += [other for other in others if other is not None and other is not own]
    return [block for block in TopologicalSorter(before).static_order() if block in before]


def _pass(block: Block | None) -> Block | None:
    """Return the backward pass that contains a block, if any."""
    while block is not None and block.kind != BACKWARD:
        block = block.outer
    return block


def without_outermost(items: Sequence[Item], kept: Callable[[Block], bool]) -> None:
    """Drop a block that contains nearly everything, such as the network, since its frame would say nothing.

    kept: tells whether a block stays anyway.
    """
    while True:
        ways = [_within(item.path) for item in items]
        first = {way[0] for way in ways if way}
        forward = {way[0] for item, way in zip(items, ways, strict=True) if way and not is_backward(item.path)}
        outside = sum(not way and item.node.op is not None for item, way in zip(items, ways, strict=True))
        nested = any(len(way) > 1 for way in ways)
        if not nested or outside > FEW or len(forward) > 1 or len({(block.name, block.kind) for block in first}) != 1:
            return
        if any(kept(block) or block.kind == LOOP for block in first):
            return
        for item, way in zip(items, ways, strict=True):
            if way:
                item.path = item.path[: len(item.path) - len(way)] + way[1:]


def _within(path: Path) -> Path:
    """Return the part of a path inside the backward passes."""
    start = max((i for i, block in enumerate(path, 1) if block.kind == BACKWARD), default=0)
    return path[start:]


class _Collector:
    def __init__(self, is_open: Callable[[Block], bool], outputs: set[int]):
        self.is_open, self.outputs = is_open, outputs
        self.items: list[Item] = []
        self.again: list[tuple[int, int]] = []
        self._paths: dict[Block | None, Path] = {None: ()}

    def path(self, block: Block | None) -> Path:
        if block not in self._paths:
            assert block is not None
            self._paths[block] = (*self.path(block.outer), block)
        return self._paths[block]

    def add(self, nodes: Iterable[Node], places: dict[int, int], cell: Path, depth: int) -> dict[int, int]:
        """Append `nodes`, except those that have places already; returns the places of all.

        cell: the path of the loop whose cell they are, if they are one; depth: that of the loop itself.
        """
        results: dict[int, list[int]] = {}  # the items that hold the results of each open loop
        for node in nodes:
            if id(node) in places:
                continue
            path = self.path(node.block)
            if cell:
                path = cell if is_backward(path[depth:]) else cell + path[depth:]
            if isinstance(node.op, Scan) and id(node) not in self.outputs and self.is_open(loop := loop_block(node.op)):
                sources = [places[id(x)] for x in node.inputs]
                results[id(node)] = self.open(node.op, sources, (*path, loop), len(self.path(node.block)))
            elif node.inputs and id(node.inputs[0]) in results:
                loop_op, part = node.inputs[0].op, node.op.part if node.op else None
                assert isinstance(loop_op, Scan)
                assert part is not None  # nothing else reads what a loop leaves
                called = "last step" if part < len(loop_op.body.carry_in) else "all steps"
                places[id(node)] = self.append(Item(node, [results[id(node.inputs[0])][part]], path, False, called))
            else:
                sources = [places[id(x)] for x in node.inputs]
                places[id(node)] = self.append(Item(node, sources, path, bool(cell) and node.op is not None))
        return places

    def append(self, item: Item) -> int:
        self.items.append(item)
        return len(self.items) - 1

    def open(self, loop: Scan, sources: list[int], path: Path, depth: int) -> list[int]:
        """Append the cell of a loop that reads `sources`; returns the items that hold its results."""
        body = loop.body
        start, xs, free = loop.split(sources)
        places = {id(node): source for node, source in zip(body.free_in, free, strict=True)}
        for called, leaves, outside in (("state", body.carry_in, start), ("x[t]", body.x_in, xs)):
            for node, source in zip(leaves, outside, strict=True):
                places[id(node)] = self.append(Item(node, [source], path, True, called))
        results = [*body.carry_out, *loop.ys]
        places = self.add(topological_order(*results), places, path, depth)
        for before, after in zip(body.carry_in, body.carry_out, strict=True):
            self.again.append((places[id(after)], places[id(before)]))
        return [places[id(node)] for node in results]


def loop_block(loop: Scan) -> Block:
    """Return the block that shows the cell of a loop."""
    return Block(f"{loop.steps} steps{', last to first' if loop.backwards else ''}", LOOP)


def _place_leaves(items: Sequence[Item]) -> None:
    """Place each leaf in the innermost block that contains all its uses; forward uses take precedence.

    But what every step of an open loop reads lies outside of the loop, data outside of the layer it is given to, and a
    variable outside of the backward pass.
    """
    users: defaultdict[int, list[Path]] = defaultdict(list)
    for item in items:
        for k in item.inputs:
            users[k].append(item.path)
    for k, item in enumerate(items):
        if item.node.op is None and not item.looped:
            paths = [path for path in users[k] if not is_backward(path)] or users[k]
            path = common(paths) if paths else ()
            item.path = path[
                : next((i for i, block in enumerate(path) if _keeps_out(item.node, block, path)), len(path))
            ]


def _keeps_out(leaf: Node, block: Block, path: Path) -> bool:
    """Tell whether a leaf stays outside a block that uses it."""
    if block.kind in (LOOP, BACKWARD) and isinstance(leaf, Variable):
        return True
    data = isinstance(leaf, Constant) and leaf.shape != ()
    return block.kind == LOOP or (data and block.number is None and not is_backward(path))


def common(paths: Sequence[Path]) -> Path:
    """Return the blocks that all paths start with."""
    shared = paths[0]
    for path in paths[1:]:
        alike = next((i for i, (a, b) in enumerate(zip(shared, path, strict=False)) if a is not b), len(path))
        shared = shared[:alike]
    return shared
