"""The kernels that a compiled program calls: sums, elementary functions, losses. (Products and convolutions have their
own files.)

All write to existing arrays and allocate nothing. They run on NumPy arrays of float32 or float64; sums and maxima also
on integers. With NUMBA_DISABLE_JIT=1 they are plain Python, and a debugger can step through them.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.compiled import (
    at_once,
    by_types,
    exact,
    fetch,
    filling,
    inlined,
    inlined_sum,
    math,
    on_stack,
)

f4 = np.float32

# ---------------------------------------------------------------- sums

BLOCK = 1024


def start_of_sum(a):
    """0 in the dtype in which entries of `a` are added up: float64 for floats, for integers their own."""
    return a.dtype.type(0) if a.dtype.kind != "f" else np.float64(0)


@by_types(start_of_sum)
def _start_of_sum(a):
    return (lambda a: 0.0) if str(a.dtype).startswith("float") else (lambda a: a.dtype.type(0))


@inlined_sum
def _sum_block(a, start, stop):
    total = a.dtype.type(0)
    for k in range(start, stop):
        total += a[k]
    return total


@inlined
def sum_of(a):
    """The sum of all entries of a vector. Blocks are added up in its dtype, their sums in float64.

    So the error does not grow with the length: it is at most that of BLOCK roundings, and the smaller, the more numbers
    a register of the processor holds. 10 million times 0.1 in float32 is within 61 of a million, and mostly within 1.
    """
    total = start_of_sum(a)
    end = a.size % BLOCK
    total += _sum_block(a, 0, end)
    for start in range(end, a.size, BLOCK):
        total += _sum_block(a, start, start + BLOCK)
    return total


@exact
def sum_all(a):
    """`sum_of`, as a function of its own."""
    return sum_of(a)


@exact
def sum_columns(a, out):
    """out = the sum of the columns of a matrix."""
    for i in range(a.shape[0]):
        out[i] = sum_of(a[i])


ROWS, COLUMNS = 64, 256  # that are added up in the matrix's own dtype; of which sums are kept at a time


@filling
def _add_block(a, start, stop, left, out):
    """out[j] = the sum of a[start:stop, left + j], in its dtype."""
    n = out.size
    out[:] = 0
    for i in range(start, stop - 3, 4):
        first, second, third, fourth = a[i, left:], a[i + 1, left:], a[i + 2, left:], a[i + 3, left:]
        for j in range(n):
            out[j] += (first[j] + second[j]) + (third[j] + fourth[j])
    for i in range(stop - (stop - start) % 4, stop):
        row = a[i, left:]
        for j in range(n):
            out[j] += row[j]


@exact
def sum_rows(a, out):
    """out = the sum of the rows of a matrix. Blocks of ROWS are added up in its dtype, their sums as in `sum_of`."""
    m, n = a.shape
    if a.strides[1] != a.itemsize:
        sum_columns(a.T, out)
        return
    totals = on_stack(COLUMNS, start_of_sum(a))
    for left in range(0, n, COLUMNS):
        sums = out[left : min(left + COLUMNS, n)]
        for j in range(sums.size):
            totals[j] = 0
        for start in range(0, m, ROWS):
            _add_block(a, start, min(start + ROWS, m), left, sums)
            for j in range(sums.size):
                totals[j] += sums[j]
        for j in range(sums.size):
            sums[j] = totals[j]


@exact
def sum_middle(a, out):
    """out[i, k] = the sum of a[i, :, k], for a of shape (m, n, p)."""
    for i in range(a.shape[0]):
        sum_rows(a[i], out[i])


# ---------------------------------------------------------------- the larger and the smaller


@inlined
def maximum(a, b):
    """The larger one; nan if either is. Of 0 and -0 the second, as NumPy's on most processors."""
    return b if a <= b or b != b else a


@inlined
def minimum(a, b):
    """The smaller one; nan if either is. Of 0 and -0 the second."""
    return b if a >= b or b != b else a


@exact
def max_middle(a, out):
    """out[i, k] = the largest of a[i, :, k], for a of shape (m, n, p); nan if there is one."""
    for i in range(a.shape[0]):
        for k in range(a.shape[2]):
            best = a[i, 0, k]
            for j in range(1, a.shape[1]):
                best = maximum(best, a[i, j, k])
            out[i, k] = best


@exact
def min_middle(a, out):
    """out[i, k] = the smallest of a[i, :, k], for a of shape (m, n, p); nan if there is one."""
    for i in range(a.shape[0]):
        for k in range(a.shape[2]):
            best = a[i, 0, k]
            for j in range(1, a.shape[1]):
                best = minimum(best, a[i, j, k])
            out[i, k] = best


@inlined
def relu_slope(a):
    """The derivative of relu: 1 where a > 0, else 0; nan where a is nan."""
    number = type(a)
    return number(1) if a > number(0) else a if a != a else number(0)


@inlined
def integer_power(a, b):
    """a ** b of integers, of which a negative b has none."""
    if b < 0:
        raise ValueError("Integers to negative integer powers are not allowed. Try .astype(float) on the base first")
    return a**b


# ---------------------------------------------------------------- elementary functions
# Written so that a loop over them vectorises. Largest relative error, found by trying millions of numbers (tests):
# exp 1e-7, tanh 3e-7; tanh 4e-7 on processors without fused multiply-add.

LOG2E, LN2_HIGH, LN2_LOW = f4(1.44269504088896341), f4(0.693359375), f4(-2.12194440e-4)
EXP = tuple(
    f4(c)
    for c in (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
)
EXP_LOW, EXP_HIGH, INFINITE = f4(-87.33654), f4(88.72283), f4(np.inf)  # e**EXP_LOW is the smallest normal number
EXP_END, UP, BACK = f4(-104), f4(32), f4(2.0**-32)  # e**EXP_END is less than half of the smallest number
f4_0, f4_1, f4_half = f4(0), f4(1), f4(0.5)


@inlined
def polynomial(x, coefficients):
    """A polynomial in x, by Horner's scheme; the coefficient of the highest power comes first.

    With no more than nine coefficients the loop is written out (compiled.py), so that a loop over it vectorises.
    """
    value = coefficients[0]
    for k in range(1, len(coefficients)):
        value = value * x + coefficients[k]
    return value


@inlined
def exp_of_rest(r):
    """e**r for r from -ln 2 / 2 to ln 2 / 2, in float32 (Moshier's Cephes library, expf)."""
    return polynomial(r, EXP) * (r * r) + r + f4_1


@inlined
def exp32(x):
    """e**x in float32: x = n ln 2 + r, and a polynomial for e**r."""
    inside = x if x > EXP_END else EXP_END  # nan too; it comes back at the end
    inside = inside if inside < EXP_HIGH else EXP_HIGH
    n = np.floor(inside * LOG2E + f4_half)
    r = inside - n * LN2_HIGH
    r = r - n * LN2_LOW
    y = exp_of_rest(r)
    # A result too small for an exponent of its own is computed 2**32 times as large, and scaled back by a product.
    n = n if x >= EXP_LOW else n + UP
    # Times 2**n: n is added to the exponent, a float's bits from 23 up.
    y = np.int32(np.float32(y).view(np.int32) + (np.int32(n) << np.int32(23))).view(np.float32)
    y = y * (f4_1 if x >= EXP_LOW else BACK if x > EXP_END else f4_0)
    return y if x <= EXP_HIGH else x + INFINITE  # infinite or nan


TANH_OVER = tuple(
    f4(c) for c in (-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
                    1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03)
)  # fmt: skip
TANH_UNDER = tuple(
    f4(c) for c in (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
)
TANH_END = f4(7.90531110763549805)
TANH_ONE = f4(9.02)  # from here on 1 is the nearest float32


@inlined
def tanh32(x):
    """tanh in float32: a quotient of polynomials in x**2 (as in the Eigen library); from 9.02 on it is 1."""
    inside = minimum(maximum(x, -TANH_END), TANH_END)
    s = inside * inside
    y = inside * polynomial(s, TANH_OVER) / polynomial(s, TANH_UNDER)
    y = y if x < TANH_ONE else f4_1
    y = y if x > -TANH_ONE else -f4_1
    return y if x == x else x


# Of Cephes (tanh, exp): for small numbers a quotient of polynomials in x**2, beyond them 1 - 2 / (e**2x + 1).
NEAR_OVER = (-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3)
NEAR_UNDER = (1.0, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3)
EXP_OVER = (1.26177193074810590878e-4, 3.02994407707441961300e-2, 1.0)
EXP_UNDER = (3.00198505138664455042e-6, 2.52448340349684104192e-3, 2.27265548208155028766e-1, 2.0)
WHOLE = 6755399441055744.0  # 1.5 * 2**52: added to it, a number is rounded, and stands in the lowest bits


@inlined
def tanh64(x):
    """tanh in float64, to 3e-16, in a form that vectorises."""
    inside = abs(x) if abs(x) < 20.0 else 20.0
    s = inside * inside
    near = x + x * (s * polynomial(s, NEAR_OVER) / polynomial(s, NEAR_UNDER))
    rounded = inside * 2.8853900817779268 + WHOLE
    n = rounded - WHOLE
    r = inside + inside - n * 6.93145751953125e-1 - n * 1.42860682030941723212e-6
    odd = r * polynomial(r * r, EXP_OVER)
    y = 1.0 + 2.0 * odd / (polynomial(r * r, EXP_UNDER) - odd)
    y = y * np.int64((np.float64(rounded).view(np.int64) + np.int64(1023)) << np.int64(52)).view(np.float64)
    far = 1.0 - 2.0 / (y + 1.0)
    return near if 0.0 < inside < 0.625 else far if x > 0.0 else -far if x < 0.0 else x


def exp_of(x):
    """e**x in the dtype of x."""
    return np.exp(x)


@by_types(exp_of)
def _exp_of(x):
    return (lambda x: exp32(x)) if str(x) == "float32" else (lambda x: math.exp(x))


# ---------------------------------------------------------------- losses


@inlined_sum
def _largest(row):
    """Return the largest number of a row, or any of them if one is nan: then the sum of powers is nan as well."""
    largest = row[0]
    for k in range(1, row.size):
        largest = row[k] if row[k] > largest else largest
    return largest


@inlined_sum
def _sum_of_powers(row, largest):
    total = row.dtype.type(0)
    for k in range(row.size):
        total += exp_of(row[k] - largest)
    return total


@exact
def cross_entropy(logits, labels):
    """The mean of log(sum(exp(row - largest))) - (row[label] - largest) over the rows; nan for a label out of range."""
    rows, classes = logits.shape
    loss = np.float64(0)  # in plain Python 0.0 would become a float32
    for i in range(rows):
        if labels[i] < 0 or labels[i] >= classes:
            return np.nan
        row = logits[i]
        largest = _largest(row)
        total = _sum_of_powers(row, largest)
        loss += math.log(total) - (row[labels[i]] - largest)
    return loss / rows


@filling
def cross_entropy_slope(logits, labels, out):
    """(softmax(row) - 1 at the label) / rows; nan in a row whose label is out of range."""
    rows, classes = logits.shape
    for i in range(rows):
        row, result = logits[i], out[i]
        if labels[i] < 0 or labels[i] >= classes:
            result[:] = np.nan
            continue
        largest = _largest(row)
        for k in range(classes):
            result[k] = exp_of(row[k] - largest)
        factor = logits.dtype.type(1) / (_sum_block(result, 0, classes) * rows)
        for k in range(classes):
            result[k] *= factor
        result[labels[i]] -= 1.0 / rows


# ---------------------------------------------------------------- picking and adding at places


@exact
def take(a, places, out):
    """out = the entries of a, counted in row-major order, at `places`."""
    flat, where, result = a.reshape(a.size), places.reshape(places.size), out.reshape(out.size)
    for k in range(where.size):
        result[k] = flat[where[k]]


def take_rows_at_once(data, order, first, out):
    np.copyto(out, data[order[first : first + len(out)]], casting="unsafe")


@at_once(take_rows_at_once)
@exact
def take_rows(data, order, first, out):
    """out = the rows of `data` that the order names from `first` on. While one is copied, the next is on its way."""
    for i in range(out.shape[0]):
        if first + i + 1 < order.size:
            fetch(data[order[first + i + 1]])
        row, copy = data[order[first + i]], out[i]
        for j in range(copy.size):
            copy[j] = row[j]


@exact
def add_at(a, places, out):
    """out = 0, plus the entries of a at `places`; a place that comes twice adds up."""
    flat, where, result = a.reshape(a.size), places.reshape(places.size), out.reshape(out.size)
    result[:] = 0
    for k in range(where.size):
        result[where[k]] += flat[k]


def draw(rng, like):
    """Draw a number from 0 to 1 in the dtype of an array: a generator draws different numbers in float64 and
    float32.
    """
    return rng.random(dtype=like.dtype)


@by_types(draw)
def _draw(rng, like):
    if str(like.dtype) == "float32":
        return lambda rng, like: rng.random(dtype=np.float32)
    return lambda rng, like: rng.random(dtype=np.float64)


@exact
def dropout_mask(rng, p, out):
    """0 with probability p, else 1 / (1 - p): drawn from the generator in the order in which NumPy would."""
    flat = out.reshape(out.size)
    for k in range(flat.size):
        flat[k] = 0 if draw(rng, flat) < p else 1 / (1 - p)


# ---------------------------------------------------------------- accuracy


@exact
def count_hits(output, labels):
    """Count the rows of the output whose largest entry is at the label."""
    hits = 0
    for i in range(output.shape[0]):
        row = output[i]
        best = 0
        for k in range(1, row.size):
            if row[k] > row[best]:
                best = k
        hits += best == labels[i]
    return hits
