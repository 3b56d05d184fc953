# Exercise 09. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 9 · Fuse a chain
#
# A fast program need not compute less. It moves less data. Here you take a chain of small operations, count which of them
# reads or writes which array, keep its arrays, fuse it into one loop, and then do the same for its derivative.
#
# At each step the numbers stay the same, and the tests look at how you got them: they count the bytes that you
# allocate, and every number that you read or write.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `walks`, `bytes_moved`: what a program costs before it runs | 2 |
# | Task 2 | `chain_kept`: the chain with `out=`, without one new array | 3 |
# | Task 3 | `chain_fused`: the chain as one loop | 3 |
# | Task 4 | `gradient_fused`: forward and backward in one loop | 3 |
# | Task 5 | `pays_after`: when compiling pays | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import itertools
import math

import numba
import numpy as np

import minigrad as mg
from minigrad.guards import capabilities
from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close, outside
from minigrad_course.measure import repeat
from minigrad_course.measure.result import show_count

grading.live()

# %% [markdown]
# ## What is given
#
# The chain turns each number $x$ into a number between 0 and 1, by way of $z$ and $v$:
#
# $$z = a\,x + b \qquad v = z^2 \qquad w = \frac{v}{1 + v}$$
#
# This is the obvious way to write it. Each operation goes over whole arrays, and makes a new one.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "chain"}
def chain(x, a, b):
    z = a * x + b
    v = z * z
    return v / (1 + v)


class Watched:
    """An array that counts how often each of its entries is read and written."""

    crosses = ("__len__", "__getitem__", "__setitem__")  # what an answer may use of it
    clock = itertools.count(1)

    def __init__(self, name, numbers):
        self.name, self.numbers = name, [float(number) for number in numbers]
        self.read, self.written = [0] * len(self.numbers), [0] * len(self.numbers)
        self.moments = [0] * len(self.numbers)  # of the last time that each was read or written

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, k):
        value = self.numbers[k]
        self.read[k] += 1
        self.moments[k] = next(Watched.clock)
        return value

    def __setitem__(self, k, value):
        self.numbers[k] = value
        self.written[k] += 1
        self.moments[k] = next(Watched.clock)

    def at_once(self, out):
        """Count the entries that were read here before the one that was read first of them was written into out."""
        return max(sum(one <= read < wrote for read in self.moments) for one, wrote in zip(self.moments, out.moments))


def new_arrays(function, *arguments):
    """Count the arrays of the size of the first argument that a call allocates, with those that it throws away at once."""
    capabilities.demand("ctypes", "counting the bytes of a call")
    function(*arguments)
    with mg.measure() as m:
        function(*arguments)
    return math.ceil(max(0, m.allocated_bytes - 1000) / arguments[0].nbytes)


def check_never(calls, where):
    """No number of calls is enough."""
    if not isinstance(calls, float) or calls != math.inf:
        raise Mismatch(f"{where}: that never pays off, expected math.inf")


# %% [markdown]
# ## Task 1 · What a program costs before it runs (2 points, easy)
#
# A program is a list of steps. Each step is a pair of strings: the arrays that it reads, and those that it
# writes, a letter for each. One *walk*: one array, read or written from end to end by one step. So
# `("xy", "r")` makes three walks.
#
# - `walks(steps)` counts them.
# - `bytes_moved(steps, n, dtype)` says how many bytes go past the processor, if each array has `n` numbers.
#
# How many bytes does a number of a dtype take? NumPy knows: `np.dtype(dtype).itemsize`.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "walks"}
def walks(steps):
    """Count the walks over a whole array that the steps make together."""
    ### BEGIN SOLUTION
    return sum(len(reads) + len(writes) for reads, writes in steps)
    ### END SOLUTION


def bytes_moved(steps, n, dtype):
    """Count the bytes that are read and written, with arrays of n numbers of this dtype."""
    ### BEGIN SOLUTION
    return walks(steps) * n * np.dtype(dtype).itemsize
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_walks", "points": 2}
# Stuck? Count the letters of each step, on both sides: every one is a walk.
check_close(walks([("wxyz", "rst")]), 7, "walks of a step that reads four arrays and writes three")
check_close(walks([("x", "r"), ("r", "r"), ("r", "")]), 5, "walks of r = 2 x; r = r + 1; sum(r)")
check_close(bytes_moved([("xy", "r"), ("r", "r")], 1000, np.float64), 40000, "bytes of r = x + y; r = r + 1 in float64")
check_close(bytes_moved([("xy", "r"), ("r", "r")], 1000, np.float32), 20000, "bytes of r = x + y; r = r + 1 in float32")
### BEGIN HIDDEN TESTS
check_close(bytes_moved([("xyz", "p"), ("p", "q"), ("q", "")], 50, np.float32), 1400, "bytes of three steps in float32")
check_close(walks([]), 0, "walks of no step at all")
check_close(bytes_moved([("xy", "r")], 1000, np.int8), 3000, "bytes of r = x + y in int8")
check_close(bytes_moved([("xy", "r")], 1000, "float32"), 12000, "bytes of r = x + y, with 'float32' for np.float32")
### END HIDDEN TESTS

# %% [markdown]
# The chain above has these five steps, with arrays that Python does not name (`p` is $a\,x$, `q` is $1 + v$).
# Predict: how many walks? And how many would one loop make?

# %% tags=["raises-exception"]
five = [("x", "p"), ("p", "z"), ("z", "v"), ("v", "q"), ("vq", "w")]
print(walks(five), "walks,", f"{bytes_moved(five, 1_000_000, np.float64):,}", "bytes for a million float64")
print(walks([("x", "w")]), "walks,", f"{bytes_moved([('x', 'w')], 1_000_000, np.float32):,}", "bytes fused, in float32")

# %% [markdown]
# ## Task 2 · Keep the arrays (3 points, medium)
#
# `chain_kept(x, a, b, out, work)` writes $w$ into `out`, and may use `work`, an array of the same size, for what
# it needs in between. No other array may be made, and `x` belongs to somebody else: do not write into it.
#
# `np.multiply(x, a, out=out)` multiplies into `out`. So do `np.add`, `np.divide` and the others. Before you write:
# which of $z$, $v$ and $1 + v$ must be there at the same time?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "kept"}
def chain_kept(x, a, b, out, work):
    """Write the chain into out, with work for what is needed in between."""
    ### BEGIN SOLUTION
    np.multiply(x, a, out=out)
    np.add(out, b, out=out)
    np.multiply(out, out, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=out)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_kept", "points": 3}
# Stuck? Write one line for each operation of the chain. To the right of each, note which values are still needed below.
x = np.linspace(-2, 2, 25_000)
out, work = np.full_like(x, 7), np.full_like(x, 7)
chain_kept(x, 1.5, 0.5, out, work)
check_close(x, np.linspace(-2, 2, 25_000), "x after the call (is it still the same?)")
check_close(out, chain(np.linspace(-2, 2, 25_000), 1.5, 0.5), "out", tolerance=1e-13)
check_close(new_arrays(chain_kept, x, 1.5, 0.5, out, work), 0, "new arrays of the size of x in one call")
### BEGIN HIDDEN TESTS
x = np.linspace(0, 3, 40_000).astype(np.float32)
out, work = np.full_like(x, 7), np.full_like(x, 7)
chain_kept(x, -2.0, 0.25, out, work)
check_close(out, chain(np.linspace(0, 3, 40_000), -2.0, 0.25), "out in float32", tolerance=1e-6)
check_close(new_arrays(chain_kept, x, -2.0, 0.25, out, work), 0, "new arrays in one call, in float32")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Fuse it (3 points, easy)
#
# Not one byte is allocated any more, but `out` and `work` are read and written again and again. Write the chain as one
# loop over `k`, which does everything that one number needs while it is in a register: read `x[k]` **once**, write `out[k]`
# **once**, and read no other array.
#
# The test runs your function in Python, on arrays that count. In the cell after it numba compiles it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "fused"}
def chain_fused(x, a, b, out):
    """Write the chain into out, in one walk over x and one over out."""
    ### BEGIN SOLUTION
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        out[k] = v / (1 + v)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_fused", "points": 3}
# Stuck? Do the chain for one number, with plain variables z and v. Then put a loop around it.
x = outside(Watched("x", [-2, -0.5, 0, 1, 3]))
out = outside(Watched("out", [7, 7, 7, 7, 7]))
chain_fused(x, 1.5, 0.5, out)
check_close(out.numbers, chain(np.array([-2, -0.5, 0, 1, 3]), 1.5, 0.5), "out", tolerance=1e-13)
check_close(x.written, [0, 0, 0, 0, 0], "how often x was written")
check_close(x.read, [1, 1, 1, 1, 1], "how often x was read")
check_close(out.written, [1, 1, 1, 1, 1], "how often out was written")
check_close(out.read, [0, 0, 0, 0, 0], "how often out was read")
check_close(x.at_once(out), 1, "how many numbers of x are under way at a time")
### BEGIN HIDDEN TESTS
x = outside(Watched("x", [0.25]))
out = outside(Watched("out", [7]))
chain_fused(x, -3.0, 2.0, out)
check_close(out.numbers, [0.609756097560976], "out for a single number")
x = outside(Watched("x", []))
out = outside(Watched("out", []))
chain_fused(x, -3.0, 2.0, out)
check_close(out.numbers, [], "out for no number at all")
x, out = np.linspace(-2, 2, 1000).astype(np.float32), np.full(1000, 7, np.float32)
chain_fused(x, -0.5, 1.5, out)
check_close(out, chain(np.linspace(-2, 2, 1000), -0.5, 1.5), "out, a thousand numbers in float32", tolerance=1e-6)
x = outside(Watched("x", [2, 200]))
out = outside(Watched("out", [7, 7]))
chain_fused(x, -1.0, 2.0, out)
check_close(out.numbers, chain(np.array([2.0, 200.0]), -1.0, 2.0), "out where z is 0 and -198")
### END HIDDEN TESTS

# %% [markdown]
# How much faster is it, on this machine? (If a task before is missing, this cell says so.)

# %% tags=["raises-exception"]
x = np.linspace(-2, 2, 300_000).astype(np.float32)
out, work = np.empty_like(x), np.empty_like(x)
fast = numba.njit(chain_fused)
for name, function, arguments in [
    ("as written", chain, (x, 1.5, 0.5)),
    ("arrays kept", chain_kept, (x, 1.5, 0.5, out, work)),
    ("one loop", fast, (x, 1.5, 0.5, out)),
]:
    m = repeat(function, *arguments)
    print(f"{name:12} {m.seconds * 1e3:7.3f} ms   {show_count(m.allocated_bytes):>10} bytes")

# %% [markdown]
# ## Task 4 · Forward and backward (3 points, medium)
#
# The derivative moves data, too. An adjoint $\bar w$ comes in for each number, and $\bar x$ goes out:
#
# $$\bar v = \frac{\bar w}{(1 + v)^2} \qquad \bar z = 2\,z\,\bar v \qquad \bar x = a\,\bar z$$
#
# For that, $z$ and $v$ are needed again. A graph keeps them in arrays, from the forward pass until the backward pass. You
# need not: compute them again, while you have `x[k]`. (Computing again is often cheaper than reading from memory.)
#
# `gradient_fused(x, w_bar, a, b, x_bar)`: read `x[k]` and `w_bar[k]` once, write `x_bar[k]` once. What was in
# `x_bar` before has no meaning.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "gradient"}
def gradient_fused(x, w_bar, a, b, x_bar):
    """Write the adjoint of x into x_bar, from that of w, in one walk over each array."""
    ### BEGIN SOLUTION
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = a * 2 * z * v_bar
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_gradient", "points": 3}
# Stuck? Write z and v as in Task 3. Then the three adjoints, one line each, from w back to x.
x = outside(Watched("x", [-2, -0.5, 0, 1]))
w_bar = outside(Watched("w_bar", [1, 1, 2, -1]))
x_bar = outside(Watched("x_bar", [7, 7, 7, 7]))
gradient_fused(x, w_bar, 1.5, 0.5, x_bar)
expected = mg.vjp(lambda x: chain(x, 1.5, 0.5), np.array([-2, -0.5, 0, 1]))[1](np.array([1.0, 1.0, 2.0, -1.0]))[0]
check_close(x_bar.numbers, expected, "x_bar", tolerance=1e-13)
check_close([x.written, w_bar.written], [[0, 0, 0, 0], [0, 0, 0, 0]], "how often x and w_bar were written")
check_close([x.read, w_bar.read], [[1, 1, 1, 1], [1, 1, 1, 1]], "how often x and w_bar were read")
check_close(x_bar.written, [1, 1, 1, 1], "how often x_bar was written")
check_close(x_bar.read, [0, 0, 0, 0], "how often x_bar was read")
check_close(x.at_once(x_bar), 1, "how many numbers of x are under way at a time")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(gradient_fused, (np.ones(2), np.ones(2), 1.5, 0.5, np.ones(2)), mg), "gradient_fused")
numbers, weights = np.linspace(-3, 3, 500), np.linspace(2, -1, 500)
x_bar = np.full_like(numbers, 7)
gradient_fused(numbers, weights, -0.8, 0.3, x_bar)
expected = mg.vjp(lambda x: chain(x, -0.8, 0.3), np.linspace(-3, 3, 500))[1](np.linspace(2, -1, 500))[0]
check_close(x_bar, expected, "x_bar, 500 numbers")
x = outside(Watched("x", [2, 1]))
w_bar = outside(Watched("w_bar", [1, 1]))
x_bar = outside(Watched("x_bar", [7, 7]))
gradient_fused(x, w_bar, -1.0, 2.0, x_bar)
expected = mg.vjp(lambda x: chain(x, -1.0, 2.0), np.array([2.0, 1.0]))[1](np.array([1.0, 1.0]))[0]
check_close(x_bar.numbers, expected, "x_bar where z is 0 and 1")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · When does it pay? (2 points, medium)
#
# Compiling takes `compiling` seconds, once. A call takes `before` seconds without it, and `after` seconds with it.
#
# `pays_after(compiling, before, after)`: the smallest number of calls for which compiling is **faster in total**,
# compiling included. Equal is not faster. If it never is, return `math.inf`.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "pays"}
def pays_after(compiling, before, after):
    """The smallest number of calls for which compiling first is faster in total; math.inf if there is none."""
    ### BEGIN SOLUTION
    if after >= before:
        return math.inf
    return math.floor(compiling / (before - after)) + 1
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_pays", "points": 2}
# Stuck? Write both totals as formulas of N. For which N is the second one smaller? And what if N comes out as a whole number?
check_close(pays_after(2.0, 0.75, 0.25), 5, "2 s of compiling, 0.75 s a call before and 0.25 s after")
check_close(pays_after(1.0, 0.75, 0.125), 2, "1 s of compiling, 0.75 s a call before and 0.125 s after")
check_never(pays_after(1.0, 0.25, 0.5), "1 s of compiling, 0.25 s a call before and 0.5 s after")
### BEGIN HIDDEN TESTS
check_close(pays_after(0.5, 2.0, 1.0), 1, "0.5 s of compiling, 2 s a call before and 1 s after")
check_close(pays_after(3.0, 1.5, 1.0), 7, "3 s of compiling, 1.5 s a call before and 1 s after")
check_never(pays_after(1.0, 0.5, 0.5), "1 s of compiling, and 0.5 s a call before and after")
check_close(pays_after(2048.0, 0.75, 0.25), 4097, "2,048 s of compiling, 0.75 s a call before and 0.25 s after")
check_close(pays_after(0.0, 2.0, 1.0), 1, "no time for compiling, 2 s a call before and 1 s after")
check_close(pays_after(2.999755859375, 2.0, 1.0), 3, "nearly 3 s of compiling, 2 s a call before and 1 s after")
check_close(
    pays_after(2.0**-12, 2.0**-31, 2.0**-32), 2**20 + 1, "0.24 ms of compiling, 0.47 ns a call before and 0.23 ns after"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
