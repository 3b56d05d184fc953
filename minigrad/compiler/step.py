"""A training step as one compiled program: forward, backward and update, and the loop over the batches around them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from minigrad.block import block
from minigrad.compiler import blas
from minigrad.compiler.program import Program, build, load
from minigrad.compiler.table import BufferTable, Report
from minigrad.graph import Constant, Node, Variable, adjoint_nodes
from minigrad.nn.module import Module
from minigrad.optim import Optimizer

Gradients = Callable[[list[Node]], Sequence[Node]]


class CompiledStep:
    """What `compile` returns. Call it with a batch, or let `epoch` run through many.

    source: the program's text, which is also a file (`path`). buffers: a table of its arrays. explain(): what each
    pass did. compile_seconds: how long numba took; less than a second where the machine code was found on disk.
    """

    def __init__(
        self,
        model: Module,
        loss: Callable[[Any, Any], Node],
        optimizer: Optimizer,
        x: np.ndarray,
        y: np.ndarray,
        *,
        gradients: Gradients | None,
        off: Collection[str],
        name: str,
    ):
        self.model, self.optimizer = model, optimizer
        self.x, self.y = Constant(x, name="x"), Constant(y, name="y")
        output = model(self.x)
        value = loss(output, self.y)
        if not isinstance(value, Node) or value.shape != ():
            raise ValueError(f"compile: the loss is a single number made from the model's output, got {value!r}")
        self.parameters = model.parameters()
        stores = _updates(value, self.parameters, optimizer, gradients, inputs := {self.x: "x", self.y: "y"})
        counted = _is_classification(output, self.y)
        self.program = build(
            inputs, [value, output] if counted else [value], stores, off=off, title=f"One training step of {name}."
        )
        self.program.source += _epoch(self.program, self.x, self.y, counted)
        self._counts_hits = counted
        self._arrays = [*self.program.given.values(), *(np.zeros(b.shape, b.dtype) for b in self.program.buffers)]
        self._rates = len(self.program.inputs) - 2
        start = time.perf_counter()
        blas.prepare()
        self._module = load(self.program, name)
        self._warm()
        self.compile_seconds = time.perf_counter() - start

    @property
    def source(self) -> str:
        """The program: plain Python, in the file `path`."""
        return self.program.source

    @property
    def path(self) -> str:
        """The file that holds the program."""
        return str(self._module.__file__)

    @property
    def buffers(self) -> BufferTable:
        """Every array of the program: shape, bytes, the lines of the program between which it is needed, and sharers."""
        return BufferTable(self.program)

    def explain(self) -> Report:
        """What each pass did."""
        return Report(self.program.report)

    def __call__(self, x: Any, y: Any) -> float:
        """Train on one batch, of the shapes compiled for. Returns the loss before the update."""
        self.x.value, self.y.value = x, y
        return float(self._epoch(self.x._value, self.y._value, np.arange(len(self.x._value)), 1)[0][0])

    def epoch(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, first: int = 0, last: int | None = None) -> Any:
        """Train on the rows of x and y in the given order, a batch at a time, in one call of compiled code.

        order: row numbers, (n,) integers; what is left after the last full batch is not trained. first, last: the
        batches to run, all if not said. Returns the loss of each, float32.
        """
        batch = len(self.x._value)
        x, y = self._rows("x", x, self.x), self._rows("y", y, self.y)
        order = np.ascontiguousarray(order, np.int64)
        if order.ndim != 1 or (order.size and (order.min() < 0 or order.max() >= min(len(x), len(y)))):
            raise IndexError(f"epoch: the order holds row numbers from 0 to {min(len(x), len(y)) - 1}")
        batches = order.size // batch
        first, last = min(first, batches), batches if last is None else min(last, batches)
        return self._epoch(x, y, order[first * batch : last * batch], last - first)[0]

    def _rows(self, name: str, rows: np.ndarray, like: Constant) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.shape[1:] != like.shape[1:]:
            raise ValueError(
                f"this step was compiled for {name} of shape (n, {', '.join(map(str, like.shape[1:]))}), "
                f"got {rows.shape}. Compile another one for another shape"
            )
        return np.ascontiguousarray(rows, like.dtype)

    def _epoch(self, x: np.ndarray, y: np.ndarray, order: np.ndarray, batches: int) -> tuple[np.ndarray, np.ndarray]:
        losses, hits = np.zeros(batches, np.float32), np.zeros(batches, np.int64)
        steps = range(self.optimizer.steps, self.optimizer.steps + batches)
        dtype = self._rate_dtype
        rates = np.array([self.optimizer.rates(step) for step in steps], dtype).reshape(batches, self._rates)
        self._module.epoch(x, y, order, losses, hits, rates, 0, batches, self.x._value, self.y._value, *self._arrays)
        self.optimizer.steps += batches
        return losses, hits

    @property
    def _rate_dtype(self) -> np.dtype:
        return next(v.dtype for v in self.program.inputs if v.shape == ())

    def _warm(self) -> None:
        """Compile, or find the machine code on disk, without training: an epoch of no batches."""
        before = self.optimizer.steps
        self._epoch(self.x._value, self.y._value, np.zeros(0, np.int64), 0)
        assert self.optimizer.steps == before


def compile(
    model: Module,
    loss: Callable[[Any, Any], Node],
    optimizer: Optimizer,
    x: np.ndarray,
    y: np.ndarray,
    *,
    gradients: Gradients | None = None,
    off: Collection[str] = (),
    name: str | None = None,
) -> CompiledStep:
    """Turn a training step on batches like (x, y) into one compiled program: forward, backward and update.

    model: its parameters are trained, in place. loss: (output, y) -> a scalar node. x, y: an example batch; its shapes
    and dtypes are those of the program, its numbers do not matter. gradients: changes the gradients before the update,
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
    x, y = np.asarray(x), np.asarray(y)
    if not x.ndim or not y.ndim or len(x) != len(y) or not len(x):
        raise ValueError(f"compile needs an example batch with as many rows in x as in y, got {x.shape} and {y.shape}")
    return CompiledStep(
        model, loss, optimizer, x, y, gradients=gradients, off=off, name=name or type(model).__name__.lower()
    )


def _updates(
    value: Node, parameters: list[Variable], optimizer: Optimizer, change: Gradients | None, inputs: dict[Node, str]
) -> list[tuple[Node, Node]]:
    """The new value of each parameter, and of what the optimizer keeps for it, as nodes."""
    found = adjoint_nodes({value: Constant(np.ones((), value.dtype))}, parameters)
    trained = [variable for variable in parameters if variable in found]
    if not trained:
        raise ValueError("compile: the loss depends on no parameter of the model, so there is nothing to train")
    grads: Sequence[Node] = [found[variable] for variable in trained]
    with block("update"):
        if change is not None:
            grads = list(change(list(grads)))
            if [g.shape for g in grads] != [v.shape for v in trained]:
                raise ValueError("compile: `gradients` returns as many gradients as it is given, in the same shapes")
        dtype = trained[0].dtype
        rates = [Constant(np.array(rate, dtype)) for rate in optimizer.rates(0)]
        names = ["lr"] if len(rates) == 1 else [f"rate_{k}" for k in range(1, len(rates) + 1)]
        inputs.update(zip(rates, names, strict=True))
        stores: list[tuple[Node, Node]] = []
        for variable, grad in zip(trained, grads, strict=True):
            kept = [_leaf(array, f"{variable.name or 'parameter'}_kept") for array in optimizer.kept(variable)]
            new, changed = optimizer.equations(variable, grad, rates, kept)
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
    batch = x.shape[0]
    names = [value.name for value in program.inputs if value.shape != ()]
    rates = [value.name for value in program.inputs if value.shape == ()]
    arrays = program.arguments[len(program.inputs) :]
    given = [f"rates[k, {r}]" for r in range(len(rates))]
    call = f"step({', '.join([*names, *given, *arrays])})"
    lines = [
        "",
        "",
        "@program",
        *_wrapped_def("epoch", ["X", "Y", "order", "losses", "hits", "rates", "first", "last", *names, *arrays]),
        '    """Batches `first` to `last` of the rows of X and Y in the given order."""',
        "    for k in range(first, last):",
        f"        for i in range({batch}):",
        f"            row = order[k * {batch} + i]",
        *(f"            {name}[i] = {source}[row]" for name, source in zip(names, "XY", strict=False)),
        f"        {'losses[k], output' if counted else 'losses[k]'} = {call}",
        *([f"        hits[k] = kernels.count_hits(output, {names[1]})"] if counted else []),
        "",
    ]
    return "\n".join(lines)


def _wrapped_def(name: str, arguments: Sequence[str]) -> list[str]:
    from minigrad.compiler.program import _wrapped

    return _wrapped(f"def {name}({', '.join(arguments)}):")
