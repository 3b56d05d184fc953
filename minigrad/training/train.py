"""Training: epochs over shuffled batches, a progress bar, and what happened written down.

The graph is built once for each batch size, and then run again with other numbers in its leaves. It is built anew where
the model has changed in a way that a graph cannot follow, such as another layer.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from minigrad import hooks
from minigrad.compiler.tables import Table
from minigrad.core.errors import kind_of
from minigrad.core.graph import Constant, Graph, Node, Variable, adjoints
from minigrad.core.node import on_new_operator
from minigrad.guards import capabilities, installation
from minigrad.guards.bounds import are_labels, bounds, check_bounds
from minigrad.guards.finite import StepError, place_in_data
from minigrad.guards.interrupts import uninterrupted
from minigrad.guards.settings import as_rows, size
from minigrad.guards.snapshots import Snapshot
from minigrad.nn.init import Rng, drawing_again, generator
from minigrad.nn.module import Module, loss_of
from minigrad.ops.loss import softmax_cross_entropy
from minigrad.training.checkpoint import Checkpoint, fingerprint
from minigrad.training.optim import Optimizer

Loss = Callable[[Any, Any], Node]  # of the output and the labels
Clip = Callable[[Sequence[Variable]], Any]
PARTS = ("train_x", "train_y", "test_x", "test_y")  # of data
__all__ = ["Epoch", "History", "Step", "accuracy", "fit", "predict"]


@dataclass
class Epoch:
    """One pass over the training data. Accuracies are fractions, nan where labels are not classes (a reconstruction).

    Seconds are those of training alone, without testing and without drawing.
    """

    epoch: int
    train_loss: float
    train_accuracy: float  # over the batches as they were trained, each before its own update
    test_accuracy: float
    seconds: float

    def cells(self) -> tuple[str, ...]:
        accuracies = map(_percent, (self.train_accuracy, self.test_accuracy))
        return str(self.epoch), f"{self.train_loss:.4f}", *accuracies, f"{self.seconds:.2f}"


@dataclass(repr=False)
class History(Table):
    """The measurements of `fit`: a row for each epoch, and the loss and the accuracy of every batch."""

    epochs: list[Epoch] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    stopped: str | None = None  # why training ended early, if it did
    classes: bool = True  # labels are classes, so there are accuracies

    head = ("epoch", "train loss", "train accuracy", "test accuracy", "seconds")
    align = str.rjust

    def cells(self) -> list[Sequence[str]]:
        """The table as text, a row for each epoch."""
        return [epoch.cells() for epoch in self.epochs]

    def note(self) -> str:
        return self.stopped or ""

    def __repr__(self) -> str:
        return super().__repr__().replace("–", "-")  # a console that knows no Unicode prints it too


class Step:
    """One training step on batches of one shape: its graph, built once from example inputs."""

    def __init__(self, model: Module, loss: Loss, x: np.ndarray, y: np.ndarray):
        self.x, self.y = Constant(x, name="x"), Constant(y, name="y")
        self.output = model(self.x)
        self.loss = loss_of(model, loss, self.output, self.y)
        self.graph = Graph(self.loss, self.output)

    def run(self, x: np.ndarray, y: np.ndarray) -> float:
        """Loss and gradients for a batch; the gradients replace what was there."""
        self.x.value, self.y.value = x, y
        self.graph.forward()
        self.graph.zero_grad()
        self.graph.backward()
        return float(self.loss.value)


class _Replayed:
    """Trains by running graphs again: one for each batch size, built from the first batch of that size."""

    def __init__(
        self, model: Module, loss: Loss, optimizer: Optimizer, clip: Clip | None, x: np.ndarray, y: np.ndarray
    ):
        self.model, self.loss, self.optimizer, self.clip, self.x, self.y = model, loss, optimizer, clip, x, y
        self.steps: dict[int, Step] = {}
        self._start()

    def _start(self) -> None:
        self.parameters, self.snapshot = list(self.model.parameters()), Snapshot(self.model, self.loss)
        self.steps.clear()

    def run(self, rows: np.ndarray, batch_size: int) -> list[tuple[float, float, int]]:
        """Train on the first batch of `rows`. Returns its loss, how many rows were right, and how many there were."""
        rows = rows[:batch_size]
        x, y = self.x[rows], self.y[rows]
        if not self.snapshot.holds():
            self._start()
        if len(rows) not in self.steps:
            with drawing_again():  # a training that goes on from a checkpoint builds once more
                self.steps[len(rows)] = self._build(x, y)
        step = self.steps[len(rows)]
        value = step.run(x, y)
        hits = _hits(step.output._value, y)  # before the update: the output may be a part of a parameter
        if np.isfinite(value):  # else the weights stay what they were
            if self.clip is not None:
                self.clip(self.parameters)
            self.optimizer.step(self.parameters)
        return [(value, hits, len(rows))]

    def tell_why(self, rows: np.ndarray, what: str, cause: str | None = None) -> NoReturn:
        """Raise FloatingPointError for a batch that is not trained: `what`, and a `cause` unless it is in the data.

        Inside of `detect_anomaly` the batch is done once more, as new nodes, which it looks at.
        """
        if (place := place_in_data(rows, train_x=self.x, train_y=self.y)) is not None:
            raise FloatingPointError(
                f"{what}, because {place}. Leave that row out, or put a number there, as np.nan_to_num does"
            )
        if on_new_operator.get() is not None:
            with drawing_again():
                adjoints(Step(self.model, self.loss, self.x[rows], self.y[rows]).loss, self.parameters)
        advice = "Try a smaller learning rate, or clip the gradients. `with mg.detect_anomaly():` around fit names the "
        raise FloatingPointError(f"{what}: {cause}" if cause else f"{what}. {advice}operation that it came from")

    def _build(self, x: np.ndarray, y: np.ndarray) -> Step:
        """The graph for such batches. Before the first of them is trained, the labels of all rows are looked at."""
        try:
            step = Step(self.model, self.loss, x, y)
        except (ValueError, IndexError):  # if it is for a label, the row in the data is what helps, not in the batch
            if (other := self._without_integers(x, y)) is not None:
                self._check(other)
            raise
        self._check(step)
        return step

    def _without_integers(self, x: np.ndarray, y: np.ndarray) -> Step | None:
        """The same graph with labels that are all 0, if there is one."""
        try:
            return Step(self.model, self.loss, *(np.zeros_like(a) if a.dtype.kind in "iu" else a for a in (x, y)))
        except (ValueError, IndexError):
            return None

    def _check(self, step: Step) -> None:
        """Raise the operation's own error for labels, or row numbers, that it would not take."""
        limits, rows = bounds(step.graph.nodes, [step.x, step.y]), np.arange(len(self.x))
        if limits:
            check_bounds(limits, {step.x: np.asarray(self.x, order="C"), step.y: np.asarray(self.y, order="C")}, rows)


class _Compiled:
    """Trains by a compiled program, as many batches in one call as take a tenth of a second, or one where somebody is
    called after each; the last, smaller batch of an epoch by running its graph again."""

    SECONDS = 0.1  # between two looks at the progress bar and at the stop button

    def __init__(self, rest: _Replayed, batch_size: int, shards: int, one_by_one: bool):
        with uninterrupted():  # half a compiler would stay so in this process
            from minigrad.compiler.step import compile  # brings numba: only where asked for

        self.rest = rest
        x, y = rest.x[:batch_size], rest.y[:batch_size]
        self.step = compile(rest.model, rest.loss, rest.optimizer, x, y, shards=shards)
        self.x, self.y = self.step.checked(rest.x, rest.y)
        self.batches, self.one_by_one = 1, one_by_one

    def run(self, rows: np.ndarray, batch_size: int) -> list[tuple[float, float, int]]:
        """Train on the next batches of `rows`. Returns the loss, the hits and the size of each."""
        whole = len(rows) // batch_size
        if whole == 0:
            return self.rest.run(rows, batch_size)
        start, chunk = time.perf_counter(), 1 if self.one_by_one else min(whole, self.batches)
        losses = np.zeros(chunk, self.step.loss_dtype)
        hits = self.step.run(self.x, self.y, np.ascontiguousarray(rows, np.int64), losses)
        self.batches = max(1, int(chunk * self.SECONDS / max(time.perf_counter() - start, 1e-6)))
        counts = hits.tolist() if self.step.counted else [float("nan")] * chunk
        return [(loss, count, batch_size) for loss, count in zip(losses.tolist(), counts, strict=True)]


def predict(model: Module, x: np.ndarray, batch_size: int = 1000) -> np.ndarray:
    """The model's output for all rows of x, computed `batch_size` rows at a time, in evaluation (Module.eval)."""
    x, batch_size = as_rows("predict", "x", x), size("predict", "batch_size", batch_size)
    was = model.training
    model.eval()
    try:
        parts = [model(Constant(x[k : k + batch_size]))._value for k in range(0, len(x), batch_size)]
    finally:
        model.train(was)
    return np.concatenate(parts) if parts else np.empty((0,))


def accuracy(model: Module, x: np.ndarray, y: np.ndarray) -> float:
    """The fraction of rows whose largest output is at the label; nan without rows, or if labels are not classes."""
    x, y = as_rows("accuracy", "x", x), as_rows("accuracy", "y", y)
    return _hits(predict(model, x), y) / len(x) if len(x) else float("nan")


def fit(
    model: Module,
    data: Any,
    epochs: int,
    batch_size: int,
    optimizer: Optimizer,
    *,
    loss: Loss = softmax_cross_entropy,
    clip: Clip | None = None,
    rng: Rng = None,
    progress: bool | None = None,
    on_batch: Callable[[int, float], Any] | None = None,
    live: Any = False,
    compiled: bool = False,
    shards: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
) -> History:
    """Train `model` on `data.train_x`, `data.train_y`, and test it after each epoch on `data.test_x`, `data.test_y`.

    loss: (output, labels) -> scalar node. clip: what to do to the gradients before each step, such as
    `lambda parameters: clip_by_value(parameters, 1.0)`. rng: a seed or generator for the order of the batches, a new
    permutation each epoch. progress: a bar (None: where somebody can see it). on_batch(step, loss): called after
    each update. live: True for curves that grow while it trains, or a `mg.viz.Live` with panels of your choice; there
    is no bar then. The last, smaller batch of an epoch is trained too. compiled: train by a compiled program
    (`mg.compile`), many batches in one call; shards: the parts of a batch that it works on side by side.

    Stopping it (Ctrl-C, or the stop button) keeps the weights and returns the history so far. A loss that is no
    longer a number raises FloatingPointError, as a gradient does by which a weight would become nan; the weights are
    those from before that batch. A label out of range raises ValueError with its row, before anything is trained.

    checkpoint: a file that is written after each epoch, whole or not at all. If it is there, training goes on from it,
    and ends with the same bits as if it had never been interrupted; if all epochs are in it, nothing is left to do.
    Raises CheckpointError, a ValueError, for a file that is damaged or was written by another training, and OSError
    where no file can be written.
    """
    if missing := [name for name in PARTS if not hasattr(data, name)]:
        raise TypeError(
            f"fit takes data with train_x, train_y, test_x and test_y; {kind_of(data)} has no {', '.join(missing)}. "
            'mg.data.Data(x, y, test_x, test_y, name="mine") puts arrays together'
        )
    x, y, test_x, test_y = (as_rows("fit", name, getattr(data, name)) for name in PARTS)
    if len(x) != len(y) or not len(x):
        raise ValueError(f"fit needs as many labels as rows, and at least one: got {len(x)} rows and {len(y)} labels")
    batch_size, epochs = size("fit", "batch_size", batch_size), size("fit", "epochs", epochs, 0)
    shards = size("fit", "shards", shards)
    if clip is not None and compiled:
        raise ValueError(
            "fit: clip changes arrays of gradients, which a compiled step does not have. Use mg.compile with "
            "gradients=lambda gs: [mg.clip(g, -1, 1) for g in gs], or compiled=False"
        )
    seed, rng = rng, generator(rng)
    saved = None
    if checkpoint is not None:
        settings = {"batch_size": batch_size, "rows": len(x), "optimizer": type(optimizer).__name__}
        settings |= {"data": fingerprint(x, y), "test data": fingerprint(test_x, test_y)}
        settings |= {"rng": int(seed)} if isinstance(seed, int | np.integer) else {}
        saved = Checkpoint(checkpoint, model, loss, optimizer, rng, settings)
    trainer: Any = (rest := _Replayed(model, loss, optimizer, clip, x, y))
    if compiled and epochs and len(x) >= batch_size:
        trainer = _Compiled(rest, batch_size, shards, one_by_one=on_batch is not None)
    history = History(classes=are_labels(y))
    if saved is not None:
        saved.resume(history, Epoch, epochs)
    batches = epochs * -(-len(x) // batch_size)
    view = _view(live)
    bar = _bar(batches, False if live and progress is None else progress)
    try:
        view.start(history, batches)
        bar.update(len(history.losses))
        for epoch in range(len(history.epochs) + 1, epochs + 1):
            first, correct, start, drawn = len(history.losses), 0.0, time.perf_counter(), view.seconds
            sizes: list[int] = []  # of the batches: the last one may be smaller, and counts less
            order, done = rng.permutation(len(x)), 0
            while done < len(x):
                try:
                    trained = trainer.run(order[done:], batch_size)
                except StepError as error:
                    done += error.batch * batch_size
                    rows, batch = order[done : done + batch_size], done // batch_size + 1
                    rest.tell_why(rows, f"training ended before batch {batch} of epoch {epoch}", str(error))
                for value, hits, count in trained:
                    if not np.isfinite(value):
                        rows, batch = order[done : done + batch_size], done // batch_size + 1
                        rest.tell_why(rows, f"the loss became {value} at batch {batch} of epoch {epoch}")
                    done += count
                    correct += hits
                    sizes.append(count)
                    history.losses.append(value)
                    history.accuracies.append(hits / count)
                    bar.update(1)
                    view.update()
                    if on_batch is not None:
                        on_batch(len(history.losses), value)
            seconds = time.perf_counter() - start - (view.seconds - drawn)
            tested = accuracy(model, test_x, test_y)
            mean = float(np.average(history.losses[first:], weights=sizes))
            history.epochs.append(Epoch(epoch, mean, correct / len(x), tested, seconds))
            if saved is not None:
                saved.save(history)
            bar.set_postfix_str(f"epoch {epoch}: loss {mean:.4f}, test accuracy {_percent(tested)}")
    except KeyboardInterrupt:
        history.stopped = f"Stopped in epoch {len(history.epochs) + 1}; the weights are those of the last batch."
    finally:
        bar.close()
        view.end()
    return history


def _hits(output: np.ndarray, labels: np.ndarray) -> float:
    """Count the rows whose largest output is at the label; nan if labels are not classes."""
    if output.ndim != 2 or not are_labels(labels):
        return float("nan")
    return float(np.count_nonzero(output.argmax(axis=1) == labels))


def _percent(fraction: float) -> str:
    return "–" if np.isnan(fraction) else f"{100 * fraction:.2f} %"


def _view(live: Any) -> Any:
    """Return the observer of the training: the given Live, a new one for True, and a dummy for False."""
    if live is True:
        if "viz" not in hooks.NAMES:
            raise ImportError(f"live=True needs the course's pictures: {installation.install('[course]')}")
        return hooks.find("viz").Live()
    if live is not False and live is not None and not hasattr(live, "update"):
        raise TypeError(f"live is True, False or a mg.viz.Live, got {live!r}")
    return live or _Nobody()


class _Nobody:
    """In the place of a view or of a bar, where there is none: whatever it is told, it does nothing."""

    seconds = 0.0

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *what: None


def _bar(total: int, progress: bool | None) -> Any:
    """A tqdm bar; a silent one where nobody looks, or where tqdm is not installed."""
    notebook = "ipykernel" in sys.modules
    wanted = (notebook or sys.stderr.isatty()) if progress is None else progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if progress:
            raise ImportError(f"a progress bar needs tqdm: {installation.install('tqdm')}, or progress=False") from None
        return _Nobody()
    if not capabilities.has("threads"):
        tqdm.monitor_interval = 0  # else it starts one that watches over slow bars
    return tqdm(total=total, disable=not wanted, unit="batch", leave=True)
