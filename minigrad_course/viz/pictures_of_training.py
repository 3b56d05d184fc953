"""Loss and accuracy over the batches, with those of other runs for comparison.

Each batch counts: as a dot, or, when there are many, in a band from the smallest to the largest. The line is a running
mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.live_curve import Curve
from minigrad_course.viz.live_panel import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from minigrad_course.viz.live import Live

PART = 25  # the line is a running mean over one part in so many of the training so far
OTHERS = (plots.ORANGE, plots.PURPLE, plots.SKY)


class Curves(Panel):
    """The panel that every `Live` begins with. beside: histories or sequences of losses, by name, at most three.

    Raises ValueError for more, TypeError for what holds no losses.
    """

    height = 3.2

    def __init__(self, beside: Mapping[str, Any] | None = None, loss: str = "loss"):
        if len(beside or {}) > len(OTHERS):
            raise ValueError(f"at most {len(OTHERS)} other runs fit beside ours, got {len(beside or {})}")
        self._loss = loss
        self._others: list[tuple[str, str, Curve, Curve]] = []
        for colour, (name, run) in zip(OTHERS, (beside or {}).items(), strict=False):
            losses = np.asarray(getattr(run, "losses", run))
            if losses.ndim != 1 or losses.dtype.kind not in "fiu":
                raise TypeError(f"{name!r} beside ours is a History or a row of losses, got {run!r:.80}")
            self._others.append((name, colour, Curve(losses), Curve(getattr(run, "accuracies", ()))))

    def start(self, figure: Figure) -> None:
        self._left, self._right = figure.subplots(1, 2)
        self._grid = self._left.get_gridspec()
        self._left.set(xlabel="batch", title=f"{self._loss[:1].upper()}{self._loss[1:]}")
        self._right.set(xlabel="batch", title="Accuracy, %", ylim=(0, 102))
        for name, colour, losses, accuracies in self._others:
            for axes, curve, unit in ((self._left, losses, 1), (self._right, accuracies, 100)):
                if curve.count:
                    axes.plot(curve.x, unit * curve.smooth(window(curve)), color=colour, lw=6, alpha=0.55, label=name)
        self._loss_lines = _Lines(self._left, plots.BLUE)
        self._accuracy_lines = _Lines(self._right, plots.GREEN)
        (self._tests,) = self._right.plot([], [], "o", color=plots.BLACK, ms=5, clip_on=False, in_layout=False)
        self._words: list[Any] = []
        self._frame: tuple[Any, ...] = ()

    def refresh(self, view: Live) -> bool:
        self._loss_lines.update(view.losses, 1)
        self._accuracy_lines.update(view.accuracies, 100)
        tested = [(steps, 100 * accuracy) for steps, accuracy in view.tested if not math.isnan(accuracy)]
        self._tests.set_data([x for x, _ in tested], [y for _, y in tested])
        longest = max([view.batches or 0, view.losses.count, *(losses.count for _, _, losses, _ in self._others)])
        right = max(10, longest if view.batches else _round_up(longest))
        low, high = _range([view.losses, *(losses for _, _, losses, _ in self._others)])
        first = view.accurate and not view.losses.count  # reserve the layout for later pictures
        both = first or bool(tested) or not math.isnan(view.accuracies.last)
        frame = (right, low, high, both)
        if frame != self._frame:
            self._frame = frame
            self._left.set(xlim=(0, right), ylim=(low, high))
            self._right.set(xlim=(0, right), visible=both)
            self._left.set_subplotspec(self._grid[0] if both else self._grid[0:2])
            self._label(view)
            return True
        self._label(view)
        return False

    def sentence(self, view: Any = None) -> str:
        return summary(view)

    def _label(self, view: Live) -> None:
        """Label the lines in a column in the corner that curves rarely reach."""
        for words in self._words:
            words.remove()
        mean = f"line: mean of {window(view.losses) * view.losses.span:,} batches"
        pale = "dots: each of them" if view.losses.span == 1 else "band: lowest to highest"
        left = [(mean, plots.BLUE), (pale, plots.BLUE)]
        if self._others:
            left = [("ours (narrow)", plots.BLUE), *((f"{name} (wide)", colour) for name, colour, _, _ in self._others)]
        right = [("training batches", plots.GREEN), ("● test", plots.BLACK)]
        right += [(f"{name} (wide)", c) for name, c, _, accuracies in self._others if accuracies.count]
        self._words = []
        for axes, lines, y, step in ((self._left, left, 0.95, -0.09), (self._right, right[::-1], 0.06, 0.09)):
            for k, (text, colour) in enumerate(lines):
                place = {"transform": axes.transAxes, "ha": "right", "va": "center", "fontsize": 10}
                ink = plots.INK.get(colour, colour)
                self._words.append(axes.text(0.98, y + k * step, text, color=ink, fontweight="bold", **place))


class _Lines:
    """A pale band and a line in one colour, for a curve."""

    def __init__(self, axes: Any, colour: str):
        self._axes, self._colour, self._band = axes, colour, None
        (self._line,) = axes.plot([], [], color=colour, lw=1.6)

    def update(self, curve: Curve, unit: float) -> None:
        if self._band is not None:
            self._band.remove()
        x, low, high = curve.x, unit * curve.low, unit * curve.high
        if curve.span == 1:  # single batches are drawn as dots
            (self._band,) = self._axes.plot(x, low, "o", ms=3, mew=0, color=self._colour, alpha=0.45)
        else:
            self._band = self._axes.fill_between(x, low, high, color=self._colour, alpha=0.22, lw=0)
        self._line.set_data(x, unit * curve.smooth(window(curve)))


def summary(view: Live) -> str:
    """Describe the curves in words."""
    losses = view.losses
    if not losses.count:
        return "No batch has been trained yet."
    mean, count = losses.recent(window(losses))
    recent = f"the last {count:,} at {number(mean)}"
    first = number(losses.mean[0])  # one batch, or the mean of several where many have been trained
    first = f"the first {first}" if losses.span == 1 else f"the first {losses.span:,} at {first}"
    text = f"Loss over {_many(losses.count, 'batch', 'batches')}: {first}, {recent} on average."
    tested = [accuracy for _, accuracy in view.tested if not math.isnan(accuracy)]
    if tested:
        text += f" Test accuracy {percent(tested[-1])} after {_many(len(tested), 'epoch', 'epochs')}."
    return text


def window(curve: Curve) -> int:
    """Return the number of a curve's points in the running mean."""
    return len(curve) // PART // 2 * 2 + 1


def _range(curves: list[Curve]) -> tuple[float, float]:
    """Limits for losses: from 0 if they are positive, up to a round number; the few highest may leave the picture."""
    values = np.concatenate([curve.smooth(window(curve)) for curve in curves] or [np.empty(0)])
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, 1.0
    high = _round_up(float(values.max()) * 1.05)
    return (0.0 if values.min() >= 0 else -_round_up(-float(values.min()) * 1.05)), high


def _round_up(x: float) -> float:
    """Round up to 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten, so that a picture's limits seldom change."""
    if x <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(k * power for k in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15) if k * power >= x)


def number(x: float) -> str:
    """Format a loss with four digits."""
    return f"{x:.4g}"


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
