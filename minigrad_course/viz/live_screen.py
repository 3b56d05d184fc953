"""Show a changing picture in a widget, in a cell's output or, outside notebooks, as lines of text.

A widget's image is changed in place, so nothing flickers and the page keeps its height. At the end, a plain picture
replaces the widget; the notebook keeps it and shows it without a kernel.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol

from minigrad_course.viz.page import FIGURE_STYLE, caption

SECONDS_BETWEEN_LINES = 10.0
WIDGET = "application/vnd.jupyter.widget-view+json"


class View(Protocol):
    """An object to show. line: its progress. sentence: a description of the picture. width: in pixels."""

    width: int

    def line(self) -> str: ...
    def sentence(self) -> str: ...
    def png(self) -> bytes: ...
    def bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a notebook's data by MIME type, and their metadata."""


class Screen(Protocol):
    """A display. each_epoch: call it at every epoch, however short, because showing is almost free.

    slow_start: whether a person is watching, so that the first batches may be slowed down.
    """

    each_epoch: bool
    slow_start: bool

    def show(self, view: View, important: bool) -> None:
        """Show the current state. important: at the end of an epoch."""

    def end(self, view: View) -> None:
        """Show the final state, which stays."""


def find_screen() -> Screen:
    """Choose the best screen: in a notebook a widget, where anywidget is installed."""
    if not in_notebook():
        return Lines()
    try:
        return Widget()
    except ImportError:
        return Output()


def in_notebook() -> bool:
    """Tell whether a Jupyter kernel runs this, so that a person may see a page."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


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


class Widget:
    """An image with a line below, made with anywidget, which is ipywidgets with a script of one's own."""

    each_epoch, slow_start = False, True

    def __init__(self) -> None:
        import anywidget
        import traitlets

        class Picture(anywidget.AnyWidget):
            _esm = SCRIPT
            _css = FIGURE_STYLE
            png = traitlets.Bytes().tag(sync=True)
            line = traitlets.Unicode().tag(sync=True)
            sentence = traitlets.Unicode().tag(sync=True)
            width = traitlets.Int().tag(sync=True)

        self._widget = Picture()
        self._handle: Any = None

    def show(self, view: View, important: bool) -> None:
        with self._widget.hold_sync():  # all in one message
            self._widget.png, self._widget.width = view.png(), view.width
            self._widget.line, self._widget.sentence = view.line(), view.sentence()
        if self._handle is None:
            data, about = view.bundle()  # for pages without widgets: the first picture, until the last one arrives
            data[WIDGET] = {"model_id": self._widget.model_id, "version_major": 2, "version_minor": 0}
            self._handle = _display(data, about)

    def end(self, view: View) -> None:
        _finish(self._handle, view)
        self._widget.close()
        self._widget.layout.close()


class Output:
    """The output of a cell, replaced by the next picture: for notebooks without widgets."""

    each_epoch, slow_start = False, True

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, view: View, important: bool) -> None:
        data, about = view.bundle()
        if self._handle is None:
            self._handle = _display(data, about)
        else:
            self._handle.update(data, metadata=about, raw=True)

    def end(self, view: View) -> None:
        _finish(self._handle, view)


class Lines:
    """Lines of text at the end of each epoch and at intervals: for scripts and terminals."""

    each_epoch, slow_start = True, False

    def __init__(self) -> None:
        self._next = time.perf_counter() + SECONDS_BETWEEN_LINES

    def show(self, view: View, important: bool) -> None:
        if important or time.perf_counter() >= self._next:
            self._next = time.perf_counter() + SECONDS_BETWEEN_LINES
            print(view.line())

    def end(self, view: View) -> None:
        print(view.line(), view.sentence(), sep="\n")


def _display(data: dict[str, Any], about: dict[str, Any]) -> Any:
    from IPython.display import display

    return display(data, metadata=about, raw=True, display_id=True)


def _finish(handle: Any, view: View) -> None:
    from IPython.display import display

    data, about = view.bundle()
    if handle is None:
        display(data, metadata=about, raw=True)
    else:
        handle.update(data, metadata=about, raw=True)
    display(caption(view.sentence()), raw=True)
