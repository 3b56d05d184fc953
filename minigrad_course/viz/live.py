"""Watching a network learn: curves, and panels of your choice, that change while it trains.

    mg.fit(model, data, 5, 100, optimizer, live=True)                        # loss and accuracy
    mg.fit(model, data, 5, 100, optimizer, live=mg.viz.Live(mg.viz.Weights(model[0])))

    view = mg.viz.Live()                                                     # in a loop of your own
    for step, (x, y) in enumerate(batches, 1):
        ...
        view(step, loss)

The first batches are shown slowly: after 1, 2, 4, ... of them, or a training of a second would be over before one has
looked. From then on, however fast the batches come, a picture is drawn at most five times a second, and drawing takes
about a tenth of the time at most. What is waited is no time of training, and nothing grows with its length.

Modules: live_curve (a long row of numbers in little memory), live_screen (where it is shown), live_panel (what a part
of it is), and the panels: pictures_of_training, pictures_of_weights, pictures_of_time, pictures_of_codes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from minigrad_course.viz import plots
from minigrad_course.viz.live_curve import Curve
from minigrad_course.viz.live_panel import Panel
from minigrad_course.viz.live_screen import Lines, Page, find_screen, in_notebook
from minigrad_course.viz.pictures_of_training import Curves, number, percent, window

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from minigrad.training.train import History

WIDTH = 9.0  # inches
SECONDS_BETWEEN_PICTURES = 0.2
DRAWING_SHARE = 0.1  # of all the time, unless pictures come less often than this:
PATIENCE = 5.0  # seconds
EARLY = tuple(2**k for k in range(9))  # batches after which a picture is always drawn, because most happens early,
LOOK = 0.15  # and at least so many seconds to look at it


class Live:
    """A picture of the training that changes while it runs. Give it to `mg.fit(..., live=...)`, or call it each step.

    panels: what to show below the curves, such as `mg.viz.Weights(layer)`. beside: other runs by name, whose curves are
    laid below ours: histories, or sequences of losses. loss: what the loss is called on its axis. Away from notebooks
    it prints a line for each epoch.

    seconds: how long drawing has taken. losses, accuracies: a `Curve` each. steps: how many updates there were.
    Raises ImportError without matplotlib, and TypeError for a panel that is none.
    """

    def __init__(self, *panels: Panel, beside: Mapping[str, Any] | None = None, loss: str = "loss"):
        plots.need_matplotlib()
        for panel in panels:
            if not isinstance(panel, Panel):
                raise TypeError(f"a panel is such as mg.viz.Weights(layer), got a {type(panel).__name__}: {panel!r}")
        self.panels: list[Panel] = [Curves(beside, loss), *panels]
        self.width = int(100 * WIDTH)
        self._screen: Lines | Page | None = None
        self._figure: Any = None
        self._reset(None, None)

    def _reset(self, history: Any, batches: int | None) -> None:
        self.losses, self.accuracies = Curve(), Curve()
        self.tested: list[tuple[int, float]] = []  # (steps, test accuracy) after each epoch
        self.steps, self.batches, self.seconds, self.stopped = 0, batches, 0.0, ""
        self._history, self._began, self._next_picture, self._next_sample = history, time.perf_counter(), 0.0, 0
        self._from, self._shown = 0, 0.0  # the batches that were there before; when the last picture came
        self.accurate = history is not None and history.classes  # whether accuracies are to be expected

    def start(self, history: History | None, batches: int | None = None) -> None:
        """Start watching a training of `batches` batches that writes its losses into `history`; show a picture."""
        self._reset(history, batches)
        if history is not None:  # which has a past if the training resumes from a checkpoint
            per_epoch = len(history.losses) / max(len(history.epochs), 1)
            self.tested = [(round(per_epoch * (k + 1)), e.test_accuracy) for k, e in enumerate(history.epochs)]
            self.steps = self._from = len(history.losses)
        self._screen = find_screen()
        self._measure()
        self._show(False)

    def update(self) -> None:
        """Count an update. Costs next to nothing, except for the few times that it draws."""
        assert self._screen is not None
        self.steps += 1
        epoch = self._history is not None and len(self._history.epochs) > len(self.tested)
        if epoch:
            self._note_epochs(self.steps - 1)
        if self.steps >= self._next_sample:
            self._measure()
        early = self.steps - self._from in EARLY and self._screen.slow_start
        if early:
            self._let_look()
        if early or time.perf_counter() >= self._next_picture or (epoch and self._screen.each_epoch):
            self._show(epoch)

    def end(self) -> None:
        """Finish: the last picture stays, as a plain picture that the notebook keeps."""
        if self._screen is None:
            return
        screen, self._screen = self._screen, None
        self._read()
        if self._history is not None:
            self._note_epochs(self.steps)
            self.stopped = self._history.stopped or ""
        self._measure()
        screen.end(self)

    def __call__(self, step: int, loss: float) -> None:
        """Call this after each update of a loop of your own, or give it to `fit(on_batch=...)`. Ends with the cell."""
        if self._screen is None:
            self.start(None)
            if in_notebook():
                _call_after_the_cell(self.end)
        self.losses.append(loss)
        self.update()

    def png(self) -> bytes:
        """Return the current picture as PNG."""
        return plots.png(self._up_to_date())

    def bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the picture as a notebook stores it: see `plots.bundle`."""
        return plots.bundle(self._up_to_date(), self.sentence())

    def line(self) -> str:
        """Describe the progress of the training in a line."""
        steps = f"{self.steps:,} of {self.batches:,}" if self.batches else f"{self.steps:,}"
        parts = [f"batch {steps}"]
        if self.losses.count:
            parts.append(f"loss {number(self.losses.recent(window(self.losses))[0])}")
        if self.tested and self.tested[-1][1] == self.tested[-1][1]:
            parts.append(f"epoch {len(self.tested)}: test accuracy {percent(self.tested[-1][1])}")
        if self.batches and 0 < self.steps < self.batches:
            left = (time.perf_counter() - self._began) / self.steps * (self.batches - self.steps)
            parts.append(f"about {left:.0f} s left" if left >= 1 else "nearly done")
        return " · ".join(parts)

    def sentence(self) -> str:
        """Describe the picture in words and numbers: the alternative text."""
        return " ".join(filter(None, [*(panel.sentence(self) for panel in self.panels), self.stopped]))

    def _show(self, important: bool) -> None:
        began = time.perf_counter()
        self._read()
        assert self._screen is not None
        self._screen.show(self, important)
        now = time.perf_counter()
        self.seconds += now - began
        self._shown = now
        wait = min((now - began) * (1 / DRAWING_SHARE - 1), PATIENCE) if self.steps else 0.0  # the first is slow
        self._next_picture = now + max(SECONDS_BETWEEN_PICTURES, wait)

    def _let_look(self) -> None:
        """Wait until the last picture has been visible for a moment."""
        left = self._shown + LOOK - time.perf_counter()
        if left > 0:
            time.sleep(left)
            self.seconds += left

    def _measure(self) -> None:
        """Let the panels that are due measure, and plan their next measurement."""
        began = time.perf_counter()
        samples = max(panel.samples for panel in self.panels)
        for panel in self.panels:
            if panel.samples:
                panel.measure(self.steps)
        if not samples:
            self._next_sample = 2**63
        elif self.batches:
            self._next_sample = self.steps + max(1, self.batches // samples)
        else:  # of unknown length: ever more rarely
            self._next_sample = self.steps + max(1, self.steps // samples)
        self.seconds += time.perf_counter() - began

    def _note_epochs(self, steps: int) -> None:
        for epoch in self._history.epochs[len(self.tested) :]:
            self.tested.append((steps, epoch.test_accuracy))

    def _read(self) -> None:
        """Read what the history has gained since the last time."""
        if self._history is not None:
            for curve, numbers in ((self.losses, self._history.losses), (self.accuracies, self._history.accuracies)):
                for number in numbers[curve.count :]:
                    curve.append(number)

    def _up_to_date(self) -> Figure:
        with plots.style():
            fresh = self._figure is None
            if fresh:
                self._figure = plots.sheet(WIDTH, sum(panel.height for panel in self.panels))
                heights = [panel.height for panel in self.panels]
                parts = self._figure.subfigures(len(self.panels), 1, height_ratios=heights, squeeze=False)[:, 0]
                for panel, part in zip(self.panels, parts, strict=True):
                    panel.start(part)
            changed = [panel.refresh(self) for panel in self.panels]
            if fresh or any(changed):
                # Lay out the axes only when necessary: it takes as long as drawing.
                self._figure.set_layout_engine("constrained")
                self._figure.draw_without_rendering()
                self._figure.set_layout_engine("none")
        return self._figure


def _call_after_the_cell(end: Callable[[], None]) -> None:
    """Have IPython call `end` once when the running cell is over, even if it fails."""
    from IPython import get_ipython

    events = get_ipython().events

    def once() -> None:
        events.unregister("post_execute", once)
        end()

    events.register("post_execute", once)
