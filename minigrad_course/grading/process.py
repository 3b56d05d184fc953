"""Runs the cells of a notebook in a process of its own, which can be killed, and says how each ended.

A time limit holds for every cell, in seconds of the processor, so that a busy computer costs nobody points; by the
clock it may take a few times as long. Nothing escapes it: a loop in Python is interrupted; where that does not help
(a loop inside compiled code never looks up) the process is killed. A cell that took its process down costs its own
points only: the others run again in a new process, without it. What a cell prints is not kept.

What lies beside the notebook, and may be called numpy.py, is out of the process's reach until all is imported that
grading needs. The process is as honest as the answers that run in it: nothing keeps somebody from giving
themselves points on their own computer. (A class is graded elsewhere: see minigrad_class.)
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities
from minigrad_course.grading.cells import GradingError, grade_id, kind
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.outcome import Outcome, time_limit_message
from minigrad_course.grading.runner import Runner, quiet_shell

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WAITING = 4  # times its limit, by the clock, for a cell that waits
RESTARTS = 3  # processes that one notebook may take down before the rest is left unrun
GRACE = 5.0  # seconds that an interrupted cell has to stop
READY = 60.0  # seconds of the processor for a process to be ready
FIGURES = "module://matplotlib_inline.backend_inline"  # where a notebook's figures go


def run(
    cells: Sequence[Any],
    folder: Path,
    limit: float = 30.0,
    redefined: Collection[str] = (),
    author: Sequence[tuple[str, str, str]] = (),
) -> list[Outcome]:
    """Run code cells in `folder`, each for at most `limit` seconds of the processor. Returns the outcome of each.

    `redefined` names what the answers are asked to define although Python or a locked cell has it already; `author` are
    the cells of the author's notebook, for tests that compare with its answers.
    """
    outcomes = [Outcome("not run")] * len(cells)
    left_out: set[int] = set()
    while len(left_out) <= RESTARTS:
        with _started(folder, {"redefined": sorted(redefined), "author": list(author)}) as (process, pipe):
            for i, cell in enumerate(cells):
                if i in left_out:
                    continue
                request = {"kind": kind(cell), "name": grade_id(cell), "source": cell["source"]}
                request |= {"limit": WAITING * limit, "of_processor": limit}
                reply, late = _ask(process, pipe, request, limit)
                if reply is None:
                    outcomes[i] = Outcome("timeout", message=time_limit_message(limit)) if late else Outcome("dead")
                    left_out.add(i)
                    break
                outcomes[i] = Outcome(**{**reply, "overwritten": tuple(reply["overwritten"])})
            else:
                break
    return outcomes


def _ask(process: Any, pipe: Connection, request: dict[str, Any], limit: float) -> tuple[Any, bool]:
    """Send a request, and wait for so many seconds of the processor. Returns the reply, None if the process ended
    first, and whether it was killed as too slow."""
    import psutil

    began = time.monotonic()
    try:
        kernel = psutil.Process(process.pid)
        before = sum(kernel.cpu_times()[:2])
        pipe.send_bytes(json.dumps(request).encode())
        while not pipe.poll(0.1):
            used = sum(kernel.cpu_times()[:2]) - before
            if used > limit + GRACE or time.monotonic() - began > WAITING * limit + GRACE:
                return None, True
        return json.loads(pipe.recv_bytes()), False
    except (OSError, EOFError, psutil.Error):
        return None, False


@contextlib.contextmanager
def _started(folder: Path, first: dict[str, Any]) -> Iterator[tuple[Any, Connection]]:
    """Start a process that runs cells, with our end of the pipe to it; on leaving, it is killed with its children."""
    if not capabilities.has("processes"):
        raise GradingError(
            f"a notebook is graded in a process of its own ({capabilities.without('processes')}). "
            "Points are kept while you run its cells: grading.live() in its first one"
        )
    from multiprocessing import get_context  # which a browser's Python has not

    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process: Any = context.Process(target=_serve, args=(theirs, str(folder)))
    process.start()
    theirs.close()
    try:
        reply, _ = _ask(process, ours, first, READY)
        if reply is None or "error" in reply:
            why = reply["error"] if reply else "it gave no answer"
            raise GradingError(f"the process that grades could not load the checks: {why}")
        yield process, ours
    finally:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()
        ours.close()


def _serve(pipe: Connection, folder: str) -> None:
    """Run, in the process, each requested cell."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    if hasattr(os, "setsid"):
        os.setsid()
    sys.path[:] = filter(None, sys.path)
    os.environ.setdefault("MPLBACKEND", FIGURES)
    os.environ["MINIGRAD_LIVE"] = "off"
    me = os.getpid()
    first = json.loads(pipe.recv_bytes())
    try:
        import builtins

        from IPython.core.error import StdinNotImplementedError

        def nobody_types(*_: object) -> str:
            raise StdinNotImplementedError

        builtins.input = nobody_types  # type: ignore[assignment]
        runner = Runner(quiet_shell(results=True), Guard(first["redefined"]), author=first["author"])
    except Exception as error:
        pipe.send_bytes(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
        return
    os.chdir(folder)
    sys.path.insert(0, "")
    pipe.send_bytes(b"{}")
    with contextlib.suppress(EOFError):  # whoever asked has ended
        while True:
            outcome = runner.run(**json.loads(pipe.recv_bytes()))
            if os.getpid() != me:  # a copy that an answer made of this process
                os._exit(0)
            pipe.send_bytes(json.dumps(vars(outcome)).encode())
    os._exit(0)  # without waiting for threads
