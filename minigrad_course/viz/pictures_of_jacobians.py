"""The effect of a Jacobian on a small square of inputs, and the cost of filling it by columns or by rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.viz import plots

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes


def moved_square(function: Callable[..., Any], at: Sequence[float], jacobian: npt.ArrayLike, step: float = 0.5) -> None:
    """Show a square of inputs, what the Jacobian makes of it, and what the function makes of it.

    function: of two numbers (or arrays), with two outputs. at: the square's lower left corner. jacobian: (2, 2), there.
    step: the square's side.
    """
    jacobian, here = np.asarray(jacobian), np.array(at, float)
    along = np.linspace(0, step, 40)
    zero, full = np.zeros(40), np.full(40, step)
    border = np.array([[*along, *full, *along[::-1], *zero], [*zero, *along, *full, *along[::-1]]])  # anticlockwise
    corner = np.array(function(*here), float)
    figure, (left, right) = plots.canvas(8.4, 3.7, columns=2)
    promised = corner[:, None] + jacobian @ border
    left.fill(*(here[:, None] + border), color=plots.SKY, alpha=0.25)
    right.fill(*promised, color=plots.SKY, alpha=0.25)
    right.plot(*np.array(function(*(here[:, None] + border))), ":", color=plots.BLACK)
    for axes, start, turn in ((left, here, np.eye(2)), (right, corner, jacobian)):
        for k, colour in enumerate((plots.BLUE, plots.VERMILLION)):
            _arrow(axes, start, start + step * turn[:, k], colour)
    for k, colour in enumerate((plots.BLUE, plots.VERMILLION)):
        words = f"{jacobian[0, k]:.3g}, {jacobian[1, k]:.3g}"
        words = f"({words})" if step == 1 else f"{step:g} · ({words})"
        look = {"transform": right.transAxes, "ha": "right"}
        plots.label(right, 0.99, 0.03 + 0.9 * k, words, colour, **look)
    left.set(xlabel="x1", ylabel="x2", title="inputs", aspect="equal")
    right.set(xlabel="first output", ylabel="second output", title="outputs", aspect="equal")
    left.margins(0.25)
    right.margins(0.25)
    plots.show(
        figure,
        f"Left: a square of inputs at ({here[0]:g}, {here[1]:g}), with a step to the right and a step up. Right: the "
        "Jacobian turns the steps into its columns and the square into the shape with straight edges; dotted, where "
        "the square really goes.",
    )


def _arrow(axes: Axes, start: Any, end: Any, colour: str) -> None:
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
    axes.annotate("", xy=end, xytext=start, arrowprops=look)


def mode_costs(inputs: int, outputs: int, walk: float = 1.0) -> None:
    """Show a Jacobian of outputs x inputs, and what filling it costs in both modes as the number of inputs grows.

    The unit is a forward pass. walk: the price of a walk back in this unit.
    """
    figure, (left, right) = plots.canvas(8.6, 3.6, columns=2, width_ratios=[1, 1.5])
    forward, reverse, most = float(inputs), walk * outputs, 40
    cheap = "forward" if forward < reverse else "reverse" if reverse < forward else "either"
    for k in range(inputs) if cheap == "forward" else range(outputs):
        place, wide, high = ((k, 0), 1, outputs) if cheap == "forward" else ((0, k), inputs, 1)
        look = {"facecolor": plots.VERMILLION if cheap == "forward" else plots.BLUE, "alpha": 0.55 if k % 2 else 0.3}
        plots.rectangle(left, place, wide, high, edgecolor="white", linewidth=0.5, **look)
    left.set(xlim=(-0.5, most + 0.5), ylim=(most + 0.5, -0.5), aspect="equal", xlabel=f"{inputs} inputs")
    left.set(ylabel=f"{outputs} outputs", xticks=[], yticks=[])
    left.set_title({"forward": "by columns", "reverse": "by rows", "either": "by rows, or by columns"}[cheap])
    counts = np.arange(0, most + 1)
    right.plot(counts, counts, color=plots.VERMILLION)
    right.plot(counts, np.full(len(counts), reverse), color=plots.BLUE)
    right.plot([inputs, inputs], [forward, reverse], "o-", color=plots.GREY, linewidth=1)
    if reverse <= most:
        late = reverse > 0.7 * most
        right.plot(reverse, reverse, "D", color=plots.BLACK)
        beside, side, edge = ((-8, 7), "right", "bottom") if late else ((8, -7), "left", "top")
        right.annotate(f"they cross at {reverse:g}", (reverse, reverse), xytext=beside, ha=side, va=edge,
                       textcoords="offset points", fontweight="bold")  # fmt: skip
    top = max(most, reverse) * 1.1
    close = abs(most - reverse) < 0.08 * top
    up = 0.04 * top * (1 if reverse >= most else -1) if close else 0.0
    plots.label(right, 1.02 * most, most - up, "forward", plots.VERMILLION, va="center")
    plots.label(right, 1.02 * most, reverse + up, "reverse", plots.BLUE, va="center")
    right.set(xlabel="number of inputs", ylabel="price in forward passes", xlim=(0, 1.22 * most), ylim=(0, top))
    right.set_xticks(np.linspace(0, most, 5))
    verdict = "both cost the same" if cheap == "either" else f"{cheap} mode is cheaper"
    plots.show(
        figure,
        f"{inputs} inputs, {outputs} outputs: forward mode costs {forward:g}, reverse mode {reverse:g} forward passes; "
        f"{verdict}. The lines cross at {reverse:g} inputs.",
    )
