"""What is in memory while a loop over time is run forwards and then backwards: one row for each moment.

A walk back through a loop needs the state before each step, the last one first. `schedule` says, for one way of keeping
states, which are held at which moment and how often a step is computed; `checkpoints` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.viz import plots

EMPTY, CHECKPOINT, AGAIN, NOW, BACK = range(5)  # what a place in the picture shows
COLOURS = ("white", plots.BLUE, plots.SKY, plots.BLACK, plots.VERMILLION)
WORDS = ("", "kept from the way forwards", "computed again", "computed now", "walked back over now")


@dataclass
class Schedule:
    """moments (n, steps): what is where at each moment. calls: how many steps were computed. peak: most states held."""

    moments: np.ndarray
    calls: int
    peak: int


def schedule(steps: int, every: int | None) -> Schedule:
    """Keep the state before every k-th step (every=k); None: keep the first alone, and nothing on the way.

    With every=k the states of k steps are computed again, from the checkpoint before them, and held until they are
    walked back over. With None each single state is computed again from the very beginning. Raises ValueError for
    steps or every below 1.
    """
    if steps < 1 or (every is not None and every < 1):
        raise ValueError(f"a schedule has steps >= 1 and every >= 1, got {steps} and {every}")
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
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    found = [schedule(steps, k) for k in every]
    names = names or ["nothing kept" if k is None else f"every {k}" for k in every]
    figure, all_axes = plots.canvas(max(2.9 * len(found) + 0.6, 5.4), 4.6, columns=len(found), squeeze=False)
    said = []
    for axes, one, name in zip(all_axes[0], found, names, strict=True):
        colours = ListedColormap(list(COLOURS))
        axes.imshow(one.moments, aspect="auto", cmap=colours, vmin=0, vmax=len(COLOURS) - 1, interpolation="nearest")
        axes.grid(False)
        axes.set(
            title=f"{name}\n{one.calls:,} steps computed\nat most {one.peak} states held", xlabel="step of the loop"
        )
        said.append(f"{name}: {one.calls:,} steps computed, at most {one.peak} states held")
    all_axes[0][0].set_ylabel("moment, from top to bottom")
    handles = [Patch(color=colour, label=word) for colour, word in zip(COLOURS[1:], WORDS[1:], strict=True)]
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if len(found) < 3 else 4, frameon=False)
    plots.show(figure, f"A loop of {steps} steps, forwards and then backwards. {'; '.join(said)}.")


def trade(steps: int, chosen: int | None = None) -> Any:
    """Axes with states held and steps computed over the number of checkpoints; `chosen` is marked. The caller shows."""
    counts = np.arange(1, steps + 1)
    found = [schedule(steps, -(-steps // int(count))) for count in counts]
    figure, (left, right) = plots.canvas(8.4, 3.0, columns=2)
    for axes, values, title, colour in (
        (left, [one.peak for one in found], "States held, at most", plots.BLUE),
        (right, [one.calls for one in found], "Steps computed", plots.VERMILLION),
    ):
        axes.plot(counts, values, color=colour)
        axes.set(xlabel="number of checkpoints", title=title, ylim=(0, 1.1 * max(values)))
        if chosen is not None:
            axes.plot(chosen, values[chosen - 1], "o", color=plots.BLACK, ms=8)
            plots.label(axes, 0.97, 0.06, str(values[chosen - 1]), transform=axes.transAxes, ha="right")
    return figure
