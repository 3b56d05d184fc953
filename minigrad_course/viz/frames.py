"""Frames around parts that belong together: layers, steps, backward passes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from minigrad.core.block import BACKWARD, Block
from minigrad_course.viz.boxes import label
from minigrad_course.viz.fold import Repeats, Unit
from minigrad_course.viz.items import Path, common, is_backward, labels
from minigrad_course.viz.sketch import Frame

Way = tuple[Hashable, ...]


class Frames:
    """The frames of a picture. all: outer ones before inner ones. of_box: for each box the place of its frame.

    passes: the backward passes in their order. Runs of a repeated part that share their boxes share one frame. What is
    around one box alone is no frame.
    """

    def __init__(self, groups: Sequence[Sequence[Unit]], repeats: Repeats, passes: Sequence[Block]):
        self.repeats = repeats
        ways = []
        paths: dict[Way, Path] = {}
        folded: Counter[Way] = Counter()  # the folded runs of a part, which get a frame as well
        for group in groups:
            way = common([self._way(path) for path in dict.fromkeys(unit.path for unit in group)])
            paths.update((way[:depth], group[0].path[:depth]) for depth in range(1, len(way) + 1))
            if len(group) == 1 and (block := group[0].block) is not None and block.number is not None:
                way = (*way, labels(group[0].whole))
                paths[way] = group[0].whole
                folded[way] += 1
            ways.append(way)
        inside = Counter(way[:depth] for way in ways for depth in range(1, len(way) + 1))
        self.all: list[Frame] = []
        places: defaultdict[Way, int | None] = defaultdict(lambda: None)
        for way, path in paths.items():
            places[way] = places[way[:-1]]
            if inside[way] > 1:
                runs = folded[way] or repeats.runs.get(labels(path), 1)
                self.all.append(_frame(path, runs, passes, places[way]))
                places[way] = len(self.all) - 1
        self.of_box = [places[way] for way in ways]

    def _way(self, path: Path) -> Way:
        """Identify each block of a path: in a repeated part by its labels, which all runs share."""
        return tuple(labels(path[:d]) if path[:d] in self.repeats else path[d - 1] for d in range(1, len(path) + 1))


def _frame(path: Path, runs: int, passes: Sequence[Block], outer: int | None) -> Frame:
    block = path[-1]
    if block.kind == BACKWARD:
        title = BACKWARD if len(passes) == 1 else f"{BACKWARD} {passes.index(block) + 1}"
        return Frame(title, "", True, outer)
    title = f"{runs} × {block.name}" if runs > 1 else label(block)
    kind = "" if block.kind == block.name or title.startswith(block.kind) else block.kind
    return Frame(title, kind, is_backward(path), outer, block.number if runs == 1 else None)
