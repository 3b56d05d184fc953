# Lesson 04. What a reader has behind them: the forward trace table, the tape and `push`, the Jacobian by columns (03).
# The backward pass as a table. Graphs, topological order and the three break switches are lesson 05.

# %% [markdown]
# # 4 · Tracing backwards: the same table, read upwards
#
# Lesson 03 ended with a problem. A function of 784 inputs with one output needs 784 passes down the table, and each pass gives a single
# number. And yet every pass uses the same values and the same partial derivatives. All of them are already in the table.
#
# **Can one pass over the table give the derivatives with respect to all inputs?**
#
# It can, and by the end of this lesson you will have done it on paper, from the bottom row up. You will know which direction is cheaper for
# which function, and you will have measured the break-even point: how many inputs it takes for one to overtake the other. And since a table
# that is filled in backwards is easy to get wrong, there is one at the end with slips of the kind that were printed in a thesis. You will
# find them.
#
# *Time: about 50 minutes{first run}. You need a pencil again.*

# %%
import numpy as np

import minigrad as mg
from minigrad_course.says import says
from minigrad_course.viz import plots

# %% [markdown]
# ## Start small
#
# Two lines, at $v_0 = 4$ and $v_1 = 3$. What do `v2` and `v3` hold?


# %%
def small(v0, v1):
    v2 = 5 * v1
    v3 = v2 * v0
    return v3


small(4.0, 3.0)

# %% [markdown]
# 15 and 60. So far you have asked: *$v_1$ moves; how much does everything else move?* Now ask the opposite question, from the end:
#
# *$v_3$ is what matters. If **this** value changes a little, how many times as much does $v_3$ change?*
#
# The answer for a value $v$ is called its [adjoint](glossary.ipynb#Adjoint), written $\bar v$:
#
# $$\bar v = \frac{\partial v_3}{\partial v}$$
#
# You can ask this question about any value in the middle of the program, without knowing where it came from. Take $v_2$. We change it from
# outside, in the middle of the run:


# %%
def small_nudged(v0, v1, nudge):
    v2 = 5 * v1 + nudge
    v3 = v2 * v0
    return v3


h = 0.001
(small_nudged(4.0, 3.0, h) - small_nudged(4.0, 3.0, 0.0)) / h

# %% [markdown]
# $\bar v_2$ is 4, up to rounding: a nudge of 0.001 moved $v_3$ by 0.004. The last line multiplies by $v_0 = 4$, however `v2` was computed. And $\bar v_3$? If $v_3$ changes a
# little, then $v_3$ changes by as much:
#
# $$\bar v_3 = 1$$
#
# This is the [seed](glossary.ipynb#Seed), and now we go **up**. Each row passes its adjoint on to its inputs, times the partial derivative:
#
# | program line | what is passed up |
# |---|---|
# | `v3 = v2 * v0` | $\bar v_2 = \bar v_3 \cdot v_0 = 1\cdot4 = 4$ |
# | | $\bar v_0 = \bar v_3 \cdot v_2 = 1\cdot15 = 15$ |
# | `v2 = 5 * v1` | $\bar v_1 = \bar v_2 \cdot 5 = \;?$ |
#
# Fill in the last one. Then compare with the machine's table. Its values are read downwards, its adjoints upwards, from the seed at the
# bottom.

# %%
mg.trace(small, 4.0, 3.0).reverse()

# %% [markdown]
# 15 and 20: the derivatives with respect to **both** inputs, from one pass up. Forward mode needs two passes for them. Do they agree?

# %%
for seed in [(1.0, 0.0), (0.0, 1.0)]:
    print(f"forward pass with seed {seed}: {mg.jvp(small, (4.0, 3.0), seed)[1]}")

# %% [markdown]
# This is [reverse mode](glossary.ipynb#Reverse-mode). It needs the values of the run (the 15 and the 4 above), so the run comes first, down
# the table, and only then the pass up: the *reverse pass*, or *backward pass*.
#
# ## A value that is used twice
#
# Here is the program of lesson 03 again. In it, $x_1$ is used in every line of the loop.


# %%
def twice(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b


t = mg.trace(twice, 3.0, 4.0)
for row in t.forward():
    if row.kind == "operation":
        print(f"{row.source:14s} {row.primal}")

# %% [markdown]
# We want the derivatives of `a`, which is $v_6$ in the end. So $\bar v_6 = 1$, and $\bar v_8 = 0$: `b` does not count for now. Go up:
#
# | program line | row | what is passed up |
# |---|---|---|
# | `a += x1 * x2` | $v_6 = v_2 + v_5$ | $\bar v_2 = \bar v_6 = 1$, and $\bar v_5 = \bar v_6 = 1$ |
# | | $v_5 = x_1 x_2$ | $\bar x_1 = \bar v_5 \cdot x_2 = 4$, and $\bar x_2 = \bar v_5 \cdot x_1 = 3$ |
# | `b += x1 + x2` | $v_8$, $v_7$, $v_4$, $v_3$ | nothing: they do not reach `a` |
# | `a += x1 * x2` | $v_2 = 0 + v_1$ | $\bar v_1 = \bar v_2 = 1$ |
# | | $v_1 = x_1 x_2$ | and now? |
#
# The row $v_1$ has $\bar v_1 \cdot x_2 = 4$ to pass on to $x_1$. But $\bar x_1$ is already 4. Which of these is right: keep the old 4,
# replace it by the new 4, or add them? (You know what $\partial a/\partial x_1$ must be.)

# %%
t.reverse("a")

# %% [markdown]
# They add up: `a` depends on $x_1$ along two paths, once through $v_1$ and once through $v_5$. Each path contributes a share of the
# derivative, and $4 + 4 = 8$. In the table this is written `+=`. [Accumulating](glossary.ipynb#Accumulate) shares is the new idea; the rest of the pass is the chain rule, applied from the other end.
#
# This is the whole of reverse mode. For a row $v = f(p, q)$:
#
# $$\bar p \mathrel{+}= \bar v\cdot\frac{\partial f}{\partial p} \qquad\qquad \bar q \mathrel{+}= \bar v\cdot\frac{\partial f}{\partial q}$$
#
# Now step through it yourself: eight steps down, then up, once from `a` and once from `b`. At which step does the 4 in $\bar x_1$ become 8?

# %%
mg.explore(twice, 3.0, 4.0)

# %% [markdown]
# (No buttons? Run the cell in JupyterLab; the tables in the static picture show the same, in the order of the steps.)
#
# If you like, turn on the switch *= instead of +=* and go through it again. The wrong numbers are marked, with the reason.

# %% [markdown]
# ## The tape, read from its end
#
# In lesson 03 a `Scribe` recorded each row with its inputs, and `push` went down its tape. Here is the same class, unchanged:


# %%
class Scribe:
    def __init__(self, value, made_of=()):
        self.value, self.made_of = value, made_of
        tape.append(self)

    def __add__(self, other):
        if isinstance(other, Scribe):
            return Scribe(self.value + other.value, [(self, 1.0), (other, 1.0)])
        return Scribe(self.value + other, [(self, 1.0)])

    def __mul__(self, other):
        if isinstance(other, Scribe):
            return Scribe(self.value * other.value, [(self, other.value), (other, self.value)])
        return Scribe(self.value * other, [(self, other)])

    __radd__, __rmul__ = __add__, __mul__


tape = []
x1, x2 = Scribe(3.0), Scribe(4.0)
a, b = twice(x1, x2)
print(len(tape), "rows:", [row.value for row in tape])

# %% [markdown]
# The pass down was *tangent of this row `+=` partial × tangent of the earlier row*. For the pass up, two things change: the order, and which
# of the two receives.


# %%
def pull(tape, weights):
    adjoint = {row: weights.get(row, 0.0) for row in tape}
    for row in reversed(tape):
        for earlier, partial in row.made_of:
            adjoint[earlier] += partial * adjoint[row]
    return adjoint


adjoint = pull(tape, {a: 1.0})
assert (adjoint[x1], adjoint[x2]) == (8, 6)
print("x1:", adjoint[x1], "  x2:", adjoint[x2])

# %% [markdown]
# 8 and 6, in five lines, from a program that ran once. This pass, compiled, trains every network of this course.
#
# ## Break it
#
# Two small changes, each an easy mistake to make. The first forgets `reversed`. The second replaces instead of adding. What will they give
# instead of 8 and 6? Predict both before you run the cell.

# %%
adjoint = dict.fromkeys(tape, 0.0) | {a: 1.0}
for row in tape:  # downwards
    for earlier, partial in row.made_of:
        adjoint[earlier] += partial * adjoint[row]
says("downwards:      x1: {}   x2: {}", adjoint[x1], adjoint[x2], when=lambda *both: both == (0, 0))

adjoint = dict.fromkeys(tape, 0.0) | {a: 1.0}
for row in reversed(tape):
    for earlier, partial in row.made_of:
        adjoint[earlier] = partial * adjoint[row]  # replaces
says("= instead of +=: x1: {}   x2: {}", adjoint[x1], adjoint[x2], when=lambda *both: both == (4, 3))

# %% [markdown]
# Downwards, the rows at the top pass on their adjoint before anything has arrived there: zero. **A row may pass on its adjoint only when all
# rows that use it have passed theirs to it.** Going up the tape that is always so, because the rows that use a value are below it. And `=`
# keeps only the last share. There is no error in either case, just wrong numbers.
#
# ## A row of the Jacobian
#
# One pass up from `a` gave $\partial a/\partial x_1$ and $\partial a/\partial x_2$. From `b` the values and partial derivatives are the same,
# only the seed changes: $\bar v_6 = 0$, $\bar v_8 = 1$. What do you expect? Each line `b += x1 + x2` passes a share of 1 to each input.

# %%
t.reverse("b")

# %% [markdown]
# 2 and 2. The [Jacobian](glossary.ipynb#Jacobian) is filled in the other way round:

# %%
t.jacobian("reverse")

# %% [markdown]
# **One pass up, one row.** In forward mode it was: one pass down, one column. The matrix is the same; there are two ways to fill it in.
#
# ## Weights instead of one output
#
# The seed need not be a single 1. Put $\bar v_6 = 10$ and $\bar v_8 = 1$: what do the adjoints of the inputs mean then? They are the derivatives of the sum $10\,a + b$. Which numbers will they be?
#
# {guess "What will the adjoint of x1 be?": | pull_back((10.0, 1.0))[0]}

# %%
value, pull_back = mg.vjp(twice, 3.0, 4.0)
print("value:", value)
says("adjoints of x1 and x2: {} and {}", *pull_back((10.0, 1.0)), when=lambda *both: both == (82, 62))

# %% [markdown]
# $10\cdot8 + 2 = 82$ and $10\cdot6 + 2 = 62$. The weights on the outputs are called a [cotangent](glossary.ipynb#Cotangent) $w$, and one pass up gives $w^\top J$: the [vector-Jacobian product](glossary.ipynb#vjp), or `vjp`. (`jvp` gave $J\,u$.) Neither computes $J$ itself.
#
# `mg.vjp` runs the function once, and returns its value and a function that does the backward pass, as often as you like:

# %%
for w in [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (1.0, -4.0)]:
    print(w, "->", pull_back(w))

# %% [markdown]
# The last line says: $a - 4b$ does not change with $x_1$, at this point.
#
# The two products are connected. Take any direction $u$ and any weights $w$. Then $w^\top (J u)$ and $(w^\top J)\,u$ are the same; only the
# brackets differ. One is computed down the table, the other up.

# %%
rng = np.random.default_rng(4)
u, w = rng.normal(size=2), rng.normal(size=2)
tangent = mg.jvp(twice, (3.0, 4.0), tuple(u))[1]
adjoint = pull_back(tuple(w))
print("down the table:", np.dot(w, tangent))
print("up the table:  ", np.dot(adjoint, u))
assert np.isclose(np.dot(w, tangent), np.dot(adjoint, u), rtol=1e-14)

# %% [markdown]
# Two programs that have little in common agree to every digit (sometimes all but the last). That makes a good check. Lesson 07 turns it
# into a test.
#
# ## Why does the order of brackets matter?
#
# A long computation is a chain of steps, each with a Jacobian of its own, and $J$ is their product: $J = J_3\,J_2\,J_1$.
#
# $$J u = J_3\,(J_2\,(J_1\,u)) \qquad\qquad w^\top J = ((w^\top J_3)\,J_2)\,J_1$$
#
# In both, a vector is multiplied by a matrix, again and again. Two matrices are never multiplied. But the whole of $J$ takes as many vectors
# $u$ as there are inputs, or as many vectors $w$ as there are outputs. So **count the short side**: 784 inputs and one output need one $w$.
# One input and 120 outputs, as for the ball of lesson 03, need one $u$.
#
# Which mode is cheaper for 30 inputs and 8 outputs, and where do the two cost the same?

# %%
from minigrad_course.viz.pictures_of_jacobians import mode_costs

mode_costs(inputs=30, outputs=8)

# %% [markdown]
# Move the sliders. The cost of a pass up (*up / down*) has a slider, too: what happens to the crossing when a pass up costs as much as 3
# passes down? (It moves from 8 inputs to 24.) (No sliders below? Run the cell in JupyterLab, or change the numbers above.)

# %%
import ipywidgets

ipywidgets.interactive(
    mode_costs,
    inputs=ipywidgets.IntSlider(30, min=1, max=40),
    outputs=ipywidgets.IntSlider(8, min=1, max=40),
    walk=ipywidgets.FloatSlider(1.0, min=0.5, max=4, step=0.25, description="up / down"),
)

# %% [markdown]
# ## Where do they really cross?
#
# Counting says: at as many inputs as there are outputs. A clock may say something else, since a pass up does not cost the same as a pass
# down. Let us measure it.
#
# We need a function whose work does not depend on how many inputs it has. This one always does 24 steps, however many inputs there are. Each
# number is an array of 4,000, so that we measure arithmetic and not only overhead.

# %%
import time

outputs = 6


def mill(*xs):
    values = list(xs)
    for _ in range(24):
        values.append(np.sin(values[-1]) + 0.5 * values[-len(xs)])
    return values[-outputs:]


def by_columns(xs):
    units = np.eye(len(xs))[:, :, None] * np.ones(4_000)
    return [mg.jvp(mill, tuple(xs), tuple(u))[1] for u in units]


def by_rows(xs):
    _, pull_back = mg.vjp(mill, *xs)
    units = np.eye(outputs)[:, :, None] * np.ones(4_000)
    return [pull_back(list(w)) for w in units]


xs = np.linspace(0.1, 0.9, 3)[:, None] * np.ones(4_000)
columns, rows = np.array(by_columns(xs)), np.array(by_rows(xs))
print("columns:", columns.shape[:2], "  rows:", rows.shape[:2])
apart = np.abs(columns - rows.swapaxes(0, 1)).max()
says("largest difference of the two Jacobians: {:.0e}", apart, when=lambda d: d < 1e-14)

# %% [markdown]
# Both give the same Jacobian. Now the clock, for 1 to 24 inputs and always 6 outputs. Where will the lines cross: at 6, before, or after?
#
# {guess "At how many inputs will the lines cross?": inputs | crossing}


# %%
def milliseconds(jobs, rounds=5):
    """For each job the processor's time: the median of several rounds in which the jobs take turns."""
    times = np.empty((rounds, len(jobs)))
    for k in range(rounds):
        for j, job in enumerate(jobs):
            start = time.process_time()  # unlike the clock on the wall, it ignores other programs
            job()
            times[k, j] = 1000 * (time.process_time() - start)
    return np.median(times, axis=0)


counts = np.array([1, 4, 8, 12, 16, 20, 24])
points = [np.linspace(0.1, 0.9, n)[:, None] * np.ones(4_000) for n in counts]
jobs = [lambda xs=xs: by_columns(xs) for xs in points] + [lambda xs=xs: by_rows(xs) for xs in points]
forward, reverse = milliseconds(jobs).reshape(2, -1)

up, flat = np.polyfit(counts, forward, 1), np.polyfit(counts, reverse, 1)  # a straight line through each
crossing = (flat[1] - up[1]) / (up[0] - flat[0])
print(f"from {counts[0]} to {counts[-1]} inputs: columns take {forward[-1] / forward[0]:.1f} times as long, "
      f"rows {reverse[-1] / reverse[0]:.1f} times")  # fmt: skip
print(f"the lines cross at {crossing:.1f} inputs, for {outputs} outputs")

# %%
figure, axes = plots.canvas(7.5, 3.8)
axes.plot(counts, forward, "o-", color=plots.VERMILLION)
axes.plot(counts, reverse, "s-", color=plots.BLUE)
axes.axvline(crossing, color=plots.GREY, linestyle=":")
axes.set(xlabel=f"number of inputs, for {outputs} outputs", ylabel="milliseconds", xlim=(0, 29))
axes.set_ylim(0, None)
plots.label(axes, 24.4, forward[-1], "columns", plots.VERMILLION, va="center")
plots.label(axes, 24.4, reverse[-1], "rows", plots.BLUE, va="center")
plots.label(axes, crossing + 0.2, 0.9 * axes.get_ylim()[1], f"{crossing:.1f} inputs", plots.GREY)
plots.show(
    figure,
    f"The time for the whole Jacobian. From {counts[0]} to {counts[-1]} inputs it grows {forward[-1] / forward[0]:.0f} "
    f"times by columns, and {reverse[-1] / reverse[0]:.1f} times by rows. They cross at {crossing:.1f} inputs.",
)

# %% [markdown]
# The shape is as predicted: the time by columns is proportional to the number of inputs, and the time by rows depends on it much less. (It
# does depend on it a little: more inputs are more adjoints to add up and to return.) And the place? Suppose you had not measured the whole
# lines, but one pass down, one run that is recorded, and one pass up. Could you have predicted the crossing?

# %%
_, pull_back = mg.vjp(mill, *points[3])
rest = [np.zeros(4_000)] * (outputs - 1)
one_pass, one_run, one_up = milliseconds(
    [
        lambda: mg.jvp(mill, tuple(points[3]), tuple(np.eye(12)[0][:, None] * np.ones(4_000))),
        lambda: mg.vjp(mill, *points[3]),
        lambda: pull_back([np.ones(4_000), *rest]),
    ],
    20,
)
print(f"one pass down {one_pass:.2f} ms, one recorded run {one_run:.2f} ms, one pass up {one_up:.2f} ms")
print(f"predicted: {(one_run + outputs * one_up) / one_pass:.1f} inputs    measured: {crossing:.1f} inputs")

# %% [markdown]
# How close the two are depends on what else your computer does. The rule is: columns cost *inputs × a pass down*, rows cost *one recorded
# run and outputs × a pass up*. How expensive a pass up is, compared with a pass down, depends on the operations, and even more on the
# program that does it; lesson 08 makes both cheaper.
#
# When inputs and outputs differ greatly in number, none of this matters. A network may have a hundred thousand inputs, its weights, and one
# output, its loss. The package counts, and takes the short side:

# %%
for function, at in [(lambda x, y, z: x * y * z, (1.0, 2.0, 3.0)), (lambda x: (x, x * x, x**3), (2.0,))]:
    jacobian = mg.trace(function, *at).jacobian()
    rows, columns = jacobian.matrix.shape
    print(f"{columns} input(s), {rows} output(s): {jacobian.mode} mode, {len(jacobian.passes)} pass")

# %% [markdown]
# ## The cost in memory
#
# A forward pass may forget a row as soon as no later row reads it. And the pass up? It begins at the last row, and needs the values behind the partial derivatives of *every* row, back to the first: our `Scribe` keeps these partial derivatives themselves. They may not be discarded until the pass up has reached them. How many rows does the tape keep when the loop runs not twice but a hundred times?
#
# {guess: rows | kept[100]}


# %%
def often(x1, x2, turns):
    a = b = 0
    for _ in range(turns):
        a += x1 * x2
        b += x1 + x2
    return a, b


kept = {}
for turns in (2, 100, 10_000):
    tape = []
    often(Scribe(3.0), Scribe(4.0), turns)
    kept[turns] = len(tape)
    says("{:6,} turns: {:6,} rows kept", turns, kept[turns], when=lambda n, rows: rows == 4 * n + 2)

# %% [markdown]
# Reverse mode costs memory. Lesson 12 shows how to reduce that.
#
# ## Find the slips
#
# The thesis that we follow (Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*) prints
# the reverse table of `twice` at (3, 4) as its Figure 6, and the printed figure has slips: a row is labelled $x_1 + x_2$ where
# $x_1 \cdot x_2$ was computed, and adjoints stand beside lines that they do not belong to. It is an easy table to get wrong, and a hard one
# to proofread.
#
# We do not copy the figure here. This is *our* table with **three slips of the same kinds** that we made on purpose: for each row its
# formula, its value, and its adjoint in the pass from `a`.

# %%
printed = [
    ("x1 * x2", 12, 1),
    ("0 + v1", 12, 1),
    ("x1 + x2", 7, 0),
    ("0 + v3", 7, 0),
    ("x1 + x2", 12, 1),
    ("v2 + v5", 24, 0),
    ("x1 + x2", 7, 1),
    ("v4 + v7", 14, 0),
]

# %% [markdown]
# Two questions find slips without knowing the right table:
#
# 1. Does the formula of each row give its value?
# 2. Is each adjoint the sum of what the rows *below* pass up to it? (For outputs: the seed.)
#
# Write down the rows that fail, and the right entries. One wrong adjoint makes other rows fail as well: those that it was passed on to. So
# begin with the outputs, go up, and correct each entry before you go on. Then:

# %%
for slip in t.reverse("a").slips(printed):
    print(slip)
assert len(t.reverse("a").slips(printed)) == 3

# %% [markdown]
# The first fails question 1: $3 + 4$ is not 12. The other two fail question 2. Row 6 is `a` itself, the output that we start from, so its adjoint is the seed. And row 7 belongs to `b`, which does not reach `a`. The two entries were swapped.
#
# ## In five lines
#
# 1. The adjoint of a value says how many times as much the output changes, for a small change of this value. The output's own adjoint is 1: the seed.
# 2. Going up the table, each row passes its adjoint on to its inputs, times the partial derivative. Shares add up: `+=`.
# 3. One pass up gives one row of the Jacobian, for all inputs; with any weights $w$ it gives $w^\top J$, the vjp.
# 4. Few inputs: forward mode. Few outputs: reverse mode. Where they cross depends on the number of outputs and on what a pass up costs, compared with a pass down.
# 5. The pass up needs the values that partial derivatives are made of, from the whole run. Forward mode can forget, reverse mode must remember.
#
# ## The source
#
# - [minigrad_course/trace/derive.py](../minigrad_course/trace/derive.py): read `reverse_table` and `_contributions` now. They are our `pull`, with the formulas beside the numbers.
# - [minigrad/core/functional.py](../minigrad/core/functional.py): `vjp`, and `jacobian`, which counts the short side.
# - [minigrad_course/trace/printed_tables.py](../minigrad_course/trace/printed_tables.py): how a printed table is compared with the right one.
#
# ## The papers
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: both examples of this lesson; Figure 6 is its reverse trace table, with the slips.
# - S. Linnainmaa, *Taylor expansion of the accumulated rounding error* (1976): reverse mode, found while asking how much each rounding error contributes.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 3: what each mode costs, and the bound on a reverse pass.
#
# ## Your turn
#
# Exercise: [exercises/04_tracing_backwards](../exercises/04_tracing_backwards/04_tracing_backwards.ipynb). You fill in the column of adjoints, write the backward pass and `vjp`, and choose the cheaper mode.
#
# **Next: [5 · The computational graph](05_computational_graph.ipynb)**, where the table becomes a picture, and the backward pass has to find its own order.
