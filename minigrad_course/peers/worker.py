"""PyTorch's process, `pytorch_worker.py`: started on demand, and kept for the next question.

Loading PyTorch takes longer than most runs of a lesson. One process is kept at a time; another number of threads needs
a new one. A line goes in, a line comes back. After minutes without a question, it ends by itself.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from minigrad.guards import capabilities

ANSWER = "answer: "  # the prefix of lines for us; PyTorch may print others
IDLE = 300.0  # seconds without a question, after which the process ends


class PeerError(RuntimeError):
    """The other engine could not do the run. The message says why, and what to do."""


def require_process() -> None:
    """Raise PeerError where there are no processes."""
    if not capabilities.has("processes"):
        raise PeerError(f"PyTorch runs in a process of its own: {capabilities.without('processes')}")


class Worker:
    """A process with PyTorch in it, for a given number of threads."""

    def __init__(self, threads: int):
        require_process()
        self.threads, self.asked = threads, time.monotonic()
        # A folder of its own: the learner's files must not be imported there.
        self.folder = tempfile.TemporaryDirectory(prefix="minigrad-peer-", ignore_cleanup_errors=True)
        house = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([house, *filter(None, [os.environ.get("PYTHONPATH")])])
        pools = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "minigrad_course.peers.pytorch_worker"], cwd=self.folder.name,
            env={**os.environ, **pools, "PYTHONPATH": path}, text=True, encoding="utf-8", errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def fits(self, threads: int) -> bool:
        """Tell whether it has this many threads, is alive, and is not about to end."""
        return self.threads == threads and self.process.poll() is None and time.monotonic() - self.asked < 0.8 * IDLE

    def ask(self, question: str) -> str:
        """Send a line and wait for the answer; raise PeerError with its last words if the process ends instead."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        last = "it ended and said nothing"
        self.asked = time.monotonic()
        try:
            self.process.stdin.write(f"{question}\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.startswith(ANSWER):
                    return line.removeprefix(ANSWER).strip()
                last = line.strip() or last
        except BrokenPipeError:
            pass  # it has ended: the error below reports it
        except BaseException:  # interrupted: it may still be at work on this question
            self.end()
            raise
        self.end()
        raise PeerError(f"PyTorch could not do the run. Its process ended with: {last}")

    def end(self) -> None:
        """End the process; its folder goes with it."""
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


_kept: list[Worker] = []


def worker(threads: int) -> Worker:
    """Return the running process, or a new one."""
    if not (_kept and _kept[0].fits(threads)):
        end()
        _kept.append(Worker(threads))
    return _kept[0]


@atexit.register
def end() -> None:
    """End the process that is kept, where there is one."""
    while _kept:
        _kept.pop().end()
