"""The tile behind all products of compiled programs: every size, every layout, every special value, any processor.

A product is compared with the same one in float64; how far it may be off is the bound for sums of k products.
"""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba")

import minigrad as mg
from minigrad import nn
from minigrad.native import products
from minigrad.native.compiled import PURE_PYTHON
from minigrad.ops.conv import Conv2d, ConvFilters

pytestmark = pytest.mark.slow

DTYPES = [np.float32, np.float64]


def numbers(*shape, dtype, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def check(got, start, scale, a, b):
    """Check that got is start + scale * a @ b, to within the roundings of k products and their sum (Higham, 3.5)."""
    exact = start + scale * (a.astype(np.float64) @ b.astype(np.float64))
    size = np.abs(start) + abs(scale) * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))
    assert np.all(np.abs(got - exact) <= (a.shape[1] + 3) * np.finfo(got.dtype).eps * size + 1e-300)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("columns", [1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 64, 70])
def test_every_number_of_rows_and_columns(columns, dtype):
    """Tiles of all heights and widths, also the last ones, which are not full; nothing beside the result is written."""
    for rows in [*range(1, 25), 100]:
        a, b = numbers(rows, 13, dtype=dtype), numbers(13, columns, dtype=dtype, seed=1)
        around = np.full((rows + 2, columns + 2), 7, dtype)
        out = around[1:-1, 1:-1]
        products.matmul(dtype(1), a, b, out)
        check(out, 0, 1, a, b)
        products.add_matmul(dtype(-0.5), a, b, out)
        around[1:-1, 1:-1] = 7
        assert np.all(around == 7)


@pytest.mark.turns
@pytest.mark.parametrize(
    "shapes", [(3, 4, 5), (1, 4, 5), (3, 1, 5), (3, 4, 1), (1, 1, 5), (1, 4, 1), (40, 700, 35), (70, 300, 35),
               (1024, 70, 33), (130, 300, 1024)]
)  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_products_of_all_layouts(shapes, dtype):
    """Plain and transposed, whole and sliced, backwards, with and without what is there already; any depth."""
    m, k, n = shapes
    lefts = [numbers(m, k, dtype=dtype), numbers(k, m, dtype=dtype).T, numbers(m, 2, k, dtype=dtype)[:, 1],
             numbers(k, 3, m, dtype=dtype)[:, 2].T, numbers(m, k, dtype=dtype)[::-1, ::-1]]  # fmt: skip
    rights = [numbers(k, n, dtype=dtype), numbers(n, k, dtype=dtype).T, numbers(k, 2, n, dtype=dtype)[:, 1],
              numbers(n, 3, k, dtype=dtype)[:, 2].T, numbers(k, n, 2, dtype=dtype)[:, ::-1, 0]]  # fmt: skip
    for a in lefts:
        for b in rights:
            out = np.ones((m, 2, n), dtype)[:, 1]
            products.matmul(dtype(2), a, b, out)
            check(out, 0, 2, a, b)
            out[:] = 3
            products.add_matmul(dtype(-2), a, b, out)
            check(out, 3, -2, a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_that_a_table_names(dtype):
    """A matrix whose rows lie anywhere in an array."""
    for length in (5, 300):
        numbers_of_all = numbers(1000, dtype=dtype)
        table = np.array([0, 3, 3, 500, 17, 600, 1, 2, 4, 8, 16, 32, 64], np.int64)
        rows = products.pieces(numbers_of_all, table, length)
        left = numbers(6, table.size, dtype=dtype, seed=1)
        out = np.zeros((6, length), dtype)
        products.matmul_by_pieces(dtype(1), left, numbers_of_all, table, out)
        check(out, 0, 1, left, rows)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("rows", "depth", "columns"), [(1, 1, 1), (7, 13, 16), (25, 300, 33), (100, 54, 70)])
def test_numbers_that_two_tables_name(rows, depth, columns, dtype):
    """A matrix whose numbers lie anywhere in an array, deeper than a tile, with more rows and columns."""
    rng = np.random.default_rng(3)
    numbers_of_all, right = numbers(1000, dtype=dtype), numbers(depth, columns, dtype=dtype, seed=2)
    first, along = rng.integers(0, 500, rows), rng.integers(0, 500, depth)
    left = products.picked(numbers_of_all, first, along)
    out = np.full((rows + 1, columns), 7, dtype)
    products.matmul_of_picked(numbers_of_all, first, along, right, out[:rows])
    check(out[:rows], 0, 1, left, right)
    out[:rows] = 3
    products.add_matmul_of_picked(numbers_of_all, first, along, right, out[:rows])
    check(out[:rows], 3, 1, left, right)
    assert np.all(out[rows] == 7)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("lines", "length"), [(1, 1), (3, 5), (1, 16), (4, 17), (2, 40)])
def test_dots_of_lines(lines, length, dtype):
    """Sums in the lanes of vectors: any number of rows of both, and nothing read beyond a line's end."""
    table = np.array([0, 3, 3, 50, 17, 60, 1, 2, 4, 8, 16, 32, 64, 5, 6, 7, 9, 10, 11, 12], np.int64)
    pitch = length + 2
    around = np.full(70 + lines * pitch, np.nan, dtype)
    read = np.unique(table[:, None, None] + pitch * np.arange(lines)[:, None] + np.arange(length))
    around[read] = numbers(read.size, dtype=dtype)
    rows = np.hstack([products.pieces(around, table + r * pitch, length) for r in range(lines)])
    lanes = products.VECTOR // np.dtype(dtype).itemsize
    for count in range(1, table.size + 1):
        for columns in (1, 2, 3, 4, 7):
            wide = np.full((columns, lines, length + 3), np.nan, dtype)
            b = wide[:, :, :length]
            b[:] = numbers(columns, lines, length, dtype=dtype, seed=1)
            out = np.ones((table.size + 1, columns, lanes), dtype)
            products.add_dots_of_lines(around, table[:count], pitch, b, out[:count])
            check(out[:count].sum(axis=2), lanes, 1, rows[:count], b.reshape(columns, -1).T)
            assert np.all(out[count:] == 1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("vectors", [1, 3, 8, 9, 17])
def test_sums_of_rows_that_integers_choose(vectors, dtype):
    width = vectors * products.VECTOR // np.dtype(dtype).itemsize
    factors, choices = numbers(5, 7, dtype=dtype), np.random.default_rng(1).integers(0, 4, (5, 7)).astype(np.int32)
    table = numbers(4, 5, width, dtype=dtype, seed=2)
    out = np.full((8, width), 7, dtype)
    products.add_up_chosen(factors, choices, table, out[:7])
    for i in range(7):
        check(out[i : i + 1], 0, 1, factors[:, i][None], table[choices[:, i], np.arange(5)])
    assert np.all(out[7] == 7)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", [((1, 1), (1, 1)), ((2, 1), (1, 1)), ((1, 2), (2, 1)), ((3, 3), (1, 2))])
@pytest.mark.parametrize("filters", [1, 2, 5, 7, 17])
def test_adjoints_of_few_filters_and_of_many(filters, options, dtype):
    """Few filters are multiplied along the places, many side by side: the same comes out, special values too."""
    x = numbers(3, 2, 40, 37, dtype=dtype)
    g = numbers(*Conv2d(*options).output_shape(x.shape, (filters, 2, 3, 2)), dtype=dtype, seed=1)
    to_filters = ConvFilters((filters, 2, 3, 2), *options)
    nodes = mg.Variable(x, name="x"), mg.Variable(g, name="g")
    program = mg.compile_graph(to_filters(*nodes), nodes)
    assert "conv_w(" in program.source
    exact = to_filters(x.astype(np.float64), g.astype(np.float64))
    size = to_filters(np.abs(x).astype(np.float64), np.abs(g).astype(np.float64))
    roundings = g.size // filters + 3
    assert np.all(np.abs(program(x, g) - exact) <= roundings * np.finfo(dtype).eps * size)
    x[0, 1, 20, 20], g[1, 0, 2, 2] = np.inf, np.nan
    np.testing.assert_array_equal(np.isfinite(program(x, g)), np.isfinite(to_filters(x, g)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing_to_add_up_is_zero(dtype):
    out = np.full((3, 4), 7, dtype)
    products.add_matmul(dtype(1), np.zeros((3, 0), dtype), np.zeros((0, 4), dtype), out)
    assert np.all(out == 7)
    products.matmul(dtype(1), np.zeros((3, 0), dtype), np.zeros((0, 4), dtype), out)
    assert np.all(out == 0)
    products.matmul(dtype(1), np.zeros((0, 2), dtype), np.zeros((2, 4), dtype), np.zeros((0, 4), dtype))
    products.matmul(dtype(1), np.zeros((2, 2), dtype), np.zeros((2, 0), dtype), np.zeros((2, 0), dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_values_are_those_of_the_formula(dtype):
    """0 times infinity is nan, also where the factor is 0; an infinity stays in its row and its column."""
    a, b = np.ones((4, 3), dtype), np.ones((3, 40), dtype)
    a[1, 2], b[0, 5] = np.inf, np.nan
    out = np.zeros((4, 40), dtype)
    with np.errstate(invalid="ignore"):
        products.matmul(dtype(1), a, b, out)
        np.testing.assert_array_equal(out, a @ b)
        products.matmul(dtype(0), a, b, out)
        np.testing.assert_array_equal(out, dtype(0) * (a @ b))


OTHER = """
import numpy as np
from minigrad.native import products, tile
rng = np.random.default_rng(0)
for dtype in (np.float32, np.float64):
    for m, k, n in ((100, 64, 64), (64, 100, 10), (7, 300, 33)):
        a, b = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
        out = np.zeros((m, n), dtype)
        products.matmul(dtype(1), a, b, out)
        assert np.allclose(out, a.astype(float) @ b, rtol=1e-4, atol=1e-4)
print(tile.vector_bits())
"""


@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.skipif(PURE_PYTHON, reason="numba compiles nothing")
@pytest.mark.parametrize(
    ("name", "features", "bits"), [("haswell", "+avx2,+fma,+bmi2", 256), ("nehalem", "", 128), (None, None, None)]
)
def test_vectors_are_as_wide_as_the_processors(tmp_path, monkeypatch, name, features, bits):
    """Each processor, or one that numba is told to compile for, has machine code of its own, kept on disk."""
    from other_processors import processor_features

    wanted = {f.strip("+") for f in (features or "").split(",") if f}
    if not {"sse4.2"} | wanted <= processor_features():
        pytest.skip("not on this processor")
    monkeypatch.setenv("MINIGRAD_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    for variable, value in (("NUMBA_CPU_NAME", name), ("NUMBA_CPU_FEATURES", features)):
        if value is not None:
            monkeypatch.setenv(variable, value)
    for _ in range(2):
        output = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, timeout=300)
        assert output.returncode == 0, output.stderr
        assert bits is None or output.stdout.split()[-1] == str(bits)
    files = sorted((tmp_path / "numba").rglob("tile.tile-*.nbc"))
    assert len(files) == 2, "one for each dtype"
    files[0].write_bytes(files[0].read_bytes()[:-100])  # cut short: noticed, and compiled again
    output = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, timeout=300)
    assert output.returncode == 0, output.stderr


def test_a_product_with_zeros_is_not_multiplied():
    """The state before the first step is 0; 0 times an infinity is nan, as in the eager product."""
    zeros = mg.Constant(np.zeros((3, 4), np.float32))
    w, v = mg.Variable(np.ones((4, 5), np.float32), name="w"), mg.Variable(np.ones((3, 2), np.float32), name="v")
    program = mg.compile_graph([zeros @ w + 1, v.T @ zeros], [w, v])
    assert "add_matmul_from_zeros(" in program.source
    for bad in (None, np.inf, np.nan):
        here, array = np.ones((4, 5), np.float32), np.ones((3, 2), np.float32)
        if bad is not None:
            here[1, 2] = array[1, 1] = bad
        with np.errstate(invalid="ignore"):
            expected = zeros.value @ here + 1, array.T @ zeros.value
        for got, wanted in zip(program(here, array), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("rate", [0.1, 1e30])
def test_a_rate_times_a_zero_derivative_is_multiplied(rate):
    """The weight minus the rate times zeros, as in the graph."""

    class Blind(nn.Module):
        def __init__(self):
            self.w = mg.Variable(np.ones((4, 5), np.float32), name="w")

        def forward(self, x):
            return mg.Constant(np.zeros((3, 4), np.float32)) @ self.w + x

    x = np.ones((3, 5), np.float32)
    compiled, eager = Blind(), Blind()
    step = mg.compile(compiled, lambda output, target: mg.sum((output - target) ** 2), mg.optim.SGD(0.1), x, 0 * x)
    optimizer = mg.optim.SGD(0.1)
    step.optimizer.lr = optimizer.lr = rate
    step(x, 0 * x)
    mg.sum(eager(mg.Constant(x)) ** 2).backward()
    optimizer.step(eager.parameters())
    np.testing.assert_array_equal(compiled.w.value, eager.w.value)
