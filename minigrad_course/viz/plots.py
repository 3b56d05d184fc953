"""One quiet style for the lessons' plots: thin axes, few colours, words beside the lines instead of a legend.

The colours are Okabe and Ito's, which colour-blind eyes tell apart. On a dark page
light and dark change places (page.py).
Every picture comes with a sentence that says what it shows: under it for all, and as the text of the picture for
those who have it read to them. matplotlib is imported when the first picture is made.

Two scales of colours: `signed()` for numbers with a sign, such as weights, and ink on paper for digits. The pictures
that lessons use again and again have modules of their own, called pictures_of_*.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.guards.installation import install
from minigrad_course.viz.page import caption

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, BLACK, GREY = "#56B4E9", "#CC79A7", "#000000", "#666666"
GAP = "#d8d8d8"  # between pictures, or missing
INK = {BLUE: BLUE, ORANGE: "#8A6100", GREEN: "#00704F", SKY: "#22719F", PURPLE: "#9C4A7A"}  # words in these colours
MOST_WORDS = 40  # in a figure whose words are moved apart; a figure with more is a matrix of entries
SHARPNESS = 160  # dots for each inch, and an inch is shown as 100 pixels: sharp on screens of high resolution too

_STYLE = {
    "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
    "text.color": "#222222", "axes.edgecolor": "#888888", "axes.labelcolor": "#222222",
    "xtick.color": "#444444", "ytick.color": "#444444", "font.size": 11, "axes.titlesize": 12,
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e6e6e6", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "lines.linewidth": 2.0, "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.1, "figure.constrained_layout.w_pad": 0.1,
}  # fmt: skip


def canvas(width: float = 7.0, height: float = 3.6, columns: int = 1, **options: object) -> tuple[Any, Any]:
    """A figure of `width` x `height` inches, and its axes (an array of them for several columns).

    Sets the course's style for all plots that follow. options: those of matplotlib's `subplots`.
    """
    need_matplotlib()
    import matplotlib.pyplot as plt

    plt.rcParams.update(_STYLE)
    return plt.subplots(1, columns, figsize=(width, height), **options)


def sheet(width: float, height: float) -> Figure:
    """Make a figure without axes that pyplot does not track, so that the caller need not close it."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(width, height), dpi=SHARPNESS, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Apply the course's style to everything drawn inside, and to nothing else."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def need_matplotlib() -> None:
    """Raise ImportError, with advice, if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(f"plots need matplotlib, which is not installed: {install('matplotlib')}") from None


def signed() -> Colormap:
    """Colours for numbers with a sign: blue below zero, white at zero, orange above; grey for what is no number.

    Blue and orange differ for every kind of colour vision. Use it with limits that are alike on both sides.
    """
    from matplotlib.colors import LinearSegmentedColormap

    colours = ["#003B5C", BLUE, "#8CC4E4", "white", "#F2B48C", VERMILLION, "#6B2F00"]
    return LinearSegmentedColormap.from_list("minigrad_signed", colours).with_extremes(bad=GAP)


def signed_limits(values: np.ndarray) -> float:
    """Return the largest finite absolute value, for limits -v to v; 1 if there is none but 0."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size and finite.max() > 0 else 1.0


def label(axes: Axes, x: float, y: float, text: str, colour: str = BLACK, **options: Any) -> None:
    """Label a line in its colour, which saves the search in a legend."""
    axes.text(x, y, text, color=colour, fontweight="bold", **options)


def bare(*panels: Axes, edges: bool = False) -> None:
    """Take ticks and grid away, and the edges unless they are to stay."""
    for axes in panels:
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        axes.spines[:].set_visible(edges)


def rectangle(axes: Axes, corner: tuple[float, float], width: float, height: float, **look: Any) -> None:
    """Add a rectangle, with matplotlib's names for its look."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle(corner, width, height, **look))


def keep_titles_inside(figure: Any) -> None:
    """Move titles sideways until the figure's edge cuts none: the layout makes room for all other words only."""
    with style():
        figure.draw_without_rendering()
    edge = 0.05 * figure.dpi  # letters are a little wider where the picture is sharper
    for axes in figure.axes:
        for title in (axes.title, axes._left_title, axes._right_title):
            box = title.get_window_extent()
            right = max(edge - box.x0, 0.0) or min(figure.bbox.x1 - edge - box.x1, 0.0)
            if title.get_text() and right and box.width <= figure.bbox.width - 2 * edge:
                title.set_x(title.get_position()[0] + right / axes.bbox.width)


def apart(figure: Figure) -> None:
    """Move the words of a figure up and down until none overlap each other or single points, because their positions
    may depend on measurements.
    """
    texts = [text for axes in figure.axes for text in axes.texts if text.get_visible() and text.get_text().strip()]
    if not 2 <= len(texts) <= MOST_WORDS:
        return
    with style():
        figure.draw_without_rendering()
    points = _points(figure)
    boxes = [*(text.get_window_extent() for text in texts), *points]
    order = sorted(range(len(boxes)), key=lambda k: boxes[k].y0)
    room = 0.01 * figure.dpi
    for _ in range(100):  # each round may push words onto their neighbours, a little less than the one before
        moved = False
        for i, low in enumerate(order):
            for high in order[i + 1 :]:
                one, other = boxes[low], boxes[high]
                shared = min(one.x1, other.x1) - max(one.x0, other.x0)
                over = one.y1 - other.y0
                if shared < 0.05 * min(one.width, other.width) or over < 0.1 * one.height or one.y0 >= other.y1:
                    continue
                free = [k < len(texts) for k in (low, high)]  # a point stays where it was measured
                if not any(free):
                    continue
                step = (over + room) / sum(free)
                boxes[low], boxes[high] = one.translated(0, -step * free[0]), other.translated(0, step * free[1])
                moved = True
        if not moved:
            break
    for text, box in zip(texts, boxes[: len(texts)], strict=True):
        up = box.y0 - text.get_window_extent().y0
        if up:
            _raise(text, up)


def _points(figure: Any) -> list[Bbox]:
    """Return the boxes of single points, each a line of its own with a marker, because names are written beside
    them.
    """
    from matplotlib.transforms import Bbox

    points = []
    for axes in figure.axes:
        for line in axes.lines:
            if line.get_marker() in (None, "", "None", " ") or len(line.get_xdata()) != 1:
                continue
            ((x, y),) = line.get_transform().transform(line.get_xydata())
            half = line.get_markersize() * figure.dpi / 144
            points.append(Bbox.from_extents(x - half, y - half, x + half, y + half))
    return points


def _raise(text: Any, pixels: float) -> None:
    """Move words upwards, in the units of their position."""
    if getattr(text, "anncoords", None) == "offset points":
        x, y = text.xyann
        text.xyann = (x, y + 72 * pixels / text.figure.dpi)
        return
    to_pixels = text.get_transform()
    x, y = to_pixels.transform((text.convert_xunits(text._x), text.convert_yunits(text._y)))
    text.set_position(tuple(to_pixels.inverted().transform((x, y + pixels))))


def png(figure: Any) -> bytes:
    """The figure as a PNG."""
    file = io.BytesIO()
    with style():
        if figure.dpi == SHARPNESS:  # a sheet: drawn once, while savefig would draw it twice
            figure.canvas.print_png(file, pil_kwargs={"compress_level": 1})
        else:
            figure.savefig(file, format="png", dpi=SHARPNESS)
    return file.getvalue()


def bundle(figure: Figure, sentence: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a notebook's data for a figure: PNG and sentence, and the PNG's width and alt text."""
    about = {"alt": sentence, "width": int(figure.get_figwidth() * 100)}
    return {"image/png": png(figure), "text/plain": sentence}, {"image/png": about, "needs_background": "light"}


def show(figure: Figure, sentence: str) -> None:
    """Show a figure once, with `sentence` under it and as its alternative text."""
    try:
        from IPython.display import display
    except ImportError:
        raise ImportError(f"IPython, which shows pictures, is not installed: {install('ipykernel')}") from None
    import matplotlib.pyplot as plt

    keep_titles_inside(figure)
    apart(figure)
    data, about = bundle(figure, sentence)
    plt.close(figure)  # or the notebook shows it again at the end of the cell
    display(data, metadata=about, raw=True)
    display(caption(sentence), raw=True)
