# Exercise 13. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 13 · The filter, forward and backward
#
# In the lesson a filter slid over a digit, and on the way back it was rotated by half a turn. Here you write both
# directions yourself, for one picture with one channel, and then the two famous shortcuts: one product of matrices, and the
# Fourier transform. At the end they race.
#
# You write seven functions of a few lines. Fourteen points.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `slide`: the filter over the picture | 2 |
# | Task 2 | `x_adjoint`: back to the picture | 3 |
# | Task 3 | `w_adjoint`: back to the filter | 2 |
# | Task 4 | `pool_adjoint`: back through max pooling, ties and all | 2 |
# | Task 5 | `im2col`: all windows in one matrix | 2 |
# | Task 6 | `slide_by_fft` | 2 |
# | Task 7 | `im2col_bytes`: the price, and the race | 1 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · Slide (2 points, easy)
#
# $$y_{r,q} = \sum_{a,b} x_{r+a,\;q+b}\;w_{a,b}$$
#
# `x` is a picture, `w` a filter; they need not be square, and may hold whole numbers. The filter stays inside the picture and moves by one
# pixel at a time. Loops are welcome. How many rows does `y` have, if `x` has 5 and `w` has 2?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "slide"}
def slide(x, w):
    """The feature map y of a picture x (rows, columns) and a filter w (height, width)."""
    ### BEGIN SOLUTION
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * w)
    return y
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_slide", "points": 2}
# Stuck? Put the filter on the upper left corner of the picture, on paper. Multiply, add up, and only then move on.
x = np.array([[1.0, 2, 0, 1, 3], [0, 3, 1, 2, 0], [4, 0, 2, 1, 1]])
w = np.array([[1.0, 10], [100, 1000]])
check_close(slide(x, w), [[3021, 1302, 2110, 231], [430, 2013, 1221, 1102]], "slide")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(slide, (x, w), mg), "slide")
check_close(slide(x, np.array([[0.25]])), x / 4, "a filter of 1 x 1: slide")
check_close(
    slide(x, np.array([[1.0, 10, 100]])), [[21, 102, 310], [130, 213, 21], [204, 120, 112]], "a filter of 1 x 3: slide"
)
check_close(slide(x, x), [[51]], "a filter as large as the picture: slide")
check_close(slide(x[:, ::2], w[:, :1]), [[1, 100, 3], [400, 201, 100]], "every second column: slide")
check_close(slide(np.array([[1, 2], [3, 5]]), np.array([[0.5]])), [[0.5, 1], [1.5, 2.5]], "whole numbers: slide")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Back to the picture (3 points, medium)
#
# You get `y_bar`, the adjoint of the feature map, and the filter. Return `x_bar`, the adjoint of the picture. There are
# two ways to think of it, and either will do:
#
# - Each $y_{r,q}$ was made from a window of $x$. It sends its adjoint back there, times what it was multiplied by.
#   Windows overlap!
# - Slide the filter, rotated by half a turn, over `y_bar` with a frame of zeros around it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "x_adjoint"}
def x_adjoint(y_bar, w):
    """The adjoint of the picture, as large as the picture was."""
    ### BEGIN SOLUTION
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows + height - 1, columns + width - 1))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] += y_bar[r, q] * w
    return x_bar
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_x_adjoint", "points": 3}
# Stuck? Let only one entry of y_bar be 1, and the others 0. Which pixels made this one y? How much did each count?
w = np.array([[1.0, 10], [100, 1000]])
one = np.array([[0.0, 0, 0], [0, 1, 0]])
check_close(x_adjoint(one, w), [[0, 0, 0, 0], [0, 1, 10, 0], [0, 100, 1000, 0]], "only y[1, 1] counts: x_bar")
two = np.array([[1.0, 1]])
check_close(x_adjoint(two, w), [[1, 11, 10], [100, 1100, 1000]], "two windows that overlap: x_bar")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(x_adjoint, (one, w), mg), "x_adjoint")
check_close(x_adjoint(np.array([[0.5]]), np.array([[1, 2]])), [[0.5, 1]], "a filter of whole numbers: x_bar")
random = np.random.default_rng(7)
for shape in ((3, 3), (1, 4), (2, 3)):
    x, w = random.standard_normal((6, 7)), random.standard_normal(shape)
    y = np.einsum("rqab,ab->rq", np.lib.stride_tricks.sliding_window_view(x, shape), w)
    y_bar, where = random.standard_normal(y.shape), f"a filter of {shape[0]} x {shape[1]}"
    x_bar = x_adjoint(y_bar, w)
    check_close(np.shape(x_bar), x.shape, f"{where}: the shape of x_bar")
    check_close(np.vdot(x_bar, x), np.vdot(y_bar, y), f"{where}: dot-product test")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Back to the filter (2 points, medium)
#
# The entry $w_{a,b}$ was multiplied by $x_{r+a,\;q+b}$ on its way into $y_{r,q}$. For *all* r and q, since every window
# uses the same filter. What is $\bar w_{a,b}$? (You may find that you have written most of it already.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "w_adjoint"}
def w_adjoint(x, y_bar):
    """The adjoint of the filter, as large as the filter was."""
    ### BEGIN SOLUTION
    (rows, columns), (height, width) = y_bar.shape, (x.shape[0] - y_bar.shape[0] + 1, x.shape[1] - y_bar.shape[1] + 1)
    w_bar = np.zeros((height, width))
    for r in range(rows):
        for q in range(columns):
            w_bar += y_bar[r, q] * x[r : r + height, q : q + width]
    return w_bar
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_w_adjoint", "points": 2}
# Stuck? A weight that is used in many places gets a share from each. Start with zeros and add up.
x = np.array([[1.0, 2, 0, 1], [0, 3, 1, 2], [4, 0, 2, 1]])
y_bar = np.array([[1.0, 0, 10], [0, 100, 0]])
check_close(w_adjoint(x, y_bar), [[301, 112], [10, 223]], "w_bar")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(w_adjoint, (x, y_bar), mg), "w_adjoint")
random = np.random.default_rng(8)
x, y_bar = random.standard_normal((6, 7)), random.standard_normal((6, 3))
w_bar = np.einsum("abrq,rq->ab", np.lib.stride_tricks.sliding_window_view(x, y_bar.shape), y_bar)
check_close(w_adjoint(x, y_bar), w_bar, "w_bar of a filter of 1 x 5")
check_close(w_adjoint(np.array([[1, 2]]), np.array([[0.5]])), [[0.5, 1]], "a picture of whole numbers: w_bar")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Back through max pooling (2 points, medium)
#
# The forward pass kept the largest of each square of $2\times2$, and dropped an odd row or column at the end. Give the
# adjoint of each square to its winner. If several are equal, give it to **the first**, row by row, as PyTorch does. All other
# pixels get 0.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "pool_adjoint"}
def pool_adjoint(x, y_bar):
    """The adjoint of x, where y was the largest of each square of 2 x 2 of x."""
    ### BEGIN SOLUTION
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
            x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
    return x_bar
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_pool_adjoint", "points": 2}
# Stuck? np.argmax counts row by row: 0 and 1 above, 2 and 3 below. divmod(k, 2) makes a row and a column of it.
x = np.array([[5.0, 1, 0, 2], [3, 4, 7, 6], [1, 1, 2, 3], [1, 1, 8, 8]])
y_bar = np.array([[10.0, 20], [30, 40]])
expected = [[10, 0, 0, 0], [0, 0, 20, 0], [30, 0, 0, 0], [0, 0, 40, 0]]
check_close(pool_adjoint(x, y_bar), expected, "x_bar")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(pool_adjoint, (x, y_bar), mg), "pool_adjoint")
x = np.array([[-5.0, -1, 9], [-3, -1, 9], [9, 9, 9]])
check_close(pool_adjoint(x, np.array([[2.0]])), [[0, 2, 0], [0, 0, 0], [0, 0, 0]], "an odd row and column: x_bar")
x = np.array([[1.0, 3, 2, 9, 0, 4], [3, 0, 5, 7, 6, 5]])
row = np.array([[1.0, 10, 100]])
check_close(
    pool_adjoint(x.astype(int), row / 4),
    [[0, 0.25, 0, 2.5, 0, 0], [0, 0, 0, 0, 25, 0]],
    "a picture of whole numbers: x_bar",
)
check_close(
    pool_adjoint(1 + 1e-9 * x, row), [[0, 1, 0, 10, 0, 0], [0, 0, 0, 0, 100, 0]], "pixels that are nearly equal: x_bar"
)
check_close(pool_adjoint(x, row), [[0, 1, 0, 10, 0, 0], [0, 0, 0, 0, 100, 0]], "one row of squares: x_bar")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · All windows in one matrix (2 points, medium)
#
# `im2col(x, height, width)` copies each window of the picture into one row of a matrix: first the window in the upper
# left corner, then the one to its right, and so on. In a row, the pixels of the window stand row by row. Then the whole convolution is one
# product of matrices, and that is something that every library has made fast.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "im2col"}
def im2col(x, height, width):
    """A matrix with a row for each window of x, of height times width pixels."""
    ### BEGIN SOLUTION
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]
    return np.array(windows)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "by_matmul"}
def slide_by_matmul(x, w):
    """The same as slide, by one product."""
    matrix = im2col(x, *w.shape)
    return (matrix @ w.ravel()).reshape(x.shape[0] - w.shape[0] + 1, -1)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_im2col", "points": 2}
# Stuck? A picture of 3 x 4 and windows of 2 x 2: how many windows are there? Write the first two rows by hand.
x = np.arange(12.0).reshape(3, 4)
rows = [[0, 1, 4, 5], [1, 2, 5, 6], [2, 3, 6, 7], [4, 5, 8, 9], [5, 6, 9, 10], [6, 7, 10, 11]]
check_close(im2col(x, 2, 2), rows, "im2col")
check_close(slide_by_matmul(x, np.array([[0.0, 1], [0, 0]])), [[1, 2, 3], [5, 6, 7]], "slide_by_matmul")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(im2col, (x, 2, 2), mg), "im2col")
rows = [[0, 1, 2], [1, 2, 3], [4, 5, 6], [5, 6, 7], [8, 9, 10], [9, 10, 11]]
check_close(im2col(x, 1, 3), rows, "im2col for a filter of 1 x 3")
check_close(im2col(x, 3, 1)[:2], [[0, 4, 8], [1, 5, 9]], "im2col for a filter of 3 x 1, the first rows")
check_close(im2col(x[:, ::2], 1, 2), [[0, 2], [4, 6], [8, 10]], "im2col of every second column")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6 · By frequencies (2 points, medium)
#
# The convolution theorem: transform picture and filter, multiply entry by entry, transform back. Two things to note:
#
# - Both must have the same size before they are transformed. `np.fft.rfft2(w, size)` adds zeros to the filter.
# - A plain product of frequencies slides the *rotated* filter. Ours is not rotated. In frequencies, rotating by half a turn
#   is taking the complex conjugate, `np.conj`.
#
# `np.fft.irfft2(frequencies, size)` goes back. Its result has the picture's size: beyond the right and lower edge the
# filter continues on the opposite side. Return only the part where it stays inside.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "by_fft"}
def slide_by_fft(x, w):
    """The same as slide, by two Fourier transforms and one back."""
    ### BEGIN SOLUTION
    frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
    y = np.fft.irfft2(frequencies, x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_by_fft", "points": 2}
# Stuck? Try a filter of one entry, [[1.0]]: the result must be the picture. Then [[0.0, 1.0]]: the picture, moved by
# one pixel. To which side?
x = np.array([[1.0, 2, 0, 1], [0, 3, 1, 2], [4, 0, 2, 1]])
w = np.array([[1.0, 10], [100, 1000]])
check_close(slide_by_fft(x, w), [[3021, 1302, 2110], [430, 2013, 1221]], "slide_by_fft")
### BEGIN HIDDEN TESTS
random = np.random.default_rng(9)
x, w = random.standard_normal((9, 7)), random.standard_normal((4, 3))
y = np.einsum("rqab,ab->rq", np.lib.stride_tricks.sliding_window_view(x, w.shape), w)
check_close(slide_by_fft(x, w), y, "slide_by_fft with a filter of 4 x 3")
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(slide_by_fft, (x, w), slide, slide_by_matmul, mg), "slide_by_fft")


def pictures(draw):
    """A picture, and a filter that fits into it."""
    rows, columns = draw.size(1, 8), draw.size(1, 8)
    size = (rows, columns) if draw.sometimes("the filter is as large as the picture") else (1, draw.randint(1, columns))
    return draw.array(rows, columns), draw.array(*size)


cases = fresh(pictures)
check_cases(answers(slide_by_fft, cases), answers(solution.slide_by_fft, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 7 · The price, and the race (1 point, easy)
#
# A layer of a network takes many pictures with several channels at once. Its im2col matrix has a row for each window of
# each picture, and in the row the pixels of *all* channels. All numbers are `float32`, of 4 bytes.
#
# `im2col_bytes(n, channels, rows, columns, size)`: how many bytes does this matrix take, for `n` pictures of `rows` by
# `columns` pixels, and filters of `size` by `size`?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "price"}
def im2col_bytes(n, channels, rows, columns, size):
    """Bytes of the im2col matrix of a whole layer, in float32."""
    ### BEGIN SOLUTION
    windows = n * (rows - size + 1) * (columns - size + 1)
    return windows * channels * size * size * 4
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_price", "points": 1}
# Stuck? Rows of the matrix, times columns of the matrix, times 4. The rows are windows, as many as the layer has outputs
# for each filter.
check_close(im2col_bytes(1, 1, 7, 12, 3), 1800, "one picture of 7 x 12, filter of 3 x 3: bytes")
check_close(im2col_bytes(100, 6, 13, 13, 3), 2_613_600, "the lesson's second convolution, 100 pictures: bytes")
### BEGIN HIDDEN TESTS
check_close(
    im2col_bytes(2, 3, 10, 8, 5), 2 * 6 * 4 * 3 * 25 * 4, "2 pictures with 3 channels of 10 x 8, filter of 5 x 5: bytes"
)
check_close(im2col_bytes(5, 1, 4, 4, 1), 320, "filter of 1 x 1: bytes")
### END HIDDEN TESTS

# %% [markdown]
# No points for this one. Your three functions race on a picture of $48\times48$ pixels, with larger and larger filters.
# Before you run it: which of them will *not* slow down as the filter grows? And do you see, in the bytes, what you have
# just computed? (Yours count 8 bytes for a number: they work in `float64`.)

# %% tags=["raises-exception"]
from minigrad_course.measure import repeat
from minigrad_course.measure.result import show_count

picture = np.random.default_rng(0).random((48, 48))
print(f"{'filter':8}{'way':18}{'milliseconds':>14}{'bytes allocated':>18}")
for size in (3, 9, 21):
    filter_ = np.random.default_rng(1).random((size, size))
    for way in (slide, slide_by_matmul, slide_by_fft):
        m = repeat(lambda way=way, w=filter_: way(picture, w), repeats=3)
        print(f"{size:2} x {size:2} {way.__name__:18}{1000 * min(m.times):14.2f}{show_count(m.allocated_bytes):>18}")

# %% [markdown]
# All three are written in Python, so what you see is mostly Python's own time, window by window. [Lesson 13b](../../notebooks/13b_three_ways_to_convolve.ipynb) compares
# compiled loops ([minigrad_course/measure/conv_ways.py](../../minigrad_course/measure/conv_ways.py)), and there the order may be different. What
# is the same in any language is how each of them grows.
#
# Next: [lesson 14](../../notebooks/14_autoencoder.ipynb).
