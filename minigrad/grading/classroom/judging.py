"""Our end of the judge: one judge process per exercise in each grader, started when it is first needed."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from minigrad.grading.cells import GradingError
from minigrad.grading.classroom import sandbox
from minigrad.grading.outcome import Outcome

START = 120.0  # seconds for running the author's solution
PATIENCE = 60.0  # seconds for judging one submission

_judges: dict[str, Judging] = {}
_lock = threading.Lock()


def judge_for(exercise: dict[str, Any]) -> Judging:
    """The judge of an exercise. Raises GradingError where the author's solution does not pass its own tests."""
    with _lock:
        digest = exercise["digest"]
        if digest not in _judges:
            _judges[digest] = Judging(exercise)
        return _judges[digest]


class Judging:
    """A judge process, and its replacement should it be lost."""

    def __init__(self, exercise: dict[str, Any]) -> None:
        self.exercise = exercise
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._start()

    def outcomes(self, replies: dict[str, dict[str, Any]]) -> dict[str, tuple[Outcome, int | None]]:
        """How each test ended, and at which question it failed."""
        with self.lock:
            said = self._ask(replies)
            if said is None:  # one answer is more than the judge can stand: find out which
                said = {}
                for test, reply in replies.items():
                    alone = self._ask({test: reply})
                    message = "your answer could not be compared"
                    lost = {"status": "refused", "message": message, "site": None}
                    said[test] = lost if alone is None else alone[test]
        return {test: _outcome(found) for test, found in said.items()}

    def _ask(self, replies: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
        if self.process is None:
            self._start()
        answer = self._exchange(replies, PATIENCE)
        if answer is None:
            self._stop()
        return answer

    def _start(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="minigrad-judge-")
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-m", "minigrad.grading.classroom.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env={**os.environ, **sandbox.environment(self.folder.name, self.folder.name)},
        )
        exercise = {key: self.exercise[key] for key in ("redefined", "limit")}
        said = self._exchange({**exercise, "cells": self.exercise["judged"]}, START)
        if said is None:
            self._stop()
            raise GradingError(f"the author's solution of {self.exercise['id']} did not run to its end")
        if said["problems"]:
            self._stop()
            raise GradingError(f"{self.exercise['id']} cannot be graded: {said['problems'][0]}")

    def _exchange(self, what: Any, patience: float) -> dict[str, Any] | None:
        """Send one line and read one; None where the judge is lost or too slow."""
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        deadline = time.monotonic() + patience
        try:
            self.process.stdin.write(json.dumps(what).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return None
        line = bytearray()
        pipe = self.process.stdout.fileno()
        while not line.endswith(b"\n"):
            if not select.select([pipe], [], [], max(deadline - time.monotonic(), 0))[0]:
                return None
            data = os.read(pipe, 1_000_000)
            if not data:
                return None
            line += data
        return json.loads(line)

    def _stop(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.communicate()
        self.process = None
        with contextlib.suppress(OSError):
            self.folder.cleanup()


def _outcome(said: dict[str, Any]) -> tuple[Outcome, int | None]:
    site = said.pop("site")
    return Outcome(**{**said, "overwritten": tuple(said.get("overwritten", ()))}), site
