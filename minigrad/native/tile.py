"""The one inner loop of products and convolutions: a tile of the result that stays in the processor's registers.

A product out = a @ b multiplies each number of a row of `a` with a whole row of `b`. Written as three loops, it loads
two numbers and stores one for each multiplication. A tile does better: some rows of the result, two vectors wide, are
held in registers while the loop runs along the inner axis. A step of the loop loads two vectors of `b`, and for each
row one number of `a`; with 10 rows these are 12 loads for 20 multiplications of vectors, and no number is stored until
the end.

    out[0, 0:32]     a[0, p]                     The tile: `rows` x `VECTORS` accumulators. For each p:
    out[1, 0:32]  += a[1, p]  *  b[p, 0:32]      load b[p, 0:32], then for each row one number of a,
    out[2, 0:32]     a[2, p]                     in all lanes, times that, added to the row's accumulators.

The rows of `a` and of `b` need not follow each other in memory: their places may stand in a table. Nor need the numbers
in a row of `a`: a second table may say how far each is from the row's place. So a convolution reads the pixels under
each entry of its filters where they are, with vectors along the pixels or along the filters.

Where the result has only few columns, they fill no vector. Then `dots` are better, whose vectors lie along the inner
axis: some rows of `a` meet some of the transposed `b`. Each of their sums has a vector, whose lanes are added up when
all is done.

Back from a max pool only one number of a window matters, but which one is known only when the program runs. So `chosen`
adds up rows of a table that integers choose, each times a number: one row of the result at a time.

numba compiles Python's loops well, but leaves it to LLVM which numbers stay in registers. Here that is the point, so
the loops are written in LLVM's own words, their vectors as wide as the processor's. All else is Python (products.py).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from minigrad.core.arrays import DTypeLike
from minigrad.native.machine_code import written
from minigrad.native.numba_internals import cgutils, get_host_cpu_features

SETTINGS: Any = config  # numba's, from the environment
VECTORS = 2  # in a row of a tile
POINTER, SHORT, BIT = ir.IntType(64), ir.IntType(32), ir.IntType(1)


@functools.cache
def vector_bits() -> int:
    """The width of this processor's vectors, or of those of the processor that numba is told to compile for."""
    if not SETTINGS.ENABLE_AVX:
        return 128
    chosen = SETTINGS.CPU_NAME is not None or SETTINGS.CPU_FEATURES is not None
    features = (SETTINGS.CPU_FEATURES or "" if chosen else get_host_cpu_features()).split(",")
    return 512 if "+avx512f" in features else 256 if "+avx2" in features else 128


def most_rows() -> int:
    """Return the maximal number of rows in a tile. AVX-512 and NEON have 32 vector registers, older processors 16."""
    return 10 if vector_bits() == 512 or not llvm.get_process_triple().startswith(("x86", "i686")) else 6


def lanes_of(dtype: DTypeLike) -> int:
    """Return the number of lanes of a vector."""
    return vector_bits() // (8 * np.dtype(dtype).itemsize)


def keep_wide(function: ir.Function) -> None:
    """Tell LLVM not to split vectors of 512 bits in this function, as it does on processors that "prefer 256 bits"."""
    if vector_bits() == 512:
        set.add(function.attributes, '"min-legal-vector-width"="512"')


class Tile:
    """Emits LLVM vector instructions, and the loop of a tile with them.

    bits: of a number. vectors: in a row. masked: the last vector of a row may be partial. by_table: "b" if the offsets
    of the rows of b are in a table, "a" if those of the numbers in a row of a are, or "". lanes: of a vector, if not as
    many as the processor's hold. whole: the numbers are integers.
    """

    def __init__(
        self,
        builder: ir.IRBuilder,
        bits: int,
        vectors: int,
        masked: bool,
        by_table: str = "",
        *,
        lanes: int = 0,
        whole: bool = False,
    ):
        self.builder, self.vectors, self.masked, self.by_table = builder, vectors, masked, by_table
        self.number = ir.IntType(bits) if whole else ir.FloatType() if bits == 32 else ir.DoubleType()
        self.size = bits // 8
        self.lanes = lanes or vector_bits() // bits
        self.vector = ir.VectorType(self.number, self.lanes)
        self.zero = ir.Constant(self.vector, [0 if whole else 0.0] * self.lanes)
        self.letter = f"v{self.lanes}{'i' if whole else 'f'}{bits}"

    def const(self, n: int) -> ir.Constant:
        return ir.Constant(POINTER, n)

    def at(self, address: ir.Value, offset: ir.Value | int) -> ir.Value:
        if isinstance(offset, int):
            offset = self.const(offset)
        return self.builder.add(address, offset)

    def number_at(self, address: ir.Value) -> ir.Value:
        number = self.builder.load(self.builder.inttoptr(address, self.number.as_pointer()))
        number.align = self.size
        return number

    def offset_at(self, address: ir.Value) -> ir.Value:
        """An entry of a table, in bytes."""
        entry = self.builder.load(self.builder.inttoptr(address, POINTER.as_pointer()))
        return self.builder.mul(entry, self.const(self.size))

    def in_all_lanes(self, x: ir.Value) -> ir.Value:
        vector = ir.VectorType(x.type, self.lanes)
        nothing = ir.Constant(vector, ir.Undefined)
        first = self.builder.insert_element(nothing, x, ir.Constant(SHORT, 0))
        return self.builder.shuffle_vector(
            first, nothing, ir.Constant(ir.VectorType(SHORT, self.lanes), [0] * self.lanes)
        )

    def mask(self, columns: ir.Value) -> ir.Value:
        """Return the mask of the valid lanes in a row's last vector."""
        last = self.builder.sub(columns, self.const((self.vectors - 1) * self.lanes))
        numbers = ir.Constant(ir.VectorType(SHORT, self.lanes), list(range(self.lanes)))
        return self.builder.icmp_signed("<", numbers, self.in_all_lanes(self.builder.trunc(last, SHORT)))

    def _of_llvm(self, name: str, result: ir.Type, arguments: list[ir.Type]) -> ir.Function:
        return cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(result, arguments), name)

    def load(self, address: ir.Value, j: int, mask: ir.Value | None) -> ir.Value:
        pointer = self.builder.inttoptr(self.at(address, j * self.lanes * self.size), self.vector.as_pointer())
        if mask is not None and j == self.vectors - 1:
            masks = ir.VectorType(BIT, self.lanes)
            masked = self._of_llvm(
                f"llvm.masked.load.{self.letter}.p0", self.vector, [pointer.type, SHORT, masks, self.vector]
            )
            return self.builder.call(masked, [pointer, ir.Constant(SHORT, self.size), mask, self.zero])
        vector = self.builder.load(pointer)
        vector.align = self.size
        return vector

    def store(self, value: ir.Value, address: ir.Value, j: int, mask: ir.Value | None) -> None:
        pointer = self.builder.inttoptr(self.at(address, j * self.lanes * self.size), self.vector.as_pointer())
        if mask is not None and j == self.vectors - 1:
            masks = ir.VectorType(BIT, self.lanes)
            masked = self._of_llvm(
                f"llvm.masked.store.{self.letter}.p0", ir.VoidType(), [self.vector, pointer.type, SHORT, masks]
            )
            self.builder.call(masked, [value, pointer, ir.Constant(SHORT, self.size), mask])
        else:
            self.builder.store(value, pointer).align = self.size

    def multiply_add(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        """x * y + z; rounded once where the processor does it in one instruction."""
        function = self._of_llvm(f"llvm.fmuladd.{self.letter}", self.vector, [self.vector] * 3)
        return self.builder.call(function, [x, y, z])

    @contextmanager
    def loop(
        self, count: ir.Value, first: Sequence[ir.Value] = (), step: int = 1
    ) -> Iterator[tuple[ir.Value, list[ir.Value], list[ir.Value]]]:
        """Write a loop over k = 0, step, 2 step, ... below `count`, which runs at least once.

        Yields k, what each round gets from the one before (at first `first`), and a list for what the next one gets.
        """
        builder, before = self.builder, self.builder.block
        body, done = builder.append_basic_block("loop"), builder.append_basic_block("done")
        builder.branch(body)
        builder.position_at_end(body)
        carried = [builder.phi(value.type) for value in (self.const(0), *first)]
        new: list[ir.Value] = []
        yield carried[0], carried[1:], new
        following = self.at(carried[0], step)
        for phi, start, value in zip(carried, (self.const(0), *first), (following, *new), strict=True):
            phi.add_incoming(start, before)
            phi.add_incoming(value, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, count), body, done)
        builder.position_at_end(done)

    def write(
        self, rows: int, scale, a, a_table, a_row, a_step, b, b_step, start, start_row, out, out_row, depth, columns
    ) -> None:
        """out[i, :columns] = start[i] + scale * the sum over p < depth of a[i, p] * b[p], for `rows` rows."""
        builder = self.builder
        mask = self.mask(columns) if self.masked else None
        # The start of each row of a: at equal distances, or by the table.
        before = builder.block
        listed, begin = builder.append_basic_block("listed"), builder.append_basic_block("begin")
        regular = [self.at(a, builder.mul(a_row, self.const(i))) for i in range(rows)]
        builder.cbranch(builder.icmp_signed("!=", a_table, self.const(0)), listed, begin)
        builder.position_at_end(listed)
        irregular = [self.at(a, self.offset_at(self.at(a_table, 8 * i))) for i in range(rows)]
        builder.branch(begin)
        builder.position_at_end(begin)
        a_rows = []
        for here, listed_address in zip(regular, irregular, strict=True):
            a_rows.append(builder.phi(POINTER))
            a_rows[-1].add_incoming(here, before)
            a_rows[-1].add_incoming(listed_address, listed)
        # The loop along the inner axis.
        by_numbers, by_rows = self.by_table == "a", self.by_table == "b"
        starts = [a_step if by_numbers else self.const(0), b_step if by_rows else b]
        with self.loop(depth, [*starts, *[self.zero] * (rows * self.vectors)]) as (_, (along, b_now, *sums), new):
            b_row = self.at(b, self.offset_at(b_now)) if by_rows else b_now
            right = [self.load(b_row, j, mask) for j in range(self.vectors)]
            distance = self.offset_at(along) if by_numbers else along
            new += [self.at(along, 8 if by_numbers else a_step), self.at(b_now, 8 if by_rows else b_step)]
            for i, row in enumerate(a_rows):
                left = self.in_all_lanes(self.number_at(self.at(row, distance)))
                of_row = sums[i * self.vectors : (i + 1) * self.vectors]
                new += [self.multiply_add(left, y, z) for y, z in zip(right, of_row, strict=True)]
        # Scale the sums, add them to the start, and store the valid lanes.
        everywhere = self.in_all_lanes(scale)
        with builder.if_else(builder.icmp_signed("==", start, self.const(0))) as (plain, added):
            for branch, begins in ((plain, None), (added, start)):
                with branch:
                    for i in range(rows):
                        target = self.at(out, builder.mul(out_row, self.const(i)))
                        first = begins and self.at(begins, builder.mul(start_row, self.const(i)))
                        for j in range(self.vectors):
                            value = new[2 + i * self.vectors + j]
                            if first is None:
                                total = builder.fmul(everywhere, value)
                            else:
                                total = self.multiply_add(everywhere, value, self.load(first, j, mask))
                            self.store(total, target, j, mask)

    def write_dots(
        self, rows: int, columns: int, a, a_table, a_line, b, b_row, b_line, out, out_row, lines, depth
    ) -> None:
        """out[i, j] += the sum over lines r and p < depth of a[i, r, p] * b[j, r, p], lane by lane.

        Vectors lie along p.
        """
        builder = self.builder
        left = [self.at(a, self.offset_at(self.at(a_table, 8 * i))) for i in range(rows)]
        places = [
            self.at(self.at(out, builder.mul(out_row, self.const(i))), j * self.lanes * self.size)
            for i in range(rows)
            for j in range(columns)
        ]
        first = [self.load(place, 0, None) for place in places]
        with self.loop(lines, first) as (r, of_line, new):
            shifts = [builder.mul(r, step) for step in (a_line, b_line)]
            with self.loop(depth, of_line, self.lanes) as (p, sums, of_vector):
                mask = self.mask(builder.sub(depth, p))
                along_a, along_b = (self.at(shift, builder.mul(p, self.const(self.size))) for shift in shifts)
                right = [self.at(b, builder.mul(b_row, self.const(j))) for j in range(columns)]
                factors = [self.load(self.at(row, along_b), 0, mask) for row in right]
                for i, row in enumerate(left):
                    here = self.load(self.at(row, along_a), 0, mask)
                    of_row = sums[i * columns : (i + 1) * columns]
                    of_vector += [self.multiply_add(here, y, z) for y, z in zip(factors, of_row, strict=True)]
            new += of_vector
        for total, place in zip(new, places, strict=True):
            self.store(total, place, 0, None)

    def write_pooled(
        self, filters: int, a, a_row, b, b_line, table, out, out_row, where, where_row, rows, across, columns, whole,
        depth,
    ) -> None:  # fmt: skip
        """out[i, r, q] = the largest of 2 x 2 sums over p < depth of a[i, p] * b[p]; where: which one it is.

        Sums of neighbours lie side by side in two vectors, until their windows are taken. Of the lines, `across`
        numbers apart in `out`, the first ones are stored as whole vectors.
        """
        builder, integers = self.builder, Tile(self.builder, 32, 1, True, lanes=self.lanes, whole=True)
        twice, second = builder.shl(columns, self.const(1)), self.lanes * self.size
        halves = [(0, self.mask(twice)), (second, self.mask(builder.sub(twice, self.const(self.lanes))))]
        with self.loop(rows) as (r, _, _):
            top = self.at(b, builder.mul(r, builder.shl(b_line, self.const(1))))
            first = [table, a, *[self.zero] * (4 * filters)]
            with self.loop(depth, first) as (_, (entry, factors, *sums), new):
                line = self.at(top, self.offset_at(entry))
                pixels = [self.load(self.at(x, at), 0, m) for x in (line, self.at(line, b_line)) for at, m in halves]
                new += [self.at(entry, 8), self.at(factors, self.size)]
                for i in range(filters):
                    factor = self.in_all_lanes(self.number_at(self.at(factors, builder.mul(a_row, self.const(i)))))
                    new += [self.multiply_add(factor, x, z) for x, z in zip(pixels, sums[4 * i :], strict=False)]
            results = []
            for i in range(2, 2 + 4 * filters, 4):
                places = [
                    builder.shuffle_vector(
                        *pair, ir.Constant(ir.VectorType(SHORT, self.lanes), list(range(k, 2 * self.lanes, 2)))
                    )
                    for pair in (new[i : i + 2], new[i + 2 : i + 4])
                    for k in (0, 1)
                ]
                best, place = places[0], integers.zero
                for k, other in enumerate(places[1:], 1):
                    larger = builder.fcmp_ordered(">", other, best)
                    better = builder.or_(larger, builder.fcmp_unordered("uno", other, other))
                    best = builder.select(better, other, best)
                    place = builder.select(better, ir.Constant(place.type, [k] * self.lanes), place)
                results.append((best, place))
            before, few = builder.mul(r, across), self.mask(columns)
            with builder.if_else(builder.icmp_signed("<", r, whole)) as (all_of_it, some):
                for branch, mask in ((all_of_it, None), (some, few)):
                    with branch:
                        for i, result in enumerate(results):
                            for tile, x, start, row in zip(
                                (self, integers), result, (out, where), (out_row, where_row), strict=True
                            ):
                                target = self.at(start, builder.mul(row, self.const(i)))
                                tile.store(x, self.at(target, builder.mul(before, self.const(tile.size))), 0, mask)

    def write_chosen(self, factors, factors_row, choices, choices_row, b, b_choice, b_row, out, out_row, rows, depth):
        """out[i] = the sum over p < depth of factors[p, i] * b[choices[p, i], p], `vectors` of each row of b."""
        builder = self.builder
        with self.loop(rows) as (i, _, _):
            starts = [
                self.at(factors, builder.mul(i, self.const(self.size))),
                self.at(choices, builder.mul(i, self.const(4))),
                b,
            ]
            with self.loop(depth, [*starts, *[self.zero] * self.vectors]) as (_, carried, new):
                factor, choice, b_now, *sums = carried
                number = builder.load(builder.inttoptr(choice, SHORT.as_pointer()))
                chosen = self.at(b_now, builder.mul(builder.sext(number, POINTER), b_choice))
                left = self.in_all_lanes(self.number_at(factor))
                new += [self.at(factor, factors_row), self.at(choice, choices_row), self.at(b_now, b_row)]
                new += [self.multiply_add(left, self.load(chosen, j, None), z) for j, z in enumerate(sums)]
            target = self.at(out, builder.mul(i, out_row))
            for j, value in enumerate(new[3:]):
                self.store(value, target, j, None)

    def write_won(
        self, lines: int, rows: int, factors, factors_row, choices, choices_row, places, pixels, table, table_of_lines,
        out, out_row, depth,
    ) -> None:  # fmt: skip
        """out[i, j] += the sum over p < depth of factors[i, p] * the pixels from a place on, which choices[i, p] names.

        A vector of pixels of each of `lines` lines, for `rows` rows of factors.
        """
        builder = self.builder
        offsets = [self.offset_at(self.at(table_of_lines, 8 * j)) for j in range(lines)]
        targets = [
            self.at(self.at(out, builder.mul(out_row, self.const(i))), j * self.lanes * self.size)
            for i in range(rows)
            for j in range(lines)
        ]
        first = [factors, choices, table, *(self.load(target, 0, None) for target in targets)]
        with self.loop(depth, first) as (_, (factor, choice, entry, *sums), new):
            begin = self.at(pixels, self.offset_at(entry))
            new += [self.at(factor, self.size), self.at(choice, 4), self.at(entry, 8)]
            for i in range(rows):
                row = self.at(choice, builder.mul(choices_row, self.const(i)))
                number = builder.load(builder.inttoptr(row, SHORT.as_pointer()))
                place = self.at(places, builder.shl(builder.sext(number, POINTER), self.const(3)))
                here = self.at(begin, self.offset_at(place))
                left = self.in_all_lanes(self.number_at(self.at(factor, builder.mul(factors_row, self.const(i)))))
                new += [
                    self.multiply_add(left, self.load(self.at(here, offset), 0, None), z)
                    for offset, z in zip(offsets, sums[i * lines :], strict=False)
                ]
        for target, total in zip(targets, new[3:], strict=True):
            self.store(total, target, 0, None)


# Vectors in a row of a tile, and whether the last of them may not be full: whole, nearly whole, narrow.
SHAPES = ((VECTORS, False), (VECTORS, True), (1, True))

MOST_CHOSEN = 8  # vectors
PIXELS = 4  # of a line, in a vector of `won`


def dots_at_once() -> tuple[tuple[int, ...], int]:
    """Return how many rows of a, and at most how many of b, meet in a loop of `dots`: registers hold their sums."""
    return ((9, 3, 1), 3) if most_rows() == 10 else ((6, 3, 1), 2)


def pooled_at_once() -> int:
    """Return how many rows of a, at most, meet in a loop of `pooled`: each has four vectors of sums."""
    return 6 if most_rows() == 10 else 2


def _loops(count: int, write: Callable[..., None]) -> Any:
    """Make an intrinsic (which, integers, number) that runs one of `count` loops.

    write: (builder, bits of a number, which, integers, number) writes that loop.
    """

    @intrinsic
    def run(typing_context, which, integers, number):
        def code(context, builder, signature, arguments):
            chosen, together, last = arguments
            keep_wide(builder.function)
            bits, places = signature.args[-1].bitwidth, cgutils.unpack_tuple(builder, together)
            end = builder.append_basic_block("end")
            choice = builder.switch(chosen, end)
            for k in range(count):
                choice.add_case(k, block := builder.append_basic_block(f"loop{k}"))
                builder.position_at_end(block)
                write(builder, bits, k, places, last)
                builder.branch(end)
            builder.position_at_end(end)
            return context.get_dummy_value()

        return types.none(which, integers, number), code

    return run


_TABLES = [*((shape, table) for table in ("", "b") for shape in SHAPES), *((shape, "a") for shape in SHAPES[1:])]
_TILES = [(rows, shape, table) for shape, table in _TABLES for rows in range(1, most_rows() + 1)]
_DOTS = [(i, j) for i in dots_at_once()[0] for j in range(1, dots_at_once()[1] + 1)]


def _write_tile(builder, bits, which, integers, scale):
    rows, (vectors, masked), by_table = _TILES[which]
    Tile(builder, bits, vectors, masked, by_table).write(rows, scale, *integers)


_tile = _loops(len(_TILES), _write_tile)
_dots = _loops(len(_DOTS), lambda builder, bits, k, at, _: Tile(builder, bits, 1, True).write_dots(*_DOTS[k], *at))
_pooled = _loops(
    pooled_at_once(), lambda builder, bits, k, at, _: Tile(builder, bits, 1, True).write_pooled(k + 1, *at)
)
_chosen = _loops(MOST_CHOSEN, lambda builder, bits, k, at, _: Tile(builder, bits, k + 1, False).write_chosen(*at))
_won = _loops(
    len(_DOTS), lambda builder, bits, k, at, _: Tile(builder, bits, 1, False, lanes=PIXELS).write_won(*_DOTS[k], *at)
)

# Kernels, which run one of the loops: `which` of those in the lists above. Of an array they take the address, and bytes
# from a row (or a line, a choice) to the next; of a table the address, or 0. Tables count numbers, not bytes.


@written
def tile(which, a, a_table, a_row, a_step, b, b_step, start, start_row, out, out_row, depth, columns, scale):
    """`Tile.write`. a_step, b_step: or the address of a table."""
    _tile(which, (a, a_table, a_row, a_step, b, b_step, start, start_row, out, out_row, depth, columns), scale)


@written
def dots(which, a, a_table, a_line, b, b_row, b_line, out, out_row, lines, depth, number):
    """`Tile.write_dots`. number: of the dtype that all numbers have."""
    _dots(which, (a, a_table, a_line, b, b_row, b_line, out, out_row, lines, depth), number)


@written
def pooled(
    which, a, a_row, b, b_line, table, out, out_row, where, where_row, rows, across, columns, whole, depth, number
):
    """`Tile.write_pooled`. which: filters, less 1."""
    integers = a, a_row, b, b_line, table, out, out_row, where, where_row, rows, across, columns, whole, depth
    _pooled(which, integers, number)


@written
def chosen(
    which, factors, factors_row, choices, choices_row, b, b_choice, b_row, out, out_row, rows, depth, number
):  # fmt: skip
    """`Tile.write_chosen`. which: vectors, less 1."""
    integers = factors, factors_row, choices, choices_row, b, b_choice, b_row, out, out_row, rows, depth
    _chosen(which, integers, number)


@written
def won(
    which, factors, factors_row, choices, choices_row, places, pixels, table, table_of_lines, out, out_row, depth,
    number,
):  # fmt: skip
    """`Tile.write_won`."""
    integers = factors, factors_row, choices, choices_row, places, pixels, table, table_of_lines, out, out_row, depth
    _won(which, integers, number)
