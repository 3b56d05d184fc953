"""The look of boxes: fills, outlines and inks, the same however a picture is rendered.

The colours are those of Okabe and Ito ("Color universal design", 2008), lightened for fills; people with any kind of
colour vision tell them apart. No meaning hangs on colour alone: each kind of node has an outline of its own, the
reverse part has a frame, and every row of a box begins with a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from minigrad_course.viz.sketch import Box

FONT = "Arial,Helvetica,Liberation Sans,DejaVu Sans,sans-serif"
INK, GREY, ADJOINT = "#1F2933", "#5F6B7A", "#A84300"  # each readable on each of the fills below
ARROW = "#6B7280"
FILLS = {"constant": "#F3F4F6", "variable": "#E3F1FB", "operator": "#FFF6E0", "block": "#E4F4EE"}
LINES = {"constant": "#6B7280", "variable": "#0072B2", "operator": "#8A6100", "block": "#00684B"}
BACKWARD_FILL, BACKWARD_LINE = "#FBE8DE", "#A84300"
WRONG_FILL, WRONG_LINE = "#FCEAF4", "#96005A"  # as in explore; its outline is dashed, and a row begins with ✗


@dataclass(frozen=True)
class Look:
    """The look of a box. width: of its outline, in points."""

    fill: str
    line: str
    width: float
    classes: tuple[str, ...]


def of_box(box: Box) -> Look:
    """Choose the look of a box."""
    backward = box.backward and box.kind in ("operator", "block")
    fill = BACKWARD_FILL if backward else FILLS[box.kind]
    line = BACKWARD_LINE if backward else LINES[box.kind]
    if box.wrong:
        fill, line = WRONG_FILL, WRONG_LINE
    width = 2.4 if box.output or box.wrong else 1.6 if box.kind == "variable" else 1.2
    classes = (box.kind, "backward") if box.backward else (box.kind,)
    return Look(fill, line, width, (*classes, "wrong") if box.wrong else classes)


def minus(text: str) -> str:
    """Replace the hyphens of numbers by minus signs, which are as wide as a plus."""
    return re.sub(r"-(?=[\d.i])", "−", text)
