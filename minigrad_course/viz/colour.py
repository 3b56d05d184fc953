"""Colour boxes by the size of their adjoints, to show where the gradient is strong, fades or vanishes.

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
    """Map the norm of an adjoint to a colour, in equal ratios from the smallest nonzero norm to the largest."""

    low: float
    high: float

    @classmethod
    def of(cls, norms: Iterable[float | None]) -> Scale:
        sizes = [x for x in norms if x and math.isfinite(x)]
        return cls(min(sizes, default=1.0), max(sizes, default=1.0))

    def fill(self, norm: float) -> str:
        """Return white for 0, black for a non-finite norm, else one of the colours."""
        if not math.isfinite(norm):
            return NOT_FINITE
        return COLOURS[self.step(norm)] if norm else ZERO

    def step(self, norm: float) -> int:
        """Return the index of the colour."""
        if self.low == self.high:
            return len(COLOURS) // 2
        share = math.log(norm / self.low) / math.log(self.high / self.low)
        return min(max(round(share * (len(COLOURS) - 1)), 0), len(COLOURS) - 1)


def ink(fill: str) -> str:
    """Return dark or pale ink, whichever contrasts more with `fill`."""
    return max((DARK_INK, PALE_INK), key=lambda colour: contrast(colour, fill))


def contrast(one: str, other: str) -> float:
    """Compute the contrast between two colours like "#1F2933" by WCAG 2.2: from 1 to 21; text needs 4.5."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def norm(adjoints: Iterable[np.ndarray]) -> float:
    """Compute the Euclidean norm of all entries together."""
    return math.sqrt(sum(float(np.sum(np.square(adjoint, dtype=np.float64))) for adjoint in adjoints))
