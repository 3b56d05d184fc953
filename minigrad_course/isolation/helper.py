"""A process of our own that can be lost: it answers one line with one line, under a deadline and a memory limit.

What strangers hand in is read, and compared, by such helpers. One notebook may take the parser's memory, another the
comparison's time; then the helper is ended, this one submission is named, and a new helper goes on with the next. A
helper ends with whoever started it, also when that one was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from minigrad_course.isolation import scratch
from minigrad_course.isolation.limits import Limits, environment
from minigrad_course.isolation.processes import (
    descendants,
    die_with_parent,
    limit_resources,
    processor_seconds,
    refuse_system_calls,
    usage,
)

if TYPE_CHECKING:
    from typing_extensions import Self

MOST_ANSWER = 100_000_000  # bytes
TICK = 0.1  # seconds between two checks of memory and processes
WAITING = 4  # times its patience, by the clock, for what waits or has to wait for others


class Lost(Exception):
    """The helper is no more; the text says why, in half a sentence."""


class TooLate(Lost):
    """It took longer than it may, and was ended."""


class TooMuch(Lost):
    """Its processes used more than they may, and were ended."""


def over(limits: Limits, process: int) -> str:
    """Which limit a process and all that it started have passed, in half a sentence; empty if none."""
    memory, threads = usage(process)
    if memory > limits.memory:
        return f"it took more than {limits.memory / 1e9:g} GB of memory"
    if threads > limits.processes:
        return f"it started more than {limits.processes} processes or threads"
    return ""


class Helper:
    """Runs `python -m MODULE`, whose main() calls `serve`. `first` is what each new process of it is told first.

    `wall`: the words of a sandbox that it is started in. `keeps`: variables of our environment that it shall
    have as they are, its owner's caches say. `limits`: what a stranger's program in it may use, all of its processes
    together, as in a class's sandbox.
    """

    def __init__(
        self,
        module: str,
        first: dict[str, Any],
        memory: int,
        start: float = 120.0,
        wall: Sequence[str] = (),
        keeps: Collection[str] = (),
        limits: Limits | None = None,
    ) -> None:
        self.module, self.first, self.memory, self.start, self.wall = module, first, memory, start, wall
        self.keeps, self.limits = keeps, limits
        self.checked = self.most = 0.0
        self.used = 0.0  # seconds of the processor, of all that it was asked
        self.process: subprocess.Popen[bytes] | None = None
        self.lock = threading.Lock()
        self.greeting: Any = None  # its reply to `first`

    def ask(self, what: object, patience: float) -> Any:
        """Its answer. Raises Lost where it ends, or takes more than `patience` processor seconds or `memory` bytes."""
        with self.lock:
            self._begin()
            try:
                return self._exchange(what, patience)
            except Lost:
                self._end()
                raise

    def begin(self) -> Any:
        """Start it, unless it runs. What it says to `first`. Raises Lost."""
        with self.lock:
            self._begin()
            return self.greeting

    def close(self) -> None:
        """End it."""
        with self.lock:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self) -> None:
        if self.process is not None:
            if self.process.poll() is None:
                return
            self._end()
        self.folder = scratch.make("helper")
        ours = environment(str(self.folder), str(self.folder))
        self.process = subprocess.Popen(
            [*self.wall, *(["--"] if self.wall else []), sys.executable, "-B", "-m", self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={} if self.wall else {**os.environ, **{k: v for k, v in ours.items() if k not in self.keeps}},
            start_new_session=True,
        )
        try:
            # Behind a wall processes have other numbers, and the wall ends with us.
            words = {"memory": self.memory, "parent": 0 if self.wall else os.getpid(), "first": self.first}
            words["limits"] = self.limits.for_process() if self.limits else {"DATA": self.memory, "CORE": 0}
            self.greeting = self._exchange(words, self.start)
        except Lost:
            self._end()
            raise

    def _exchange(self, what: object, patience: float) -> Any:
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        deadline = time.monotonic() + WAITING * patience
        before = processor_seconds(self.process.pid)
        self.most = before + patience
        unsent = memoryview(json.dumps(what).encode() + b"\n")
        into, out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(into, False)
        answer = bytearray()
        while not answer.endswith(b"\n"):
            if time.monotonic() > deadline or not self._check_usage():
                self.used += patience
                raise TooLate(f"it took more than {patience:.3g} seconds")
            readable, writable, _ = select.select([out], [into] if unsent else [], [], TICK)
            if writable:
                try:
                    unsent = unsent[os.write(into, unsent[:1_000_000]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise Lost(self._why()) from None
            if readable:
                data = os.read(out, 1_000_000)
                if not data:
                    raise Lost(self._why())
                answer += data
                if len(answer) > MOST_ANSWER:
                    raise Lost("it makes too much of it")
        self.used += processor_seconds(self.process.pid) - before
        reply = json.loads(answer)
        if isinstance(reply, dict) and reply.get("lost"):
            raise Lost(reply["lost"])
        return reply

    def _check_usage(self) -> bool:
        """Tell whether it has time left. Raises TooMuch where it passes another limit."""
        if self.process is None or time.monotonic() - self.checked < TICK:
            return True
        self.checked = time.monotonic()
        if self.limits is not None and (reason := over(self.limits, self.process.pid)):
            raise TooMuch(reason)
        return processor_seconds(self.process.pid) <= self.most

    def _why(self) -> str:
        assert self.process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(2)
            if code < 0:
                return f"it brings down what reads it (signal {-code})"
        return "it brings down what reads it"

    def _end(self) -> None:
        if self.process is None:
            return
        started = list(descendants(self.process.pid)) if self.limits else []
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        for pid in started:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError, ValueError):
            self.process.communicate()
        self.process = None
        scratch.remove(self.folder)


def serve(begin: Callable[[Any], tuple[object, Callable[[Any], object]]]) -> None:
    """The helper's side: `begin(first)` gives (greeting, answer), and answer(question) is called for each line."""
    replies = os.dup(1)
    os.dup2(2, 1)  # what is printed here is no answer
    words = json.loads(sys.stdin.buffer.readline())
    die_with_parent(words["parent"])
    greeting, answer = begin(words["first"])
    limit_resources(words["limits"])
    if os.environ.get("MINIGRAD_SANDBOX") == "on":
        refuse_system_calls()
    with os.fdopen(replies, "w", encoding="utf-8") as out:
        print(json.dumps(greeting), file=out, flush=True)
        for line in sys.stdin.buffer:
            try:
                text = json.dumps(answer(json.loads(line)))
            except MemoryError:
                text = json.dumps({"lost": "it takes too much memory"})
            print(text, file=out, flush=True)
            if text.startswith('{"lost"'):
                break
    os._exit(0)
