"""What a picture of a graph consists of: boxes, frames, arrows, a caption. All of it is text and a few numbers by now.

So a picture keeps showing the values of the moment at which it was drawn, also when the graph runs again.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

BOLD = 1.12  # how much wider bold letters are


@dataclass(frozen=True)
class Box:
    """One node of the graph, or several that were folded into one box."""

    kind: str  # "constant", "variable", "operator", or "block" for a folded part of the program
    title: str  # what is written large: the symbol of an operation, the name of a variable, a number
    name: str  # what stands beside the title: what an operator, or what was folded, is called
    rows: tuple[tuple[str, str], ...]  # such as ("value", "0.5")
    text: str  # the box as a line of text
    count: int = 1  # how many nodes it stands for
    output: bool = False
    backward: bool = False  # part of a backward pass
    frame: int | None = None  # the place of the frame that it lies in
    gradient: float | None = None  # the norm of its adjoint, where boxes are coloured by it
    wrong: tuple[tuple[str, str], ...] = ()  # rows on what somebody else's program has wrong here

    @property
    def width(self) -> float:
        """About how wide it is drawn, in pixels."""
        title = 14 * BOLD * _letters(self.title) + (11 * _letters(self.name) + 12 if self.name else 0)
        return (
            max(
                [title, *(10 * _letters(word) + 12 + 12 * _letters(value) for word, value in (*self.rows, *self.wrong))]
            )
            + 14
        )


@dataclass(frozen=True)
class Frame:
    """A part of the program that is drawn open, around its boxes."""

    title: str
    kind: str  # such as "RNN"; empty where it says nothing new
    backward: bool = False
    outer: int | None = None  # the place of the frame that it lies in
    number: int | None = None  # which run of a repeated part it is, such as the step of a loop


@dataclass(frozen=True)
class Arrow:
    """An input on its way into an operation."""

    tail: int  # the place among the boxes
    head: int
    position: int | None = None  # which input it is (1, 2, ...), where exchanging two would matter
    count: int = 1  # how many arrows of the graph this one stands for
    again: bool = False  # handed to the next step of a loop
    tail_frame: int | None = None  # where it stands for arrows from many boxes of a frame: the place of the frame
    head_frame: int | None = None  # likewise, to many boxes of a frame


@dataclass(frozen=True)
class Sketch:
    """A picture before it is laid out. `summary` is one sentence; `caption` is empty unless nodes were folded."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    summary: str
    caption: str = ""
    frames: tuple[Frame, ...] = ()
    coloured: bool = False  # whether the boxes are coloured by the norm of the adjoint
    abreast: frozenset[int] = frozenset()  # frames that lie side by side in one row: the steps of a loop

    @property
    def text(self) -> str:
        """The whole picture as text: the summary, the caption, and one line for each box, inputs before results."""
        return "\n".join(line for line, _ in self.lines())

    def lines(self) -> Iterator[tuple[str, int | None]]:
        """The lines of the text, each with the place of the box that it is about."""
        yield from ((line, None) for line in (self.summary, self.caption) if line)
        yield "", None
        frame = None
        for k, box in enumerate(self.boxes):
            if box.frame != frame:
                yield f"[{self.way(box.frame)}]", None
                frame = box.frame
            yield box.text, k

    def longest_ways(self, steps: Sequence[float]) -> list[float]:
        """How long the longest way to each box is, if each box takes such a step; arrows back do not count."""
        length = list(steps)
        for arrow in sorted(self.arrows, key=lambda arrow: arrow.head):
            if arrow.tail < arrow.head:
                length[arrow.head] = max(length[arrow.head], length[arrow.tail] + steps[arrow.head])
        return length

    def reach(self) -> float:
        """Over how many layers all arrows lead together: by this grows the time that Graphviz takes."""
        layer = self.longest_ways([1.0] * len(self.boxes))
        ends = {(arrow.tail, arrow.head) for arrow in self.arrows}
        for leaf in {tail for tail, _ in ends} - {head for _, head in ends}:
            layer[leaf] = min(layer[head] for tail, head in ends if tail == leaf) - 1
        return sum(abs(layer[head] - layer[tail]) for tail, head in ends)

    def within(self, frame: int | None, among: Collection[int]) -> int | None:
        """The frame of `among` that is this one or lies around it."""
        while frame is not None and frame not in among:
            frame = self.frames[frame].outer
        return frame

    def way(self, frame: int | None) -> str:
        """The frames around something, from the outermost to the innermost: `rnn / step 3`."""
        titles = []
        while frame is not None:
            titles.append(self.frames[frame].title)
            frame = self.frames[frame].outer
        return " / ".join(reversed(titles)) or "outside"


def _letters(text: str) -> float:
    """About how wide text is, by kinds of letters, in units of its size: on the safe side, whatever the font is."""
    return sum(map(_letter, text))


def _letter(c: str) -> float:
    if c in " .,:;|'!iljftI()[]{}":
        return 0.37
    if c in "mwMW@%—" or unicodedata.east_asian_width(c) in "WF":
        return 1.0
    return 0.72 if c.isupper() or c in "…×−=+<>" else 0.62
