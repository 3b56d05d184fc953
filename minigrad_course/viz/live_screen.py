"""Show a changing picture in a widget, in a cell's output or, outside notebooks, as lines of text.

A widget's image is changed in place, so nothing flickers and the page keeps its height. At the end, a plain picture
replaces the widget; the notebook keeps it and shows it without a kernel.

A view has its progress in a `line()`, a `sentence()` about the picture, its `width` in pixels, the picture as `png()`,
and as a `bundle()` for the notebook.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from minigrad_course.viz.page import FIGURE_STYLE, caption

if TYPE_CHECKING:
    from anywidget import AnyWidget

    from minigrad_course.viz.live import Live

SECONDS_BETWEEN_LINES = 10.0
WIDGET = "application/vnd.jupyter.widget-view+json"

# One permanent image element whose source changes: the old picture stays until the new one is decoded.
SCRIPT = """
export default {
  render({ model, el }) {
    el.classList.add("minigrad-live");
    const image = el.appendChild(document.createElement("img")), line = el.appendChild(document.createElement("div"));
    image.style.maxWidth = "100%";
    let shown = "";
    const show = async () => {
      const source = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
      const next = new Image();
      next.src = source;
      await next.decode().catch(() => null);
      image.src = source;
      image.alt = model.get("sentence");
      image.width = model.get("width");
      line.textContent = model.get("line");
      if (shown) setTimeout(URL.revokeObjectURL, 1000, shown);
      shown = source;
    };
    model.on("change:png", show);
    show();
    return () => { model.off("change:png", show); URL.revokeObjectURL(shown); };
  },
};
"""


def find_screen() -> Lines | Page:
    """Choose where to show: in a page, or as lines of text."""
    return Page() if in_notebook() else Lines()


def in_notebook() -> bool:
    """Tell whether a Jupyter kernel runs this, so that a person may see a page."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


class Page:
    """The output of a cell: a widget, or, without anywidget, a picture that the next one replaces.

    each_epoch: show at every epoch, however short, because it is almost free. slow_start: a person is watching, so the
    first batches may be slowed down.
    """

    each_epoch, slow_start = False, True

    def __init__(self) -> None:
        self._widget, self._handle = _widget(), None

    def show(self, view: Live, important: bool) -> None:
        """Show the current state. important: at the end of an epoch."""
        if self._widget is not None:
            with self._widget.hold_sync():  # all in one message
                self._widget.png, self._widget.width = view.png(), view.width
                self._widget.line, self._widget.sentence = view.line(), view.sentence()
        if self._widget is None or self._handle is None:
            self._display(view, self._widget)

    def end(self, view: Live) -> None:
        """Show the final state, which stays."""
        from IPython.display import display

        self._display(view)
        display(caption(view.sentence()), raw=True)
        if self._widget is not None:
            self._widget.close()
            self._widget.layout.close()

    def _display(self, view: Live, widget: AnyWidget | None = None) -> None:
        from IPython.display import display

        data, about = view.bundle()
        if widget is not None:  # pages without widgets show the picture until the last one arrives
            data[WIDGET] = {"model_id": widget.model_id, "version_major": 2, "version_minor": 0}
        if self._handle is None:
            self._handle = display(data, metadata=about, raw=True, display_id=True)
        else:
            self._handle.update(data, metadata=about, raw=True)


def _widget() -> AnyWidget | None:
    """Make an image with a line below, or None without anywidget, which is ipywidgets with a script of one's own."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None

    class Picture(anywidget.AnyWidget):
        _esm = SCRIPT
        _css = FIGURE_STYLE
        png = traitlets.Bytes().tag(sync=True)
        line = traitlets.Unicode().tag(sync=True)
        sentence = traitlets.Unicode().tag(sync=True)
        width = traitlets.Int().tag(sync=True)

    return Picture()


class Lines:
    """Lines of text at the end of each epoch and at intervals: for scripts and terminals."""

    each_epoch, slow_start = True, False

    def __init__(self) -> None:
        self._next = time.perf_counter() + SECONDS_BETWEEN_LINES

    def show(self, view: Live, important: bool) -> None:
        if important or time.perf_counter() >= self._next:
            self._next = time.perf_counter() + SECONDS_BETWEEN_LINES
            print(view.line())

    def end(self, view: Live) -> None:
        print(view.line(), view.sentence(), sep="\n")
