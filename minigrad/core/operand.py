"""Python's operators and NumPy's functions on dual numbers, nodes and examples: +, @, indexing, np.sin(x), np.sum(x).

All of them inherit from this one class. A Python operator, or a NumPy function, is looked up and dispatched to the
operation of minigrad; nothing is computed here.
"""

from __future__ import annotations

import functools
import inspect
import opcode
import sys
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.core.errors import kind_of, learner_line
from minigrad.core.operation import Traced, method, reflected

# Filled from above, by `minigrad.like_numpy`, as are the methods of arrays: x.sum(), x[key], x @ y.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}  # np.cumsum: the function for traced values
NEAREST: dict[str, str] = {}  # the name of a NumPy function that has no derivative here: what to use in its place
OF_YOUR_OWN = "Write it with operations that have one, or make it one of your own, as in lesson 15"


def numpy_name(func: Callable[..., Any]) -> str:
    """Name a NumPy function as its own code does: cumsum, or linalg.solve."""
    module = getattr(func, "__module__", "numpy").removeprefix("numpy").strip(".")  # NumPy 2.1's ufuncs have none
    return f"{module}.{func.__name__}" if module in ("linalg", "fft") else func.__name__


@functools.cache
def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)


class Operand(Traced):
    """A traced value with Python's operators and NumPy's functions."""

    __slots__ = ()
    _value: Any  # a value with a shape and a dtype: an array, a NumPy scalar, or another traced value
    value: Any

    shape: tuple[int, ...] = property(attrgetter("_value.shape"))  # type: ignore[assignment]
    dtype: np.dtype = property(attrgetter("_value.dtype"))  # type: ignore[assignment]
    __getitem__: Callable[..., Any]
    __matmul__: Callable[..., Any]

    __add__, __radd__ = method(rules.add), reflected(rules.add)
    __sub__, __rsub__ = method(rules.sub), reflected(rules.sub)
    __mul__, __rmul__ = method(rules.mul), reflected(rules.mul)
    __truediv__, __rtruediv__ = method(rules.div), reflected(rules.div)
    __rpow__ = reflected(rules.pow)
    __mod__, __rmod__ = method(rules.remainder), reflected(rules.remainder)
    __floordiv__, __rfloordiv__ = method(rules.floor_divide), reflected(rules.floor_divide)
    __gt__, __ge__ = method(rules.greater), method(rules.greater_equal)
    __lt__, __le__ = method(rules.less), method(rules.less_equal)
    __neg__, __abs__ = method(rules.neg), method(rules.abs)
    __floor__, __ceil__, __trunc__ = method(rules.floor), method(rules.ceil), method(rules.trunc)

    def __pow__(self, exponent: ArrayLike) -> Array:
        return rules.square(self) if isinstance(exponent, int | float) and exponent == 2 else rules.pow(self, exponent)

    def __pos__(self) -> Operand:
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

    def item(self, *place: int) -> float:
        """Return the plain number, without its derivative."""
        return np.asarray(self.value).item(*place)

    def tolist(self) -> NoReturn:
        raise TypeError(
            f"tolist() would lose the derivative of this {type(self).__name__}. .value gives the numbers alone"
        )

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

    def __setitem__(self, key: object, value: object) -> NoReturn:
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

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> np.ndarray:
        if self.dtype.kind in "iu":
            raise TypeError(
                f"{kind_of(self)} of integers does not index a NumPy array, and does not become one. "
                "mg.take(table, indices) picks rows anew in each run; .value gives the numbers of now, for good"
            )
        raise TypeError(
            f"turning {kind_of(self)} into an array would lose its derivative. .value gives the numbers alone; "
            "mg.stack joins several into one; of methods of an array, such as w.dot(x), write np.dot(w, x) or w @ x"
        )

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: ArrayLike, **options: Any) -> Array:
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

    def __array_function__(self, func: Any, types: object, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        op, name = FUNCTIONS.get(func), numpy_name(func)
        if op is None:
            advice = NEAREST.get(name, OF_YOUR_OWN)
            raise TypeError(f"np.{name} has no derivative in minigrad, and cannot take {kind_of(self)}. {advice}")
        known = _parameters(op)
        count = sum(x.kind is not x.KEYWORD_ONLY for x in known.values())
        if len(args) > count and not any(x.kind is x.VAR_POSITIONAL for x in known.values()):
            args, more = args[:count], args[count:]  # NumPy has other arguments at these places
            kwargs = dict(zip([*_parameters(func)][count:], more, strict=False)) | kwargs
        kwargs = {option: x for option, x in kwargs.items() if x is not np._NoValue}  # NumPy's word for: not given
        options = {option: x for option, x in kwargs.items() if option in known}
        others = [option for option, x in kwargs.items() if option not in known and not _is_default(func, option, x)]
        if others:
            raise TypeError(
                f"np.{name} with {', '.join(f'{option}=' for option in others)} does not work on {kind_of(self)}. "
                f"It takes {', '.join(known)}"
            )
        return op(*(None if x is np._NoValue else x for x in args), **options)


def _is_assigned(frame: FrameType) -> bool:
    """Tell whether a Python line is executing `y[0] = x`, for which NumPy asks x for a float."""
    return frame.f_code.co_code[frame.f_lasti] == opcode.opmap["STORE_SUBSCR"]


def _is_default(func: Callable[..., Any], option: str, value: object) -> bool:
    """Tell whether an option of a NumPy function has its default value."""
    if option == "where":
        return value is True
    if value is None or (option == "order" and value in ("C", "K")):
        return True
    default = _parameters(func)[option].default if option in _parameters(func) else None
    return value is default or (isinstance(value, bool | str) and value == default)
