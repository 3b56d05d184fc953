"""A training step as one compiled program: forward, backward and update, and the loop over the batches around them.

This file checks the step's arguments before its program runs, and whether model and optimizer are still those that it
was made from. build.py puts the program together, and training.py runs it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from minigrad.compiler.build import forward, gradients_of, whole
from minigrad.compiler.optional.shards import in_shards
from minigrad.compiler.postponed import postpone
from minigrad.compiler.tables import BufferTable, Report
from minigrad.compiler.training import Built, Gradients, Recipe, Spoilt, processors
from minigrad.core.arrays import ArrayLike
from minigrad.core.block import override
from minigrad.core.errors import kind_of
from minigrad.core.node import Node, on_new_operator, on_rows, postponing
from minigrad.guards import capabilities
from minigrad.guards.bounds import check_range, first_out_of_range, fitting
from minigrad.guards.finite import refused_step
from minigrad.guards.snapshots import Snapshot
from minigrad.native.compiled import PURE_PYTHON
from minigrad.nn.init import drawing_again
from minigrad.nn.module import Module
from minigrad.training.optim import Optimizer, called

REMEMBERED = 4  # compiled programs cached in case the model changes back


class CompiledStep:
    """The result of `compile`. Call it with a batch, or let `epoch` run through many.

    source: the program's text, which is also a file (`path`). buffers: a table of its arrays. explain(): the changes of
    each pass. compile_seconds: numba's time; less than a second if the machine code was on disk. model: trained in
    place, by `optimizer`. shards: the parts of each batch. threads: the number of shards computed at a time.

    If model or optimizer changed in a way that the program cannot follow (another layer, `eval()`, the momentum), it is
    compiled anew before the next batch. Calls from several threads run one after the other.
    """

    def __init__(self, recipe: Recipe):
        self._recipe, self._lock = recipe, threading.RLock()
        self.model, self.optimizer = recipe.model, recipe.optimizer
        self.shards, self.threads = recipe.shards, recipe.threads
        self._built = self._make()
        self._remembered = [self._built]  # the latest last
        self._all_rows = np.arange(len(recipe.x))

    source = property(lambda self: self._built.source, doc="The program's text.")
    programs = property(lambda self: self._built.programs, doc="The functions in it, and what they are made of.")
    compile_seconds = property(lambda self: self._built.compile_seconds, doc="How long numba took.")
    loss_dtype = property(lambda self: self._built.loss_dtype, doc="The dtype of the losses that `epoch` gives back.")
    counted = property(lambda self: self._built.counted, doc="Whether `run` counts the rows that are right.")
    batch_size = property(lambda self: len(self._all_rows), doc="Rows in a batch.")

    @property
    def path(self) -> str:
        """The file that holds the program."""
        return str(self._built.module.__file__)

    @property
    def buffers(self) -> BufferTable:
        """Every array of the program: shape, bytes, from which equation to which it is needed, and who shares it."""
        return BufferTable([b for program in self.programs for b in program.buffers])

    def explain(self) -> Report:
        """Report the changes of each pass."""
        return Report([row for program in self.programs for row in program.report])

    def __call__(self, x: ArrayLike, y: ArrayLike) -> float:
        """Train on one batch, of the shapes compiled for. Returns the loss before the update.

        A loss that is nan or infinite changes nothing: weights, optimizer and its count of steps stay as they were.
        Nor does a finite loss whose gradient is not: FloatingPointError says which parameter would become nan.
        """
        with self._lock:
            if not self._built.snapshot.holds():
                self._switch()
            x, y, order, loss = self._given(0, x), self._given(1, y), self._all_rows, self._built.one_loss
            if len(x) != len(order) or len(y) != len(order):
                raise ValueError(
                    f"this step was compiled for batches of {len(order)} rows, got {len(x)} rows of x and {len(y)} of "
                    "y. Compile another step for another size: they share the model's parameters and the optimizer's "
                    "state"
                )
            self._run(*self._rows(x, y, order), order, loss)
            return float(loss[0])

    def epoch(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Train on the rows of x and y in the given order, a batch at a time, in few calls of compiled code.

        Between two calls, a tenth of a second apart, Ctrl-C is handled. The weights are those after a whole batch.

        order: row numbers, (n,) integers; what is left after the last full batch is not trained. out: an array for the
        losses, one for each batch, in the loss's dtype (float32 for the layers' default); a new one if not given. With
        it, an epoch allocates as much as a step: a few kilobytes for the call itself, nothing for the steps in it.

        Returns the losses. At one that is nan or infinite the epoch ends, with the weights from before that batch: the
        losses after it are nan. Where a loss is finite and its gradient is not, FloatingPointError says so; its `batch`
        is how many were trained before.
        """
        with self._lock:
            self._follow()
            x, y = self._given(0, x), self._given(1, y)
            order = _row_numbers(order, min(len(x), len(y)))
            batches = order.size // self.batch_size
            dtype = self.loss_dtype
            if out is None:
                out = np.empty(batches, dtype)
            elif (
                not isinstance(out, np.ndarray) or out.shape != (batches,) or out.dtype != dtype or not out.flags.carray
            ):
                raise ValueError(
                    f"epoch: out takes the losses of {batches} batches in one {dtype} array, got {out!r:.80}"
                )
            order = order[: batches * self.batch_size]
            self._run(*self._rows(x, y, order), order, out)
            return out

    def checked(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y contiguous and in the program's dtypes, for `run`; raise the error of a call if some row does
        not fit.
        """
        with self._lock:
            self._follow()
            x, y = self._given(0, x), self._given(1, y)
            return self._rows(x, y, np.arange(min(len(x), len(y))))

    def run(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, losses: np.ndarray) -> np.ndarray:
        """Run `epoch` on `checked` data: as many batches as `losses` has places. Returns the numbers of correct rows.

        The returned array is reused by the next run.
        """
        with self._lock:
            self._follow()
            return self._run(x, y, order, losses)

    def _run(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, losses: np.ndarray) -> np.ndarray:
        done, hits, spoilt = self._built.run(x, y, order, losses)
        if done < len(losses) and (spoilt is not None or self._built.looks_up_computed or on_rows.get() is not None):
            self._do_again(x, y, order[done * self.batch_size :][: self.batch_size], done, losses[done], spoilt)
        return hits

    def _follow(self) -> None:
        """Have a program for the current model and optimizer."""
        if not self._built.snapshot.holds():
            self._switch()

    def _switch(self) -> None:
        """Take a cached program that fits, or a new one."""
        known = (built for built in self._remembered if built.snapshot.holds())
        self._built = next(known, None) or self._make(self._built.weight)
        self._remembered = [b for b in self._remembered if b is not self._built][1 - REMEMBERED :] + [self._built]

    def _make(self, weight: float | None = None) -> Built:
        """Build the graph, compile it, and take a snapshot of what it was built from. weight: of a shard, before."""
        recipe = self._recipe
        # It is built again where something changes; and only to be read: nobody asks for the values of its nodes.
        with drawing_again(), override(postponing, postpone if on_new_operator.get() is None else None):
            built = whole(recipe) if recipe.shards == 1 else in_shards(recipe, weight)
            built.load()
        built.snapshot = Snapshot(recipe.model, recipe.optimizer, recipe.loss)
        return built

    def _given(self, k: int, rows: Any) -> np.ndarray:
        """Return rows of x (0) or y (1) of the right shape, with numbers that the program's dtype can hold."""
        dtype, of_row = self._built.rows[k]
        usual = type(rows) is np.ndarray and rows.dtype == dtype and rows.dtype.isnative and rows.flags.c_contiguous
        if usual and rows.ndim and rows.shape[1:] == of_row:
            return rows
        name = "xy"[k]
        rows = fitting("this step", name, rows, dtype)
        if rows.ndim == 0 or rows.shape[1:] != of_row:
            shape = ", ".join(["n", *map(str, of_row)]) + ("" if of_row else ",")
            raise ValueError(
                f"this step was compiled for {name} of shape ({shape}), got {rows.shape}. Compile another one for "
                "another shape"
            )
        return rows

    def _rows(self, x: np.ndarray, y: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y in the program's dtypes, after checking the rows in `order`."""
        built = self._built
        if (look := on_rows.get()) is not None:  # inside `detect_anomaly`, which looks for a nan
            look(built.x, x, order)
            look(built.y, y, order)
        for bound in built.bounds:
            row, number = first_out_of_range(x if bound.leaf is built.x else y, order, bound.low, bound.high)
            if row >= 0:
                raise bound.error(number, row)
        (of_x, _), (of_y, _) = built.rows
        if x.dtype != of_x:
            check_range("this step", "x", x, order, of_x)
            x = np.ascontiguousarray(x, of_x)
        if y.dtype != of_y:
            check_range("this step", "y", y, order, of_y)
            y = np.ascontiguousarray(y, of_y)
        return x, y

    def _do_again(
        self, x: np.ndarray, y: np.ndarray, rows: np.ndarray, batch: int, loss: float, spoilt: Spoilt | None
    ) -> None:
        """Run a batch that was not trained as a graph, whose operations refuse a label that is out of range, and which
        `detect_anomaly` checks. Raises what was wrong, unless it is only a loss that is no number.
        """
        with drawing_again(), np.errstate(all="ignore"):
            recipe = replace(self._recipe, x=x[rows], y=y[rows])
            value = forward(recipe, len(rows))[2]
            if spoilt is None and on_rows.get() is None:
                return
            variables, grads = gradients_of(value, recipe)
        if isinstance(spoilt, Exception):
            raise spoilt
        if spoilt is not None:
            gradients = [(called(v), grad._value) for v, grad in zip(variables, grads, strict=True)]
            who, how = f"batch {batch + 1}, with a loss of {loss:g}", "`with mg.detect_anomaly():` around it"
            error = refused_step(who, *spoilt, gradients, how)
            error.batch = batch
            raise error
        raise FloatingPointError(
            f"the loss of batch {batch + 1} is {loss}, and the weights are those from before it. The same batch as a "
            "graph gave no nan and no infinity: it may be due to random numbers, or to another order of rounding"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError(CANNOT_BE_COPIED.format("step"))


CANNOT_BE_COPIED = (
    "a compiled {} holds machine code and the arrays that it works in, and cannot be pickled or copied. Pickle the "
    "model and the optimizer, and compile again from them"
)


def _row_numbers(order: ArrayLike, rows: int) -> np.ndarray:
    """Return the order of an epoch as contiguous integers. TypeError for a mask, IndexError for missing rows."""
    order = np.asarray(order)
    if order.dtype.kind == "b":
        raise TypeError(
            f"epoch: the order holds row numbers, got a mask of shape {order.shape}. np.flatnonzero(mask) gives the "
            "rows at which it is True"
        )
    if order.dtype.kind not in "iu" and order.size:
        raise TypeError(f"epoch: the order holds row numbers, which are integers, got {order.dtype}")
    order = np.ascontiguousarray(order, np.int64)
    if order.ndim != 1 or (order.size and (order.min() < 0 or order.max() >= rows)):
        raise IndexError(f"epoch: the order holds row numbers from 0 to {rows - 1}, along one axis")
    return order


def compile(
    model: Module,
    loss: Callable[[Any, Any], Node],
    optimizer: Optimizer,
    x: np.ndarray,
    y: np.ndarray,
    *,
    shards: int = 1,
    threads: int | None = None,
    gradients: Gradients | None = None,
    off: Collection[str] = (),
    name: str | None = None,
) -> CompiledStep:
    """Turn a training step on batches like (x, y) into one compiled program: forward, backward and update.

    model: its parameters are trained, in place. loss: (output, y) -> a scalar node. x, y: an example batch; its shapes
    and dtypes are those of the program. shards: each batch goes into so many parts of equally many rows, worked on by
    `threads` at a time (as many as there are shards and processors, if not said); their gradients are added up in a
    fixed order, so that the result depends on the number of shards alone. gradients: changes the gradients before the
    update, a list of nodes, one for each parameter, to a list of nodes, such as
    `lambda gs: [mg.clip(g, -1, 1) for g in gs]`. off: names of passes to leave out (`explain()` lists them). name:
    what the program's file is called.

        step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x[:100], y[:100])
        loss = step(x[:100], y[:100])
        losses = step.epoch(x, y, rng.permutation(len(x)))
        print(step.source)

    >>> model, x, y = mg.nn.Linear(4, 2, rng=0), np.ones((8, 4), np.float32), np.zeros(8, int)
    >>> step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x, y)
    >>> step(x, y) > step(x, y)
    True
    """
    if not isinstance(model, Module):
        raise TypeError(f"compile trains a Module, got {kind_of(model)}")
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"compile needs an optimizer such as mg.optim.SGD(0.01), got {kind_of(optimizer)}")
    if not callable(loss) or not (gradients is None or callable(gradients)):
        name, wrong = ("loss", loss) if not callable(loss) else ("gradients", gradients)
        raise TypeError(f"compile: {name} is a function, such as mg.nn.mse or `lambda gs: gs`, got {kind_of(wrong)}")
    # The buffers of a batch are made like these, and so is a later program: whose arrays they are may change them.
    x, y = np.array(x, order="C"), np.array(y, order="C")
    if not x.ndim or not y.ndim or len(x) != len(y) or not len(x):
        raise ValueError(f"compile needs an example batch with as many rows in x as in y, got {x.shape} and {y.shape}")
    integer = isinstance(shards, int | np.integer) and not isinstance(shards, bool)
    if integer and shards > 0 and len(x) % shards:
        equal = ", ".join(str(n) for n in range(1, len(x) + 1) if len(x) % n == 0)
        raise ValueError(f"compile: a batch of {len(x)} rows goes into {equal} equal shards, got {shards}")
    if not integer or shards < 1 or (threads is not None and not 1 <= threads <= shards):
        raise ValueError(f"compile needs shards >= 1, and threads from 1 to shards; got {shards!r} and {threads!r}")
    shards = int(shards)
    threads = min(shards, processors()) if threads is None else threads
    if PURE_PYTHON or not capabilities.has("threads"):
        threads = 1
    return CompiledStep(
        Recipe(model, loss, optimizer, x, y, shards, threads, gradients, off,
               name or type(model).__name__.lower())
    )  # fmt: skip
