# Lesson 09. What a reader has behind them: arrays and matrix products (07), the reverse program and the compiler's passes (08). What is nearer
# to the machine, and a whole training step, is in 09b.

# %% [markdown]
# # 9 · Making it fast: the same numbers in less time
#
# Two students wrote a network from scratch. One epoch, a pass through all the training pictures, took **about 40 minutes**. They went through
# their program again, and changed no formula. Then an epoch took **about 35 seconds**. (This is paper C, Maciejewski and Ziober, below.)
#
# The mathematics was the same. So where can 39 minutes go?
#
# You take one small gradient and climb with it, rung by rung, from the slowest way of computing it to the fastest: always the same three numbers,
# always measured. By the end you can explain each factor, and you have one line of arithmetic that says when compiling pays.
#
# *Time: about 40 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect. Other programs running at the same time disturb the measurements: close what you can.*

# %%
import numba
import numpy as np
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad_course.measure import in_turns, repeat
from minigrad_course.measure.result import show_count, show_seconds
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_speed, plots

full = mg.data.for_lesson().name == "mnist"
limits = threadpool_limits(1)  # one processor for everything
n = 4_000_000 if full else 1_000_000
print(f"This lesson makes its own data: {n:,} points.")

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
# The loss is the mean of the squared distances. Its reverse program, as in lesson 08, has the lines forwards, read downwards, and the lines
# for the [adjoints](glossary.ipynb#Adjoint), read upwards:
#
# | forwards ↓ | backwards ↑ |
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
by_mg = mg.grad(lambda a, b: mg.mean((a * x[few] + b - y[few]) ** 2), (0, 1))(1.0, 0.0)
print("by hand:          {1:.6f} {2:.6f}, at a loss of {0:.6f}".format(*line(1.0, 0.0, x[few], y[few])))
print("mg.grad: {:>17.6f} {:.6f}".format(*by_mg))

# %% [markdown]
# The derivatives are right. Both are negative, so $a$ and $b$ should grow. From here on the mathematics stays as it is.
#
# ## Rung 1: Python's own numbers
#
# The unit in which we compare is a nanosecond per point. (A nanosecond is $10^{-9}$ seconds; light travels about 30 cm in it.) How many does this
# loop take in Python? A point needs about ten arithmetic operations, and a processor can do several of them in a nanosecond.

# %%
rungs = {}
xs, ys = x.tolist(), y.tolist()  # lists of Python floats
truth = line(1.0, 0.0, xs, ys)


def rung(name, way, x, y, truth=truth, repeats=15):
    """Measure a way of computing the three numbers, and say whether they are still the same."""
    m = repeat(way, 1.0, 0.0, x, y, repeats=repeats, warmup=min(1, repeats - 1))
    rungs[name] = m, len(x)
    each = 1e9 * m.seconds / len(x)
    size = show_count(m.allocated_bytes, per=len(x))
    print(
        f"{name}: {show_seconds(m.seconds)}, {each:,.{0 if each >= 10 else 2}f} ns and {size} bytes of arrays a point"
    )
    if way is not line:
        error = max(abs(got / true - 1) for got, true in zip(way(1.0, 0.0, x, y), truth, strict=True))
        says("the three numbers are off by {:.0e} at most", error, when=lambda error: error < 1e-5)


rung("Python floats", line, xs, ys, repeats=1)

# %% [markdown]
# Hardly any of that is arithmetic. For each `*` Python looks up two objects, their types and the function that multiplies them, and makes a new
# object for the result.
#
# ## Below the first rung: a graph of single numbers
#
# It can be worse. Suppose each number is a node of a graph, as in lesson 05. Paper C calls it a `ScalarOperator`. We take only 2,000 points.


# %%
def graph_of_scalars(a, b, x, y):
    a, b, loss = mg.Variable(a), mg.Variable(b), 0.0
    for xk, yk in zip(x, y, strict=True):
        r = a * xk + b - yk
        loss = loss + r * r
    loss = loss / len(x)
    loss.backward()
    return loss.value, a.grad, b.grad


rung("a graph of numbers", graph_of_scalars, xs[few], ys[few], line(1.0, 0.0, xs[few], ys[few]), repeats=1)
slower = rungs["a graph of numbers"][0].seconds / 2000 / (rungs["Python floats"][0].seconds / n)
print(f"{slower:,.0f} times as long as Python's own numbers")

# %% [markdown]
# So that is one way in which an epoch can take so long. A graph is a good way to *describe* a computation. As a way to *do* it, number by number,
# it is far too slow.
#
# "NumPy is fast", somebody says, and passes NumPy arrays to the loop of rung 1, instead of lists. Faster or slower, and by what factor? The two
# take turns, with 100,000 points.
#
# {guess "How many times as long does the loop take with NumPy arrays?": times | with_arrays}

# %%
some = slice(0, 100_000)


def most_of(numbers, digits):
    """The middle half of them, in words: what a busy moment of the computer does not change."""
    low, high = np.percentile(numbers, [25, 75])
    return f"from {low:{digits}} to {high:{digits}} in half of the rounds"


times = in_turns([lambda: line(1.0, 0.0, xs[some], ys[some]), lambda: line(1.0, 0.0, x[some], y[some])], rounds=5)
for name, seconds in zip(("lists of floats", "NumPy arrays"), times.T, strict=True):
    print(f"{name:16} {np.median(seconds) / 1e5 * 1e9:6.0f} ns a point")
ratios = times[:, 1] / times[:, 0]
with_arrays = np.median(ratios)
print(f"{with_arrays:.1f} times as long with arrays, {most_of(ratios, '.1f')}")

# %% [markdown]
# Slower! Each `x[k]` wraps one number of the array into a new Python object. Arrays are fast when *one* Python call handles *all* numbers.
#
# ## Rung 2: whole arrays
#
# So we write each line of the reverse program once, for all points: nine NumPy calls in all, instead of ten operations for each point. Each number
# of `x` takes 8 bytes. How many bytes will be allocated for a point?


# %%
def whole_arrays(a, b, x, y):
    r = a * x + b - y
    r_bar = 2 * r
    return np.mean(r * r), np.mean(r_bar * x), np.mean(r_bar)


rung("NumPy, float64", whole_arrays, x, y)

# %% [markdown]
# A large factor, and it costs bytes: most of the six intermediate results take a new array of 8 bytes a point. Not all of them, because NumPy reuses
# an intermediate array when it can tell that nothing else needs it.
#
# ## Rung 3: half the bytes
#
# A `float64` takes 8 bytes and has about 16 digits, a `float32` takes 4 bytes and has about 7. Paper A's first piece of advice
# (Ankiersztajn and Tęcza, below) is *float32 throughout*. What will it bring? Think of the memory that has to be read and written, not of the
# arithmetic.

# %%
x32, y32 = x.astype(np.float32), y.astype(np.float32)
rung("NumPy, float32", whole_arrays, x32, y32)
print(f"{rungs['NumPy, float64'][0].seconds / rungs['NumPy, float32'][0].seconds:.1f} times as fast as with float64")

# %% [markdown]
# Half as many bytes in each array are half the work for the memory. (The bytes allocated may be more than half: NumPy need not reuse as many
# arrays as before.) Where the factor is larger than 2, something else contributes: a large new array comes
# from the operating system, page by page, and each page is cleared first. Smaller arrays can more often be taken from memory that the program
# already has.
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
# somewhere, makes every array computed with it twice as large, and nothing tells you. Look at `.dtype` when a program is slower than you expect.
#
# ## Rung 4: keep the arrays
#
# There are new arrays in each call, and they are discarded after it. Why not keep them? NumPy's functions take an `out=`: the array to write
# into. Paper A does so, and paper C allocates the output of each layer once, when the network is built.

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


rung("float32, arrays kept", kept_arrays, x32, y32)

# %% [markdown]
# No array was allocated, and the results are the same. The price is thought: which array may be overwritten, because it is not needed any more?
# You know this puzzle from lesson 08, where a program solved it.
#
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
# *A good place to stop for today: what follows leaves Python.*
#
# ## Rung 5: machine code
#
# The loop of rung 1 makes two walks, and no intermediate array. It was good, except that Python ran it. [numba](https://numba.pydata.org) takes the
# same function, looks at the types of its arguments, and turns it into machine code when it is first called
# ([just in time](glossary.ipynb#Just-in-time-compilation)). How long will it take, compared with rung 4?

# %%
compiled_line = numba.njit(nogil=True)(line)
rung("numba, the loop as it is", compiled_line, x32, y32)
seconds = rungs["numba, the loop as it is"][0].seconds
print(f"{rungs['Python floats'][0].seconds / seconds:.0f} times as fast as the same function in Python")
print(f"{rungs['float32, arrays kept'][0].seconds / seconds:.2f} times as fast as NumPy with arrays kept")
print("compiled for", ", ".join(map(str, compiled_line.nopython_signatures[0].args)))
print("the result: ", compiled_line.nopython_signatures[0].return_type)

# %% [markdown]
# Compiling brings a large factor over Python. Compare the other factor with $17 / 2$. Where it is smaller, something else is in the way: that is
# rung 6.
#
# The last lines say something about types. In numba a Python number is a `float64`, and `float32` with `float64` gives `float64`: NumPy's
# rule from above is not numba's. So this loop *reads* float32, and *computes* and adds up in float64.
#
# ## Rung 6: permission to add in another order
#
# Look at `loss += r * r`. Each addition needs the result of the one before it, and an addition takes several clock cycles of the processor.
# So it waits most of the time. It could keep several sums at once, say one for each remainder of the index modulo 16, and add these up at the
# end. Processors are built for that: one instruction works on several numbers side by side.
#
# But $(u + v) + w$ and $u + (v + w)$ need not be the same number in a computer, and so the compiler does not change the order by itself. You may allow it:

# %%
big, small = np.float32(1e8), np.float32(1)
print("(big - big) + small =", (big - big) + small)
print("(small + big) - big =", (small + big) - big)

free = {"reassoc", "contract"}  # additions in another order; a product and a sum as one instruction
free_line = numba.njit(nogil=True, fastmath=free)(line)
rung("numba, one loop: fused", free_line, x32, y32)

# %% [markdown]
# The three numbers are none the worse for the other order: in float64 there are digits to spare.
#
# ## Fusion: what is it worth?
#
# How much of that is machine code, and how much is *two walks instead of 17*? Take the second away: the same compiler, the same permission, but a
# loop for each operation, as in NumPy. How many times as long will that take as one loop?
#
# {guess "How many times as long does a loop for each operation take?": times | unfused}


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


rung("numba, a loop for each operation", lambda *line: a_loop_for_each(*line, r, p), x32, y32)
times = in_turns([lambda: a_loop_for_each(1.0, 0.0, x32, y32, r, p), lambda: free_line(1.0, 0.0, x32, y32)])
ratios = times[:, 0] / times[:, 1]
unfused = np.median(ratios)
print(f"expected, from 17 walks against 2: {17 / 2:.1f} times as long as one loop")
print(f"measured, in turns:                {unfused:.1f} times, {most_of(ratios, '.1f')}")

# %% [markdown]
# [Fusion](glossary.ipynb#Fuse) is the name for putting elementwise loops over the same shape into one. It is what Julia's dots do (`@. r =
# a*x + b - y`), paper A's third point, and what the pass `fuse` did in lesson 08. The arithmetic is the same. It saves walks, and
# intermediate arrays. The prediction need not be exact: walks over an array that has just been written are cheaper, if it still lies in
# the processor's cache, a small and fast memory close to it.
#
# When can you stop? Ask what the machine can do at best. This job must at least *read* two arrays, so compare it with a loop that
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
# Where that share is near 100 %, no better arithmetic will help any more: then only numbers of fewer bytes help, or fewer points.
# Where it is small, the loop is limited by its arithmetic.
#
# ## The whole ladder
#
# The rungs were measured minutes apart, and the computer may have been busy with something else in between. So the fast ones are measured once
# more, now in turns. Each bar on the left runs from the rung above to this one: its length is the factor that was gained. The scale is
# logarithmic, so equal lengths are equal factors. Bytes are those of NumPy's arrays; Python's own objects are not counted.

# %%
again = {
    "NumPy, float64": lambda: whole_arrays(1.0, 0.0, x, y),
    "NumPy, float32": lambda: whole_arrays(1.0, 0.0, x32, y32),
    "float32, arrays kept": lambda: kept_arrays(1.0, 0.0, x32, y32),
    "numba, the loop as it is": lambda: compiled_line(1.0, 0.0, x32, y32),
    "numba, one loop: fused": lambda: free_line(1.0, 0.0, x32, y32),
}
for name, seconds in zip(again, in_turns(again.values()).T, strict=True):
    rungs[name][0].seconds = float(np.median(seconds))

beside = rungs.pop("numba, a loop for each operation")
slowest_first = sorted(rungs, key=lambda name: rungs[name][0].seconds / rungs[name][1], reverse=True)
climb = {name: rungs[name] for name in slowest_first}
pictures_of_speed.ladder(climb, "a point", "The ladder, from the slowest way down to the fastest.")

# %% [markdown]
# Which step was the largest? Which one took the most thought? And which of them could a compiler do for you?
#
# ## What compiling costs
#
# The orange bars are the cost. Machine code has to be made first, on the first call with each new type of arguments. Meanwhile the slower ways
# are already running. So when does it pay? With $c$ seconds of compiling, and $s$ and $t$ seconds for a call before and after:
#
# $$c + N\,t < N\,s \qquad\Longleftrightarrow\qquad N > \frac{c}{s - t}$$
#
# That is all. After how many calls over all points does numba overtake NumPy with float64?
#
# {guess "At which call does numba overtake NumPy with float64?": | overtakes["NumPy, float64"]}

# %%
before = {name: rungs[name][0].seconds for name in ("Python floats", "NumPy, float64", "float32, arrays kept")}
cost, after = rungs["numba, one loop: fused"][0].compile_seconds, rungs["numba, one loop: fused"][0].seconds
overtakes = {}
for name, seconds in before.items():
    overtakes[name] = int(cost / (seconds - after)) + 1 if seconds > after else np.inf
    call = f"at call {overtakes[name]:,}" if seconds > after else "never, here"
    print(f"fused numba overtakes {name:22} {call}")

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
    "Three rising lines, one for each way without compiling, and the line of numba, which is flat at first, at the "
    f"seconds of compiling. It is below Python's from call {overtakes['Python floats']:,} on, and below NumPy's with float64 "
    f"from call {overtakes['NumPy, float64']:,} on.",
)

# %% [markdown]
# A training step is called thousands of times, and then it usually pays. For a function that is called once it does not. And if the machine code is **kept
# on disk**, $c$ is much smaller from the second time on.
#
# Run the lesson a second time. Which digits of the factors stay the same, and which were noise? Lesson 15 comes back to that question.

# %% [markdown]
# ## In five lines
#
# 1. Python's own work for each number is the largest cost of all: let one call handle many numbers, or compile the loop.
# 2. Then memory decides: smaller types, and arrays that are kept.
# 3. Count the walks over memory. A fused loop does everything for a point at once; the arithmetic stays, walks and intermediate arrays go.
# 4. Compiling pays after $c/(s-t)$ calls. With the machine code on disk, $c$ is much smaller from the second time on.
# 5. Measure each rung in turns with the one before, and check that the numbers are still the same.
#
# ## Your turn
#
# Exercise: [exercises/09_making_it_fast](../exercises/09_making_it_fast/09_making_it_fast.ipynb). You fuse a chain: the same numbers, fewer walks over memory, and no array allocated.
#
# Optional: [9b · Closer to the machine](09b_closer_to_the_machine.ipynb). Caches, views, threads, products in registers, and a whole training step on the ladder.
#
# **Next: [10 · A first network](10_first_network.ipynb)** learns to read digits from examples.

# %% [markdown]
# ## Further
#
# ### An index too far
#
# Machine code does what you wrote, and does not check it. Which number is `x[len(x)]`? Python raises an error. numba leaves that check out, as Julia
# does if you write `@inbounds`, and reads whatever happens to lie behind the array. We switch the check on:


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
# ### Small calls
#
# With 10 points per call, what matters is not memory but the *call*. Guess which of three ways suffers most:

# %%
sizes = [10, 100, 1000, 10_000, 100_000]
ways = {
    "NumPy, float64": lambda k: whole_arrays(1.0, 0.0, x[:k], y[:k]),
    "Python floats": lambda k: line(1.0, 0.0, xs[:k], ys[:k]),
    "numba, fused": lambda k: free_line(1.0, 0.0, x32[:k], y32[:k]),
}
figure, axes = plots.canvas(7.5, 3.6)
ten_points = {}
for (name, way), colour in zip(ways.items(), (plots.GREEN, plots.PURPLE, plots.VERMILLION), strict=True):
    per_point = np.median(in_turns([lambda k=k, way=way: way(k) for k in sizes], rounds=5), axis=0) / sizes
    ten_points[name] = per_point[0]
    axes.loglog(sizes, 1e9 * per_point, "o-", color=colour)
    plots.label(axes, sizes[-1], 1.5e9 * per_point[-1], name, plots.INK.get(colour, colour), ha="right")
axes.set(xlabel="points in a call", ylabel="nanoseconds a point", title="Small calls are expensive")
order_of_ten = "; ".join(sorted(ten_points, key=ten_points.get))
plots.show(figure, f"For ten points in a call, from the fastest to the slowest: {order_of_ten}.")

# %% [markdown]
# ### The source and the papers
#
# - [minigrad/compiler/schedule.py](../minigrad/compiler/schedule.py): fusion, as a pass over equations. [memory.py](../minigrad/compiler/memory.py) beside it: which arrays may share.
# - [minigrad/native/jit.py](../minigrad/native/jit.py): numba, loaded when it is needed, and its machine code kept on disk.
# - [minigrad_course/measure](../minigrad_course/measure/__init__.py): how bytes are counted while the clock runs. [docs/compiler.md](../docs/compiler.md): all passes.
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*, section VI: float32, arrays kept, fusion, a graph built once.
# - B: Kepiński, *Reverse-mode automatic differentiation in Julia*, section V: just-in-time compiling, type stability, views, bounds checks.
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*, section V: from 40 minutes to 35 seconds.
# - S. Williams, A. Waterman, D. Patterson, *Roofline* (2009): how to know when to stop.
