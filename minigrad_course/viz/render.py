"""Render DOT text as SVG or PNG, with the Graphviz inside the pygraphviz package.

Without pygraphviz, a `dot` program of the system serves. Without that, a picture shows the lines of its text.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from minigrad.guards import capabilities
from minigrad.guards.installation import install
from minigrad.native import jit
from minigrad_course.viz.looks import FONT


class PictureError(RuntimeError):
    """A picture could not be rendered this way. Its text and its DOT text are still available."""


MEASURED = FONT.partition(",")[0]  # without fonts, Graphviz knows how wide its letters are, but reads no list
GRAPHVIZ_SAYS = (b"Error: ", b"Warning: ")


def render(dot: str, form: str) -> bytes:
    """Render `dot` as `form`, "svg" or "png". Raises PictureError if nothing can render it."""
    try:
        import pygraphviz
    except ImportError as error:  # not installed, or a library that it needs is not on this computer
        return _by_program(dot, form, _help(error))
    with _fonts(), _quiet() as messages:
        try:
            return pygraphviz.AGraph(string=dot).draw(format=form, prog="dot")
        except Exception as error:  # from inside a C library: of any type
            problem = error
    raise PictureError(f"Graphviz could not make a {form} of this graph: {problem} {messages()}".rstrip()) from problem


def _help(error: ImportError) -> str:
    """Say how pictures come: pygraphviz may be installed, and lack a library of the system."""
    if isinstance(error, ModuleNotFoundError) and error.name == "pygraphviz":
        return (
            f"There is no Graphviz to draw pictures, so they are text: `{install('pygraphviz')}` brings one along (on "
            "a computer that it has no ready-made package for: install Graphviz, with its program `dot`)"
        )
    return (
        f"pygraphviz is installed but does not load ({error}), so pictures are text. A Graphviz of the system brings "
        "what is missing, and draws as well: on Debian and Ubuntu `sudo apt install graphviz`"
    )


def _by_program(dot: str, form: str, advice: str) -> bytes:
    if not capabilities.has("processes"):
        return _in_the_tab(dot, form)
    try:
        import graphviz
    except ImportError:
        raise PictureError(advice) from None
    try:
        return graphviz.Source(dot).pipe(format=form, quiet=True)
    except graphviz.ExecutableNotFound:
        raise PictureError(advice) from None
    except graphviz.CalledProcessError as error:
        raise PictureError(f"Graphviz could not make a {form} of this graph: {error}") from None


def _in_the_tab(dot: str, form: str) -> bytes:
    """Have the page draw that this Python runs in (tab/door.py); it has Graphviz, and draws SVG."""
    try:
        from minigrad_tab import door
    except ImportError:
        sentence = f"A graph is drawn by a program, so pictures are text: {capabilities.without('processes')}"
        raise PictureError(sentence) from None
    if form != "svg":
        raise PictureError(f"A tab draws SVG and no {form}; the course on a computer does")
    try:
        svg = door.draw(dot.replace(FONT, MEASURED))
    except ValueError as error:
        raise PictureError(f"Graphviz could not make a {form} of this graph: {error}") from None
    return svg.replace(f'font-family="{MEASURED}"'.encode(), f'font-family="{FONT}"'.encode())


@contextlib.contextmanager
def _quiet() -> Iterator[Callable[[], str]]:
    """Keep messages of the C library on standard error out of the notebook; yields a function that returns them.

    Its fonts library complains about the font settings of newer Linux systems at the first picture of a process. That
    would stand in red above the picture, and means nothing to the reader. Other output is kept.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        original = os.dup(2)
    except OSError:  # a process without a standard error
        yield lambda: ""
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield lambda: text
        finally:
            os.dup2(original, 2)
            os.close(original)
            file.seek(0)
            lines = file.read().splitlines(keepends=True)
            text = b"".join(line for line in lines if line.startswith(GRAPHVIZ_SAYS)).decode(errors="replace")
            for line in lines:
                if not line.startswith((*GRAPHVIZ_SAYS, b"Fontconfig")):
                    os.write(2, line)


@contextlib.contextmanager
def _fonts() -> Iterator[None]:
    """On a Linux without font settings (a bare container), show Graphviz the fonts that matplotlib carries."""
    bare = sys.platform == "linux" and not os.path.exists("/etc/fonts/fonts.conf")
    spec = importlib.util.find_spec("matplotlib") if bare and "FONTCONFIG_FILE" not in os.environ else None
    if spec is None or spec.origin is None:
        yield
        return
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    settings = jit.cache_folder() / "fonts.conf"
    settings.write_text(
        f"<fontconfig><dir>{escape(str(folder))}</dir><cachedir>{escape(str(settings.parent))}</cachedir></fontconfig>"
    )
    os.environ["FONTCONFIG_FILE"] = str(settings)
    try:
        yield
    finally:
        del os.environ["FONTCONFIG_FILE"]
