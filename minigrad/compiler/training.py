"""A training step ready to run: its programs, loaded, with the arrays that they work in.

`mg.compile` makes a `Recipe` of its arguments, of which build.py or, in shards, shards.py makes a `Built`. A step that
finds its model changed makes another one from the same recipe.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import InitVar, dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from minigrad.compiler.program import Program, kernels_named, load, source_of
from minigrad.core.graph import topological_order
from minigrad.core.node import Constant, Node, Variable, changed
from minigrad.guards.bounds import Bound, bounds, looks_up_computed
from minigrad.guards.finite import Before, at
from minigrad.guards.interrupts import uninterrupted
from minigrad.guards.snapshots import Snapshot
from minigrad.native.compiled import PURE_PYTHON
from minigrad.nn.module import Module
from minigrad.training.optim import Optimizer, called, each_once

NOTHING = nullcontext()
_state = attrgetter("bit_generator.state")
Gradients = Callable[[list[Node]], Sequence[Node]]

# Why a step was taken back: the name of an array, and the number that would be there; or what a kernel raised.
Spoilt = tuple[str, str] | Exception


@dataclass(frozen=True)
class Recipe:
    """The arguments of `mg.compile`. x, y: the example batch."""

    model: Module
    loss: Callable[[Any, Any], Any]
    optimizer: Optimizer
    x: np.ndarray
    y: np.ndarray
    shards: int
    threads: int
    gradients: Gradients | None
    off: Collection[str]
    name: str

    @property
    def parameters(self) -> list[Variable]:
        """The parameters to train."""
        return each_once(self.model.parameters())

    @property
    def rate_dtype(self) -> np.dtype:
        """The dtype of the program's rates: that of the parameters, or float64 if they have two."""
        dtypes = {variable.dtype for variable in self.parameters}
        return dtypes.pop() if len(dtypes) == 1 else np.dtype(np.float64)


@dataclass(eq=False)
class Built:
    """A step put together: its programs, the loop around them, and the arrays that it is called with.

    x, y: the leaves that receive a batch, or its first shard. loss: the node. epoch: the text of the loop. counted: it
    counts correct rows. changes: the arrays that the updates write to. weight: of a shard. bounds: of
    labels. looks_up_computed: it has labels that it computes, in which bounds are not known before it runs. snapshot:
    of the model and the optimizer. source, module, compile_seconds: once it is loaded.
    """

    recipe: Recipe
    x: Constant
    y: Constant
    loss: InitVar[Node]
    programs: list[Program]
    epoch: str
    arrays: list[Any]
    counted: bool
    changes: Sequence[np.ndarray]
    weight: float | None = None

    def __post_init__(self, loss: Node) -> None:
        recipe, order = self.recipe, topological_order(loss)
        self.bounds: list[Bound] = bounds(order, [self.x, self.y])
        self.looks_up_computed = looks_up_computed(order)
        self.loss_dtype = loss.dtype
        self.rows = [(leaf.dtype, leaf.shape[1:]) for leaf in (self.x, self.y)]  # of x and of y
        self.optimizer, self.parameters = recipe.optimizer, recipe.parameters
        rates = len(recipe.optimizer.rates(0))
        self._hits, self._rates = np.zeros(0, np.int64), np.zeros((0, rates), recipe.rate_dtype)
        self._parts, self._part_hits = np.zeros(recipe.shards, loss.dtype), np.zeros(recipe.shards, np.int64)
        self.one_loss = np.zeros(1, loss.dtype)  # of a step with one batch
        self._at_once = 1  # batches in one call of the program, once it is known how long one takes
        self._done = np.zeros(1, np.int64)  # batches, as the program counts them
        words = {id(v._value): called(v) for v in self.parameters}
        words |= {id(a): f"what is kept for {called(v)}" for v in self.parameters for a in self.optimizer.kept(v)}
        self._before, self._names = Before(self.changes), [words[id(array)] for array in self.changes]
        fixed = [thing for program in self.programs for thing in program.fixed.values()]
        self._generators = [thing for thing in fixed if isinstance(thing, np.random.Generator)]
        self.snapshot: Snapshot

    def load(self) -> None:
        """Write the program's file, and compile it."""
        recipe = self.recipe
        shards = f", in {recipe.shards} shards" if recipe.shards > 1 else ""
        self.source = source_of(f"One training step of {recipe.name}{shards}.", self.programs, self.epoch)
        start = time.perf_counter()
        self.module = load(recipe.name, self.source, self.programs)
        with kernels_named(self.programs):
            self.run(self.x._value, self.y._value, np.zeros(0, np.int64), np.zeros(0, self.loss_dtype))  # compiles
        if not PURE_PYTHON:
            self._before.watch()
        self.compile_seconds = time.perf_counter() - start

    def run(
        self, x: np.ndarray, y: np.ndarray, order: np.ndarray, losses: np.ndarray
    ) -> tuple[int, np.ndarray, Spoilt | None]:
        """Run as many batches as `losses` has places, or up to a non-finite loss: the remaining losses are nan.

        Returns how many batches changed the weights; the number of correct rows of each, in an array that the next run
        reuses; and, if the next batch was undone, why.
        """
        batches = len(losses)
        if x.ndim > 2:
            x = x.reshape(len(x), math.prod(x.shape[1:]))
        if y.ndim > 2:
            y = y.reshape(len(y), math.prod(y.shape[1:]))
        if len(self._hits) != batches:
            self._hits = np.zeros(batches, np.int64)
            self._rates = np.zeros((batches, self._rates.shape[1]), self._rates.dtype)
        hits, rates = self._hits, self._rates
        losses.fill(np.nan)
        hits.fill(0)
        for k in range(batches):
            fresh = self.optimizer.rates(self.optimizer.steps + k)
            if len(fresh) != rates.shape[1]:
                raise ValueError(
                    f"{type(self.optimizer).__name__}.rates gives {rates.shape[1]} numbers for step 0 and {len(fresh)} "
                    f"for step {self.optimizer.steps + k}: it gives as many for every step"
                )
            rates[k] = fresh
        if not batches:
            self._batches((x, y, order, losses, hits, rates), 0, 0)  # compiles
        # A call of the program runs as many batches as take a tenth of a second, because Ctrl-C is handled between two
        # calls. In plain Python, which may take long, that is one batch.
        last = 0
        while last < batches:
            first, start = last, time.perf_counter()
            last = min(batches, first + (1 if PURE_PYTHON else self._at_once))
            done, spoilt = self._batches((x, y, order, losses, hits, rates), first, last)
            if done < last - first:
                return first + done, hits, spoilt
            if last - first == self._at_once:
                self._at_once = max(1, int(self._at_once * 0.1 / max(time.perf_counter() - start, 1e-6)))
        return batches, hits, None

    def _batches(self, arguments: tuple[np.ndarray, ...], first: int, last: int) -> tuple[int, Spoilt | None]:
        """Run batches `first` to `last`. Returns how many changed the weights, and why the next one was taken back.

        The arrays are checked after the last batch. Only if one is spoilt are the batches run again, one at a time, and
        if a kernel raises, those before that batch: it may have changed a part of the weights.
        """
        *_, losses, hits, _ = arguments
        spoilt: Spoilt | None = None
        with uninterrupted() if PURE_PYTHON else NOTHING:
            self._before.keep()
            states = [*map(_state, self._generators)]
            self._done[0] = 0
            try:
                if self.recipe.shards == 1:
                    self.module.epoch(*arguments, self._done, first, last, *self.arrays)
                else:
                    self._run_shards((*arguments, self._done, first, last), self.recipe.threads if last else 1)
            except Exception as error:
                if first == last:  # it does not compile
                    raise
                spoilt = error
            finally:
                done = int(self._done[0])
                if spoilt is None and done and (place := self._before.spoilt()) is not None:
                    spoilt = self._names[place[0]], at(self._before.arrays[place[0]], place[1])
                if spoilt is not None:
                    self._before.bring_back()
                    for source, state in zip(self._generators, states, strict=True):
                        source.bit_generator.state = state
                else:
                    self.optimizer.steps += done
                    if done:
                        changed(self.parameters)  # earlier results of them are out of date
        if spoilt is None:
            return done, None
        if last - first == 1:
            return 0, spoilt
        losses[first:last], hits[first:last] = np.nan, 0
        for k in range(first, last):
            if (result := self._batches(arguments, k, k + 1)) != (1, None):
                return k - first, result[1]
        return last - first, None

    def _run_shards(self, arguments: tuple[Any, ...], threads: int) -> None:
        """The same call on several threads, each with shards of its own. This one waits for them."""
        counter = np.zeros(1, np.int64)
        bounds = [k * self.recipe.shards // threads for k in range(threads + 1)]

        failures: list[BaseException] = []

        def work(k: int) -> None:
            try:
                self.module.epoch(
                    bounds[k], bounds[k + 1], threads, counter, self._parts, self._part_hits, *arguments,
                    *self.arrays,
                )  # fmt: skip
            except BaseException as error:  # a custom kernel raised, and the other threads wait for this one:
                failures.append(error)
                self._parts.fill(np.nan)  # with such a loss they stop
                counter[0] = 2**62

        if threads == 1:
            work(0)
        else:
            run_together(work, threads)
        if failures:
            raise failures[0]


def processors() -> int:
    """Return the number of processors available to this process."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def run_together(work: Callable[[int], None], count: int) -> None:
    """Run work(0), ..., work(count - 1), each on a thread of its own, all or none, since they wait for each other.

    Ctrl-C is passed on when they are done, never to one of them alone.
    """
    gate, complete = threading.Event(), False

    def wait_and_work(k: int) -> None:
        gate.wait()
        if complete:
            work(k)

    workers = [threading.Thread(target=wait_and_work, args=(k,), daemon=True) for k in range(count)]
    try:
        for worker in workers:
            worker.start()
        complete = True
    finally:
        gate.set()
    interrupted: KeyboardInterrupt | None = None
    for worker in workers:
        while worker.is_alive():
            try:
                worker.join()
            except KeyboardInterrupt as interrupt:
                interrupted = interrupt
    if interrupted is not None:
        raise interrupted
