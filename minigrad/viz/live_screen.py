"""Where a picture that changes is shown: in a widget, in a cell's output, or, away from notebooks, as lines of text.

A widget's image is changed in place, so nothing flickers and the page keeps its height. When all is done, the widget
makes way for a plain picture: that is what the notebook keeps, and shows without anything running.
"""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any, Protocol

SECONDS_BETWEEN_LINES = 10.0
WIDGET = "application/vnd.jupyter.widget-view+json"


class View(Protocol):
    """What can be shown. line: where it stands, in words. sentence: what the picture shows. width: in pixels."""

    width: int

    def line(self) -> str: ...
    def sentence(self) -> str: ...
    def png(self) -> bytes: ...
    def bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook stores: data by MIME type, and what is to be known about them."""


class Screen(Protocol):
    """each_epoch: whether it wants to know of every epoch, however short; showing costs next to nothing then."""

    each_epoch: bool

    def show(self, view: View, important: bool) -> None:
        """How it stands now. important: at the end of an epoch."""

    def end(self, view: View) -> None:
        """How it ended: this stays."""


def find_screen(widgets: bool | None) -> Screen:
    """The best screen there is: in a notebook a widget if `widgets` is not False and ipywidgets is installed.

    Raises ImportError if widgets is True, and they are not installed.
    """
    if widgets:
        try:
            import ipywidgets  # noqa: F401
        except ImportError:
            raise ImportError("widgets need ipywidgets, which is not installed: pip install ipywidgets") from None
    if not in_notebook():
        return Lines()
    if widgets is not False:
        try:
            return Widget()
        except ImportError:
            return Output()
    return Output()


def in_notebook() -> bool:
    """Whether somebody with a page is at the other end: a Jupyter kernel runs this."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


class Widget:
    """An ipywidgets image with a line below."""

    each_epoch = False

    def __init__(self) -> None:
        import ipywidgets

        self._image, self._line = ipywidgets.Image(format="png"), ipywidgets.HTML()
        self._box = ipywidgets.VBox([self._image, self._line])
        self._box.add_class("minigrad-live")
        self._handle: Any = None

    def show(self, view: View, important: bool) -> None:
        self._image.value = view.png()
        self._image.tooltip = view.sentence()  # an ipywidgets image has no other text for screen readers
        self._line.value = escape(view.line())
        if self._handle is None:
            self._image.layout.width, self._image.layout.max_width = f"{view.width}px", "100%"
            data, about = view.bundle()  # for pages without widgets: the first picture, until the last one comes
            data[WIDGET] = {"model_id": self._box.model_id, "version_major": 2, "version_minor": 0}
            self._handle = _display(data, about)

    def end(self, view: View) -> None:
        _finish(self._handle, view)
        for widget in (self._box, self._image, self._line):
            for part in (getattr(widget, "style", None), widget.layout, widget):
                if part is not None:
                    part.close()


class Output:
    """The output of a cell, replaced by the next picture: for notebooks without widgets."""

    each_epoch = False

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
    """Lines of text, at the end of each epoch and now and then between: for scripts and terminals."""

    each_epoch = True

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
    from IPython.display import Markdown, display

    data, about = view.bundle()
    if handle is None:
        display(data, metadata=about, raw=True)
    else:
        handle.update(data, metadata=about, raw=True)
    display(Markdown(f"*{view.sentence()}*"))
