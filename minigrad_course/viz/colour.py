"""Boxes coloured by how large their adjoints are: where the gradient is strong, where it fades, where it is lost.

The colours are ColorBrewer's nine from yellow over green to blue (Harrower and Brewer, "ColorBrewer.org: an online tool
for selecting colour schemes for maps", 2003; one a little lighter, so that text on it can be read), pale for small and
dark for large. People with any kind of colour vision
can tell their order, and so does a black and white print. The number stands in the box as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

COLOURS = (
    "#FFFFD9", "#EDF8B1", "#C6E9B4", "#7ECDBB", "#40B5C4", "#2B9ACB", "#225DA8", "#243392", "#081D58",
)  # fmt: skip
ZERO, NOT_FINITE = "#FFFFFF", "#000000"
DARK_INK, PALE_INK = "#1F2933", "#FFFFFF"


@dataclass(frozen=True)
class Scale:
    """From the norm of an adjoint to a colour, in equal ratios between the smallest and the largest that is not 0."""

    low: float
    high: float

    @classmethod
    def of(cls, norms: Iterable[float | None]) -> Scale:
        found = [x for x in norms if x and math.isfinite(x)]
        return cls(min(found, default=1.0), max(found, default=1.0))

    def fill(self, norm: float) -> str:
        """White for 0, black for what is not finite, else one of the colours."""
        if not math.isfinite(norm):
            return NOT_FINITE
        return COLOURS[self.step(norm)] if norm else ZERO

    def step(self, norm: float) -> int:
        """Which of the colours, counted from 0."""
        if self.low == self.high:
            return len(COLOURS) // 2
        share = math.log(norm / self.low) / math.log(self.high / self.low)
        return min(max(round(share * (len(COLOURS) - 1)), 0), len(COLOURS) - 1)


def ink(fill: str) -> str:
    """Dark or pale, whichever contrasts more with `fill`."""
    return max((DARK_INK, PALE_INK), key=lambda colour: contrast(colour, fill))


def contrast(one: str, other: str) -> float:
    """The contrast between two colours like "#1F2933" as WCAG 2.2 measures it: from 1 to 21, and 4.5 for text."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def norm(adjoints: Iterable[np.ndarray]) -> float:
    """The Euclidean norm of all entries together."""
    return math.sqrt(sum(float(np.sum(np.square(adjoint, dtype=np.float64))) for adjoint in adjoints))
