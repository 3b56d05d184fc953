"""PyTorch's process, `pytorch_worker.py`: started when it is first asked for something, and kept for the next question.

To load PyTorch takes longer than most of the runs of a lesson. One process at a time is kept; whoever asks for another
number of threads gets a new one. A line goes in, a line comes back. When nobody asks for minutes, it ends by itself.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANSWER = "answer: "  # how a line begins that is meant for us; PyTorch may print others
IDLE = 300.0  # seconds without a question, after which the process ends


class PeerError(RuntimeError):
    """The other engine could not do the run. The message says why, and what to do."""


class Worker:
    """A process with PyTorch in it, for arithmetic on so many threads."""

    def __init__(self, threads: int):
        self.threads, self.asked = threads, time.monotonic()
        # Its own folder: what lies in the learner's must not be imported there.
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
        """Whether it has so many threads, is there, and is not about to leave."""
        return self.threads == threads and self.process.poll() is None and time.monotonic() - self.asked < 0.8 * IDLE

    def ask(self, question: str) -> str:
        """Send a line and wait for the answer; PeerError with its last words where the process ends instead."""
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
            pass  # it has ended: the same sentence says so
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
    """The process that is there already, or a new one."""
    if not (_kept and _kept[0].fits(threads)):
        end()
        _kept.append(Worker(threads))
    return _kept[0]


@atexit.register
def end() -> None:
    """End the process that is kept, where there is one."""
    while _kept:
        _kept.pop().end()
