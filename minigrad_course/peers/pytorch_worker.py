"""PyTorch's own process, `python -m minigrad_course.peers.pytorch_worker`; worker.py starts it and asks.

    train FOLDER    read task.json and task.npz there, write result.json and result.npz (the other side: pytorch.py)
    turns FOLDER    read the same, and do a round with each network that does not count (the other side: turns.py)
    round 0         train the first of these networks for one round more; the answer is the seconds

The training loop is the one that PyTorch's tutorials teach. It counts as `mg.fit` does: the accuracy of a batch is that
before its own update, and testing is not timed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

from minigrad_course.measure import measure
from minigrad_course.peers.pytorch_networks import NETWORKS
from minigrad_course.peers.worker import ANSWER, IDLE


class WithoutCompiler(ModuleType):
    """Stands for torch._dynamo, PyTorch's own compiler, which nothing here uses.

    An optimizer imports it in its first step, three seconds long, only to exclude itself.
    """

    @staticmethod
    def graph_break(message: str = "") -> None:
        """Nothing is compiled, and so there is nothing to interrupt."""

    @staticmethod
    def disable(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Nothing is compiled, and so the function stays as it is."""
        return function


sys.modules["torch._dynamo"] = torch._dynamo = WithoutCompiler("torch._dynamo")  # type: ignore[assignment]
OPTIMIZERS: dict[str, Any] = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


class Training:
    """A network with its first weights, and its batches."""

    def __init__(self, task: Mapping[str, Any], arrays: Mapping[str, np.ndarray], run: int):
        start = f"{run}.weights."
        self.weights = {name.removeprefix(start): arrays[name] for name in arrays if name.startswith(start)}
        self.x, self.y = torch.from_numpy(arrays["train_x"]), torch.from_numpy(arrays["train_y"])
        self.test_x, self.test_y = torch.from_numpy(arrays["test_x"]), torch.from_numpy(arrays["test_y"])
        self.orders = torch.from_numpy(arrays[f"{run}.orders"])  # (epochs, rows): a permutation for each epoch
        self.batch_size, self.lr, self.network = task["batch_size"], task["lr"], task["network"]
        self.rule, self.classes = task["optimizer"], self.y.ndim == 1
        if self.network not in NETWORKS:
            raise ValueError(f"there is no network {self.network!r}; there is {', '.join(map(repr, NETWORKS))}")
        self.restart()

    def restart(self) -> None:
        """Back to the first weights."""
        self.model = NETWORKS[self.network](self.weights)
        self.model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in self.weights.items()})
        self.loss = getattr(self.model, "loss", torch.nn.functional.cross_entropy)
        self.optimizer = OPTIMIZERS[self.rule](self.model.parameters(), lr=self.lr)

    def step(self, rows: torch.Tensor) -> tuple[float, float]:
        """Train on one batch. Returns the loss and the number of right answers (nan without classes) before the
        update.
        """
        x, y = self.x[rows], self.y[rows]
        self.optimizer.zero_grad()
        output = self.model(x)
        loss = self.loss(output, y)
        loss.backward()
        self.optimizer.step()
        hits = int((output.argmax(dim=1) == y).sum()) if self.classes else float("nan")
        return loss.item(), hits

    def epoch(self, order: torch.Tensor) -> Iterator[tuple[float, float, int]]:
        """Yield loss, right answers and size of each batch of an epoch."""
        for k in range(0, len(order), self.batch_size):
            rows = order[k : k + self.batch_size]
            yield *self.step(rows), len(rows)

    def tested(self) -> float:
        """Return the fraction of test images that the network classifies correctly."""
        if not len(self.test_x) or not self.classes:
            return float("nan")
        with torch.no_grad():
            outputs = [self.model(part) for part in self.test_x.split(1000)]
        return float((torch.cat(outputs).argmax(dim=1) == self.test_y).double().mean())


def timed(training: Training) -> dict[str, Any]:
    """Train with no measurement but the clock."""
    start = time.perf_counter()
    training.step(training.orders[0][: training.batch_size])
    result: dict[str, Any] = {"first_step_seconds": time.perf_counter() - start, "epochs": [], "batches": []}
    training.restart()
    for order in training.orders:
        start = time.perf_counter()
        batches = list(training.epoch(order))
        seconds = time.perf_counter() - start
        result["epochs"].append({"seconds": seconds, "test_accuracy": training.tested()})
        result["batches"].append(batches)
    return result


def first_gradients(training: Training) -> dict[str, np.ndarray]:
    """The derivatives of the first batch's loss by all parameters, at the first weights."""
    training.restart()
    training.step(training.orders[0][: training.batch_size])
    named = training.model.named_parameters()
    return {name: value.grad.numpy().copy() for name, value in named if value.grad is not None}


def counted(training: Training, orders: Any) -> dict[str, Any]:
    """Train the same again, and count each epoch's allocations by minigrad's own method."""
    training.restart()
    counts: dict[str, Any] = {"allocated_bytes": [], "allocations": [], "peak_bytes": []}
    for order in orders:
        with measure(bytes="process") as m:
            list(training.epoch(order))
        for name, figures in counts.items():
            figures.append(getattr(m, name))
    return {**counts, "method": m.method, "notes": m.notes}


def seen_by_tracemalloc(training: Training) -> dict[str, int]:
    """Return tracemalloc's figures for one more epoch: the most bytes at once, and those left at the end."""
    training.restart()
    tracemalloc.start()
    list(training.epoch(training.orders[0]))
    current, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {"tracemalloc_current": current, "tracemalloc_peak": peak}


def round_for_the_clock(training: Training) -> float:
    """Train on all batches once more, without extras; return the seconds."""
    start = time.perf_counter()
    for order in training.orders:
        for rows in order.split(training.batch_size):
            training.optimizer.zero_grad()
            loss = training.loss(training.model(training.x[rows]), training.y[rows])
            loss.backward()
            training.optimizer.step()
            loss.item()
    return time.perf_counter() - start


def read(folder: Path) -> tuple[dict[str, Any], list[Training]]:
    """Read the task in a folder, and its networks."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    torch.set_num_threads(task["threads"])
    with np.load(folder / "task.npz") as file:
        arrays = dict(file)
    return task, [Training(task, arrays, k) for k in range(task["runs"])]


def train(folder: Path) -> None:
    """Do each run of the task, and write the results."""
    task, trainings = read(folder)
    runs: list[dict[str, Any]] = []
    states: dict[str, Any] = {}
    gradients: dict[str, Any] = {}
    for k, training in enumerate(trainings):
        run = timed(training) | {"threads": torch.get_num_threads()}
        states |= {f"{k}.{name}": value.numpy().copy() for name, value in training.model.state_dict().items()}
        gradients |= {f"{k}.gradients.{name}": value for name, value in first_gradients(training).items()}
        if task["count"] is True and k == 0:
            run |= counted(training, training.orders) | seen_by_tracemalloc(training)
        elif task["count"] is not True and task["count"]:
            run |= counted(training, training.orders[:1, : task["count"] * training.batch_size])
        runs.append(run)
    np.savez(folder / "result.npz", **states, **gradients)
    (folder / "result.json").write_text(json.dumps({"version": torch.__version__, "runs": runs}), encoding="utf-8")


def main() -> None:
    """Answer every line of input; end with the input, or when none arrives for a long time."""
    waiting: list[Training] = []
    while question := _next_line():
        what, _, about = question.strip().partition(" ")
        reply: Any = "done"
        if what == "train":
            train(Path(about))
        elif what == "turns":
            waiting = read(Path(about))[1]
            for training in waiting:
                round_for_the_clock(training)
        elif what == "round":
            reply = round_for_the_clock(waiting[int(about)])
        else:
            raise ValueError(f"the question {question.strip()!r} is none of train, turns and round")
        print(f"{ANSWER}{reply}", flush=True)


def _next_line() -> str:
    """Return the next line of the standard input; wait at most IDLE seconds."""
    leave = threading.Timer(IDLE, os._exit, (0,))
    leave.daemon = True
    leave.start()
    try:
        return sys.stdin.readline()
    finally:
        leave.cancel()


if __name__ == "__main__":
    main()
