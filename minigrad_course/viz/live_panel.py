"""A panel: a part of a live view, with axes of its own. Each says how it starts and refreshes, and what it shows."""

from __future__ import annotations

from typing import Any


class Panel:
    """height: in inches. samples: how many times in all it wants to measure, 0 for never."""

    height = 3.0
    samples = 0

    def start(self, figure: Any) -> None:
        """Make its axes in `figure`, a matplotlib figure or a part of one."""
        raise NotImplementedError

    def measure(self, step: int) -> None:
        """Look at the model after `step` updates, and remember. Called some `samples` times, evenly spread."""

    def refresh(self, view: Any) -> bool:
        """Bring the picture up to date. view: the `Live` with its curves; None where the panel is shown on its own.

        Returns whether what stands around the picture has changed as well, such as the numbers along an axis.
        """
        raise NotImplementedError

    def sentence(self, view: Any = None) -> str:
        """What the picture shows, in words and numbers."""
        raise NotImplementedError
