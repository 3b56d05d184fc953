# Lesson 09b, optional. What a reader has behind them: lesson 09. Networks come later: the one at the end is a step of work to be timed, and is
# built in lesson 11. Its rungs are those of benchmarks/ladder.py.

# %% [markdown]
# # 9b · Closer to the machine: caches, threads, registers
#
# This is the optional second half of [lesson 09](09_making_it_fast.ipynb); no later lesson needs it. There, memory decided how long a loop took. Here
# you look at what lies between the memory and the arithmetic: caches, several processors, registers. At the end you climb the ladder once more, with a real training step.
#
# *Time: about 30 minutes{first run}. Other programs running at the same time disturb the measurements: close what you can.*

# %%
import tempfile
from functools import partial
from pathlib import Path

import numba
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from benchmarks import ladder, workloads
from benchmarks.engines.minigrad import Engine
from benchmarks.field import Worker
from minigrad.compiler.training import processors, run_together
from minigrad.native import products
from minigrad.native.tile import lanes_of, most_rows
from minigrad_course.measure import Measurement, in_turns, repeat
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_speed, plots

data = mg.data.for_lesson()
full = data.name == "mnist"
limits = threadpool_limits(1)  # one processor for everything, until we say otherwise
rng = np.random.default_rng(0)


def most_of(numbers, digits):
    """The middle half of them, in words: what a busy moment of the computer does not change."""
    low, high = np.percentile(numbers, [25, 75])
    return f"from {low:{digits}} to {high:{digits}} in half of the rounds"


# %% [markdown]
# ## Neighbours
#
# Memory is one long row of numbers, and the processor never fetches a single one of them. It fetches a [cache
# line](glossary.ipynb#Cache-line), usually 64 bytes, 16 neighbouring float32, into its caches: small and fast memories close to it. What if you use only one of them? The next cell adds up 100,000
# numbers each time, but takes every second, every fourth, ... every 64th of a long row. Sketch the curve of the time.

# %%
row = rng.random(100_000 * 64, dtype=np.float32)
distances = [1, 2, 4, 8, 16, 32, 64]
times = np.median(in_turns([row[: 100_000 * step : step].sum for step in distances]), axis=0)

figure, axes = plots.canvas(7, 3.2)
axes.plot(distances, times * 1e6, "o-", color=plots.BLUE)
axes.axvline(16, color=plots.GREY, lw=1, ls="--")
plots.label(axes, 15, 0.8 * max(times) * 1e6, "one number in each\ncache line", plots.GREY, ha="right")
axes.set(xscale="log", xticks=distances, xticklabels=distances, ylim=0)
axes.set(xlabel="take every ...th number", ylabel="microseconds")
axes.set_title("Adding 100,000 numbers, near each other and far apart")
plots.show(
    figure, f"Every 64th number takes {times[-1] / times[0]:.1f} times as long as neighbours, though no more is added."
)

# %% [markdown]
# Up to 16, more and more of each line is fetched for nothing. From there on each number has a line of its own. If the time still grows, there are other reasons: the
# row no longer fits into the caches, and the processor has to look up where more and more pages of memory lie.
#
# A matrix is such a row: NumPy stores it row after row. Along a row the neighbours are next to each other; down a column each step jumps over
# a whole row. Paper C put its loops into the order of memory. Here are two loops that do the same work. How much slower is the slow one?
#
# {guess "How many times as long does it take down the columns?": times | by_columns}


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
times = in_turns([lambda: along_rows(A, out), lambda: down_columns(A, out)])
for name, seconds in zip(("along rows", "down columns"), 1e3 * times.T, strict=True):
    print(f"{name:13} {np.median(seconds):6.2f} ms   from {seconds.min():.2f} to {seconds.max():.2f}")
ratios = times[:, 1] / times[:, 0]
by_columns = np.median(ratios)
print(f"down columns takes {by_columns:.1f} times as long, {most_of(ratios, '.1f')}")

# %% [markdown]
# Julia and Fortran store matrices column by column. So in papers A to C the good order of the loops is the other one.
#
# ## Views and copies
#
# Not everything that looks like a new array is one. Which of these five allocate? Write down yes or no, five times.

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
# A [view](glossary.ipynb#View) is another way to look at the same numbers: where to begin, how far to step. A **copy** has numbers of its own.
# Slices and transposes are views. Picking rows by a list of their indices, as for a shuffled batch, makes a copy. `reshape` copies only if it
# must. Julia copies slices unless you write `@views`; paper B counts that among its gains.
#
# A view is fast because it shares its numbers. What does the next cell print?

# %%
first_row = B[0]
first_row *= 0  # "I need a zeroed row to work in"
says("sum of B's first row: {}", B[0].sum(), when=lambda total: total == 0)

# %% [markdown]
# The data is gone, and there was no warning. Share what you read; copy what you will write.
#
# ## Two threads: shards
#
# Here is the fused loop of lesson 09 again. Split its points into two [shards](glossary.ipynb#Shard), give each a thread, and take the
# mean of both results. `nogil=True` means that the compiled code lets go of Python's lock, so that two threads can run at the same time. With
# two processors: how much faster?
#
# {guess "How many times as fast are two threads?": times | by_threads}


# %%
@numba.njit(nogil=True, fastmath={"reassoc", "contract"})
def fused_line(a, b, x, y):
    loss = a_bar = b_bar = 0.0
    for k in range(len(x)):
        r = a * x[k] + b - y[k]
        loss += r * r
        a_bar += 2 * r * x[k]
        b_bar += 2 * r
    return loss / len(x), a_bar / len(x), b_bar / len(x)


n = 4_000_000 if full else 1_000_000
x = rng.standard_normal(n, np.float32)
y = 2 * x + 1
halves = [slice(0, n // 2), slice(n // 2, n)]
parts = [None, None]


def work(k):
    parts[k] = fused_line(1.0, 0.0, x[halves[k]], y[halves[k]])


def sharded():
    run_together(work, 2)
    return [(first + second) / 2 for first, second in zip(*parts, strict=True)]


assert np.allclose(sharded(), fused_line(1.0, 0.0, x, y))
times = in_turns([lambda: fused_line(1.0, 0.0, x, y), sharded, lambda: run_together(lambda k: None, 2)])
ratios = times[:, 0] / times[:, 1]
by_threads = np.median(ratios)
print(f"processors here: {processors()}")
print(f"two threads are {by_threads:.2f} times as fast as one, {most_of(ratios, '.2f')}")
for name, seconds in zip(("one thread", "two threads", "two that do nothing"), 1e6 * times.T, strict=True):
    print(f"{name:20} {np.median(seconds):6.0f} µs   from {seconds.min():.0f} to {seconds.max():.0f}")

# %% [markdown]
# Is it less than 2, or even less than 1? Starting threads takes time, as the last line shows, and both halves share one connection to the
# memory. The faster one thread is, the less there is to gain. The two results are combined in a fixed order, so the same run gives the same digits
# again, whichever thread finished first.
#
# ## Numbers that stay in registers
#
# In the fused loop each number is used a few times, and then no more. In a product of two matrices, each with $n$ rows and columns, each number is used again
# and again: $2n^2$ numbers take part in $2n^3$ operations. So the processor need not wait for memory. How fast can it be?
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
# operation, even if the nearest cache has it all.
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
    seconds = in_turns(ways).min(axis=0)
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
# multiplies in tiles, and so do the compiled convolutions of lesson 13.
#
# Numba's optimizer decides which numbers stay in registers. So this one loop is written in the optimizer's own
# language, in [minigrad/native/tile.py](../minigrad/native/tile.py); its first lines describe the picture above.
#
# *A good place to stop for today: what follows is the ladder again, for a network.*
#
# ## The ladder of a training step
#
# For three lines of algebra you have done what you do not want to do for a network: choose types, keep arrays, fuse loops, split into shards.
# Lesson 08's compiler does it. Climb once more, with **one training step of the network of papers A and B**. You will build it in lesson 11.
# For now it is a black box: 100 pictures go in, a loss comes out, and all weights change a little.
#
# - *Interpreted*: each step records a new graph, goes back through it, and discards it.
# - *Built once*: the graph stays, with its arrays, and is run again. It is paper A's last gain: "around 10x", and 20 GiB less.
# - *Compiled*: it becomes the program of lesson 08. Each program takes seconds to compile, so the small size has one; the full size has more,
#   each with fewer passes, and two shards.
#
# Predict: which step is larger here, from *interpreted* to *built once*, or from *built once* to *compiled*?

# %%
network = workloads.rnn()
weights = network.first_weights()
arrays = {"train_x": data.train_x, "train_y": data.train_y}
batch, batches = network.batch, len(data.train_x) // network.batch
rows = np.arange(batch * batches)
steps, losses = {}, {}
for name, mode in ladder.rungs():
    if not mode.startswith("compiled"):
        engine = Engine(network, weights, arrays, mode, threads=1)
        losses[name] = engine.epoch(rows)
        steps[name] = repeat(engine.epoch, rows, repeats=5), batches
print(f"{sum(w.size for w in weights.values()):,} weights; {network.flop:,} operations in a step's products")

# %% [markdown]
# How long the compiler takes depends on what *your* machine has kept on disk from earlier runs. So each program is compiled in an empty
# folder, in a process of its own. A second process then finds what the first one left, as you will tomorrow.

# %%
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
pictures_of_speed.ladder(steps, "a step", "The ladder of a training step; compiled today, in an empty folder.")

# %% [markdown]
# Is it the same training? The first and the last loss of each rung, from the same weights, and the largest difference from the first rung:

# %%
reference = next(iter(losses.values()))
for name, values in losses.items():
    figures = name, values[0], values[-1], np.abs(values - reference).max()
    says("{:46} {:.5f} {:.5f}   differs by {:.0e}", *figures, when=lambda *figures: figures[-1] < 1e-4)

# %% [markdown]
# The same, up to the rounding of float32. Now the question of lesson 09, for a real case. The papers train for 3,000 steps. Is compiling worth
# it? Guess, then read along a row.

# %%
anew, once = "interpreted, float32", "graph built once, run again in its own arrays"
compiled = "compiled, all passes"
each = {name: steps[name][0].seconds / batches for name in (anew, once, compiled)}
text = "| steps | graph anew | graph built once | compiled today | compiled tomorrow |\n"
text += "|---|---|---|---|---|\n"
for count in (300, 3000, 30_000, 300_000):
    totals = [count * each[anew], count * each[once], *(c + count * each[compiled] for c in ready[compiled])]
    text += f"| {count:,} | " + " | ".join(f"{total:.1f} s" for total in totals) + " |\n"
for name, seconds in (("built anew", each[anew]), ("built once", each[once])):
    calls = [
        f"from step {int(c / (seconds - each[compiled])) + 1:,} on" if seconds > each[compiled] else "never"
        for c in ready[compiled]
    ]
    text += f"\nThe compiled program is ahead of a graph {name} {calls[0]} today, {calls[1]} tomorrow.\n"
Markdown(text)

# %% [markdown]
# A graph that is built once has paid for itself by the second step, since the first step builds one anyway. Compiling is an investment: the last lines say after how many steps it has paid
# off *on your machine*. For a single short training the graph that is built once may well win. A report that has only "seconds per step" hides
# this choice; lesson 15 shows both.

# %% [markdown]
# ## In five lines
#
# 1. Memory is fetched in lines of neighbours: walk through an array in the order in which it is stored.
# 2. A view shares its numbers and a copy has its own. Share what you read, copy what you will write.
# 3. Shards on threads help where each has enough work, and as far as the memory can feed them both.
# 4. A tile of a product stays in registers until it is finished: $r + c$ loads for $r \cdot c$ multiply-adds.
# 5. Build once, run often: a graph, its arrays, its machine code. And check at each rung that the losses are still the same.
#
# ## The source
#
# - [minigrad/native/tile.py](../minigrad/native/tile.py): the tile, and [products.py](../minigrad/native/products.py): products made of tiles.
# - [minigrad/compiler/training.py](../minigrad/compiler/training.py): threads.
# - [benchmarks/ladder.py](../benchmarks/ladder.py): the ladder, for all three networks of the papers, pass by pass.
# - U. Drepper, *What every programmer should know about memory* (2007): cache lines, and their consequences.
#
# **Next: [10 · A first network](10_first_network.ipynb).**
