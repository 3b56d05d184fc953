"""Train a network of the course in PyTorch, from the same weights and on the same batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.nn.init import generator
from minigrad.training.train import History
from minigrad_course.peers.torch_process import ask, require_torch

Start = tuple[Mapping[str, np.ndarray], "int | np.random.Generator | None"]  # first weights, seed of the order


@dataclass
class Run:
    """The result of another engine. Figures that were not requested, or are unavailable, are None; `notes` says why."""

    #: The engine, such as "PyTorch 2.13.0".
    engine: str
    #: As `mg.fit` gives it; seconds are those of training alone.
    history: History
    #: The parameters after the last batch, by name.
    weights: dict[str, np.ndarray]
    #: The derivatives of the first batch's loss by each parameter, at the first weights.
    first_gradients: dict[str, np.ndarray]
    threads: int
    #: Seconds of one training step before the timed run, in which an engine gets ready.
    first_step_seconds: float
    #: All bytes allocated in each epoch, and in how many blocks: from a second run, each epoch counted in full.
    allocated_bytes: list[int] | None = None
    allocations: list[int] | None = None
    #: The highest that the counted bytes rose above their level at the start of each epoch.
    peak_bytes: list[int] | None = None
    #: From Python's own tracemalloc in one epoch: the most bytes at once.
    tracemalloc_peak: int | None = None
    #: The method of counting bytes.
    method: str = ""
    notes: tuple[str, ...] = ()


def train_in_pytorch(
    network: str,
    weights: Mapping[str, np.ndarray],
    data: object,
    *,
    rng: int | np.random.Generator | None = None,
    **settings: Any,
) -> Run:
    """Train as `mg.fit(model, data, epochs, batch_size, SGD(lr), rng=rng)` does, in PyTorch, in a process of its own.

    network: the name of one in pytorch_networks.py, such as "rnn". weights: those to start with, as `state_dict()`
    gives them (float32). data: with train_x, train_y, test_x, test_y. rng: the seed given to `fit`, for the same
    batches in the same order. settings: as those of `train_several_in_pytorch`.
    """
    return train_several_in_pytorch(network, [(weights, rng)], data, **settings)[0]


def train_several_in_pytorch(
    network: str,
    starts: Sequence[Start],
    data: object,
    *,
    epochs: int,
    batch_size: int,
    lr: float,
    threads: int = 1,
    count: bool | int = True,
    optimizer: str = "sgd",
) -> list[Run]:
    """Train from several starts, each its first weights and the seed for the order of its batches, one after another.

    threads: for PyTorch's arithmetic. count: also train the first one a second time with every allocation counted
    (memray), and one epoch under tracemalloc; takes several times as long. A number counts so many batches of the first
    epoch of each instead. optimizer: "sgd", or "adam" or "adamw" with the settings that both sides start with.

    Raises PeerError where PyTorch is missing or fails; ValueError for settings that cannot work.
    """
    if not starts:
        raise ValueError("there are no weights to start from: `starts` is empty")
    tasks = tasks_of(network, starts, data, epochs, batch_size=batch_size, lr=lr, threads=threads, optimizer=optimizer)
    return ask(threads, "train", tasks, count)


def tasks_of(network: str, starts: Sequence[Start], data: Any, epochs: int, **settings: Any) -> list[dict[str, Any]]:
    """Return what PyTorch's process is to train: a dict for each start. Raises ValueError for what cannot work."""
    if min(epochs, settings["batch_size"], settings["threads"]) < 1:
        numbers = f"{epochs}, {settings['batch_size']} and {settings['threads']}"
        raise ValueError(f"epochs, batch_size and threads are 1 or more; got {numbers}")
    if settings["optimizer"] not in ("sgd", "adam", "adamw"):
        raise ValueError(f'the optimizer is "sgd", "adam" or "adamw", got {settings["optimizer"]!r}')
    require_torch()
    arrays = {name: getattr(data, name) for name in ("train_x", "train_y", "test_x", "test_y")}
    tasks = []
    for weights, seed in starts:
        rng = generator(seed)
        orders = np.array([rng.permutation(len(data.train_x)) for _ in range(epochs)])
        tasks.append({"network": network, "weights": dict(weights), "orders": orders, **arrays, **settings})
    return tasks
