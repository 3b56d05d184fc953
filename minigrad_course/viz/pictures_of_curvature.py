"""Pictures of second derivatives: a Hessian as tiles, and paths down into a valley.

For functions of a few numbers, so that each of them can be looked at. Colours and style are those of `plots`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad_course.viz import plots

COLOURS = (plots.VERMILLION, plots.BLUE, plots.GREEN, plots.PURPLE)
MARKS = ("o", "s", "^", "D")  # distinguishable without colours
FLOOR = 1e-20  # lower values are shown as this one, for the logarithm


def tiles(matrices: Mapping[str, Any], sentence: str, limit: float | None = None) -> None:
    """Draw matrices side by side, a tile for each entry with its number; nan marks an entry not yet known.

    matrices: title -> square matrix. Blue is negative, orange positive, grey unknown, on one scale for all. limit: the
    number of the darkest colour; by default the largest.
    """
    arrays = [np.asarray(matrix, np.float64) for matrix in matrices.values()]
    limit = limit or max(plots.signed_limits(array) for array in arrays)
    figure, axes = plots.canvas(3.0 * len(arrays), 3.4, columns=len(arrays), squeeze=False)
    for ax, title, array in zip(axes[0], matrices, arrays, strict=True):
        ax.imshow(array, cmap=plots.signed(), vmin=-limit, vmax=limit)
        ax.set(title=title, xticks=[], yticks=[])
        ax.grid(False)
        ax.set_xticks(np.arange(0.5, len(array) - 1), minor=True)
        ax.set_yticks(np.arange(0.5, len(array) - 1), minor=True)
        ax.grid(which="minor", color="white", linewidth=1.5)
        ax.tick_params(which="both", length=0)
        for (i, j), entry in np.ndenumerate(array):
            if not np.isnan(entry):
                colour = "white" if abs(entry) > 0.6 * limit else plots.BLACK
                ax.text(j, i, f"{entry:.3g}", ha="center", va="center", color=colour, fontsize=9)
    plots.show(figure, sentence)


def valley(
    f: Callable[[Any], Any], paths: Mapping[str, Sequence[Any]], box: tuple[float, float, float, float], sentence: str
) -> None:
    """Draw paths on the map of a function of two numbers, and beside it the value after each step of each path.

    f: takes an array whose two entries are numbers or arrays. paths: name -> points, from the start on. box: left,
    right, bottom, top of the map.
    """
    left, right, bottom, top = box
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(bottom, top, 200))
    height = np.log10(f(np.stack([x, y])) + 1e-3)
    figure, (ground, falling) = plots.canvas(9.0, 4.0, columns=2, width_ratios=(1.2, 1))
    ground.contourf(x, y, height, levels=14, cmap="Greys_r")
    ground.grid(False)
    for (name, points), colour, mark in zip(paths.items(), COLOURS, MARKS, strict=False):
        line = np.array(points)
        every = max(1, len(line) // 25)
        ground.plot(*line.T, color=colour, marker=mark, markevery=every, markersize=4, linewidth=1.6)
        heights = np.maximum([f(point) for point in line], FLOOR)
        falling.semilogy(np.arange(len(line)) + 1, heights, color=colour, marker=mark, markevery=every, markersize=4)
        plots.label(falling, len(line), heights[-1], f"  {name}", colour, va="center")
    falling.set_xscale("log")
    falling.set(xlabel="step (the start is 1)", title="height after each step")
    falling.set_xlim(0.8, 40 * max(len(points) for points in paths.values()))
    ground.set(xlim=(left, right), ylim=(bottom, top), title="seen from above: dark is low")
    plots.show(figure, sentence)
