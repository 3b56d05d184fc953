"""The contents of a picture of a graph: boxes, frames, arrows, a caption. All of it is text and a few numbers.

So a picture keeps the values of the moment when it was drawn, even if the graph runs again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """One node of the graph, or several that were folded into one box."""

    kind: str  # "constant", "variable", "operator", or "block" for a folded part of the program
    title: str  # written large: the symbol of an operation, the name of a variable, a number
    name: str  # beside the title: the name of an operator or of a folded part
    rows: tuple[tuple[str, str], ...]  # such as ("value", "0.5")
    text: str  # the box as a line of text
    count: int = 1  # the number of nodes it stands for
    output: bool = False
    backward: bool = False  # part of a backward pass
    frame: int | None = None  # the index of its frame
    wrong: tuple[tuple[str, str], ...] = ()  # rows on errors that a learner's program makes here

    @property
    def width(self) -> float:
        """About how wide it is drawn, in pixels: a letter is about 0.6 times as wide as it is high."""
        title = 9.4 * len(self.title) + (6.6 * len(self.name) + 12 if self.name else 0)
        return 14 + max(
            [title, *(5.8 * len(word) + 12 + 6.9 * len(value) for word, value in (*self.rows, *self.wrong))]
        )


@dataclass(frozen=True)
class Frame:
    """A part of the program that is drawn open, around its boxes."""

    title: str
    kind: str  # such as "RNN"; empty where it says nothing new
    backward: bool = False
    outer: int | None = None  # the index of its frame
    number: int | None = None  # the number of the run of a repeated part, such as the step of a loop


@dataclass(frozen=True)
class Arrow:
    """An input on its way into an operation."""

    tail: int  # an index of boxes
    head: int
    position: int | None = None  # the number of the input (1, 2, ...), if exchanging two would matter
    count: int = 1  # the number of the graph's arrows it stands for
    tail_frame: int | None = None  # the frame it starts from, if it stands for arrows from many boxes of that frame
    head_frame: int | None = None  # likewise, the frame it leads to


@dataclass(frozen=True)
class Sketch:
    """A picture before it is laid out. `summary` is one sentence; `caption` is empty unless nodes were folded."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    summary: str
    caption: str = ""
    frames: tuple[Frame, ...] = ()
    abreast: frozenset[int] = frozenset()  # frames in one row: the steps of a loop

    @property
    def text(self) -> str:
        """Return the whole picture as text: the summary, the caption, and a line for each box, inputs first."""
        return "\n".join(line for line, _ in self.lines())

    def lines(self) -> Iterator[tuple[str, int | None]]:
        """Yield the lines of the text, each with the index of the box it describes."""
        yield from ((line, None) for line in (self.summary, self.caption) if line)
        yield "", None
        frame = None
        for k, box in enumerate(self.boxes):
            if box.frame != frame:
                yield f"[{self.way(box.frame)}]", None
                frame = box.frame
            yield box.text, k

    def longest_paths(self, steps: Sequence[float]) -> list[float]:
        """Compute the length of the longest path to each box, with the given length of each box; back edges do not
        count.
        """
        length = list(steps)
        for arrow in sorted(self.arrows, key=lambda arrow: arrow.head):
            if arrow.tail < arrow.head:
                length[arrow.head] = max(length[arrow.head], length[arrow.tail] + steps[arrow.head])
        return length

    def reach(self) -> float:
        """Sum the layers that all arrows cross, which determines Graphviz's running time."""
        layer = self.longest_paths([1.0] * len(self.boxes))
        ends = {(arrow.tail, arrow.head) for arrow in self.arrows}
        for leaf in {tail for tail, _ in ends} - {head for _, head in ends}:
            layer[leaf] = min(layer[head] for tail, head in ends if tail == leaf) - 1
        return sum(abs(layer[head] - layer[tail]) for tail, head in ends)

    def within(self, frame: int | None, among: Collection[int]) -> int | None:
        """Return the frame of `among` that is this one or encloses it."""
        while frame is not None and frame not in among:
            frame = self.frames[frame].outer
        return frame

    def way(self, frame: int | None) -> str:
        """Name the frames around something, from the outermost in: `rnn / step 3`."""
        titles = []
        while frame is not None:
            titles.append(self.frames[frame].title)
            frame = self.frames[frame].outer
        return " / ".join(reversed(titles)) or "outside"
