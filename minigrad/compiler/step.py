"""A training step as one compiled program: forward, backward and update, and the loop over the batches around them."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from minigrad import blas
from minigrad.block import block
from minigrad.compiler.addresses import table
from minigrad.compiler.kernels import PURE_PYTHON
from minigrad.compiler.program import Program, build, load, source_of, wrapped
from minigrad.compiler.shards import epoch_text, gather, processors, rows_of, run_together, share_out, weight_of_a_shard
from minigrad.compiler.table import BufferTable, Report
from minigrad.graph import Constant, Node, Variable, adjoint_nodes
from minigrad.nn.module import Module
from minigrad.optim import Optimizer

Gradients = Callable[[list[Node]], Sequence[Node]]


class CompiledStep:
    """What `compile` returns. Call it with a batch, or let `epoch` run through many.

    source: the program's text, which is also a file (`path`). buffers: a table of its arrays. explain(): what each
    pass did. compile_seconds: how long numba took; less than a second where the machine code was found on disk.
    shards: into how many parts each batch goes. threads: how many of them are worked on at a time.
    """

    def __init__(self, model: Module, optimizer: Optimizer, x: Constant, y: Constant, shards: int, threads: int):
        self.model, self.optimizer, self.x, self.y = model, optimizer, x, y
        self.shards, self.threads = shards, threads
        self.programs: list[Program] = []
        self._all_rows = np.arange(len(x._value) * shards)
        self._one_loss = np.zeros(1, np.float32)
        self._rate_dtype = next((v.dtype for v in model.parameters()), np.dtype(np.float32))
        self._hits, self._rates = np.zeros(0, np.int64), np.zeros((0, len(optimizer.rates(0))), self._rate_dtype)
        self._parts, self._part_hits = np.zeros(shards, np.float32), np.zeros(shards, np.int64)
        self._kept: list[np.ndarray] = []  # what a table of addresses points to
        self.compile_seconds = 0.0

    def _load(self, title: str, name: str, epoch: str, arrays: dict[str, Any]) -> None:
        """Write the file, and compile it or find its machine code on disk."""
        self.source = source_of(title, self.programs, epoch)
        self._arrays = arrays
        start = time.perf_counter()
        self._module = load(name, self.source, self.programs)
        self.run(self.x._value, self.y._value, np.zeros(0, np.int64), np.zeros(0, np.float32))  # no batches: compiles
        self.compile_seconds = time.perf_counter() - start

    @property
    def path(self) -> str:
        """The file that holds the program."""
        return str(self._module.__file__)

    @property
    def buffers(self) -> BufferTable:
        """Every array of the program: shape, bytes, from which equation to which it is needed, and who shares it."""
        return BufferTable([b for program in self.programs for b in program.buffers])

    def explain(self) -> Report:
        """What each pass did."""
        return Report([row for program in self.programs for row in program.report])

    def __call__(self, x: Any, y: Any) -> float:
        """Train on one batch, of the shapes compiled for. Returns the loss before the update."""
        x, y = self._rows("x", x, self.x), self._rows("y", y, self.y)
        if len(x) != self.batch_size or len(y) != self.batch_size:
            raise ValueError(
                f"this step was compiled for batches of {self.batch_size} rows, got {len(x)} rows of x and {len(y)} of "
                "y. Compile another step for another size: they share the model's parameters and the optimizer's state"
            )
        self.run(x, y, self._all_rows, self._one_loss)
        return float(self._one_loss[0])

    @property
    def batch_size(self) -> int:
        """Rows in a batch."""
        return len(self._all_rows)

    def epoch(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Train on the rows of x and y in the given order, a batch at a time, in one call of compiled code.

        order: row numbers, (n,) integers; what is left after the last full batch is not trained. out: an array for the
        losses, float32, one for each batch; a new one if not given. With it, an epoch allocates as much as a step: a
        few kilobytes for the call itself, nothing for the steps in it. Returns the losses.
        """
        x, y = self._rows("x", x, self.x), self._rows("y", y, self.y)
        order = np.ascontiguousarray(order, np.int64)
        if order.ndim != 1 or (order.size and (order.min() < 0 or order.max() >= min(len(x), len(y)))):
            raise IndexError(f"epoch: the order holds row numbers from 0 to {min(len(x), len(y)) - 1}")
        batches = order.size // self.batch_size
        if out is None:
            out = np.empty(batches, np.float32)
        elif out.shape != (batches,) or out.dtype != np.float32 or not out.flags.carray:
            raise ValueError(f"epoch: out takes the losses of {batches} batches in one float32 array, got {out!r:.80}")
        self.run(x, y, order, out)
        return out

    def _rows(self, name: str, rows: np.ndarray, like: Constant) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.shape[1:] != like.shape[1:]:
            raise ValueError(
                f"this step was compiled for {name} of shape (n, {', '.join(map(str, like.shape[1:]))}), "
                f"got {rows.shape}. Compile another one for another shape"
            )
        return np.ascontiguousarray(rows, like.dtype)

    def run(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, losses: np.ndarray) -> np.ndarray:
        """`epoch` without its checks: as many batches as `losses` has places. Returns how many rows of each were right.

        The array that is returned is used again by the next run.
        """
        batches = len(losses)
        x, y = (a if a.ndim == 1 else a.reshape(len(a), -1) for a in (x, y))
        if len(self._hits) < batches:
            self._hits = np.zeros(batches, np.int64)
            self._rates = np.zeros((batches, len(self.optimizer.rates(0))), self._rate_dtype)
        hits, rates = self._hits[:batches], self._rates[:batches]
        losses.fill(0)
        hits.fill(0)
        for k in range(batches):
            for j, rate in enumerate(self.optimizer.rates(self.optimizer.steps + k)):
                rates[k, j] = rate
        try:
            with blas.one_thread():
                if self.shards == 1:
                    self._module.epoch(x, y, order, losses, hits, rates, 0, batches, *self._arrays.values())
                else:
                    self._run_shards(x, y, order, losses, hits, rates, 0, batches)
        finally:  # Ctrl-C is heard when the compiled code is done
            self.optimizer.steps += batches
            for variable in self.model.parameters() if batches else ():
                variable.changed()  # what was computed from it before is out of date
        return hits

    def _run_shards(self, *arguments: Any) -> None:
        """The same call on several threads, each with shards of its own. This one waits for them."""
        parts, part_hits = self._parts, self._part_hits
        x, y, order, losses, hits, rates, first, last = arguments
        counter = np.zeros(1, np.int64)
        bounds = [k * self.shards // self.threads for k in range(self.threads + 1)]

        def work(k: int) -> None:
            self._module.epoch(
                bounds[k], bounds[k + 1], self.threads, counter, x, y, order, losses, hits, parts, part_hits, rates,
                first, last, *self._arrays.values(),
            )  # fmt: skip

        if first == last or self.threads == 1:
            work(0)
        else:
            run_together(work, self.threads)


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
    and dtypes are those of the program. shards: each batch goes into so many equal parts, worked on by `threads` at a
    time (as many as there are shards and processors, if not said); their gradients are added up in a fixed order, so
    that the result depends on the number of shards alone. gradients: changes the gradients before the update,
    a list of nodes to a list of nodes, such as `lambda gs: [mg.clip(g, -1, 1) for g in gs]`. off: names of passes to
    leave out (`explain()` lists them). name: what the program's file is called.

        step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x[:100], y[:100])
        loss = step(x[:100], y[:100])
        losses = step.epoch(x, y, rng.permutation(len(x)))
        print(step.source)
    """
    if not isinstance(model, Module):
        raise TypeError(f"compile trains a Module, got a {type(model).__name__}")
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"compile needs an optimizer such as mg.optim.SGD(0.01), got a {type(optimizer).__name__}")
    x, y = np.asarray(x, order="C"), np.asarray(y, order="C")  # the buffers of a batch are made like these
    if not x.ndim or not y.ndim or len(x) != len(y) or not len(x):
        raise ValueError(f"compile needs an example batch with as many rows in x as in y, got {x.shape} and {y.shape}")
    if not isinstance(shards, int) or shards < 1 or (threads is not None and not 1 <= threads <= shards):
        raise ValueError(f"compile needs shards >= 1, and threads from 1 to shards; got {shards} and {threads}")
    name = name or type(model).__name__.lower()
    if shards == 1:
        return _whole(model, loss, optimizer, x, y, gradients, off, name)
    threads = min(shards, processors()) if threads is None else threads
    return _in_shards(model, loss, optimizer, x, y, shards, 1 if PURE_PYTHON else threads, gradients, off, name)


def _whole(model: Module, loss: Any, optimizer: Optimizer, x: Any, y: Any, gradients: Any, off: Any, name: str) -> Any:
    """Forward, backward and update as one function."""
    step = CompiledStep(model, optimizer, Constant(x, name="x"), Constant(y, name="y"), 1, 1)
    value, output = _forward(step, loss)
    variables, grads = _gradients(value, model)
    rates = _rates(optimizer, variables[0].dtype)
    stores = _updates(variables, grads, optimizer, gradients, rates)
    counted = _is_classification(output, step.y)
    program = build(
        {step.x: "x", step.y: "y", **rates}, [value, output] if counted else [value], stores, off=off, name="step",
        kind="@apart", may_be_addressed=True,
    )  # fmt: skip
    step.programs = [program]
    names = [v.name for v in program.inputs]
    arrays = {"x": step.x._value, "y": step.y._value, **_arrays(program)}
    arrays = dict(zip([*names[:2], *program.arguments[len(names) :]], arrays.values(), strict=True))
    if program.addressed:
        step._kept = [array for array in arrays.values() if isinstance(array, np.ndarray)]
        arrays = {k: a for k, a in arrays.items() if k in names or not isinstance(a, np.ndarray)}
        arrays["at"] = table(step._kept)
    step._load(f"One training step of {name}.", name, _epoch(program, step.x, step.y, counted), arrays)
    return step


def _in_shards(
    model: Module, loss: Any, optimizer: Optimizer, x: Any, y: Any, shards: int, threads: int, gradients: Any, off: Any,
    name: str,
) -> CompiledStep:  # fmt: skip
    """Forward and backward as one function, run on each part; the updates of the parameters as others."""
    with _told_apart(model.parameters()):  # a name stands for the same array in all of these functions
        return _shards_of(model, loss, optimizer, x, y, shards, threads, gradients, off, name)


def _shards_of(
    model: Module, loss: Any, optimizer: Optimizer, x: Any, y: Any, shards: int, threads: int, gradients: Any, off: Any,
    name: str,
) -> CompiledStep:  # fmt: skip
    weight = weight_of_a_shard(model, loss, x, y, shards)
    n = len(x) // shards
    step = CompiledStep(model, optimizer, Constant(x[:n], name="x"), Constant(y[:n], name="y"), shards, threads)
    value, output = _forward(step, loss)
    variables, grads = _gradients(value, model)
    places = [_leaf(np.zeros((shards, *v.shape), v.dtype), f"{v.name or 'parameter'}_grad") for v in variables]
    own_places = [_leaf(place._value[0], place.name or "") for place in places]
    counted = _is_classification(output, step.y)
    found = build(
        {step.x: "x", step.y: "y"}, [value, output] if counted else [value],
        list(zip(own_places, grads, strict=True)), off=off, name="gradients", kind="@apart",
    )  # fmt: skip

    rates = _rates(optimizer, variables[0].dtype)
    groups = share_out([v.size for v in variables], shards) if gradients is None else [list(range(len(variables)))]
    updates = []
    shared: dict[str, Any] = {}
    for k, group in enumerate(g for g in groups if g):
        leaves: dict[Node, str] = {Constant(places[j]._value, name=places[j].name): places[j].name or "" for j in group}
        with block("update"):
            sums = [_total(leaf, weight) for leaf in leaves]
        chosen = [variables[j] for j in group]
        stores = _updates(chosen, sums, optimizer, gradients, rates)
        update = build({**rates, **leaves}, [], stores, off=off, name=f"update_{k}", kind="@apart")
        updates.append(update)
        stacks = [value.name for value in update.inputs if value.shape != ()]
        _put(shared, dict(zip(stacks, [places[j]._value for j in group], strict=True)))
        _put(shared, _arrays(update))
    own = {v.name for v in found.inputs} | {b.name for b in found.buffers} | set(found.own)
    own |= {n for n, a in found.given.items() if any(a is place._value for place in own_places)}
    mine = _arrays(found)
    arrays: dict[str, Any] = {}
    for value_name, leaf in zip([v.name for v in found.inputs], (step.x, step.y), strict=True):
        arrays[value_name] = np.zeros((shards, *leaf.shape), leaf.dtype)
    for argument, array in mine.items():
        if argument in own:
            grads_of = [p._value for p, o in zip(places, own_places, strict=True) if o._value is array]
            arrays[argument] = grads_of[0] if grads_of else np.zeros((shards, *array.shape), array.dtype)
        else:
            arrays[argument] = array
    _put(arrays, shared)
    step.programs = [found, *updates]
    text = epoch_text(found, updates, step.x, step.y, shards, weight, own, counted, list(arrays))
    step._load(f"One training step of {name}, in {shards} shards.", name, text, arrays)
    return step


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


def _forward(step: CompiledStep, loss: Any) -> tuple[Node, Any]:
    output = step.model(step.x)
    value = loss(output, step.y)
    if not isinstance(value, Node) or value.shape != ():
        raise ValueError(f"compile: the loss is a single number made from the model's output, got {value!r}")
    return value, output


def _gradients(value: Node, model: Module) -> tuple[list[Variable], list[Node]]:
    """The parameters that the loss depends on, and its derivatives by them, as nodes."""
    found = adjoint_nodes({value: Constant(np.ones((), value.dtype))}, model.parameters())
    trained = [variable for variable in model.parameters() if variable in found]
    if not trained:
        raise ValueError("compile: the loss depends on no parameter of the model, so there is nothing to train")
    return trained, [found[variable] for variable in trained]


def _rates(optimizer: Optimizer, dtype: np.dtype) -> dict[Node, str]:
    """Leaves for the numbers that change from step to step, with their names."""
    leaves = [Constant(np.array(rate, dtype)) for rate in optimizer.rates(0)]
    return dict(zip(leaves, ["lr"] if len(leaves) == 1 else [f"rate_{k + 1}" for k in range(len(leaves))], strict=True))


def _total(stack: Node, weight: float) -> Node:
    """The sum over the first axis, in order, times the weight of a shard."""
    total = stack[0]
    for k in range(1, stack.shape[0]):
        total = total + stack[k]
    return total * weight


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
            new, changed = optimizer.equations(variable, grad, list(rates), kept)
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
    call = wrapped(f"step({', '.join([*([] if program.addressed else names), *given, *arrays])})", 12)
    before = ["X", "Y", "order", "losses", "hits", "rates", "first", "last"]
    return "\n".join([
        "@main",
        *wrapped(f"def epoch({', '.join([*before, *names, *arrays])}):"),
        '    """Batches `first` to `last` of the rows of X and Y in the given order."""',
        *(line for name, node, _ in filled for line in rows_of(name, node)),
        "    for k in range(first, last):",
        f"        for i in range({x.shape[0]}):",
        f"            row = order[k * {x.shape[0]} + i]",
        *(line for name, node, source in filled for line in gather(name, node, source, "i")),
        f"        {'losses[k], output' if counted else 'losses[k]'} = {call[0].strip()}",
        *call[1:],
        *([f"        hits[k] = kernels.count_hits(output, {names[1]})"] if counted else []),
        "",
    ])  # fmt: skip
