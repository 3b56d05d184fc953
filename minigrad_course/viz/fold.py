"""Many nodes in few boxes: a graph of thousands of nodes, drawn so that it says something.

A layer, or a step of a loop, can be one box: a *folded* block. And boxes that are alike can be *shared*:

  - Where a part of the program ran again and again, as the steps of a recurrent network, the boxes of all its runs
    are laid on top of each other.
  - Where nothing is known about the program, nodes of one operation, one shape and one source line share a box. Then
    the boxes are divided, as far as the room allows: by the variables they use, and by the boxes that their inputs
    come from, so that the beginning of a loop and the two matrix products of a recurrent layer come apart. (To divide
    by what the neighbours are, again and again, is known as colour refinement.)

Either way a network written out over time folds back into its loop.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from minigrad.core.block import BACKWARD, Block
from minigrad.core.graph import Variable
from minigrad_course.viz.items import Item, Label, Path, labels

ROOM = 60  # boxes of a picture whose nodes share boxes by their traits: an overview
VARIABLES = 1 / 4  # the part of the room that variables may take before they share boxes as well
ROUNDS = 2  # how often boxes are divided by their inputs; each time the start of a loop unrolls by one node more
ARROWS_PER_BOX = 3  # layout time grows with the arrows: 100 boxes take 0.1 s with 200 arrows, and 120 s with 2,000

ALIKE = (  # in how many traits
    "all nodes",
    "nodes of one kind",
    "nodes of one operation",
    "nodes of one operation (but each output)",
    "nodes of one operation and one shape",
    "nodes of one operation, one shape and one source line",
    "nodes of one operation, one shape and one source line",  # and in one part of the program
)


@dataclass(frozen=True)
class Unit:
    """An item, or all items of a folded block (as indices of items), which gets a box alone or with others."""

    items: tuple[int, ...]
    path: Path  # what it lies in
    block: Block | None = None

    @property
    def whole(self) -> Path:
        return self.path if self.block is None else (*self.path, self.block)


def units(items: Sequence[Item], is_folded: Callable[[Block], bool]) -> list[Unit]:
    """Split the items into units, each on its own or in its outermost folded block, ordered by their last items."""
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    folded: dict[Path, Path] = {}
    for k, item in enumerate(items):
        if item.path not in folded:
            depth = next((d for d, block in enumerate(item.path, 1) if is_folded(block)), 0)
            folded[item.path] = item.path[:depth]
        members[folded[item.path] or k].append(k)
    groups = [
        Unit(tuple(places), key[:-1], key[-1]) if isinstance(key, tuple) else Unit(tuple(places), items[places[0]].path)
        for key, places in members.items()
    ]
    return sorted(groups, key=lambda unit: unit.items[-1])


def outermost(items: Sequence[Item], opened: Callable[[Block], bool]) -> Callable[[Block], bool]:
    """Return a test for folded blocks: all but the `opened` ones and the blocks around those."""
    paths = {item.path for item in items}
    stay = {outer for path in paths for depth, block in enumerate(path, 1) if opened(block) for outer in path[:depth]}
    return lambda block: block not in stay and block.kind != BACKWARD


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


def traits(unit: Unit, items: Sequence[Item], wanted: Mapping[int, int]) -> tuple[Hashable, ...]:
    """Describe a unit, the coarsest trait first. wanted: a number for each item that is an output."""
    output = next((wanted[k] for k in unit.items if k in wanted), None)
    if unit.block is not None:
        return unit.block.name, unit.block.kind, output, (), None, labels(unit.path)
    node = items[unit.items[0]].node
    return type(node).__name__, node.op.name if node.op else "", output, node.shape, node.line, labels(unit.path)


def share_runs(traits: Sequence[Hashable], units: Sequence[Unit], repeats: Repeats) -> list[int]:
    """Assign a box number to each unit, where the runs of a repeated part share their boxes."""
    ranks: Counter[Hashable] = Counter()
    keys: list[Hashable] = []
    for k, (unit, own) in enumerate(zip(units, traits, strict=True)):
        if unit.whole not in repeats:
            keys.append(k)
            continue
        keys.append((own, unit.block is None, ranks[unit.whole, own]))
        ranks[unit.whole, own] += 1
    return _numbered(keys)


def fits(group: Sequence[int], arrows: Iterable[tuple[int, int]], most: int) -> bool:
    """Tell whether a picture with these boxes, of at most `most`, can be laid out in reasonable time."""
    boxes = max(group) + 1
    return boxes <= most and len({(group[k], group[i]) for k, i in arrows}) <= ARROWS_PER_BOX * most


def share_alike(
    traits: Sequence[tuple[Hashable, ...]], variables: Sequence[bool], arrows: Sequence[tuple[int, int]], most: int
) -> tuple[list[int], str]:
    """Assign a box number to each unit, where similar units share one; also describe what these have in common.

    variables: whether a unit is a variable. arrows: (from, to), as places among the units. At most `most` boxes.
    """
    most = min(most, ROOM)
    inputs: list[list[int]] = [[] for _ in traits]
    for tail, head in arrows:
        inputs[head].append(tail)
    for detail in range(len(ALIKE) - 1, -1, -1):  # as many traits as there is room for
        group = _numbered(whole[:detail] for whole in traits)
        if fits(group, arrows, most):
            break
    own = _numbered((group[i], i if variable else None) for i, variable in enumerate(variables))
    if sum(variables) <= VARIABLES * most and fits(own, arrows, most):
        group = own
    for _ in range(ROUNDS):
        finer = _numbered((group[i], *[group[k] for k in sources]) for i, sources in enumerate(inputs))
        if not fits(finer, arrows, most):
            break
        group = finer
    return group, ALIKE[detail]


def is_variable(unit: Unit, items: Sequence[Item]) -> bool:
    return unit.block is None and isinstance(items[unit.items[0]].node, Variable)


def _numbered(things: Iterable[Hashable]) -> list[int]:
    """Number equal things equally, from 0 in order of appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(thing, len(seen)) for thing in things]
