"""Products of matrices and vectors for compiled programs.

A product of two matrices is made of tiles (tile.py): `product` chooses them, and `matmul` is what a program calls. A
matrix may be given by offsets, in tables: `pieces` is one of gathered rows, `picked` one of gathered numbers. Neither
is ever materialised.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.compiled import PURE_PYTHON, at_once, exact, filling, inlined, on_stack, summing

PACK_MIN_ROWS = 64  # pack rows of a large b for this many rows of a: packed rows lie on few pages
K_BLOCK = 256  # block size along k, so that the panel of b stays in the L1 cache


def pieces(a, table, length):
    """Return the matrix whose rows are `length` numbers of `a` from each offset of the table on; here a copy."""
    return picked(a, table, np.arange(length))


def picked(a, rows, along):
    """Return the matrix of the numbers of `a` at the offsets rows[i] + along[p]; here a copy."""
    return a.reshape(-1)[rows[:, None] + along]


@at_once(lambda a, out: np.copyto(out, a.T))
@filling
def turn(a, out):
    """out = the transposed matrix."""
    if turned_in_squares(a, out):
        return
    for j in range(out.shape[0]):
        for k in range(out.shape[1]):
            out[j, k] = a[k, j]


if PURE_PYTHON:
    VECTOR = 32  # bytes
    PIXELS = 4

    def turned_in_squares(a, out):
        return False

    def matmul(scale, a, b, out):
        """out = scale * a @ b for matrices."""
        out[:] = scale * (a @ b)

    def add_matmul(scale, a, b, out):
        """out += scale * a @ b for matrices."""
        out += scale * (a @ b)

    def matmul_of_picked(a, rows, along, b, out):
        """out = picked(a, rows, along) @ b."""
        out[:] = picked(a, rows, along) @ b

    def add_matmul_of_picked(a, rows, along, b, out):
        """out += picked(a, rows, along) @ b."""
        out += picked(a, rows, along) @ b

    def matmul_by_pieces(scale, a, b, table, out):
        """out = scale * a @ pieces(b, table)."""
        matmul(scale, a, pieces(b, table, out.shape[1]), out)

    def add_dots_of_lines(a, table, pitch, b, out):
        """out[i, j, lane] += what adds up, over all lanes, to the sum of the products of a's row i and b's row j.

        Rows consist of lines. b (rows, lines, columns). a: rows begin at the offsets of the table, lines `pitch` apart.
        """
        along = (pitch * np.arange(b.shape[1])[:, None] + np.arange(b.shape[2])).ravel()
        out[:, :, 0] += picked(a, table, along) @ b.reshape(len(b), -1).T

    def largest_of_products(a, b, table, pitch, where, out):
        """out[i, r, q] = the largest of the products in a window of 2 x 2 places; where: which of the four it is.

        A product is that of a's row i and the numbers of b at the offsets of the table from a place on. Lines of places
        are `pitch` apart. The first of equal ones wins; of several nan, the last.
        """
        rows, columns = out.shape[1:]
        for k in range(4):
            along = pitch * (2 * np.arange(rows)[:, None] + k // 2) + 2 * np.arange(columns) + k % 2
            products = (a @ picked(b, table, along.ravel())).reshape(out.shape)
            wins = (products > out) | (products != products) if k else np.full(out.shape, True)
            np.copyto(out, products, where=wins)
            np.copyto(where, k, where=wins)

    def add_up_chosen(factors, choices, b, out):
        """out[i] = the sum over p of factors[p, i] * b[choices[p, i], p]."""
        for i in range(len(out)):
            out[i] = factors[:, i] @ b[choices[:, i], np.arange(len(choices))]

    def add_up_won(factors, choices, places, pixels, firsts, lines, out):
        """out[i, j] += the sum over p of factors[i, p] * pixels from firsts[p] + places[choices[i, p]] + lines[j] on.

        out (rows of factors, lines, PIXELS).
        """
        for i in range(len(out)):
            begins = (firsts + places[choices[i]])[:, None, None] + lines[:, None] + np.arange(PIXELS)
            out[i] += np.tensordot(factors[i], pixels.take(begins, mode="clip"), 1)  # what is behind is not read

else:
    from minigrad.native.machine_code import fetch_lines
    from minigrad.native.panels import WIDE, copy_panel, turned_in_squares
    from minigrad.native.tile import (
        MOST_CHOSEN,
        PIXELS,
        SHAPES,
        VECTORS,
        chosen,
        dots,
        dots_at_once,
        most_rows,
        pooled,
        pooled_at_once,
        tile,
        vector_bits,
        won,
    )

    VECTOR = vector_bits() // 8  # bytes
    FAR = 1 << 19  # bytes of a matrix that is fetched ahead of its use
    LARGE = 1 << (21 if most_rows() == 10 else 18)  # of one that is packed: flat tiles read it more often
    COPIES = K_BLOCK * WIDE // 8  # of K_BLOCK rows of b, in integers of 8 bytes
    # Rows so many bytes apart displace each other from the L1 cache, and are copied side by side first. Of a transposed
    # left factor so many bytes of each row, which make whole tiles, at a pitch that spreads them.
    CLASH, SLAB, PITCH = 4096, 240, 320
    TURNED = K_BLOCK * PITCH // 8
    MOST_ROWS = most_rows()
    BY_TABLE = len(SHAPES) * MOST_ROWS

    ROWS_OF_A, ROWS_OF_B = dots_at_once()
    MOST_POOLED = pooled_at_once()

    @inlined
    def _place(a):
        """The address of an array."""
        return np.int64(a.ctypes.data)

    @exact
    def _product(
        a, a_table, a_row, a_step, b, b_table, b_row, b_step, start, start_row, out, out_row, m, n, k, size, scale
    ):  # fmt: skip
        """out = start + scale * a @ b, for an (m, k) and a (k, n) matrix, all given by address and bytes.

        a_row, a_step: from a row to the next, and from a number to the next. a_table, b_table: where the rows
        begin, counted in numbers from the address; 0 where they follow at equal distances. With an a_table, a_step
        is the address of another one, for the numbers in a row. start: 0 for nothing. size: of a number. Rows of out
        and start, and of b by a table, lie in one piece each.
        """
        if m == 0 or n == 0:
            return
        columns_of_tile = WIDE // size
        copies, turned = _place(on_stack(COPIES, 0)), _place(on_stack(TURNED, 0))
        far = b_table == 0 and b_step == size and k * n * size >= FAR
        packs = b_step != size or (
            a_table == 0
            and m >= PACK_MIN_ROWS
            and (k * n * size > LARGE or (b_table == 0 and m >= 2 * PACK_MIN_ROWS and b_row % CLASH == 0))
        )
        clash = a_table == 0 and a_row == size and a_step % CLASH == 0
        most = SLAB // size if clash else m
        # The inner axis is the outermost loop: the rows of both factors that a round needs stay in the L2 cache.
        for p in range(0, k, K_BLOCK):
            depth = min(K_BLOCK, k - p)
            base, base_row = (start, start_row) if p == 0 else (out, out_row)
            for top in range(0, m, most):
                high = min(most, m - top)
                panels = (high + MOST_ROWS - 1) // MOST_ROWS  # of about equally many rows: flat tiles are slow
                few = high // panels
                more = high - few * panels
                left, left_step = a + p * a_step + top * a_row, a_step
                if clash:
                    for c in range(0, high, columns_of_tile):
                        columns = min(columns_of_tile, high - c)
                        copy_panel(left + c * size, a_step, size, turned + c * size, PITCH, depth, columns, size, scale)
                    left, left_step = turned, PITCH
                for j in range(0, n, columns_of_tile):
                    columns = min(columns_of_tile, n - j)
                    shape = 0 if columns == columns_of_tile else 1 if columns * VECTORS > columns_of_tile else 2
                    first_loop = shape * MOST_ROWS - 1 + (BY_TABLE if b_table != 0 else 0)
                    if a_table != 0:
                        first_loop += 2 * BY_TABLE - (0 if shape == 0 else MOST_ROWS)
                    if b_table != 0:
                        right, right_row = b + j * size, b_table + 8 * p
                    elif not packs:
                        right, right_row = b + p * b_row + j * size, b_row
                    else:
                        right, right_row = copies, WIDE
                        copy_panel(b + p * b_row + j * b_step, b_row, b_step, copies, WIDE, depth, columns, size, scale)
                    i, following = 0, b + p * b_row + (j + columns_of_tile) * size
                    if j + columns_of_tile >= n:
                        following = b + (p + K_BLOCK) * b_row
                    for panel in range(panels):
                        rows = few + 1 if panel < more else few
                        if far:  # the next columns are on their way meanwhile
                            for q in range(panel * depth // panels, (panel + 1) * depth // panels):
                                fetch_lines(following + q * b_row, WIDE)
                        tile(
                            first_loop + rows,
                            a if a_table != 0 else left + i * a_row, a_table + 8 * i if a_table != 0 else 0,
                            a_row, a_step + 8 * p if a_table != 0 else left_step, right, right_row,
                            base + (top + i) * base_row + j * size if base != 0 else 0, base_row,
                            out + (top + i) * out_row + j * size, out_row, depth, columns, scale,
                        )  # fmt: skip
                        i += rows

    @inlined
    def _matrix(a):
        """Describe a matrix: its address, no table, bytes from a row to the next, and from a number to the next."""
        return _place(a), 0, a.strides[0], a.strides[1]

    @inlined
    def _pieces(a, table):
        """Describe a matrix of gathered rows, which begin in `a` at the offsets of the table."""
        return _place(a), _place(table), 0, a.itemsize

    @inlined
    def _picked(a, rows, along):
        """Describe a matrix of gathered numbers."""
        return _place(a), _place(rows), 0, _place(along)

    @inlined
    def _rows(out):
        """Describe the rows of a result: its address, and bytes from one to the next."""
        return _place(out), out.strides[0]

    @exact
    def matmul(scale, a, b, out):
        """out = scale * a @ b for matrices; the rows of out in one piece each."""
        if a.shape[1] == 0:
            out[:] = 0
            return
        _product(*_matrix(a), *_matrix(b), 0, 0, *_rows(out), *out.shape, a.shape[1], a.itemsize, scale)

    @exact
    def add_matmul(scale, a, b, out):
        """out += scale * a @ b for matrices; the rows of out in one piece each."""
        _product(*_matrix(a), *_matrix(b), *_rows(out), *_rows(out), *out.shape, a.shape[1], a.itemsize, scale)

    @exact
    def matmul_by_pieces(scale, a, b, table, out):
        """out = scale * a @ pieces(b, table), for b in one piece."""
        if a.shape[1] == 0:
            out[:] = 0
            return
        _product(*_matrix(a), *_pieces(b, table), 0, 0, *_rows(out), *out.shape, a.shape[1], a.itemsize, scale)

    @exact
    def matmul_of_picked(a, rows, along, b, out):
        """out = picked(a, rows, along) @ b, for a, and each row of b, in one piece."""
        if along.size == 0:
            out[:] = 0
            return
        one = out.dtype.type(1)
        _product(*_picked(a, rows, along), *_matrix(b), 0, 0, *_rows(out), *out.shape, along.size, a.itemsize, one)

    @exact
    def add_matmul_of_picked(a, rows, along, b, out):
        """out += picked(a, rows, along) @ b, for a, and each row of b, in one piece."""
        to, one = _rows(out), out.dtype.type(1)
        _product(*_picked(a, rows, along), *_matrix(b), *to, *to, *out.shape, along.size, a.itemsize, one)

    @exact
    def add_dots_of_lines(a, table, pitch, b, out):
        (m, n), size = out.shape[:2], b.itemsize
        for j in range(0, n, ROWS_OF_B):
            i, kind = 0, 0
            while i < m:
                while ROWS_OF_A[kind] > m - i:
                    kind += 1
                dots(
                    kind * ROWS_OF_B + min(ROWS_OF_B, n - j) - 1, _place(a), _place(table) + 8 * i, pitch * size,
                    _place(b) + j * b.strides[0], b.strides[0], b.strides[1],
                    _place(out) + i * out.strides[0] + j * VECTOR, out.strides[0], b.shape[1], b.shape[2],
                    b.dtype.type(0),
                )  # fmt: skip
                i += ROWS_OF_A[kind]

    @exact
    def largest_of_products(a, b, table, pitch, where, out):
        if table.size == 0:
            out[:] = 0
            where[:] = 0
            return
        (filters, rows, columns), size = out.shape, a.itemsize
        lanes = VECTOR // size
        whole = rows if columns >= lanes else max(0, (rows * columns - lanes) // columns + 1)  # end before the last row
        for j in range(0, columns, lanes):
            k = max(0, min(j, columns - lanes))  # a long line's last vector ends where the line does
            for i in range(0, filters, MOST_POOLED):
                pooled(
                    min(MOST_POOLED, filters - i) - 1, _place(a) + i * a.strides[0], a.strides[0],
                    _place(b) + 2 * k * size, pitch * size, _place(table),
                    _place(out) + i * out.strides[0] + k * size, out.strides[0],
                    _place(where) + i * where.strides[0] + k * where.itemsize, where.strides[0],
                    rows, columns, columns - k, whole, table.size, a.dtype.type(0),
                )  # fmt: skip

    @exact
    def add_up_chosen(factors, choices, b, out):
        """out[i] = the sum over p of factors[p, i] * b[choices[p, i], p]; rows of b and out are whole vectors."""
        depth, rows = factors.shape
        vectors = out.shape[1] * out.itemsize // VECTOR
        for first in range(0, vectors, MOST_CHOSEN):
            chosen(
                min(MOST_CHOSEN, vectors - first) - 1, _place(factors), factors.strides[0], _place(choices),
                choices.strides[0], _place(b) + first * VECTOR, b.strides[0], b.strides[1],
                _place(out) + first * VECTOR, out.strides[0], rows, depth, out.dtype.type(0),
            )  # fmt: skip

    @exact
    def add_up_won(factors, choices, places, pixels, firsts, lines, out):
        (n, m), size = out.shape[:2], out.itemsize
        for j in range(0, n, ROWS_OF_B):
            i, kind = 0, 0
            while i < m:
                while ROWS_OF_A[kind] > m - i:
                    kind += 1
                won(
                    kind * ROWS_OF_B + min(ROWS_OF_B, n - j) - 1, _place(factors) + j * factors.strides[0],
                    factors.strides[0], _place(choices) + j * choices.strides[0], choices.strides[0], _place(places),
                    _place(pixels), _place(firsts), _place(lines) + 8 * i,
                    _place(out) + j * out.strides[0] + i * PIXELS * size, out.strides[0], firsts.size,
                    out.dtype.type(0),
                )  # fmt: skip
                i += ROWS_OF_A[kind]


@at_once(lambda a: bool(np.isfinite(a).all()))
@summing
def all_finite(a):
    """Tell whether a matrix has neither infinities nor nan."""
    others = 0
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(row.size):
            others += 0 if abs(row[j]) < np.inf else 1
    return others == 0


@exact
def add_matmul_from_zeros(b, out):
    """out += zeros @ b: changes nothing but that a number in b that is not finite makes nan of its column."""
    if all_finite(b.T) if abs(b.strides[0]) < abs(b.strides[1]) else all_finite(b):
        return
    for k in range(b.shape[0]):
        for j in range(b.shape[1]):
            if not abs(b[k, j]) < np.inf:
                for i in range(out.shape[0]):
                    out[i, j] = np.nan


@exact
def product_of_integers(a, b, out):
    """out = a @ b for stacks of matrices of integers, which overflow as NumPy's do; of conditions, if any is met."""
    m, n = out.shape[-2:]
    k = a.shape[-1]
    stacks = 1
    for axis in range(out.ndim - 2):
        stacks *= out.shape[axis]
    left, right = a.reshape((stacks, m, k)), b.reshape((stacks, k, n))
    result = out.reshape((stacks, m, n))
    for s in range(stacks):
        for i in range(m):
            for j in range(n):
                total = out.dtype.type(0)
                for p in range(k):
                    total += left[s, i, p] * right[s, p, j]
                result[s, i, j] = total


@summing
def add_matvec(scale, a, x, out):
    """out += scale * a @ x: each row of the matrix (m, k) times the vector (k,)."""
    rows, columns = a.shape
    zero = out.dtype.type(0)
    together = rows // 4 * 4  # a number of x is loaded for four rows
    for i in range(0, together, 4):
        first, second, third, fourth = a[i], a[i + 1], a[i + 2], a[i + 3]
        p, q, r, s = zero, zero, zero, zero
        for j in range(columns):
            p += first[j] * x[j]
            q += second[j] * x[j]
            r += third[j] * x[j]
            s += fourth[j] * x[j]
        out[i] += scale * p
        out[i + 1] += scale * q
        out[i + 2] += scale * r
        out[i + 3] += scale * s
    for i in range(together, rows):
        row, p = a[i], zero
        for j in range(columns):
            p += row[j] * x[j]
        out[i] += scale * p


@exact
def add_outer(scale, x, y, out):
    """out[i, j] += scale * x[i] * y[j]."""
    rows, columns = out.shape
    for i in range(rows):
        row = out[i]
        factor = scale * x[i]
        for j in range(columns):
            row[j] += factor * y[j]


@summing
def vecmat_and_add_outer(x, a, out, scale, y):
    """out = x @ a, then a[i, j] += scale * x[i] * y[j]: both in one walk over the matrix."""
    rows, columns = a.shape
    together = rows // 2 * 2  # an entry of out is stored for two rows
    out[:] = 0
    for i in range(0, together, 2):
        first, second = a[i], a[i + 1]
        p, q = x[i], x[i + 1]
        for j in range(columns):
            out[j] += p * first[j] + q * second[j]
            first[j] += scale * p * y[j]
            second[j] += scale * q * y[j]
    for i in range(together, rows):
        row, p = a[i], x[i]
        for j in range(columns):
            out[j] += p * row[j]
            row[j] += scale * p * y[j]
