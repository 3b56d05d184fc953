"""The effect of array operations on single entries, drawn as cells with numbers: broadcasts, sums and a product.

`broadcasting` shows copies forward, and how their adjoints collapse on the way back. `product` shows the entries of C
that one entry of A contributes to, for C = A @ B. `jacobians` shows which output depends on which input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.short import number
from minigrad_course.viz import plots

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

GAP = 0.7  # between an array and its copies, in cells
_COLOURS = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE, plots.SKY, plots.VERMILLION)


def broadcasting(
    array: npt.ArrayLike, adjoint: npt.ArrayLike, copied: int | None = None, returned: int | None = None
) -> None:
    """Draw `array` broadcast to the shape of `adjoint`, a matrix, and beside it the adjoint summed back.

    array: at most two axes, of a shape that broadcasts to that of `adjoint`. copied, returned: how many of its copies
    have been made, and how many of their adjoints have come back; all if not said.
    """
    array, adjoint = np.asarray(array), np.asarray(adjoint)
    source = array.reshape((1,) * (2 - array.ndim) + array.shape)
    total = adjoint.size // source.size
    copied = total if copied is None else min(copied, total)
    returned = total if returned is None else min(returned, total)
    rows, columns = adjoint.shape

    figure, axes = plots.canvas(1.1 + 0.62 * (2 * columns + 3), 0.9 + 0.5 * (rows + 1))
    plots.bare(axes)
    sums = np.zeros(source.shape)
    second = columns + 1 + 2 * GAP
    for i, j in np.ndindex(adjoint.shape):
        at = (i if source.shape[0] > 1 else 0, j if source.shape[1] > 1 else 0)
        turn = _turn(i, j, source.shape, columns)
        colour = _COLOURS[(at[0] * source.shape[1] + at[1]) % len(_COLOURS)]
        x, y = j + 1 + GAP, i + 1 + GAP
        _cell(axes, x, y, source[at] if turn < copied else None, colour)
        back = turn < returned
        _cell(axes, x + second, y, adjoint[i, j], colour, faint=back)
        sums[at] += adjoint[i, j] if back else 0
    for i, j in np.ndindex(source.shape):
        colour = _COLOURS[(i * source.shape[1] + j) % len(_COLOURS)]
        x = j + 1 + GAP if source.shape[1] > 1 else 0 if source.shape[0] > 1 else 1 + GAP
        y = i + 1 + GAP if source.shape[0] > 1 else 0
        _cell(axes, x, y, source[i, j], colour, bold=True)
        _cell(axes, x + second, y, sums[i, j], colour, bold=True)
    width = columns + 1 + GAP
    top = -0.85 if source.shape[0] == 1 else GAP - 0.35  # no row of cells above a column's copies
    plots.label(axes, 1 + GAP - 0.5, top, f"there: {copied} of {total} copies made", plots.BLACK)
    plots.label(axes, second + 1 + GAP - 0.5, top, f"back: {returned} of {total} adjoints added", plots.BLACK)
    axes.set(xlim=(-0.6, second + width), ylim=(rows + 1 + GAP - 0.4, top - 0.35), aspect="equal")
    plots.show(
        figure,
        f"Left, an array of shape {array.shape} and its copies in shape {adjoint.shape}, each in the colour of the "
        f"entry it copies. Right, the adjoints of the copies collapse: {', '.join(map(number, sums.flat))} so far.",
    )


def _turn(i: int, j: int, source: tuple[int, ...], columns: int) -> int:
    """Return which copy of its entry the cell (i, j) holds."""
    if source == (1, 1):
        return i * columns + j
    return i if source[0] == 1 else j if source[1] == 1 else 0


def product(i: int, k: int) -> None:
    """Draw C = A @ B with the entries that A[i, k] meets: row k of B, and row i of C that it changes.

    A is (4, 3) and B (3, 5). B stands above C and A to its left, so that C[i, j] lies where row i of A and column j of
    B cross.
    """
    m, n, p = 4, 3, 5
    figure, axes = plots.canvas(1.2 + 0.6 * (n + p), 0.7 + 0.47 * (m + n))
    plots.bare(axes)
    for a, b in np.ndindex(m, n):
        _cell(axes, b, a + n + GAP, "A" if (a, b) == (i, k) else None, plots.VERMILLION, bold=True)
    for b, c in np.ndindex(n, p):
        _cell(axes, c + n + GAP, b, "B" if b == k else None, plots.BLUE)
    for a, c in np.ndindex(m, p):
        _cell(axes, c + n + GAP, a + n + GAP, "+ AB" if a == i else None, plots.GREEN)
    plots.label(axes, n + GAP - 0.5, -0.75, f"B: row {k}", plots.BLUE)
    plots.label(axes, -0.5, n + GAP - 0.75, f"A[{i}, {k}]", plots.VERMILLION)
    plots.label(axes, n + GAP + p - 0.3, n + GAP + i + 0.12, f"C: row {i}", plots.INK[plots.GREEN])
    axes.set(xlim=(-0.7, n + GAP + p + 1.4), ylim=(n + GAP + m - 0.4, -1.2), aspect="equal")
    plots.show(
        figure,
        f"A[{i}, {k}] is multiplied by each entry of row {k} of B and added into row {i} of C. So on the way back "
        f"row {i} of C's adjoint, times row {k} of B, comes home to it: {p} products, one sum.",
    )


def jacobians(matrices: Mapping[str, Any], sentence: str) -> None:
    """Draw Jacobians, (outputs, inputs), beside each other at one scale: 0 is white, orange above, blue below."""
    arrays = [np.asarray(matrix, float) for matrix in matrices.values()]
    limit = max(plots.signed_limits(array) for array in arrays)
    widths = [max(array.shape[1], 6) for array in arrays]
    height = max(array.shape[0] for array in arrays)
    figure, axes = plots.canvas(
        0.7 * len(arrays) + 0.31 * sum(widths), 1.2 + 0.31 * height, len(arrays), width_ratios=widths, squeeze=False
    )
    for ax, name, array, width in zip(axes[0], matrices, arrays, widths, strict=True):
        for at in np.ndindex(array.shape):
            _cell(ax, at[1], at[0], None, plots.BLACK)
        ax.imshow(array, cmap=plots.signed(), vmin=-limit, vmax=limit, zorder=3, alpha=0.9)
        ax.set(title=name, xlabel="input", ylabel="output", xticks=range(array.shape[1]), yticks=range(array.shape[0]))
        ax.set(xlim=(-0.55, width - 0.45), ylim=(height - 0.45, -0.55), aspect="equal")
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        ax.grid(False)
    plots.show(figure, sentence)


def _cell(axes: Axes, x: float, y: float, value: Any, colour: str, faint: bool = False, bold: bool = False) -> None:
    from matplotlib.colors import to_rgb

    strength = 0.0 if value is None else 0.08 if faint else 0.65 if bold else 0.35
    fill = [1 - strength * (1 - part) for part in to_rgb(colour)]
    plots.rectangle(axes, (x - 0.5, y - 0.5), 1, 1, facecolor=fill, edgecolor="#999999", linewidth=0.8)
    if value is not None:
        text = value if isinstance(value, str) else number(value)
        axes.text(x, y, text, ha="center", va="center", color="#8a8a8a" if faint else "#111111",
                  fontweight="bold" if bold else "normal")  # fmt: skip
