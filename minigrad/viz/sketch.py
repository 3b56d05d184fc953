"""What a picture of a graph consists of: boxes, arrows, a caption. All of it is text by now: numbers are written out.

So a picture keeps showing the values of the moment at which it was drawn, also when the graph runs again.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """One node of the graph, or several that were folded into one box."""

    kind: str  # "constant", "variable" or "operator"
    title: str  # what is written large: the symbol of an operation, the name of a variable, a number
    name: str  # what stands beside the title: what an operator, or what was folded, is called
    rows: tuple[tuple[str, str], ...]  # such as ("value", "0.5")
    text: str  # the box as a line of text
    count: int = 1
    output: bool = False


@dataclass(frozen=True)
class Arrow:
    """An input on its way into an operation."""

    tail: int  # the place among the boxes
    head: int
    position: int | None = None  # which input it is (1, 2, ...), where exchanging two would matter
    count: int = 1  # how many arrows of the graph this one stands for


@dataclass(frozen=True)
class Sketch:
    """A picture before it is laid out. `summary` is one sentence; `caption` is empty unless nodes were folded."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    summary: str
    caption: str

    @property
    def text(self) -> str:
        """The whole picture as text: the summary, the caption, and one line for each box, inputs before results."""
        return "\n".join([self.summary, *([self.caption] if self.caption else []), "", *(b.text for b in self.boxes)])
