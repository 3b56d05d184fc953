"""The lines of an image: copied and added, in vectors.

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

    def copy_lines(source, begin, source_pitch, target, place, pitch, rows, count):
        """Copy `rows` lines of `count` numbers, which begin at `begin` and `place`.

        What lies between the lines of the target may change.
        """
        lines_of(target, place, pitch, rows, count)[:] = lines_of(source, begin, source_pitch, rows, count)

    def add_windows(windows, firsts, lines, across, pixels):
        """Add rows to windows of an image, which may share pixels.

        Windows begin at `firsts`, and their lines, of `across` pixels, at `lines` from there.
        """
        places = (firsts[:, None, None] + lines[:, None] + np.arange(across)).reshape(firsts.size, -1)
        np.add.at(pixels, places, windows[:, : places.shape[1]])

else:
    from numba import types
    from numba.extending import intrinsic

    from minigrad.native.numba_internals import cgutils
    from minigrad.native.panels import copying
    from minigrad.native.products import VECTOR
    from minigrad.native.tile import Tile

    @intrinsic
    def _copy_each(typing_context, source, source_row, target, target_row, rows, whole, count, like):
        """Copy `count` numbers, at most a vector, of each line. The first rows, `whole` of them, as whole vectors."""

        def write(builder, words, source, source_row, target, target_row, rows, whole, count):
            mask = words.mask(count)
            for start, end, stored in ((words.const(0), whole, None), (whole, rows, mask)):
                with cgutils.for_range(builder, builder.sub(end, start)) as loop:
                    i = builder.add(loop.index, start)
                    numbers = words.load(words.at(source, builder.mul(i, source_row)), 0, mask)
                    words.store(numbers, words.at(target, builder.mul(i, target_row)), 0, stored)

        return types.none(source, source_row, target, target_row, rows, whole, count, like), copying(write)

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
    def copy_lines(source, begin, source_pitch, target, place, pitch, rows, count):
        size = _bytes_of(source)
        lanes = VECTOR // size
        # So many rows, the first ones, end as whole vectors before the last row does.
        whole = rows if count >= lanes else max(0, ((rows - 1) * pitch + count - lanes) // pitch + 1)
        for j in range(0, count, lanes):
            k = max(0, min(j, count - lanes))  # a long line's last vector ends where the line does
            _copy_each(  # type: ignore[call-arg]
                _at(source, begin + k), source_pitch * size, _at(target, place + k), pitch * size, rows, whole,
                count - k, source.dtype.type(0),
            )  # fmt: skip

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
