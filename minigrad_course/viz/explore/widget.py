"""`explore`: the widget, and the still picture that replaces it where there are no widgets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from minigrad.core.graph import Graph, Node
from minigrad.guards.installation import install
from minigrad_course.viz.explore import alone
from minigrad_course.viz.explore.link import link
from minigrad_course.viz.explore.listing import compiled_lines
from minigrad_course.viz.explore.record import Record, record
from minigrad_course.viz.explore.still import Still
from minigrad_course.viz.explore.story import story

if TYPE_CHECKING:
    from anywidget import AnyWidget

    from minigrad.compiler.function import CompiledGraph
    from minigrad.compiler.step import CompiledStep
    from minigrad_course.viz.explore.stages import Stages

HERE = Path(__file__).parent
SITE = "MINIGRAD_SITE"  # in the environment while the lessons run for the site (tools/documentation.py)


def explore(
    what: Callable[..., Any] | Node | Graph | Sequence[Node] | CompiledGraph | CompiledStep,
    *args: object,
    mode: str = "reverse",
    **options: object,
) -> Explorer | Stages:
    """One run of a function, or a graph, in linked views to step through: forward, then backward.

        mg.explore(lambda x, y: 2 * x + x * y**3 + mg.sin(x), 3.0, 5.0)
        mg.explore(torch_function, tensor)  # or one of JAX, see `others`
        mg.explore(f)        # a node: the graph as it is, with the values that it has
        mg.explore(lambda x, y: x * y, 3.0, 5.0, mode="forward")
        mg.explore(program)  # of mg.compile_graph or mg.compile: its text after each of the compiler's passes

    what: a function of numbers (or small arrays), with the arguments to run it on, as for mg.trace (options are handed
    on as they are); or a node, several, or a Graph. mode: "reverse", as told below; or "forward": a pass for each
    input, in which value and tangent are computed side by side and a column of the Jacobian fills.
    It is differentiated by the arguments, or by the graph's variables; each output is walked back from, one after the
    other (an array's entries are summed). Three switches leave a rule of the walk out, and mark the numbers that
    become wrong.

    In JupyterLab it shows itself, and needs neither a server nor the network; everywhere else, and when the notebook is
    opened again without running it, there is a still picture with the same numbers. `.text` has them as text.
    Where the address of the course's site is known, a button makes a link to the playground (see `link`).

    Raises TypeError for what is neither function nor node or for arguments that do not fit, ValueError for more than
    400 nodes or another mode, NotImplementedError for an operation of theirs that we do not have, and ImportError, when
    it is shown, without anywidget.

    >>> print(mg.explore(lambda x, y: x * y, 3.0, 5.0).text)
    f(x=3, y=5)
    ...
      f = x * y
      x_bar = y_bar = f_bar = 0
      f_bar = 1
      x_bar += f_bar * y
      y_bar += f_bar * x
    """
    if hasattr(what, "explain"):
        from minigrad_course.viz.explore.stages import Stages  # imports the compiler

        if args or options:
            raise TypeError("explore(program) shows how it was compiled, and takes no arguments")
        return Stages(what)  # type: ignore[arg-type]
    if mode not in ("forward", "reverse"):
        raise ValueError(f'explore knows mode="forward" and mode="reverse", got {mode!r}')
    return Explorer(record(what, *args, **options), mode, link(what, args, options, mode))


class Explorer:
    """The result of `explore`, which displays itself. text, still: the still picture. widget: the live one.

    link: what its address in the playground holds (see `link`), if it can have one.
    """

    def __init__(self, recorded: Record, mode: str = "reverse", link: Mapping[str, Any] = MappingProxyType({})):
        self.record, self.mode, self.link = recorded, mode, dict(link)

    @cached_property
    def story(self) -> dict[str, Any]:
        """Return the browser's data as JSON."""
        return story(self.record, self.mode)

    @cached_property
    def still(self) -> Still:
        """The picture that replaces the live views where there are none."""
        return Still(self.record, self.mode)

    @cached_property
    def widget(self) -> AnyWidget:
        """The widget itself, for use in other widgets. Raises ImportError without anywidget."""
        try:
            import anywidget
            import traitlets
        except ImportError:
            raise ImportError(
                f"the live views of explore need anywidget, which is not installed: {install('anywidget')}"
            ) from None

        class Views(anywidget.AnyWidget):
            _esm = HERE / "explore.js"
            _css = HERE / "explore.css"
            story = traitlets.Dict().tag(sync=True)
            still = traitlets.Unicode().tag(sync=True)
            link: Any = traitlets.Dict().tag(sync=True)
            asked = traitlets.Bool(False).tag(sync=True)  # for the compiled program, which takes a moment
            compiled: Any = traitlets.List().tag(sync=True)

        views = Views(story=self.story, still=self.still.key, link=self.link)
        views.observe(lambda change: setattr(views, "compiled", self.compiled), "asked")
        return views

    @cached_property
    def compiled(self) -> list[list[Any]]:
        """Return the lines of the compiled program: [text, number of its source line, node whose adjoint it is]."""
        place = {node: k for k, node in enumerate(self.record.nodes)}
        shown = {number for number, _ in self.record.source}
        try:
            lines = compiled_lines(self.record)
        except (TypeError, ValueError, NotImplementedError) as error:
            return [[f"# not to be compiled: {error}", None, None]]
        return [
            [text, number if number in shown else None, None if node is None else place[node]]
            for text, number, node in lines
        ]

    @cached_property
    def page(self) -> str:
        """Return the views as HTML for a page without a kernel; see `alone`."""
        return alone.piece_of_page(self.still.html, story=self.story, asked=True, compiled=self.compiled)

    @property
    def text(self) -> str:
        """The source, tables, Jacobian and program as text."""
        return self.still.text

    def __repr__(self) -> str:
        return f"<Explorer of {self.record.title}: {len(self.record.nodes)} nodes. See .text, or show it in JupyterLab>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.still.bundle()

    def _ipython_display_(self) -> None:
        """Show the still picture, which stays in the notebook, and then the live views, which hide it."""
        from IPython.display import display

        if os.environ.get(SITE):
            display({"text/html": self.page, "text/plain": self.text}, raw=True)
            return
        data, metadata = self.still.bundle()
        display(data, metadata=metadata, raw=True)
        try:
            widget = self.widget
        except ImportError as error:
            print(f"This is the still picture: {error}")
            return
        bundle = widget._repr_mimebundle_()
        data = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        data["text/plain"] = "(Live views: run this cell in JupyterLab.)"
        display(data, raw=True)
