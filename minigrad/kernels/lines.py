"""The lines of an image: copied, thinned out, woven together, pooled and added, in vectors.

numba makes vectors of long loops. A line of an image has a few numbers, and loops over these would be left scalar, so
these functions are written in LLVM's own words. Masked stores are slow. So where a vector holds a line, it is stored as
a whole: what is too much is overwritten by the next line. Only the last lines are masked.
"""

from __future__ import annotations

import numpy as np

from minigrad.kernels.compiled import PURE_PYTHON, by_types, exact, inlined

if PURE_PYTHON:

    def lines_of(a, begin, pitch, rows, count):
        """Rows of `count` numbers of a vector, `pitch` apart from `begin` on: a view."""
        size = a.itemsize
        return np.lib.stride_tricks.as_strided(a[begin:], (rows, count), (pitch * size, size))

    def every_second(source, begin, source_pitch, target, place, pitch, rows, count):
        """Copy every second number of `rows` lines, `count` of each. Lines begin at `begin` and `place`, pitches apart.

        What lies between the lines of the target may change, as in those below.
        """
        lines = lines_of(source, begin, source_pitch, rows, 2 * count - 1)
        lines_of(target, place, pitch, rows, count)[:] = lines[:, ::2]

    def copy_lines(source, begin, source_pitch, target, place, pitch, rows, count):
        """Copy `rows` lines of `count` numbers. What lies between the lines of the target may become 0."""
        lines_of(target, place, pitch, rows, count)[:] = lines_of(source, begin, source_pitch, rows, count)

    def weave_line(source, even, odd, target, place, count):
        """Fill `count` numbers of the target from `place` on: in turns the numbers from `even` and from `odd` on.

        What follows in the target may change.
        """
        line = target[place : place + count]
        line[::2], line[1::2] = source[even : even + (count + 1) // 2], source[odd : odd + count // 2]

    def pool_lines(source, begin, pitch, step, places, where, out, first, rows, count):
        """Fill `rows` lines of out with the largest of `places` numbers, `step` apart in `source`; where: which it is.

        The first of equal numbers wins; of several nan, the last.
        """
        for j in range(rows * count):
            start = begin + j // count * pitch + j % count
            best, place = source[start], 0
            for k in range(1, places):
                other = source[start + k * step]
                if other > best or other != other:
                    best, place = other, k
            out[first + j], where[first + j] = best, place

    def add_line(source, begin, target, place, count):
        """Add `count` numbers to others, none of them the same."""
        target[place : place + count] += source[begin : begin + count]

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from minigrad.inside_numba import cgutils
    from minigrad.kernels.panels import copying
    from minigrad.kernels.products import VECTOR
    from minigrad.kernels.tile import POINTER, SHORT, Tile

    def _each_line(words, rows, whole, count, line):
        """For each row, have `line` written, with its number, and the masks of what is there and of what to store.

        whole: so many rows are stored as whole vectors.
        """
        builder, mask = words.builder, words.mask(count)
        with cgutils.for_range(builder, whole) as loop:
            line(loop.index, mask, None)
        with cgutils.for_range(builder, builder.sub(rows, whole)) as loop:
            line(builder.add(loop.index, whole), mask, mask)

    def _whole_numbers(words):
        return Tile(words.builder, 32, 1, True, lanes=words.lanes, whole=True)

    @intrinsic
    def _every_second(typing_context, source, source_row, target, target_row, rows, whole, count, like):
        def write(builder, words, source, source_row, target, target_row, rows, whole, count):
            order = ir.Constant(ir.VectorType(SHORT, words.lanes), list(range(0, 2 * words.lanes, 2)))
            read = builder.sub(builder.shl(count, words.const(1)), words.const(1))  # what follows may not be there
            low, high = words.mask(read), words.mask(builder.sub(read, words.const(words.lanes)))

            def line(i, mask, stored):
                begin = words.at(source, builder.mul(i, source_row))
                pair = words.load(begin, 0, low), words.load(words.at(begin, words.lanes * words.size), 0, high)
                thinned = builder.shuffle_vector(*pair, order)
                words.store(thinned, words.at(target, builder.mul(i, target_row)), 0, stored)

            _each_line(words, rows, whole, count, line)

        return types.none(source, source_row, target, target_row, rows, whole, count, like), copying(write)

    @intrinsic
    def _copy_lines(typing_context, source, source_row, target, target_row, rows, whole, count, like):
        def write(builder, words, source, source_row, target, target_row, rows, whole, count):
            def line(i, mask, stored):
                numbers = words.load(words.at(source, builder.mul(i, source_row)), 0, mask)
                words.store(numbers, words.at(target, builder.mul(i, target_row)), 0, stored)

            _each_line(words, rows, whole, count, line)

        return types.none(source, source_row, target, target_row, rows, whole, count, like), copying(write)

    @intrinsic
    def _weave(typing_context, even, odd, target, whole, count, like):
        """Two vectors of the target, stored as a whole where `whole` is not 0."""

        def write(builder, words, even, odd, target, whole, count):
            half = builder.lshr(builder.add(count, words.const(1)), words.const(1))
            pair = [words.load(address, 0, words.mask(half)) for address in (even, odd)]
            for first in (0, words.lanes):
                order = [first // 2 + k // 2 + k % 2 * words.lanes for k in range(words.lanes)]
                woven = builder.shuffle_vector(*pair, ir.Constant(ir.VectorType(SHORT, words.lanes), order))
                mask = words.mask(builder.sub(count, words.const(first)))
                end = words.at(target, first * words.size)
                with builder.if_else(builder.icmp_signed("!=", whole, words.const(0))) as (all_of_it, some):
                    with all_of_it:
                        words.store(woven, end, 0, None)
                    with some:
                        words.store(woven, end, 0, mask)

        return types.none(even, odd, target, whole, count, like), copying(write)

    @intrinsic
    def _pool(
        typing_context, source, source_row, step, places, where, where_row, out, out_row, rows, whole, count, like
    ):
        def write(builder, words, source, source_row, step, places, where, where_row, out, out_row, rows, whole, count):
            integers = _whole_numbers(words)

            def line(i, mask, stored):
                begin = words.at(source, builder.mul(i, source_row))
                first = words.load(begin, 0, mask)
                before, loop = builder.block, builder.append_basic_block("place")
                rest, done = builder.append_basic_block("others"), builder.append_basic_block("pooled")
                builder.branch(loop)
                builder.position_at_end(loop)
                k, best, place = builder.phi(POINTER), builder.phi(words.vector), builder.phi(integers.vector)
                builder.cbranch(builder.icmp_signed("<", k, places), rest, done)
                builder.position_at_end(rest)
                other = words.load(words.at(begin, builder.mul(k, step)), 0, mask)
                larger = builder.fcmp_ordered(">", other, best)
                better = builder.or_(larger, builder.fcmp_unordered("uno", other, other))
                here = integers.in_all_lanes(builder.trunc(k, SHORT))
                for phi, start, following in (
                    (k, words.const(1), words.at(k, 1)),
                    (best, first, builder.select(better, other, best)),
                    (place, integers.zero, builder.select(better, here, place)),
                ):
                    phi.add_incoming(start, before)
                    phi.add_incoming(following, rest)
                builder.branch(loop)
                builder.position_at_end(done)
                words.store(best, words.at(out, builder.mul(i, out_row)), 0, stored)
                integers.store(place, integers.at(where, builder.mul(i, where_row)), 0, stored)

            _each_line(words, rows, whole, count, line)

        arguments = source, source_row, step, places, where, where_row, out, out_row, rows, whole, count, like
        return types.none(*arguments), copying(write)

    @intrinsic
    def _add_four(typing_context, source, target, like):
        def write(builder, words, source, target):
            four = Tile(builder, 8 * words.size, 1, False, lanes=4)
            four.store(builder.fadd(four.load(source, 0, None), four.load(target, 0, None)), target, 0, None)

        return types.none(source, target, like), copying(write)

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

    @inlined
    def _whole(rows, count, pitch, lanes):
        """Count the rows, the first ones, that may be stored as whole vectors: these end before the last row does."""
        return rows if count >= lanes else max(0, ((rows - 1) * pitch + count - lanes) // pitch + 1)

    @exact
    def every_second(source, begin, source_pitch, target, place, pitch, rows, count):
        like, size = source.dtype.type(0), _bytes_of(source)
        lanes = VECTOR // size
        whole = _whole(rows, count, pitch, lanes)
        for j in range(0, count, lanes):
            k = max(0, min(j, count - lanes))  # a long line's last vector ends where the line does
            _every_second(  # type: ignore[call-arg]
                _at(source, begin + 2 * k), source_pitch * size, _at(target, place + k), pitch * size, rows, whole,
                count - k, like,
            )  # fmt: skip

    @exact
    def copy_lines(source, begin, source_pitch, target, place, pitch, rows, count):
        like, size = source.dtype.type(0), _bytes_of(source)
        lanes = VECTOR // size
        whole = _whole(rows, count, pitch, lanes)
        for j in range(0, count, lanes):
            k = max(0, min(j, count - lanes))
            _copy_lines(  # type: ignore[call-arg]
                _at(source, begin + k), source_pitch * size, _at(target, place + k), pitch * size, rows, whole,
                count - k, like,
            )  # fmt: skip

    @inlined
    def weave_line(source, even, odd, target, place, count):
        like, lanes = source.dtype.type(0), VECTOR // _bytes_of(source)
        for j in range(0, count, 2 * lanes):
            whole = 1 if place + j + 2 * lanes <= target.size else 0
            _weave(  # type: ignore[call-arg]
                _at(source, even + j // 2), _at(source, odd + j // 2), _at(target, place + j), whole, count - j, like
            )

    @exact
    def pool_lines(source, begin, pitch, step, places, where, out, first, rows, count):
        like, size = source.dtype.type(0), _bytes_of(source)
        lanes = VECTOR // size
        whole = _whole(rows, count, count, lanes)
        for j in range(0, count, lanes):
            k = max(0, min(j, count - lanes))
            _pool(  # type: ignore[call-arg]
                _at(source, begin + k), pitch * size, step * size, places, _at(where, first + k),
                count * _bytes_of(where), _at(out, first + k), count * size, rows, whole, count - k, like,
            )  # fmt: skip

    @inlined
    def add_line(source, begin, target, place, count):
        like = source.dtype.type(0)
        for j in range(0, count - 3, 4):
            _add_four(_at(source, begin + j), _at(target, place + j), like)  # type: ignore[call-arg]
        for j in range(count - count % 4, count):
            target[place + j] += source[begin + j]
