"""The programs of a training step: forward, backward and update as one function, or in shards as several.

`make` takes a `Recipe`, all that `mg.compile` was given, and returns a `Built`: text, machine code, and the arrays that
they work in. A step that finds its model changed makes another one from the same recipe.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.block import block
from minigrad.bounds import Bound, bounds
from minigrad.changes import Snapshot
from minigrad.checkpoint import generators
from minigrad.compiler.addresses import table
from minigrad.compiler.program import build
from minigrad.compiler.shards import (
    Part,
    buffers_of_update,
    epoch_text,
    gather,
    rows_of,
    run_together,
    share_out,
    weights_of_shards,
)
from minigrad.compiler.text import Program, load, source_of
from minigrad.graph import Constant, Node, Operator, Variable, adjoint_nodes, topological_order
from minigrad.nn.module import Module
from minigrad.ops.shape import cast, reshape
from minigrad.optim import Optimizer

Gradients = Callable[[list[Node]], Sequence[Node]]


@dataclass(frozen=True)
class Recipe:
    """What a step is made from: the arguments of `mg.compile`. x, y: the example batch."""

    model: Module
    loss: Callable[[Any, Any], Any]
    optimizer: Optimizer
    x: np.ndarray
    y: np.ndarray
    shards: int
    threads: int
    gradients: Gradients | None
    off: Collection[str]
    on: Collection[str]
    name: str


class Built:
    """A step as it runs: its programs, their file, and the arrays that they work in.

    x, y: the leaves that a batch, or the first shard of one, is put into. bounds: the labels that they may hold.
    snapshot: what model and optimizer were like.
    """

    def __init__(self, recipe: Recipe, x: Constant, y: Constant, loss: Node):
        self.x, self.y, self.shards, self.threads = x, y, recipe.shards, recipe.threads
        self.bounds: list[Bound] = bounds(topological_order(loss), [x, y])
        self.loss_dtype, self.optimizer, self.parameters = loss.dtype, recipe.optimizer, recipe.model.parameters()
        rates = len(recipe.optimizer.rates(0))
        self._hits, self._rates = np.zeros(0, np.int64), np.zeros((0, rates), _rate_dtype(recipe.model))
        self._parts, self._part_hits = np.zeros(recipe.shards, loss.dtype), np.zeros(recipe.shards, np.int64)
        self.one_loss = np.zeros(1, loss.dtype)  # of a step that is called with one batch
        self._done = np.zeros(1, np.int64)  # batches, as the program counts them
        self.kept: list[np.ndarray] = []  # what a table of addresses points to
        self.programs: list[Program] = []
        self.source, self.compile_seconds = "", 0.0
        self.snapshot: Snapshot

    def load(self, title: str, name: str, epoch: str, arrays: dict[str, Any]) -> None:
        """Write the file, and compile it or find its machine code on disk."""
        self.source = source_of(title, self.programs, epoch)
        self._arrays = arrays
        start = time.perf_counter()
        self.module = load(name, self.source, self.programs)
        self.run(self.x._value, self.y._value, np.zeros(0, np.int64), np.zeros(0, self.loss_dtype))  # compiles
        self.compile_seconds = time.perf_counter() - start

    def run(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, losses: np.ndarray) -> tuple[int, np.ndarray]:
        """As many batches as `losses` has places, or up to one whose loss is no number: the other losses are nan.

        Returns how many batches changed the weights, and how many rows of each were right, in an array that the next
        run uses again.
        """
        batches = len(losses)
        x, y = (a if a.ndim == 1 else a.reshape(len(a), -1) for a in (x, y))
        if len(self._hits) < batches:
            self._hits = np.zeros(batches, np.int64)
            self._rates = np.zeros((batches, self._rates.shape[1]), self._rates.dtype)
        hits, rates, done = self._hits[:batches], self._rates[:batches], self._done
        losses.fill(np.nan)
        hits.fill(0)
        done.fill(0)
        for k in range(batches):
            for j, rate in enumerate(self.optimizer.rates(self.optimizer.steps + k)):
                rates[k, j] = rate
        arguments = x, y, order, losses, hits, rates, done, 0, batches
        try:
            if self.shards == 1:
                self.module.epoch(*arguments, *self._arrays.values())
            else:
                self._run_shards(arguments, self.threads if batches else 1)
        finally:  # Ctrl-C is heard when the compiled code is done
            self.optimizer.steps += int(done[0])
            for variable in self.parameters if done[0] else ():
                variable.changed()  # what was computed from it before is out of date
        return int(done[0]), hits

    def _run_shards(self, arguments: tuple[Any, ...], threads: int) -> None:
        """The same call on several threads, each with shards of its own. This one waits for them."""
        counter = np.zeros(1, np.int64)
        bounds = [k * self.shards // threads for k in range(threads + 1)]

        failures: list[BaseException] = []

        def work(k: int) -> None:
            try:
                self.module.epoch(
                    bounds[k], bounds[k + 1], threads, counter, self._parts, self._part_hits, *arguments,
                    *self._arrays.values(),
                )  # fmt: skip
            except BaseException as error:  # a kernel of one's own raised, and the other threads wait for this one:
                failures.append(error)
                self._parts.fill(np.nan)  # with such a loss they stop
                counter[0] = 2**62

        if threads == 1:
            work(0)
        else:
            run_together(work, threads)
        if failures:
            raise failures[0]


def make(recipe: Recipe) -> Built:
    """Build the graph, compile it, and take a snapshot of what it was built from."""
    drawn = [(source, source.bit_generator.state) for source in generators(recipe.model)]
    try:
        built = _whole(recipe) if recipe.shards == 1 else _in_shards(recipe)
    finally:
        for source, state in drawn:  # building draws random numbers, and happens again where something changes
            source.bit_generator.state = state
    built.snapshot = Snapshot(recipe.model, recipe.optimizer, recipe.loss)
    return built


def _whole(recipe: Recipe) -> Built:
    """Forward, backward and update as one function."""
    x, y, value, output = _forward(recipe, len(recipe.x))
    built = Built(recipe, x, y, value)
    variables, grads = _gradients(value, recipe.model)
    rates = _rates(recipe.optimizer, _rate_dtype(recipe.model))
    stores = _updates(variables, grads, recipe.optimizer, recipe.gradients, rates)
    counted = _is_classification(output, y)
    program = build(
        {x: "x", y: "y", **rates}, [value, output] if counted else [value], stores, off=recipe.off, on=recipe.on,
        name="step", kind="@apart", may_be_addressed=True, guarded=True,
    )  # fmt: skip
    built.programs = [program]
    names = [v.name for v in program.inputs]
    arrays = {"x": x._value, "y": y._value, **_arrays(program)}
    arrays = dict(zip([*names[:2], *program.arguments[len(names) :]], arrays.values(), strict=True))
    if program.addressed:
        built.kept = [array for array in arrays.values() if isinstance(array, np.ndarray)]
        arrays = {k: a for k, a in arrays.items() if k in names or not isinstance(a, np.ndarray)}
        arrays["at"] = table(built.kept)
    built.load(f"One training step of {recipe.name}.", recipe.name, _epoch(program, x, y, counted), arrays)
    return built


def _in_shards(recipe: Recipe) -> Built:
    """Forward and backward as one function, run on each part; the updates of the parameters as others."""
    with _told_apart(recipe.model.parameters()):  # a name stands for the same array in all of these functions
        return _shards_of(recipe)


def _shards_of(recipe: Recipe) -> Built:
    shards, optimizer = recipe.shards, recipe.optimizer
    fewer, more = divmod(len(recipe.x), shards)  # the first `more` shards have a row more than the others
    sizes = [(count, rows) for count, rows in ((more, fewer + 1), (shards - more, fewer)) if count]
    weights = weights_of_shards(recipe.model, recipe.loss, recipe.x, recipe.y, sizes)
    # One file has one dtype for the numbers that it gives names to.
    dtype = np.float32 if np.float32 in {v.dtype.type for v in recipe.model.parameters()} else np.float64
    parts: list[Part] = []
    arrays: dict[str, Any] = {}
    places: list[Variable] = []
    for (count, rows), weight in zip(sizes, weights, strict=True):
        x, y, value, output = _forward(recipe, rows)
        variables, grads = _gradients(value, recipe.model)
        if not parts:
            built = Built(recipe, x, y, value)
            counted = _is_classification(output, y)
            # Of a single number too a shard has an array: numba would hand on the number itself.
            places = [
                _leaf(np.zeros((shards, *(v.shape or (1,))), v.dtype), f"{v.name or 'parameter'}_grad")
                for v in variables
            ]
        own = [_leaf(place._value[0], place.name or "") for place in places]
        grads = [grad if grad.shape else reshape(grad, 1) for grad in grads]
        program = build(
            {x: "x", y: "y"}, [value, output] if counted else [value], list(zip(own, grads, strict=True)),
            off=recipe.off, on=recipe.on, name="gradients_of_fewer" if parts else "gradients", kind="@apart",
            dtype=dtype,
        )  # fmt: skip
        parts.append(_part(program, x, y, count, weight, parts, places, own, arrays))

    rates = _rates(optimizer, _rate_dtype(recipe.model))
    groups = share_out([v.size for v in variables], shards)
    updates = []
    for k, group in enumerate([list(range(len(variables)))] if recipe.gradients else [g for g in groups if g]):
        leaves: dict[Node, str] = {Constant(places[j]._value, name=places[j].name): places[j].name or "" for j in group}
        with block("update"):
            sums = [_total(leaf, parts) for leaf in leaves]
            sums = [total if variables[j].shape else total[0] for total, j in zip(sums, group, strict=True)]
        stores = _updates([variables[j] for j in group], sums, optimizer, recipe.gradients, rates)
        update = build(
            {**rates, **leaves}, [], stores, off=recipe.off, on=recipe.on, name=f"update_{k}",
            kind="@apart", dtype=dtype,
        )  # fmt: skip
        updates.append(update)
        stacks = [value.name for value in update.inputs if value.shape != ()]
        _put(arrays, dict(zip(stacks, [places[j]._value for j in group], strict=True)))
        called = buffers_of_update(update, k)
        _put(arrays, {called.get(name, name): array for name, array in _arrays(update).items()})
    built.programs = [*(part.program for part in parts), *updates]
    text = epoch_text(parts, updates, value.dtype, counted, list(arrays))
    built.load(f"One training step of {recipe.name}, in {shards} shards.", recipe.name, text, arrays)
    return built


def _part(
    program: Program, x: Constant, y: Constant, count: int, weight: float, before: Sequence[Part],
    places: Sequence[Variable], own: Sequence[Variable], arrays: dict[str, Any],
) -> Part:  # fmt: skip
    """Put the arrays that a program works in among `arrays`, and say what it is called with.

    Each of its `count` shards has arrays of its own: inputs, buffers, and its place among all shards' gradients.
    """
    first = sum(part.count for part in before)
    mine: dict[str, Any] = {}
    said: dict[str, str] = {}

    def called(name: str, array: Any) -> str:
        name = name if arrays.get(name, array) is array else f"{name}_of_fewer"
        mine[name] = array
        return name

    for value, leaf in zip(program.inputs, (x, y), strict=True):
        mine_of_all = np.zeros((count, *leaf.shape), leaf.dtype)
        said[value.name] = called(value.name, mine_of_all)
    buffers = {buffer.name for buffer in program.buffers}
    for name, array in _arrays(program).items():
        gradient = next((place for place, one in zip(places, own, strict=True) if one._value is array), None)
        if gradient is not None:
            said[name] = called(name, gradient._value) + "[s]"
        elif name in buffers:
            said[name] = called(name, np.zeros((count, *array.shape), array.dtype)) + _at(first)
        else:
            said[name] = called(name, array)
    _put(arrays, mine)
    names = [said[value.name] for value in program.inputs]
    arguments = [*(f"{name}{_at(first)}" for name in names), *list(said.values())[len(names) :]]
    return Part(program, x, y, count, first, weight, names, arguments)


def _at(first: int) -> str:
    return f"[s - {first}]" if first else "[s]"


@contextlib.contextmanager
def _told_apart(variables: Sequence[Variable]) -> Iterator[None]:
    """Within this block no two variables have the same name, or none."""
    before = [variable.name for variable in variables]
    clean = [re.sub(r"\W", "_", name or "parameter") for name in before]
    try:
        for k, variable in enumerate(variables):
            if before[k] is None or clean.count(clean[k]) > 1:
                variable.name = f"{clean[k]}_number_{k}"
        yield
    finally:
        for variable, name in zip(variables, before, strict=True):
            variable.name = name


def _put(arrays: dict[str, Any], more: dict[str, Any]) -> None:
    """Add arrays by name. The program would write over its bounds if a name stood for two of them."""
    for name, array in more.items():
        if arrays.setdefault(name, array) is not array:
            raise RuntimeError(
                f"compile: two arrays of the shards' functions are called {name}; this is a defect of minigrad"
            )


def _forward(recipe: Recipe, rows: int) -> tuple[Constant, Constant, Node, Any]:
    """Leaves for so many rows of the example batch, the loss, and the model's output."""
    x, y = Constant(recipe.x[:rows], name="x"), Constant(recipe.y[:rows], name="y")
    output = recipe.model(x)
    with block("the loss"):
        value = recipe.loss(output, y)
    if not isinstance(value, Node) or value.shape != ():
        raise ValueError(f"compile: the loss is a single number made from the model's output, got {value!r}")
    for node, name in ((output, "output"), (value, "loss")):  # what the program calls them
        if isinstance(node, Operator) and node.name is None:
            node.name = name
    return x, y, value, output


def _gradients(value: Node, model: Module) -> tuple[list[Variable], list[Node]]:
    """The parameters that the loss depends on, and its derivatives by them, as nodes."""
    found = adjoint_nodes({value: Constant(np.ones((), value.dtype))}, model.parameters())
    trained = [variable for variable in model.parameters() if variable in found]
    if not trained:
        raise ValueError("compile: the loss depends on no parameter of the model, so there is nothing to train")
    return trained, [found[variable] for variable in trained]


def _rate_dtype(model: Module) -> np.dtype:
    """The dtype in which the program gets rates: that of the parameters, or float64 for parameters of two."""
    found = {variable.dtype for variable in model.parameters()}
    return found.pop() if len(found) == 1 else np.dtype(np.float64)


def _rates(optimizer: Optimizer, dtype: np.dtype) -> dict[Node, str]:
    """Leaves for the numbers that change from step to step, with their names."""
    leaves = [Constant(np.array(rate, dtype)) for rate in optimizer.rates(0)]
    return dict(zip(leaves, ["lr"] if len(leaves) == 1 else [f"rate_{k + 1}" for k in range(len(leaves))], strict=True))


def _total(stack: Node, parts: Sequence[Part]) -> Node:
    """The sum over the shards' gradients, in order, each times the weight of its shard."""
    sums = []
    for part in parts:
        total = stack[part.first]
        for s in range(part.first + 1, part.first + part.count):
            total = total + stack[s]
        sums.append(total * part.weight)
    return sums[0] if len(sums) == 1 else sums[0] + sums[1]


def _arrays(program: Program) -> dict[str, Any]:
    """The arrays behind a program's arguments, new ones for its buffers."""
    return program.given | {buffer.name: np.zeros(buffer.shape, buffer.dtype) for buffer in program.buffers}


def _updates(
    variables: Sequence[Variable], grads: Sequence[Node], optimizer: Optimizer, change: Gradients | None,
    rates: dict[Node, str],
) -> list[tuple[Node, Node]]:  # fmt: skip
    """The new value of each parameter, and of what the optimizer keeps for it, as nodes."""
    with block("update"):
        if change is not None:
            grads = list(change(list(grads)))
            if [g.shape for g in grads] != [v.shape for v in variables]:
                raise ValueError("compile: `gradients` returns as many gradients as it is given, in the same shapes")
        stores: list[tuple[Node, Node]] = []
        for variable, grad in zip(variables, grads, strict=True):
            kept = [_leaf(array, f"{variable.name or 'parameter'}_kept") for array in optimizer.kept(variable)]
            if any(array.shape != variable.shape for array in kept):
                raise ValueError(
                    f"compile: the optimizer keeps arrays of another shape for {variable.name or 'a parameter'}, which "
                    f"is now {variable.shape}. Start with a new optimizer"
                )
            own_rates = [cast(rate, variable.dtype) for rate in rates]
            with block(variable.name or "parameter", kind="parameter"):
                new, changed = optimizer.equations(variable, grad, own_rates, kept)
            stores += [(variable, new), *((kept[k], node) for k, node in changed.items())]
    return stores


def _leaf(array: np.ndarray, name: str) -> Variable:
    """A variable whose array is the given one itself, not a copy."""
    leaf = Variable(array, name=name)
    leaf._value = array
    return leaf


def _is_classification(output: Node, y: Node) -> bool:
    return isinstance(output, Node) and output.ndim == 2 and y.ndim == 1 and y.dtype.kind in "iu"


def _epoch(program: Program, x: Node, y: Node, counted: bool) -> str:
    """The loop over batches as text: gather the rows, run the step, write down the loss."""
    names = [value.name for value in program.inputs if value.shape != ()]
    filled = list(zip(names, (x, y), "XY", strict=True))
    given = [f"rates[k, {r}]" for r in range(len(program.inputs) - len(names))]
    arrays = program.arguments[len(program.inputs) :]
    if program.addressed:
        arrays = [*(word for word in program.given if not isinstance(program.given[word], np.ndarray)), "at"]
    call = f"step({', '.join([*([] if program.addressed else names), *given, *arrays])})"
    before = ["X", "Y", "order", "losses", "hits", "rates", "done", "first", "last"]
    return "\n".join([
        "@main",
        f"def epoch({', '.join([*before, *names, *arrays])}):",
        '    """Batches `first` to `last` of the rows of X and Y in the given order, while the loss is a number."""',
        *(line for name, node, _ in filled for line in rows_of(name, node)),
        "    for k in range(first, last):",
        f"        for i in range({x.shape[0]}):",
        f"            row = order[k * {x.shape[0]} + i]",
        *(line for name, node, source in filled for line in gather(name, node, source, "i")),
        f"        {'losses[k], scores' if counted else 'losses[k]'} = {call}",
        *([f"        hits[k] = kernels.count_hits(scores, {names[1]})"] if counted else []),
        "        if not math.isfinite(losses[k]):",
        "            return",
        "        done[0] = k + 1 - first",
        "",
    ])  # fmt: skip
