"""JAX's functions in minigrad's terms.

jax.make_jaxpr writes the function as a list of equations of JAX's primitives, and each is looked up in TABLE. Functions
inside, such as those of jax.jit, are put in their place; loops and conditions are decided by the numbers of the run.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

import minigrad as mg
from minigrad.core.arrays import Array, Tree
from minigrad.core.errors import Line
from minigrad.core.graph import Node
from minigrad.core.tree import flatten
from minigrad.ops.shape import shape_of
from minigrad_course.viz.explore.guests.translation import (
    COMMON,
    Translation,
    as_dtype,
    call_from,
    entry_numbers,
    group_conv,
    is_moving,
    take_places,
    value_of,
    windows,
)  # fmt: skip

if TYPE_CHECKING:
    import numpy.typing as npt
    from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
    from jax.lax import ConvDimensionNumbers, DotDimensionNumbers, ScatterDimensionNumbers

LIBRARY = os.path.dirname(jax.__file__) + os.sep
MOST_TURNS = 1000
Row = Callable[..., Any]
Sizes = Sequence[int]
Pairs = Sequence[tuple[int, int]]  # before and after, along each axis


class Translated(Translation):
    library, folder = "jax", LIBRARY

    def numbers(self, leaf: object) -> np.ndarray | None:
        if not isinstance(leaf, float | np.ndarray | np.generic | jax.Array) or not jax.numpy.issubdtype(
            np.asarray(leaf).dtype, np.floating
        ):
            return None
        return np.asarray(leaf, jax.numpy.asarray(leaf).dtype)  # without its 64 bits: float32

    def run(self, arguments: list[Any]) -> Tree:
        moving, rebuild = flatten([arguments[k] for k in self.moving])
        leaves = flatten([self.fixed[k] for k in self.moving])[0]
        names: list[str] = []
        shape: list[Any] = []

        def flat(*leaves: Any) -> tuple[list[Any], list[Any]]:
            with self.record_locals() as kept:
                returned = self.original(*self.completed(rebuild(list(leaves))), **self.options)
            outputs, tree = jax.tree_util.tree_flatten(returned)
            own = {
                name: value for name, value in kept.items()
                if isinstance(value, jax.core.Tracer) and value._trace is leaves[0]._trace
            }  # fmt: skip
            names.extend(own)
            shape.append((tree, len(outputs)))
            return outputs, list(own.values())

        self.leaves, self.loops = leaves, False
        closed = jax.make_jaxpr(flat)(*leaves)
        values = self.closed(closed, moving)
        tree, count = shape[0]
        self.name_nodes(zip(names, values[count:], strict=True))
        return _plain_tree(jax.tree_util.tree_unflatten(tree, values[:count]))

    def reference(self) -> tuple[list[Any], list[Any]]:
        rebuild = flatten([self.fixed[k] for k in self.moving])[1]

        def total(*leaves: object) -> tuple[jax.Array, list[jax.Array]]:
            returned = self.original(*self.completed(rebuild(list(leaves))), **self.options)
            outputs = jax.tree_util.tree_leaves(returned)
            floats = [y for y in map(jax.numpy.asarray, outputs) if jax.numpy.issubdtype(y.dtype, np.floating)]
            return sum(map(jax.numpy.sum, floats)), outputs

        # JAX goes back through no loop without a known end.
        derivative = (jax.jacfwd if self.loops else jax.grad)(total, range(len(self.leaves)), has_aux=True)
        gradients, outputs = jax.jit(derivative)(*map(jax.numpy.asarray, self.leaves))
        return list(map(np.asarray, outputs)), list(map(np.asarray, gradients))

    def closed(self, closed: ClosedJaxpr, inputs: Sequence[Any]) -> list[Any]:
        return self.evaluated(closed.jaxpr, [self._constant(c) for c in closed.consts], inputs)

    def _constant(self, value: npt.ArrayLike) -> Array | np.ndarray:
        name = self.constants.get(id(value))
        if name is None or not np.issubdtype(np.asarray(value).dtype, np.floating):
            return np.asarray(value)
        return mg.Constant(np.asarray(value), name)

    def evaluated(self, jaxpr: Jaxpr, constants: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """Return the outputs of a list of equations."""
        env: dict[Any, Any] = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *inputs], strict=True))

        def read(x: Var | Literal) -> Array:
            return x.val if hasattr(x, "val") else env[x]

        for line, equations in itertools.groupby(jaxpr.eqns, _line):

            def step(group: Sequence[JaxprEqn] = tuple(equations)) -> None:
                for equation in group:
                    results = self.equation(equation, [read(x) for x in equation.invars])
                    env.update(zip(equation.outvars, results, strict=True))

            call_from(line, step)
        return [read(x) for x in jaxpr.outvars]

    def equation(self, equation: JaxprEqn, inputs: list[Any]) -> Sequence[Any]:
        name, params = equation.primitive.name, equation.params
        if name in CONTROL:
            return CONTROL[name](self, inputs, **params)
        inner = next((params[key] for key in ("call_jaxpr", "jaxpr", "fun_jaxpr") if key in params), None)
        if inner is not None and any(map(is_moving, inputs)):
            own = OWN.get(_name_of_jax(inner))
            made = own(*map(_written, inputs)) if own else NotImplemented
            if made is not NotImplemented:
                return made if isinstance(made, list) else [made]
            if hasattr(inner, "consts"):
                return self.closed(inner, inputs)
            return self.evaluated(inner, [], inputs)
        made = NotImplemented
        if any(map(is_moving, inputs)):
            if name in MOVES:
                places = self.bound(equation, [entry_numbers(inputs[0]), *map(value_of, inputs[1:])], fill_value=-1)
                made = take_places(inputs[0], places[0], math.nan)
            elif name in TABLE:
                made = TABLE[name](*map(_written, inputs), **params)
            elif any(v.aval.dtype.kind in "fc" for v in equation.outvars):
                raise self.missing(name)
            if made is NotImplemented and any(v.aval.dtype.kind in "fc" for v in equation.outvars):
                raise self.missing(f"{name} with these options")
        if made is NotImplemented:
            return self.bound(equation, list(map(value_of, inputs)))
        results = made if isinstance(made, list) else [made]
        return [as_dtype(y, v.aval.dtype) for y, v in zip(results, equation.outvars, strict=True)]

    def bound(self, equation: JaxprEqn, inputs: list[Any], **others: object) -> list[Any]:
        """Let JAX compute an equation."""
        params = {**equation.params, **{key: value for key, value in others.items() if key in equation.params}}
        if "mode" in params and others:
            inputs = [np.asarray(inputs[0], np.int32), *inputs[1:]]
        to_bind = equation.primitive.get_bind_params(params)
        functions, params = to_bind if isinstance(to_bind, tuple) else ((), to_bind)  # a pair in older versions
        inputs = [jax.numpy.asarray(x) for x in inputs]
        results = equation.primitive.bind(*functions, *inputs, **params)
        return list(map(np.asarray, results if equation.primitive.multiple_results else [results]))


def _line(equation: JaxprEqn) -> Line | None:
    """Return the line of the program that an equation comes from."""
    traceback = equation.source_info.traceback
    frames = traceback.frames if traceback else []
    for frame in frames:
        if not frame.file_name.startswith((LIBRARY, os.path.dirname(__file__))):
            return Line(frame.file_name, frame.line_num)
    return None


def _written(x: Array) -> Array:
    """Return an array of one number as a number, as one writes it."""
    return x if isinstance(x, Node) or np.shape(x) else np.asarray(x).item()


def _plain_tree(tree: Tree) -> Tree:
    leaves, rebuild = flatten(tree)
    return rebuild([leaf if isinstance(leaf, Node) else np.asarray(leaf) for leaf in leaves])


def _name_of_jax(inner: Jaxpr | ClosedJaxpr) -> str:
    """Return the name of a function that is JAX's own; "" for the learner's."""
    about = getattr(getattr(inner, "jaxpr", inner), "debug_info", None)
    name, _, place = str(getattr(about, "func_src_info", "")).partition(" at ")
    return name if place.startswith(LIBRARY) else ""


# Loops and conditions ------------------------------------------------------------------------------------------------


def _scan(
    to: Translated,
    inputs: list[Any],
    jaxpr: ClosedJaxpr,
    length: int,
    num_consts: int,
    num_carry: int,
    reverse: bool,
    **_: object,
) -> list[Any]:
    fixed, carry, xs = inputs[:num_consts], inputs[num_consts:][:num_carry], inputs[num_consts + num_carry :]
    rows = []
    for k in range(length)[:: -1 if reverse else 1]:
        results = to.closed(jaxpr, [*fixed, *carry, *(x[k] for x in xs)])
        carry = results[:num_carry]
        rows.append(results[num_carry:])
    columns = zip(*rows[:: -1 if reverse else 1], strict=True)
    return [*carry, *(mg.stack(ys) if any(map(is_moving, ys)) else np.stack(ys) for ys in columns)]


def _while(
    to: Translated,
    inputs: list[Any],
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> list[Any]:
    of_cond, of_body = inputs[:cond_nconsts], inputs[cond_nconsts:][:body_nconsts]
    carry = inputs[cond_nconsts + body_nconsts :]
    to.loops = True
    for _ in range(MOST_TURNS):
        if not to.closed(cond_jaxpr, [*of_cond, *carry])[0]:
            return carry
        carry = to.closed(body_jaxpr, [*of_body, *carry])
    raise ValueError(f"this while_loop went on after {MOST_TURNS} turns, and explore follows each. Let it end earlier")


def _cond(to: Translated, inputs: list[Any], branches: Sequence[ClosedJaxpr], **_: object) -> list[Any]:
    return to.closed(branches[min(max(int(value_of(inputs[0])), 0), len(branches) - 1)], inputs[1:])


CONTROL: dict[str, Callable[..., list[Any]]] = {"scan": _scan, "while": _while, "cond": _cond}

# Functions of JAX that are one of minigrad's --------------------------------------------------------------------------

OWN: dict[str, Row] = {
    "relu": mg.relu, "softplus": mg.softplus, "logaddexp": mg.logaddexp,
    "log_sigmoid": mg.logsigmoid, "inv": mg.linalg.inv, "solve": mg.linalg.solve, "hypot": mg.hypot,
}  # fmt: skip

# Primitives ---------------------------------------------------------------------------------------------------------


def _reduced(reduction: Callable[..., Any]) -> Row:
    return lambda a, axes, **_: reduction(a, tuple(axes))


def _running(running: Callable[..., Any]) -> Row:
    def row(a: Array, axis: int, reverse: bool) -> Array:
        return mg.flip(running(mg.flip(a, axis), axis), axis) if reverse else running(a, axis)

    return row


def _larger(a: Array, b: Array) -> Array:
    """max(-inf, b), which softmax writes for empty arrays, is b."""
    plain = [x for x in (a, b) if is_moving(x) or np.any(x != -math.inf)]
    return (
        plain[0]
        if len(plain) == 1
        and is_moving(plain[0])
        and shape_of(plain[0]) == np.broadcast_shapes(shape_of(a), shape_of(b))
        else mg.maximum(a, b)
    )


def _broadcast_in_dim(
    a: Array, *_: object, shape: Sequence[int], broadcast_dimensions: Sequence[int], **__: object
) -> Array:
    own = [1] * len(shape)
    for axis, size in zip(broadcast_dimensions, shape_of(a), strict=True):
        own[axis] = size
    a = a if tuple(own) == tuple(shape_of(a)) else mg.reshape(a, own)
    return a if tuple(own) == tuple(shape) else mg.broadcast_to(a, shape)


def _dot_general(a: Array, b: Array, dimension_numbers: DotDimensionNumbers, **_: object) -> Array:
    (over_a, over_b), (batch_a, batch_b) = dimension_numbers
    ranks = len(shape_of(a)), len(shape_of(b))
    if not batch_a and (tuple(over_a), tuple(over_b)) == ((ranks[0] - 1,), (max(ranks[1] - 2, 0),)) and max(ranks) <= 2:
        return a @ b
    letters = itertools.count(97)
    of_a = [chr(next(letters)) for _ in range(ranks[0])]
    of_b = [chr(next(letters)) for _ in range(ranks[1])]
    for i, j in zip([*over_a, *batch_a], [*over_b, *batch_b], strict=True):
        of_b[j] = of_a[i]
    free = [x for k, x in enumerate(of_a) if k not in (*over_a, *batch_a)]
    free += [x for k, x in enumerate(of_b) if k not in (*over_b, *batch_b)]
    return mg.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join([of_a[i] for i in batch_a] + free)}", a, b)


def _conv(x: Array, w: Array, *, window_strides: Sizes, padding: Pairs, lhs_dilation: Sizes, rhs_dilation: Sizes,
          dimension_numbers: ConvDimensionNumbers, feature_group_count: int, batch_group_count: int,
          **_: object) -> Array:  # fmt: skip
    if any(d != 1 for d in lhs_dilation) or batch_group_count != 1 or not 3 <= len(shape_of(x)) <= 4:
        return NotImplemented
    orders = dimension_numbers.lhs_spec, dimension_numbers.rhs_spec
    x, w = (_transposed(a, order) for a, order in zip((x, w), orders, strict=True))
    y = group_conv(x, w, window_strides, [tuple(p) for p in padding], rhs_dilation, feature_group_count)
    return _transposed(y, np.argsort(dimension_numbers.out_spec))


def _transposed(a: Array, order: Sizes | np.ndarray) -> Array:
    return a if list(order) == sorted(order) else mg.transpose(a, tuple(map(int, order)))


def _window(fill: float, reduction: Callable[..., Any]) -> Row:
    def row(
        a: Array,
        window_dimensions: Any,
        window_strides: Any,
        padding: Pairs,
        base_dilation: Sizes,
        window_dilation: Sizes,
    ) -> Array:
        if any(d != 1 for d in base_dilation):
            return NotImplemented
        plain = not np.any(padding) and set(window_dilation) == {1} and len(window_dimensions) == 4
        if plain and reduction is mg.max and {*window_dimensions[:2], *window_strides[:2]} == {1}:
            return mg.max_pool2d(a, tuple(window_dimensions[2:]), tuple(window_strides[2:]))
        every = windows(a, window_dimensions, window_strides, padding, window_dilation, fill)
        return reduction(mg.stack(every), 0)

    return row


def _pad(a: Array, value: Array, padding_config: Sequence[tuple[int, int, int]]) -> Array:
    if is_moving(value):
        return NotImplemented
    if all(low >= 0 and high >= 0 and between == 0 for low, high, between in padding_config):
        return mg.pad(a, [(low, high) for low, high, _ in padding_config], float(value))
    return take_places(a, jax.lax.pad(entry_numbers(a).astype(np.int32), np.int32(-1), padding_config), value)


def _put(
    a: Array, places: Array, new: Array, mode: object, dimension_numbers: ScatterDimensionNumbers, **_: object
) -> Array:
    """The entries of `new` in the places of those of a."""
    size, entries = math.prod(shape_of(a)), entry_numbers(new)
    order = jax.lax.scatter(
        entry_numbers(a).astype(np.int32),
        value_of(places),
        (size + entries).astype(np.int32),
        dimension_numbers,
        mode=mode,
    )
    return take_places(mg.concatenate([mg.ravel(a), mg.ravel(new)]), order)


def _put_added(
    a: Array, places: Array, new: Array, mode: object, dimension_numbers: ScatterDimensionNumbers, **_: object
) -> Array:
    """a, and the entries of `new` added in their places: each lies where a one of its own would lie."""
    zeros, ones = np.zeros(shape_of(a), np.float32), np.eye(math.prod(shape_of(new)), dtype=np.float32)

    def added(row: jax.Array) -> jax.Array:
        return jax.lax.scatter_add(zeros, value_of(places), row.reshape(shape_of(new)), dimension_numbers, mode=mode)

    where = np.asarray(jax.vmap(added)(ones)).reshape(len(ones), -1)
    return a + mg.reshape(mg.ravel(new) @ where.astype(value_of(a).dtype), shape_of(a))


def _slice(a: Array, start_indices: Sizes, limit_indices: Sizes, strides: Sequence[int | None] | None) -> Array:
    return a[tuple(map(slice, start_indices, limit_indices, strides or [None] * len(start_indices)))]


def _sort(*arrays: Array, dimension: int, num_keys: int, is_stable: bool) -> list[Array | np.ndarray]:
    if num_keys != 1:
        return NotImplemented
    places = np.argsort(value_of(arrays[0]), dimension, kind="stable")
    return [
        mg.take_along_axis(a, places, dimension)
        if is_moving(a)
        else np.take_along_axis(np.asarray(a), places, dimension)
        for a in arrays
    ]


def _top_k(a: Array, k: int, axis: int = -1, **_: object) -> object:
    places = np.take(np.argsort(-value_of(a), axis, kind="stable"), range(k), axis)
    return [mg.take_along_axis(a, places, axis), places]


def _select(which: Array, *cases: Array) -> Array:
    chosen = cases[0]
    for k, case in enumerate(cases[1:], 1):
        chosen = mg.where(
            which if len(cases) == 2 else mg.equal(which, k) if is_moving(which) else which == k, case, chosen
        )
    return chosen


def _split(a: Array, sizes: Sequence[int], axis: int) -> list[Array]:
    return mg.split(a, [int(n) for n in np.cumsum(sizes)[:-1]], axis)


TABLE: dict[str, Row] = {
    **{name: lambda *inputs, _row=row, **_: _row(*inputs) for name, row in COMMON.items()},
    "max": lambda a, b, **_: _larger(a, b), "min": lambda a, b, **_: mg.minimum(a, b),
    "rem": mg.fmod, "logistic": lambda a, **_: mg.sigmoid(a),
    "integer_pow": lambda a, y: mg.square(a) if y == 2 else a**y,
    "clamp": lambda low, a, high: mg.clip(a, low, high), "is_finite": mg.isfinite,
    "select_n": _select, "add_any": mg.add,
    "and": mg.logical_and, "or": mg.logical_or, "not": mg.logical_not,
    "stop_gradient": mg.stop_gradient, "copy": lambda a: a, "copy_p": lambda a: a,
    "convert_element_type": lambda a, new_dtype, **_: as_dtype(a, new_dtype),
    "optimization_barrier": lambda *a: list(a),
    "reduce_precision": lambda a, **_: a, "reduce_sum": _reduced(mg.sum), "reduce_max": _reduced(mg.max),
    "reduce_min": _reduced(mg.min), "reduce_prod": _reduced(mg.prod), "cumsum": _running(mg.cumsum),
    "broadcast_in_dim": _broadcast_in_dim, "reshape": lambda a, new_sizes, **_: mg.reshape(a, new_sizes),
    "squeeze": lambda a, dimensions: mg.squeeze(a, tuple(dimensions)),
    "transpose": lambda a, permutation: _transposed(a, permutation),
    "expand_dims": lambda a, dimensions: mg.expand_dims(a, tuple(dimensions)),
    "concatenate": lambda *parts, dimension: mg.concatenate(parts, dimension),
    "stack": lambda *parts, axis: mg.stack(parts, axis),
    "split": _split, "pad": _pad, "slice": _slice,
    "rev": lambda a, dimensions: mg.flip(a, tuple(dimensions)), "scatter": _put, "scatter-add": _put_added,
    "scatter_add": _put_added,
    "dot_general": _dot_general, "conv_general_dilated": _conv, "reduce_window_max": _window(-math.inf, mg.max),
    "reduce_window_min": _window(math.inf, mg.min), "reduce_window_sum": _window(0.0, mg.sum), "sort": _sort,
    "top_k": _top_k,
    "tile": lambda a, reps: mg.tile(a, reps),
    "cbrt": lambda a, **_: mg.cbrt(a), "dot": lambda a, b, **_: a @ b,
}  # fmt: skip


# These only move entries: their places are what the primitive makes of 0, 1, 2, ...
MOVES = {"gather"}
