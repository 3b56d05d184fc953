"""Many nodes in few boxes: a layer, or a step of a loop, becomes one box, or the runs of a part share their boxes.

So a network written out over time folds back into its loop. Where nothing is known about the program, nodes of one
operation, one shape and one source line share a box.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from minigrad.core.block import BACKWARD, Block
from minigrad_course.viz.items import Item, Label, Path, labels

ARROWS_PER_BOX = 3  # layout time grows with the arrows: 100 boxes take 0.1 s with 200 arrows, and 120 s with 2,000


@dataclass(frozen=True)
class Unit:
    """An item, or all items of a folded block (as indices of items), which gets a box alone or with others."""

    items: tuple[int, ...]
    path: Path  # what it lies in
    block: Block | None = None

    @property
    def whole(self) -> Path:
        return self.path if self.block is None else (*self.path, self.block)


@dataclass(frozen=True)
class Folded:
    """The units that share each box; the repeated parts, if their runs share boxes; and what was done, in words."""

    groups: list[list[Unit]]
    repeats: Repeats
    why: list[str]


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


class Repeats:
    """The parts of the program that ran more than once; with `counted` only numbered ones, such as steps."""

    def __init__(self, paths: Iterable[Path], counted: bool = False):
        runs: defaultdict[tuple[Label, ...], set[Block]] = defaultdict(set)
        for path in set(paths):
            for depth, block in enumerate(path, 1):
                if block.number is not None or not counted:
                    runs[labels(path[:depth])].add(block)
        self.runs = {way: len(blocks) for way, blocks in runs.items() if len(blocks) > 1}

    def __contains__(self, path: Path) -> bool:
        return any(labels(path[:depth]) in self.runs for depth in range(1, len(path) + 1))

    @property
    def text(self) -> str:
        """Name the outermost repeated parts, as in `28 × step`."""
        outer = [way for way in self.runs if not any(way[:depth] in self.runs for depth in range(1, len(way)))]
        return ", ".join(dict.fromkeys(f"{self.runs[way]} × {way[-1][0]}" for way in outer))


def fold(
    items: Sequence[Item],
    outputs: Mapping[int, int],
    closed: Callable[[Block], bool],
    opened: Callable[[Block], bool],
    all_layers: bool | None,
    most: int,
) -> Folded | None:
    """Choose what shares a box, as little as `most` boxes need; None if there is no way.

    outputs: a number for each item that is an output. closed, opened: tell whether a block is folded, or stays open.
    all_layers: True to fold all layers, False to fold only `closed` ones.
    """
    own = units(items, closed)
    if not all_layers and fits(range(len(own)), own, items, most):
        return Folded([[unit] for unit in own], Repeats([]), [])
    if all_layers is False:
        return None
    paths = {item.path for item in items}
    stay = {outer for path in paths for depth, block in enumerate(path, 1) if opened(block) for outer in path[:depth]}
    layers = units(items, lambda block: closed(block) or (block not in stay and block.kind != BACKWARD))
    fewer = ["each layer or part as one box"] if len(layers) < len(own) else []
    for split, why in ((layers, fewer),) if all_layers else ((own, []), (layers, fewer)):
        kinds = [_traits(unit, items, outputs) for unit in split]
        for counted in (True, False):
            repeats = Repeats((unit.whole for unit in split), counted)
            group = _share_runs(kinds, split, repeats)
            runs = [f"{repeats.text} in one place: alike nodes of all runs share a box"] if repeats.runs else []
            if (why or runs or all_layers) and fits(group, split, items, most):
                return Folded(_gather(group, split), repeats, why + runs)
    group = _numbered(kinds)
    if not fits(group, split, items, most):
        return None
    alike = "nodes of one operation, one shape and one source line share a box"
    return Folded(_gather(group, split), Repeats([]), [*fewer, alike])


def fits(group: Sequence[int], split: Sequence[Unit], items: Sequence[Item], most: int) -> bool:
    """Tell whether a picture with these boxes, of at most `most`, can be laid out in reasonable time."""
    box = {k: number for number, unit in zip(group, split, strict=True) for k in unit.items}
    arrows = {(box[k], box[j]) for j, item in enumerate(items) for k in item.inputs}
    return max(group) < most and len(arrows) <= ARROWS_PER_BOX * most


def _traits(unit: Unit, items: Sequence[Item], outputs: Mapping[int, int]) -> tuple[Hashable, ...]:
    """Return what units that share a box have in common."""
    output = next((outputs[k] for k in unit.items if k in outputs), None)
    if unit.block is not None:
        return unit.block.name, unit.block.kind, output, labels(unit.path)
    node = items[unit.items[0]].node
    return type(node).__name__, node.op.name if node.op else "", output, node.shape, node.line, labels(unit.path)


def _share_runs(traits: Sequence[Hashable], split: Sequence[Unit], repeats: Repeats) -> list[int]:
    """Assign a box number to each unit, where the runs of a repeated part share their boxes."""
    ranks: Counter[Hashable] = Counter()
    keys: list[Hashable] = []
    for k, (unit, own) in enumerate(zip(split, traits, strict=True)):
        keys.append((own, ranks[unit.whole, own]) if unit.whole in repeats else k)
        ranks[unit.whole, own] += 1
    return _numbered(keys)


def _gather(group: Sequence[int], split: Sequence[Unit]) -> list[list[Unit]]:
    groups: list[list[Unit]] = [[] for _ in range(max(group) + 1)]
    for unit, number in zip(split, group, strict=True):
        groups[number].append(unit)
    return groups


def _numbered(things: Iterable[Hashable]) -> list[int]:
    """Number equal things equally, from 0 in order of appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(thing, len(seen)) for thing in things]
