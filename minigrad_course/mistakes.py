"""Explain a mistake in a notebook: the sentence, the learner's own line, and none of the package's.

minigrad's errors say what was wrong and what to do. The thirty lines of our source above them do not help to find a
mistake in a cell of five, so a notebook leaves them out; `%tb` shows them. An exercise that is still empty says so in
one line. All other errors look as usual.
"""

from __future__ import annotations

import codeop
import linecache
import os
import sys
import sysconfig
import traceback
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

EMPTY = "raise NotImplementedError()"  # the placeholder for an answer in an exercise
MOST = 4  # lines of the learner's own, from the cell down to the innermost function
ENDS = 50  # entries of a traceback at its beginning and at its end; between them a recursion repeats itself
ENDLESS = "`{}` calls itself without end, or once for each step of a long way"
BOLD, FAINT, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"  # no colour: it must be read on light ground and on dark

# JupyterLab shows an error as red as output to stderr, but an unwritten answer is not an error.
_CALM = (
    '<style>.jp-OutputArea-child:has(+ .jp-OutputArea-child .minigrad-unwritten) [data-mime-type$="jupyter.stderr"]'
    '{background:none}</style><span class="minigrad-unwritten"></span>'
)


def tell_in_words(shell: InteractiveShell = None) -> None:
    """From now on, explain our errors in words in this notebook; elsewhere, or during grading, do nothing.

    An existing error handler stays.
    """
    if shell is None:
        if os.environ.get("MINIGRAD_LIVE") == "off":
            return
        from IPython import get_ipython

        shell = get_ipython()
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), _show)


def in_words(error: BaseException, trace: TracebackType | None) -> list[str] | None:
    """Return the lines to show for `error`, or None if it is not one of ours."""
    from minigrad.core.errors import Line  # exercises import the course, and some of them not the library

    frames = [Line(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(trace)]
    if not frames:
        return None
    if isinstance(error, RecursionError) and (name := calls_itself(error)):
        lines = [f"{BOLD}{type(error).__name__}{PLAIN}: {ENDLESS.format(name)}"]
        return [*lines, *(f"  {line}" for line in dict.fromkeys(frames[-MOST:]) if _is_learners(line.file))]
    if is_unwritten(error, trace):
        return [f"✎ Not written yet: {EMPTY} stands where your answer belongs."]
    if isinstance(cause := error.__cause__, TypeError) and "array element" in str(error):
        # NumPy's sentence for y[0] = node, which asked the node for a float: the node's own says more.
        error, frames = (
            cause,
            [*frames, *(Line(f.f_code.co_filename, n) for f, n in traceback.walk_tb(cause.__traceback__))],
        )
    if not _is_raised_by_us(*frames[-1]) or not error.args:
        return None
    sentence = str(error.args[0] if isinstance(error, KeyError) else error)
    lines = [f"{BOLD}{type(error).__name__}{PLAIN}: {sentence}"]
    own = [line for line in frames if _is_learners(line.file)]
    own_lines = [str(line) for line in dict.fromkeys([*own[: MOST // 2], *own[-MOST // 2 :]])]
    lines += [f"  {line}" for line in own_lines if line not in sentence]
    return [*lines, f"{FAINT}  %tb shows the way through minigrad's own source{PLAIN}"]


def calls_itself(error: BaseException | None) -> str:
    """Return the notebook's function that occurs most often in a traceback, if it does so twice; else nothing."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)] if error is not None else []
    calls = Counter(f.f_code.co_name for f in frames if f.f_globals.get("__name__") == "__main__")
    return next((name for name, times in calls.most_common() if name.isidentifier() and times > 1), "")


def collapse(error: BaseException) -> None:
    """Leave out of a recursion's traceback what repeats itself: it may have a hundred thousand entries."""
    entries, entry = [], error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    if isinstance(error, RecursionError) and len(entries) > 2 * ENDS:
        entries[ENDS - 1].tb_next = entries[-ENDS]


def is_unwritten(error: BaseException, trace: TracebackType | None) -> bool:
    """Tell whether an empty part of an exercise was reached."""
    if not isinstance(error, NotImplementedError) or error.args:
        return False
    last = traceback.extract_tb(trace)[-1:]
    return bool(last) and _is_learners(last[0].filename) and last[0].line == EMPTY


def _is_raised_by_us(file: str, number: int) -> bool:
    """Tell whether we raised an error on purpose: without a `raise` in our source it is our fault, shown in full."""
    return file.startswith(_ours()) and linecache.getline(file, number).strip().startswith("raise ")


def _ours() -> tuple[str, ...]:
    from minigrad.core.errors import INTERNAL_DIRS
    from minigrad.native import jit

    return (*INTERNAL_DIRS, str(jit.cache_folder()) + os.sep)  # generated programs are in the cache


def _is_learners(file: str) -> bool:
    """Tell whether a file is the learner's: a cell or a file beside it, neither ours, nor installed, nor Python's
    own.
    """
    if "ipykernel" in os.path.basename(os.path.dirname(file)) or file.startswith("<ipython"):
        return True
    installed = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return not file.startswith(("<", *_ours(), *(folder + os.sep for folder in installed)))


def _is_no_python(error: BaseException, trace: TracebackType | None) -> bool:
    """Tell a cell that cannot be read, also below a magic such as %%measure, from one that has run."""
    import IPython

    files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(trace)]
    readers = (os.path.dirname(IPython.__file__) + os.sep, codeop.__file__)
    return not any(map(_is_learners, files)) or (isinstance(error, SyntaxError) and files[-1].startswith(readers))


def _show(
    shell: InteractiveShell, kind: type, error: BaseException, trace: TracebackType | None, tb_offset: int | None = None
) -> None:
    """Show an error of a cell, with the arguments of IPython's handler."""
    collapse(error)
    as_it_says_itself = hasattr(error, "_render_traceback_")
    if not as_it_says_itself and _is_no_python(error, trace):  # IPython points at the place, without its own frames
        (shell.showindentationerror if isinstance(error, IndentationError) else shell.showsyntaxerror)()
        return
    lines = None if shell.call_pdb or as_it_says_itself else in_words(error, trace)
    if lines is None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)
        return
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace  # for %tb and %debug
    sys.last_exc = error  # type: ignore[attr-defined]  # since Python 3.12
    if isinstance(error, RecursionError):  # else IPython formats a thousand frames, to store them
        error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
    shell._showtraceback(kind, error, lines)
    if is_unwritten(error, trace):
        shell.display_pub.publish({"text/html": _CALM, "text/plain": ""})
