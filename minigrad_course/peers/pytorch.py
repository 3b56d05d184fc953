"""Train a network of the course in PyTorch, from the same weights and on the same batches. See the package's docstring.

Data travels in files of a temporary folder, and so do the results.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minigrad.nn.init import generator
from minigrad.training.train import Epoch, History
from minigrad_course.peers.worker import PeerError, require_process, worker

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
    #: The number of its threads.
    threads: int
    #: Seconds of one training step before the timed run, in which an engine gets ready.
    first_step_seconds: float
    #: All bytes allocated in each epoch, and in how many blocks: from a second run, each epoch counted in full.
    allocated_bytes: list[int] | None = None
    allocations: list[int] | None = None
    #: The highest that the counted bytes rose above their level at the start of each epoch.
    peak_bytes: list[int] | None = None
    #: From Python's own tracemalloc after one epoch: the most bytes at once, and those still held.
    tracemalloc_peak: int | None = None
    tracemalloc_current: int | None = None
    #: The method of counting bytes.
    method: str = ""
    notes: tuple[str, ...] = ()


def train_in_pytorch(
    network: str,
    weights: Mapping[str, np.ndarray],
    data: Any,
    *,
    epochs: int,
    batch_size: int,
    lr: float,
    rng: int | np.random.Generator | None = None,
    threads: int = 1,
    count: bool | int = True,
    optimizer: str = "sgd",
) -> Run:
    """Train as `mg.fit(model, data, epochs, batch_size, SGD(lr), rng=rng)` does, in PyTorch, in a process of its own.

    network: the name of one in pytorch_networks.py, such as "rnn". weights: those to start with, as `state_dict()`
    gives them (float32). data: with train_x, train_y, test_x, test_y. rng: the seed given to `fit`, for the same
    batches in the same order. threads: for PyTorch's arithmetic. count: also train a second time with every allocation
    counted (memray), and one epoch under tracemalloc; takes several times as long. A number counts so many batches
    of the first epoch instead. optimizer: "sgd", or "adam" or "adamw" with the settings that both sides start with.

    Raises PeerError where PyTorch is missing or fails; ValueError for settings that cannot work.
    """
    settings = {
        "epochs": epochs, "batch_size": batch_size, "lr": lr, "threads": threads, "count": count,
        "optimizer": optimizer,
    }  # fmt: skip
    return train_several_in_pytorch(network, [(weights, rng)], data, **settings)[0]  # type: ignore[arg-type]


def train_several_in_pytorch(
    network: str,
    starts: Sequence[Start],
    data: Any,
    *,
    epochs: int,
    batch_size: int,
    lr: float,
    threads: int = 1,
    count: bool | int = True,
    optimizer: str = "sgd",
) -> list[Run]:
    """`train_in_pytorch` for several starts, one run after another.

    starts: for each run its first weights and the seed for the order of its batches. count=True counts the first run
    only, a number counts so many batches of each.
    The rest is as in `train_in_pytorch`.
    """
    if epochs < 1 or batch_size < 1 or threads < 1:
        raise ValueError(f"epochs, batch_size and threads are 1 or more; got {epochs}, {batch_size} and {threads}")
    if optimizer not in ("sgd", "adam", "adamw"):
        raise ValueError(f'the optimizer is "sgd", "adam" or "adamw", got {optimizer!r}')
    if not starts:
        raise ValueError("there are no weights to start from: `starts` is empty")
    require_pytorch()
    task = {
        "network": network, "batch_size": batch_size, "lr": lr, "threads": threads, "count": count,
        "optimizer": optimizer,
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="minigrad-peer-") as name:
        folder = Path(name)
        write_task(folder, task, starts, data, epochs)
        worker(threads).ask(f"train {folder}")
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        with np.load(folder / "result.npz") as file:
            trained = dict(file)
    runs = []
    for k, result_of_run in enumerate(result["runs"]):
        figures = (
            "threads", "first_step_seconds", "allocated_bytes", "allocations", "peak_bytes",
            "tracemalloc_peak", "tracemalloc_current", "method",
        )  # fmt: skip
        known = {
            name: result_of_run[name]
            for name in figures
            if name in result_of_run and result_of_run[name] not in ([None], [None] * epochs)
        }
        own = {key.removeprefix(f"{k}."): value for key, value in trained.items() if key.startswith(f"{k}.")}
        gradients = {name: own.pop(f"gradients.{name}") for name in starts[k][0]}
        notes = tuple(result_of_run.get("notes", ()))
        runs.append(Run(f"PyTorch {result['version']}", _history(result_of_run), own, gradients, notes=notes, **known))
    return runs


def require_pytorch() -> None:
    """Raise PeerError where PyTorch cannot run, or is not installed."""
    require_process()
    if importlib.util.find_spec("torch") is None:
        raise PeerError(
            "The comparison needs PyTorch, which is not installed here: `minigrad doctor` names the command. "
            "All else works without it."
        )


def write_task(folder: Path, task: Mapping[str, Any], starts: Sequence[Start], data: Any, epochs: int) -> None:
    """Write the task into `folder`: settings, data, first weights, and the order of the batches."""
    arrays = {name: getattr(data, name) for name in ("train_x", "train_y", "test_x", "test_y")}
    for k, (weights, seed) in enumerate(starts):
        rng = generator(seed)
        arrays[f"{k}.orders"] = np.array([rng.permutation(len(data.train_x)) for _ in range(epochs)])
        arrays |= {f"{k}.weights.{name}": value for name, value in weights.items()}
    np.savez(folder / "task.npz", **arrays)
    (folder / "task.json").write_text(json.dumps({**task, "runs": len(starts)}), encoding="utf-8")


def _history(result: Mapping[str, Any]) -> History:
    """Return the other side's batches and epochs as a `History` of `mg.fit`."""
    history = History()
    for number, (epoch, batches) in enumerate(zip(result["epochs"], result["batches"], strict=True), 1):
        losses, hits, sizes = (np.array(column) for column in zip(*batches, strict=True))
        history.losses += losses.tolist()
        history.accuracies += (hits / sizes).tolist()
        history.epochs.append(
            Epoch(
                number,
                float(losses @ sizes / sizes.sum()),
                float(hits.sum() / sizes.sum()),
                epoch["test_accuracy"],
                epoch["seconds"],
            )
        )
    return history
