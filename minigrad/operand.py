"""How dual numbers and graph nodes behave in expressions: + and @, indexing, np.sin(x), np.sum(x).

Both get it from this one class. An operator of Python, or a function of NumPy, is looked up and handed on to the
operation of minigrad; nothing is computed here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.operation import Traced, kind_of
from minigrad.ops import linalg, pad, reduce, rows, shape


def _binary(op: Callable[..., Any]) -> Any:
    def left(self: Any, other: Any) -> Any:
        return op(self, other)

    return left


def _missing(symbol: str, advice: str) -> Any:
    """An operator of Python that minigrad has not."""

    def refuse(self: Any, *others: Any) -> Any:
        raise TypeError(f"`{symbol}` has no derivative in minigrad, and cannot take {kind_of(self)}. {advice}")

    return refuse


_WHOLE = "For data, compute it with NumPy before the graph is built; else mg.rules.rule makes an operation of your own"
_BITS = "Of conditions, p * q says `and`, mg.maximum(p, q) says `or`, and mg.equal(p, 0) says `not`"


def _reflected(op: Callable[..., Any]) -> Any:
    def right(self: Any, other: Any) -> Any:
        return op(other, self)

    return right


class Operand(Traced):
    """A traced value with the operators of Python and the functions of NumPy."""

    __slots__ = ()
    dtype: np.dtype
    shape: tuple[int, ...]
    value: Any

    __add__, __radd__ = _binary(rules.add), _reflected(rules.add)
    __sub__, __rsub__ = _binary(rules.sub), _reflected(rules.sub)
    __mul__, __rmul__ = _binary(rules.mul), _reflected(rules.mul)
    __truediv__, __rtruediv__ = _binary(rules.div), _reflected(rules.div)
    __rpow__ = _reflected(rules.pow)
    __matmul__, __rmatmul__ = _binary(linalg.matmul), _reflected(linalg.matmul)
    __gt__, __ge__ = _binary(rules.greater), _binary(rules.greater_equal)
    __lt__, __le__ = _binary(rules.less), _binary(rules.less_equal)

    __mod__ = __rmod__ = _missing("%", _WHOLE)
    __floordiv__ = __rfloordiv__ = _missing("//", _WHOLE)
    __divmod__ = __rdivmod__ = _missing("divmod", _WHOLE)
    __and__ = __rand__ = _missing("&", _BITS)
    __or__ = __ror__ = _missing("|", _BITS)
    __xor__ = __rxor__ = _missing("^", f"For a power write a ** b. {_BITS}")
    __invert__ = _missing("~", _BITS)

    def __pow__(self, exponent: Any) -> Any:
        return rules.square(self) if isinstance(exponent, int | float) and exponent == 2 else rules.pow(self, exponent)

    def __neg__(self) -> Any:
        return rules.neg(self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return rules.abs(self)

    def __getitem__(self, key: Any) -> Any:
        return shape.index(self, key)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"a single number has no length ({kind_of(self)} of shape ())")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def T(self) -> Any:
        return shape.transpose(self)

    def reshape(self, *sizes: Any) -> Any:
        return shape.reshape(self, *sizes)

    def transpose(self, *axes: Any) -> Any:
        return shape.transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None)

    def ravel(self) -> Any:
        return shape.ravel(self)

    def flatten(self) -> Any:
        return shape.ravel(self)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce.sum(self, axis, keepdims)

    def mean(self, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce.mean(self, axis, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce.max(self, axis, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce.min(self, axis, keepdims)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            f"{kind_of(self)} cannot be changed in place: what was computed from it would be wrong. "
            "Build a new one with mg.where or mg.concatenate"
        )

    def __format__(self, how: str) -> str:
        if not how:
            return str(self)
        if self.shape:
            raise TypeError(
                f"the format `{how}` is for a single number, and this is {kind_of(self)} of shape {self.shape}. "
                "np.round(x.value, 3) shows an array with three digits"
            )
        return format(self.value, how)

    def __float__(self) -> float:
        raise TypeError(
            f"float() and the functions of math would lose the derivative of this {type(self).__name__}. "
            "Use NumPy's functions (np.sin) or minigrad's (mg.sin); .value gives the number alone"
        )

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if self.dtype.kind in "iu":
            raise TypeError(
                f"{kind_of(self)} of integers does not index a NumPy array, and does not become one. "
                "mg.take(table, indices) picks rows anew in each run; .value gives the numbers of now, for good"
            )
        raise TypeError(
            f"turning {kind_of(self)} into an array would lose its derivative. .value gives the numbers alone; "
            "mg.stack joins several into one"
        )

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        op = _UFUNCS.get(ufunc)
        if op is None or method != "__call__" or options:
            if "out" in options:
                raise TypeError(
                    f"np.{ufunc.__name__} with out= writes into an array, which cannot hold {kind_of(self)} and its "
                    "derivative. `array += node` does so too: write a new value, array = array + node"
                )
            how = f"np.{ufunc.__name__}" + (f".{method}" if method != "__call__" else "")
            how += f" with {', '.join(options)}=" if options else ""
            raise TypeError(f"{how} has no derivative in minigrad. See mg.rules.TABLE for the functions that have one")
        return op(*inputs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        op = _FUNCTIONS.get(func)
        if op is None:
            raise TypeError(
                f"{_numpy_name(func)} has no derivative in minigrad, and cannot take {kind_of(self)}. "
                "Write it with operations that have one, or make it one of your own, as in lesson 15"
            )
        known = inspect.signature(op).parameters if kwargs else ()
        if unknown := [f"{option}=" for option in kwargs if option not in known]:
            name = _numpy_name(func)
            raise TypeError(f"{name} with {', '.join(unknown)} does not work on {kind_of(self)}")
        return op(*args, **kwargs)


def _numpy_name(func: Any) -> str:
    """What a function of NumPy is called, such as np.linalg.solve."""
    room = func.__module__.removeprefix("numpy").strip(".")
    return f"np.{room}.{func.__name__}" if room in ("linalg", "fft") else f"np.{func.__name__}"


_UFUNCS: dict[Any, Callable[..., Any]] = {
    getattr(np, name): row for name, row in rules.TABLE.items() if isinstance(getattr(np, name, None), np.ufunc)
}
_UFUNCS |= {
    np.subtract: rules.sub, np.multiply: rules.mul, np.divide: rules.div, np.power: rules.pow,
    np.negative: rules.neg, np.absolute: rules.abs, np.positive: rules.identity, np.matmul: linalg.matmul,
}  # fmt: skip


def _clip(a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    return rules.clip(a, -np.inf if a_min is None else a_min, np.inf if a_max is None else a_max)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord is not None and not (ord == 2 and len(reduce.normal_axes(axis, len(shape.shape_of(x)))) == 1):
        raise TypeError(f"np.linalg.norm works on traced values as the 2-norm of all numbers alone, got ord={ord!r}")
    return reduce.norm(x, axis, keepdims)


def _take(a: Any, indices: Any, axis: int | None = None) -> Any:
    return rows.take(shape.ravel(a), indices) if axis is None else rows.take(a, indices, axis)


def _pad(array: Any, pad_width: Any, mode: str = "constant", constant_values: float = 0) -> Any:
    if mode != "constant" or np.ndim(constant_values):
        raise TypeError(
            "np.pad works on traced values with one constant alone: constant_values=a number, no other mode"
        )
    return pad.pad(array, pad_width, constant_values)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sum: reduce.sum, np.mean: reduce.mean, np.prod: reduce.prod, np.var: reduce.var, np.std: reduce.std,
    np.max: reduce.max, np.amax: reduce.max, np.min: reduce.min, np.amin: reduce.min, np.linalg.norm: _norm,
    np.dot: linalg.dot, np.outer: linalg.outer, np.where: rules.where, np.clip: _clip, np.pad: _pad, np.take: _take,
    np.reshape: shape.reshape, np.ravel: shape.ravel, np.transpose: shape.transpose, np.swapaxes: shape.swapaxes,
    np.squeeze: shape.squeeze, np.expand_dims: shape.expand_dims, np.broadcast_to: shape.broadcast_to,
    np.concatenate: shape.concatenate, np.stack: shape.stack, np.shape: shape.shape_of,
    np.ndim: lambda a: len(shape.shape_of(a)), np.size: lambda a: a.size,
    np.zeros_like: lambda a: np.zeros(a.shape, a.dtype), np.ones_like: lambda a: np.ones(a.shape, a.dtype),
}  # fmt: skip
