"""The contents of memory while a loop over time runs forwards and then backwards: one row for each moment.

A backward pass through a loop needs the state before each step, the last one first. For one way of keeping states,
`schedule` computes which are held at each moment and how often a step is computed; `checkpoints` draws it, and
`trade_off` beside the costs of other ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad_course.viz import plots

EMPTY, CHECKPOINT, AGAIN, NOW, BACK = range(5)  # the marks in a cell of the picture
COLOURS = ("white", plots.BLUE, plots.SKY, plots.BLACK, plots.VERMILLION)
WORDS = ("", "kept from the way forwards", "computed again", "computed now", "walked back over now")


@dataclass
class Schedule:
    """moments (n, steps): the mark of each state over time. calls: steps computed. peak: most states held at once."""

    moments: np.ndarray
    calls: int
    peak: int


def schedule(steps: int, every: int | None) -> Schedule:
    """Keep the state before every k-th step (every=k); None: keep the first alone, and nothing on the way.

    With every=k the states of k steps are computed again, from the checkpoint before them, and held until they are
    walked back over. With None each single state is computed again from the very beginning.
    """
    rows: list[np.ndarray] = []
    held = np.full(steps, EMPTY)
    calls = peak = 0

    def note(step: int, what: int) -> None:
        nonlocal peak
        peak = max(peak, int(np.count_nonzero(held)))
        row = held.copy()
        row[step] = what
        rows.append(row)

    for step in range(steps):
        if step == 0 or (every is not None and step % every == 0):
            held[step] = CHECKPOINT
        calls += 1
        note(step, NOW)
    for step in reversed(range(steps)):
        if held[step] == EMPTY:
            start = 0 if every is None else step // every * every
            for again in range(start + 1, step + 1):
                if every is not None or again == step:
                    held[again] = AGAIN
                calls += 1
                note(again, NOW)
        note(step, BACK)
        held[step] = EMPTY
    return Schedule(np.array(rows), calls, peak)


def checkpoints(steps: int, every: Sequence[int | None], names: Sequence[str] | None = None) -> None:
    """Draw schedules beside each other: time runs downwards, the steps of the loop from left to right."""
    from matplotlib.patches import Patch

    schedules = [schedule(steps, k) for k in every]
    names = names or ["nothing kept" if k is None else f"every {k}" for k in every]
    figure, all_axes = plots.canvas(max(2.9 * len(schedules) + 0.6, 5.4), 4.6, columns=len(schedules), squeeze=False)
    sentences = []
    for axes, one, name in zip(all_axes[0], schedules, names, strict=True):
        _show(axes, one, f"{name}\n{one.calls:,} steps computed\nat most {one.peak} states held")
        sentences.append(f"{name}: {one.calls:,} steps computed, at most {one.peak} states held")
    all_axes[0][0].set_ylabel("moment, from top to bottom")
    handles = [Patch(color=colour, label=word) for colour, word in zip(COLOURS[1:], WORDS[1:], strict=True)]
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if len(schedules) < 3 else 4, frameon=False)
    plots.show(figure, f"A loop of {steps} steps, forwards and then backwards. {'; '.join(sentences)}.")


def _show(axes: Any, one: Schedule, title: str) -> None:
    from matplotlib.colors import ListedColormap

    look = {"cmap": ListedColormap(list(COLOURS)), "vmin": 0, "vmax": len(COLOURS) - 1, "interpolation": "nearest"}
    axes.imshow(one.moments, aspect="auto", **look)
    axes.grid(False)
    axes.set(title=title, xlabel="step of the loop")


def trade_off(count: int, steps: int = 36) -> None:
    """Draw what `count` checkpoints in a loop of so many steps cost: states held, steps computed, and the schedule."""
    counts = sorted({-(-steps // every) for every in range(1, steps + 1)})
    schedules = {count: schedule(steps, -(-steps // count)) for count in counts}
    count = -(-steps // -(-steps // count))  # checkpoints are equally far apart
    one = schedules[count]
    figure = plots.sheet(8.6, 3.4)
    with plots.style():
        left, middle, right = figure.subplots(1, 3)
        for axes, values, title, colour in (
            (left, {k: each.peak for k, each in schedules.items()}, "States held, at most", plots.BLUE),
            (middle, {k: each.calls for k, each in schedules.items()}, "Steps computed", plots.VERMILLION),
        ):
            axes.plot(counts, list(values.values()), ".-", color=colour)
            axes.plot([count], [values[count]], "o", color=plots.BLACK, ms=8)
            axes.set(xlabel="checkpoints", title=title, ylim=(0, 1.1 * max(values.values())))
            plots.label(axes, 0.97, 0.06, str(values[count]), transform=axes.transAxes, ha="right")
        _show(right, one, "Which, and when")
        right.set_ylabel("moment")
    costs = f"at most {one.peak} states held, {one.calls} steps computed"
    plots.show(figure, f"{count} checkpoints in {steps} steps: {costs}.")
