"""From nodes to equations: forward, adjoint and update nodes become one list, in an order in which they can run.

Views (a slice, a transpose, a reshape, a broadcast) become no equation: they say where to look. A loop over time stays
a loop. How each array operation is written as equations stands here, by its class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.block import BACKWARD
from minigrad.compiler.values import (
    Assemble,
    Call,
    Elementwise,
    Equation,
    Loop,
    Place,
    Places,
    Product,
    Reduce,
    Store,
    Value,
    is_whole,
    resolve,
    whole,
)
from minigrad.graph import Constant, Node, Variable, topological_order
from minigrad.nn.layers import _Mask
from minigrad.operation import Operation
from minigrad.ops import conv, linalg, loss, pad, pool, reduce, shape
from minigrad.rules import Rule
from minigrad.scan import Part, Scan


class CompileError(TypeError):
    """A graph that cannot be compiled; the message says which operation, where, and what to do."""


class Linearizer:
    """The equations so far, and the value of each node.

    inputs: leaves that change from call to call, with the names of the program's arguments.
    """

    def __init__(self, inputs: Mapping[Node, str], numbered: bool = False):
        self.equations: list[Equation] = []
        self.numbered = numbered
        self.values: dict[Node, Value] = {}
        self.parts: dict[Node, list[Value]] = {}
        self._names: set[str] = set(_TAKEN)
        self._counts: dict[str, int] = {}
        for node, name in inputs.items():
            self.values[node] = Value(self.name(name), node.shape, node.dtype, "input")

    def add(self, nodes: Iterable[Node]) -> None:
        """Give all nodes (inputs before what is made of them) a value."""
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
            else:
                self.values[node] = self.operation(node)

    def store(self, parameter: Node, new: Node) -> None:
        """`new` becomes the value of a parameter when the step is over."""
        value = self.values.get(parameter) or self.leaf(parameter)
        value.role = "parameter"
        self.values[parameter] = value
        self.equations.append(Store(value, [self.values[new]]))

    def name(self, wanted: str) -> str:
        """A Python name like the wanted one, that nothing else has."""
        clean = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in wanted).strip("_") or "v"
        clean = f"layer{clean}" if clean[0].isdigit() else clean
        name, k = clean, 2
        while name in self._names:
            name, k = f"{clean}_{k}", k + 1
        self._names.add(name)
        return name

    def new(self, name: str, shape: Sequence[int], dtype: Any, said: str = "") -> Value:
        return Value(self.name(name), tuple(shape), np.dtype(dtype), said=said)

    def leaf(self, node: Node) -> Value:
        array = node._value
        if isinstance(node, Variable):
            return Value(self.name(node.name or "parameter"), node.shape, node.dtype, "parameter", array)
        if array.size and (array.dtype.kind == "f" or array.ndim == 0) and _is_one_number(array):
            first = array.reshape(-1)[0].item()
            return Value(repr(first), node.shape, node.dtype, "literal", first)
        return Value(self.name(node.name or "constant"), node.shape, node.dtype, "constant", array)

    def operation(self, node: Node) -> Value:
        assert node.op is not None
        inputs = [self.values[x] for x in node.inputs]
        if isinstance(node.op, Rule):
            rule = node.op
            if rule is rules.pow and inputs[1].is_literal and inputs[1].array == 0.5 and _power_is_root(inputs[1]):
                rule, inputs = rules.sqrt, inputs[:1]
            loop, _ = rule.dtypes(*(x.dtype for x in inputs))
            inputs = [self.cast(x, dtype) for x, dtype in zip(inputs, loop, strict=True)]
            out = self.result(node)
            self.equations.append(Elementwise(out, inputs, rule.expression, rule.inputs, rule.name))
            return out
        for kind, write in _WRITERS.items():
            if isinstance(node.op, kind):
                return write(self, node, *inputs)
        if (in_operations := getattr(node.op, "in_operations", None)) is not None:
            same = in_operations(*node.inputs)
            new = [x for x in topological_order(same) if x not in self.values and x not in self.parts]
            for x in new:
                x.line, x.block = node.line, node.block  # comments are about the learner's line
            self.add(new)
            return self.values[same]
        kernel = getattr(node.op, "kernel", None)
        if kernel is not None:
            return self.call(node, "custom", inputs, (node.op,))
        where = f" At {node.line}." if node.line else ""
        raise CompileError(
            f"compile does not know the operation {node.op.name}.{where} Give its class a `kernel`: a function "
            "(*inputs, out) that numba can compile and that fills `out`; or build it from operations of minigrad"
        )

    def result(self, node: Node) -> Value:
        return self.new(self.called(node), node.shape, node.dtype, _said(node, self.numbered))

    def called(self, node: Node) -> str:
        """What the program calls a node: its own name, the name of what it is the adjoint of, or its operation's."""
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

    def call(
        self, node: Node, kernel: str, inputs: list[Value], extra: tuple[Any, ...] = (), work: Sequence[Value] = ()
    ) -> Value:
        out = self.result(node)
        scalar = node.shape == () and kernel not in SCALAR_KERNELS  # kernels fill arrays, and a number lies in none
        filled = self.new(f"{out.name}_alone", (1,), out.dtype) if scalar else out
        self.equations.append(Call(filled, [self.solid(x) for x in inputs], kernel, extra, list(work)))
        if scalar:
            out.root, out.places = filled, (Place(None),)
        return out

    def cast(self, value: Value, dtype: np.dtype) -> Value:
        """`value` in another dtype: an equation, as every conversion is one."""
        if value.dtype == dtype:
            return value
        if value.is_literal:
            number = np.asarray(value.array, value.dtype).astype(dtype).item()
            return Value(repr(number), value.shape, dtype, "literal", number)
        copy = self.new(f"{value.name}_{dtype}", value.shape, dtype)
        self.equations.append(Elementwise(copy, [value], "a", ("a",), "copy"))
        return copy

    def solid(self, value: Value) -> Value:
        """`value` as all of an array: itself, or a copy."""
        if value.role == "generator":
            return value
        if value.shape == ():
            value = self.view(value, (1,), (), "alone")
        elif is_whole(value) and resolve(value)[0].role != "literal":
            return value
        copy = self.new(f"{value.name}_copy" if not value.is_literal else "filled", value.shape, value.dtype)
        self.equations.append(Elementwise(copy, [value], "a", ("a",), "copy"))
        return copy

    def view(self, of: Value, shape: Sequence[int], places: Places, hint: str) -> Value:
        if of.is_literal:
            return Value(of.name, tuple(shape), of.dtype, "literal", of.array)
        return Value(f"{of.name}_{hint}", tuple(shape), of.dtype, root=of, places=places)

    def reshaped(self, of: Value, shape: tuple[int, ...]) -> Value:
        """`of` under another shape: looked at otherwise where that can be, else copied."""
        if of.shape == shape:
            return of
        if [n for n in of.shape if n != 1] == [n for n in shape if n != 1]:
            axes = iter([k for k, n in enumerate(shape) if n != 1])
            return self.view(of, shape, tuple(Place(None) if n == 1 else Place(next(axes)) for n in of.shape), "view")
        if of.is_literal:
            return self.view(of, shape, (), "")
        of = self.solid(of)
        return Value(f"{of.name}_as_{'x'.join(map(str, shape))}", shape, of.dtype, root=of)

    def reduced(self, node: Node, of: Value, axes: tuple[int, ...], kind: str) -> Value:
        of = self.cast(of, node.dtype)  # counting what is true, or adding small integers, is done in large ones
        if all(of.shape[k] == 1 for k in axes):
            return self.reshaped(of, node.shape)
        kept = tuple(1 if k in axes else n for k, n in enumerate(of.shape))
        out = self.new(self.called(node), kept, of.dtype)
        self.equations.append(Reduce(out, [of], axes, kind))
        return self.reshaped(out, node.shape)

    # ------------------------------------------------------------ the loop over time

    def scan(self, node: Node) -> list[Value]:
        """A loop: its body is written once, reads slices at the counter, and writes its outputs to stacks."""
        op = node.op
        assert isinstance(op, Scan)
        carry, xs, free = op.split([self.values[x] for x in node.inputs])
        body = op.body
        counter = self.name("t")
        outer, self.equations = self.equations, []
        kept = dict(self.values), dict(self.parts)
        now = (Place(None, 1, counter),)
        for leaf, value in zip(body.free_in, free, strict=True):
            self.values[leaf] = value
        for leaf, value in zip(body.x_in, xs, strict=True):
            value = self._countable(value, outer)
            self.values[leaf] = self.view(value, leaf.shape, now + whole(leaf.shape), "now")
        carried = []
        carry = [self.cast(start, leaf.dtype) for leaf, start in zip(body.carry_in, carry, strict=True)]
        for leaf in body.carry_in:
            self.values[leaf] = self.new(leaf.name or "state", leaf.shape, leaf.dtype)
            carried.append(self.values[leaf])
        self.add(topological_order(*body.carry_out, *op.ys))
        stacks = []
        for y in op.ys:
            stack = self.new(f"{y.name or self.called(y)}_all", (op.steps, *y.shape), y.dtype)
            piece = Value(f"{stack.name}_now", y.shape, y.dtype, root=stack, places=now + whole(y.shape))
            self.equations.append(Elementwise(piece, [self.values[y]], "a", ("a",), "copy"))
            stacks.append(stack)
        nexts = [self.values[y] for y in body.carry_out]
        body_equations, self.equations = self.equations, outer
        inside = {id(v) for e in body_equations for v in e.outs} | {id(v) for v in carried}
        needed: dict[int, Value] = {}
        for value in [*carry, *(v for e in body_equations for v in e.inputs), *nexts]:
            root = resolve(value)[0]
            if id(root) not in inside and id(root) not in {id(s) for s in stacks}:
                needed.setdefault(id(value), value)
        triples = list(zip(carried, carry, nexts, strict=True))
        loop = Loop(
            carried[0] if carried else stacks[0], list(needed.values()), [*carried, *stacks], counter, op.steps,
            op.backwards, triples, body_equations,
        )  # fmt: skip
        self.equations.append(loop)
        self.values, self.parts = kept  # leaves of the body mean something else in the next loop that uses them
        return [*carried, *stacks]

    def _countable(self, value: Value, outer: list[Equation]) -> Value:
        """`value`, copied if a loop counter cannot simply stand on its first axis."""
        _, places = resolve(value)
        first = [p for p in places if p.axis == 0]
        plain = len(first) == 1 and first[0].step == 1 and first[0].start == 0
        if (plain and not any(isinstance(p.start, str) for p in places)) or value.is_literal:
            return value
        inner, self.equations = self.equations, outer
        copy = self.new(f"{value.name}_copy", value.shape, value.dtype)
        self.equations.append(Elementwise(copy, [value], "a", ("a",), "copy"))
        self.equations = inner
        return copy


# Kernels that return a number.
SCALAR_KERNELS = ("cross_entropy", "binary_cross_entropy")

# Names that mean something in every program.
_TAKEN = {
    "np", "njit", "float32", "float64", "zero", "one", "half", "range", "step", "epoch", "shaped", "meet", "math",
    "kernels", "convolution", "products", "program", "two", "f4", "f8", "min", "max", "abs", "sum",
    "i", "j", "k", "l", "m", "n", "matmul", "add_matmul", "and", "or", "not", "if", "else", "for", "in", "is",
    "lambda", "order", "X", "Y", "array_at", "at", "inf", "nan",
    # of the loop over batches
    "row", "first", "last", "losses", "hits", "rates", "output", "s", "low", "high", "threads", "counter", "parts",
    "part_hits", "arrivals", "done", "total", "gradients", "gradients_of_fewer",
}  # fmt: skip

_WORDS = {"matmul": "product", "softmax_cross_entropy": "loss", "cross_entropy_slope": "slope", "index": "part"}


def _said(node: Node, numbered: bool) -> str:
    """The learner's line that a node goes back to; "back through" it for what the backward pass adds."""
    if node.adjoint_of:
        line = node.adjoint_of[0].line
        return f"back through {line if numbered else line.unnumbered()}" if line else ""
    part = node.block
    while part is not None:
        if part.kind in (BACKWARD, "update"):
            return ""
        part = part.outer
    return "" if node.line is None else str(node.line) if numbered else node.line.unnumbered()


# Array operations, by class ---------------------------------------------------------------------------------------


def _reshape(to: Linearizer, node: Node, a: Value) -> Value:
    return to.reshaped(a, node.shape)


def _transpose(to: Linearizer, node: Node, a: Value) -> Value:
    axes = node.op.axes  # type: ignore[union-attr]
    return to.view(a, node.shape, tuple(Place(axes.index(k)) for k in range(len(axes))), "T")


def _broadcast(to: Linearizer, node: Node, a: Value) -> Value:
    return spread(to, a, node.shape)


def spread(to: Linearizer, a: Value, shape: tuple[int, ...]) -> Value:
    new = len(shape) - len(a.shape)
    places = (Place(None) if n == 1 and shape[k + new] != 1 else Place(k + new) for k, n in enumerate(a.shape))
    return to.view(a, shape, tuple(places), "spread")


def key_places(key: Any, shape: Sequence[int]) -> Places:
    """The places in an array of `shape` that a[key] shows, for integers, slices, None and Ellipsis."""
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


def _index(to: Linearizer, node: Node, a: Value) -> Value:
    op = node.op
    assert isinstance(op, shape.Index)
    if not op.copies:
        return to.view(a, node.shape, key_places(op.key, a.shape), "part")
    where = op.places(a.shape)
    places = Value(to.name("places"), where.shape, where.dtype, "constant", np.ascontiguousarray(where))
    return to.call(node, "take", [a, places])


def _scatter(to: Linearizer, node: Node, a: Value) -> Value:
    op = node.op
    assert isinstance(op, shape.Scatter)
    if not op.index.copies:
        out = to.result(node)
        to.equations.append(Assemble(out, [a], [key_places(op.key, node.shape)], 0.0))
        return out
    where = op.index.places(node.shape)
    places = Value(to.name("places"), where.shape, where.dtype, "constant", np.ascontiguousarray(where))
    return to.call(node, "add_at", [a, places])


def _concatenate(to: Linearizer, node: Node, *inputs: Value) -> Value:
    axis = node.op.axis  # type: ignore[union-attr]
    inputs = tuple(to.cast(x, node.dtype) for x in inputs)
    out, at, start = to.result(node), [], 0
    for x in inputs:
        at.append(tuple(Place(k, 1, start if k == axis else 0) for k in range(len(x.shape))))
        start += x.shape[axis]
    to.equations.append(Assemble(out, list(inputs), at, None))
    return out


def _pad(to: Linearizer, node: Node, a: Value) -> Value:
    a = to.cast(a, node.dtype)
    out = to.result(node)
    at = tuple(Place(k, 1, before) for k, (before, _) in enumerate(node.op.widths))  # type: ignore[union-attr]
    to.equations.append(Assemble(out, [a], [at], float(node.op.fill)))  # type: ignore[union-attr]
    return out


def _cast(to: Linearizer, node: Node, a: Value) -> Value:
    return to.cast(a, node.dtype)


def _matmul(to: Linearizer, node: Node, a: Value, b: Value) -> Value:
    a, b = to.cast(a, node.dtype), to.cast(b, node.dtype)
    if node.dtype.kind == "f":
        out = to.result(node)
        to.equations.append(Product(out, [a, b]))
        return out
    lead = node.shape[:-2]  # tiles multiply no integers
    stacks = [spread(to, x, (*lead, *x.shape[-2:])) for x in (a, b)]
    return to.call(node, "product_of_bools" if node.dtype == bool else "product_of_integers", stacks)


def _sum(to: Linearizer, node: Node, a: Value) -> Value:
    return to.reduced(node, a, node.op.axes, "sum")  # type: ignore[union-attr]


def _power_is_root(exponent: Value) -> bool:
    """Whether this NumPy takes the square root for x ** 0.5, which is nan at -inf. The power itself is inf there.

    It does so for one exponent of a whole array, and not for an array of exponents, were they all 0.5.
    """
    with np.errstate(invalid="ignore"):
        return exponent.shape == () and bool(np.isnan(np.power(np.array([-np.inf, -np.inf]), 0.5)[0]))


def _is_one_number(array: np.ndarray) -> bool:
    """Whether an array holds one number many times: 0.0 and -0.0 are two."""
    first = array.reshape(-1)[0]
    same = array == first
    return bool(np.all(same)) and (array.dtype.kind != "f" or bool(np.all(np.signbit(array) == np.signbit(first))))


def _max(to: Linearizer, node: Node, a: Value) -> Value:
    assert isinstance(node.op, reduce.Max)
    return to.reduced(node, a, node.op.axes, node.op.name)  # "max" or "min"


def _cross_entropy(to: Linearizer, node: Node, logits: Value, labels: Value) -> Value:
    return to.call(node, "cross_entropy", [to.cast(logits, node.dtype), labels])


def _cross_entropy_slope(to: Linearizer, node: Node, logits: Value, labels: Value) -> Value:
    return to.call(node, "cross_entropy_slope", [logits, labels])


def _binary_cross_entropy(to: Linearizer, node: Node, logits: Value, targets: Value) -> Value:
    return to.call(node, "binary_cross_entropy", [to.cast(x, node.dtype) for x in (logits, targets)])


def _slide(side: str) -> Callable[..., Value]:
    def write(to: Linearizer, node: Node, first: Value, second: Value) -> Value:
        op = node.op
        assert isinstance(op, conv.Sliding)
        first, second = to.cast(first, node.dtype), to.cast(second, node.dtype)
        shapes = {"y": (first.shape, second.shape, node.shape), "w": (first.shape, node.shape, second.shape),
                  "x": (node.shape, second.shape, first.shape)}[side]  # fmt: skip
        x, w, y = shapes
        (down, right), (down_step, right_step) = op.stride, op.dilation
        rows, columns = -(-x[2] // down), -(-x[3] // right)  # of a plane: every so many-th row and column
        entries, length = math.prod(w[1:]), (y[2] - 1) * columns + y[3]

        def new(name: str, *shape: int, dtype: Any = node.dtype) -> Value:
            return to.new(name, shape, np.dtype(dtype))

        planes = new("planes", x[1], down * right, rows, columns)
        if side == "y":
            work = [new("table", entries, dtype=np.int64), planes, new("wide", w[0], length)]
        elif side == "w":
            work = [new("table", entries, dtype=np.int64), planes]
            work += [new("adjoints", length, w[0]), new("turned", entries, w[0])]
        else:
            before = (w[2] - 1) * down_step // down * columns + (w[3] - 1) * right_step // right
            each = w[0] * math.prod(w[2:])
            work = [new("counts", down * right, dtype=np.int64), new("table", each, dtype=np.int64)]
            work += [new("turned", w[1], each), new("spread", w[0], before + rows * columns), planes]
        return to.call(node, f"conv_{side}", [first, second], (*op.stride, *op.dilation), work)

    return write


def _winners(to: Linearizer, node: Node, a: Value) -> Value:
    return to.call(node, "winners", [a], (*node.op.size, *node.op.stride))  # type: ignore[union-attr]


def _max_pool(to: Linearizer, node: Node, a: Value) -> Value:
    return to.call(node, "max_pool", [a], (*node.op.size, *node.op.stride))  # type: ignore[union-attr]


def _pick(to: Linearizer, node: Node, a: Value, where: Value) -> Value:
    return to.call(node, "pick", [a, where])


def _place(to: Linearizer, node: Node, a: Value, where: Value) -> Value:
    return to.call(node, "place", [a, where])


def _avg_pool(to: Linearizer, node: Node, a: Value) -> Value:
    return to.call(node, "avg_pool", [to.cast(a, node.dtype)], (*node.op.size, *node.op.stride))  # type: ignore[union-attr]


def _share_out(to: Linearizer, node: Node, a: Value) -> Value:
    return to.call(node, "share_out", [a], (*node.op.size, *node.op.stride))  # type: ignore[union-attr]


def _mask(to: Linearizer, node: Node) -> Value:
    op = node.op
    assert isinstance(op, _Mask)
    rng = Value(to.name("rng"), (), np.dtype(object), "generator", op.rng)
    out = to.result(node)
    to.equations.append(Call(out, [rng], "dropout_mask", (float(op.p),)))
    return out


_WRITERS: dict[type[Operation], Callable[..., Value]] = {
    shape.Reshape: _reshape, shape.Transpose: _transpose, shape.BroadcastTo: _broadcast, shape.Index: _index,
    shape.Scatter: _scatter, shape.Concatenate: _concatenate, shape.Cast: _cast, pad.Pad: _pad,
    linalg.Matmul: _matmul, reduce.Sum: _sum, reduce.Max: _max,
    loss.SoftmaxCrossEntropy: _cross_entropy, loss.CrossEntropySlope: _cross_entropy_slope,
    loss.BinaryCrossEntropy: _binary_cross_entropy,
    conv.Conv2d: _slide("y"), conv.ConvImages: _slide("x"), conv.ConvFilters: _slide("w"),
    pool.MaxPool2d: _max_pool, pool.Winners: _winners, pool.Pick: _pick, pool.Place: _place,
    pool.AvgPool2d: _avg_pool, pool.ShareOut: _share_out, _Mask: _mask,
}  # fmt: skip

__all__ = ["CompileError", "Constant", "Linearizer", "key_places"]
