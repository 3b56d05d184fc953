"""Frames around what belongs together: layers, steps, backward passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from minigrad.block import BACKWARD, Block
from minigrad.viz.boxes import label
from minigrad.viz.fold import Repeats, Unit
from minigrad.viz.outline import LOOP, Path, is_backward, labels
from minigrad.viz.sketch import Frame

Way = tuple[Hashable, ...]


class Frames:
    """The frames of a picture. shown: outer ones before inner ones. of_box: for each box the place of its frame.

    Runs of a repeated part that share their boxes share one frame. What is around one box alone is no frame.
    """

    def __init__(self, groups: Sequence[Sequence[Unit]], repeats: Repeats | None):
        self.repeats = repeats
        ways = [self._way([unit.path for unit in group]) for group in groups]
        paths: dict[Way, Path] = {}
        for way, group in zip(ways, groups, strict=True):
            paths.update((way[:depth], group[0].path[:depth]) for depth in _depths(way))
        inside = Counter(way[:depth] for way in ways for depth in _depths(way))
        passes = list(dict.fromkeys(path[-1] for path in paths.values() if path[-1].kind == BACKWARD))
        self.shown: list[Frame] = []
        places: dict[Way, int | None] = {(): None}
        for way, path in paths.items():
            if inside[way] < 2:
                places[way] = places[way[:-1]]
                continue
            places[way] = len(self.shown)
            self.shown.append(self._frame(path, passes, places[way[:-1]]))
        self.of_box = [places[way] for way in ways]

    def _way(self, paths: Sequence[Path]) -> Way:
        """What identifies the frames around a box, from the outermost in, as far as all its members share them."""
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

    def _frame(self, path: Path, passes: Sequence[Block], outer: int | None) -> Frame:
        block = path[-1]
        runs = self.repeats.runs.get(labels(path), 1) if self.repeats is not None else 1
        if block.kind == BACKWARD:
            title = BACKWARD if len(passes) == 1 else f"{BACKWARD} {passes.index(block) + 1}"
            return Frame(title, "", True, outer)
        title = f"{runs} × {block.name}" if runs > 1 else label(block)
        kind = block.kind if block.kind not in (block.name, LOOP) else ""
        return Frame(title, f"loop of {kind or 'one cell'}" if block.kind == LOOP else kind, is_backward(path), outer)


def _depths(way: Way) -> range:
    return range(1, len(way) + 1)
