"""Products of matrices and vectors for compiled programs.

A product of two matrices is made of tiles (tile.py): `product` chooses them, and `matmul` is what a program calls. A
matrix may be given by row offsets, in a table: `pieces` is such a matrix ("gathered rows"), never materialised.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.compiled import PURE_PYTHON, by_types, exact, inlined, on_stack, summing

DOT_BLOCK = 1024  # block size of dots along a row, so that the rows of b stay in the L1 cache
PACK_MIN_ROWS = 64  # pack rows of b from this many rows of a on: packed rows lie in cache, on whole lines
K_BLOCK = 256  # block size along k, so that the panel of b stays in the L1 cache


def pieces(a, table, length):
    """Return the matrix whose rows are `length` numbers of `a` from each offset of the table on; here a copy."""
    flat = a.reshape(-1)
    return np.stack([flat[start : start + length] for start in table]) if len(table) else np.zeros((0, length), a.dtype)


if PURE_PYTHON:
    VECTOR = 32  # bytes

    def matmul(scale, a, b, out):
        """out = scale * a @ b for matrices."""
        out[:] = scale * (a @ b)

    def add_matmul(scale, a, b, out):
        """out += scale * a @ b for matrices."""
        out += scale * (a @ b)

    def add_matmul_of_pieces(scale, a, table, b, out):
        """out += scale * pieces(a, table) @ b."""
        add_matmul(scale, pieces(a, table, b.shape[0]), b, out)

    def matmul_by_pieces(scale, a, b, table, out):
        """out = scale * a @ pieces(b, table)."""
        matmul(scale, a, pieces(b, table, out.shape[1]), out)

    def add_dots_of_pieces(a, table, b, out):
        """out += pieces(a, table) @ b.T."""
        out += pieces(a, table, b.shape[1]) @ b.T

else:
    from minigrad.compiler.panels import WIDE, copy_panel
    from minigrad.compiler.tile import SHAPES, VECTORS, dots, dots_at_once, most_rows, tile, vector_bits

    VECTOR = vector_bits() // 8  # bytes
    COPIES = K_BLOCK * WIDE // 8  # of K_BLOCK rows of b, in integers of 8 bytes
    MOST_ROWS = most_rows()
    BY_TABLE = len(SHAPES) * MOST_ROWS

    _tile_f4, _tile_f8 = tile(np.float32), tile(np.float64)
    _dots_f4, _dots_f8 = dots(np.float32), dots(np.float64)
    ROWS_OF_A, ROWS_OF_B = dots_at_once()

    def _tile(*arguments):
        """The tiles for the dtype of the factor, the last argument but one."""

    @by_types(_tile)
    def _tile_by_dtype(*arguments):
        function = _tile_f4 if str(arguments[-2]) == "float32" else _tile_f8
        return lambda *arguments: function(*arguments)

    def _dots(*arguments):
        """The dots for the dtype of the array that is the last argument."""

    @by_types(_dots)
    def _dots_by_dtype(*arguments):
        function = _dots_f4 if str(arguments[-1].dtype) == "float32" else _dots_f8
        return lambda *arguments: function(*arguments[:-1])

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
        begin, counted in numbers from the address; 0 where they follow at equal distances. start: 0 for nothing.
        size: of a number. Rows of out and start, and of b by a table, lie in one piece each.
        """
        if m == 0 or n == 0:
            return
        panels = (m + MOST_ROWS - 1) // MOST_ROWS  # of about equally many rows: flat tiles are slow
        few = m // panels
        more = m - few * panels
        columns_of_tile = WIDE // size
        copies = _place(on_stack(COPIES, 0))
        # The inner axis is the outermost loop: the rows of both factors that a round needs stay in the L2 cache.
        for p in range(0, k, K_BLOCK):
            depth = min(K_BLOCK, k - p)
            base, base_row = (start, start_row) if p == 0 else (out, out_row)
            for j in range(0, n, columns_of_tile):
                columns = min(columns_of_tile, n - j)
                shape = 0 if columns == columns_of_tile else 1 if columns * VECTORS > columns_of_tile else 2
                first_loop = shape * MOST_ROWS - 1 + (BY_TABLE if b_table != 0 else 0)
                if b_table != 0:
                    right, right_row = b + j * size, b_table + 8 * p
                elif b_step == size and m < PACK_MIN_ROWS:
                    right, right_row = b + p * b_row + j * size, b_row
                else:
                    right, right_row = copies, WIDE
                    copy_panel(b + p * b_row + j * b_step, b_row, b_step, copies, depth, columns, size, scale)
                i = 0
                for panel in range(panels):
                    rows = few + 1 if panel < more else few
                    _tile(
                        first_loop + rows,
                        a + p * a_step + (0 if a_table != 0 else i * a_row), a_table + 8 * i if a_table != 0 else 0,
                        a_row, a_step, right, right_row,
                        base + i * base_row + j * size if base != 0 else 0, base_row,
                        out + i * out_row + j * size, out_row, depth, scale, columns,
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
    def add_matmul_of_pieces(scale, a, table, b, out):
        """out += scale * pieces(a, table) @ b, for a in one piece."""
        _product(*_pieces(a, table), *_matrix(b), *_rows(out), *_rows(out), *out.shape, b.shape[0], b.itemsize, scale)

    @exact
    def add_dots_of_pieces(a, table, b, out):
        """out += pieces(a, table) @ b.T, a and each row of b in one piece: sums are made in the lanes of vectors."""
        (m, n), depth, size = out.shape, b.shape[1], b.itemsize
        for p in range(0, depth, DOT_BLOCK):
            for j in range(0, n, ROWS_OF_B):
                for i in range(0, m, ROWS_OF_A):
                    which = (min(ROWS_OF_A, m - i) - 1) * ROWS_OF_B + min(ROWS_OF_B, n - j) - 1
                    _dots(
                        which, _place(a) + p * size, _place(table) + 8 * i, _place(b) + j * b.strides[0] + p * size,
                        b.strides[0], _place(out) + i * out.strides[0] + j * size, out.strides[0],
                        min(DOT_BLOCK, depth - p), b,
                    )  # fmt: skip


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
    """out += scale * a @ x."""
    rows, columns = a.shape
    for i in range(rows):
        row = a[i]
        total = out.dtype.type(0)
        for j in range(columns):
            total += row[j] * x[j]
        out[i] += scale * total


@summing
def matvec(scale, a, x, out):
    """out = scale * a @ x: each row of the matrix (m, k) times the vector (k,)."""
    out[:] = 0
    add_matvec(scale, a, x, out)


@summing
def add_vecmat(scale, x, a, out):
    """out += scale * x @ a: the rows of the matrix (k, n), each times an entry of the vector (k,)."""
    rows, columns = a.shape
    for i in range(rows):
        row = a[i]
        factor = scale * x[i]
        for j in range(columns):
            out[j] += factor * row[j]


@summing
def vecmat(scale, x, a, out):
    """out = scale * x @ a."""
    out[:] = 0
    add_vecmat(scale, x, a, out)


@exact
def outer(scale, x, y, out):
    """out[i, j] = scale * x[i] * y[j]."""
    rows, columns = out.shape
    for i in range(rows):
        row = out[i]
        factor = scale * x[i]
        for j in range(columns):
            row[j] = factor * y[j]


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
    out[:] = 0
    for i in range(rows):
        row = a[i]
        factor = x[i]
        change = scale * factor
        for j in range(columns):
            out[j] += factor * row[j]
            row[j] += change * y[j]
