"""The columns of a tile, of all rows of a factor that a round needs, copied side by side.

Tiles read them again for each of their rows of the left factor. Side by side they lie on whole lines of the cache, and
on few pages. A transposed factor is transposed on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from minigrad.kernels.compiled import inlined
from minigrad.kernels.tile import VECTORS, Tile, vector_bits

WIDE = VECTORS * vector_bits() // 8  # bytes in a row of a tile


def copying(write: Callable[..., None]) -> Any:
    """Make an intrinsic: `write` gets a writer of vectors, for numbers of the type of the last argument."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        bits = 8 * context.get_abi_sizeof(context.get_data_type(signature.args[-1]))
        write(builder, Tile(builder, bits, 1, True), *arguments[:-1])
        return context.get_dummy_value()

    return code


@intrinsic
def _copy_number(typing_context, source, target, like):
    """Copy one number, of the type of `like`, from an address to another."""

    def write(builder, words, source, target):
        number = words.number_at(source)
        builder.store(number, builder.inttoptr(target, number.type.as_pointer())).align = words.size

    return types.none(source, target, like), copying(write)


@intrinsic
def _copy_row(typing_context, source, target, count, like):
    """Copy `count` numbers, at most a row of a tile; the rest of the row becomes 0."""

    def write(builder, words, source, target, count):
        for first in range(0, VECTORS * words.lanes, words.lanes):
            shift = first * words.size
            vector = words.load(words.at(source, shift), 0, words.mask(builder.sub(count, words.const(first))))
            words.store(vector, words.at(target, shift), 0, None)

    return types.none(source, target, count, like), copying(write)


@inlined
def copy_panel(b, b_row, b_step, target, depth, columns, size, like):
    """Copy `depth` rows of up to a tile's columns of b, WIDE bytes each; entries past the columns may change.

    b, target: addresses. b_row, b_step: bytes from a row to the next, and from a number to the next. size: of a number,
    of the type of `like`.
    """
    if b_step == size:
        for q in range(depth):
            _copy_row(b + q * b_row, target + q * WIDE, columns, like)  # type: ignore[call-arg]
        return
    for q in range(depth):
        for c in range(columns):
            _copy_number(b + q * b_row + c * b_step, target + q * WIDE + c * size, like)  # type: ignore[call-arg]
