"""Frames around parts that belong together: layers, steps, backward passes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

from minigrad.core.block import BACKWARD, Block
from minigrad_course.viz.boxes import label
from minigrad_course.viz.fold import Repeats, Unit
from minigrad_course.viz.items import Path, is_backward, labels
from minigrad_course.viz.sketch import Frame

Way = tuple[Hashable, ...]


class Frames:
    """The frames of a picture. shown: outer ones before inner ones. of_box: for each box the place of its frame.

    passes: the backward passes in their order. called: what layers are called that have no name of their own. Runs of
    a repeated part that share their boxes share one frame. What is around one box alone is no frame.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[Unit]],
        repeats: Repeats | None,
        passes: Sequence[Block],
        called: Mapping[Block, str],
    ):
        self.repeats, self.called = repeats, called
        ways = []
        paths: dict[Way, Path] = {}
        self.folded: dict[Way, list[Block]] = defaultdict(list)  # the folded runs of a part, which get a frame as well
        for group in groups:
            way = self._way([unit.path for unit in group])
            paths.update((way[:depth], group[0].path[:depth]) for depth in _depths(way))
            if len(group) == 1 and (block := group[0].block) is not None and block.number is not None:
                way = (*way, labels(group[0].whole))
                paths[way] = group[0].whole
                self.folded[way].append(block)
            ways.append(way)
        inside = Counter(way[:depth] for way in ways for depth in _depths(way))
        self.shown: list[Frame] = []
        places: dict[Way, int | None] = {(): None}
        for way, path in paths.items():
            if inside[way] < 2:
                places[way] = places[way[:-1]]
                continue
            places[way] = len(self.shown)
            runs = self.repeats.runs.get(labels(path), 1) if self.repeats is not None else 1
            self.shown.append(self._frame(path, len(self.folded.get(way, ())) or runs, passes, places[way[:-1]]))
        self.of_box = [places[way] for way in ways]

    def _way(self, paths: Sequence[Path]) -> Way:
        """Return the labels of the frames around a box, from the outermost in, that all its members share."""
        ways = [self._keys(path) for path in dict.fromkeys(paths)]
        shared = ways[0]
        for way in ways[1:]:
            shared = shared[: next((i for i, (a, b) in enumerate(zip(shared, way, strict=False)) if a != b), len(way))]
        return shared

    def _keys(self, path: Path) -> Way:
        keys: list[Hashable] = []
        repeated = False
        for depth, block in enumerate(path, 1):
            way = labels(path[:depth])
            repeated = repeated or (self.repeats is not None and way in self.repeats.runs)
            keys.append(way if repeated else block)
        return tuple(keys)

    def _frame(self, path: Path, runs: int, passes: Sequence[Block], outer: int | None) -> Frame:
        block = path[-1]
        if block.kind == BACKWARD:
            title = BACKWARD if len(passes) == 1 else f"{BACKWARD} {passes.index(block) + 1}"
            return Frame(title, "", True, outer)
        number = block.number if runs == 1 else None
        title = f"{runs} × {block.name}" if runs > 1 else self.called.get(block) or label(block)
        kind = "" if block.kind == block.name or title.startswith(block.kind) else block.kind
        return Frame(title, kind, is_backward(path), outer, number)


def _depths(way: Way) -> range:
    return range(1, len(way) + 1)
