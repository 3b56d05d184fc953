"""One quiet style for the lessons' plots: thin axes, few colours, words beside the lines instead of a legend.

The colours are Okabe and Ito's, which colour-blind eyes tell apart. The ground is white on light and dark pages alike.
Every picture comes with a sentence that says what it shows: under it for all, and as the text of the picture for
those who have it read to them. matplotlib is imported when the first picture is made.
"""

from __future__ import annotations

import io
from typing import Any

BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, BLACK, GREY = "#56B4E9", "#CC79A7", "#000000", "#666666"

_STYLE = {
    "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
    "text.color": "#222222", "axes.edgecolor": "#888888", "axes.labelcolor": "#222222",
    "xtick.color": "#444444", "ytick.color": "#444444", "font.size": 11, "axes.titlesize": 12,
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e6e6e6", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "lines.linewidth": 2.0, "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.1, "figure.constrained_layout.w_pad": 0.1,
}  # fmt: skip


def canvas(width: float = 7.0, height: float = 3.6, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure of `width` x `height` inches, and its axes (an array of them for several columns).

    Sets the course's style for all plots that follow. options: those of matplotlib's `subplots`.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('plots need matplotlib, which is not installed: pip install "matplotlib>=3.9"') from None
    plt.rcParams.update(_STYLE)
    return plt.subplots(1, columns, figsize=(width, height), **options)


def label(axes: Any, x: float, y: float, text: str, colour: str = BLACK, **options: Any) -> None:
    """Words beside a line, in its colour: what a legend would say, without the search."""
    axes.text(x, y, text, color=colour, fontweight="bold", **options)


def show(figure: Any, sentence: str) -> None:
    """Show a figure once, with `sentence` under it and as its alternative text."""
    import matplotlib.pyplot as plt
    from IPython.display import Markdown, display

    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=160)
    plt.close(figure)  # or the notebook shows it again at the end of the cell
    about = {"image/png": {"alt": sentence, "width": int(figure.get_figwidth() * 100)}}
    display({"image/png": file.getvalue(), "text/plain": sentence}, metadata=about, raw=True)
    display(Markdown(f"*{sentence}*"))
