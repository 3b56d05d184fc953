"""Grades one submission: starts its sandbox, has its cells run one by one, and takes the answers to the judge.

A cell that does not end is ended, and with it the sandbox; a cell that ends the sandbox (a crash, `os._exit`, too much
memory) is left out, and the others run again in a new one. So it costs what depends on it and no more. All of
this needs no more than the job, which is plain data: it works in this process, in another, on another machine.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minigrad_class import sandbox
from minigrad_class.judge_client import judge_for
from minigrad_class.session import WAITING, Ended, Session, text_of
from minigrad_course.grading.outcome import Outcome, time_limit_message
from minigrad_course.isolation import scratch
from minigrad_course.isolation.limits import Limits

FOR_JUDGING = 0.1  # of a submission's time

Job = dict[str, Any]


@dataclass(frozen=True)
class Graded:
    """The result of grading: each test's outcome, which failed questions were hidden, and remarks."""

    outcomes: dict[str, Outcome]
    hidden: list[str]  # tests whose first failed check is a hidden one
    notes: list[str]
    printed: str
    seconds: float


def grade_job(job: Job) -> dict[str, Any]:
    """Grade one job; the result as plain data. Raises GradingError where the exercise itself cannot be graded."""
    graded = Supervisor(job).grade()
    result = vars(graded) | {"outcomes": {name: vars(outcome) for name, outcome in graded.outcomes.items()}}
    return {"key": job["key"], **result}


class Supervisor:
    """One submission, from its cells to how each of its tests ended."""

    def __init__(self, job: Job) -> None:
        self.cells: list[dict[str, Any]] = job["cells"]
        self.exercise: dict[str, Any] = job["exercise"]
        self.limits = Limits(**job["limits"])
        self.sandboxed: bool = job["sandbox"]
        self.masked = [Path(path) for path in job.get("masked", ())]
        self.replies: dict[int, dict[str, Any]] = {}
        self.left_out: dict[int, Outcome] = {}
        self.left = self.until = 0.0  # seconds of the processor, and when its time is over by the clock
        self.printed = b""
        self.notes: list[str] = []

    def grade(self) -> Graded:
        sandbox.require(self.sandboxed)
        start = time.monotonic()
        asking = (1 - FOR_JUDGING) * self.limits.total
        self.left, self.until = asking, start + WAITING * asking
        ended = False
        while self._has_time() and not ended:
            ended = self._run()
        outcomes, sites = self._judge(FOR_JUDGING * self.limits.total + max(self.left, 0))
        return Graded(outcomes, sites, self.notes, text_of(self.printed), round(time.monotonic() - start, 2))

    def _has_time(self) -> bool:
        """Tell whether there is any left: of the processor, and by the clock."""
        return self.left > 0 and time.monotonic() < self.until

    def _run(self) -> bool:
        """Run all cells but those left out, in one sandbox. Whether it came to the end."""
        with scratch.folder("files") as folder, Session(folder, self) as session:
            for i, cell in enumerate(self.cells):
                if i in self.left_out:
                    continue
                if not self._has_time():
                    return True
                used, limit = session.used, min(self.limits.cell, self.left)
                try:
                    reply = session.ask(cell, limit, max(self.until - time.monotonic(), 0.1))
                except Ended as ended:
                    late = Outcome("timeout", message=time_limit_message(self.limits.cell))
                    self.left_out[i] = late if str(ended) == "out of time" else Outcome("dead", message=str(ended))
                    return False
                finally:
                    self.left -= session.used - used
                if reply["status"] == "timeout":
                    if limit < self.limits.cell:  # the submission's time is over, and not the cell's
                        return True
                    reply["message"] = time_limit_message(self.limits.cell)
                    self.left_out[i] = Outcome("timeout", message=reply["message"])
                self.replies.setdefault(i, reply)
            return True

    def _judge(self, seconds: float) -> tuple[dict[str, Outcome], list[str]]:
        """Return every test's outcome, and which tests failed at a hidden check."""
        outcomes = dict.fromkeys(self.exercise["tests"], Outcome("not run"))
        to_judge: dict[str, dict[str, Any]] = {}
        overwritten: set[str] = set()
        for i, cell in enumerate(self.cells):
            reply, ended = self.replies.get(i), self.left_out.get(i)
            if reply:
                overwritten.update(str(name)[:60] for name in reply["overwritten"])
            if cell["kind"] == "test":
                if reply is not None:  # what was answered before the time was up may be wrong already
                    to_judge[cell["name"]] = reply
                elif ended is not None:
                    outcomes[cell["name"]] = ended
                    if ended.status == "dead":
                        self.notes.append(f"while `{cell['name']}` ran: {ended.message}")
            elif cell["kind"] in ("solution", "given"):
                self._note(cell, reply, ended)
        sources = [cell["source"] for cell in self.cells if cell["kind"] in ("solution", "plain")]
        judged = judge_for(self.exercise).outcomes(to_judge, seconds, sources)
        hidden = []
        for name, (outcome, site) in judged.items():
            outcomes[name] = outcome
            if site is not None and site in self.exercise["tests"][name]["hidden"]:
                hidden.append(name)
        if overwritten:
            outcomes = {n: replace(o, overwritten=tuple(sorted(overwritten))) for n, o in outcomes.items()}
        return outcomes, hidden

    def _note(self, cell: dict[str, Any], reply: dict[str, Any] | None, ended: Outcome | None) -> None:
        if ended is not None:
            self.notes.append(f"the cell `{cell['name']}` was left out: {ended.message}")
        elif reply and reply["status"] == "error" and reply["error"] != "NotImplementedError":
            sentence = f"{reply['error']}: {reply['message']}".rstrip(": ")[:300]
            self.notes.append(f"the cell `{cell['name']}` did not run to its end: {sentence}")
