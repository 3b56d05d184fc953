"""Python's operators and NumPy's functions on dual numbers, nodes and examples: +, @, indexing, np.sin(x), np.sum(x).

All of them inherit from this one class. A Python operator, or a NumPy function, is looked up and dispatched to the
operation of minigrad; nothing is computed here.
"""

from __future__ import annotations

import functools
import inspect
import opcode
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.operation import Traced, kind_of, learner_line
from minigrad.like_numpy import arrange, elementwise
from minigrad.like_numpy.core import CORE
from minigrad.like_numpy.nearest import NEAREST, OF_YOUR_OWN
from minigrad.like_numpy.registry import FUNCTIONS, as_numpy, numpy_name
from minigrad.ops import shape as shapes
from minigrad.ops.matmul import matmul


def _method(op: Callable[..., Any]) -> Any:
    """Make `op` a method; as an operator, with this value on the left."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        return op(self, *args, **options)

    method.__doc__ = op.__doc__
    return method


def _numpys(func: Any) -> Any:
    """Make NumPy's function a method, which takes NumPy's arguments in its order."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        return self.__array_function__(func, (), (self, *args), options)

    method.__doc__ = FUNCTIONS[func].__doc__
    return method


@functools.cache
def _parameters(function: Any) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)


def _bits(symbol: str, op: Callable[..., Any], advice: str = "") -> Any:
    """Make `and`, `or` and other bit operators for conditions; bits of numbers have no derivative."""

    def of_conditions(self: Any, *others: Any) -> Any:
        if any(shapes.dtype_of(x).kind != "b" for x in (self, *others)):
            raise TypeError(
                f"`{symbol}` of numbers has no derivative in minigrad: {kind_of(self)} of {shapes.dtype_of(self)}. "
                f"{advice}Of conditions it says {op.__name__.replace('_', ' ')}: (x > 0) {symbol} (x < 1)"
            )
        return op(self, *others)

    return of_conditions


def _reflected(op: Callable[..., Any]) -> Any:
    return lambda self, other: op(other, self)


class Operand(Traced):
    """A traced value with Python's operators and NumPy's functions."""

    __slots__ = ()
    _value: Any  # a value with a shape and a dtype: an array, a NumPy scalar, or another traced value
    value: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape

    @property
    def dtype(self) -> np.dtype:
        return self._value.dtype

    __add__, __radd__ = _method(rules.add), _reflected(rules.add)
    __sub__, __rsub__ = _method(rules.sub), _reflected(rules.sub)
    __mul__, __rmul__ = _method(rules.mul), _reflected(rules.mul)
    __truediv__, __rtruediv__ = _method(rules.div), _reflected(rules.div)
    __rpow__ = _reflected(rules.pow)
    __matmul__, __rmatmul__ = _method(matmul), _reflected(matmul)
    __gt__, __ge__ = _method(rules.greater), _method(rules.greater_equal)
    __lt__, __le__ = _method(rules.less), _method(rules.less_equal)

    __mod__, __rmod__ = _method(rules.remainder), _reflected(rules.remainder)
    __floordiv__, __rfloordiv__ = _method(rules.floor_divide), _reflected(rules.floor_divide)
    __divmod__, __rdivmod__ = _method(CORE["divmod"]), _reflected(CORE["divmod"])
    __and__ = __rand__ = _bits("&", elementwise.logical_and)
    __or__ = __ror__ = _bits("|", elementwise.logical_or)
    __xor__ = __rxor__ = _bits("^", elementwise.logical_xor, "For a power write a ** b. ")
    __invert__ = _bits("~", elementwise.logical_not)
    __neg__, __abs__, __getitem__ = _method(rules.neg), _method(rules.abs), _method(shapes.index)
    __floor__, __ceil__, __trunc__ = _method(rules.floor), _method(rules.ceil), _method(rules.trunc)

    def __pow__(self, exponent: Any) -> Any:
        return rules.square(self) if isinstance(exponent, int | float) and exponent == 2 else rules.pow(self, exponent)

    def __pos__(self) -> Any:
        return self

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

    T, mT = property(shapes.transpose), property(arrange.matrix_transpose)

    # NumPy's methods, with its names.
    all, any, argmax, argmin, argsort = map(_numpys, (np.all, np.any, np.argmax, np.argmin, np.argsort))
    clip, round, diagonal, repeat = map(_numpys, (np.clip, np.round, np.diagonal, np.repeat))
    cumsum, dot, squeeze, swapaxes = map(_numpys, (np.cumsum, np.dot, np.squeeze, np.swapaxes))
    max, min, mean, sum, prod, std, var = map(_numpys, (np.max, np.min, np.mean, np.sum, np.prod, np.std, np.var))
    copy, ravel, take, trace = map(_numpys, (np.copy, np.ravel, np.take, np.trace))
    astype, flatten, reshape = _method(arrange.astype), ravel, _method(shapes.reshape)

    def transpose(self, *axes: Any) -> Any:
        return shapes.transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None)

    def item(self, *place: Any) -> Any:
        """Return the plain number, without its derivative."""
        return np.asarray(self.value).item(*place)

    def tolist(self) -> Any:
        raise TypeError(
            f"tolist() would lose the derivative of this {type(self).__name__}. .value gives the numbers alone"
        )

    def __round__(self, decimals: int | None = None) -> Any:
        return elementwise.round(self, decimals or 0)

    def __getattr__(self, name: str) -> Any:
        if hasattr(type(self), name):  # a property raised its own AttributeError
            return object.__getattribute__(self, name)
        advice = ""
        if name in ("sort", "partition", "fill", "put", "resize", "itemset", "setfield"):
            advice = (
                f". It would change the numbers in place: mg.{name if hasattr(np, name) else 'where'} gives new ones"
            )
        elif not name.startswith("_") and hasattr(np.ndarray, name):
            advice = ", which NumPy's arrays have. .value gives the numbers alone"
        raise AttributeError(f"{kind_of(self)} has no attribute {name!r}{advice}")

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
        if _is_assigned(sys._getframe(1)):
            raise TypeError(
                f"{kind_of(self)} was assigned to an entry of a NumPy array, which holds numbers alone and would lose "
                f"its derivative, at {learner_line()}. Collect the entries in a list, and join them: mg.stack(entries)"
            )
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
        op = FUNCTIONS.get(ufunc)
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
        op, name = FUNCTIONS.get(func), f"np.{numpy_name(func)}"
        if op is None:
            nearest = NEAREST.get(name.removeprefix("np."), OF_YOUR_OWN)
            raise TypeError(f"{name} has no derivative in minigrad, and cannot take {kind_of(self)}. {nearest}")
        known = _parameters(op)
        count = sum(x.kind is not x.KEYWORD_ONLY for x in known.values())
        if len(args) > count and not any(x.kind is x.VAR_POSITIONAL for x in known.values()):
            args, more = args[:count], args[count:]  # NumPy has other arguments at these places
            kwargs = dict(zip([*_parameters(func)][count:], more, strict=False)) | kwargs
        options = {option: x for option, x in kwargs.items() if option in known}
        others = [option for option, x in kwargs.items() if option not in known and not _says_nothing(func, option, x)]
        if others:
            raise TypeError(
                f"{name} with {', '.join(f'{option}=' for option in others)} does not work on {kind_of(self)}. "
                f"It takes {', '.join(known)}"
            )
        return op(*args, **options)


def _is_assigned(frame: FrameType) -> bool:
    """Tell whether a Python line is executing `y[0] = x`, for which NumPy asks x for a float."""
    return frame.f_code.co_code[frame.f_lasti] == opcode.opmap["STORE_SUBSCR"]


def _says_nothing(func: Any, option: str, x: Any) -> bool:
    """Tell whether an option of NumPy's has its default value."""
    if option == "where":
        return x is True
    if x is None or (option == "order" and x in ("C", "K")):
        return True
    default = _parameters(func)[option].default if option in _parameters(func) else None
    return x is default or (isinstance(x, bool | str) and x == default)


as_numpy("bitwise_and")(Operand.__and__)
as_numpy("bitwise_or")(Operand.__or__)
as_numpy("bitwise_xor")(Operand.__xor__)
as_numpy("invert")(Operand.__invert__)
