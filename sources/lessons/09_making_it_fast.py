# Lesson 09. What a reader has behind them: arrays and matrix products (07), the reverse program and the compiler's passes (08). Networks come
# later: the one at the end is a step of work to be timed, and is built in lesson 11. Its rungs are those of benchmarks/ladder.py.

# %% [markdown]
# # 9 · Making it fast: the same numbers in less time
#
# Two students wrote a network from scratch. One epoch, a pass through all the training pictures, took **about 40 minutes**. They went through
# their program again, and changed no formula. Then an epoch took **about 35 seconds**. (This is paper C, Maciejewski and Ziober, below.
# Papers A and B tell similar stories.)
#
# The mathematics was the same. So where had the other 39 minutes gone?
#
# You will find them. You take one small gradient and climb with it, rung by rung, from the slowest way of computing it to the fastest: always
# the same three numbers, always measured. Before each rung you predict what it will bring. By the end you can explain each factor, and you
# have one line of arithmetic that says when compiling pays.
#
#
# *Time: about 60 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect. Other programs running at the same time disturb the measurements: close what you can.*

# %%
from time import perf_counter

import numba
import numpy as np
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad_course.measure import Measurement, repeat
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_speed, plots

data = mg.data.for_lesson()
full = data.name == "mnist"
limits = threadpool_limits(1)  # one processor for everything, until we say otherwise
n = 4_000_000 if full else 1_000_000
print(f"The first half of this lesson makes its own data: {n:,} points.")

# %% [markdown]
# ## The job
#
# A straight line through many points. How well does the line $a\,x + b$ fit, and in which direction should $a$ and $b$ change?

# %%
rng = np.random.default_rng(0)
x = rng.standard_normal(n)
y = 2 * x + 1 + 0.7 * rng.standard_normal(n)

figure, axes = plots.canvas(6, 3.2)
axes.plot(x[:400], y[:400], ".", color=plots.SKY)
axes.plot([-3, 3], [-3, 3], color=plots.VERMILLION)
plots.label(axes, 1.2, -1.6, "our line: a = 1, b = 0", plots.VERMILLION)
axes.set(xlabel="x", ylabel="y", title=f"400 of the {n:,} points")
plots.show(
    figure,
    "A cloud of points along a steep rising line, and our flatter line through the origin, which misses most of them.",
)

# %% [markdown]
# The loss is the mean of the squared distances. You know from lesson 08 how to write its reverse program: forwards line by line, then backwards with
# [adjoints](glossary.ipynb#Adjoint).
#
# | forwards | backwards |
# |---|---|
# | $p_k = a\,x_k$ | $\bar a = \sum_k \bar r_k\, x_k$ |
# | $q_k = p_k + b$ | $\bar b = \sum_k \bar r_k$ |
# | $r_k = q_k - y_k$ | $\bar r_k = 2\,r_k / n$ |
# | $f = \frac1n\sum_k r_k^2$ | |
#
# In plain Python, a point at a time:


# %%
def line(a, b, x, y):
    """The loss of the line a x + b, and its derivatives with respect to a and b."""
    loss = a_bar = b_bar = 0.0
    for k in range(len(x)):
        r = a * x[k] + b - y[k]
        loss += r * r
        a_bar += 2 * r * x[k]
        b_bar += 2 * r
    return loss / len(x), a_bar / len(x), b_bar / len(x)


few = slice(0, 2000)
print("by hand:", line(1.0, 0.0, x[few], y[few]))
print("mg.grad:", mg.grad(lambda a, b: mg.mean((a * x[few] + b - y[few]) ** 2), (0, 1))(1.0, 0.0))

# %% [markdown]
# The derivatives are right: both come out negative, so both numbers should grow. From here on the mathematics stays as it is.
#
# ## Rung 1: Python's own numbers
#
# How long does this loop take in Python? Guess: the next cell goes over all points once. A thousandth of a second, a tenth, ten seconds?
#
# `%%measure` runs the cell, and shows seconds and bytes. `-o m` keeps the figures under the name `m`.
#
# {guess "How many seconds does this loop take in Python?": seconds | rungs["Python floats"][0].seconds}

# %%
m = None  # the last measurement
xs, ys = x.tolist(), y.tolist()  # lists of Python floats

# %%
# %%measure -o m
truth = line(1.0, 0.0, xs, ys)

# %% [markdown]
# Let us write that down, in the unit in which we will compare: nanoseconds per point. (A nanosecond is $10^{-9}$ seconds; light travels about
# 30 cm in it.)

# %%
rungs = {}


def rung(name, m, result, points=n, truth=truth):
    """Write down a measurement, and say whether the numbers are still the same."""
    rungs[name] = m, points
    error = max(abs(got / true - 1) for got, true in zip(result, truth, strict=True))
    print(f"{name}: {1e9 * m.seconds / points:.3g} ns a point")
    says("the three numbers differ by at most {:.0e}", error, when=lambda error: error < 1e-5)
    return error


_ = rung("Python floats", m, truth)

# %% [markdown]
# A point needs about ten arithmetic operations, and a processor can do several of them in a nanosecond. The rest is Python: for each `*` it
# looks up two objects, their types and the function that multiplies them, and makes a new object for the result.
#
# ## Below the first rung: a graph of single numbers
#
# It can be worse. Suppose each number is a node of a graph, as in lesson 05 (paper C calls it a `ScalarOperator`). Guess the factor before
# you run the cell. It takes only 2,000 points.


# %%
def graph_of_scalars(a, b, x, y):
    a, b, loss = mg.Variable(a), mg.Variable(b), 0.0
    for xk, yk in zip(x, y, strict=True):
        r = a * xk + b - yk
        loss = loss + r * r
    loss = loss / len(x)
    loss.backward()
    return loss.value, a.grad, b.grad


# %%
# %%measure -o m
result = graph_of_scalars(1.0, 0.0, xs[few], ys[few])

# %%
rung("a graph of single numbers", m, result, 2000, line(1.0, 0.0, xs[few], ys[few]))
factor = (m.seconds / 2000) / (rungs["Python floats"][0].seconds / n)
print(f"{factor:,.0f} times as long as Python's own numbers")

# %% [markdown]
# So that is how an epoch can take so long. A graph is a good way to *describe* a computation. As a way to *do* it, number by number, it is
# far too slow.
#
# ### Break it
#
# "NumPy is fast", somebody says, and passes NumPy arrays to the same loop, instead of lists. Faster or slower? By what factor? (100,000
# points; the two take turns.)
#
# {guess "How many times as long does it take with NumPy arrays?": times | np.median(ratios)}

# %%
some = slice(0, 100_000)


def in_turns(ways, rounds=15):
    """Seconds of each way: a row for each round, in which all take turns."""
    times = []
    for _ in range(rounds):
        times.append([])
        for way in ways:
            way()  # not timed: it fills the processor's cache with what this way needs
            start = perf_counter()
            way()
            times[-1].append(perf_counter() - start)
    return np.array(times)


def most_of(numbers, digits):
    """The middle half of them, in words: what a busy moment of the computer does not change."""
    low, high = np.percentile(numbers, [25, 75])
    return f"from {low:{digits}} to {high:{digits}} in half of the rounds"


times = in_turns([lambda: line(1.0, 0.0, xs[some], ys[some]), lambda: line(1.0, 0.0, x[some], y[some])], rounds=5)
for name, seconds in zip(("lists of floats", "NumPy arrays"), times.T, strict=True):
    print(f"{name:16} {np.median(seconds) / 1e5 * 1e9:6.0f} ns a point")
ratios = times[:, 1] / times[:, 0]
print(f"{np.median(ratios):.1f} times as long with arrays, from {ratios.min():.1f} to {ratios.max():.1f}")

# %% [markdown]
# Slower! Each `x[k]` wraps one number of the array into a new Python object. Arrays are fast when *one* Python call handles *all* numbers.
#
# ## Rung 2: whole arrays
#
# So we write each line of the reverse program once, for all points. Nine NumPy calls in all, instead of ten operations for each point. What
# do you expect? And how many bytes will be allocated, if each number of `x` takes 8 bytes?


# %%
def whole_arrays(a, b, x, y):
    r = a * x + b - y
    r_bar = 2 * r
    return np.mean(r * r), np.mean(r_bar * x), np.mean(r_bar)


# %%
# %%measure -r 7 -o m
result = whole_arrays(1.0, 0.0, x, y)

# %%
rung("NumPy, float64", m, result)
print(f"allocated: {show_count(m.allocated_bytes, per=n)} bytes a point")

# %% [markdown]
# A large factor, and it costs bytes: almost every intermediate result is a new array of 8 bytes a point. (Not quite every one: NumPy reuses
# an intermediate array when it can tell that nothing else needs it.) We will come back to them.
#
# ## Rung 3: half the bytes
#
# A `float64` takes 8 bytes and has about 16 digits, a `float32` takes 4 bytes and has about 7. Paper A's first piece of advice
# (Ankiersztajn and Tęcza, below) is *float32 throughout*; paper C agrees. What will it bring? Think of the memory that has to be read and
# written, not of the arithmetic.

# %%
x32, y32 = x.astype(np.float32), y.astype(np.float32)

# %%
# %%measure -r 7 -o m
result = whole_arrays(1.0, 0.0, x32, y32)

# %%
rung("NumPy, float32", m, result)
print(f"allocated: {show_count(m.allocated_bytes, per=n)} bytes a point")
print(f"{rungs['NumPy, float64'][0].seconds / m.seconds:.1f} times as fast as with float64")

# %% [markdown]
# Half as many bytes are half the work for the memory. (If it is more than half of the bytes: to reuse an intermediate array in `+ b`, NumPy
# must know that `b` does not change its type. It does not know that of a Python number beside a float32.) If your factor is larger than 2,
# something else contributes: a large new array comes from the operating system, page by page, and each page is cleared first. Smaller
# arrays can more often be taken from memory that the program already has.
#
# The three numbers now differ a little from those of float64. For a training step, that is more than good enough. But 7 digits are not many:

# %%
says("16,777,216 + 1 = {:,.0f}", np.float32(16_777_216) + np.float32(1), when=lambda total: total == 2**24)
counted = np.cumsum(np.full(20_000_000, 1, np.float32))[-1]
says("20,000,000 ones, one after the other: {:,.0f}", counted, when=lambda counted: counted == 2**24)
print(f"by np.sum, which adds pairs of pairs: {np.full(20_000_000, 1, np.float32).sum():,.0f}")

# %% [markdown]
# At $2^{24}$ the step to the next float32 is 2, and adding 1 changes nothing any more. So: *store* in float32, but be careful when you *add up*.
#
# ### Break it
#
# "Throughout" is the important word. What is the type of each of these? One of them ruins everything.

# %%
scalars = {"2.0": 2.0, "np.float32(2)": np.float32(2), "np.mean(y), with y in float64": np.mean(y)}
for name, scalar in scalars.items():
    print(f"x32 * {name:30} {(x32 * scalar).dtype}")

# %% [markdown]
# In NumPy, a Python number adopts the type of the array. A NumPy number has a type of its own: a single `np.float64`, from some mean computed
# somewhere, makes every array after it twice as large, and nothing tells you. Paper B (Kepiński, below) calls the remedy *type stability*.
# Look at `.dtype` when a program is slower than you expect.
#
# ## Rung 4: keep the arrays
#
# There are new arrays in each call, and they are discarded after it. Why not keep them? NumPy's functions take an `out=`: the array to write
# into. Paper A *caches* in this way, and paper C allocates the output of each layer once, when the network is built. What do you expect in
# bytes? In time?

# %%
r, p = np.empty_like(x32), np.empty_like(x32)  # made once


def kept_arrays(a, b, x, y):
    np.multiply(x, a, out=r)
    np.add(r, b, out=r)
    np.subtract(r, y, out=r)
    np.multiply(r, r, out=p)
    loss = np.mean(p)
    np.multiply(r, 2, out=r)
    np.multiply(r, x, out=p)
    return loss, np.mean(p), np.mean(r)


# %%
# %%measure -r 15 -o m
result = kept_arrays(1.0, 0.0, x32, y32)

# %%
in_float32 = rung("float32, arrays kept", m, result)
print(f"allocated: {show_count(m.allocated_bytes)} bytes")

# %% [markdown]
# No array was allocated, only single numbers, and the results are the same. The cost: you have to think about each `out=`. Which array may be overwritten, because it is not needed any more? You know this puzzle from lesson 08, with its lifetimes of buffers. There a program solved it.
# ## Which call walks over which array?
#
# Is that all we can do? Count. Each row of the next picture is one of the nine NumPy calls. A blue field: the call *reads* the whole array.
# Orange: it *writes* it. How many walks over a whole array are there? And how few would be enough, if you could start again?

# %%
steps = [
    ("r = a x", "x", "r"), ("r = r + b", "r", "r"), ("r = r − y", "ry", "r"),
    ("p = r r", "r", "p"), ("mean(p)", "p", ""), ("r = 2 r", "r", "r"),
    ("p = r x", "rx", "p"), ("mean(p)", "p", ""), ("mean(r)", "r", ""),
]  # fmt: skip
pictures_of_speed.walks(steps, "The nine NumPy calls, and which whole arrays each of them reads and writes.")

# %% [markdown]
# Seventeen walks over four arrays. But each point needs only its own $x_k$ and $y_k$: **two** walks would do, both reading, and nothing would
# be written at all. Remember the 17 and the 2.
#
# ## Rows and columns
#
# Before we reduce the number of walks, two facts about walking over memory. First, the order matters.
#
# Memory is one long row of numbers, and the processor never fetches a single one of them. It fetches a [cache
# line](glossary.ipynb#Cache-line): usually 64 bytes, 16 neighbouring float32. What if you use only one of them? The next cell adds up the
# same *number* of numbers each time, 100,000, but takes every second, every fourth, ... every 64th of a long row. Sketch the curve of the
# time.

# %%
row = rng.random(100_000 * 64, dtype=np.float32)
distances = [1, 2, 4, 8, 16, 32, 64]
times = []
for step in distances:
    picked = row[: 100_000 * step : step]
    times.append(repeat(picked.sum, repeats=15).seconds)

figure, axes = plots.canvas(7, 3.2)
axes.plot(distances, [t * 1e6 for t in times], "o-", color=plots.BLUE)
axes.axvline(16, color=plots.GREY, lw=1, ls="--")
plots.label(axes, 15, 0.8 * max(times) * 1e6, "one number in each\ncache line", plots.GREY, ha="right")
axes.set(xscale="log", xticks=distances, xticklabels=distances, ylim=0)
axes.set(xlabel="take every ...th number", ylabel="microseconds")
axes.set_title("Adding 100,000 numbers, near each other and far apart")
plots.show(
    figure,
    f"The time grows with the distance: every 64th number takes {times[-1] / times[0]:.0f} times as long as "
    "neighbours, though no more is added.",
)

# %% [markdown]
# The same number of additions, and the time grows with the distance. Up to 16 the reason is the cache line: more and more of each line is
# fetched for nothing. Beyond that each number has a line of its own, and the time grows still, for other reasons: the row no longer fits
# into the caches, and the processor has to look up where more and more pages of memory lie. A matrix is such a row: NumPy stores it row
# after row. Along a row the neighbours are next to each other; down a column each step jumps over a whole row.
#
# Paper C put its loops into the order of memory. Here are two loops that do the same work. Which is the slow one, and by what factor?
#
# {guess "By what factor is the slow one slower?": times | by_columns}


# %%
@numba.njit
def along_rows(A, out):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            out[i, j] = 2 * A[i, j] + 1


@numba.njit
def down_columns(A, out):
    for j in range(A.shape[1]):
        for i in range(A.shape[0]):
            out[i, j] = 2 * A[i, j] + 1


A = rng.random((2000, 2000), dtype=np.float32)
out = np.empty_like(A)
times = in_turns([lambda: along_rows(A, out), lambda: down_columns(A, out)], rounds=9)
for name, seconds in zip(("along rows", "down columns"), 1e3 * times.T, strict=True):
    print(f"{name:13} {np.median(seconds):6.2f} ms   from {seconds.min():.2f} to {seconds.max():.2f}")
ratios = times[:, 1] / times[:, 0]
by_columns = np.median(ratios)
print(f"down columns takes {by_columns:.1f} times as long, from {ratios.min():.1f} to {ratios.max():.1f}")

# %% [markdown]
# (`numba.njit` turns a Python function into machine code. We will come to it in a moment; here it excludes Python's own overhead.)
#
# Julia and Fortran store matrices column by column. So in papers A to C the good order of the loops is the other one.
#
# ## Views and copies
#
# The second fact: not everything that looks like a new array is one. Which of these five allocate? Write down yes or no, five times.

# %%
B = rng.random((1000, 1000), dtype=np.float32)
order = rng.permutation(1000)
kinds = {
    "B[:500]": lambda: B[:500],
    "B[::2, 10:20]": lambda: B[::2, 10:20],
    "B.T.reshape(-1)": lambda: B.T.reshape(-1),
    "B.T": lambda: B.T,
    "B[order[:500]]": lambda: B[order[:500]],
}
for name, make in kinds.items():
    with mg.measure() as m:
        made = make()
    kind = "view" if np.shares_memory(made, B) else "copy"
    print(f"{name:16} {kind}   {show_count(m.allocated_bytes):>9} bytes")
    assert kind == ("copy" if name in ("B.T.reshape(-1)", "B[order[:500]]") else "view")

# %% [markdown]
# A [view](glossary.ipynb#View) is another way to look at the same numbers: where to begin, how far to step. A **copy** has numbers of its own. Slices and transposes are views; picking rows by a list of their indices, as for a shuffled batch, makes a copy; `reshape` copies only if it must. (Julia copies slices unless you write `@views`. Paper B counts that among its gains.)
#
# ### Break it
#
# A view is fast because it shares its numbers. What does the next cell print?

# %%
first_row = B[0]
first_row *= 0  # "I need a zeroed row to work in"
says("sum of B's first row: {}", B[0].sum(), when=lambda total: total == 0)

# %% [markdown]
# The data is gone, and there was no warning. Share what you read; copy what you will write.
#
# ## Rung 5: machine code
#
# Back to our line. The loop from rung 1 was good, except that Python ran it. [numba](https://numba.pydata.org) takes the same function, looks
# at the types of its arguments, and compiles it when it is first called ([just in time](glossary.ipynb#Just-in-time-compilation)). There is
# no intermediate array, and there are two walks. Could anything be better? Guess: how long will it take, compared with rung 4?

# %%
compiled_line = numba.njit(nogil=True)(line)

# %%
# %%measure -r 15 -o m
result = compiled_line(1.0, 0.0, x32, y32)

# %%
assert rung("numba, the loop as it is", m, result) < in_float32
print(f"{rungs['Python floats'][0].seconds / m.seconds:.0f} times as fast as the same function in Python")
print(
    f"{rungs['float32, arrays kept'][0].seconds / m.seconds:.2f} times as fast as NumPy with arrays kept, for 2 walks instead of 17"
)
print("compiled for", ", ".join(map(str, compiled_line.nopython_signatures[0].args)))
print("the result: ", compiled_line.nopython_signatures[0].return_type)

# %% [markdown]
# Compiling brings a large factor over Python. Compare the other factor with $17 / 2$: is it as much as you expected? If not, something else
# is in the way; that is rung 6.
#
# The last lines say something about types. In numba a Python number is a `float64`, and `float32` with `float64` gives `float64`: NumPy's
# rule from above is not numba's. So this loop *reads* float32, and *computes* and adds up in float64. That is why the three numbers are
# closer to the truth than in rung 4. And there is a new column in the measurement: *compiling*. We will come to that as well.
#
# ### Break it
#
# Machine code does what you wrote, and does not check it. Which number is `x[len(x)]`? Python raises an error. numba leaves that check out (Julia does so if you write `@inbounds`), and reads whatever happens to lie behind the array. We switch the check on:


# %%
@numba.njit(boundscheck=True)
def one_too_far(x):
    total = 0.0
    for k in range(len(x) + 1):
        total += x[k]
    return total


# %% tags=["raises-exception"]
one_too_far(x32)

# %% [markdown]
# Without `boundscheck=True` there is usually no error, and one wrong number in the sum. Switch it on whenever you are not sure of a loop.
#
# ## Rung 6: permission to add in another order
#
# Look at `loss += r * r`. Each addition needs the result of the one before it, and an addition takes several clock cycles of the processor.
# So it waits most of the time. It could keep several sums at once, say one for each remainder of the index modulo 16, and add these up at the
# end. Processors are built for that: one instruction works on several numbers side by side, on four or eight float64, for instance.
#
# But $(u + v) + w$ and $u + (v + w)$ are not the same number in a computer. The compiler may not decide that for you. But you may:

# %%
big, small = np.float32(1e8), np.float32(1)
print("(big - big) + small =", (big - big) + small)
print("(small + big) - big =", (small + big) - big)

# %%
free = {"reassoc", "contract"}  # additions in another order; a product and a sum as one instruction
free_line = numba.njit(nogil=True, fastmath=free)(line)

# %%
# %%measure -r 15 -o m
result = free_line(1.0, 0.0, x32, y32)

# %%
_ = rung("numba, one loop: fused", m, result)

# %% [markdown]
# Compare the three numbers with the truth: the other order of adding does not make them worse. (In float64 there are digits to spare. With
# float32 sums it would even help: several short sums lose less than one long one, and `np.sum` makes use of that.)
#
# ## Fusion: what is it worth?
#
# How much of that is machine code, and how much is *two walks instead of 17*? We can find out by taking the second away: the same compiler, the same permission, but a loop for each operation, as in NumPy:


# %%
@numba.njit(nogil=True, fastmath=free)
def a_loop_for_each(a, b, x, y, r, p):
    loss = a_bar = b_bar = 0.0
    for k in range(len(x)):
        r[k] = a * x[k]
    for k in range(len(x)):
        r[k] = r[k] + b
    for k in range(len(x)):
        r[k] = r[k] - y[k]
    for k in range(len(x)):
        p[k] = r[k] * r[k]
    for k in range(len(x)):
        loss += p[k]
    for k in range(len(x)):
        r[k] = 2 * r[k]
    for k in range(len(x)):
        p[k] = r[k] * x[k]
    for k in range(len(x)):
        a_bar += p[k]
    for k in range(len(x)):
        b_bar += r[k]
    return loss / len(x), a_bar / len(x), b_bar / len(x)


# %%
# %%measure -r 15 -o m
result = a_loop_for_each(1.0, 0.0, x32, y32, r, p)

# %%
rung("numba, a loop for each operation", m, result)
fused = rungs["numba, one loop: fused"][0]
times = in_turns([lambda: a_loop_for_each(1.0, 0.0, x32, y32, r, p), lambda: free_line(1.0, 0.0, x32, y32)])
ratios = times[:, 0] / times[:, 1]
print(f"expected, from 17 walks against 2: {17 / 2:.1f} times as long as one loop")
print(f"measured, in turns:                {np.median(ratios):.1f} times, {most_of(ratios, '.1f')}")

# %% [markdown]
# [Fusion](glossary.ipynb#Fuse) is the name for putting elementwise loops over the same shape into one. It is what Julia's dots do (`@. r =
# a*x + b - y`), paper A's third point, and it is what the pass `fuse` did in lesson 08. The arithmetic is the same. It saves walks, and
# intermediate arrays. (The prediction need not be exact: walks over an array that has just been written are cheaper, if it still lies in
# the processor's cache.)
#
# How do you know when to stop? Ask what the machine can do at best. This job must at least *read* two arrays, so compare it with a loop that
# reads them and does as little else as possible, compiled with the same permission:


# %%
@numba.njit(nogil=True, fastmath=free)
def only_read(x, y):
    total = np.float32(0)
    for k in range(len(x)):
        total += x[k] + y[k]
    return total


times = in_turns([lambda: only_read(x32, y32), lambda: free_line(1.0, 0.0, x32, y32)])
for name, seconds in zip(("only reading x and y", "our fused loop"), times.T, strict=True):
    speeds = 2 * x32.nbytes / seconds / 1e9
    print(f"{name:21} {np.median(speeds):5.0f} GB/s   {most_of(speeds, '.0f')}")
share = np.median(times[:, 0] / times[:, 1])
print(f"reading alone takes {100 * share:.0f} % of the time of our loop")

# %% [markdown]
# Where that share is near 100 %, no better arithmetic will help any more: then only smaller numbers help, fewer points, or more processors.
# Where it is small, the loop is limited by its arithmetic. (Small arrays stay in the processor's cache, which is much faster than the memory:
# with more points the share is larger.)
# ## Two threads: shards
#
# More processors, then. Split the points into two [shards](glossary.ipynb#Shard), give each a thread, and add up the results: a sum of sums. `nogil=True` above means that the compiled code lets go of Python's lock, so that two threads can run at the same time. With two processors: how much faster?
#
# {guess "How many times as fast are two threads?": times | np.median(ratios)}

# %%
from minigrad.compiler.training import processors, run_together

halves = [slice(0, n // 2), slice(n // 2, n)]
parts = [None, None]


def work(k):
    parts[k] = free_line(1.0, 0.0, x32[halves[k]], y32[halves[k]])


def sharded():
    run_together(work, 2)
    return [(first + second) / 2 for first, second in zip(*parts, strict=True)]


m = repeat(sharded, repeats=15)
rung("two shards on two threads", m, sharded())
ways = [lambda: free_line(1.0, 0.0, x32, y32), sharded, lambda: run_together(lambda k: None, 2)]
times = in_turns(ways)
ratios = times[:, 0] / times[:, 1]
print(f"processors here: {processors()}")
print(f"two threads are {np.median(ratios):.2f} times as fast as one, {most_of(ratios, '.2f')}")
for name, seconds in zip(("one thread", "two threads", "two that do nothing"), 1e6 * times.T, strict=True):
    print(f"{name:20} {np.median(seconds):6.0f} µs   from {seconds.min():.0f} to {seconds.max():.0f}")

# %% [markdown]
# Is it less than 2, or even less than 1? Starting threads takes time, as the last line shows, and both halves share one connection to the
# memory. The faster one thread is, the less there is to gain. Whether sharding pays off depends on how much work each shard has. At the end
# of the full-size version they are applied to a training step.
#
# The results are added in a fixed order, first shard plus second. So the same run gives the same digits again, whichever thread finished first.
#
# ## The whole ladder
#
# Here is the whole ladder. The rungs were measured minutes apart, and the computer may have been busy with something else in between. So
# the fast ones are measured once more, now in turns. Each bar on the left runs from the rung above to this one: its length is the factor
# that was gained. (The scale is logarithmic: equal lengths are equal factors. Bytes are those of NumPy's arrays; Python's own objects are
# not counted.) The two side branches, a loop for each operation and two shards, stand below it.


# %%
again = {
    "NumPy, float64": lambda: whole_arrays(1.0, 0.0, x, y),
    "NumPy, float32": lambda: whole_arrays(1.0, 0.0, x32, y32),
    "float32, arrays kept": lambda: kept_arrays(1.0, 0.0, x32, y32),
    "numba, the loop as it is": lambda: compiled_line(1.0, 0.0, x32, y32),
    "numba, one loop: fused": lambda: free_line(1.0, 0.0, x32, y32),
    "numba, a loop for each operation": lambda: a_loop_for_each(1.0, 0.0, x32, y32, r, p),
    "two shards on two threads": sharded,
}
for name, seconds in zip(again, in_turns(again.values()).T, strict=True):
    rungs[name][0].seconds = float(np.median(seconds))


def slowness(name):
    m, points = rungs[name]
    return m.seconds / points


beside = ["numba, a loop for each operation", "two shards on two threads"]
climb = {name: rungs[name] for name in sorted(rungs.keys() - beside, key=slowness, reverse=True)}
pictures_of_speed.ladder(climb, "a point", "The ladder, from the slowest way down to the fastest.")
for name in beside:
    print(f"{name}: {slowness(name) / slowness('numba, one loop: fused'):.2f} times as long as one fused loop")

# %% [markdown]
# Which step was the largest? Which one took the most thought? And which of them could a compiler do for you?
#
# ## What compiling costs
#
# The orange bars are the cost. Machine code has to be made first, on the first call with each new type of arguments. Meanwhile the slower ways are already running.
#
# So when does it pay? With $c$ seconds of compiling, and $s$ and $t$ seconds for a call before and after:
#
# $$c + N\,t < N\,s \qquad\Longleftrightarrow\qquad N > \frac{c}{s - t}$$
#
# That is all. Before you run the cell: after how many calls over all points does numba overtake Python's own loop? After how many does it
# overtake NumPy?

# %%
before = {name: rungs[name][0].seconds for name in ("Python floats", "NumPy, float64", "float32, arrays kept")}
cost, after = fused.compile_seconds, fused.seconds
for name, seconds in before.items():
    call = f"at call {int(cost / (seconds - after)) + 1:,}" if seconds > after else "never, here"
    print(f"fused numba overtakes {name:22} {call}")

# %%
calls = np.logspace(0, 5, 200)
figure, axes = plots.canvas(8.5, 3.8)
for (name, seconds), colour in zip(before.items(), (plots.PURPLE, plots.GREEN, plots.BLUE), strict=True):
    axes.loglog(calls, seconds * calls, color=colour)
    plots.label(axes, 1.2e5, seconds * 1e5, name, plots.INK.get(colour, colour), va="center")
axes.loglog(calls, cost + after * calls, color=plots.VERMILLION)
plots.label(axes, 1.2e5, cost + after * 1e5, "numba, fused", plots.VERMILLION, va="center")
axes.set(xlabel="calls", ylabel="seconds in all", title="When compiling pays", xlim=(0.7, 1e7), xticks=[1, 100, 10_000])
plots.show(
    figure,
    "Three rising lines, one for each way without compiling, and the line of numba, which starts flat, at the "
    "seconds of compiling, and crosses the others one by one.",
)

# %% [markdown]
# A training step is called thousands of times, so it pays. For a function that is called once it does not. And if the machine code is **kept
# on disk**, $c$ is much smaller from the second time on.
#
# There is a similar effect for small data. With 10 points per call, what matters is not memory but the *call*. Guess which of the three ways
# suffers most:

# %%
sizes = [10, 100, 1000, 10_000, 100_000]
ways = {
    "NumPy, float64": lambda k: whole_arrays(1.0, 0.0, x[:k], y[:k]),
    "Python floats": lambda k: line(1.0, 0.0, xs[:k], ys[:k]),
    "numba, fused": lambda k: free_line(1.0, 0.0, x32[:k], y32[:k]),
}
small = {}
for name, way in ways.items():
    small[name] = [repeat(way, k, repeats=5, bytes=None).seconds / k for k in sizes]
order_of_ten = sorted(small, key=lambda name: small[name][0])

figure, axes = plots.canvas(7.5, 3.6)
for (name, per_point), colour in zip(small.items(), (plots.GREEN, plots.PURPLE, plots.VERMILLION), strict=True):
    axes.loglog(sizes, [1e9 * t for t in per_point], "o-", color=colour)
    plots.label(axes, sizes[-1], 1.5e9 * per_point[-1], name, plots.INK.get(colour, colour), ha="right")
axes.set(xlabel="points in a call", ylabel="nanoseconds a point", title="Small calls are expensive")
plots.show(
    figure,
    "The time per point falls as calls get larger, wherever the call itself is what costs. For ten points, from the fastest to the slowest: "
    f"{'; '.join(order_of_ten)}.",
)

# %% [markdown]
# **Play.** How many points are in a call, and how many seconds does compiling take? Where is the crossing? (If you see no sliders, run the cell in JupyterLab. The pictures above say the same.)

# %%
import ipywidgets


def crossing(points, compiling):
    at = sizes.index(points)
    s, t = (small[name][at] * points for name in ("NumPy, float64", "numba, fused"))
    calls = np.logspace(0, 8, 200)
    figure, axes = plots.canvas(7, 3)
    axes.loglog(calls, s * calls, color=plots.GREEN)
    axes.loglog(calls, compiling + t * calls, color=plots.VERMILLION)
    axes.set(xlabel="calls", ylabel="seconds in all", ylim=(1e-6, 1e6))
    pays = f"pays from call {int(compiling / (s - t)) + 1:,}" if s > t else "never pays"
    plots.show(figure, f"{points:,} points a call, {compiling:.1f} s of compiling: it {pays}.")


ipywidgets.interactive(
    crossing,
    points=ipywidgets.SelectionSlider(options=sizes, value=1000),
    compiling=ipywidgets.FloatLogSlider(0.3, base=10, min=-2, max=2, step=0.25),
)

# %% [markdown]
# ## Another kind of rung: numbers that stay in registers
#
# Up to here each number was used once, and memory decided. A product of two matrices is different: each number is used again and again. Of
# two matrices with $n$ rows and columns, $2n^2$ numbers take part in $2n^3$ operations. So the processor need not wait for memory. How fast
# can it be?
#
# First the loops as one would write them, along the rows of `b` and `out`, because that is the order of memory. The unit is a billion
# operations a second, GFLOP/s.


# %%
@numba.njit(fastmath={"contract"}, error_model="numpy")
def three_loops(a, b, out):
    out[:] = 0
    for i in range(a.shape[0]):
        for p in range(a.shape[1]):
            for j in range(b.shape[1]):
                out[i, j] += a[i, p] * b[p, j]


A, W = rng.random((240, 256), dtype=np.float32), rng.random((256, 32), dtype=np.float32)
product = np.empty((240, 32), np.float32)
ways = {
    "three loops": lambda: three_loops(A, W, product),
    "NumPy's matrix product": lambda: np.matmul(A, W, out=product),
}
operations = 2 * A.shape[0] * A.shape[1] * W.shape[1]
for way in ways.values():
    way()
    assert np.allclose(product, A @ W)
by_way = dict(zip(ways, operations / np.median(in_turns(ways.values()), axis=0) / 1e9, strict=True))
for name, rate in by_way.items():
    print(f"{name:24} {rate:6.1f} GFLOP/s")

# %% [markdown]
# The inner loop is machine code, it works on many numbers at a time, and it walks in the right direction. Why is it so far behind? Count what
# one multiply-add needs. A piece of `b` is loaded, a piece of `out` is loaded, and the sum is stored again: three trips to memory for one
# operation. And a trip to the nearest cache is a trip.
#
# A processor has a few places that are nearer than any cache: its **registers**. Each holds a vector of numbers, and there are 16 or 32 of
# them. So let a small **tile** of the result live there until it is finished:

# %%
pictures_of_speed.tile(4, 2)

# %% [markdown]
# Each number of `a` meets each vector of `b`. With $r$ rows and $c$ vectors there are $r + c$ loads for $r \cdot c$ multiply-adds, and nothing is
# stored before the end. There is a second gain. A multiply-add takes a few cycles, but the next can begin right away, if it does not wait for
# the result of the first. The sums in a tile do not depend on each other: the more there are, the less the processor waits.
#
# Both predict that large tiles are faster, as long as the registers suffice. minigrad's compiled programs multiply in this way.
# `products.matmul` takes as many rows at a time as the registers hold; here we hand it fewer. Sketch the curve before you run the cell: one
# row, two rows, up to the largest tile.

# %%
from functools import partial

from minigrad.native import products
from minigrad.native.tile import lanes_of, most_rows


@numba.njit
def in_tiles(a, b, out, rows):
    for i in range(0, a.shape[0], rows):
        products.matmul(np.float32(1), a[i : i + rows], b, out[i : i + rows])


heights, lanes = range(1, most_rows() + 1), lanes_of(np.float32)
rates = {}
for vectors in (1, 2):
    b = rng.random((A.shape[1], vectors * lanes), dtype=np.float32)
    tiles = [np.empty((A.shape[0] // rows * rows, b.shape[1]), np.float32) for rows in heights]
    ways = [partial(in_tiles, A[: len(out)], b, out, rows) for rows, out in zip(heights, tiles, strict=True)]
    seconds = np.median(in_turns(ways), axis=0)
    assert all(np.allclose(out, (A @ b)[: len(out)]) for out in tiles)
    rates[vectors] = [2 * out.size * A.shape[1] / s / 1e9 for out, s in zip(tiles, seconds, strict=True)]

best = max(rates[2])
figure, axes = plots.canvas(7.5, 3.6)
for vectors, colour, at, va in ((1, plots.GREEN, 1, "top"), (2, plots.VERMILLION, -1, "bottom")):
    axes.plot(heights, rates[vectors], "o-", color=colour)
    name = f"{vectors} vector{'s' * (vectors > 1)} in a row"
    plots.label(axes, heights[at] + 0.15, rates[vectors][at], name, plots.INK.get(colour, colour), va=va)
for name, colour in (("three loops", plots.PURPLE), ("NumPy's matrix product", plots.BLUE)):
    axes.axhline(by_way[name], color=colour, ls="--", lw=1)
    plots.label(axes, heights[-1] + 2.1, by_way[name], name, plots.INK.get(colour, colour), va="top", ha="right")
axes.set(xlabel="rows in a tile", ylabel="GFLOP/s", ylim=0, xlim=(0.8, heights[-1] + 2.2), xticks=heights)
axes.set_title("The same product by the size of its tiles")
plots.show(
    figure,
    f"A tile of one row and one vector reaches {rates[1][0]:.0f} GFLOP/s, the best of two vectors {best:.0f}: "
    f"{best / rates[1][0]:.1f} times as many, and {best / by_way['three loops']:.1f} times those of the three loops.",
)

# %% [markdown]
# Where a curve lies flat, more rows bring nothing: the loads are no longer what the processor waits for. The library behind NumPy also
# multiplies in tiles. The convolutions of lesson 13, once compiled, keep tiles in registers as well, and never write down the matrix of the
# pixels that a filter meets.
#
# Where is that loop? Numba's optimizer decides which numbers stay in registers. So this one loop is written in the optimizer's own
# language, in [minigrad/native/tile.py](../minigrad/native/tile.py); its first paragraph is the picture above.

# %% [markdown]
# ## Nobody wants to write that by hand
#
# You have now done for three lines of algebra what you do not want to do for a network: choose types, keep arrays, fuse loops, split into
# shards. Lesson 08's compiler does it. Let us climb once more, with a real job: **one training step of the network of papers A and B**. You
# will build it in lesson 11. For now it is a black box: 100 pictures go in, a loss comes out, and all weights change a little.
#
# The rungs are those of the course's own benchmark:

# %%
from benchmarks import ladder, workloads
from benchmarks.engines.minigrad import Engine

network = workloads.rnn()
weights = network.first_weights()
arrays = {"train_x": data.train_x, "train_y": data.train_y}
print(f"{sum(w.size for w in weights.values()):,} weights; {network.flop:,} operations in a step's products")
for name, _ in ladder.rungs():
    print("rung:", name)

# %% [markdown]
# *Interpreted*: each step records a new graph, goes back through it, and discards it. *Built once*: the graph stays, with its arrays, and is run again (paper A's last gain: "around 10x", and 20 GiB less).
# *Compiled*: it becomes the program of lesson 08, with some of its passes or with all. Each program takes seconds to compile, so the small size has only the last one; the full size has them all, and two shards.
#
# Predict: which step is larger here, *anew* to *built once*, or *built once* to *compiled*? And what will the column of bytes look like?
#
# First the rungs without compiling:

# %%
batch, batches = network.batch, len(data.train_x) // network.batch
rows = np.arange(batch * batches)
steps, losses = {}, {}
for name, mode in ladder.rungs():
    if not mode.startswith("compiled"):
        engine = Engine(network, weights, arrays, mode, threads=1)
        losses[name] = engine.epoch(rows)
        steps[name] = repeat(engine.epoch, rows, repeats=5), batches

# %% [markdown]
# Then the compiled ones. How long the compiler takes depends on what *your* machine has kept on disk from earlier runs. So each program is compiled in an empty folder, in a process of its own. A second process
# then finds what the first one left, as you will tomorrow. (`Worker` is how the benchmark does it.)

# %%
import tempfile
from pathlib import Path

from benchmarks.field import Worker

ready = {}
chosen = [("compiled, all passes", "compiled")]
if full:
    chosen = [rung for rung in ladder.rungs() if rung[1].startswith("compiled")]
    chosen += [("compiled, two shards", "compiled 2")]
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    workloads.save_data(arrays, folder)
    np.save(folder / "orders.npy", rows[None])
    for name, mode in chosen:
        task = {"engine": "minigrad", "mode": mode, "network": "rnn", "sizes": {}}
        task["threads"] = 2 if mode == "compiled 2" else 1
        with Worker(folder, folder / "cache", task, {}) as today:
            first = today.ask("start", steps=batches)["seconds"]
        with Worker(folder, folder / "cache", task, {}) as tomorrow:
            ready[name] = first, tomorrow.ask("start", steps=batches)["seconds"]
            runs = [tomorrow.ask("train", round=0, steps=batches) for _ in range(5)]
            size = batches * tomorrow.ask("count_arrays", steps=batches // 2)["bytes_per_step"]
        losses[name] = np.array(runs[0]["losses"])
        median = np.median([run["seconds"] for run in runs])
        steps[name] = Measurement(median, first, size, method="the same"), batches
print("getting ready: {:.2f} s today, {:.2f} s tomorrow".format(*ready["compiled, all passes"]))

# %%
pictures_of_speed.ladder(steps, "a step", "The ladder of a training step; compiled today, in an empty folder.")

# %% [markdown]
# Is it the same training? The first and the last loss of each rung, from the same weights, and the largest difference from the first rung:

# %%
reference = next(iter(losses.values()))
for name, values in losses.items():
    figures = name, values[0], values[-1], np.abs(values - reference).max()
    says("{:46} {:.5f} {:.5f}   differs by {:.0e}", *figures, when=lambda *figures: figures[-1] < 1e-4)

# %% [markdown]
# The same, up to the rounding of float32.
#
# Now the same question for a real case. The papers train for 3,000 steps. Is compiling worth it? Guess, then read along a row.

# %%
from IPython.display import Markdown

anew, once = "interpreted, float32", "graph built once, run again in its own arrays"
compiled = "compiled, all passes"
each = {name: steps[name][0].seconds / batches for name in (anew, once, compiled)}
text = "| steps | graph anew | graph built once | compiled today | compiled tomorrow |\n"
text += "|---|---|---|---|---|\n"
for count in (300, 3000, 30_000, 300_000):
    totals = [count * each[anew], count * each[once], *(c + count * each[compiled] for c in ready[compiled])]
    text += f"| {count:,} | " + " | ".join(f"{total:.1f} s" for total in totals) + " |\n"
for name, seconds in (("built anew", each[anew]), ("built once", each[once])):
    calls = [f"{c / (seconds - each[compiled]):,.0f}" if seconds > each[compiled] else "never" for c in ready[compiled]]
    text += f"\nThe compiled program overtakes a graph {name} after {calls[0]} steps today, {calls[1]} tomorrow.\n"
Markdown(text)

# %% [markdown]
# Building the graph once costs no more than building it anew, and saves time from the second step on. Compiling is an investment: the last
# lines say after how many steps it has paid off *on your machine*. For a single short training the graph that is built once may well win. (A
# report that has only "seconds per step" hides this choice. Lesson 15 shows both.)
#
# ## Beside the papers
#
# What each paper says it gained, and what the same change brought here. (Theirs is Julia, on other machines, with other programs around it: only the kind of gain can be compared, not the figure.)


# %%
def gain(ladder, slower, faster):
    (s, of_s), (f, of_f) = ladder[slower], ladder[faster]
    return f"{(s.seconds / of_s) / (f.seconds / of_f):.1f}×"


one_loop, in_pieces = "numba, one loop: fused", "numba, a loop for each operation"
table = [
    ("float32", "A, C", "first in the list (A)", gain(rungs, "NumPy, float64", "NumPy, float32")),
    ("arrays kept", "A, C", "second (A)", gain(rungs, "NumPy, float32", "float32, arrays kept")),
    ("fusion", "A", "third", gain(rungs, in_pieces, one_loop)),
    ("memory order", "C", "pays once the types are strong", f"{by_columns:.1f}×"),
    ("machine code", "B", "first in its chapter", gain(rungs, "Python floats", "numba, the loop as it is")),
    ("graph built once", "A", "around 10×", gain(steps, anew, once)),
    ("compiled", "", "", gain(steps, once, compiled)),
]
lines = [f"| {' | '.join(row)} |" for row in table]
Markdown("\n".join(["| what | paper | they say | here |", "|---|---|---|---|", *lines]))

# %% [markdown]
# Paper B's list goes on, and each entry has a counterpart that you have met: type stability (one `float64` among `float32`), `@views` (slices), `@inbounds` (numba's default), `@time` and `@btime`
# (`%%measure` and `-r`).
#
# Run the lesson a second time. Which digits of the factors stay the same, and which were noise? Lesson 15 comes back to that question.
#
# ## In five lines
#
# 1. Python's own work for each number is the largest cost of all: let one call handle many numbers, or compile the loop.
# 2. Then memory decides: smaller types, neighbours rather than strides, views rather than copies, arrays that are kept.
# 3. Count the walks over memory. A fused loop does everything for a point at once; the arithmetic stays, walks and intermediate arrays go.
# 4. Compiling pays after $c/(s-t)$ calls. With the machine code on disk, $c$ is much smaller from the second time on.
# 5. Build once, run often: a graph, its arrays, its machine code. And check at each rung that the numbers are still the same.
#
# ## The source
#
# - [minigrad/compiler/schedule.py](../minigrad/compiler/schedule.py): fusion, as a pass over equations. [memory.py](../minigrad/compiler/memory.py) beside it: which arrays may share.
# - [minigrad/native/tile.py](../minigrad/native/tile.py): the tile, and [products.py](../minigrad/native/products.py): products made of tiles.
# - [minigrad/native/jit.py](../minigrad/native/jit.py): numba, loaded when it is needed, and its machine code kept on disk. [minigrad/compiler/training.py](../minigrad/compiler/training.py): threads.
# - [minigrad_course/measure](../minigrad_course/measure/__init__.py): how bytes are counted while the clock runs.
# - [benchmarks/ladder.py](../benchmarks/ladder.py): the second ladder, for all three networks of the papers, pass by pass. [docs/compiler.md](../docs/compiler.md): all passes.
#
# ## The papers
#
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*, section VI: the list above.
# - B: Kepiński, *Reverse-mode automatic differentiation in Julia*, section V: just-in-time compiling, type stability, views, bounds checks.
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*, section V: from 40 minutes to 35 seconds.
# - U. Drepper, *What every programmer should know about memory* (2007): cache lines, and their consequences.
# - S. Williams, A. Waterman, D. Patterson, *Roofline* (2009): how to know when to stop.
#
# ## Your turn
#
# Exercise: [exercises/09_making_it_fast](../exercises/09_making_it_fast/09_making_it_fast.ipynb). You fuse a chain: the same numbers, fewer walks over memory, and no array allocated.
# **Next: [10 · A first network](10_first_network.ipynb).** Thanks to compiled programs, the networks there train in seconds.
