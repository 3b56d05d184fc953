"""Frames around parts that belong together: layers, steps, backward passes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from minigrad.core.block import BACKWARD, Block
from minigrad_course.viz.boxes import label
from minigrad_course.viz.fold import Unit
from minigrad_course.viz.items import Path, is_backward, labels
from minigrad_course.viz.sketch import Frame

Way = tuple[Hashable, ...]


class Frames:
    """The frames of a picture. all: outer ones before inner ones. of_box: for each box the place of its frame.

    passes: the backward passes in their order. What is around one box alone is no frame.
    """

    def __init__(self, units: Sequence[Unit], passes: Sequence[Block]):
        ways: list[Way] = []
        paths: dict[Way, Path] = {}
        folded: Counter[Way] = Counter()  # the folded runs of a part, which get a frame as well
        for unit in units:
            way: Way = unit.path
            paths.update((way[:depth], unit.path[:depth]) for depth in range(1, len(way) + 1))
            if unit.block is not None and unit.block.number is not None:
                whole = (*unit.path, unit.block)
                way = (*way, labels(whole))
                paths[way] = whole
                folded[way] += 1
            ways.append(way)
        inside = Counter(way[:depth] for way in ways for depth in range(1, len(way) + 1))
        self.all: list[Frame] = []
        places: defaultdict[Way, int | None] = defaultdict(lambda: None)
        for way, path in paths.items():
            places[way] = places[way[:-1]]
            if inside[way] > 1:
                self.all.append(_frame(path, max(folded[way], 1), passes, places[way]))
                places[way] = len(self.all) - 1
        self.of_box = [places[way] for way in ways]


def _frame(path: Path, runs: int, passes: Sequence[Block], outer: int | None) -> Frame:
    block = path[-1]
    if block.kind == BACKWARD:
        title = BACKWARD if len(passes) == 1 else f"{BACKWARD} {passes.index(block) + 1}"
        return Frame(title, "", True, outer)
    title = f"{runs} × {block.name}" if runs > 1 else label(block)
    kind = "" if block.kind == block.name or title.startswith(block.kind) else block.kind
    return Frame(title, kind, is_backward(path), outer, block.number if runs == 1 else None)
