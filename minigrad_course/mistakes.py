"""A mistake in a notebook, told in words: the sentence, the learner's own line, and nothing of the package.

An error of minigrad's own says what was wrong and what to do. The thirty lines of our source above it help nobody who
looks for a mistake in a cell of five, so a notebook leaves them out; `%tb` shows them. A part of an exercise that is
still empty says so in one line. All other errors look as they always do.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
import traceback
from types import TracebackType
from typing import Any

EMPTY = "raise NotImplementedError()"  # what stands in an exercise where an answer belongs
MOST = 4  # lines of the learner's own, from the cell down to the function that asked for it
BOLD, RED, FAINT, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[2m", "\x1b[0m"

# JupyterLab shows an error as red as what a program writes to stderr. Nothing is wrong with what is not written yet.
_CALM = (
    '<style>.jp-OutputArea-child:has(+ .jp-OutputArea-child .minigrad-unwritten) [data-mime-type$="jupyter.stderr"]'
    '{background:none}</style><span class="minigrad-unwritten"></span>'
)


def tell_in_words(shell: Any = None) -> None:
    """From now on, tell errors of ours in words in this notebook; outside of one, or while one is graded, do nothing.

    A handler of errors that is there already stays.
    """
    if shell is None:
        if os.environ.get("MINIGRAD_LIVE") == "off":
            return
        from IPython import get_ipython

        shell = get_ipython()
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), _show)


def in_words(error: BaseException, trace: TracebackType | None) -> list[str] | None:
    """What to show for `error`, line by line; None if it is not ours to tell."""
    from minigrad.operation import Line  # exercises import the course, and some of them not the library

    frames = [Line(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(trace)]
    if not frames:
        return None
    if is_unwritten(error, trace):
        return [f"✎ Not written yet: {EMPTY} stands where your answer belongs."]
    if not _is_raised_by_us(*frames[-1]) or not error.args:
        return None
    sentence = str(error.args[0] if isinstance(error, KeyError) else error)
    lines = [f"{BOLD}{RED}{type(error).__name__}{PLAIN}: {sentence}"]
    own = [line for line in frames if _is_learners(line.file)]
    told = [str(line) for line in dict.fromkeys([*own[: MOST // 2], *own[-MOST // 2 :]])]
    lines += [f"  {line}" for line in told if line not in sentence]
    return [*lines, f"{FAINT}  %tb shows the way through minigrad's own source{PLAIN}"]


def is_unwritten(error: BaseException, trace: TracebackType | None) -> bool:
    """Whether an empty part of an exercise was reached."""
    if not isinstance(error, NotImplementedError) or error.args:
        return False
    last = traceback.extract_tb(trace)[-1:]
    return bool(last) and _is_learners(last[0].filename) and last[0].line == EMPTY


def _is_raised_by_us(file: str, number: int) -> bool:
    """Whether we meant it: what goes wrong in our source without a `raise` is a fault of ours, to be seen whole."""
    return file.startswith(_ours()) and linecache.getline(file, number).strip().startswith("raise ")


def _ours() -> tuple[str, ...]:
    from minigrad import jit
    from minigrad.operation import HOUSES

    return (*HOUSES, str(jit.cache_folder()) + os.sep)  # programs that we wrote are in the cache


def _is_learners(file: str) -> bool:
    """Whether a file is neither ours, nor installed, nor Python's own: a cell, or what a learner wrote beside it."""
    if "ipykernel" in os.path.basename(os.path.dirname(file)) or file.startswith("<ipython"):
        return True
    installed = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return not file.startswith(("<", *_ours(), *(folder + os.sep for folder in installed)))


def _show(shell: Any, kind: type, error: BaseException, trace: TracebackType | None, tb_offset: Any = None) -> None:
    """Show an error of a cell: as IPython calls it."""
    lines = None if shell.call_pdb else in_words(error, trace)
    if lines is None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)
        return
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace  # for %tb and %debug
    sys.last_exc = error  # type: ignore[attr-defined]  # since Python 3.12
    shell._showtraceback(kind, error, lines)
    if is_unwritten(error, trace):
        shell.display_pub.publish({"text/html": _CALM, "text/plain": ""})
