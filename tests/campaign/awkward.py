"""Every function of NumPy that works on nodes, on awkward inputs, compared with NumPy itself.

The rest of the campaign compares modes with each other, which shows no mistake that all of them make. Here each cell is
a call and an input: nan, infinities, -0, ties, nothing, a single number, one row, falling, negative or repeated
numbers, small integers, conditions, and arrays that lie in memory in other ways. The values, the shape and the dtype
are NumPy's, or both refuse. Where they differ on purpose, `DIFFERENCES` has a reason, and docs/limits.md repeats it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.like_numpy import SURFACE

from .modes import Question
from .numpy_calls import function

inf, nan = np.inf, np.nan


class Tagged(np.ndarray):
    """A subclass of NumPy's arrays, as other libraries have them."""


def _read_only(a: np.ndarray) -> np.ndarray:
    a.flags.writeable = False
    return a


INPUTS: dict[str, np.ndarray] = {
    "a nan": np.array([1.0, nan, 3.0]),
    "all nan": np.array([nan, nan]),
    "a row of nan": np.array([[nan, nan, nan], [1.0, nan, 2.0], [3.0, -1.0, 0.5]]),
    "a row with one number": np.array([[nan, 2.0, nan], [1.0, 4.0, nan]]),
    "inf": np.array([1.0, 2.0, inf]),
    "several inf": np.array([inf, 1.0, inf, 2.0]),
    "-inf and inf": np.array([-inf, 0.5, inf, -1.0]),
    "inf and nan": np.array([[inf, nan], [-inf, -inf]]),
    "zeros": np.zeros(3),
    "-0 and 0": np.array([-0.0, 0.0]),
    "-0": np.array([-0.0, -0.0]),
    "ties": np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 0.5]]),
    "nothing": np.zeros(0),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((2, 0)),
    "no matrix": np.zeros((0, 0)),
    "one number": np.array(0.75),
    "one negative number": np.array(-1.5),
    "one nan": np.array(nan),
    "one entry": np.array([0.25]),
    "one row": np.array([[0.5, -1.0, 2.0]]),
    "one column": np.array([[0.5], [-1.0], [2.0]]),
    "one by one": np.array([[3.0]]),
    "falling": np.array([3.0, 1.0, 0.5, -2.0]),
    "rising": np.array([-2.0, 0.5, 1.0, 3.0]),
    "negative": np.array([-1.0, -1000.0, -0.25]),
    "equal": np.array([0.1, 0.1, 0.1]),
    "square": np.array([[4.0, 1.0], [1.0, 3.0]]),
    "singular": np.array([[1.0, 2.0], [2.0, 4.0]]),
    "three axes": np.linspace(-2.0, 3.0, 24).reshape(2, 3, 4),
    "very large": np.array([1e300, -1e300, 2e300]),
    "very small": np.array([5e-324, -1e-310, 1e-200]),
    "strided": np.arange(12.0).reshape(3, 4)[::2, ::-2] - 3,
    "transposed": np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -3.0]]).T,
    "copies of a row": np.broadcast_to(np.array([1.0, -2.0]), (3, 2)),
    "other byte order": np.array([1.5, -2.0, 0.5], ">f8"),
    "other byte order, 32 bits": np.array([1.5, -2.0, 0.5], ">f4"),
    "other byte order, integers": np.array([3, -1, 2], ">i8"),
    "read-only": _read_only(np.array([1.5, -2.0, 0.5])),
    "a subclass": np.array([1.5, -2.0, 0.5]).view(Tagged),
    "float32": np.array([0.1, nan, -3.0, inf], np.float32),
    "float32 rows": np.array([[0.1, 0.2], [-3.0, 4.0]], np.float32),
    "int64": np.array([3, -1, 0, 2]),
    "int64 rows": np.array([[2, -1], [1, 3]]),
    "int8": np.array([100, -100, 7], np.int8),
    "uint8": np.array([200, 3, 0], np.uint8),
    "int32, one number": np.array(5, np.int32),
    "no integers": np.zeros(0, np.int64),
    "conditions": np.array([True, False, True]),
    "conditions in rows": np.array([[True, False], [True, True]]),
    "one condition": np.array(False),
}  # fmt: skip

# The calls: {f} stands for each of the functions, a for the input, b for the same numbers backwards.
ONE = {name for name in SURFACE if isinstance(getattr(np, name, None), np.ufunc) and getattr(np, name).nin == 1}
TWO = {name for name in SURFACE if isinstance(getattr(np, name, None), np.ufunc) and getattr(np, name).nin == 2} - {
    "matmul"
}

CALLS: list[tuple[str, str]] = [
    (" ".join(sorted(ONE)), "np.{f}(a)"),
    (" ".join(sorted(TWO)), "np.{f}(a, b); np.{f}(a, 2); np.{f}(0, a); np.{f}(a, 0); np.{f}(a, -1.5); "
     "np.{f}(2.5, a)"),
    ("sum mean prod max min amax amin var std all any argmax argmin linalg.norm",
     "np.{f}(a); np.{f}(a, axis=0); np.{f}(a, axis=-1); np.{f}(a, axis=-1, keepdims=True); np.{f}(a, axis=1)"),
    ("sum mean prod max min var std all any", "np.{f}(a, axis=(0, 1)); np.{f}(a, axis=())"),
    ("var std", "np.{f}(a, ddof=1); np.{f}(a, axis=-1, ddof=1); np.{f}(a, axis=0, ddof=2)"),
    ("sum mean prod var std", "np.{f}(a, dtype=np.float32); np.{f}(a, 0, np.float32)"),
    # By position, in NumPy's order.
    ("sum mean prod", "np.{f}(a, -1, None, None, True)"), ("var std", "np.{f}(a, 0, None, None, 1, True)"),
    ("max min amax amin all any", "np.{f}(a, 0, None, True)"), ("argmax argmin", "np.{f}(a, 0, None)"),
    ("cumsum", "np.{f}(a, 0, np.float32); np.{f}(a, None, int, None)"), ("round around", "np.{f}(a, 0, None)"),
    ("trace", "np.{f}(a, 0, 0, 1, np.float32); np.{f}(a, dtype=int)"), ("clip", "np.{f}(a, -0.5, 1, None)"),
    ("take", "np.{f}(a, 0, None, None, 'raise')"), ("reshape", "np.{f}(a, -1, 'F'); np.{f}(a, (-1, 1), 'C')"),
    ("concatenate stack", "np.{f}([a, b], 0, None, dtype=np.float32)"),
    ("hstack vstack", "np.{f}([a, b], dtype=np.float64); np.{f}([a, b], dtype=int)"),
    ("zeros_like ones_like", "np.{f}(a, np.float32, 'K', True)"), ("transpose", "np.{f}(a, 0)"),
    ("einsum", "np.{f}('i->', a, dtype=int); np.{f}('ij->j', a, dtype=np.float64)"),
    ("cumsum sort argsort flip", "np.{f}(a); np.{f}(a, axis=0); np.{f}(a, axis=-1); np.{f}(a, axis=1)"),
    ("sort argsort", "np.{f}(a, axis=None)"),
    ("diff", "np.{f}(a); np.{f}(a, axis=0); np.{f}(a, 2); np.{f}(a, 9); np.{f}(a, prepend=0); np.{f}(a, append=a)"),
    ("linalg.norm", "np.{f}(a, 1); np.{f}(a, 'fro'); np.{f}(a, None, axis=(1, 0), keepdims=True)"),
    ("linalg.inv", "np.{f}(a)"), ("linalg.solve", "np.{f}(a, [1.0, 2.0]); np.{f}([[2.0, 1.0], [0.0, 1.0]], a)"),
    ("matmul linalg.matmul dot outer", "np.{f}(a, b); np.{f}(b, a)"), ("dot outer", "np.{f}(a, 2.0)"),
    ("einsum", "np.{f}('i,i', a, b); np.{f}('ij->j', a); np.{f}('...->', a); np.{f}('ii', a)"),
    ("clip", "np.{f}(a, -0.5, 1); np.{f}(a, None, 1); np.{f}(a, 1, -0.5); np.{f}(a, np.nan, 1.0); np.{f}(a, b, None)"),
    ("round around", "np.{f}(a); np.{f}(a, 1); np.{f}(a, -1)"),
    ("copy zeros_like ones_like ravel transpose matrix_transpose squeeze shape ndim size diagonal trace diag tril triu",
     "np.{f}(a)"),
    ("full_like", "np.{f}(a, 3)"), ("empty_like", "np.shape(np.{f}(a))"),
    ("astype", "np.{f}(a, np.float32)"), ("array", "np.zeros(1) + a"),
    ("isclose allclose", "np.{f}(a, b); np.{f}(a, 0.5); np.{f}(a, a, equal_nan=True)"),
    ("array_equal", "np.{f}(a, b); np.{f}(a, a)"), ("where", "np.{f}(a, a, b); np.{f}(a > 0, a, 0)"),
    ("concatenate stack hstack vstack", "np.{f}([a, b])"),
    ("concatenate", "np.{f}([a, b], axis=None); np.{f}([a, [7]])"),
    ("array_split", "np.{f}(a, 2); np.{f}(a, [1, 9])"), ("split", "np.{f}(a, 1); np.{f}(a, [1])"),
    ("roll", "np.{f}(a, 1); np.{f}(a, -4, axis=0)"), ("repeat tile", "np.{f}(a, 2); np.{f}(a, 0)"),
    ("take", "np.{f}(a, 0); np.{f}(a, [0, -1]); np.{f}(a, [0], axis=-1); np.{f}(a, 9)"),
    ("take_along_axis", "np.{f}(a, np.argsort(np.sort(a)), -1)"), ("moveaxis swapaxes", "np.{f}(a, 0, -1)"),
    ("expand_dims", "np.{f}(a, 0); np.{f}(a, (0, -1))"), ("reshape", "np.{f}(a, -1); np.{f}(a, (1, -1, 1))"),
    ("broadcast_to", "np.{f}(a, (2, *np.shape(a)))"),
    ("pad", "np.{f}(a, 1); np.{f}(a, 1, 'edge'); np.{f}(a, 1, 'reflect'); np.{f}(a, 1, constant_values=np.nan)"),
]  # fmt: skip


def calls() -> Iterator[tuple[str, str]]:
    """Each function with each of its calls."""
    for names, texts in CALLS:
        for name in names.split():
            for text in texts.split("; "):
                yield name, text.replace("{f}", name)


# What differs from NumPy on purpose ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Cells that differ: calls, inputs and what is said of them as regular expressions, and the reason, which
    docs/limits.md has as well."""

    reason: str
    calls: str
    inputs: str = ""
    message: str = ""

    def covers(self, text: str, name: str, message: str) -> bool:
        words = ((self.calls, text), (self.inputs, name), (self.message, message))
        return all(re.search(pattern, place) for pattern, place in words)


ONLY_ONE = "^one (number|negative number|nan|condition)|int32, one number"
DIFFERENCES = [
    Difference(
        "a mean, a variance or a standard deviation of no numbers, or of no more than `ddof`, is refused",
        r"np\.(mean|var|std)\(", message=r"(of no numbers|divides by).*NumPy"),
    Difference(
        "a single number has the axes 0 and -1 in every function; in NumPy in some", "", ONLY_ONE,
        r"NumPy refuses \(.*(out of bounds|dimension|depth)"),
    Difference(
        "`norm` is the root of the sum of squares, without an `ord`", r"linalg\.norm\(a, (1|'fro')",
        message="has no ord="),
    Difference(
        "`round` takes conditions for 0 and 1",
        r"np\.(round|around)\(", "condition", r"NumPy (refuses \(numpy boolean|refuses \(Cannot cast ufunc|.*int8)"),
    Difference(
        "`round` takes integers to ones, not to tens", r"np\.(round|around)\(a, -1\)", "int", "round takes integers"),
    Difference("equal entries keep their order in `argsort`", r"argsort\(a, axis=None\)", "ties"),
    Difference("`pad` puts no nan into integers", r"pad\(.*nan", "int", "cannot convert float NaN"),
    Difference(
        "`&`, `|`, `^` and `~` are for conditions, not for the bits of integers", r"bitwise_|invert",
        message="of numbers has no"),
    Difference("picking from an axis without entries is refused", r"np\.take\(", "no matrix"),
]  # fmt: skip
HALF = "8-bit integers and conditions are computed in float32 or float64, not in half precision"
REASONS = [HALF, *(row.reason for row in DIFFERENCES)]


# Comparing -----------------------------------------------------------------------------------------------------------


def _native(x: np.ndarray) -> np.ndarray:
    return np.asarray(x).astype(x.dtype.newbyteorder("="))


def _leaf(x: np.ndarray) -> Any:
    return mg.Variable(x) if x.dtype.kind == "f" else mg.Constant(x)


def _results(value: Any) -> list[Any]:
    return [x._value if isinstance(x, mg.Node | mg.Dual) else x for x in _flat(value)]


def outcome(f: Callable[..., Any], *inputs: Any) -> Any:
    """Return a call's result, or the exception that it raises."""
    with np.errstate(all="ignore"):
        try:
            return [np.asarray(x) for x in _results(f(*inputs))]
        except Exception as error:
            return error


def same(got: np.ndarray, want: np.ndarray) -> bool:
    if want.dtype == np.float16 and got.dtype.kind == "f" and got.shape == want.shape:  # the difference HALF
        with np.errstate(over="ignore"):
            return bool(np.allclose(got.astype(np.float16), want, rtol=2e-3, atol=1e-6, equal_nan=True))
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    close = 2e-5 if want.dtype == np.float32 else 1e-12
    return bool(np.allclose(got, want, rtol=close, atol=close if want.dtype == np.float32 else 1e-13, equal_nan=True))


SENTENCE = (ValueError, TypeError, IndexError, OverflowError, np.linalg.LinAlgError)


def difference(text: str, f: Callable[..., Any], name: str) -> str | None:
    """Describe the first difference between minigrad and NumPy in one cell; None if they agree."""
    a = INPUTS[name]
    b = np.flip(a)
    want = outcome(f, _native(a), _native(b))
    ways = {"nodes": (_leaf(a), _leaf(b))}
    if a.dtype.kind == "f" and a.size:
        ways["duals"] = (_dual(a), _dual(b))
    if re.search(r"\bb\b", text):
        ways |= {"a node and an array": (_leaf(a), b), "an array and a node": (a, _leaf(b))}
    for way, inputs in ways.items():
        got = outcome(f, *inputs)
        if isinstance(got, Exception):
            if not isinstance(got, SENTENCE):
                return f"{way}: {type(got).__name__}: {got}"
            if not isinstance(want, Exception):
                return f"{way}: refused ({got}); NumPy {want}"
        elif isinstance(want, Exception):
            return f"{way}: {got}; NumPy refuses ({want})"
        elif len(got) != len(want) or not all(map(same, got, want)):
            return f"{way}: {_shown(got)}; NumPy {_shown(want)}"
    return None


def _dual(x: np.ndarray) -> mg.Dual:
    return mg.Dual(x, np.ones(x.shape))


def _is_half(f: Callable[..., Any], name: str) -> bool:
    """Tell whether NumPy computes a cell in half precision."""
    result = outcome(f, _native(INPUTS[name]), _native(np.flip(INPUTS[name])))
    return not isinstance(result, Exception) and any(x.dtype == np.float16 for x in result)


def differences() -> tuple[int, Counter[str], list[str]]:
    """Count the cells, those that differ for each of the `REASONS`, and list those without a reason."""
    asked, reasons, failures = 0, Counter[str](), list[str]()
    for _, text, name in cells():
        asked, f = asked + 1, function(text, np)
        if (message := difference(text, f, name)) is not None:
            row = next((row for row in DIFFERENCES if row.covers(text, name, message)), None)
            if row is None:
                failures.append(f"{text} on {name}: {message}")
            else:
                reasons[row.reason] += 1
        elif INPUTS[name].dtype.itemsize == 1 and _is_half(f, name):
            reasons[HALF] += 1
    return asked, reasons, failures


def _shown(arrays: list[np.ndarray]) -> str:
    return "  ".join(f"{x.tolist()} ({x.dtype})" for x in arrays)


def cells() -> Iterator[tuple[str, str, str]]:
    """The function, the call and the name of the input."""
    for name, text in calls():
        for input_name in INPUTS:
            yield name, text, input_name


def questions(every: int) -> Iterator[Question]:
    """Every so many-th cell that eager mode takes, about values and derivatives in the other modes: of a graph that was
    built from ordinary numbers."""
    for _, text, input_name in itertools.islice(cells(), 0, None, every):
        f, then = function(text, np), _native(INPUTS[input_name])
        first = np.full(then.shape, 1.5).astype(then.dtype)

        def asked(a: Any, f: Callable[..., Any] = f) -> Any:
            result = _flat(f(a, np.flip(a)))
            return mg.concatenate([mg.ravel(x) for x in result])

        with np.errstate(all="ignore"):
            try:
                if not all(isinstance(x, mg.Node) for x in _flat(f(_leaf(first), np.flip(_leaf(first))))):
                    continue
                asked(_leaf(then))
            except SENTENCE:
                continue
        yield Question(f"{text} on {input_name}", asked, [first], [then], exact=True)


def _flat(value: Any) -> list[Any]:
    return [y for x in value for y in _flat(x)] if isinstance(value, tuple | list) else [value]
