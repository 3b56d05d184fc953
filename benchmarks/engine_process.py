"""One engine in a process of its own, on processors of its own. field.py starts it and talks with it.

Reads a task from the first line of its input, then one request a line, and answers each with one line: all in JSON.
What engines print goes to the error output, so that it cannot get between the answers.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    task = json.loads(sys.stdin.readline())
    if task["cpus"] and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, task["cpus"])  # before anything is imported that counts processors for its threads
    runner = (importlib.import_module(task["runner"]).Runner if "runner" in task else Runner)(task)
    for line in sys.stdin:
        request = json.loads(line)
        answer = getattr(runner, request.pop("do"))(**request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Runner:
    """Does what is asked, and times it. Each method is a request."""

    def __init__(self, task: dict[str, Any]):
        import numpy as np

        from benchmarks import workloads

        self.task, self.folder = task, Path(task["folder"])
        self.workload = workloads.WORKLOADS[task["network"]](**task["sizes"])
        folder = self.folder / "text" if task["network"] == "gpt" else self.folder
        self.arrays = {name: np.load(folder / f"{name}.npy") for name in ("train_x", "train_y")}
        self.orders = np.load(self.folder / "orders.npy")  # a permutation of the rows for each round
        self.first_weights = self.workload.first_weights()

    def rows(self, round: int, steps: int) -> Any:
        """The rows of the first `steps` batches of a round."""
        order = self.orders[round % len(self.orders)]
        if steps * self.workload.batch > len(order):
            raise ValueError(f"a round of {steps} batches of {self.workload.batch} has more rows than the data")
        return order[: steps * self.workload.batch]

    def start(self, steps: int) -> dict[str, Any]:
        """Build, and train a first round, in which an engine compiles; then go back to the first weights."""
        module = importlib.import_module(f"benchmarks.engines.{self.task['engine']}")
        rows = self.rows(0, steps)
        since, worked = time.perf_counter(), sum(os.times()[:4])  # with the processes that it starts, such as compilers
        self.engine = module.Engine(
            self.workload, self.first_weights, self.arrays, self.task["mode"], self.task["threads"]
        )
        self.engine.epoch(rows)
        seconds, worked = time.perf_counter() - since, sum(os.times()[:4]) - worked
        self.engine.load(self.first_weights)
        return {"seconds": seconds, "processor_seconds": worked, "version": self.engine.version}

    def train(self, round: int, steps: int) -> dict[str, Any]:
        """One round, timed."""
        rows = self.rows(round, steps)
        since, worked = time.perf_counter(), time.process_time()
        losses = self.engine.epoch(rows)
        seconds, worked = time.perf_counter() - since, time.process_time() - worked
        return {"seconds": seconds, "processor_seconds": worked, "losses": [float(loss) for loss in losses]}

    def weights(self, to: str) -> dict[str, Any]:
        """Write the parameters into a file."""
        import numpy as np

        np.savez(self.folder / to, **self.engine.weights())
        return {}

    def count(self, steps: int) -> dict[str, Any]:
        """Bytes and allocations of a round of 2 `steps` steps, and of one step. Slow, so nothing is timed here.

        Rounds of `steps` and of 2 `steps` steps are counted, each after it ran once under the counter. A step's share
        is the difference over the steps between: what a call allocates once is not a step's. The 4 bytes of the loss
        that a step returns are taken off, for everybody.
        """
        from minigrad_course.measure import count_allocations

        short, long = (count_allocations(self.engine.epoch, self.rows(0, n)) for n in (steps, 2 * steps))
        if short.allocated_bytes is None or long.allocated_bytes is None:
            return {"notes": list(long.notes)}
        return {
            "steps": 2 * steps,
            "bytes": long.allocated_bytes,
            "allocations": long.allocations,
            "peak_bytes": long.peak_bytes,
            "bytes_per_step": (long.allocated_bytes - short.allocated_bytes) / steps - 4,
            "allocations_per_step": ((long.allocations or 0) - (short.allocations or 0)) / steps,
            "method": long.method,
        }

    def count_arrays(self, steps: int) -> dict[str, Any]:
        """The same for NumPy's and numba's arrays alone, which are counted exactly."""
        from minigrad_course.measure import count_allocations

        short, long = (
            count_allocations(self.engine.epoch, self.rows(0, n), bytes="arrays") for n in (steps, 2 * steps)
        )
        if short.allocated_bytes is None or long.allocated_bytes is None:
            return {"notes": list(long.notes)}
        return {"bytes_per_step": (long.allocated_bytes - short.allocated_bytes) / steps - 4}


if __name__ == "__main__":
    main()
