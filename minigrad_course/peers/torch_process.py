"""PyTorch's process, in which pytorch_worker.py answers: started on demand, and kept for the next question.

Loading PyTorch takes longer than most runs of a lesson. One process is kept at a time; another number of threads needs
a new one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities
from minigrad.guards.installation import install

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

HOUSE = str(Path(__file__).resolve().parents[2])


class PeerError(RuntimeError):
    """The other engine could not do the run. The message says why, and what to do."""


_running: dict[int, ProcessPoolExecutor] = {}  # by the number of threads


def ask(threads: int, function: str, *arguments: object) -> Any:
    """Call a function of pytorch_worker.py in the process with so many threads. Raises PeerError where it fails."""
    require_torch()
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor  # which a browser's Python has not
    from multiprocessing import get_context

    if threads not in _running:
        end()
        _running[threads] = ProcessPoolExecutor(1, get_context("spawn"))
    before, here = sys.path, {"", os.getcwd()}  # with the learner's files, which must not be imported there
    sys.path = [HOUSE, *(folder for folder in before if folder not in here)]
    try:
        future = _running[threads].submit(_call, threads, function, arguments)  # the first time it starts
    finally:
        sys.path = before
    try:
        return future.result()
    except BrokenProcessPool:
        end()
        raise PeerError("PyTorch could not do the run: its process ended.") from None
    except Exception as error:
        words = " ".join(str(error).split())
        raise PeerError(f"PyTorch could not do the run: {type(error).__name__}: {words}") from None
    except BaseException:  # interrupted: it may still be at work on this question
        end()
        raise


def _call(threads: int, function: str, arguments: tuple[object, ...]) -> Any:
    from minigrad_course.peers import pytorch_worker  # there alone

    pytorch_worker.torch.set_num_threads(threads)
    return getattr(pytorch_worker, function)(*arguments)


def require_torch() -> None:
    """Raise PeerError where there are no processes, or is no PyTorch."""
    if not capabilities.has("processes"):
        raise PeerError(f"PyTorch runs in a process of its own: {capabilities.without('processes')}")
    if importlib.util.find_spec("torch") is None:
        raise PeerError(
            f"The comparison needs PyTorch, which is not installed here: {install('torch')}. All else works without it."
        )


def end() -> None:
    """End the process, where there is one."""
    while _running:
        _, pool = _running.popitem()
        for process in (pool._processes or {}).values():
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
