"""PyTorch's process, `pytorch_worker.py`: started on demand, and kept for the next question.

Loading PyTorch takes longer than most runs of a lesson. One process is kept at a time; another number of threads needs
a new one. A pickled question goes in, a pickled answer comes back. After minutes without a question, it ends by itself.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from minigrad.guards import capabilities
from minigrad.guards.installation import install

IDLE = 300.0  # seconds without a question, after which the process ends


class PeerError(RuntimeError):
    """The other engine could not do the run. The message says why, and what to do."""


class TorchProcess:
    """A process with PyTorch in it, for a given number of threads."""

    def __init__(self, threads: int):
        self.threads, self.last_asked = threads, time.monotonic()
        # A folder of its own: the learner's files must not be imported there.
        self.folder = tempfile.TemporaryDirectory(prefix="minigrad-peer-", ignore_cleanup_errors=True)
        self.words = Path(self.folder.name, "words.txt")  # what PyTorch says beside its answers
        house = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([house, *filter(None, [os.environ.get("PYTHONPATH")])])
        pools = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
        with self.words.open("wb") as words:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "minigrad_course.peers.pytorch_worker", str(threads)], cwd=self.folder.name,
                env={**os.environ, **pools, "PYTHONPATH": path},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words,
            )  # fmt: skip

    def fits(self, threads: int) -> bool:
        """Tell whether it has this many threads, is alive, and is not about to end."""
        young = time.monotonic() - self.last_asked < 0.8 * IDLE
        return young and self.threads == threads and self.process.poll() is None

    def ask(self, what: str, *arguments: object) -> Any:
        """Call a function of pytorch_worker.py there. Raises PeerError with the last words if the process ends."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.last_asked = time.monotonic()
        try:
            pickle.dump((what, arguments), self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)
        except (BrokenPipeError, EOFError):
            self.process.wait()
            words = self.words.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            last = words[-1].strip() if words else "nothing"
            self.end()
            raise PeerError(f"PyTorch could not do the run. Its process ended with: {last}") from None
        except BaseException:  # interrupted: it may still be at work on this question
            self.end()
            raise

    def end(self) -> None:
        """End the process; its folder goes with it."""
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


_running: list[TorchProcess] = []


def require_torch() -> None:
    """Raise PeerError where there are no processes, or is no PyTorch."""
    if not capabilities.has("processes"):
        raise PeerError(f"PyTorch runs in a process of its own: {capabilities.without('processes')}")
    if importlib.util.find_spec("torch") is None:
        raise PeerError(
            f"The comparison needs PyTorch, which is not installed here: {install('torch')}. "
            "All else works without it."
        )


def torch_process(threads: int) -> TorchProcess:
    """Return the running process, or a new one. Raises PeerError where there can be none."""
    require_torch()
    if not (_running and _running[0].fits(threads)):
        end()
        _running.append(TorchProcess(threads))
    return _running[0]


@atexit.register
def end() -> None:
    """End the process, where there is one."""
    while _running:
        _running.pop().end()
