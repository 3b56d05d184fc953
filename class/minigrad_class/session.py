"""One sandbox with a submission in it: sends its cells in, takes its replies out, and ends it with all that it started.

Who talks to it (supervise.py) learns how each cell ended, or why there is no sandbox any more.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad_class import sandbox
from minigrad_class.judge_client import judge_for
from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation.helper import Lost, over
from minigrad_course.isolation.limits import environment
from minigrad_course.isolation.processes import children, descendants, end_all_of, processor_seconds

if TYPE_CHECKING:
    from minigrad_class.supervise import Supervisor

START = 60.0  # seconds of the processor that a sandbox has to start
WAITING = 4  # times its limit, by the clock, for what waits or has to wait for others
TICK = 0.1  # seconds between two checks of memory and processes
KEPT = 20_000  # bytes that are kept of what a submission prints
MOST_REPLY = 10_000_000
MOST_ASKED = 20_000  # questions to things outside, by one cell
MOST_STRAY = 1_000  # lines that nobody asked for


class Ended(Exception):
    """A sandbox is no more; the text says why, in half a sentence."""


class Session:
    """One sandbox with its cells' questions and answers. Leaving it ends all that runs in there."""

    def __init__(self, folder: Path, supervisor: Supervisor) -> None:
        self.supervisor, self.limits = supervisor, supervisor.limits
        self.buffer = bytearray()
        self.stray = 0
        self.judge = judge_for(supervisor.exercise)
        self.outside = False  # whether the cell that runs may ask things that stay outside
        self.asked = 0
        self.unsent = b""
        self.checked = self.used = 0.0  # when it was looked at, and its seconds of the processor by then
        self.known = set(children(os.getpid()))
        requests_out, self.requests = os.pipe()
        self.replies, replies_in = os.pipe()
        self.output, output_in = os.pipe()
        theirs = (requests_out, replies_in, output_in)
        try:
            self.process = _start(folder, supervisor, theirs)
        finally:
            for pipe in theirs:
                os.close(pipe)
        self.selector = selectors.DefaultSelector()
        for pipe in (self.requests, self.replies, self.output):
            os.set_blocking(pipe, False)
        self.selector.register(self.replies, selectors.EVENT_READ)
        self.selector.register(self.output, selectors.EVENT_READ)
        self._first()

    def _first(self) -> None:
        token = secrets.token_hex(8)
        first = {
            "token": token,
            "limits": self.limits.for_process(),
            "redefined": self.supervisor.exercise["redefined"],
            "parent": os.getpid(),
        }
        try:
            self._exchange(first, "ready", token, START, WAITING * START)
        except Ended as ended:
            self.close()
            lines = text_of(self.supervisor.printed).strip().splitlines()
            raise GradingError(f"no submission can be run here: {ended}{': ' + lines[-1] if lines else ''}") from None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, cell: dict[str, Any], limit: float, left: float) -> dict[str, Any]:
        """Have one cell run: for `limit` seconds of the processor, and WAITING times as many by the clock, or what is
        `left` of a submission's. Raises Ended where that ended the sandbox.
        """
        token = secrets.token_hex(8)
        request = {key: cell[key] for key in ("kind", "name", "source")}
        request |= {"token": token, "limit": min(WAITING * limit, left), "of_processor": limit}
        self.outside = cell["kind"] == "test" and cell["name"] in self.judge.with_things
        if self.outside:
            self._ask_outside({"do": "begin", "test": cell["name"]})
        reply = _checked(self._exchange(request, "token", token, limit, request["limit"]))
        if self.outside:
            reply["own"] = self._ask_outside({"do": "end", "test": cell["name"]})
        return reply

    def _ask_outside(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.judge.outside(request)
        except Lost:
            raise Ended("it asked for what could not be computed") from None

    def _carry(self, asked: dict[str, Any]) -> None:
        """A submission's question to a thing outside, and the answer back."""
        self.asked += 1
        if self.asked > MOST_ASKED:
            raise Ended("it asked more than anybody needs to know")
        answer = self._ask_outside({"do": "ask", "asked": asked}) if self.outside else {"error": "not in this cell"}
        if not self.unsent:
            self.selector.register(self.requests, selectors.EVENT_WRITE)
        self.unsent += json.dumps(answer).encode() + b"\n"

    def _exchange(self, request: dict[str, Any], key: str, token: str, limit: float, clock: float) -> dict[str, Any]:
        """Send a line, and wait for the one that has our token; other lines are the submission's own and go by.

        Raises Ended after `limit` seconds of the processor, or `clock` seconds.
        """
        self.unsent, self.asked = json.dumps(request).encode() + b"\n", 0
        deadline = time.monotonic() + clock + self.limits.grace
        self.most = processor_seconds(self.process.pid) + limit + self.limits.grace
        self.selector.register(self.requests, selectors.EVENT_WRITE)
        try:
            while True:
                for ready, _ in self.selector.select(TICK):
                    if ready.fd == self.requests:
                        self._send()
                    elif ready.fd == self.output:
                        self._drain()
                    else:
                        reply = self._receive(key, token)
                        if reply is not None:
                            self.checked = 0.0  # what a cell leaves running is its own fault, not the next one's
                            self._check_usage()
                            return reply
                self._check_usage()
                if time.monotonic() > deadline:
                    raise Ended("out of time")
        finally:
            with contextlib.suppress(KeyError):
                self.selector.unregister(self.requests)

    def _send(self) -> None:
        try:
            self.unsent = self.unsent[os.write(self.requests, self.unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            raise Ended(self._why()) from None
        if not self.unsent:
            self.selector.unregister(self.requests)

    def _receive(self, key: str, token: str) -> dict[str, Any] | None:
        data = os.read(self.replies, 1_000_000)
        if not data:
            raise Ended(self._why())
        self.buffer += data
        if b"\n" not in data:
            if len(self.buffer) > MOST_REPLY:
                raise Ended("it sent more than anybody asked for")
            return None
        *lines, rest = bytes(self.buffer).split(b"\n")
        self.buffer = bytearray(rest)
        for line in lines:
            if token.encode() in line:
                with contextlib.suppress(ValueError, RecursionError):
                    reply = json.loads(line)
                    if isinstance(reply, dict) and reply.get(key) == token:
                        return reply
                    if isinstance(reply, dict) and reply.get("outside") == token:
                        self._carry(reply)
                        return None
        self.stray += len(lines)
        if self.stray > MOST_STRAY:
            raise Ended("it sent more than anybody asked for")
        return None

    def _drain(self) -> None:
        """Read the submission's output: keep a little, and discard the rest."""
        data = os.read(self.output, 1_000_000)
        if not data:
            self.selector.unregister(self.output)
        room = KEPT - len(self.supervisor.printed)
        self.supervisor.printed += data[: max(room, 0)]

    def _check_usage(self) -> None:
        if time.monotonic() - self.checked < TICK:
            return
        self.checked = time.monotonic()
        if reason := over(self.limits, self.process.pid):
            raise Ended(reason)
        self.used = max(self.used, processor_seconds(self.process.pid))
        if self.used > self.most:
            raise Ended("out of time")

    def _why(self) -> str:
        """Say why it ended."""
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed the pipe that its answers go through"
        code = 128 - code if code < 0 else code
        if code == 128 + signal.SIGXCPU or code == 128 + signal.SIGKILL:
            return "it was killed: too much processor time, or too much memory"
        if code > 128:
            with contextlib.suppress(ValueError):
                return f"it crashed ({signal.Signals(code - 128).name})"
        return "it ended its own process"

    def close(self) -> None:
        """End everything in the sandbox, and without one what the submission left behind."""
        started = list(descendants(self.process.pid))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if not self.supervisor.sandboxed:
            self._end_orphans(started[1:])
        self.selector.close()
        for pipe in (self.requests, self.replies, self.output):
            os.close(pipe)

    def _end_orphans(self, started: list[int]) -> None:
        """Processes that gave themselves a session of their own. (Workers adopt them: see batch.py.)"""
        if (user := sandbox.another_user()) is not None:
            end_all_of(user)
        for _ in range(100):
            orphans = set(children(os.getpid())) - self.known
            for pid in orphans | set(started):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            for pid in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            started = []
            if not orphans:
                return


def _start(folder: Path, supervisor: Supervisor, pipes: tuple[int, int, int]) -> subprocess.Popen[bytes]:
    """Start a submission's Python, with the exercise's files beside it."""
    for name, content in supervisor.exercise["files"].items():
        (folder / Path(name).name).write_bytes(base64.b64decode(content))
    sandboxed = supervisor.sandboxed
    user = None if sandboxed else sandbox.another_user()
    if user is not None:
        for path in (folder, *folder.iterdir()):
            os.chown(path, user, user)
    words = [sys.executable, "-B", "-u", "-m", "minigrad_class.sandbox_worker", *map(str, pipes[:2])]
    if sandboxed:
        words = [*sandbox.wall(folder, supervisor.limits.disk, supervisor.masked), "--", *words]
    return subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=pipes[2],
        stderr=subprocess.STDOUT,
        pass_fds=pipes[:2],
        cwd="/" if sandboxed else folder,
        env={} if sandboxed else environment(str(folder), str(folder)),
        start_new_session=True,
        user=user,
        group=user,
        extra_groups=None if user is None else (),
    )


def _checked(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply of the form that inside.py sends, whatever the submission sent."""
    status = reply.get("status")
    values, overwritten = reply.get("values"), reply.get("overwritten")
    return {
        "status": status if status in ("ok", "timeout") else "error",
        "error": str(reply.get("error", ""))[:100],
        "message": str(reply.get("message", ""))[:1000],
        "place": str(reply.get("place", ""))[:500],
        "overwritten": overwritten[:20] if isinstance(overwritten, list) else [],
        "values": values if isinstance(values, list) else [],
    }


def text_of(data: bytes) -> str:
    """Return the output as text, as far as it can be decoded."""
    return data.decode("utf-8", "replace")
