"""A filter slides over a picture, and back: each pixel's outputs, and the filter entry that links them.

Both pictures stand still; a lesson gives them a slider. They are computed here by the formula, window by window, and
not by `mg.conv2d`, so that a reader can compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad_course.viz import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TINT = "#FBE3C4"  # under an entry that takes part
SIDE, FILTER = 7, ("abc", "def", "ghi")  # pixels along a side of the picture; the filter that meets them


def sliding(picture: object, kernel: object, row: int, column: int, sentence: str = "") -> None:
    """Show a filter at one place of a picture: what it meets, the products and their sum, and the output so far.

    picture: (rows, columns), kernel: (height, width), both numbers. row, column: of the window's upper left pixel, and
    so of the output. sentence: what to say beside the numbers.
    """
    picture, kernel = np.asarray(picture, float), np.asarray(kernel, float)
    height, width = kernel.shape
    rows, columns = picture.shape[0] - height + 1, picture.shape[1] - width + 1
    windows = np.lib.stride_tricks.sliding_window_view(picture, kernel.shape)
    output = np.einsum("rqab,ab->rq", windows, kernel)
    limit = plots.signed_limits(output)
    met = windows[row, column]

    figure, (left, middle, right) = plots.canvas(9, 3.3, columns=3)
    left.imshow(picture, cmap="gray_r", vmin=0, vmax=1)
    _frame(left, row, column, height, width)
    left.set_title("the picture, and the window")

    middle.imshow(met * kernel, cmap=plots.signed(), vmin=-3, vmax=3)
    for (a, b), entry in np.ndenumerate(kernel):
        text = f"{met[a, b]:.2f}\n× " + (f"{entry:g}" if abs(entry) >= 0.1 or entry == 0 else f"{entry:.2f}")
        middle.text(b, a, text, ha="center", va="center", fontsize=10 if width <= 3 else 7)
    middle.set_title(f"pixel × entry, added up: {output[row, column]:+.2f}")

    done = np.arange(rows * columns).reshape(rows, columns) <= row * columns + column
    right.imshow(np.where(done, output, np.nan), cmap=plots.signed(), vmin=-limit, vmax=limit)
    _frame(right, row, column, 1, 1)
    right.set_title(f"the output, {rows} × {columns}")
    plots.bare(left, middle, right, edges=True)
    caption = sentence or "The filter lies on one window of the picture; blue is below zero, orange above."
    plots.show(
        figure,
        f"{caption} Window at row {row}, column {column}: the products add up to {output[row, column]:+.2f}, which "
        f"becomes the output's entry ({row}, {column}).",
    )


def met_by(row: int, column: int) -> list[list[str]]:
    """For each output of a filter of 3 x 3 on a picture of 7 x 7: the entry that it laid on one pixel.

    The entries are called a, b, c, ... row by row; "" where the window does not reach the pixel.
    """
    places = range(SIDE - 2)
    return [
        [FILTER[row - r][column - q] if 0 <= row - r < 3 and 0 <= column - q < 3 else "" for q in places]
        for r in places
    ]


def looked_back(row: int, column: int) -> None:
    """Show one pixel of the input, and each output that met it with the entry of the filter that lay on it there."""
    names = met_by(row, column)
    figure, (left, middle, right) = plots.canvas(9, 3.2, columns=3, width_ratios=(3, SIDE, SIDE - 2))
    _letters(left, FILTER)
    left.set_title("the filter")
    _letters(middle, [["x" if (r, q) == (row, column) else "" for q in range(SIDE)] for r in range(SIDE)])
    middle.set_title("one pixel of the input")
    _letters(right, names)
    right.set_title("the outputs that met it")
    plots.bare(left, middle, right, edges=True)
    rows = [" ".join(filter(None, line)) for line in names if any(line)]
    met = sum(bool(name) for line in names for name in line)
    plots.show(
        figure,
        f"Pixel ({row}, {column}) was met by {met} output{'' if met == 1 else 's'}. "
        f"The entries that lay on it there, row by row: {' / '.join(rows)}.",
    )


def _letters(axes: Axes, names: Sequence[Sequence[str]]) -> None:
    rows, columns = len(names), len(names[0])
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    for r, line in enumerate(names):
        for q, name in enumerate(line):
            look = {"facecolor": TINT if name else "white", "edgecolor": "#999999", "lw": 1}
            plots.rectangle(axes, (q - 0.5, r - 0.5), 1, 1, **look)
            axes.text(q, r, name, ha="center", va="center", fontsize=15)


def _frame(axes: Axes, row: int, column: int, height: int, width: int) -> None:
    look = {"fill": False, "edgecolor": plots.VERMILLION, "lw": 2.5}
    plots.rectangle(axes, (column - 0.5, row - 0.5), width, height, **look)
