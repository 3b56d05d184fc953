"""A sketch painted without Graphviz: the same boxes, frames and arrows, on the places that `layers` finds."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from minigrad_course.trace.short import DIGITS_IN_ARRAYS, number
from minigrad_course.viz import looks
from minigrad_course.viz.canvas import Png, Svg
from minigrad_course.viz.colour import COLOURS, NOT_FINITE, ZERO, Scale
from minigrad_course.viz.layers import Places, Point, Rect, places
from minigrad_course.viz.looks import ADJOINT, GREY
from minigrad_course.viz.sketch import Arrow, Box, Sketch

PAD = 14.0  # around the picture
LINE, TITLE_LINE, INSIDE = 17.0, 21.0, 7.0  # heights of lines in a box, and the space along its edge
BODY, WORD, SIDE = 12, 10, 11  # sizes of text: values, the words before them, names beside titles
TIP, WING = 9.0, 3.5  # length and half width of the tip of an arrow
DOUBLE = 3.0  # between the two outlines of a box that stands for many nodes
LOOP = 14.0  # how far an arrow from a box to itself goes

End = tuple[int, int | None, bool]  # a box, or its frame, and whether the arrow comes out of it


def svg(sketch: Sketch, direction: str) -> bytes:
    """The sketch as SVG, without Graphviz."""
    painter = _Painter(sketch, direction)
    return painter.paint(Svg(*painter.size))


def png(sketch: Sketch, direction: str, scale: float) -> bytes:
    """The sketch as PNG, without Graphviz. Raises ImportError without matplotlib."""
    painter = _Painter(sketch, direction)
    return painter.paint(Png(*painter.size, scale))


class _Painter:
    def __init__(self, sketch: Sketch, direction: str):
        self.sketch, self.down = sketch, direction in ("TB", "BT")
        self.backwards = direction in ("RL", "BT")
        self.places: Places = places(sketch, [size_of(box) for box in sketch.boxes], direction)
        self.ways = [[(x + PAD, y + PAD) for x, y in way] for way in self.places.ways]
        self.ports = self._find_ports()
        self.scale = Scale.of(box.gradient for box in sketch.boxes) if sketch.coloured else None
        below = (LINE * 2 if self.scale else 0) + (LINE * 1.5 if sketch.caption else 0)
        self.caption = _wrapped(sketch.caption, max(self.places.size[0], 420))
        below += LINE * max(len(self.caption) - 1, 0)
        width = max(self.places.size[0], 460 if self.scale else 0, *(width_of(line, SIDE) for line in self.caption), 1)
        self.size = (width + 2 * PAD, self.places.size[1] + below + 2 * PAD)

    def paint(self, canvas: Svg | Png) -> bytes:
        for k, (frame, (x, y, w, h)) in enumerate(zip(self.sketch.frames, self.places.frames, strict=True)):
            colour = ADJOINT if frame.backward else GREY
            canvas.open(f"frame_{k}", "cluster backward" if frame.backward else "cluster forward", frame.title)
            canvas.rect(x + PAD, y + PAD, w, h, 8, "none", colour, 1, False)
            canvas.text(x + PAD + 9, y + PAD + 17, frame.title, BODY, colour, "start", "bold")
            if frame.kind:
                canvas.text(
                    x + PAD + 17 + width_of(frame.title, BODY, True),
                    y + PAD + 17,
                    frame.kind,
                    BODY,
                    colour,
                    "start",
                    "italic",
                )
            canvas.close()
        for k, arrow in enumerate(self.sketch.arrows):
            self._arrow(canvas, k, arrow)
        for k, box in enumerate(self.sketch.boxes):
            self._box(canvas, k, box)
        self._below(canvas)
        return canvas.result()

    def _box(self, canvas: Svg | Png, k: int, box: Box) -> None:
        look = looks.of_box(box, self.scale)
        x, y, w, h = self.places.boxes[k]
        x, y = x + PAD, y + PAD
        canvas.open(f"node_{k}", " ".join(("node", *look.classes)), box.text)
        radius, dashed = (0 if box.kind in ("variable", "constant") else 7), box.kind == "constant"
        if box.count > 1:
            outer = (x - DOUBLE, y - DOUBLE, w + 2 * DOUBLE, h + 2 * DOUBLE)
            canvas.rect(*outer, radius and radius + DOUBLE, "white", look.line, look.width, dashed)
        canvas.rect(x, y, w, h, radius, look.fill, look.line, look.width, dashed)
        title = looks.minus(box.title) if box.kind == "constant" else box.title
        y += 18
        if box.rows or box.name:
            canvas.text(x + INSIDE, y, title, 14, look.ink, "start", "bold")
        else:
            canvas.text(x + w / 2, y, title, 14, look.ink, "middle", "bold")
        if box.name:
            canvas.text(x + w - INSIDE, y, box.name, SIDE, look.pale, "end", "italic")
        for word, value in box.rows:
            y += LINE
            canvas.text(x + INSIDE, y, word, WORD, look.pale, "start")
            colour = look.adjoint if word == "adjoint" else look.ink
            canvas.text(x + w - INSIDE, y, looks.minus(value), BODY, colour, "end")
        canvas.close()

    def _arrow(self, canvas: Svg | Png, k: int, arrow: Arrow) -> None:
        tail, head = self.sketch.boxes[arrow.tail], self.sketch.boxes[arrow.head]
        read = head.backward and not tail.backward
        colour = ADJOINT if head.backward and not read else looks.ARROW
        canvas.open(
            f"edge_{k}",
            "edge read" if read else "edge back" if head.backward else "edge",
            f"{tail.name or tail.title} to {head.name or head.title}",
        )
        if arrow.tail == arrow.head:
            curve, end, note_at = self._loop(arrow.tail)
            down, step = True, TIP
        else:
            points = [self.ports[k, True], *self.ways[k], self.ports[k, False]]
            end, down = points[-1], self.down
            step = -TIP if self.backwards else TIP
            points[-1] = (end[0], end[1] - step) if down else (end[0] - step, end[1])
            curve = self._bends(points)
            (x0, y0), (x1, y1) = points[(len(points) - 1) // 2 : (len(points) - 1) // 2 + 2]
            note_at = ((x0 + x1) / 2 + 4, (y0 + y1) / 2 - 4)
        canvas.curve(curve, colour, 1.8 if arrow.count > 1 else 1.1, read or arrow.again)
        x, y = curve[-1]
        canvas.triangle([end, (x - WING, y), (x + WING, y)] if down else [end, (x, y - WING), (x, y + WING)], colour)
        if arrow.position is not None:
            canvas.text(x + (7 if down else -3), y + (2 if down else -5), str(arrow.position), WORD, GREY, "middle")
        note = "next step" if arrow.again else f"{arrow.count:,}×" if arrow.count > 1 else ""
        if note:
            canvas.text(*note_at, note, WORD, GREY, "middle")
        canvas.close()

    def _find_ports(self) -> dict[tuple[int, bool], Point]:
        """Where each arrow leaves (True) and enters (False): spread along the side that faces its way."""
        at: defaultdict[End, list[int]] = defaultdict(list)
        for k, arrow in enumerate(self.sketch.arrows):
            at[arrow.tail if arrow.tail_frame is None else -1, arrow.tail_frame, True].append(k)
            at[arrow.head if arrow.head_frame is None else -1, arrow.head_frame, False].append(k)
        across = 0 if self.down else 1
        ports = {}
        for (box, frame, out), arrows in at.items():
            x, y, w, h = self._rect(box, frame)

            def seen_from(k: int, out: bool = out) -> float:
                if self.ways[k]:
                    return self.ways[k][0 if out else -1][across]
                arrow = self.sketch.arrows[k]
                rect = self._rect(arrow.head, arrow.head_frame) if out else self._rect(arrow.tail, arrow.tail_frame)
                return rect[across] + rect[across + 2] / 2

            far = out is not self.backwards
            for place, k in enumerate(sorted(arrows, key=seen_from), 1):
                share = place / (len(arrows) + 1)
                if self.down:
                    ports[k, out] = (x + w * share, y + h if far else y)
                else:
                    ports[k, out] = (x + w if far else x, y + h * share)
        return ports

    def _rect(self, box: int, frame: int | None) -> Rect:
        """A frame if there is one, else a box, with its double outline."""
        x, y, w, h = self.places.boxes[box] if frame is None else self.places.frames[frame]
        more = DOUBLE if frame is None and self.sketch.boxes[box].count > 1 else 0
        return x + PAD - more, y + PAD - more, w + 2 * more, h + 2 * more

    def _bends(self, points: Sequence[Point]) -> list[Point]:
        """A smooth curve through points, in Bézier's pieces; at each point it runs along, from layer to layer."""
        axis = 1 if self.down else 0
        ahead = -1 if self.backwards else 1
        travel = 1 if points[-1][axis] > points[0][axis] else -1
        runs = [ahead, *[travel] * (len(points) - 2), ahead]
        curve = [points[0]]
        for (a, run_a), (b, run_b) in pairwise(zip(points, runs, strict=True)):
            bend = max(abs(b[axis] - a[axis]) / 2, 12)
            for (x, y), by in ((a, bend * run_a), (b, -bend * run_b)):
                curve.append((x, y + by) if self.down else (x + by, y))
            curve.append(b)
        return curve

    def _loop(self, box: int) -> tuple[list[Point], Point, Point]:
        """An arrow from a box to itself, above it: its curve, its end, and a place for a note."""
        x, y, w, _ = self._rect(box, None)
        start, end = x + w * 0.62, x + w * 0.38
        curve = [(start, y), (start, y - 1.4 * LOOP), (end, y - 1.4 * LOOP - TIP), (end, y - TIP)]
        return curve, (end, y), (start + 16, y - 6)

    def _below(self, canvas: Svg | Png) -> None:
        """The legend of the colours, and the caption."""
        y = self.places.size[1] + PAD + LINE
        if self.scale is not None:
            y += LINE
            self._legend(canvas, self.scale, y)
        for k, line in enumerate(self.caption):
            y += LINE * (1.5 if k == 0 else 1) - (LINE if k == 0 and self.scale is None else 0)
            canvas.text(self.size[0] / 2, y, line, SIDE, GREY, "middle")

    def _legend(self, canvas: Svg | Png, scale: Scale, y: float) -> None:
        x = PAD

        def words(text: str) -> None:
            nonlocal x
            canvas.text(x, y, text, SIDE, GREY, "start")
            x += width_of(text, SIDE) + 5

        def swatch(fill: str, line: str) -> None:
            nonlocal x
            canvas.rect(x, y - 11, 15, 14, 0, fill, line, 0.6, False)
            x += 15

        words(f"norm of the adjoint:  {number(scale.low, DIGITS_IN_ARRAYS)}")
        for colour in COLOURS:
            swatch(colour, colour)
        x += 5
        words(number(scale.high, DIGITS_IN_ARRAYS))
        for fill, meaning in ((ZERO, "0"), (NOT_FINITE, "not finite"), (looks.NO_ADJOINT, "none")):
            x += 7
            swatch(fill, GREY)
            x += 5
            words(meaning)


def size_of(box: Box) -> tuple[float, float]:
    """About how wide and high a box is, in pixels."""
    title = width_of(box.title, 14, True) + (width_of(box.name, SIDE) + 12 if box.name else 0)
    rows = [width_of(word, WORD) + 12 + width_of(value, BODY) for word, value in box.rows]
    return max([title, *rows]) + 2 * INSIDE, TITLE_LINE + LINE * len(box.rows) + INSIDE


def _wrapped(text: str, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", SIDE) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def width_of(text: str, size: float, bold: bool = False) -> float:
    """About how wide text is, in pixels: by kinds of letters, on the safe side, since the font is not known."""
    return sum(map(_letter, text)) * size * (1.12 if bold else 1.0)


def _letter(c: str) -> float:
    if c in " .,:;|'!iljftI()[]{}":
        return 0.37
    if c in "mwMW@%—" or unicodedata.east_asian_width(c) in "WF":
        return 1.0
    return 0.72 if c.isupper() or c in "…×−=+<>" else 0.62
