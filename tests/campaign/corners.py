"""Questions that aim at one pass of the compiler each: what random graphs seldom hit, and mistakes hide in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core.rules import Rule
from minigrad.loops.scan import scan
from minigrad.ops import conv, pool
from minigrad.ops.pad import pad

from .modes import Question

Shape = tuple[int, ...]


def _swapping(xs: Any, a: Any, b: Any) -> Any:
    (a, b), ys = scan(lambda state, x: ((state[1], state[0] + x), state[0] * x), xs, (a, b))
    return [a, b, ys]


def _adding_products(xs: Any, ys: Any, total: Any) -> Any:
    """Sums of products over the steps, from a start that is not 0."""
    last, _ = scan(lambda t, pair: (t + mg.transpose(pair[0]) @ pair[1], mg.sum(pair[0])), (xs, ys), total)
    return last


def _turned_layers(xs: Any, w: Any, h: Any) -> Any:
    """Layers of the input that are read backwards, and transposed."""
    last, ys = scan(lambda h, x: (mg.tanh(x[:, ::-1] @ w + h), mg.transpose(x) @ h), xs, h)
    return [last, ys]


def _product_with_the_state(xs: Any, w: Any, h: Any) -> Any:
    """Products of the input with what depends on the state: they stay in the loop."""
    last, ys = scan(lambda h, x: (mg.tanh(x @ (w * h[:1])), x @ mg.transpose(w * h[:1])), xs, h)
    return [last, ys]


def _two_loops(xs: Any, h: Any) -> Any:
    """Two loops over the same input."""

    def cell(h: Any, x: Any) -> Any:
        return mg.sin(h + x), h * x

    h, first = scan(cell, xs, h)
    h, second = scan(cell, first, h)
    return [h, second]


def _one_piece(a: Any) -> Any:
    """Assemble an array from a single piece, twice over, unchanged and in one row."""
    seen = mg.concatenate([mg.concatenate([mg.transpose(a)])])[:]
    alone = mg.concatenate([a[::-1], a[:0]])[:]
    rows = mg.concatenate([mg.broadcast_to(a[0], (4, a.shape[1]))])[:]
    stacked = mg.stack([a[:, ::-1]])[:]
    result = [seen * 2, mg.reshape(seen, -1) + 1, alone * 3, mg.log(1.5 + mg.reshape(alone, -1) ** 2)]
    return [*result, mg.tanh(rows), mg.reshape(rows, -1) + 1, mg.tanh(stacked), mg.reshape(stacked, -1) + 1]


def _reshaped_and_backwards(a: Any) -> Any:
    """Read under another shape, and then backwards or transposed."""
    one_row = mg.reshape(mg.sin(a), -1)
    (slope,) = mg.adjoints(mg.sum(mg.square(a[::-1])), [a])
    result = [
        one_row[::-1] * one_row,
        mg.reshape(mg.sin(a), 3, 2)[:, ::-1] * 2,
        mg.reshape(a.T * 1, -1) * one_row,
        mg.sin(mg.reshape(a[::-1] - 0.0, 3, 2)),
        mg.stop_gradient(mg.reshape(slope, -1) + 1),
    ]
    return result


def _one_piece_in_a_loop(xs: Any, w: Any) -> Any:
    """A piece put together outside, from w turned round, that the loop looks at in one row."""
    piece = mg.concatenate([mg.transpose(w)])

    def cell(h: Any, x: Any) -> Any:
        again = mg.concatenate([piece, mg.transpose(x)[:0]])[:]
        return mg.sin(h + x), mg.reshape(again, -1) * mg.sum(x)

    return scan(cell, xs, w)[1]


def _piece_beside_a_loop(xs: Any, w: Any) -> Any:
    """Assemble an array from a loop's rows and its result, side by side."""
    piece = mg.sin(xs)
    ys = scan(lambda h, x: (h, x @ w), piece, xs[0] * 0)[1]
    return mg.exp(mg.tanh(mg.concatenate([ys, piece, ys])))


def _reshaped_products(xs: Any, w: Any, h: Any) -> Any:
    """Products of the input that the loop looks at in another shape."""
    last, ys = scan(lambda h, x: (mg.tanh(mg.reshape(x @ w, h.shape) + h), mg.reshape(x @ w, -1)), xs, h)
    again, flat = scan(lambda h, x: (mg.tanh(mg.reshape(x @ w, h.shape) + h), mg.reshape(x @ w, -1)), xs, h, "states")
    return [last, ys, again, flat]


def _turned_sums(xs: Any) -> Any:
    """Sums of products over the steps that are turned about on their way, from 0 and from what is not 0."""
    result = []
    for step in (
        lambda s, p: s + mg.transpose(p), lambda s, p: mg.transpose(s) + p, lambda s, p: s[::-1] + p,
        lambda s, p: mg.transpose(s + p), lambda s, p: (s + p)[:, ::-1], lambda s, p: p + s,
    ):  # fmt: skip
        for start in (mg.Constant(np.zeros(xs.shape[1:], xs.dtype)), xs[0]):
            last, _ = scan(lambda s, x, step=step: (step(s, mg.transpose(x) @ mg.sin(x)), mg.sum(x)), xs, start)
            result += [last, mg.reshape(last, -1)]
    return result


def _carried_and_turned(xs: Any, w: Any, h: Any) -> Any:
    """Sums that a product of another state is added to, which the loop carries on in another order."""
    result = []
    for turned in (lambda n: n[::-1], mg.transpose, lambda n: n):

        def cell(state: Any, x: Any, turned: Any = turned) -> Any:
            total, other = state
            total = total + mg.sin(other * x) @ w
            return (turned(total), mg.cos(other)), total

        result.append(scan(cell, xs, (h, w))[1])
    return result


def _parts_of_products(xs: Any, h: Any) -> Any:
    """Sums over the steps of a part of a product."""
    last, _ = scan(lambda s, x: (s + (mg.transpose(x) @ mg.sin(x))[:2], mg.sum(x)), xs, h)
    return [last, mg.reshape(last, -1)]


def _slices_of_slices(x: Any, w: Any) -> Any:
    """Loops through what is turned twice, put together, or lies behind something else."""
    wave, result = mg.sin(x), []
    for seen in (
        x[::-1][::-1], x[::-1, ::-1][::-1], mg.concatenate([x[::-1]]), mg.concatenate([x, wave[::-1]])[2:5],
        x[1:][::-1][:2], wave,
    ):  # fmt: skip
        result += [seen @ w, scan(lambda h, a: (mg.tanh(h + a @ w), h), seen, w)[0]]
    return [*result, mg.concatenate([x, wave])]


def _zeros(a: Any) -> Any:
    """Turn zeros of both signs into infinities of the same sign."""
    zero = 0 * a
    result = (
        mg.relu(zero),
        mg.maximum(zero, 0.0),
        np.clip(zero, 0.0, 1.0),
        mg.minimum(zero, -0.0),
        mg.sum(zero[:1], 0),
        mg.mean(zero[:1]),
        mg.max(mg.stack([zero, abs(zero)]), 0),
    )
    return [mg.stop_gradient(1 / y) for y in result]


def _infinite_bias(added: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """An infinite pixel meets an infinite bias in one of two channels."""

    def build(x: Any, w: Any) -> Any:
        pixels, bias = (mg.cast(mg.Constant(n), x.dtype) for n in (_ONE_MINUS_INFINITY, _HALF_INFINITE))
        return mg.stop_gradient(pool.max_pool2d(mg.relu(conv.conv2d(x + pixels, w * w + 1) + added(bias)), 2))

    return build


def _results_of_several_dtypes(xs: Any, h: Any) -> Any:
    """Numbers, conditions and integers from one loop, which are then added up and multiplied."""
    small = mg.cast(xs * 100, np.int8)

    def cell(state: Any, x: Any) -> Any:
        h, count = state
        return (h * x[0] + x[1], count + (x[0] > 0)), (x[0] > 0, h < x[0], x[1], mg.cast(h, np.float32))

    (h, count), (up, low, whole, single) = scan(cell, (xs, small), (h, mg.Constant(np.zeros(h.shape, np.int64))))
    return [h, count, mg.sum(up + low, 0), up * single, whole * whole, single * single, mg.where(low, single, h)]


def _pooled(activation: Callable[[Any], Any]) -> Callable[[Any, Any, Any], Any]:
    return lambda x, w, b: pool.max_pool2d(activation(conv.conv2d(x, w, b)), 2)


def _ones_but_for(number: float, place: tuple[int, ...], shape: Shape) -> np.ndarray:
    """Ones, and somewhere a number that is not finite."""
    array = np.ones(shape)
    array[place] = number
    return array


_EDGE = _ones_but_for(np.inf, (0, 4), (4, 5))  # at the right: a filter hangs over it where its adjoint is 0
_BELOW = _ones_but_for(np.inf, (6, 2), (7, 6))  # under outputs that no window of a pool has
_IN_ONE = _ones_but_for(np.inf, (1, 0), (2, 2))
_MIDDLE = _ones_but_for(np.nan, (3, 3), (7, 7))
_CORNER = _ones_but_for(np.inf, (1, 2), (3, 3))
_ZEROS = np.zeros((3, 3))
_ONE_MINUS_INFINITY = np.where(np.arange(8).reshape(2, 1, 2, 2) == 0, -np.inf, 0.0)
_HALF_INFINITE = np.array([np.inf, 0.0])

_DOWN = 9.0 * np.arange(3).reshape(3, 1, 1)


# Rows of one's own: without a name, of one name, and with the names of rows that the table has.
_DOUBLE, _TRIPLE = Rule("a * 2", "2"), Rule("a * 3", "3")
_WAVE, _OTHER_WAVE = Rule("sin(a) + 2", "cos(a)", name="wave"), Rule("cos(a)", "-sin(a)", name="wave")
_NAMED = [
    Rule("1.0 if a > 1 else 0.0", "0", name="step"), Rule("a + 1", "1", name="identity"), Rule("-a", "-1", name="copy"),
    Rule("0.5 * a * (1 + tanh(0.8 * a))", "1", name="gelu"), Rule("a - 1", "1", name="sum"),
]  # fmt: skip
_SQUARED_AND_1 = Rule("a * a + 1", "2 * a", name="square")


def _own_rows(x: mg.Node) -> list[mg.Node]:
    number = mg.cast(mg.Constant(np.full(2, 2.0)), x.dtype)
    return [_DOUBLE(x), _TRIPLE(x), _WAVE(x), _OTHER_WAVE(x), *(f(x) for f in _NAMED), _SQUARED_AND_1(number) + x]


def _needed_later(x: mg.Node, w: mg.Node) -> list[mg.Node]:
    """The way back needs the input of gelu for its derivative, and then once more."""
    a = x * x
    f = mg.gelu(a) @ w
    (x_bar,) = mg.adjoints(mg.sum(f), [x])
    return [mg.stop_gradient(y) for y in (f, x_bar, mg.transpose(a) @ x_bar)]


def _two_activations(x: mg.Node, w: mg.Node) -> list[mg.Node]:
    """Two layers, whose activations' derivatives are both computed on the way forward."""
    f = mg.sum(mg.gelu(mg.gelu(x @ w + 1) @ w + x) @ w)
    return [mg.stop_gradient(y) for y in (f, *mg.adjoints(f, [x, w]))]


CORNERS: dict[str, tuple[Callable[..., Any], tuple[Shape, ...]]] = {
    "two states change places": (_swapping, ((5, 3), (3,), (3,))),
    "sums of products over steps": (_adding_products, ((4, 3, 2), (4, 3, 5), (2, 5))),
    "sums of square products over steps": (_adding_products, ((4, 3, 3), (4, 3, 3), (3, 3))),
    "layers turned round": (_turned_layers, ((3, 4, 4), (4, 4), (4, 4))),
    "products with the state": (_product_with_the_state, ((3, 4, 4), (4, 4), (4, 4))),
    "two loops": (_two_loops, ((4, 3), (3,))),
    "results of several dtypes": (_results_of_several_dtypes, ((5, 3), (3,))),
    "slices put together": (lambda a, b: mg.concatenate([mg.sin(a)[1:], mg.cos(b), mg.sin(a)[:1]]), ((4,), (3,))),
    "a part of a result put together": (lambda a, b: mg.concatenate([mg.sin(a)[:2], mg.cos(b)]), ((4,), (3,))),
    "backwards put together": (lambda a, b: mg.concatenate([mg.sin(a)[::-1], mg.cos(b)]), ((4,), (3,))),
    "numbers as conditions": (lambda a, b: [mg.where(a, b, 2 * b), mg.cast(a, np.bool_)], ((3, 2), (2,))),
    "the largest in the first": (lambda a: mg.max(a - _DOWN, 1), ((3, 2, 4),)),
    "slices of matrices put together":
        (lambda a, b: mg.concatenate([(a @ b)[1:], (a @ b)[:, ::-1] * 2], 0), ((4, 3), (3, 4))),
    "reshaped and put together":
        (lambda a, b: mg.concatenate([mg.reshape(mg.sin(a), 6), mg.reshape(a * b, 6)]), ((2, 3), (2, 3))),
    "reshaped twice and put together":
        (lambda a: (lambda s: [mg.concatenate([s, s * 2], 1), mg.reshape(s, 6)])(mg.sin(a)), ((2, 3),)),
    "put together and read in part":
        (lambda a, b: (lambda c: [c[1:3] * 2, mg.sum(c)])(mg.concatenate([mg.sin(a), b * b, a])), ((3,), (2,))),
    "float32 put among float64":
        (lambda a, b: mg.concatenate([mg.sin(mg.cast(a, np.float32)), mg.cos(b)]), ((3,), (2,))),
    "padded twice": (lambda a: pad(pad(mg.sin(a), 1), ((0, 1), (1, 0)), 2.0), ((2, 3),)),
    "sums over axes far apart": (lambda a: [mg.sum(a, (0, 2, 4)), mg.max(mg.sin(a), (0, 2)), mg.sum(a * a, (1, 3))],
                                 ((2, 3, 2, 3, 2),)),
    "the same sum over other axes": (lambda a: [mg.sum(mg.sin(a), 0), mg.sum(mg.sin(a), 1)], ((3, 3),)),
    "a square product seen transposed": (lambda a, b: [mg.transpose(a @ b), mg.transpose(a @ b) @ a], ((3, 3), (3, 3))),
    "products added up": (lambda a, b: (lambda p: [p + b @ a, p * 2])(a @ b + a), ((3, 3), (3, 3))),
    "a product added to what is read again":
        (lambda a, b: (lambda s: [s + a @ b, mg.cos(s)])(mg.sin(a)), ((3, 3), (3, 3))),
    "a product seen transposed, and in one row":
        (lambda a, b: (lambda p: [mg.transpose(p), mg.log(1.5 + mg.reshape(p, -1) ** 2)])(a @ b), ((2, 3), (3, 4))),
    "one column, one row": (lambda a, b: [a @ b, b @ a, mg.transpose(b) @ mg.transpose(a)], ((3, 1), (1, 3))),
    "a vector from either side": (lambda a, x: [x @ a, a @ x, mg.transpose(a) @ x], ((3, 3), (3,))),
    "a number as a product": (lambda a, b: [mg.clip(a @ b, -1, 1) * a, a[:1] * (a @ b)], ((1,), (1,))),
    "a matrix without columns": (lambda a: a @ mg.transpose(a), ((3, 0),)),
    "stacks of one matrix": (lambda a, b: a @ b, ((1, 2, 3), (4, 3, 2))),
    "backwards and every second": (lambda a: [a[::-1, ::2] @ a[::2, 1:], mg.sum(a[:, ::-1], 1)], ((5, 6),)),
    "a pool behind relu": (_pooled(mg.relu), ((2, 1, 6, 7), (2, 1, 3, 3), (2,))),
    "a pool behind a falling function": (_pooled(lambda x: -mg.tanh(x)), ((2, 1, 6, 7), (2, 1, 2, 3), (2,))),
    "a pool behind gelu": (_pooled(mg.gelu), ((2, 2, 7, 6), (3, 2, 3, 3), (3,))),
    "a pool behind a wave": (_pooled(lambda x: mg.sin(3 * x)), ((1, 2, 6, 6), (2, 2, 3, 3), (2,))),
    "a pool behind many filters": (_pooled(mg.relu), ((2, 2, 7, 6), (16, 2, 3, 3), (16,))),
    "a pool behind filters with gaps":
        (lambda x, w: pool.max_pool2d(conv.conv2d(x, w, dilation=2), 2), ((2, 1, 7, 8), (2, 1, 2, 3))),
    "windows of one number, and some left out":
        (lambda x, w: pool.max_pool2d(mg.relu(conv.conv2d(x, w)), 1, 2), ((2, 1, 7, 18), (3, 1, 3, 3))),
    "an infinite pixel below a pool's windows":
        (lambda x, w: pool.max_pool2d(conv.conv2d(x * mg.cast(mg.Constant(_BELOW), x.dtype), w), 2),
         ((2, 1, 7, 6), (2, 1, 3, 3))),
    "an infinite pixel below the windows of many filters":
        (lambda x, w: pool.max_pool2d(conv.conv2d(x * mg.cast(mg.Constant(_BELOW), x.dtype), w), 2),
         ((2, 1, 7, 6), (16, 1, 3, 3))),
    "an infinite adjoint of a pool":
        (lambda x, w: pool.max_pool2d(conv.conv2d(mg.sin(x), w), 2) * mg.cast(mg.Constant(_IN_ONE), x.dtype),
         ((2, 1, 7, 6), (2, 1, 3, 3))),
    "an infinite pixel at the edge":
        (lambda x, w: conv.conv2d(x * mg.cast(mg.Constant(_EDGE), x.dtype), w), ((2, 1, 4, 5), (2, 1, 2, 2))),
    "an activation whose input is needed later, too": (_needed_later, ((3, 3), (3, 3))),
    "two activations": (_two_activations, ((3, 3), (3, 3))),
    "a nan in windows of two":
        (lambda x, w: pool.max_pool2d(conv.conv2d(x * mg.cast(mg.Constant(_MIDDLE), x.dtype), w), 2),
         ((1, 1, 7, 7), (2, 1, 2, 2))),
    "a nan in windows of three":
        (lambda x, w: pool.max_pool2d(conv.conv2d(x * mg.cast(mg.Constant(_MIDDLE), x.dtype), w), 3),
         ((1, 1, 7, 7), (2, 1, 2, 2))),
    "zeros times infinity":
        (lambda w: (lambda v, zeros: [v @ zeros, zeros @ v])(
            w * mg.cast(mg.Constant(_CORNER), w.dtype), mg.Constant(_ZEROS.astype(w.dtype))), ((3, 3),)),
    "rows of one's own": (_own_rows, ((2,),)),
    "one piece in one row": (_one_piece, ((2, 3),)),
    "one piece in one row in a loop": (_one_piece_in_a_loop, ((4, 2, 3), (2, 3))),
    "products reshaped in a loop": (_reshaped_products, ((4, 2, 3), (3, 5), (5, 2))),
    "sums over steps turned about": (_turned_sums, ((4, 3, 3),)),
    "sums carried on in another order": (_carried_and_turned, ((3, 2, 2), (2, 2), (2, 2))),
    "sums of parts of products": (_parts_of_products, ((4, 3, 3), (2, 3))),
    "a row of what is padded, added to each":
        (lambda a, b: pad(mg.sin(a), ((0, 1), (1, 0)))[:1] + pad(b, ((1, 0), (0, 2))), ((1, 2), (1, 1))),
    "slices of slices": (_slices_of_slices, ((3, 2, 2), (2, 2))),
    "seven axes": (lambda a, b: [mg.transpose(a) + a, a * b, mg.sum(mg.transpose(a), (0, 2, 4, 6))],
                   ((2,) * 7, (1, 2) * 3 + (1,))),
    "zeros of both signs": (_zeros, ((9,),)),
    "zeros of both signs, many": (_zeros, ((40,),)),
    "reshaped and backwards": (_reshaped_and_backwards, ((2, 3),)),
    "products of stacks with many axes": (lambda a, b: a @ b, ((1, 2) * 3 + (1, 2, 3), (2, 1) * 3 + (2, 3, 2))),
    "an infinite bias the other way round":
        (_infinite_bias(lambda b: mg.reshape(b[::-1], (2, 1, 1))), ((2, 1, 2, 2), (2, 1, 1, 1))),
    "an infinite bias for one image":
        (_infinite_bias(lambda b: mg.reshape(b, (2, 1, 1, 1))), ((2, 1, 2, 2), (2, 1, 1, 1))),
    "an infinite bias for all":
        (_infinite_bias(lambda b: mg.broadcast_to(mg.reshape(b[:1], (1, 1, 1)), (2, 1, 1))),
         ((2, 1, 2, 2), (2, 1, 1, 1))),
    "a long sum": (lambda a: [mg.sum(a), mg.mean(a, 0), mg.sum(a, 1)], ((1500, 2),)),
    "a piece beside a loop": (_piece_beside_a_loop, ((3, 2), (2, 2))),
    "hardly there": (lambda a: mg.exp(a - 90), ((30,),)),  # below 1.2e-38: float32 loses digits
}  # fmt: skip


def corner_questions(turns: int = 3, only: str = "") -> Iterator[Question]:
    """Each corner in float64, in float32, and with one input of the other dtype; with turns=1 in one of them alone.

    only: one corner, by its name.
    """
    for number, (name, (fn, shapes)) in enumerate(CORNERS.items()):
        if only and name != only:
            continue
        for turn, dtypes in enumerate(((np.float64,), (np.float32,), (np.float32, np.float64))):
            if turns == 1 and turn != number % 3:
                continue
            if len(dtypes) > 1 and (len(shapes) == 1 or fn in _KEEP_DTYPES):
                continue
            rng = np.random.default_rng([number, turn])
            kinds = [dtypes[k % len(dtypes)] for k in range(len(shapes))]
            then, first = (
                [rng.normal(size=s).astype(kind) for s, kind in zip(shapes, kinds, strict=True)] for _ in range(2)
            )
            yield Question(f"{name}, {', '.join(d.__name__ for d in dtypes)}", fn, first, then, seed=number)


# The state of a loop keeps its dtype, and so all is of one.
_KEEP_DTYPES = {
    _swapping, _adding_products, _turned_layers, _product_with_the_state, _two_loops, _one_piece_in_a_loop,
    _reshaped_products, _piece_beside_a_loop, _carried_and_turned, _parts_of_products, _slices_of_slices,
    _results_of_several_dtypes,
}  # fmt: skip
