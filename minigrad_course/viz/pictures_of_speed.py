"""Pictures of speed: a ladder of measurements, the arrays each step walks over, and the rounds of a race.

The ladder goes from the slowest to the fastest way of computing the same thing, in three panels side by side: the time
of one unit of work on a logarithmic scale, where each bar runs from the time of the row above to its own, so that its
length is the factor gained; what was compiled beforehand, in seconds; and the bytes that one unit allocates. The last
two begin at 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad_course.measure.result import Measurement, show_seconds
from minigrad_course.viz import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rungs = Mapping[str, tuple[Measurement, float]]
LANES = 4  # numbers in a vector, as it is drawn


def short_bytes(number: float | None) -> str:
    """`0`, `40 B`, `7.2 MB`: at most three digits, in powers of 1,000."""
    if number is None:
        return "not known"
    for unit in ("B", "kB", "MB", "GB"):
        if number < 999.5 or unit == "GB":
            break
        number /= 1000
    return "0" if number < 0.05 and unit == "B" else f"{number:.{0 if number >= 10 or unit == 'B' else 1}f} {unit}"


def ladder(rungs: Rungs, of: str, sentence: str) -> None:
    """Draw measurements below each other, each with the factor gained over the one above.

    rungs: by name (a measurement, units of work in it), such as {"NumPy": (m, 1000)}. of: the unit, such as "a point"
    or "a step". sentence: the message of the picture; the figures are added to it, as text.
    """
    names = list(rungs)
    times = np.array([float(m.seconds or 0) / units for m, units in rungs.values()])
    compiled = np.array([m.compile_seconds or 0.0 for m, _ in rungs.values()])
    sizes = [None if m.allocated_bytes is None else m.allocated_bytes / units for m, units in rungs.values()]
    figure, (left, middle, right) = plots.canvas(
        9.8, 0.42 * len(names) + 1.3, columns=3, sharey=True, gridspec_kw={"width_ratios": [6, 1.8, 1.8]}
    )
    rows = np.arange(len(names))
    _waterfall(left, rows, times)
    left.set_yticks(rows, names)
    left.invert_yaxis()
    left.set_title(f"time for {of}, logarithmic")
    _bars(middle, rows, compiled, [show_seconds(s) if s else "–" for s in compiled], plots.ORANGE)
    middle.set_title("compiling")
    _bars(right, rows, np.array([s or 0.0 for s in sizes]), [short_bytes(s) for s in sizes], plots.PURPLE)
    right.set_title("arrays allocated")
    words = [
        f"{name}: {show_seconds(t)}" + (f" after {show_seconds(c)} of compiling" if c else "") + f", {short_bytes(s)}"
        for name, t, c, s in zip(names, times, compiled, sizes, strict=True)
    ]
    plots.show(figure, f"{sentence} For {of}: {'; '.join(words)}.")


def _waterfall(axes: Axes, rows: np.ndarray, times: np.ndarray) -> None:
    """Bars from the time of the row above to the row's own, with the factor between them."""
    from matplotlib.ticker import EngFormatter, LogLocator, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(times.min() / 2.5, times.max() * 25)
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda seconds, _: EngFormatter("s")(seconds))
    axes.grid(axis="y", visible=False)
    for row, time in zip(rows, times, strict=True):
        before = times[row - 1] if row else time
        colour = plots.BLUE if time <= before else plots.VERMILLION
        axes.barh(row, time - before, left=before, color=colour, height=0.55, alpha=0.75)
        axes.plot(time, row, "o", color=colour, ms=6)
        change = "" if not row else f"   {_factor(before / time)}"
        axes.text(1.2 * max(time, before), row, f"{show_seconds(time)}{change}", va="center", fontsize=10)


def _factor(gain: float) -> str:
    """Format a factor as `12×`, or `1.3× slower`: a measurement supports only two digits."""
    ratio = max(gain, 1 / gain)
    digits = f"{ratio:,.0f}" if ratio >= 99.5 else f"{ratio:.2g}"
    return f"{digits}×" + ("" if gain >= 1 else " slower")


def _bars(axes: Axes, rows: np.ndarray, values: np.ndarray, labels: list[str], colour: str) -> None:
    """Bars from 0 with their figures, and no scale: the figures say it."""
    top = max(values.max(), 1e-9)
    axes.barh(rows, values, color=colour, height=0.55)
    axes.set(xlim=(0, 2.1 * top), xticks=[])
    axes.tick_params(left=False)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    for row, value, text in zip(rows, values, labels, strict=True):
        axes.text(value + 0.06 * top, row, text, va="center", fontsize=10)


def walks(steps: Sequence[tuple[str, str, str]], sentence: str) -> None:
    """Draw the arrays that each step reads and writes: a row for each step, a column for each array.

    steps: (text of the step, the arrays that it reads, those that it writes), arrays as letters, such as ("p = r x",
    "rx", "p"). sentence: the message of the picture; the numbers of walks are added to it.
    """
    arrays = list(dict.fromkeys("".join(reads + writes for _, reads, writes in steps)))
    width = 1.3 * len(arrays) + 1.6
    figure, axes = plots.canvas(width, 0.32 * len(steps) + 0.7)
    for row, (_, reads, writes) in enumerate(steps):
        for column, name in enumerate(arrays):
            read, written = name in reads, name in writes
            if read:
                axes.barh(row, 0.4, left=column - 0.42, color=plots.BLUE, height=0.7)
                axes.text(column - 0.22, row, "read", color="white", ha="center", va="center", fontsize=9)
            if written:
                axes.barh(row, 0.4, left=column + 0.02, color=plots.ORANGE, height=0.7)
                axes.text(column + 0.22, row, "write", color="black", ha="center", va="center", fontsize=9)
    axes.set_yticks(range(len(steps)), [text for text, _, _ in steps])
    axes.set_xticks(range(len(arrays)), [f"array {name}" for name in arrays])
    axes.set(xlim=(-0.6, len(arrays) - 0.4), ylim=(len(steps) - 0.5, -0.5))
    axes.tick_params(left=False, bottom=False, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.grid(False)
    to_read, to_write = (sum(len(set(step[k])) for step in steps) for k in (1, 2))
    walked = f"{to_read} walks to read an array, {to_write} to write one, {to_read + to_write} in all"
    plots.show(figure, f"{sentence} {len(steps)} steps: {walked}.")


def turns(rounds: Mapping[str, Sequence[float]], title: str, colours: Mapping[str, str]) -> None:
    """Draw each engine's rounds: a row of dots for each engine, with its median as a line; from 0.

    rounds: by name, steps a second in each round, in order. colours: by name, the same in all pictures of a page. The
    sentence under the picture has medians, slowest and fastest.
    """
    figure, axes = plots.canvas(8.4, 0.5 * len(rounds) + 1.0)
    top = max(max(values) for values in rounds.values())
    for row, (name, values) in enumerate(rounds.items()):
        colour = colours.get(name, plots.BLUE)
        shift = np.linspace(-0.2, 0.2, len(values)) if len(values) > 1 else [0.0]
        axes.plot(values, row + np.asarray(shift), "o", color=colour, ms=4, alpha=0.5, mew=0)
        middle = float(np.median(values))
        axes.plot([middle, middle], [row - 0.35, row + 0.35], color=colour, lw=3)
        axes.text(
            1.06 * top, row, f"{middle:,.0f}", color=plots.INK.get(colour, colour), va="center", fontweight="bold"
        )
    axes.set_yticks(range(len(rounds)), list(rounds))
    axes.set(xlim=(0, 1.2 * top), ylim=(len(rounds) - 0.5, -0.5))
    axes.set(xlabel="steps a second; each dot is a round, the line the median")
    axes.set_title(title)
    axes.grid(axis="y", visible=False)
    words = [f"{name} {np.median(v):,.0f} ({min(v):,.0f} to {max(v):,.0f})" for name, v in rounds.items()]
    plots.show(figure, f"{title}: median steps a second, slowest and fastest round: {'; '.join(words)}.")


def tile(rows: int, vectors: int) -> None:
    """Draw the loads and the registers of one step in a product's inner loop: rows and vectors of a tile."""
    columns = vectors * LANES
    figure, axes = plots.canvas(0.42 * (columns + 5) + 0.6, 0.42 * (rows + 3.2))

    def box(x: float, y: float, colour: str) -> None:
        axes.barh(y, 0.86, left=x - 0.43, height=0.86, color=colour)

    for row in range(rows):
        box(-3, row, plots.BLUE)
        for column in range(columns):
            box(column + 0.3 * (column // LANES), row, plots.ORANGE)
    for column in range(columns):
        box(column + 0.3 * (column // LANES), -2.2, plots.BLUE)
    axes.text(-1.5, (rows - 1) / 2, "×", ha="center", va="center", fontsize=14)
    axes.text(-3, -0.9, "a[i, p]", ha="center", va="center", fontsize=10)
    axes.text(-1.1, -2.2, "b[p, j]", ha="center", va="center", fontsize=10)
    axes.text(columns / 2 - 0.4, -1.1, "added to the tile, which stays in registers", ha="center", fontsize=10)
    plots.bare(axes)
    axes.set(xlim=(-4, columns + 0.6), ylim=(rows - 0.4, -2.9), aspect="equal")
    loads, sums = rows + vectors, rows * vectors
    plots.show(
        figure,
        f"One step of the inner loop. Blue is loaded: {rows} numbers of a, {vectors} vectors of b, {loads} loads in "
        f"all. Orange stays: {sums} vectors of sums, each of which gets one multiply-add.",
    )
