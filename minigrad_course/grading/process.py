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
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from minigrad.guards import capabilities
from minigrad_course.grading.cells import GradingError, grade_id, kind
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.outcome import Outcome, time_limit_message
from minigrad_course.grading.runner import Runner, quiet_shell

WAITING = 4  # times its limit, by the clock, for a cell that waits
RESTARTS = 3  # processes that one notebook may take down before the rest is left unrun
GRACE = 5.0  # seconds that an interrupted cell has to stop
READY = 60.0  # seconds of the processor for a process to be ready
START = "import sys; sys.path[:] = filter(None, sys.path); from minigrad_course.grading.process import main; main()"
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
        with _started(folder, {"redefined": sorted(redefined), "author": list(author)}) as process:
            for i, cell in enumerate(cells):
                if i in left_out:
                    continue
                outcomes[i] = _run_cell(process, cell, limit)
                if process.stdout.closed:
                    left_out.add(i)
                    break
            else:
                break
    return outcomes


def _run_cell(process: Any, cell: Mapping[str, Any], limit: float) -> Outcome:
    """Run a cell in a process. If the process dies of it, `process.stdout` is closed."""
    request = {"kind": kind(cell), "name": grade_id(cell), "source": cell["source"]}
    request |= {"limit": WAITING * limit, "of_processor": limit}
    reply, late = _ask(process, request, limit)
    if reply is None:
        process.stdout.close()
        return Outcome("timeout", message=time_limit_message(limit)) if late else Outcome("dead")
    return Outcome(**{**reply, "overwritten": tuple(reply["overwritten"])})


def _ask(process: Any, request: dict[str, Any], limit: float) -> tuple[Any, bool]:
    """Send a request, and wait for so many seconds of the processor. Returns the reply, None if the process ended
    first, and whether it was killed as too slow."""
    import psutil

    late, answered = threading.Event(), threading.Event()
    kernel, began = psutil.Process(process.pid), time.monotonic()

    def used() -> float:
        return sum(kernel.cpu_times()[:2])

    def end() -> None:
        with contextlib.suppress(psutil.Error):  # it is gone
            before = used()
            while not answered.wait(0.1):
                if used() - before > limit + GRACE or time.monotonic() - began > WAITING * limit + GRACE:
                    late.set()
                    process.kill()
                    return

    threading.Thread(target=end, daemon=True).start()
    try:
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        return (json.loads(line) if line.endswith(b"\n") else None), late.is_set()
    except OSError:
        return None, late.is_set()
    finally:
        answered.set()


@contextlib.contextmanager
def _started(folder: Path, first: dict[str, Any]) -> Iterator[Any]:
    """Start a process that runs cells; on leaving, it is killed with all its children."""
    if not capabilities.has("processes"):
        raise GradingError(
            f"a notebook is graded in a process of its own ({capabilities.without('processes')}). "
            "Points are kept while you run its cells: grading.live() in its first one"
        )
    package, path = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")
    environment = {"MPLBACKEND": FIGURES, **os.environ, "MINIGRAD_LIVE": "off"}
    environment["PYTHONPATH"] = f"{package}{os.pathsep}{path}" if path else package
    process: Any = subprocess.Popen(
        [sys.executable, "-c", START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        reply, _ = _ask(process, first, READY)
        if reply is None or "error" in reply:
            why = reply["error"] if reply else "it gave no answer"
            raise GradingError(f"the process that grades could not load the checks: {why}")
        yield process
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()


def main() -> None:
    """Run, in the process, each requested cell."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    me = os.getpid()

    def say(reply: dict[str, Any]) -> None:
        line = json.dumps(reply).encode() + b"\n"
        while line:
            line = line[os.write(replies, line) :]

    first = json.loads(requests.readline())
    try:
        import builtins

        from IPython.core.error import StdinNotImplementedError

        def nobody_types(*_: object) -> str:
            raise StdinNotImplementedError

        builtins.input = nobody_types  # type: ignore[assignment]
        runner = Runner(quiet_shell(results=True), Guard(first["redefined"]), author=first["author"])
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return
    sys.path.insert(0, "")
    say({})
    for line in iter(requests.readline, b""):
        outcome = runner.run(**json.loads(line))
        if os.getpid() != me:  # a copy that an answer made of this process
            os._exit(0)
        say(vars(outcome))
    os._exit(0)  # without waiting for threads
