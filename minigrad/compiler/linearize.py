"""Turn nodes into equations: forward, adjoint and update nodes become one list, in an order that can run.

Each operation defines its own equations in `Operation.lower(to, node, *inputs)`, with the methods of `to`, a
Linearizer. Views (a slice, a transpose, a reshape, a broadcast) become no equation: they only change where values are
read. A loop over time stays a loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.names import TAKEN
from minigrad.compiler.origins import Origin, free_name, origin_of, python_name
from minigrad.compiler.text import named
from minigrad.compiler.values import (
    Array,
    Assemble,
    Call,
    Equation,
    Loop,
    Number,
    Place,
    Places,
    Product,
    Reduce,
    Store,
    Value,
    View,
    copied,
    identity,
    is_whole,
    resolve,
    row,
)
from minigrad.core.errors import learner_line
from minigrad.core.graph import Node, Variable, topological_order
from minigrad.core.rules import Rule, add, pow, sqrt
from minigrad.loops.scan import Pack, Part, Scan


class CompileError(TypeError):
    """A graph that cannot be compiled; the message says which operation, where, and what to do."""


def _takes_root(exponent: object) -> bool:
    """Tell whether this NumPy takes the square root for x ** 0.5, which is nan at -inf. The power itself is inf there.

    It does so for one exponent of a whole array, and not for an array of exponents, even if all are 0.5.
    """
    with np.errstate(invalid="ignore"):
        is_half = isinstance(exponent, Number) and exponent.number == 0.5
        return is_half and bool(np.isnan(np.power(np.array([-np.inf, -np.inf]), 0.5)[0]))


class Linearizer:
    """The equations so far, and the value of each node.

    inputs: leaves that change from call to call, with the names of the program's arguments.
    """

    def __init__(self, inputs: Mapping[Node, str], numbered: bool = False):
        self.equations: list[Equation] = []
        self.numbered, self._asked = numbered, learner_line()
        self.values: dict[Node, Value] = {}
        self.parts: dict[Node, list[Value]] = {}
        self._names: set[str] = set(TAKEN)
        self._counts: dict[str, int] = {}
        for node, name in inputs.items():
            self.values[node] = Value(self.name(name), node.shape, node.dtype, Array("input"))

    def add(self, nodes: Iterable[Node]) -> None:
        """Give each node a value; inputs come before the nodes that read them."""
        for node in nodes:
            if node in self.values or node in self.parts:
                continue
            if node.dtype.char not in "?bhilqBHILQfd":
                raise CompileError(
                    f"compile works with float32, float64, integers and bool, and {node!r} is none of these. Convert "
                    "it with .astype(np.float32)"
                )
            if node.op is None:
                self.values[node] = self.leaf(node)
            elif isinstance(node.op, Part):
                self.values[node] = self.parts[node.inputs[0]][node.op.part or 0]
            elif isinstance(node.op, Scan):
                self.parts[node] = self.scan(node)
            elif isinstance(node.op, Pack):
                self.parts[node] = [self.values[x] for x in node.inputs]
            else:
                self.values[node] = node.op.lower(self, node, *(self.values[x] for x in node.inputs))

    def store(self, parameter: Node, new: Node) -> None:
        """Make `new` the value of a parameter at the end of the step."""
        value = self.values.get(parameter) or self.leaf(parameter)
        assert isinstance(value.at, Array)
        value.at.role = "parameter"
        self.values[parameter] = value
        self.equations.append(Store(value, [self.values[new]]))

    def name(self, wanted: str) -> str:
        """Return a Python name like the wanted one that is not taken."""
        name = free_name(python_name(wanted), self._names)
        self._names.add(name)
        return name

    def new(self, name: str, shape: Sequence[int], dtype: np.dtype, origin: Origin | None = None) -> Value:
        """A value with an array of its own."""
        return Value(self.name(name), tuple(shape), np.dtype(dtype), Array(), origin)

    def leaf(self, node: Node) -> Value:
        array = node._value
        if isinstance(node, Variable):
            return Value(self.name(node.name or "parameter"), node.shape, node.dtype, Array("parameter", array))
        if array.size and (array.dtype.kind == "f" or array.ndim == 0) and _is_one_number(array):
            first = array.reshape(-1)[0].item()
            return Value(repr(first), node.shape, node.dtype, Number(first))
        # A copy: the text must not depend on later changes of the constant's numbers.
        return self.constant(node.name or "constant", array)

    def result(self, node: Node) -> Value:
        return self.new(self.called(node), node.shape, node.dtype, origin_of(node, self.numbered, self._asked))

    def called(self, node: Node) -> str:
        """Name a node in the program: by its own name, the name of the node it is the adjoint of, or its operation."""
        if node.name:
            return node.name
        if node.adjoint_of:
            of = self.values.get(node.adjoint_of[0])
            return f"{of.name if of is not None and of.name else self.called(node.adjoint_of[0])}_bar"
        if node.op is None:
            return "value"
        word = _WORDS.get(node.op.name, node.op.name)
        self._counts[word] = self._counts.get(word, 0) + 1
        return f"{word}_{self._counts[word]}"

    # ------------------------------------------------------------ lowering: computations

    def elementwise(self, node: Node, rule: Rule, inputs: Sequence[Value]) -> Value:
        """Lower a row of the derivative table, in the dtypes that it requires."""
        if rule is pow and node.inputs[0].dtype.kind == "f" and inputs[1].shape == () and _takes_root(inputs[1].at):
            rule, inputs = sqrt, inputs[:1]
        loop, _ = rule.dtypes(*(x.dtype for x in inputs))
        operands = [self.cast(x, dtype) for x, dtype in zip(inputs, loop, strict=True)]
        self.equations.append(row(rule, operands, out := self.result(node)))
        return out

    def product(self, node: Node, a: Value, b: Value) -> Value:
        """a @ b, matrices or stacks of them, in the node's dtype."""
        a, b = self.cast(a, node.dtype), self.cast(b, node.dtype)
        if node.dtype.kind == "f":
            self.equations.append(Product(out := self.result(node), [a, b]))
            return out
        stacks = [self.broadcast(x, (*node.shape[:-2], *x.shape[-2:])) for x in (a, b)]
        # Tiles multiply no integers and no conditions.
        return self.call(node, "product_of_integers", stacks)

    def reduced(self, node: Node, of: Value, axes: tuple[int, ...], kind: str) -> Value:
        """The "sum", "max" or "min" over axes."""
        of = self.cast(of, node.dtype)  # counting conditions, or adding small integers, needs a large dtype
        if all(of.shape[k] == 1 for k in axes):
            if kind == "sum" and of.dtype.kind == "f" and axes:  # it starts from 0, and 0 + -0 is 0
                zero = Value("0.0", (), of.dtype, Number(0.0))
                out = self.new(self.called(node), of.shape, of.dtype)
                self.equations.append(row(add, [of, zero], out))
                of = out
            return self.reshaped(of, node.shape)
        kept = tuple(1 if k in axes else n for k, n in enumerate(of.shape))
        out = self.new(self.called(node), kept, of.dtype)
        self.equations.append(Reduce(out, [of], axes, kind))
        return self.reshaped(out, node.shape)

    def assembled(self, node: Node, pieces: Sequence[Value], keys: Sequence[Any], fill: float | None) -> Value:
        """Lower a concatenation: each piece is out[key] = piece; the rest is `fill`, or None if nothing remains."""
        pieces = [self.cast(x, node.dtype) for x in pieces]
        at = [key_places(key, node.shape) for key in keys]
        self.equations.append(Assemble(out := self.result(node), pieces, at, fill))
        return out

    def call(
        self, node: Node, kernel: str, inputs: Sequence[Value], extra: tuple[Any, ...] = (), work: Sequence[Value] = ()
    ) -> Value:
        """Lower a kernel call, kernel(*inputs, *extra, *work, out). extra: numbers. work: scratch arrays."""
        out = self.result(node)
        scalar = node.shape == () and kernel not in SCALAR_KERNELS  # kernels fill arrays, not numbers
        filled = self.new(f"{out.name}_alone", (1,), out.dtype) if scalar else out
        self.equations.append(Call(filled, [self.contiguous(x) for x in inputs], kernel, extra, list(work)))
        if scalar:
            out.at = View(filled, (Place(None),))
        return out

    def kernel_of(self, node: Node, inputs: Sequence[Value]) -> Value:
        """Lower a call of the operation's own `kernel`."""
        assert node.op is not None
        if getattr(node.op, "kernel", None) is not None:
            return self.call(node, "custom", inputs, (node.op,))
        where = f" At {node.line}." if node.line else ""
        raise CompileError(
            f"compile does not know the operation {node.op.name}.{where} Give its class a `kernel`: a function "
            "(*inputs, out) that numba can compile and that fills `out`; or build it from operations of minigrad"
        )

    def constant(self, name: str, array: np.ndarray) -> Value:
        """An array that never changes."""
        return Value(self.name(name), array.shape, array.dtype, Array("constant", np.array(array, order="C")))

    def generator(self, rng: np.random.Generator) -> Value:
        """Return a source of random numbers for kernels."""
        return Value(self.name("rng"), (), np.dtype(object), Array("generator", rng))

    def cast(self, value: Value, dtype: np.dtype) -> Value:
        """Return `value` in another dtype, converted by an equation."""
        if value.dtype == dtype:
            return value
        if isinstance(value.at, Number):
            number = np.asarray(value.at.number, value.dtype).astype(dtype).item()
            return Value(repr(number), value.shape, dtype, Number(number))
        return self.copy(value, f"{value.name}_{dtype}", dtype)

    def contiguous(self, value: Value) -> Value:
        """Return `value` as a contiguous array: itself, or a copy."""
        if value.role == "generator":
            return value
        if value.shape == ():
            value = self.view(value, (1,), (), "alone")
        elif is_whole(value) and not resolve(value)[0].is_number:
            return value
        return self.copy(value, f"{value.name}_copy" if not value.is_number else "filled", value.dtype)

    def copy(self, value: Value, name: str, dtype: np.dtype) -> Value:
        """`value` in an array of its own."""
        self.equations.append(copied(value, copy := self.new(name, value.shape, dtype)))
        return copy

    # ------------------------------------------------------------ lowering: views

    def view(self, of: Value, shape: Sequence[int], places: Places, hint: str) -> Value:
        return Value(of.name, tuple(shape), of.dtype, of.at) if of.is_number else of.view(shape, places, hint)

    def reshaped(self, of: Value, shape: tuple[int, ...]) -> Value:
        """Return `of` in another shape: a view if possible, else a copy."""
        if of.shape == shape:
            return of
        if [n for n in of.shape if n != 1] == [n for n in shape if n != 1]:
            axes = iter([k for k, n in enumerate(shape) if n != 1])
            return self.view(of, shape, tuple(Place(None) if n == 1 else Place(next(axes)) for n in of.shape), "view")
        if of.is_number:
            return self.view(of, shape, (), "")
        return self.contiguous(of).view(shape, hint=f"as_{'x'.join(map(str, shape))}")

    def transposed(self, of: Value, axes: Sequence[int]) -> Value:
        """Permute axes: axis k of the result is axis axes[k] of the input."""
        shape = tuple(of.shape[k] for k in axes)
        return self.view(of, shape, tuple(Place(axes.index(k)) for k in range(len(axes))), "T")

    def broadcast(self, of: Value, shape: tuple[int, ...]) -> Value:
        """Broadcast to a shape."""
        new = len(shape) - len(of.shape)
        places = (Place(None) if n == 1 and shape[k + new] != 1 else Place(k + new) for k, n in enumerate(of.shape))
        return self.view(of, shape, tuple(places), "spread")

    def sliced(self, of: Value, key: object, shape: tuple[int, ...]) -> Value:
        """Return the view of[key], of this shape, for integers, slices, None and Ellipsis."""
        return self.view(of, shape, key_places(key, of.shape), "part")

    # ------------------------------------------------------------ the loop over time

    def scan(self, node: Node) -> list[Value]:
        """Lower a loop: its body is written once, reads slices at the counter, and writes its outputs to stacks."""
        op = node.op
        assert isinstance(op, Scan)
        carry, xs, free = op.split([self.values[x] for x in node.inputs])
        body = op.body
        counter = self.name("t")
        outer, self.equations = self.equations, []
        kept = dict(self.values), dict(self.parts)
        now = (Place(None, 1, named(counter)),)
        for leaf, value in zip(body.free_in, free, strict=True):
            self.values[leaf] = value
        for leaf, value in zip(body.x_in, xs, strict=True):
            self.values[leaf] = self.view(value, leaf.shape, now + identity(leaf.shape), "now")
        carry = [self.cast(start, leaf.dtype) for leaf, start in zip(body.carry_in, carry, strict=True)]
        carried = [self.new(leaf.name or "state", leaf.shape, leaf.dtype) for leaf in body.carry_in]
        self.values.update(zip(body.carry_in, carried, strict=True))
        self.add(topological_order(*body.carry_out, *op.ys))
        stacks = []
        for y in op.ys:
            stack = self.new(f"{y.name or self.called(y)}_all", (op.steps, *y.shape), y.dtype)
            self.equations.append(copied(self.values[y], stack.view(y.shape, now + identity(y.shape), "now")))
            stacks.append(stack)
        nexts = [self.values[y] for y in body.carry_out]
        body_equations, self.equations = self.equations, outer
        triples, results = list(zip(carried, carry, nexts, strict=True)), [*carried, *stacks]
        loop = Loop(results[0], [], results, counter, op.steps, op.backwards, triples, body_equations)
        self.equations.append(loop)
        self.values, self.parts = kept  # leaves of the body have other values in the next loop that uses them
        return results


# Kernels that return a number.
SCALAR_KERNELS = ("cross_entropy",)

_WORDS = {"matmul": "product", "softmax_cross_entropy": "loss", "cross_entropy_slope": "slope", "index": "part"}


def key_places(key: Any, shape: Sequence[int]) -> Places:
    """Return the places in an array of `shape` that the view a[key] reads."""
    parts = list(key) if isinstance(key, tuple) else [key]
    named = sum(part is not None and part is not Ellipsis for part in parts)
    if Ellipsis not in parts:
        parts.append(Ellipsis)
    k = parts.index(Ellipsis)
    parts[k : k + 1] = [slice(None)] * (len(shape) - named)
    places, axis, sizes = [], 0, iter(shape)
    for part in parts:
        if part is None:
            axis += 1
            continue
        size = next(sizes)
        if isinstance(part, slice):
            start, _, step = part.indices(size)
            places.append(Place(axis, step, start))
            axis += 1
        else:
            places.append(Place(None, 1, int(part) % size))
    return tuple(places)


def _is_one_number(array: np.ndarray) -> bool:
    """Tell whether an array holds one number many times; 0.0 and -0.0 differ."""
    first = array.reshape(-1)[0]
    same = array == first
    return bool(np.all(same)) and (array.dtype.kind != "f" or bool(np.all(np.signbit(array) == np.signbit(first))))
