"""A graph as pictures need it: its nodes, inputs first, each with the part of the program it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from minigrad.core.block import BACKWARD, Block
from minigrad.core.graph import Constant, Node, Variable

T = TypeVar("T")
Path = tuple[Block, ...]  # from the outermost block to the innermost
Label = tuple[str, str]  # name and kind: common to all runs of a part

FEW = 6  # operations outside the outermost block, such as those of a loss


@dataclass
class Item:
    """A node in a picture. `inputs` are indices of items."""

    node: Node
    inputs: list[int]
    path: Path = ()


def items_of(nodes: Sequence[Node]) -> list[Item]:
    """Return the items of `nodes` (inputs before results), step 1 of a loop before step 2."""
    nodes = _in_order_of_steps(nodes)
    places = {node: k for k, node in enumerate(nodes)}
    items = [Item(node, [places[x] for x in node.inputs], _path(node.block)) for node in nodes]
    _place_leaves(items)
    return items


def _path(block: Block | None) -> Path:
    return () if block is None else (*_path(block.outer), block)


def labels(path: Path) -> tuple[Label, ...]:
    """Return the labels of a path's blocks, which all runs of one part share."""
    return tuple((block.name, block.kind) for block in path)


def is_backward(path: Path) -> bool:
    """Tell whether a path lies in a backward part."""
    return any(block.kind == BACKWARD for block in path)


def _in_order_of_steps(nodes: Sequence[Node]) -> list[Node]:
    """Sort by the runs around a node, or around what it comes after; a leaf goes where it is first used."""
    first: dict[Node, tuple[int, ...]] = {}
    for node in nodes:
        own = () if node.op is None else tuple(block.number for block in _path(node.block) if block.number is not None)
        first[node] = max([own, *(first[x] for x in node.inputs)])
    use: dict[Node, tuple[int, ...]] = {}
    for node in reversed(nodes):
        first[node] = first[node] or use.get(node, ())
        for x in node.inputs:
            use[x] = min(use.get(x, first[node]), first[node])
    return sorted(nodes, key=first.__getitem__)  # stable, and no node is before its inputs


def passes(items: Sequence[Item]) -> list[Block]:
    """Return the backward passes, the first one first."""
    return list(dict.fromkeys(block for item in items for block in item.path if block.kind == BACKWARD))


def without_outermost(items: Sequence[Item], stays: Callable[[Block], bool]) -> None:
    """Drop a block that contains nearly everything, such as the network, since its frame would say nothing.

    stays: tells whether a block is not dropped anyway.
    """
    while True:
        ways = [_within(item.path) for item in items]
        first = {way[0] for way in ways if way}
        forward = {way[0] for item, way in zip(items, ways, strict=True) if way and not is_backward(item.path)}
        outside = sum(not way and item.node.op is not None for item, way in zip(items, ways, strict=True))
        nested = any(len(way) > 1 for way in ways)
        if not nested or outside > FEW or len(forward) > 1 or len({(block.name, block.kind) for block in first}) != 1:
            return
        if any(map(stays, first)):
            return
        for item, way in zip(items, ways, strict=True):
            if way:
                item.path = item.path[: len(item.path) - len(way)] + way[1:]


def _within(path: Path) -> Path:
    """Return the part of a path inside the backward passes."""
    start = max((i for i, block in enumerate(path, 1) if block.kind == BACKWARD), default=0)
    return path[start:]


def _place_leaves(items: Sequence[Item]) -> None:
    """Place each leaf in the innermost block that contains all its uses; forward uses take precedence.

    But data lies outside of the layer it is given to, and a variable outside of the backward pass.
    """
    users: defaultdict[int, list[Path]] = defaultdict(list)
    for item in items:
        for k in item.inputs:
            users[k].append(item.path)
    for k, item in enumerate(items):
        if item.node.op is None:
            paths = [path for path in users[k] if not is_backward(path)] or users[k]
            path = common(paths)
            outside = (i for i, block in enumerate(path) if _stays_outside(item.node, block, path))
            item.path = path[: next(outside, len(path))]


def _stays_outside(leaf: Node, block: Block, path: Path) -> bool:
    """Tell whether a leaf stays outside a block that uses it."""
    if isinstance(leaf, Variable):
        return block.kind == BACKWARD
    return isinstance(leaf, Constant) and leaf.shape != () and block.number is None and not is_backward(path)


def common(ways: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    """Return what all tuples start with."""
    shared = ways[0] if ways else ()
    for way in ways[1:]:
        shared = shared[: next((i for i, (a, b) in enumerate(zip(shared, way, strict=False)) if a != b), len(way))]
    return shared
