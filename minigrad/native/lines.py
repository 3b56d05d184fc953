"""The lines of an image: copied, thinned out and added, in vectors.

numba makes vectors of long loops. A line of an image has a few numbers, and loops over these would be left scalar, so
these functions are written in LLVM's own words. Masked stores are slow. So where a vector holds a line, it is stored as
a whole: what is too much is overwritten by the next line. Only the last lines are masked.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.compiled import PURE_PYTHON, by_types, exact, inlined

if PURE_PYTHON:

    def lines_of(a, begin, pitch, rows, count):
        """Rows of `count` numbers of a vector, `pitch` apart from `begin` on: a view."""
        size = a.itemsize
        return np.lib.stride_tricks.as_strided(a[begin:], (rows, count), (pitch * size, size))

    def copy_lines(source, begin, step, source_pitch, target, place, pitch, rows, count):
        """Copy `rows` lines of `count` numbers, `step` (1 or 2) apart. Lines begin at `begin` and `place`.

        What lies between the lines of the target may change.
        """
        lines = lines_of(source, begin, source_pitch, rows, step * count - step + 1)
        lines_of(target, place, pitch, rows, count)[:] = lines[:, ::step]

    def add_windows(windows, firsts, lines, across, pixels):
        """Add rows to windows of an image, which may share pixels.

        Windows begin at `firsts`, and their lines, of `across` pixels, at `lines` from there.
        """
        places = (firsts[:, None, None] + lines[:, None] + np.arange(across)).reshape(firsts.size, -1)
        np.add.at(pixels, places, windows[:, : places.shape[1]])

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from minigrad.native.numba_internals import cgutils
    from minigrad.native.panels import copying
    from minigrad.native.products import VECTOR
    from minigrad.native.tile import SHORT, Tile

    def _copying(step):
        """An intrinsic for a vector of each line: copies `count` numbers, `step` apart.

        The first rows, `whole` of them, are stored as whole vectors.
        """

        @intrinsic
        def copy(typing_context, source, source_row, target, target_row, rows, whole, count, like):
            def write(builder, words, source, source_row, target, target_row, rows, whole, count):
                order = ir.Constant(ir.VectorType(SHORT, words.lanes), list(range(0, step * words.lanes, step)))
                read = builder.sub(builder.mul(count, words.const(step)), words.const(step - 1))
                masks = [words.mask(builder.sub(read, words.const(k * words.lanes))) for k in range(step)]
                for start, end, stored in ((words.const(0), whole, None), (whole, rows, words.mask(count))):
                    with cgutils.for_range(builder, builder.sub(end, start)) as loop:
                        i = builder.add(loop.index, start)
                        line = words.at(source, builder.mul(i, source_row))
                        ends = [words.at(line, k * words.lanes * words.size) for k in range(step)]
                        numbers = [words.load(end, 0, mask) for end, mask in zip(ends, masks, strict=True)]
                        copied = numbers[0] if step == 1 else builder.shuffle_vector(*numbers, order)
                        words.store(copied, words.at(target, builder.mul(i, target_row)), 0, stored)

            return types.none(source, source_row, target, target_row, rows, whole, count, like), copying(write)

        return copy

    _copy_each, _copy_every_second = _copying(1), _copying(2)

    def _adding(lanes):
        """An intrinsic that adds so many numbers of each line of windows to an image."""

        @intrinsic
        def add(typing_context, pixels, firsts, count, lines, high, windows, row, pitch, like):
            def write(builder, words, pixels, firsts, count, lines, high, windows, row, pitch):
                few = Tile(builder, 8 * words.size, 1, False, lanes=lanes)
                with few.loop(count, [firsts, windows]) as (_, (first, window), following):
                    begin = few.at(pixels, few.offset_at(first))
                    with few.loop(high, [lines, window]) as (_, (line, place), new):
                        pixel = few.at(begin, few.offset_at(line))
                        total = builder.fadd(few.load(pixel, 0, None), few.load(place, 0, None))
                        few.store(total, pixel, 0, None)
                        new += [few.at(line, 8), few.at(place, pitch)]
                    following += [few.at(first, 8), few.at(window, row)]

            return types.none(pixels, firsts, count, lines, high, windows, row, pitch, like), copying(write)

        return add

    _add_four, _add_two, _add_one = _adding(4), _adding(2), _adding(1)

    def _bytes_of(a):
        """The bytes of a number in an array, as a constant: a division by it is none."""

    @by_types(_bytes_of)
    def _bytes_of_type(a):
        count = a.dtype.bitwidth // 8
        return lambda a: count

    @inlined
    def _at(a, k):
        """The address of an entry of a vector."""
        return np.int64(a.ctypes.data) + k * _bytes_of(a)

    @exact
    def copy_lines(source, begin, step, source_pitch, target, place, pitch, rows, count):
        size = _bytes_of(source)
        lanes = VECTOR // size
        # So many rows, the first ones, end as whole vectors before the last row does.
        whole = rows if count >= lanes else max(0, ((rows - 1) * pitch + count - lanes) // pitch + 1)
        for j in range(0, count, lanes):
            k = max(0, min(j, count - lanes))  # a long line's last vector ends where the line does
            where = (
                _at(source, begin + step * k), source_pitch * size, _at(target, place + k), pitch * size, rows, whole,
                count - k, source.dtype.type(0),
            )  # fmt: skip
            if step == 1:
                _copy_each(*where)
            else:
                _copy_every_second(*where)

    @inlined
    def _places(j, windows, firsts, lines, across, pixels):
        """The arguments of an intrinsic that adds numbers from the j-th one of a line on."""
        size = pixels.itemsize
        return (
            _at(pixels, j), _at(firsts, 0), firsts.size, _at(lines, 0), lines.size, _at(windows, j),
            windows.shape[1] * size, across * size, pixels.dtype.type(0),
        )  # fmt: skip

    @exact
    def add_windows(windows, firsts, lines, across, pixels):
        for j in range(0, across - 3, 4):
            _add_four(*_places(j, windows, firsts, lines, across, pixels))
        if across & 2:
            _add_two(*_places(across & ~3, windows, firsts, lines, across, pixels))
        if across & 1:
            _add_one(*_places(across - 1, windows, firsts, lines, across, pixels))
