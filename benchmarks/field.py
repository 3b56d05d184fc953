"""Several engines, each in a process of its own on the same processors, that take turns.

Machines grow slower and faster while one measures: others work on them, processors warm up. Turns, round by round, give
every engine the same share of that; medians over the rounds take out what remains. While one runs, the others sleep.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_THREAD_SETTINGS = (
    "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip


class WorkerError(RuntimeError):
    """An engine could not do what was asked. The message has its last words."""


def processors(count: int) -> list[int]:
    """Which ones to run on: the last `count` of those that this process may use; none where that cannot be set."""
    return sorted(os.sched_getaffinity(0))[-count:] if hasattr(os, "sched_getaffinity") else []


def environment(cache: Path, threads: int) -> dict[str, str]:
    """The environment of a process that keeps its compiled programs in a folder of its own, and so many threads.

    Each set of them begins empty: what a first compilation takes is measured too.
    """
    pools = dict.fromkeys(_THREAD_SETTINGS, str(threads))
    caches = {
        "MINIGRAD_CACHE_DIR": cache / "minigrad", "NUMBA_CACHE_DIR": cache / "numba",
        "TORCHINDUCTOR_CACHE_DIR": cache / "torch", "TRITON_CACHE_DIR": cache / "triton",
    }  # fmt: skip
    return {**os.environ, **pools, **{k: str(v) for k, v in caches.items()}, "PYTHONPATH": str(ROOT)}


class Worker:
    """A process that runs one engine. Use it in a `with`."""

    def __init__(self, folder: Path, cache: Path, task: dict[str, Any], others: dict[str, str | None]):
        self.name = f"{task['engine']} ({task['mode']})"
        settings = environment(cache, task["threads"])
        for name, value in others.items():
            settings.pop(name, None)
            settings |= {} if value is None else {name: value}
        self.log = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.engine_process"], cwd=ROOT, env=settings, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip
        self._send({**task, "folder": str(folder), "cpus": processors(task["threads"])})

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()  # type: ignore[union-attr]
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """One request, one answer. Raises WorkerError with the process's last words if it ended instead."""
        self._send({"do": do, **arguments})
        line = self.process.stdout.readline()  # type: ignore[union-attr]
        if not line:
            raise self._ended()
        return json.loads(line)

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self.process.stdin.write(json.dumps(message) + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except BrokenPipeError:
            raise self._ended() from None

    def _ended(self) -> WorkerError:
        code = self.process.wait()
        self.log.seek(0)
        lines = [line for line in self.log.read().splitlines() if line.strip()]
        return WorkerError(f"{self.name} ended with code {code}: {lines[-1].strip() if lines else 'it said nothing'}")


@contextlib.contextmanager
def workers(folder: Path, cache: Path, tasks: list[dict[str, Any]], environment: dict) -> Iterator[list[Worker]]:
    """A worker for each task, all ended afterwards, whatever happens."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Worker(folder, cache, task, environment)) for task in tasks]
