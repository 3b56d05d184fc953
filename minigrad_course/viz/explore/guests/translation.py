"""Shared by both translations: the function with its arguments, the comparison, and operations."""

from __future__ import annotations

import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

import minigrad as mg
from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike, Tree
from minigrad.core.errors import Line, is_internal
from minigrad.core.graph import Node, adjoints
from minigrad.core.tree import flatten
from minigrad.ops.shape import dtype_of, shape_of
from minigrad_course.profiled import profiled
from minigrad_course.trace import Trace
from minigrad_course.trace.tracer import argument_names
from minigrad_course.viz.explore.guests import outside_names

if TYPE_CHECKING:
    import numpy.typing as npt

TITLES = {"torch": "PyTorch", "jax": "JAX"}


def user_line(folder: str) -> Line | None:
    """Return the innermost line on the call stack that is neither minigrad's nor in the folder of the library."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (is_internal(frame.f_code.co_filename) or frame.f_code.co_filename.startswith(folder)):
        frame = frame.f_back
    return None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)


def call_from(line: Line | None, step: Callable[[], object]) -> object:
    """Call `step` as if from that line, which minigrad then takes for the learner's."""
    if line is None:
        return step()
    return eval(compile("\n" * (line.number - 1) + "step()", line.file, "eval"), {"step": step})


class MissingOperation(NotImplementedError):
    """An operation of the library without a row in its table here."""

    def __init__(self, name: str, library: str, line: Line | None):
        place = f" (at {line})" if line else ""
        super().__init__(
            f"minigrad has nothing yet in the place of {TITLES[library]}'s {name}{place}: add the operation as "
            "CONTRIBUTING.md shows under 'An operation, in five minutes', and its row to the table in "
            f"minigrad_course/viz/explore/guests/of_{library}.py"
        )
        self.name = name


class Translation:
    """A library's function and its arguments in minigrad's terms. `run` is what differs between the libraries.

    function, arguments: for `trace`. Floats are differentiated by; integers, truth values and texts stay as they are.
    """

    library: str
    folder: str  # with the files of the library

    def __init__(self, what: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]):
        self.original, self.options, self.fixed = what, dict(options), list(args)
        self.source = self.written(what)
        self.constants = {id(value): name for name, value in self.named().items()}
        try:
            names = argument_names(self.source, args, options)
        except TypeError:  # the call will say what is wrong
            names = [f"x{k}" for k in range(1, len(args) + 1)]
        self.moving: list[int] = []
        self.arguments: list[Any] = []
        for k, argument in enumerate(args):
            leaves, rebuild = flatten(argument)
            arrays = [self.numbers(leaf) for leaf in leaves]
            if arrays and not any(array is None for array in arrays):
                self.moving.append(k)
                self.arguments.append(rebuild(arrays))

        def function(*arguments: object) -> Tree:
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
        return outside_names(self.original)

    def completed(self, arguments: Sequence[Any]) -> list[Any]:
        """Return all arguments: these, and in between those that do not move."""
        whole = list(self.fixed)
        for k, argument in zip(self.moving, arguments, strict=True):
            whole[k] = argument
        return whole

    def numbers(self, leaf: object) -> np.ndarray | None:
        """Return an argument's floats as an array of NumPy, and None for what is not differentiated by."""
        raise NotImplementedError(f"{type(self).__name__} has no numbers()")

    def run(self, arguments: list[Any]) -> Tree:
        """Run the function with nodes among its arguments."""
        raise NotImplementedError(f"{type(self).__name__} has no run()")

    def reference(self) -> tuple[list[Any], list[Any]]:
        """Return the library's outputs, and the derivatives of their sum by each number or array in the arguments."""
        raise NotImplementedError(f"{type(self).__name__} has no reference()")

    def missing(self, name: str) -> MissingOperation:
        return MissingOperation(name, self.library, user_line(self.folder))

    @contextmanager
    def record_locals(self) -> Iterator[dict[str, Any]]:
        """Yield a dict that gets the function's local variables when it returns."""
        code, names = getattr(inspect.unwrap(self.source), "__code__", None), dict[str, Any]()

        def look(frame: FrameType, event: str, _: object) -> None:
            if event == "return" and frame.f_code is code:
                names.update(frame.f_locals)

        with profiled(look):
            yield names

    def name_nodes(self, nodes: Iterable[tuple[str, Any]]) -> None:
        """Give computed nodes the names of local variables."""
        for name, node in nodes:
            if is_moving(node) and node.op is not None and node.name is None and name not in self.names:
                node.name = name

    def compare(self, run: Trace) -> None:
        """Compare values and gradients with the library's, and warn of a difference."""
        values, gradients = self.reference()
        moving = [y for y in run.outputs if y in run.moving and y.dtype.kind == "f"]
        total = sum((mg.sum(y) for y in moving[1:]), mg.sum(moving[0]))
        results = [("value", run.names[y], y._value) for y in run.outputs]
        results += [
            ("derivative by", run.names[x], d._value)
            for x, d in zip(run.inputs, adjoints(total, run.inputs), strict=True)
        ]
        for (what, name, array), expected in zip(results, [*values, *gradients], strict=True):
            if not close(array, expected):
                warnings.warn(
                    f"{TITLES[self.library]} has another {what} {name} than minigrad, whose numbers are shown: at a "
                    "kink there are several answers, and a derivative of the function's own making is not followed",
                    stacklevel=2,
                )
                return


def close(array: npt.ArrayLike, expected: npt.ArrayLike) -> bool:
    """Tell whether two arrays agree up to the rounding of their dtype."""
    array, expected = np.asarray(array), np.asarray(expected)
    if array.shape != expected.shape:
        return False
    if expected.dtype.kind != "f":
        return bool(np.array_equal(array, expected))
    rounding = math.sqrt(np.finfo(expected.dtype).eps)
    finite = expected[np.isfinite(expected)]
    size = float(np.abs(finite).max()) if finite.size else 0.0
    return np.allclose(array, expected, rtol=rounding, atol=rounding * (1 + size), equal_nan=True)


# What both tables need -----------------------------------------------------------------------------------------------

SAME_NAMES = """
    abs sign floor ceil trunc neg exp exp2 expm1 log log1p log2 log10 sqrt square sin cos tan sinh cosh tanh arcsin
    arccos arctan arcsinh arccosh arctanh arctan2 maximum minimum fmod remainder hypot logaddexp sigmoid
    softplus relu where isnan isfinite
"""
COMMON: dict[str, Callable[..., Any]] = {name: getattr(mg, name) for name in SAME_NAMES.split()} | {
    "add": rules.add, "sub": rules.sub, "mul": rules.mul, "div": rules.div, "pow": rules.pow,
    "eq": rules.equal, "ne": rules.not_equal, "lt": rules.less, "le": rules.less_equal, "gt": rules.greater,
    "ge": rules.greater_equal, "rsqrt": lambda a: a**-0.5, "reciprocal": lambda a: 1 / a, "xlogy": rules.xlogy,
    "asin": rules.arcsin, "acos": rules.arccos, "atan": rules.arctan, "atan2": rules.arctan2,
    "asinh": rules.arcsinh, "atanh": rules.arctanh, "acosh": mg.arccosh,
    "erf": lambda a: 2 * rules.normal_cdf(math.sqrt(2) * a) - 1,
    "erfc": lambda a: 2 * rules.normal_cdf(-math.sqrt(2) * a),
}  # fmt: skip


def is_moving(x: object) -> TypeGuard[Node]:
    return isinstance(x, Node)


def value_of(x: ArrayLike) -> Any:
    """Return the numbers of a node in this run."""
    return x._value if isinstance(x, Node) else x


def take_places(x: ArrayLike, places: npt.ArrayLike, fill: ArrayLike = 0.0) -> Array:
    """Return the entries of x at `places` in row-major order, in their shape; `fill` where a place is negative."""
    places = np.asarray(places)
    picked = mg.take(mg.ravel(x), np.maximum(places, 0))
    return picked if (places >= 0).all() else mg.where(places >= 0, picked, fill)


def put_places(x: ArrayLike, places: npt.ArrayLike, new: ArrayLike) -> Array:
    """Return x with `new` at `places`, which are the numbers of its entries in row-major order."""
    size, places = math.prod(shape_of(x)), np.asarray(places)
    order = np.arange(size)
    order[places.ravel()] = size + np.arange(places.size)
    new = mg.broadcast_to(new, places.shape)
    return mg.reshape(mg.take(mg.concatenate([mg.ravel(x), mg.ravel(new)]), order), shape_of(x))


def entry_numbers(x: Array) -> np.ndarray:
    """Number the entries of an array in row-major order, in its shape."""
    return np.arange(math.prod(shape_of(x))).reshape(shape_of(x))


def as_dtype(x: Array | np.ndarray, dtype: DTypeLike) -> Array | np.ndarray:
    """Return x in a dtype: still a node where it is of floats, or if it has that dtype."""
    if dtype_of(x) == dtype:
        return x
    return mg.cast(x, dtype) if np.dtype(dtype).kind == "f" else np.asarray(value_of(x)).astype(dtype)


def group_conv(
    x: Array, w: Array, stride: Sequence[int], padding: Sequence[Any], dilation: Sequence[int], groups: int
) -> Array:
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
    x: Array, size: Sequence[int], stride: Sequence[int], padding: Sequence[Any], dilation: Sequence[int], fill: float
) -> list[Any]:
    """Return the entries of all windows, the first of each, then the second, and so on, as arrays."""
    if any(tuple(pair) != (0, 0) for pair in padding):
        x = mg.pad(x, tuple(map(tuple, padding)), fill)
    ends = [n - d * (s - 1) for n, s, d in zip(shape_of(x), size, dilation, strict=True)]
    return [
        x[tuple(slice(k * d, k * d + end, s) for k, d, end, s in zip(place, dilation, ends, stride, strict=True))]
        for place in np.ndindex(*size)
    ]
