"""The operators of Python and the methods of arrays that need more than the derivative table: x @ y, x[key], x.T."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.errors import kind_of
from minigrad.core.fit import dtype_of
from minigrad.core.operand import Operand
from minigrad.core.operation import method, reflected
from minigrad.like_numpy.registry import as_numpy
from minigrad.like_numpy.surface import NAMES, round
from minigrad.ops.matmul import matmul
from minigrad.ops.shape import index, ravel, reshape, transpose


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
    return transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None)


METHODS: dict[str, Callable[..., Any]] = {
    "matmul": matmul, "rmatmul": reflected(matmul),
    "divmod": NAMES["divmod"], "rdivmod": reflected(NAMES["divmod"]),
    "getitem": index, "round": lambda x, decimals=None: round(x, decimals or 0),
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
for _name, _op in (("T", transpose), ("mT", NAMES["matrix_transpose"])):
    setattr(Operand, _name, property(_op))
