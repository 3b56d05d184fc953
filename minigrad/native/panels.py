"""The columns of a tile, of all rows of a factor that a round needs, copied side by side; and matrices, transposed.

Tiles read them again for each of their rows of the left factor. Side by side they lie on whole lines of the cache, and
on few pages. A transposed factor is transposed on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from minigrad.native.compiled import inlined
from minigrad.native.tile import SHORT, VECTORS, Tile, vector_bits

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


@intrinsic
def _copy_turned(typing_context, source, source_row, target, target_row, like):
    """Copy a square of numbers, as many as a vector holds each way, so that rows become columns.

    Blocks of 1, 2, 4, ... numbers change places across the diagonal, in pairs of rows.
    """

    def write(builder, words, source, source_row, target, target_row):
        places = range(words.lanes)
        rows = [words.load(words.at(source, builder.mul(source_row, words.const(k))), 0, None) for k in places]
        block = 1
        while block < words.lanes:
            upper = [k if not k & block else words.lanes + k - block for k in places]
            lower = [k + block if not k & block else words.lanes + k for k in places]
            for k in [k for k in places if not k & block]:
                pair = rows[k], rows[k + block]
                rows[k], rows[k + block] = (
                    builder.shuffle_vector(*pair, ir.Constant(ir.VectorType(SHORT, words.lanes), order))
                    for order in (upper, lower)
                )
            block *= 2
        for k, row in enumerate(rows):
            words.store(row, words.at(target, builder.mul(target_row, words.const(k))), 0, None)

    return types.none(source, source_row, target, target_row, like), copying(write)


@inlined
def copy_panel(b, b_row, b_step, target, target_row, depth, columns, size, like):
    """Copy `depth` rows of up to a tile's columns of b, WIDE bytes each; entries past the columns may change.

    b, target: addresses. b_row, b_step: bytes from a row to the next, and from a number to the next. size: of a number,
    of the type of `like`.
    """
    if b_step == size:
        for q in range(depth):
            _copy_row(b + q * b_row, target + q * target_row, columns, like)  # type: ignore[call-arg]
    elif b_row != size or not _turned(b, b_step, columns, depth, target, target_row, size, like):
        for q in range(depth):
            for c in range(columns):
                _copy_number(b + q * b_row + c * b_step, target + q * target_row + c * size, like)  # type: ignore[call-arg]


@inlined
def _turned(source, source_row, rows, columns, target, target_row, size, like):
    """Transpose a matrix, if squares fit in. The last ones end where the matrix does, and overlap those before."""
    lanes = WIDE // VECTORS // size
    if rows < lanes or columns < lanes:
        return False
    for first in range(0, rows, lanes):
        k = min(first, rows - lanes)
        for begin in range(0, columns, lanes):
            j = min(begin, columns - lanes)
            square, turned = source + k * source_row + j * size, target + j * target_row + k * size
            _copy_turned(square, source_row, turned, target_row, like)  # type: ignore[call-arg]
    return True


@inlined
def turned_in_squares(a, out):
    """Transpose a matrix whose rows, and those of the result, lie in one piece, if squares fit in."""
    size, like = a.itemsize, a.dtype.type(0)
    if a.strides[1] != size or out.strides[1] != size:
        return False
    source, target = np.int64(a.ctypes.data), np.int64(out.ctypes.data)
    return _turned(source, a.strides[0], *a.shape, target, out.strides[0], size, like)
