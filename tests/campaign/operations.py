"""The table of operations that drives the campaign. To add an operation, append an entry at the end of `TABLE`.

An entry says how an operation is called, on which shapes, and on which numbers. Everything else follows from it: the
memory layouts of the inputs, both dtypes, first and second derivatives, forward and reverse mode, reruns, and the wrong
gradients that are planted to see whether these cases notice (`mutants.py`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.loops.scan import scan
from minigrad.ops import conv, loss, matmul, pool, reduce
from minigrad.ops import shape as shapes_room
from minigrad.ops.pad import pad
from minigrad_course.check import check_gradients

from . import numpy_calls

Shape = tuple[int, ...]
Numbers = Callable[[np.random.Generator, Shape], np.ndarray]


# Which numbers an input takes ------------------------------------------------------------------------------------


def between(low: float, high: float) -> Numbers:
    """Numbers from low to high."""
    return lambda rng, shape: rng.uniform(low, high, shape)


def apart(offset: float = 0.0) -> Numbers:
    """Distinct numbers around 0, at least 0.2 apart, none of them within 0.05 of a multiple of 0.2 plus 0.1.

    Two inputs with offsets 0 and 0.1 hold no equal numbers, and no number of offset 0.1 is near 0: kinks are far away.
    """

    def draw(rng: np.random.Generator, shape: Shape) -> np.ndarray:
        size = int(np.prod(shape))
        return (0.2 * (rng.permutation(size + 4)[:size] - (size + 4) // 2) + offset).reshape(shape)

    return draw


def between_steps(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """Numbers far from all multiples of 0.65."""
    return 0.65 * (rng.integers(-3, 3, shape) + rng.uniform(0.3, 0.7, shape))


anything = between(-2.0, 2.0)
positive = between(0.4, 2.5)


# Which shapes, and how they lie in memory ------------------------------------------------------------------------

SHAPES: tuple[Shape, ...] = ((), (1,), (5,), (1, 4), (4, 1), (3, 4), (2, 3, 4), (0,), (0, 3), (3, 0, 2))
BROADCAST: tuple[Shape, ...] = ((), (1,), (4,), (1, 4), (3, 1), (3, 4), (2, 1, 1), (2, 1, 4), (2, 3, 4))
EMPTY: tuple[Shape, ...] = ((0,), (), (1,), (3, 0))
PAIRS = tuple(itertools.product(BROADCAST, repeat=2)) + tuple(itertools.product(EMPTY, repeat=2))
TRIPLES = tuple(itertools.product(((), (4,), (3, 1), (3, 4)), repeat=3)) + (((0,), (), (1,)), ((), (1,), (2, 0)))


@dataclass(frozen=True)
class Layout:
    """A view that gives an array of a wanted shape: the shape of the leaf, and the view of it."""

    name: str
    axes: int  # it takes arrays of at least so many axes
    leaf: Callable[[Shape], Shape]
    view: Callable[[Any, Shape], Any]


LAYOUTS = (
    Layout("plain", 0, lambda s: s, lambda x, s: x),
    Layout("transposed", 2, lambda s: s[::-1], lambda x, s: mg.transpose(x)),
    Layout("every second", 1, lambda s: (*s[:-1], 2 * s[-1]), lambda x, s: x[..., ::2]),
    Layout("backwards", 1, lambda s: s, lambda x, s: x[::-1]),
    Layout("repeated", 1, lambda s: (1, *s[1:]), lambda x, s: mg.broadcast_to(x, s)),  # stride 0
)
SPREAD = LAYOUTS[:-1]  # for operations with a kink where entries are equal


# Entries ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """One way to call an operation: `fn` on inputs of these shapes."""

    fn: Callable[..., Any]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Entry:
    """An operation: its calls, and the numbers for each input. `order` 1: it has no second derivative to speak of."""

    name: str
    calls: tuple[Call, ...]
    numbers: tuple[Numbers, ...]
    order: int = 2
    layouts: tuple[Layout, ...] = LAYOUTS
    group: bool = False  # each call is an operation of its own


@dataclass(frozen=True)
class Case:
    """One call of an operation, with the layout of each input and a dtype."""

    entry: Entry
    call: Call
    layouts: tuple[Layout, ...]
    dtype: type
    seed: int

    def leaves(self, shift: int = 0) -> list[Any]:
        rng = np.random.default_rng([self.seed, shift])
        drawn = [
            numbers(rng, layout.leaf(shape))
            for numbers, layout, shape in zip(self.entry.numbers, self.layouts, self.call.shapes, strict=True)
        ]
        return [np.asarray(x, self.dtype)[()] for x in drawn]

    def fn(self, *leaves: Any) -> Any:
        views = [
            layout.view(leaf, shape) for layout, leaf, shape in zip(self.layouts, leaves, self.call.shapes, strict=True)
        ]
        return self.call.fn(*views)

    def __str__(self) -> str:
        layouts = ", ".join(layout.name for layout in self.layouts)
        return f"{self.entry.name} on {self.call.shapes}, {layouts}, {self.dtype.__name__}"


def cases(entry: Entry) -> Iterator[Case]:
    """All cases of an entry. One input: every layout of every shape. Several: the layouts take turns."""
    number = 0
    for call in entry.calls:
        many = len(call.shapes) > 1
        for turn in range(2 if many and len(entry.calls) < 20 else 1 if many else len(entry.layouts)):
            layouts = []
            for k, shape in enumerate(call.shapes):
                layout = entry.layouts[(turn * 2 + k + number) % len(entry.layouts) if many else turn]
                layouts.append(layout if len(shape) >= layout.axes else None)
            if not many and layouts[0] is None:
                continue
            for dtype in (np.float64, np.float32):
                chosen = tuple(layout or LAYOUTS[0] for layout in layouts)
                yield Case(entry, call, chosen, dtype, number)
                number += 1


def check(case: Case) -> None:
    """The first derivative of a case: modes, finite differences, float32 against float64, and a rerun."""
    leaves = case.leaves()
    if case.dtype is np.float32:
        check_gradients(case.fn, *leaves, entries=0, directions=0)
    else:
        check_gradients(case.fn, *leaves, entries=0, directions=2, seed=case.seed)
        check_rerun(case)


def between_curves(case: Case) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function whose second derivatives are not 0, also where the operation is linear, and where to look at it.

    Two curves stand before and behind the operation: each input is x exp(u), looked at in u = 0, and the value is
    squared.
    """
    points = case.leaves()

    def curved(*us: Any) -> Any:
        return mg.square(case.fn(*(x * mg.exp(u) for x, u in zip(points, us, strict=True))))

    return curved, tuple(np.zeros(np.shape(x)) for x in points)


def check_second(case: Case) -> None:
    """The second derivatives of a case: against finite differences, and every mode over every mode."""
    curved, start = between_curves(case)
    check_gradients(curved, *start, entries=0, directions=1, order=2, seed=case.seed)

    rng = np.random.default_rng(case.seed)
    weights = rng.uniform(0.5, 1.5, np.shape(curved(*start)))
    directions = tuple(rng.uniform(0.5, 1.5, np.shape(x)) for x in start)

    def number(*us: Any) -> Any:
        return mg.sum(weights * curved(*us))

    def slope(*us: Any) -> Any:
        return mg.jvp(number, us, directions)[1]

    expected = mg.hvp(lambda us: number(*us), start, directions)  # forward over reverse, on the graph
    every = tuple(range(len(start)))
    _, forward_over_reverse = mg.jvp(mg.grad(number, every), start, directions)
    reverse_over_forward = mg.grad(slope, every)(*start)
    for got in (forward_over_reverse, reverse_over_forward):
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)
    _, forward_over_forward = mg.jvp(slope, start, directions)
    total = sum(np.sum(d * h) for d, h in zip(directions, expected, strict=True))
    np.testing.assert_allclose(forward_over_forward, total, rtol=1e-10, atol=1e-10)


def check_rerun(case: Case) -> None:
    """A graph that runs again on other numbers gives what a fresh graph gives: values and gradients."""
    old, new = case.leaves(), case.leaves(shift=1)
    rerun, fresh = [mg.Variable(x) for x in old], [mg.Variable(x) for x in new]
    rerun_graph, fresh_graph = mg.Graph(case.fn(*rerun)), mg.Graph(case.fn(*fresh))
    seed = np.random.default_rng(case.seed).uniform(0.5, 1.5, rerun_graph.output.shape)
    rerun_graph.backward(seed)
    for variable, x in zip(rerun, new, strict=True):
        variable.value = x
    rerun_graph.forward()
    rerun_graph.zero_grad()
    rerun_graph.backward(seed)
    fresh_graph.backward(seed)
    np.testing.assert_allclose(fresh_graph.output.value, case.fn(*new), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(rerun_graph.output.value, fresh_graph.output.value, rtol=1e-13, atol=1e-15)
    for again, first in zip(rerun, fresh, strict=True):
        np.testing.assert_allclose(again.grad, first.grad, rtol=1e-12, atol=1e-14)


def check_directions(case: Case) -> None:
    """Dual numbers that carry three directions at once: each gives what it gives alone."""
    leaves, rng = case.leaves(), np.random.default_rng(case.seed)
    directions = [rng.normal(size=(3, *np.shape(x))) for x in leaves]
    together = case.fn(*map(mg.Dual, leaves, directions)).tangent
    for k in range(3):
        alone = case.fn(*(mg.Dual(x, d[k]) for x, d in zip(leaves, directions, strict=True))).tangent
        np.testing.assert_allclose(together[k], alone, rtol=1e-12, atol=1e-13)


def second_order_cases(entry: Entry) -> list[Case]:
    """A few plain cases, spread over the calls of an entry; of a group one for each call."""
    if entry.order < 2:
        return []
    plain = [case for case in cases(entry) if case.dtype is np.float64 and any(map(np.size, case.leaves()))]
    if entry.group:
        return list({id(case.call): case for case in reversed(plain)}.values())[::-1]
    return plain[:: max(1, len(plain) // 5)]


def elementwise(name: str, *numbers: Numbers, fn: Callable[..., Any] | None = None, order: int = 2) -> Entry:
    """A row of the derivative table, on every shape, or every pair or triple of shapes that broadcast."""
    row = fn or mg.rules.TABLE[name]
    every = {1: tuple((s,) for s in SHAPES), 2: PAIRS, 3: TRIPLES}[len(numbers)]
    return Entry(name, tuple(Call(row, shapes) for shapes in every), numbers, order)


def array(
    name: str, *calls: tuple[Any, ...], numbers: Numbers = anything, layouts: tuple[Layout, ...] = LAYOUTS
) -> Entry:
    """An array operation: each call is a function and the shapes of its inputs."""
    made = tuple(Call(call[0], tuple(call[1:])) for call in calls)
    return Entry(name, made, (numbers,) * len(made[0].shapes), layouts=layouts)


def _axes(op: Callable[..., Any]) -> tuple[tuple[Any, ...], ...]:
    """The usual calls of a reduction: over all, one or several axes, with the axes kept or not."""
    return (
        (lambda x: op(x), ()),
        (lambda x: op(x), (5,)),
        (lambda x: op(x), (2, 3, 4)),
        (lambda x: op(x, 0), (3, 4)),
        (lambda x: op(x, -1, keepdims=True), (3, 4)),
        (lambda x: op(x, (0, 2)), (2, 3, 4)),
        (lambda x: op(x, (2, 1), keepdims=True), (2, 3, 4)),
        (lambda x: op(x, 0), (2, 0)),
    )


def _tanh_cell(xs: Any, h: Any, w: Any, checkpoint: Any) -> Any:
    """A small recurrent layer: its last state, and the sum of its outputs."""

    def cell(h: Any, x: Any) -> tuple[Any, Any]:
        h = mg.tanh(w @ h + mg.sum(x) * h)
        return h, h * x[0]

    last, ys = scan(cell, xs, h, checkpoint)
    return last + mg.sum(ys, 0)


def _two_states(xs: Any, h: Any, checkpoint: Any) -> Any:
    """A loop whose second state reads the first, whose output is used only in part, and that has no weights."""

    def cell(state: Any, x: Any) -> tuple[Any, Any]:
        a, b = state
        return (mg.sin(a + x), a * b + 0.5), (b - x, a * x)

    (a, b), (first, _) = scan(cell, xs, (h, h * h), checkpoint)
    return a * b + mg.sum(first, 0)


def _loop_in_a_loop(xs: Any, h: Any, w: Any, outer: Any, inner: Any) -> Any:
    """Each step of a loop is a loop over the weights, whose results are all used."""

    def step(g: Any, k: Any) -> tuple[Any, Any]:
        g = mg.sin(g * k + g)
        return g, g * g

    def cell(h: Any, x: Any) -> tuple[Any, Any]:
        h, squares = scan(step, w, h + x, inner)
        return h, mg.sum(squares, 0) * h

    last, ys = scan(cell, xs, h, outer)
    return last + mg.sum(ys, 0)


# NumPy's functions that are made of operations: which numbers a group of calls takes, if not any.
_NUMBERS: dict[str, tuple[Numbers, ...]] = {
    "floats away from kinks": (apart(0.05),), "positive floats": (positive,),
    "two floats that differ": (apart(0.05), apart(0.08)), "two positive floats": (positive, positive),
    "in order": (apart(0.03),),
}  # fmt: skip


def _numpys() -> Iterator[Entry]:
    """The calls of numpy_calls.py, group by group, those with one input and those with two."""
    groups: dict[tuple[str, int], list[Call]] = {}
    for group, text, shapes in numpy_calls.calls():
        if group not in numpy_calls.ELEMENTWISE or shapes[0] in numpy_calls.GRAPHED:
            groups.setdefault((group, len(shapes)), []).append(Call(numpy_calls.in_minigrad(text), shapes))
    for (group, inputs), calls in groups.items():
        numbers = _NUMBERS.get(group, (anything,) * inputs)
        yield Entry(f"{group}, {inputs}", tuple(calls), numbers, layouts=LAYOUTS[:3:2], group=True)


_COLUMN = np.array([1.5, -0.5]).reshape(2, 1, 1, 1)
_ROWS = np.array([0, 2, 2, 1, 0])
_MASK = np.array([True, False, True])
_LABELS = np.array([0, 2, 1])


def attention(x: Any, w: Any, mask: Any = None) -> Any:
    """nn.MultiheadAttention with two heads, on (n, steps, 4), its weights (16, 4) an input as well."""
    layer = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
    layer.in_proj_weight, layer.out_proj.weight = w[:12], w[12:]
    return layer(x, attn_mask=mask, is_causal=mask is None, need_weights=False)[0]


def _layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    """nn.LayerNorm with weight and bias as inputs."""
    layer = nn.LayerNorm(weight.shape, 0.01)
    layer.weight, layer.bias = weight, bias
    return layer(x)


TABLE: list[Entry] = [
    # The derivative table, row by row.
    elementwise("add", anything, anything),
    elementwise("sub", anything, anything),
    elementwise("mul", anything, anything),
    elementwise("div", anything, positive),
    elementwise("pow", positive, anything),
    elementwise("neg", anything),
    elementwise("square", anything),
    elementwise("sqrt", positive),
    elementwise("exp", anything),
    elementwise("log", positive),
    elementwise("expm1", anything),
    elementwise("log1p", between(-0.5, 2.0)),
    elementwise("sin", between(-4.0, 4.0)),
    elementwise("cos", between(-4.0, 4.0)),
    elementwise("tan", between(-1.2, 1.2)),
    elementwise("arcsin", between(-0.8, 0.8)),
    elementwise("arccos", between(-0.8, 0.8)),
    elementwise("arctan", between(-4.0, 4.0)),
    elementwise("sinh", anything),
    elementwise("cosh", anything),
    elementwise("tanh", anything),
    elementwise("sigmoid", between(-4.0, 4.0)),
    elementwise("softplus", between(-4.0, 4.0)),
    elementwise("logsigmoid", between(-4.0, 4.0)),
    elementwise("relu", apart(0.1)),
    elementwise("leaky_relu", apart(0.1), between(0.1, 0.5)),
    elementwise("gelu", between(-4.0, 4.0)),
    elementwise("abs", apart(0.1)),
    elementwise("maximum", apart(0.1), apart()),
    elementwise("minimum", apart(0.1), apart()),
    elementwise("clip", apart(), between(-0.32, -0.28), between(0.28, 0.32)),
    elementwise("where", apart(0.1), anything, anything, fn=lambda a, b, c: mg.where(mg.relu(a), b, c)),
    elementwise("log2", positive),
    elementwise("log10", positive),
    elementwise("exp2", anything),
    elementwise("cbrt", positive),
    elementwise("arcsinh", anything),
    elementwise("arctanh", between(-0.8, 0.8)),
    elementwise("arctan2", positive, anything),
    elementwise("hypot", positive, anything),
    elementwise("logaddexp", anything, apart(0.15)),
    elementwise("remainder", between_steps, between(0.64, 0.66)),
    elementwise("fmod", between_steps, between(0.64, 0.66)),
    elementwise("copysign", apart(0.1), apart(0.1)),
    # The rows that partial derivatives need.
    elementwise("scaled_power", anything, positive, anything),
    elementwise("xlogy", positive, positive),
    elementwise("normal_pdf", anything),
    elementwise("normal_cdf", anything),
    elementwise("safe_div", anything, positive),
    elementwise("root", positive),
    elementwise("step", apart(0.1), fn=lambda x: x * mg.rules.step(x)),
    elementwise("inside", apart(), between(-0.32, -0.28), between(0.28, 0.32),
                fn=lambda x, low, high: x * mg.rules.inside(x, low, high)),
    elementwise("preference", apart(0.1), apart(), fn=lambda a, b: a * mg.rules.preference(a, b)),
    # Constant almost everywhere: as factors, because alone they have no derivative that could be wrong.
    elementwise("sign", apart(0.1), fn=lambda x: x * mg.sign(x)),
    *(elementwise(name, apart(0.05), fn=lambda x, row=mg.rules.TABLE[name]: x * row(x))
      for name in ("floor", "ceil", "trunc", "rint")),
    elementwise("floor_divide", between_steps, between(0.64, 0.66), fn=lambda a, b: a * (a // b)),
    elementwise("greater", apart(0.1), apart(), fn=lambda a, b: a * mg.greater(a, b)),
    elementwise("greater_equal", apart(0.1), apart(), fn=lambda a, b: a * mg.greater_equal(a, b)),
    elementwise("less", apart(0.1), apart(), fn=lambda a, b: a * mg.less(a, b)),
    elementwise("less_equal", apart(0.1), apart(), fn=lambda a, b: a * mg.less_equal(a, b)),
    elementwise("equal", apart(0.1), apart(), fn=lambda a, b: a * mg.equal(a, b)),
    elementwise("not_equal", apart(0.1), apart(), fn=lambda a, b: a * mg.not_equal(a, b)),
    elementwise("identity", anything),
    # Powers that are written as numbers, and operators of Python with numbers.
    elementwise("power of a number", apart(0.1), fn=lambda x: x**3 - x**2 + x**-1 + x**0 + x**1),
    elementwise("number to a power", anything, fn=lambda x: 2**x + 0.5**x),
    elementwise("numbers left and right", apart(0.1), fn=lambda x: (2 - x) * 3 / x + 1 / (x * x + 0.5) - abs(x)),
    elementwise("with a constant array", anything, fn=lambda x: x - _COLUMN + x * _COLUMN),
    # Arrays.
    array("matmul",
          (mg.matmul, (3, 4), (4, 2)), (mg.matmul, (4,), (4, 2)), (mg.matmul, (3, 4), (4,)), (mg.matmul, (4,), (4,)),
          (mg.matmul, (2, 3, 4), (2, 4, 5)), (mg.matmul, (2, 3, 4), (4, 5)), (mg.matmul, (3, 4), (2, 4, 1)),
          (mg.matmul, (2, 1, 1, 3), (4, 3, 2)), (mg.matmul, (2, 0), (0, 3)), (mg.matmul, (0, 3), (3, 2)),
          (mg.matmul, (1, 1), (1, 1)), (mg.matmul, (4,), (2, 4, 3))),
    array("sum", *_axes(mg.sum)),
    array("mean", *_axes(mg.mean)[:-1]),
    array("max", *_axes(mg.max)[:-1], numbers=apart()),
    array("min", *_axes(mg.min)[:-1], (reduce.Min((0,), False), (3, 4)), (reduce.Min((0, 2), True), (2, 3, 4)),
          numbers=apart()),
    array("logsumexp", *_axes(mg.logsumexp)[:-1]),
    array("softmax", *((mg.softmax, s) for s in SHAPES[1:7]), (lambda x: mg.softmax(x, 0), (3, 4)),
          (lambda x: mg.softmax(x, 1), (2, 3, 4))),
    array("log_softmax", *((mg.log_softmax, s) for s in SHAPES[1:7]), (lambda x: mg.log_softmax(x, 0), (3, 4)),
          (lambda x: mg.log_softmax(x, 1), (2, 3, 4))),
    array("reshape", (lambda x: mg.reshape(x, 6), (2, 3)), (lambda x: mg.reshape(x, (3, 2)), (2, 3)),
          (lambda x: mg.reshape(x, 1, 1), ()), (lambda x: mg.reshape(x, ()), (1, 1)),
          (lambda x: mg.reshape(x, 4, -1), (2, 3, 4)), (lambda x: mg.reshape(x, 0, 5), (0, 3))),
    array("transpose", (mg.transpose, (3, 4)), (lambda x: x.T, (5,)), (lambda x: mg.transpose(x, (1, 2, 0)), (2, 3, 4)),
          (lambda x: mg.transpose(x, (-1, 0, 1)), (2, 3, 4)), (lambda x: mg.swapaxes(x, 0, 2), (2, 3, 4)),
          (mg.transpose, (0, 3))),
    array("broadcast_to", (lambda x: mg.broadcast_to(x, (3,)), ()), (lambda x: mg.broadcast_to(x, (3, 4)), (4,)),
          (lambda x: mg.broadcast_to(x, (3, 4)), (3, 1)), (lambda x: mg.broadcast_to(x, (2, 3, 4)), (1, 4)),
          (lambda x: mg.broadcast_to(x, (2, 3, 4)), (2, 1, 1)), (lambda x: mg.broadcast_to(x, (0, 4)), (1, 4))),
    array("squeeze, expand_dims", (mg.squeeze, (1, 4)), (lambda x: mg.squeeze(x, 1), (4, 1)),
          (lambda x: mg.expand_dims(x, 0), (3, 4)), (lambda x: mg.expand_dims(x, -1), (5,)),
          (lambda x: mg.expand_dims(x, 1), (2, 3, 4))),
    array("index", (lambda x: x[1], (5,)), (lambda x: x[1:, ::2], (3, 4)), (lambda x: x[::-1, None], (3, 4)),
          (lambda x: x[..., -1], (2, 3, 4)), (lambda x: x[_ROWS], (3, 4)), (lambda x: x[_MASK], (3, 4)),
          (lambda x: x[_ROWS, _ROWS], (3, 4)), (lambda x: x[[0, 0, 1]], (2, 3, 4)), (lambda x: x[:0], (5,)),
          (lambda x: x[2, 1], (3, 4))),
    array("scatter", (shapes_room.Scatter(1, (3,)), ()), (shapes_room.Scatter(slice(None, None, 2), (5,)), (3,)),
          (shapes_room.Scatter(_ROWS, (3, 4)), (5, 4)), (shapes_room.Scatter((_ROWS, _ROWS), (3, 3)), (5,)),
          (shapes_room.Scatter((slice(None), 1), (3, 4)), (3,)), (shapes_room.Scatter(_MASK, (3,)), (2,))),
    array("concatenate", (lambda a, b: mg.concatenate([a, b]), (2,), (3,)),
          (lambda a, b: mg.concatenate([a, b], axis=1), (3, 4), (3, 1)),
          (lambda a, b: mg.concatenate([a, b, a], axis=-1), (2, 3, 4), (2, 3, 2)),
          (lambda a, b: mg.concatenate([a, b]), (0, 3), (2, 3)),
          (lambda a, b: mg.concatenate([b, a, b], axis=1), (2, 3, 4), (2, 1, 4)),
          *((lambda a, b, k=k: mg.concatenate([a, b], k), (1, 2, 3), (1, 2, 3)) for k in (-3, -2, -1, 0, 1, 2))),
    array("stack", *((lambda a, b, k=k: mg.stack([a, b, a], k), s, s)
                     for s in ((), (4,), (3, 4), (0, 2)) for k in range(-len(s) - 1, len(s) + 1))),
    array("cast", *((lambda x: mg.cast(x, np.float64), s) for s in SHAPES)),
    array("sum_to", (lambda x: shapes_room.sum_to(x, ()), (3, 4)), (lambda x: shapes_room.sum_to(x, (4,)), (3, 4)),
          (lambda x: shapes_room.sum_to(x, (3, 1)), (3, 4)), (lambda x: shapes_room.sum_to(x, (1, 4)), (2, 3, 4)),
          (lambda x: shapes_room.sum_to(x, (3, 4)), (3, 4))),
    array("softmax_cross_entropy", (lambda z: mg.softmax_cross_entropy(z, _LABELS), (3, 4)),
          (lambda z: mg.softmax_cross_entropy(z, _LABELS[:1]), (1, 3)),
          (lambda z: mg.softmax_cross_entropy(z * 30, _LABELS), (3, 3)),
          (lambda z: mg.softmax_cross_entropy(z[:, 0], _LABELS[:2]), (2, 2, 4)),
          (lambda z: mg.softmax_cross_entropy(z, np.zeros(5, int)), (5, 1))),
    array("dot", *((matmul.dot, *shapes) for shapes in (
          ((), ()), ((), (3,)), ((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 4), (4, 2)), ((2, 3, 4), (4,)),
          ((2, 3, 4), (4, 2)), ((3, 4), (2, 4, 2)), ((2, 3, 4), (2, 4, 2))))),
    array("outer", *((matmul.outer, *shapes) for shapes in itertools.product(((), (1,), (3,), (2, 3)), repeat=2))),
    array("prod", *_axes(mg.prod), (mg.prod, (7,))),
    array("var", *_axes(reduce.var)[:-1], (lambda x: reduce.var(x, 1, ddof=1), (3, 4))),
    array("std", *_axes(reduce.std)[1:-1], (lambda x: reduce.std(x, 1, ddof=1), (3, 4)), layouts=SPREAD),
    array("norm", *_axes(reduce.norm)[:-1], numbers=positive),
    array("pad", (lambda x: pad(x, 1), (3,)), (lambda x: pad(x, (0, 2)), (3, 4)), (lambda x: pad(x, 2, 1.5), (2, 0)),
          (lambda x: pad(x, ((1, 0), (0, 2))), (3, 4)), (lambda x: pad(x, ((0, 0), (1, 2), (0, 1)), -1), (2, 3, 4))),
    array("conv2d", *((lambda x, w, how=how: conv.conv2d(x, w, **how), x, w) for x, w, how in (
          ((1, 1, 3, 3), (1, 1, 2, 2), {}), ((2, 3, 5, 4), (4, 3, 3, 2), {}), ((2, 1, 4, 4), (3, 1, 4, 4), {}),
          ((1, 2, 5, 5), (2, 2, 3, 3), {"padding": 1}), ((2, 2, 5, 6), (1, 2, 2, 3), {"stride": 2}),
          ((1, 2, 6, 5), (2, 2, 2, 2), {"dilation": 2}), ((1, 1, 5, 7), (2, 1, 3, 2), {"stride": (1, 2)}),
          ((2, 2, 4, 5), (3, 2, 2, 2), {"stride": (2, 3), "padding": (1, 2), "dilation": (2, 1)}),
          ((1, 1, 4, 4), (1, 1, 1, 1), {"padding": 2}), ((0, 2, 3, 3), (2, 2, 2, 2), {})))),
    array("conv2d with bias", *((lambda x, w, b, how=how: conv.conv2d(x, w, b, **how), x, w, w[:1]) for x, w, how in (
          ((1, 1, 3, 3), (1, 1, 2, 2), {}), ((2, 3, 5, 4), (4, 3, 3, 2), {}), ((2, 1, 4, 4), (3, 1, 4, 4), {}),
          ((1, 2, 5, 5), (2, 2, 3, 3), {"padding": 1}), ((2, 2, 5, 6), (3, 2, 2, 3), {"stride": 2}),
          ((1, 2, 6, 5), (2, 2, 2, 2), {"dilation": 2}), ((1, 1, 5, 7), (2, 1, 3, 2), {"stride": (1, 2)}),
          ((1, 1, 3, 4), (2, 1, 2, 2), {}), ((2, 1, 3, 3), (1, 1, 1, 2), {}), ((1, 3, 2, 2), (2, 3, 1, 1), {})))),
    array("max_pool2d", *((lambda x, how=how: pool.max_pool2d(x, *how), s) for s, how in (
          ((1, 1, 2, 2), (2,)), ((2, 3, 4, 5), (2,)), ((1, 2, 5, 5), (3, 1)), ((2, 1, 6, 4), ((3, 2), (1, 2))),
          ((1, 1, 7, 7), (2, 3)))), numbers=apart(), layouts=SPREAD),
    array("avg_pool2d", *((lambda x, how=how: pool.avg_pool2d(x, *how), s) for s, how in (
          ((1, 1, 2, 2), (2,)), ((2, 3, 4, 5), (2,)), ((1, 2, 5, 5), (3, 1)), ((2, 1, 6, 4), ((3, 2), (1, 2))),
          ((1, 1, 7, 7), (2, 3))))),
    array("binary_cross_entropy_with_logits",
          *((loss.binary_cross_entropy_with_logits, s, s) for s in SHAPES[:7] for _ in range(2))),
    array("scan", *((lambda xs, h, w, keep=keep: _tanh_cell(xs, h, w, keep), (n, 2), (3,), (3, 3))
                    for keep in ("everything", "states", 2, "sqrt") for n in (1, 4, 5)), numbers=between(-0.8, 0.8)),
    array("scan of two states", *((lambda xs, h, keep=keep: _two_states(xs, h, keep), (n, 2), (2,))
                                  for keep in ("everything", "states", 2, "sqrt") for n in (1, 3, 4)),
          numbers=between(-0.8, 0.8)),
    array("scan in a scan", *((lambda xs, h, w, outer=outer, inner=inner: _loop_in_a_loop(xs, h, w, outer, inner),
                               (n, 2), (2,), (3, 2))
                              for outer, inner in (("everything", "states"), ("everything", "everything"),
                                                   ("states", "everything"), ("everything", 2)) for n in (1, 2, 3)),
          numbers=between(-0.8, 0.8)),
    array("mse", *((mg.mse, s, s) for s in ((), (1,), (5,), (1, 4), (4, 1), (3, 4), (2, 3, 4), (6, 2), (7,), (2, 2)))),
    array("take_rows", *((lambda x, k=k, axis=axis: mg.take(x, np.array(k), axis), s) for s, k, axis in (
          ((5,), 1, 0), ((5,), [0, -1, 0], 0), ((3, 4), [[2, 0], [2, 2]], 0), ((3, 4), -1, 0), ((2, 3, 4), [1, 1], 0),
          ((2, 3, 4), [[0, 3]], -1), ((2, 3, 4), [1, 1], 1))), (lambda x: mg.take(x, mg.cast(_ROWS, np.int8)), (3, 4)),
          (lambda x: np.take(x, _ROWS), (3, 4)), (lambda x: mg.take(x, np.zeros(0, int)), (3, 4))),
    *_numpys(),
    # Layers that are made of several operations, with their weights as inputs.
    array("attention", *((lambda x, w, mask=mask: attention(x, w, mask), s, (16, 4))
                         for s in ((1, 1, 4), (2, 3, 4), (1, 4, 4), (3, 2, 4))
                         for mask in (None, np.zeros((s[1], s[1]), bool), np.ones((s[1], s[1])))),
          numbers=between(-0.8, 0.8)),
    array("layer_norm", *((_layer_norm, s, s[-1:], s[-1:]) for s in (
          (3,), (1, 4), (3, 4), (4, 2), (2, 3, 4), (1, 3, 5), (3, 1, 2), (2, 2, 2), (2, 6), (0, 3)))),
    array("gelu by tanh", *((nn.GELU("tanh"), s) for s in SHAPES)),
    # Further operations go here, under the names that their classes have.
]  # fmt: skip

ENTRIES: dict[str, Entry] = {entry.name: entry for entry in TABLE}
