"""A panel: a part of a live view, with axes of its own. Each says how it starts and refreshes, and what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_course.viz import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Panel:
    """height: in inches. samples: how many times in all it wants to measure, 0 for never."""

    height = 3.0
    samples = 0

    def start(self, figure: Figure) -> None:
        """Create its axes in `figure`, a matplotlib figure or a part of one."""
        raise NotImplementedError

    def measure(self, step: int) -> None:
        """Measure the model after `step` updates and record the result. Called about `samples` times, evenly spread."""

    def refresh(self, view: object) -> bool:
        """Update the picture. view: the `Live` with its curves; None if the panel is shown on its own.

        Returns whether the surroundings of the picture changed too, such as the numbers along an axis.
        """
        raise NotImplementedError

    def sentence(self, view: object = None) -> str:
        """Describe the picture in words and numbers."""
        raise NotImplementedError

    def show(self, width: float = 8.0) -> None:
        """Show it as it is now, on its own: `width` inches wide, with its sentence below."""
        figure = plots.sheet(width, self.height)
        with plots.style():
            self.start(figure)
            self.refresh(None)
        plots.show(figure, self.sentence(None))
