"""Functions that are written for PyTorch or JAX, as functions of minigrad, for `explore`.

    mg.explore(lambda x: torch.tanh(x @ w), x)    # x is a tensor, or the function is a torch.nn.Module
    mg.explore(lambda x: jnp.tanh(x @ w), x)      # x is an array of JAX, or a number

Each of their operations becomes one of ours, or several: of_torch and of_jax have a table each. So the rules are ours;
the values and the gradients are compared with theirs in every run. Neither library is imported before it is used.
"""

from __future__ import annotations

import importlib
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core import rules
from minigrad.core.graph import Node, adjoints
from minigrad.core.operation import Line, learner_line
from minigrad.core.tree import flatten
from minigrad.ops.shape import dtype_of, shape_of
from minigrad_course.profiled import profiled
from minigrad_course.trace import Trace
from minigrad_course.trace.record import argument_names

GUESTS = {"torch": "PyTorch", "jax": "JAX"}
Agree = Callable[[Trace], None]


class Missing(NotImplementedError):
    """An operation of theirs without a row in our table."""

    def __init__(self, name: str, library: str, line: Line | None):
        place = f" (at {line})" if line else ""
        super().__init__(
            f"minigrad has nothing yet in the place of {GUESTS[library]}'s {name}{place}: add the operation as "
            "CONTRIBUTING.md shows under 'An operation, in five minutes', and its row to the table in "
            f"minigrad_course/viz/explore/of_{library}.py"
        )
        self.name = name


def in_ours(
    what: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]
) -> tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any], Agree]:
    """Return the function and its arguments in minigrad's terms, and what compares a run of it with theirs.

    A function of ours comes back as it is.
    """
    library = _written_for(what, args)
    if library is None:
        return what, args, options, lambda run: None
    translated = importlib.import_module(f"minigrad_course.viz.explore.of_{library}").Translated(what, args, options)
    return translated.function, translated.arguments, {}, translated.agree


def _written_for(what: Callable[..., Any], args: Sequence[Any]) -> str | None:
    """Tell the library by the arguments, by the kind of function, or by the modules that the function names."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    leaves = [leaf for argument in args for leaf in flatten(argument)[0]]
    if torch and (isinstance(what, torch.nn.Module) or any(isinstance(leaf, torch.Tensor) for leaf in leaves)):
        return "torch"
    if jax and any(isinstance(leaf, jax.Array) for leaf in leaves):
        return "jax"
    code = getattr(inspect.unwrap(what), "__code__", None)
    names = code.co_names if code else ()
    outside = _outside(what)
    uses = {value.__name__.split(".")[0] for name in names if isinstance(value := outside.get(name), ModuleType)}
    uses |= {str(getattr(outside.get(name), "__module__", "")).split(".")[0] for name in names}
    return next((library for library in GUESTS if library in uses and "minigrad" not in uses), None)


def _outside(what: Callable[..., Any]) -> dict[str, Any]:
    """Return the names from outside that a function may use."""
    function = inspect.unwrap(what)
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None) or ()
    held = {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells, strict=True)} if code else {}
    return {**getattr(function, "__globals__", {}), **held}


class Translation:
    """A function of theirs and its arguments as ours. `run` is what differs between the libraries.

    function, arguments: for `trace`. Floats are differentiated by; integers, truth values and texts stay as they are.
    """

    library: str

    def __init__(self, what: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]):
        self.theirs, self.options, self.fixed = what, dict(options), list(args)
        self.source = self.written(what)
        self.constants = {id(value): name for name, value in self.named().items()}
        try:
            names = argument_names(self.source, args, options)
        except TypeError:  # their call will say what is wrong
            names = [f"x{k}" for k in range(1, len(args) + 1)]
        self.moving: list[int] = []
        self.arguments: list[Any] = []
        for k, argument in enumerate(args):
            leaves, rebuild = flatten(argument)
            arrays = [self.numbers(leaf) for leaf in leaves]
            if arrays and not any(array is None for array in arrays):
                self.moving.append(k)
                self.arguments.append(rebuild(arrays))

        def function(*arguments: Any) -> Any:
            return self.run(self.completed(arguments))

        kind = inspect.Parameter.POSITIONAL_ONLY
        function.__name__ = getattr(what, "__name__", type(what).__name__)
        function.__wrapped__ = self.source  # type: ignore[attr-defined]
        self.names = [names[k] for k in self.moving]
        function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, kind) for name in self.names]
        )
        self.function = function

    def written(self, what: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function in whose source the lines are."""
        return what

    def named(self) -> dict[str, Any]:
        """Return values from outside by their names, such as weights."""
        return _outside(self.theirs)

    def completed(self, arguments: Sequence[Any]) -> list[Any]:
        """Return all arguments: these, and in between those that do not move."""
        whole = list(self.fixed)
        for k, argument in zip(self.moving, arguments, strict=True):
            whole[k] = argument
        return whole

    def numbers(self, leaf: Any) -> Any:
        """Return an argument's floats as an array of NumPy, and None for what is not differentiated by."""
        raise NotImplementedError(f"{type(self).__name__} has no numbers()")

    def run(self, arguments: list[Any]) -> Any:
        """Run the function with nodes among its arguments."""
        raise NotImplementedError(f"{type(self).__name__} has no run()")

    def theirs_by(self) -> tuple[list[Any], list[Any]]:
        """Return their outputs, and the derivatives of the outputs' sum by each number or array in the arguments."""
        raise NotImplementedError(f"{type(self).__name__} has no theirs_by()")

    def missing(self, name: str) -> Missing:
        return Missing(name, self.library, learner_line())

    @contextmanager
    def locals_kept(self) -> Iterator[dict[str, Any]]:
        """Keep the function's local variables as they are when it returns."""
        code, kept = getattr(inspect.unwrap(self.source), "__code__", None), dict[str, Any]()

        def look(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is code:
                kept.update(frame.f_locals)

        with profiled(look):
            yield kept

    def name_nodes(self, nodes: Iterable[tuple[str, Any]]) -> None:
        """Give computed nodes the names of local variables."""
        for name, node in nodes:
            if is_moving(node) and node.op is not None and node.name is None and name not in self.names:
                node.name = name

    def agree(self, run: Trace) -> None:
        """Compare values and gradients with theirs, and warn of a difference."""
        values, gradients = self.theirs_by()
        moving = [y for y in run.outputs if y in run.moving and y.dtype.kind == "f"]
        total = sum((mg.sum(y) for y in moving[1:]), mg.sum(moving[0]))
        ours = [("value", run.names[y], y._value) for y in run.outputs]
        ours += [
            ("derivative by", run.names[x], d._value)
            for x, d in zip(run.inputs, adjoints(total, run.inputs), strict=True)
        ]
        for (what, name, array), theirs in zip(ours, [*values, *gradients], strict=True):
            if not same(array, theirs):
                warnings.warn(
                    f"{GUESTS[self.library]} has another {what} {name} than minigrad, whose numbers are shown: at a "
                    "kink there are several answers, and a derivative of the function's own making is not followed",
                    stacklevel=2,
                )
                return


def same(ours: Any, theirs: Any) -> bool:
    """Tell whether two arrays agree up to the rounding of their dtype."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.shape != theirs.shape:
        return False
    if theirs.dtype.kind != "f":
        return bool(np.array_equal(ours, theirs))
    rounding = math.sqrt(np.finfo(theirs.dtype).eps)
    finite = theirs[np.isfinite(theirs)]
    size = float(np.abs(finite).max()) if finite.size else 0.0
    return np.allclose(ours, theirs, rtol=rounding, atol=rounding * (1 + size), equal_nan=True)


# What both tables need -----------------------------------------------------------------------------------------------

OURS_AND_THEIRS = """
    abs sign floor ceil trunc neg exp exp2 expm1 log log1p log2 log10 sqrt square sin cos tan sinh cosh tanh arcsin
    arccos arctan arcsinh arccosh arctanh arctan2 maximum minimum fmod remainder hypot logaddexp sigmoid
    softplus relu where isnan isfinite
"""  # the same names
COMMON: dict[str, Callable[..., Any]] = {name: getattr(mg, name) for name in OURS_AND_THEIRS.split()} | {
    "add": rules.add, "sub": rules.sub, "mul": rules.mul, "div": rules.div, "pow": rules.pow,
    "eq": rules.equal, "ne": rules.not_equal, "lt": rules.less, "le": rules.less_equal, "gt": rules.greater,
    "ge": rules.greater_equal, "rsqrt": lambda a: a**-0.5, "reciprocal": lambda a: 1 / a, "xlogy": rules.xlogy,
    "asin": rules.arcsin, "acos": rules.arccos, "atan": rules.arctan, "atan2": rules.arctan2,
    "asinh": rules.arcsinh, "atanh": rules.arctanh, "acosh": mg.arccosh,
    "erf": lambda a: 2 * rules.normal_cdf(math.sqrt(2) * a) - 1,
    "erfc": lambda a: 2 * rules.normal_cdf(-math.sqrt(2) * a),
}  # fmt: skip


def is_moving(x: Any) -> bool:
    return isinstance(x, Node)


def now(x: Any) -> Any:
    """Return the numbers of a node in this run."""
    return x._value if isinstance(x, Node) else x


def moved(x: Any, places: Any, fill: Any = 0.0) -> Any:
    """Return the entries of x at `places` in row-major order, in their shape; `fill` where a place is negative."""
    places = np.asarray(places)
    picked = mg.take(mg.ravel(x), np.maximum(places, 0))
    return picked if (places >= 0).all() else mg.where(places >= 0, picked, fill)


def put(x: Any, places: Any, new: Any) -> Any:
    """Return x with `new` at `places`, which are the numbers of its entries in row-major order."""
    size, places = math.prod(shape_of(x)), np.asarray(places)
    order = np.arange(size)
    order[places.ravel()] = size + np.arange(places.size)
    new = mg.broadcast_to(new, places.shape)
    return mg.reshape(mg.take(mg.concatenate([mg.ravel(x), mg.ravel(new)]), order), shape_of(x))


def numbered(x: Any) -> np.ndarray:
    """Number the entries of an array in row-major order, in its shape."""
    return np.arange(math.prod(shape_of(x))).reshape(shape_of(x))


def as_dtype(x: Any, dtype: Any) -> Any:
    """Return x in a dtype: still a node where it is of floats, or if it has that dtype."""
    if dtype_of(x) == dtype:
        return x
    return mg.cast(x, dtype) if np.dtype(dtype).kind == "f" else np.asarray(now(x)).astype(dtype)


def group_conv(
    x: Any, w: Any, stride: Sequence[int], padding: Sequence[Any], dilation: Sequence[int], groups: int
) -> Any:
    """Convolve (n, c, width) or (n, c, height, width); padding: before and after along each axis."""
    flat = len(shape_of(x)) == 3
    if flat:  # a picture of one row
        x, w = mg.expand_dims(x, 2), mg.expand_dims(w, 2)
        stride, padding, dilation = (1, *stride), ((0, 0), *padding), (1, *dilation)
    if any(pair != (0, 0) for pair in padding):
        x = mg.pad(x, ((0, 0), (0, 0), *padding))
    dilation = [d if size > 1 else 1 for d, size in zip(dilation, shape_of(w)[2:], strict=True)]
    pairs = [(x, w)] if groups == 1 else zip(mg.split(x, groups, 1), mg.split(w, groups, 0), strict=True)
    parts = [mg.conv2d(a, b, stride=(stride[0], stride[1]), dilation=(dilation[0], dilation[1])) for a, b in pairs]
    y = parts[0] if groups == 1 else mg.concatenate(parts, 1)
    return mg.squeeze(y, 2) if flat else y


def windows(
    x: Any, size: Sequence[int], stride: Sequence[int], padding: Sequence[Any], dilation: Sequence[int], fill: float
) -> list[Any]:
    """Return the entries of all windows, the first of each, then the second, and so on, as arrays."""
    if any(tuple(pair) != (0, 0) for pair in padding):
        x = mg.pad(x, tuple(map(tuple, padding)), fill)
    ends = [n - d * (s - 1) for n, s, d in zip(shape_of(x), size, dilation, strict=True)]
    return [
        x[tuple(slice(k * d, k * d + end, s) for k, d, end, s in zip(place, dilation, ends, stride, strict=True))]
        for place in np.ndindex(*size)
    ]


def running_extreme(x: Any, axis: int, at_least: Any, reverse: bool = False) -> Any:
    """Return the largest or smallest entry so far along an axis; of equal ones the last."""
    rows = np.moveaxis(now(x), axis, 0)[:: -1 if reverse else 1]
    places = np.zeros(rows.shape, int)
    best = rows[0].copy()
    for k in range(len(rows)):
        places[k] = np.where(at_least(rows[k], best), k, places[max(k - 1, 0)])
        best = np.where(at_least(rows[k], best), rows[k], best)
    places = len(rows) - 1 - places[::-1] if reverse else places
    return mg.take_along_axis(x, np.moveaxis(places, 0, axis), axis)
