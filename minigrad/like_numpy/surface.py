"""Operations of the library under the names of NumPy, functions that are one line of them, and methods: tables.

Nothing here has a derivative of its own: all is made of rows of the derivative table and of operations in ops/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.errors import kind_of
from minigrad.core.operand import Operand
from minigrad.core.operation import Traced, method, reflected
from minigrad.like_numpy.arrange import diagonal
from minigrad.like_numpy.registry import as_numpy, numpys_own
from minigrad.ops import reduce
from minigrad.ops import shape as shapes
from minigrad.ops.keys import whole
from minigrad.ops.matmul import dot, matmul, outer
from minigrad.ops.shape import array_like, broadcast_to, cast, concatenate, dtype_of, floats, ravel, reshape, shape_of


def now(a: ArrayLike) -> np.ndarray:
    """The numbers that a traced value has now."""
    while hasattr(a, "lift"):
        a = a.value  # type: ignore[union-attr]
    return np.asarray(a)


def _triangle(part: Callable[..., np.ndarray], m: ArrayLike, k: int) -> Array:
    """Matrices with 0 outside of the `part` below or above a diagonal."""
    inside = part(np.ones(shape_of(m), bool), whole(k, "the number of a diagonal"))
    return rules.where(inside, m, np.zeros((), dtype_of(m)))


NAMES: dict[str, Callable[..., Any]] = {
    "subtract": rules.sub, "multiply": rules.mul, "divide": rules.div, "power": rules.pow, "negative": rules.neg,
    "absolute": rules.abs, "positive": rules.identity,
    "sum": reduce.sum, "mean": reduce.mean, "var": reduce.var, "std": reduce.std,
    "max": reduce.max, "amax": reduce.max, "min": reduce.min, "amin": reduce.min,
    "matmul": matmul, "dot": dot, "outer": outer,
    "reshape": shapes.reshape, "ravel": shapes.ravel, "transpose": shapes.transpose, "swapaxes": shapes.swapaxes,
    "moveaxis": shapes.moveaxis, "squeeze": shapes.squeeze, "expand_dims": shapes.expand_dims,
    "broadcast_to": shapes.broadcast_to, "concatenate": shapes.concatenate, "stack": shapes.stack,
    "shape": shapes.shape_of,
    "ndim": lambda a: len(shapes.shape_of(a)),
    "size": lambda a, axis=None: np.size(np.empty(shapes.shape_of(a)), axis),
    "vstack": lambda tup, *, dtype=None, casting="same_kind": concatenate(
        [x if len(shape_of(x)) > 1 else reshape(x, (1, len(ravel(x)))) for x in map(array_like, tup)],
        dtype=dtype, casting=casting),
    "tril": lambda m, k=0: _triangle(np.tril, m, k),
    "triu": lambda m, k=0: _triangle(np.triu, m, k),
    "zeros_like": lambda a, dtype=None, *, shape=None: np.zeros(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "ones_like": lambda a, dtype=None, *, shape=None: np.ones(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "full_like": lambda a, fill_value, dtype=None, *, shape=None: broadcast_to(
        cast(array_like(fill_value), dtype or dtype_of(a)), shape_of(a) if shape is None else shape),
    "arccosh": lambda x, /: 2 * rules.arcsinh(rules.sqrt((floats(x) - 1) / 2)),  # loses no digits near 1
    "divmod": lambda x1, x2, /: (rules.floor_divide(x1, x2), rules.remainder(x1, x2)),
    "isinf": lambda x, /: rules.equal(rules.abs(x), np.inf),
    "isnan": lambda x, /: rules.not_equal(x, x),  # the only value that differs from itself
    "isfinite": lambda x, /: rules.less(rules.abs(x), np.inf),
    "logical_not": lambda x, /: rules.equal(x, 0),
    "logical_and": lambda x1, x2, /: rules.not_equal(x1, 0) * rules.not_equal(x2, 0),
    "logical_or": lambda x1, x2, /: rules.maximum(rules.not_equal(x1, 0), rules.not_equal(x2, 0)),
    "logical_xor": lambda x1, x2, /: rules.not_equal(rules.not_equal(x1, 0), rules.not_equal(x2, 0)),
    "matrix_transpose": lambda x, /: shapes.swapaxes(x, -1, -2),
    "astype": lambda x, dtype, /, *, copy=True: cast(array_like(x), dtype),
    "copy": lambda a: a if isinstance(a, Traced) else np.array(a),  # what is traced does not change in place
    "trace": lambda a, offset=0, axis1=0, axis2=1, dtype=None: diagonal(a, offset, axis1, axis2).sum(-1, dtype),
    "all": lambda a, axis=None, *, keepdims=False: rules.equal(
        reduce.sum(rules.equal(a, 0), axis, keepdims=keepdims), 0),
    "any": lambda a, axis=None, *, keepdims=False: rules.greater(
        reduce.sum(rules.not_equal(a, 0), axis, keepdims=keepdims), 0),
    "allclose": lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: np.allclose(now(a), now(b), rtol, atol, equal_nan),
    "array_equal": lambda a1, a2, equal_nan=False: np.array_equal(now(a1), now(a2), equal_nan),
}  # fmt: skip

for _name, _row in rules.TABLE.items():  # a row has the name of the function that it is
    if isinstance(numpys_own(_name), np.ufunc):
        as_numpy(_name)(_row)
for _name, _op in NAMES.items():
    if getattr(_op, "__name__", "") == "<lambda>":
        _op.__name__ = _op.__qualname__ = _name
        _op.__doc__ = f"NumPy's {_name}, made of other operations in one line."
    as_numpy(_name)(_op)
as_numpy("empty_like")(NAMES["zeros_like"])


@as_numpy("isclose")
def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array:
    """Tell where |a - b| is at most atol + rtol |b|."""
    a, b = floats(a), floats(b)
    near = rules.less_equal(rules.abs(a - b), atol + rtol * rules.abs(b)) * rules.less(rules.abs(b), np.inf)
    near = rules.maximum(near, rules.equal(a, b))  # conditions: the product is "and", the maximum "or"
    return rules.maximum(near, rules.not_equal(a, a) * rules.not_equal(b, b)) if equal_nan else near


@as_numpy("clip")
def clip(
    a: ArrayLike,
    a_min: ArrayLike | None = None,
    a_max: ArrayLike | None = None,
    *,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
) -> Array:
    """a, but at least a_min and at most a_max (or min and max, by their other names); None for no limit."""
    if not ((a_min is None and a_max is None) or (min is None and max is None)):
        raise ValueError("clip takes its limits by one pair of names: a_min and a_max, or min and max")
    low, high = a_min if min is None else min, a_max if max is None else max
    if dtype_of(a).kind in "iub":  # an infinite limit would make floats of them
        a = a if low is None else rules.maximum(a, low)
        return a if high is None else rules.minimum(a, high)  # type: ignore[return-value]
    return rules.clip(a, -np.inf if low is None else low, np.inf if high is None else high)


@as_numpy("round", "around")
def round(a: ArrayLike, decimals: int = 0) -> Array:
    """The nearest number with so many decimals, halves to the even one. Its derivative is 0."""
    a = array_like(a)
    if dtype_of(a).kind in "iu":
        if decimals >= 0:
            return array_like(a)
        raise TypeError(
            f"round takes integers to ones, and not to decimals={decimals}. Convert them: mg.cast(a, float)"
        )
    if decimals == 0:
        return rules.rint(a)
    power = 10.0 ** abs(int(decimals))
    return rules.rint(a * power) / power if decimals > 0 else rules.rint(a / power) * power


@as_numpy("where")
def where(condition: ArrayLike, *choices: ArrayLike) -> Array:
    """The first choice where the condition is not 0, else the second."""
    if len(choices) != 2:
        raise TypeError(
            "np.where of a condition alone gives places, another number of them in each run. Give both choices: "
            "mg.where(condition, a, b)"
        )
    return rules.where(condition, *choices)


# The operators of Python and the methods of arrays that need more than the derivative table: x @ y, x[key], x.T.


def _bits(symbol: str, op: Callable[..., Any], advice: str = "") -> Callable[..., Array]:
    """Make `and`, `or` and other bit operators for conditions; bits of numbers have no derivative."""

    def of_conditions(self: ArrayLike, *others: ArrayLike) -> Array:
        if any(dtype_of(x).kind != "b" for x in (self, *others)):
            raise TypeError(
                f"`{symbol}` of numbers has no derivative in minigrad: {kind_of(self)} of {dtype_of(self)}. "
                f"{advice}Of conditions it says {op.__name__.replace('_', ' ')}: (x > 0) {symbol} (x < 1)"
            )
        return op(self, *others)

    of_conditions.__doc__ = f"Combine conditions by `{symbol}`; bits of numbers have no derivative."
    return of_conditions


def _transpose(self: ArrayLike, *axes: Any) -> Array:
    """The axes in another order, reversed if none is said: x.transpose(1, 0) or x.transpose((1, 0))."""
    return shapes.transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None)


METHODS: dict[str, Callable[..., Any]] = {
    "matmul": matmul, "rmatmul": reflected(matmul),
    "divmod": NAMES["divmod"], "rdivmod": reflected(NAMES["divmod"]),
    "getitem": shapes.index, "round": lambda x, decimals=None: round(x, decimals or 0),
    "invert": _bits("~", NAMES["logical_not"]), "and": _bits("&", NAMES["logical_and"]),
    "or": _bits("|", NAMES["logical_or"]), "xor": _bits("^", NAMES["logical_xor"], "For a power write a ** b. "),
}  # fmt: skip
for _name, _op in METHODS.items():
    setattr(Operand, f"__{_name}__", method(_op))
for _name in ("and", "or", "xor"):
    setattr(Operand, f"__r{_name}__", method(as_numpy(f"bitwise_{_name}")(METHODS[_name])))
as_numpy("invert")(METHODS["invert"])
for _name, _op in (("transpose", _transpose), ("flatten", ravel), ("astype", NAMES["astype"]), ("reshape", reshape)):
    setattr(Operand, _name, method(_op))
for _name, _op in (("T", shapes.transpose), ("mT", NAMES["matrix_transpose"])):
    setattr(Operand, _name, property(_op))
