"""The questions to PyTorch's own process, which torch_process.py starts.

The training loop is the one that PyTorch's tutorials teach. It counts as `mg.fit` does: the accuracy of a batch is that
before its own update, and testing is not timed.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import torch

from minigrad.training.train import Epoch, History
from minigrad_course.measure import measure
from minigrad_course.peers.pytorch_networks import NETWORKS
from minigrad_course.peers.runs import Run

# An optimizer imports PyTorch's own compiler in its first step, three seconds long, only to exclude itself.
without_compiler: Any = ModuleType("torch._dynamo")
without_compiler.graph_break = lambda message="": None
without_compiler.disable = lambda function, *args, **kwargs: function
sys.modules["torch._dynamo"] = torch._dynamo = without_compiler
OPTIMIZERS: dict[str, Any] = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


class Training:
    """A network with its first weights, and its batches."""

    def __init__(self, task: dict[str, Any]):
        self.task = task
        self.x, self.y, self.test_x, self.test_y = (
            torch.from_numpy(task[name]) for name in ("train_x", "train_y", "test_x", "test_y")
        )
        self.orders = torch.from_numpy(task["orders"])  # (epochs, rows): a permutation for each epoch
        self.batch_size, self.classes = task["batch_size"], self.y.ndim == 1
        if task["network"] not in NETWORKS:
            raise ValueError(f"there is no network {task['network']!r}; there is {', '.join(map(repr, NETWORKS))}")
        self.restart()

    def restart(self) -> None:
        """Back to the first weights."""
        self.model = NETWORKS[self.task["network"]](self.task["weights"])
        start = {name: torch.from_numpy(value.copy()) for name, value in self.task["weights"].items()}
        self.model.load_state_dict(start)
        self.loss = getattr(self.model, "loss", torch.nn.functional.cross_entropy)
        self.optimizer = OPTIMIZERS[self.task["optimizer"]](self.model.parameters(), lr=self.task["lr"])

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
        for rows in order.split(self.batch_size):
            yield *self.step(rows), len(rows)

    def tested(self) -> float:
        """Return the fraction of test images that the network classifies correctly."""
        if not len(self.test_x) or not self.classes:
            return float("nan")
        with torch.no_grad():
            outputs = [self.model(part) for part in self.test_x.split(1000)]
        return float((torch.cat(outputs).argmax(dim=1) == self.test_y).double().mean())

    def gradients(self) -> dict[str, np.ndarray]:
        """Return the derivatives of the first batch's loss by all parameters, at the first weights."""
        self.restart()
        self.step(self.orders[0][: self.batch_size])
        named = self.model.named_parameters()
        return {name: value.grad.numpy().copy() for name, value in named if value.grad is not None}


def timed(training: Training) -> Run:
    """Train with no measurement but the clock."""
    start = time.perf_counter()
    training.step(training.orders[0][: training.batch_size])
    first_step = time.perf_counter() - start
    training.restart()
    history = History()
    for number, order in enumerate(training.orders, 1):
        start = time.perf_counter()
        batches = list(training.epoch(order))
        seconds = time.perf_counter() - start
        losses, hits, sizes = (np.array(column) for column in zip(*batches, strict=True))
        history.losses += losses.tolist()
        history.accuracies += (hits / sizes).tolist()
        rows = sizes.sum()
        means = float(losses @ sizes / rows), float(hits.sum() / rows)
        history.epochs.append(Epoch(number, *means, training.tested(), seconds))
    weights = {name: value.numpy().copy() for name, value in training.model.state_dict().items()}
    engine, threads = f"PyTorch {torch.__version__}", torch.get_num_threads()
    return Run(engine, history, weights, training.gradients(), threads, first_step)


def count(run: Run, training: Training, orders: torch.Tensor) -> None:
    """Train the same again, and count each epoch's allocations by minigrad's own method."""
    training.restart()
    counts = []
    for order in orders:
        with measure(bytes="process") as m:
            list(training.epoch(order))
        counts.append((m.allocated_bytes, m.allocations, m.peak_bytes))
    if None not in counts[0]:
        run.allocated_bytes, run.allocations, run.peak_bytes = map(list, zip(*counts, strict=True))  # type: ignore[assignment]
    run.method, run.notes = m.method, m.notes


def train(tasks: list[dict[str, Any]], counted: bool | int) -> list[Run]:
    """Do each run."""
    runs = []
    for k, training in enumerate(map(Training, tasks)):
        run = timed(training)
        if counted is True and k == 0:
            count(run, training, training.orders)
            training.restart()
            tracemalloc.start()
            list(training.epoch(training.orders[0]))
            _, run.tracemalloc_peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        elif counted is not True and counted:
            count(run, training, training.orders[:1, : counted * training.batch_size])
        runs.append(run)
    return runs


waiting: list[Training] = []


def turns(tasks: list[dict[str, Any]]) -> None:
    """Get ready for rounds: one with each network that does not count."""
    waiting[:] = map(Training, tasks)
    for k in range(len(waiting)):
        round_of(k)


def round_of(k: int) -> float:
    """Train one of the networks on all batches once more, without extras; return the seconds."""
    training, start = waiting[k], time.perf_counter()
    for order in training.orders:
        for rows in order.split(training.batch_size):
            training.optimizer.zero_grad()
            loss = training.loss(training.model(training.x[rows]), training.y[rows])
            loss.backward()
            training.optimizer.step()
            loss.item()
    return time.perf_counter() - start
