"""Many nodes in few boxes: a layer, or a step of a loop, becomes one box."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from minigrad.core.block import BACKWARD, Block
from minigrad_course.viz.items import Item, Path

ARROWS_PER_BOX = 3  # layout time grows with the arrows: 100 boxes take 0.1 s with 200 arrows, and 120 s with 2,000


@dataclass(frozen=True)
class Unit:
    """The content of a box: an item, or all items of a folded block (as indices of items)."""

    items: tuple[int, ...]
    path: Path  # what it lies in
    block: Block | None = None


def units(items: Sequence[Item], is_folded: Callable[[Block], bool]) -> list[Unit]:
    """Split the items into units, each on its own or in its outermost folded block, ordered by their last items."""
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    for k, item in enumerate(items):
        depth = next((d for d, block in enumerate(item.path, 1) if is_folded(block)), 0)
        members[item.path[:depth] or k].append(k)
    parts = [
        Unit(tuple(places), key[:-1], key[-1]) if isinstance(key, tuple) else Unit(tuple(places), items[places[0]].path)
        for key, places in members.items()
    ]
    return sorted(parts, key=lambda unit: unit.items[-1])


def fold(
    items: Sequence[Item], closed: Callable[[Block], bool], all_layers: bool | None, most: int
) -> list[Unit] | None:
    """Fold the `closed` blocks, and all layers and parts where `most` boxes do not hold the rest; None if none do.

    all_layers: True to fold them anyway, False to fold `closed` ones alone.
    """
    own = units(items, closed)
    if not all_layers and fits(own, items, most):
        return own
    layers = units(items, lambda block: closed(block) or block.kind != BACKWARD)
    return layers if all_layers is not False and fits(layers, items, most) else None


def fits(split: Sequence[Unit], items: Sequence[Item], most: int) -> bool:
    """Tell whether a picture with a box for each unit, of at most `most`, can be laid out in reasonable time."""
    box = {k: number for number, unit in enumerate(split) for k in unit.items}
    arrows = {(box[k], box[j]) for j, item in enumerate(items) for k in item.inputs}
    return len(split) <= most and len(arrows) <= ARROWS_PER_BOX * most
