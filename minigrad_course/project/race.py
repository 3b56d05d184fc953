"""The race on the page of an engine: yours, minigrad and, where it is installed, PyTorch train the same two layers.

They take turns, an epoch each, so that whatever else the computer does meets all of them; a speed is the median over
the epochs.
"""

from __future__ import annotations

import contextlib
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from minigrad_course.apart.helper import Helper, Lost
from minigrad_course.project.judge import CACHES, MEMORY
from minigrad_course.project.racer import RUNNERS

EPOCHS = 5
LONGEST = 300.0  # seconds for one epoch


@dataclass
class Run:
    """The result of one engine: loss of each step, steps per second in each epoch, percent of the test digits read."""

    losses: list[float] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    percent: float = 0.0

    @property
    def speed(self) -> float:
        return statistics.median(self.speeds)


def race(file: Path, epochs: int = EPOCHS) -> dict[str, Run]:
    """Run every engine; return results by name. PyTorch is left out if it is not installed, or lost on the way."""
    runs: dict[str, Run] = {}
    with contextlib.ExitStack() as stack:
        runners: dict[str, Helper] = {}
        for name in RUNNERS:
            first = {"who": name, "file": str(file.resolve())}
            runner = stack.enter_context(Helper("minigrad_course.project.racer", first, MEMORY, keeps=CACHES))
            with contextlib.suppress(Lost):
                if runner.begin():
                    runners[name], runs[name] = runner, Run()
        for _ in range(epochs):
            for name, runner in list(runners.items()):
                try:
                    report = runner.ask(None, LONGEST)
                except Lost:
                    del runners[name], runs[name]
                    continue
                run = runs[name]
                run.losses += report["losses"]
                run.speeds.append(len(report["losses"]) / report["seconds"])
                run.percent = report["percent"]
    return runs
