"""Where boxes go, where Graphviz is missing or would take too long: a small layout of our own, in layers.

The method is that of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures",
1981, in its simplest form: a box lies one layer behind the last of its inputs; in its layer it is put near the boxes
that it is connected to, again and again; and a long arrow holds a narrow lane free in each layer that it passes.
A frame is laid out by itself first, and then is one large box. Graphviz does all of this better, but some graphs of 300
boxes take it minutes; here all of them take a fraction of a second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from minigrad_course.viz.sketch import Arrow, Sketch

ALONG, ACROSS = 34.0, 14.0  # gaps between layers, and between the boxes of a layer
MARGIN, TITLE = 12.0, 18.0  # inside of a frame
LANE = 6.0  # what an arrow takes that passes through a layer
SWEEPS = 8
MOST_LANES = 4000  # with more, long arrows may run behind boxes

Size = tuple[float, float]
Point = tuple[float, float]
Rect = tuple[float, float, float, float]  # x and y of the corner at the upper left, width, height
OUTSIDE = -1  # where an arrow comes from or goes to that crosses the frame


@dataclass
class Places:
    """Where boxes and frames are, and the points through which each arrow goes on its way; often none."""

    boxes: list[Rect]
    frames: list[Rect]
    ways: list[list[Point]]
    size: Size


def places(sketch: Sketch, sizes: Sequence[Size], direction: str) -> Places:
    """A place for each box of `sizes`, in pixels from the upper left corner. direction: as `draw` has it."""
    return _Layout(sketch, sizes, direction).result()


def reach(sketch: Sketch) -> int:
    """Over how many layers all arrows lead together: by this grows the time that Graphviz takes."""
    arrows = sorted({(arrow.tail, arrow.head) for arrow in sketch.arrows if arrow.tail != arrow.head})
    back = _closing_cycles(len(sketch.boxes), arrows)
    forward = [(head, tail) if (tail, head) in back else (tail, head) for tail, head in arrows]
    layer = _layers(len(sketch.boxes), forward)
    return sum(layer[head] - layer[tail] for tail, head in forward)


class _Layout:
    def __init__(self, sketch: Sketch, sizes: Sequence[Size], direction: str):
        self.sketch, self.sizes = sketch, sizes
        self.down = direction in ("TB", "BT")
        self.mirrored = direction in ("RL", "BT")
        self.inner: defaultdict[int | None, list[tuple[str, int]]] = defaultdict(list)  # what lies directly in a frame
        for k, frame in enumerate(sketch.frames):
            self.inner[frame.outer].append(("frame", k))
        for k, box in enumerate(sketch.boxes):
            self.inner[box.frame].append(("box", k))
        self.frame_sizes: dict[int | None, Size] = {}
        self.at: dict[tuple[str, int], Point] = {}  # within the frame around it
        self.ways: dict[tuple[int, int | None], list[Point]] = {}  # of an arrow within a frame

    def result(self) -> Places:
        self.lay_out(None)
        corners: dict[int | None, Point] = {None: (0.0, 0.0)}
        frames: list[Rect] = []
        for k, frame in enumerate(self.sketch.frames):  # outer ones come first
            (x, y), (dx, dy) = corners[frame.outer], self.at["frame", k]
            corners[k] = (x + dx, y + dy)
            frames.append((*corners[k], *self.frame_sizes[k]))
        boxes: list[Rect] = []
        for k, box in enumerate(self.sketch.boxes):
            (x, y), (dx, dy) = corners[box.frame], self.at["box", k]
            boxes.append((x + dx, y + dy, *self.sizes[k]))
        ways = []
        for k, arrow in enumerate(self.sketch.arrows):
            start, end = self.around(arrow)
            shared = [frame for frame in start if frame in end]
            way: list[Point] = []
            for passed in [*start[: start.index(shared[0]) + 1], *reversed(end[: end.index(shared[0])])]:
                way += [(corners[passed][0] + x, corners[passed][1] + y) for x, y in self.ways.get((k, passed), ())]
            ways.append(way)
        return Places(boxes, frames, ways, self.frame_sizes[None])

    def around(self, arrow: Arrow) -> tuple[list[int | None], list[int | None]]:
        """The frames that an arrow leaves, and those that it enters, from the innermost to the whole picture."""
        ends = []
        for box, bundle in ((arrow.tail, arrow.tail_frame), (arrow.head, arrow.head_frame)):
            frame = self.sketch.boxes[box].frame if bundle is None else self.sketch.frames[bundle].outer
            found: list[int | None] = [frame]
            while frame is not None:
                frame = self.sketch.frames[frame].outer
                found.append(frame)
            ends.append(found)
        return ends[0], ends[1]

    def lay_out(self, frame: int | None) -> None:
        """Find places for what lies in `frame`, relative to its corner, and its size; inner frames first."""
        members = self.inner[frame]
        for kind, k in members:
            if kind == "frame":
                self.lay_out(k)
        sizes = [self.frame_sizes[k] if kind == "frame" else self.sizes[k] for kind, k in members]
        member_of: dict[int, int] = {}
        for i, (kind, k) in enumerate(members):
            member_of.update(dict.fromkeys(self.boxes_in(kind, k), i))
        arrows, numbers = [], []
        for number, arrow in enumerate(self.sketch.arrows):
            start, end = self.around(arrow)
            tail = member_of.get(arrow.tail, OUTSIDE) if frame in start else OUTSIDE
            head = member_of.get(arrow.head, OUTSIDE) if frame in end else OUTSIDE
            if tail != head:
                arrows.append((tail, head))
                numbers.append(number)
        along = [(h, w) if self.down else (w, h) for w, h in sizes]
        again = {ends for ends, number in zip(arrows, numbers, strict=True) if self.sketch.arrows[number].again}
        corners, ways, (length, breadth) = in_layers(along, arrows, again)
        left, top, edge = (MARGIN, MARGIN + TITLE, MARGIN) if frame is not None else (0.0, 0.0, 0.0)

        def turned(x: float, y: float) -> Point:
            return (y + left, x + top) if self.down else (x + left, y + top)

        for i, member in enumerate(members):
            x = length - corners[i][0] - along[i][0] if self.mirrored else corners[i][0]
            self.at[member] = turned(x, corners[i][1])
        for number, way in zip(numbers, ways, strict=True):
            self.ways[number, frame] = [turned(length - x if self.mirrored else x, y) for x, y in way]
        width, height = (breadth, length) if self.down else (length, breadth)
        self.frame_sizes[frame] = (width + left + edge, height + top + edge)

    def boxes_in(self, kind: str, k: int) -> list[int]:
        """The boxes in a frame, also in its inner frames; or the one box."""
        return [k] if kind == "box" else [box for member in self.inner[k] for box in self.boxes_in(*member)]


def in_layers(
    sizes: Sequence[Size], arrows: Sequence[tuple[int, int]], again: Set[tuple[int, int]] = frozenset()
) -> tuple[list[Point], list[list[Point]], Size]:
    """Corners of boxes of these sizes (along, across), the points through which arrows go, and the size of it all.

    Layers follow each other along the first axis. arrows: (from, to), or OUTSIDE for one of the two. again: those of
    them that lead back; others may, where they close a cycle.
    """
    inner = {(tail, head) for tail, head in arrows if OUTSIDE not in (tail, head)}
    back = _closing_cycles(len(sizes), sorted(inner - again)) | (inner & again)
    layer = _layers(
        len(sizes), [(head, tail) if (tail, head) in back else (tail, head) for tail, head in sorted(inner)]
    )
    last = max(layer, default=0)
    places = list(sizes)  # boxes first, then the lanes of long arrows
    layer_of = list(layer)
    links: list[tuple[int, int]] = []
    lanes: dict[tuple[int, int], list[int]] = {}
    for arrow in dict.fromkeys(arrows):
        tail, head = reversed(arrow) if arrow in back else arrow
        first = 0 if tail == OUTSIDE else layer[tail] + 1
        stop = last + 1 if head == OUTSIDE else layer[head]
        chain = list(range(len(places), len(places) + stop - first)) if len(places) < MOST_LANES else []
        places += [(0.0, LANE)] * len(chain)
        layer_of += range(first, first + len(chain))
        lanes[arrow] = chain[::-1] if arrow in back else chain
        ends = [end for end in (tail, *chain, head) if end != OUTSIDE]
        links += [(a, b) for a, b in pairwise(ends) if layer_of[b] == layer_of[a] + 1]
    rows: list[list[int]] = [[] for _ in range(last + 1)]
    for k, number in enumerate(layer_of):
        rows[number].append(k)
    before: list[list[int]] = [[] for _ in places]
    after: list[list[int]] = [[] for _ in places]
    for a, b in links:
        before[b].append(a)
        after[a].append(b)
    _order(rows, before, after)
    across = _across(rows, [size[1] for size in places], before, after)
    top = min((across[k] - size[1] / 2 for k, size in enumerate(places)), default=0.0)
    breadth = max((across[k] + size[1] / 2 for k, size in enumerate(places)), default=0.0) - top
    corners: list[Point] = [(0.0, 0.0)] * len(sizes)
    start, middle = 0.0, []
    for row in rows:
        length = max((places[k][0] for k in row), default=0.0)
        for k in row:
            if k < len(sizes):
                corners[k] = (start + (length - sizes[k][0]) / 2, across[k] - sizes[k][1] / 2 - top)
        middle.append(start + length / 2)
        start += length + ALONG
    ways = [[(middle[layer_of[k]], across[k] - top) for k in lanes[arrow]] for arrow in arrows]
    return corners, ways, (max(start - ALONG, 0.0), breadth)


def _closing_cycles(count: int, arrows: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The arrows that lead back into a way that leads to them, found by walking all ways once."""
    heads: list[list[int]] = [[] for _ in range(count)]
    for tail, head in arrows:
        heads[tail].append(head)
    state = ["new"] * count
    back = set()
    entered = {head for _, head in arrows}
    for root in sorted(range(count), key=lambda k: (k in entered, k)):  # what has no input comes first
        if state[root] != "new":
            continue
        state[root] = "open"
        stack = [(root, iter(heads[root]))]
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = "done"
                stack.pop()
            elif state[following] == "open":
                back.add((node, following))
            elif state[following] == "new":
                state[following] = "open"
                stack.append((following, iter(heads[following])))
    return back


def _layers(count: int, arrows: Sequence[tuple[int, int]]) -> list[int]:
    """One layer behind the last input; what has no input moves up to just before its first use."""
    heads: defaultdict[int, list[int]] = defaultdict(list)
    waiting = [0] * count
    for tail, head in arrows:
        heads[tail].append(head)
        waiting[head] += 1
    ready = [k for k in range(count) if not waiting[k]]
    sources = list(ready)
    layer = [0] * count
    for k in ready:
        for head in heads[k]:
            layer[head] = max(layer[head], layer[k] + 1)
            waiting[head] -= 1
            if not waiting[head]:
                ready.append(head)
    for k in sources:
        layer[k] = min((layer[head] for head in heads[k]), default=1) - 1
    return layer


def _order(rows: list[list[int]], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> None:
    """Sort each row by the mean place of the neighbours in the row before, then in the row after, and so on."""
    place = {k: i / len(row) for row in rows for i, k in enumerate(row)}
    for sweep in range(SWEEPS):
        neighbours = (before, after)[sweep % 2]
        for row in rows if sweep % 2 == 0 else reversed(rows):
            mean = {k: _mean([place[x] for x in neighbours[k]], place[k]) for k in row}
            row.sort(key=mean.__getitem__)
            place.update((k, i / len(row)) for i, k in enumerate(row))


def _across(
    rows: list[list[int]], sizes: Sequence[float], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]
) -> list[float]:
    """The centre of each place across the layers: near the mean of its neighbours, but without overlap."""
    centre = [0.0] * len(sizes)
    both = [[*a, *b] for a, b in zip(before, after, strict=True)]
    for sweep in range(SWEEPS):
        neighbours = both if sweep >= SWEEPS - 2 else (before, after)[sweep % 2]
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [_mean([centre[x] for x in neighbours[k]], centre[k]) for k in row]
            gaps = [(sizes[a] + sizes[b]) / 2 + ACROSS for a, b in pairwise(row)]
            for k, found in zip(row, spread(wanted, gaps), strict=True):
                centre[k] = found
    return centre


def spread(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The numbers closest to `wanted` (least squares) that grow by at least `gaps` from one to the next.

    Without the gaps this is isotonic regression: neighbours in the wrong order are pooled (Ayer and others, 1955).
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    pools: list[tuple[float, int]] = []  # sum and count of numbers that have to be equal
    for x, offset in zip(wanted, offsets, strict=False):
        total, count = x - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            total, count = total + pools[-1][0], count + pools[-1][1]
            pools.pop()
        pools.append((total, count))
    flat = [total / count for total, count in pools for _ in range(count)]
    return [x + offset for x, offset in zip(flat, offsets, strict=False)]


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise
