"""Convolution and pooling: PyTorch's values and derivatives, in every mode, for every stride, padding and dilation."""

import ctypes
import itertools
import mmap
import os

import numpy as np
import pytest

import minigrad as mg
from minigrad.native import convolution
from minigrad.native.products import VECTOR
from minigrad.ops.along import AddAlong
from minigrad.ops.conv import Conv2d, ConvFilters, ConvImages, conv2d, scratch
from minigrad.ops.pool import WindowArgMax, avg_pool2d, max_pool2d
from minigrad_course.check import check_gradients
from minigrad_course.measure import measure

rng = np.random.default_rng(11)


def numbers(*shape, dtype=np.float64):
    return rng.standard_normal(shape).astype(dtype)


def distinct(*shape):
    """Numbers without ties, far enough apart for finite differences."""
    size = int(np.prod(shape))
    return (rng.permutation(size) - 0.5 * size).reshape(shape)


def ours(f, *arrays):
    """f's value, and the gradients of its weighted sum, with weights that the other library gets too."""
    inputs = [mg.Variable(a) for a in arrays]
    y = f(*inputs)
    weights = np.cos(np.arange(y.size)).reshape(y.shape).astype(y.dtype)
    mg.sum(y * weights).backward()
    return [y.value, *(x.grad for x in inputs)]


def theirs(f, *arrays):
    import torch

    inputs = [torch.from_numpy(np.ascontiguousarray(a)).requires_grad_() for a in arrays]
    y = f(*inputs)
    weights = np.cos(np.arange(y.numel())).reshape(y.shape).astype(y.detach().numpy().dtype)
    (y * torch.from_numpy(weights)).sum().backward()
    return [y.detach().numpy(), *(x.grad.numpy() for x in inputs)]


def assert_same(got, wanted, tolerance):
    for a, b in zip(got, wanted, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * (1 + np.abs(b).max(initial=0)))


SIZES = (3, 3), (1, 1), (2, 3)  # in turn
MOVES = itertools.product([1, 2, (2, 1), (1, 3)], [0, 1, (2, 1)], [1, 2, (1, 2)])
GRID = [(SIZES[(k + k // 3 + k // 9) % 3], *moves) for k, moves in enumerate(MOVES)]


@pytest.mark.torch
@pytest.mark.parametrize(("size", "stride", "padding", "dilation"), GRID)
def test_conv2d_and_its_gradients_equal_pytorch(size, stride, padding, dilation):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    x, w, b = numbers(2, 3, 8, 7), numbers(4, 3, *size), numbers(4)
    moves = {"stride": stride, "padding": padding, "dilation": dilation}
    wanted = theirs(lambda *a: torch.nn.functional.conv2d(*a, **moves), x, w, b)
    assert_same(ours(lambda *a: conv2d(*a, **moves), x, w, b), wanted, 1e-12)


# Images, filters, stride, dilation. Few filters and many, short lines and lines longer than a vector, odd and even
# widths, strides that end at different lines, and filters as large as the image,
# or as high, or as wide.
KERNELS = [
    ((2, 1, 12, 28), (6, 3, 3), (1, 1), (1, 1)),
    ((2, 1, 9, 45), (3, 2, 2), (1, 1), (1, 2)),
    ((2, 3, 11, 37), (5, 3, 5), (2, 2), (1, 1)),
    ((2, 2, 10, 18), (3, 3, 3), (1, 2), (2, 1)),
    ((2, 2, 10, 11), (4, 3, 2), (3, 3), (1, 1)),
    ((2, 2, 9, 10), (16, 3, 3), (1, 1), (1, 1)),
    ((2, 4, 9, 8), (35, 2, 3), (2, 2), (1, 1)),
    ((3, 2, 6, 7), (18, 6, 7), (1, 1), (1, 1)),
    ((3, 2, 6, 6), (4, 6, 2), (1, 1), (1, 1)),
    ((3, 2, 6, 6), (4, 2, 6), (1, 1), (1, 1)),
]


def sides(x, w, y, stride, dilation):
    """Each side of the sum of products from the other two, written down."""
    of_y, of_x, of_w = np.zeros(y.shape), np.zeros(x.shape), np.zeros(w.shape)
    for a, b in np.ndindex(w.shape[2:]):
        rows, columns = (
            slice(k * d, k * d + (size - 1) * s + 1, s)
            for k, d, size, s in zip((a, b), dilation, y.shape[2:], stride, strict=True)
        )
        of_y += np.einsum("ncrq,oc->norq", x[:, :, rows, columns], w[:, :, a, b])
        of_x[:, :, rows, columns] += np.einsum("norq,oc->ncrq", y, w[:, :, a, b])
        of_w[:, :, a, b] = np.einsum("ncrq,norq->oc", x[:, :, rows, columns], y)
    return of_y, of_x, of_w


def drawn(rng):
    """Images, filters, moves, and the window of a pool behind them; sometimes lines longer than a vector."""
    while True:
        sizes = rng.integers(1, 10 if rng.random() < 0.6 else 46, 2)
        filters = int(rng.choice([1, 2, 3, 5, 7, 16, 17, 35])), *rng.integers(1, 6, 2)
        images = (*rng.integers(1, 4, 2), *sizes)
        stride, dilation = rng.choice([1, 1, 2, 3], 2), rng.choice([1, 1, 2], 2)
        height, width = rng.integers(1, 6, 2)
        window = height, width, height + rng.choice([0, 0, 1, 2]), width + rng.choice([0, 0, 1, 2])
        shapes = [tuple(map(int, shape)) for shape in (images, filters, stride, dilation, window)]
        reach = [(k - 1) * d + 1 for k, d in zip(shapes[1][1:], shapes[3], strict=True)]
        y = [(size - r) // s + 1 for size, r, s in zip(shapes[0][2:], reach, shapes[2], strict=True)]
        if height <= y[0] and width <= y[1] and np.all(np.array(reach) <= sizes):
            return shapes


def before_the_end(array):
    """Copy an array to where its last page ends: to read or write behind it ends the process."""
    pages = -(-array.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, pages + mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + pages), mmap.PAGESIZE, 0) == 0
    copy = np.frombuffer(memory, array.dtype, array.size, pages - array.nbytes).reshape(array.shape)
    np.copyto(copy, array)
    return copy


@pytest.mark.skipif(os.name != "posix", reason="pages are protected by mprotect")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("draws", [120, pytest.param(3000, marks=pytest.mark.thorough)])
def test_kernels_of_pooled_convolutions_are_their_definitions(dtype, draws):
    """Each choice of a kernel, by window, stride and sizes, of whole numbers: results and ties are exact."""

    def run(name, side, inputs, moves, shape, pool=None, more=(), where=()):
        new = lambda _, size, kind: before_the_end(np.full(size, 7, kind))  # noqa: E731
        shapes = x.shape, w.shape, small.shape if pool else y.shape
        work = scratch(side, new, dtype, moves, *shapes, window=pool)
        out = before_the_end(np.full(shape, 7, dtype))
        getattr(convolution, name)(*map(before_the_end, inputs), *moves, *(pool or ()), *more, *work, *where, out)
        return out

    for seed in range(draws):
        rng = np.random.default_rng([seed, draws])
        images, (count, *size), stride, dilation, window = drawn(rng)
        x = rng.integers(-3, 4, images).astype(dtype)
        w = rng.integers(-3, 4, (count, images[1], *size)).astype(dtype)
        y = rng.integers(-3, 4, Conv2d(stride, dilation).output_shape(x.shape, w.shape)).astype(dtype)
        case, moves = (seed, x.shape, w.shape, stride, dilation, window), (*stride, *dilation)
        full, of_x, of_w = sides(x, w, y, stride, dilation)
        for side, inputs, exact in (("y", (x, w), full), ("x", (y, w), of_x), ("w", (x, y), of_w)):
            assert np.array_equal(run(f"conv_{side}", side, inputs, moves, exact.shape), exact), (side, case)

        height, width, down, right = window
        windows = np.lib.stride_tricks.sliding_window_view(full, window[:2], (2, 3))[:, :, ::down, ::right]
        places = windows.reshape(*windows.shape[:4], height * width)
        where = before_the_end(np.full(places.shape[:4], 7, np.int32))
        small = rng.integers(-3, 4, where.shape).astype(dtype)
        largest = run("conv_pool", "y", (x, w, np.zeros(count, dtype)), moves, where.shape, window, where=(where,))
        assert np.array_equal(where, places.argmax(-1)), case
        assert np.array_equal(largest, places.max(-1)), case

        scattered = np.zeros(full.shape, dtype)
        for (n, o, r, q), place in np.ndenumerate(where):
            scattered[n, o, r * down + place // width, q * right + place % width] = small[n, o, r, q]
        _, of_x, of_w = sides(x, w, scattered, stride, dilation)
        for name, side, inputs, exact in (
            ("conv_x_at", "x", (small, w), of_x),
            ("conv_w_at", "w", (x, small), of_w),
            ("conv_w_of_winners", "winners", (x, small), of_w),
        ):
            got = run(name, side, (*inputs, where), moves, exact.shape, window, full.shape[2:])
            assert np.array_equal(got, exact), (name, case)
        in_rows = [a.reshape(*a.shape[:2], -1) for a in (small, WindowArgMax(window[:2], window[2:]).value(full))]
        back = AddAlong(full.shape[2] * full.shape[3]).value(*in_rows)
        assert np.array_equal(back.reshape(full.shape), scattered)


def test_vectors_lie_along_filters_or_along_pixels():
    for back in (False, True):
        ways = set()
        for images, filters, stride, dilation in KERNELS:
            y = Conv2d(stride, dilation).output_shape(images, (filters[0], images[1], *filters[1:]))
            shape = images[1] * filters[1] * filters[2], y[1], y[2:], stride[0] * stride[1], images[3]
            ways.add(bool(convolution.are_side_by_side(back, False, (1, 1, 1, 1), *shape, 4)))
        assert ways == ({True} if VECTOR == 16 else {True, False})


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float32_stays_float32_and_with_float64_becomes_float64(dtype):
    x, w = numbers(1, 2, 4, 4, dtype=np.float32), mg.Variable(numbers(3, 2, 2, 2, dtype=dtype))
    y = conv2d(x, w)
    mg.sum(y).backward()
    assert y.dtype == dtype
    assert w.grad.dtype == dtype
    np.testing.assert_allclose(y.value, sides(x, w.value, y.value, (1, 1), (1, 1))[0], rtol=1e-5, atol=1e-5)


LAYOUTS = {
    "transposed": lambda a: np.ascontiguousarray(a.transpose(3, 2, 1, 0)).transpose(3, 2, 1, 0),
    "every second": lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
    "backwards": lambda a: np.ascontiguousarray(a[:, ::-1, :, ::-1])[:, ::-1, :, ::-1],
    "not to be written to": lambda a: np.broadcast_to(a, a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_images_and_filters_may_lie_anyhow(layout):
    x, w, changed = numbers(2, 3, 6, 6), numbers(2, 3, 3, 3), LAYOUTS[layout]
    np.testing.assert_array_equal(conv2d(changed(x), changed(w)), conv2d(x, w))
    np.testing.assert_array_equal(max_pool2d(changed(x), 2), max_pool2d(x, 2))
    np.testing.assert_array_equal(avg_pool2d(changed(x), 2), avg_pool2d(x, 2))
    np.testing.assert_array_equal(WindowArgMax((2, 2), (2, 2))(changed(x)), WindowArgMax((2, 2), (2, 2))(x))


def test_zero_stride_adjoint_as_sum_gives_it():
    x, w = mg.Variable(numbers(2, 1, 5, 5)), mg.Variable(numbers(3, 1, 2, 2))
    mg.sum(conv2d(x, w)).backward()  # the adjoint of a sum is one number, broadcast
    np.testing.assert_allclose(x.grad, ConvImages(x.shape, (1, 1), (1, 1))(np.ones((2, 3, 4, 4)), w.value), rtol=1e-12)


@pytest.mark.parametrize(
    "shapes", [((0, 2, 5, 5), (3, 2, 2, 2)), ((2, 0, 5, 5), (3, 0, 2, 2)), ((2, 2, 5, 5), (0, 2, 2, 2))]
)
def test_no_images_no_channels_or_no_filters(shapes):
    y, by_x, by_w = ours(conv2d, numbers(*shapes[0]), numbers(*shapes[1]))
    assert y.shape == (shapes[0][0], shapes[1][0], 4, 4)
    assert by_x.shape == shapes[0]
    assert by_w.shape == shapes[1]
    assert not y.any()
    assert not by_x.any()
    assert not by_w.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("moves", [((1, 1), (1, 1)), ((2, 1), (1, 1)), ((1, 1), (2, 1))])
def test_special_values_reach_only_what_depends_on_them(bad, moves):
    x, w = 1 + rng.random((1, 1, 6, 6)), 1 + rng.random((2, 1, 2, 2))

    def convolve(x, w):
        return conv2d(x, w, stride=moves[0], dilation=moves[1])

    with np.errstate(invalid="ignore"):
        for place in np.ndindex(6, 6):
            spoilt, alone = x.copy(), np.zeros_like(x)
            spoilt[0, 0][place], alone[0, 0][place] = bad, 1
            y, _, by_w = ours(convolve, spoilt, w)
            np.testing.assert_array_equal(~np.isfinite(y), convolve(alone, w) > 0)
            np.testing.assert_array_equal(~np.isfinite(by_w), ConvFilters(w.shape, *moves)(alone, np.ones(y.shape)) > 0)
        for place in np.ndindex(2, 2):
            spoilt, alone = w.copy(), np.zeros_like(w)
            spoilt[1, 0][place], alone[1, 0][place] = bad, 1
            y, by_x, _ = ours(convolve, x, spoilt)
            np.testing.assert_array_equal(~np.isfinite(y), convolve(x, alone) > 0)
            np.testing.assert_array_equal(~np.isfinite(by_x), ConvImages(x.shape, *moves)(np.ones(y.shape), alone) > 0)


# Pooling ----------------------------------------------------------------------------------------------------------

WINDOWS = [(2, None), (3, None), (2, 1), (3, 2), ((2, 3), None), ((3, 1), (1, 2)), (1, 2)]


@pytest.mark.torch
@pytest.mark.parametrize(("size", "stride"), WINDOWS)
@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
def test_pooling_equals_pytorch(name, size, stride):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    pool, reference = {"max_pool2d": max_pool2d, "avg_pool2d": avg_pool2d}[name], getattr(torch.nn.functional, name)
    for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-14)):
        x = numbers(2, 3, 7, 9, dtype=dtype)
        assert_same(
            ours(lambda x: pool(x, size, stride), x), theirs(lambda x: reference(x, size, stride), x), tolerance
        )


@pytest.mark.torch
def test_ties_and_nan_in_pooling_equal_pytorchs():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    ties = rng.integers(0, 3, (2, 2, 6, 6)).astype(np.float64)
    blank = ties.copy()
    blank[rng.random(blank.shape) < 0.2] = np.nan
    for x in (ties, np.zeros((1, 1, 4, 4)), blank, -np.inf * np.ones((1, 1, 4, 4))):
        for size, stride in ((2, 2), (3, 1)):
            _, places = torch.nn.functional.max_pool2d(torch.from_numpy(x), size, stride, return_indices=True)
            np.testing.assert_array_equal(WindowArgMax((size, size), (stride, stride))(x), places.numpy())
            with np.errstate(invalid="ignore"):  # ours() weights infinities with either sign, and adds them up
                result = ours(lambda x, size=size, stride=stride: max_pool2d(x, size, stride), x)
            wanted = theirs(lambda x, size=size, stride=stride: torch.nn.functional.max_pool2d(x, size, stride), x)
            np.testing.assert_array_equal(result[0], wanted[0])
            np.testing.assert_allclose(result[1], wanted[1], rtol=1e-14, atol=1e-14)


def test_first_of_equal_pixels_gets_the_whole_derivative():
    gradient = mg.grad(lambda x: mg.sum(max_pool2d(x, 2)))(np.zeros((1, 1, 4, 4)))
    np.testing.assert_array_equal(gradient[0, 0], [[1, 0, 1, 0], [0] * 4, [1, 0, 1, 0], [0] * 4])


def test_odd_last_row_and_column_are_dropped():
    x = distinct(1, 1, 5, 7)
    assert max_pool2d(x, 2).shape == (1, 1, 2, 3)
    gradient = mg.grad(lambda x: mg.sum(max_pool2d(x, 2)) + mg.sum(avg_pool2d(x, 2)))(x)
    assert not gradient[:, :, 4].any()
    assert not gradient[:, :, :, 6].any()


def test_a_pixel_in_several_windows_adds_up():
    x = mg.Variable(np.array([[[[0.0, 5.0, 1.0]]]]))
    mg.sum(max_pool2d(x, (1, 2), 1)).backward()
    np.testing.assert_array_equal(x.grad, [[[[0, 2, 0]]]])
    check_gradients(lambda x: mg.square(max_pool2d(x, (1, 2), 1)), np.array([[[[0.0, 5.0, 1.0]]]]), order=2)


@pytest.mark.parametrize("pool", [max_pool2d, avg_pool2d])
def test_pooling_of_no_images(pool):
    y, by_x = ours(lambda x: pool(x, 2), numbers(0, 3, 4, 4))
    assert y.shape == (0, 3, 2, 2)
    assert by_x.shape == (0, 3, 4, 4)


def test_pooling_of_whole_numbers():
    x = np.arange(16, dtype=np.uint8).reshape(1, 1, 4, 4)
    assert max_pool2d(x, 2).dtype == np.uint8
    np.testing.assert_array_equal(avg_pool2d(x, 2), [[[[2.5, 4.5], [10.5, 12.5]]]])


# Together ---------------------------------------------------------------------------------------------------------


def network(x, w1, b1, w2, b2):
    hidden = max_pool2d(mg.tanh(conv2d(x, w1, b1)), 2)
    return mg.sum(mg.square(avg_pool2d(mg.tanh(conv2d(hidden, w2, b2, stride=1, padding=1)), 2)))


def parameters(dtype=np.float64):
    return [numbers(*shape, dtype=dtype) for shape in ((3, 1, 3, 3), (3,), (4, 3, 2, 2), (4,))]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_running_the_graph_again_allocates_no_array(dtype):
    x = mg.Constant(numbers(40, 1, 16, 16, dtype=dtype))
    weights = [mg.Variable(w) for w in parameters(dtype)]
    graph = mg.Graph(network(x, *weights))
    graph.backward()
    x.value = numbers(40, 1, 16, 16, dtype=dtype)
    graph.forward()  # the workspaces are there after the first run
    graph.zero_grad()
    graph.backward()
    with measure() as m:
        graph.forward()
        graph.zero_grad()
        graph.backward()
    assert m.peak_bytes < x.value.nbytes  # the smallest array of this size
    fresh = [mg.Variable(w.value) for w in weights]
    mg.Graph(network(mg.Constant(x.value), *fresh)).backward()
    for again, new in zip(weights, fresh, strict=True):
        np.testing.assert_array_equal(again.grad, new.grad)


# Mistakes ---------------------------------------------------------------------------------------------------------

IMAGE, FILTER = np.zeros((2, 3, 5, 5)), np.zeros((4, 3, 3, 3))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: conv2d(IMAGE, np.zeros((4, 3, 6, 3))), "reach over 6 x 3 pixels, and the padded images have 5 x 5"),
        (lambda: conv2d(IMAGE, FILTER, dilation=3), "reach over 7 x 7 pixels"),
        (lambda: conv2d(IMAGE, np.zeros((4, 3, 8, 8)), padding=1), "images have 7 x 7. Try a larger padding"),
        (lambda: conv2d(IMAGE, FILTER[0], padding=1), r"filters \(filters, channels, rows, columns\)"),
        (lambda: conv2d(IMAGE, np.zeros((4, 3, 0, 3))), "at least one row and one column"),
        (lambda: conv2d(IMAGE, FILTER, stride=1.5), "stride is an int of at least 1.*got 1.5"),
        (lambda: conv2d(IMAGE, FILTER, padding=(1, 2, 3)), r"padding is an int of at least 0.*got \(1, 2, 3\)"),
        (lambda: conv2d(IMAGE, FILTER, padding=-1), "padding is an int of at least 0.*got -1"),
        (lambda: avg_pool2d(IMAGE, (6, 1)), "A window of 6 x 1 does not fit into 5 x 5 pixels"),
        (lambda: max_pool2d(IMAGE[0], 2), r"\(3, 5, 5\).*Images are \(images, channels, rows, columns\)"),
        (lambda: max_pool2d(IMAGE, 0), "size is an int of at least 1.*got 0"),
        (lambda: avg_pool2d(IMAGE, 2, "2"), "stride is an int of at least 1.*got '2'"),
        (lambda: conv2d(np.zeros((1, 1, 3, 3), np.int64), np.ones((1, 1, 2, 2), np.int64)),
         r"float32 or float64, not in int64. Try .astype\(np.float32\)"),
    ],
)  # fmt: skip
def test_a_wrong_shape_gets_one_sentence(call, words):
    """Channels, biases and windows that do not fit, in every mode: the table of test_errors.py."""
    with pytest.raises(TypeError if "int64" in words else ValueError, match=words):
        call()
