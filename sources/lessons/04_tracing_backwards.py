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
# It can (networks know it as *backpropagation*), and by the end of this lesson you will have done it on paper, from the bottom row up. You will know which direction is cheaper for
# which function, and you will have measured how many inputs it takes for one to overtake the other.
#
# *Time: about 30 minutes{first run}. You need a pencil again.*

# %% [markdown]
# **Before you read on.** Somebody orders 4 cakes. A cake takes 3 portions of dough, and a portion of dough takes 2 eggs, 5 spoons of sugar, and
# so on: ten ingredients, each in another amount. When an egg gets a cent dearer, the order costs $2\cdot3\cdot4 = 24$ cents more. You want to
# know this for each of the ten.
#
# {guess "How few multiplications are enough for all ten?": multiplications | fewest}

# %%
import time

import numpy as np

import minigrad as mg
from minigrad_course.measure import in_turns
from minigrad_course.says import says
from minigrad_course.viz import plots

# %% [markdown]
# ## From the order back
#
# From the egg on, it takes two multiplications: how much more does a portion cost, then a cake, then the order? Each of the other nine
# ingredients takes two of its own. Begin at the other end. *The order is what matters. When a **portion of dough** gets a cent dearer, how much
# more does the order cost?* This number serves all ten.

# %%
amounts = [2, 5, 11, 3, 8, 4, 6, 7, 9, 10]  # eggs, sugar, and so on, in a portion
dough = 4 * 3
print("cents for the order:", [dough * amount for amount in amounts])
fewest = 1 + len(amounts)
print(f"{fewest} multiplications from the order back, and {2 * len(amounts)} from each ingredient on")

# %% [markdown]
# The 12 is called the [adjoint](glossary.ipynb#Adjoint) of the dough: *when **this** value changes a little, how many times as much does the
# output change?* The adjoint of a value $v$ is written $\bar v$. Here is a program of two lines. What do `v2` and `v3` hold, at $v_0 = 4$ and
# $v_1 = 3$?


# %%
def small(v0, v1):
    v2 = 5 * v1
    v3 = v2 * v0
    return v3


small(4.0, 3.0)

# %% [markdown]
# 15 and 60. You can ask for the adjoint of a value in the middle of a program without knowing where it came from. Take $v_2$, and change it
# from outside, in the middle of the run:


# %%
def small_nudged(v0, v1, nudge):
    v2 = 5 * v1 + nudge
    v3 = v2 * v0
    return v3


h = 0.001
change = small_nudged(4.0, 3.0, h) - small_nudged(4.0, 3.0, 0.0)
print(f"v3 changes by {change:.6f}, which is {change / h:.3f} times as much as v2")

# %% [markdown]
# So $\bar v_2 = \partial v_3/\partial v_2 = 4$: the last line multiplies by $v_0 = 4$, however `v2` was computed. And $\bar v_3$ is 1, since
# $v_3$ changes by as much as itself. This is the [seed](glossary.ipynb#Seed), and now we go **up**. Each row passes its adjoint on to its
# inputs, times the partial derivative:
#
# | program line | what is passed up |
# |---|---|
# | `v3 = v2 * v0` | $\bar v_2 = \bar v_3 \cdot v_0 = 1\cdot4 = 4$ |
# | | $\bar v_0 = \bar v_3 \cdot v_2 = 1\cdot15 = 15$ |
# | `v2 = 5 * v1` | $\bar v_1 = \bar v_2 \cdot 5 = \;?$ |
#
# Fill in the last one, and compare with the machine's table. Its values are read downwards, its adjoints upwards, from the seed at the bottom.

# %%
mg.trace(small, 4.0, 3.0).reverse()

# %% [markdown]
# 15 and 20: the derivatives with respect to **both** inputs, from one pass up. Forward mode needs two passes for them:

# %%
for seed in [(1.0, 0.0), (0.0, 1.0)]:
    print(f"forward pass with seed {seed}: {mg.jvp(small, (4.0, 3.0), seed)[1]}")

# %% [markdown]
# This is [reverse mode](glossary.ipynb#Reverse-mode). It needs the values of the run, here the 15 and the 4. So the run comes first, down the
# table, and only then the pass up: the *backward pass*.
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
# | `b += x1 + x2` | $v_8$, $v_7$ | nothing: they do not reach `a` |
# | `a += x1 * x2` | $v_6 = v_2 + v_5$ | $\bar v_2 = \bar v_6 = 1$, and $\bar v_5 = \bar v_6 = 1$ |
# | | $v_5 = x_1 x_2$ | $\bar x_1 = \bar v_5 \cdot x_2 = 4$, and $\bar x_2 = \bar v_5 \cdot x_1 = 3$ |
# | `b += x1 + x2` | $v_4$, $v_3$ | nothing |
# | `a += x1 * x2` | $v_2 = 0 + v_1$ | $\bar v_1 = \bar v_2 = 1$ |
# | | $v_1 = x_1 x_2$ | and now? |
#
# The row $v_1$ has $\bar v_1 \cdot x_2 = 4$ to pass on to $x_1$. But $\bar x_1$ is already 4. Which of these is right: keep the old 4, replace
# it by the new 4, or add them?

# %%
t.reverse("a")

# %% [markdown]
# They add up: `a` depends on $x_1$ along two paths, once through $v_1$ and once through $v_5$. Each path contributes a share of the derivative,
# and $4 + 4 = 8$. In the table this is written `+=`. So four points say all of reverse mode:
#
# - **Seed**: the adjoint of the output is 1.
# - **Order**: a row's turn comes when all rows that use it have had theirs.
# - **Go back**: from the last row to the first, each row $v = f(p, q)$ passes on a share to each of its inputs.
# - **Add up**: $\quad\bar p \mathrel{+}= \bar v\cdot\dfrac{\partial f}{\partial p} \qquad \bar q \mathrel{+}= \bar v\cdot\dfrac{\partial f}{\partial q}$
#
# Step through it yourself: eight steps down, then up, once from `a` and once from `b`. At which step does the 4 in $\bar x_1$ become 8? If you
# like, turn on the switch *= instead of +=* and go through it again.

# %%
mg.explore(twice, 3.0, 4.0)

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
# For the pass up, two things change: the order, and which of the two rows receives.


# %%
def pull(tape, weights):
    adjoint = {row: weights.get(row, 0.0) for row in tape}  # seed
    for row in reversed(tape):  # order: go back
        for earlier, partial in row.made_of:
            adjoint[earlier] += partial * adjoint[row]  # add up
    return adjoint


adjoint = pull(tape, {a: 1.0})
says("x1: {}   x2: {}", adjoint[x1], adjoint[x2], when=lambda *both: both == (8, 6))

# %% [markdown]
# 8 and 6, in five lines, from a program that ran once.
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
# Downwards, the rows at the top pass on their adjoint before anything has arrived there: zero. Going up the tape, all rows that use a value have
# had their turn, because they are below it. And `=` keeps only the last share. There is no error in either case, just wrong numbers.
#
# This is a good place to stop for today. You have all of reverse mode; what follows is about several outputs, and about cost.
#
# ## A row of the Jacobian
#
# One pass up from `a` gave $\partial a/\partial x_1$ and $\partial a/\partial x_2$. From `b` the values and partial derivatives are the same,
# only the seed changes: $\bar v_6 = 0$, $\bar v_8 = 1$. Each line `b += x1 + x2` passes a share of 1 to each input, so the result is 2 and 2.
# The [Jacobian](glossary.ipynb#Jacobian) is filled in the other way round:

# %%
t.jacobian("reverse")

# %% [markdown]
# **One pass up, one row.** In forward mode it was: one pass down, one column. The matrix is the same; there are two ways to fill it in.
#
# The seed need not be a single 1. Put $\bar v_6 = 10$ and $\bar v_8 = 1$. The adjoints of the inputs are then the derivatives of the sum
# $10\,a + b$. `mg.vjp` runs the function once, and returns its value and a function that does the backward pass, as often as you like.
#
# {guess "What will the adjoint of x1 be, with the weights 10 for a and 1 for b?": | x1_bar}

# %%
value, pull_back = mg.vjp(twice, 3.0, 4.0)
x1_bar, x2_bar = pull_back((10.0, 1.0))
says("adjoints of x1 and x2: {} and {}", x1_bar, x2_bar, when=lambda *both: both == (82, 62))

# %% [markdown]
# $10\cdot8 + 2 = 82$ and $10\cdot6 + 2 = 62$. The weights on the outputs are called a [cotangent](glossary.ipynb#Cotangent) $w$, and one pass
# up gives $w^\top J$: the [vector-Jacobian product](glossary.ipynb#vjp), or `vjp`. Forward mode gave $J\,u$, the `jvp`. Neither computes $J$
# itself.
#
# The two are connected. Take any direction $u$ and any weights $w$. Then $w^\top (J u)$ and $(w^\top J)\,u$ are the same; only the brackets
# differ. One is computed down the table, the other up.

# %%
rng = np.random.default_rng(4)
u, w = rng.normal(size=2), rng.normal(size=2)
tangent = mg.jvp(twice, (3.0, 4.0), tuple(u))[1]
adjoint = pull_back(tuple(w))
print("down the table:", np.dot(w, tangent))
print("up the table:  ", np.dot(adjoint, u))
assert np.isclose(np.dot(w, tangent), np.dot(adjoint, u), rtol=1e-14)

# %% [markdown]
# Two programs that have little in common agree, except perhaps in the last digit. That makes a good check. Lesson 07 turns it into a test.
#
# ## Which mode is cheaper?
#
# A long computation is a chain of steps, each with a Jacobian of its own, and $J$ is their product: $J = J_3\,J_2\,J_1$.
#
# $$J u = J_3\,(J_2\,(J_1\,u)) \qquad\qquad w^\top J = ((w^\top J_3)\,J_2)\,J_1$$
#
# In both, a vector is multiplied by a matrix, again and again. The whole of $J$ takes as many vectors $u$ as there are inputs, or as many
# vectors $w$ as there are outputs. So **count the short side**: 784 inputs and one output need one $w$. One input and 120 outputs, as for the
# ball of lesson 03, need one $u$. With the cakes you counted in the same way: ten inputs, one output.

# %%
from minigrad_course.viz.pictures_of_jacobians import mode_costs

mode_costs(inputs=30, outputs=8)

# %% [markdown]
# Counting says: they cost the same at as many inputs as there are outputs. A clock may say something else, since a pass up does not cost the
# same as a pass down. We need a function whose work does not depend on how many inputs it has. This one always does 24 steps. Each number is an
# array of 4,000, so that we measure arithmetic and not only overhead.

# %%
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
apart = np.abs(columns - rows.swapaxes(0, 1)).max()
says("largest difference of the two Jacobians: {:.0e}", apart, when=lambda d: d < 1e-14)

# %% [markdown]
# Both give the same Jacobian. Now the clock, for 1 to 24 inputs and always 6 outputs.
#
# {guess "At how many inputs will the lines cross?": inputs | crossing}

# %%
counts = np.array([1, 4, 8, 12, 16, 20, 24])
points = [np.linspace(0.1, 0.9, n)[:, None] * np.ones(4_000) for n in counts]
jobs = [lambda xs=xs: by_columns(xs) for xs in points] + [lambda xs=xs: by_rows(xs) for xs in points]
times = in_turns(jobs, 5, clock=time.process_time)  # unlike the clock on the wall, it ignores other programs
forward, reverse = 1000 * np.median(times, axis=0).reshape(2, -1)

up, flat = np.polyfit(counts, forward, 1), np.polyfit(counts, reverse, 1)  # a straight line through each
crossing = (flat[1] - up[1]) / (up[0] - flat[0])
print(f"the lines cross at {crossing:.1f} inputs, for {outputs} outputs")

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
# Compare the shape with the prediction: by columns the passes grow in number with the inputs, and by rows they do not. Columns cost
# *inputs × a pass down*; rows cost *one recorded run and outputs × a pass up*. How expensive a pass up is, compared with a pass down, depends
# on the operations, and even more on the program that does it; lesson 08 makes a pass up cheaper.
#
# When inputs and outputs differ greatly in number, none of this matters. A network may have a hundred thousand inputs, its weights, and one
# output, which says how wrong it is.
#
# ## The cost in memory
#
# A forward pass may forget a row as soon as no later row reads it. The pass up begins at the last row, and needs the values behind the partial
# derivatives of *every* row, back to the first: our `Scribe` keeps these partial derivatives themselves. They may not be discarded until the
# pass up has reached them.
#
# {guess "How many rows does the tape keep when the loop runs not twice but a hundred times?": rows | kept[100]}


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

# %% [markdown]
# ## In five lines
#
# 1. The adjoint of a value says how many times as much the output changes, for a small change of this value. The output's own adjoint is 1: the seed.
# 2. Going up the table, each row passes its adjoint on to its inputs, times the partial derivative. Shares add up: `+=`.
# 3. One pass up gives one row of the Jacobian, for all inputs; with any weights $w$ it gives $w^\top J$, the vjp.
# 4. Few inputs: forward mode. Few outputs: reverse mode. Where they cross depends on the number of outputs and on what a pass up costs, compared with a pass down.
# 5. The pass up needs the values that partial derivatives are made of, from the whole run. Forward mode can forget, reverse mode must remember.
#
# ## Your turn
#
# Exercise: [exercises/04_tracing_backwards](../exercises/04_tracing_backwards/04_tracing_backwards.ipynb). You fill in the column of adjoints, write the backward pass and `vjp`, and choose the cheaper mode.
#
# **Next: [5 · The computational graph](05_computational_graph.ipynb)**, where the table becomes a picture, and the backward pass has to find its own order.

# %% [markdown]
# ## Further

# %% [markdown]
# **Costs to move.** What happens to the crossing when a pass up costs as much as 3 passes down?

# %%
import ipywidgets

ipywidgets.interactive(
    mode_costs,
    inputs=ipywidgets.IntSlider(30, min=1, max=40),
    outputs=ipywidgets.IntSlider(8, min=1, max=40),
    walk=ipywidgets.FloatSlider(1.0, min=0.5, max=4, step=0.25, description="up / down"),
)

# %% [markdown]
# It moves from 8 inputs to 24.
#
# **Find the slips.** Nicolaisen's thesis (D, below) prints the reverse table of `twice` at (3, 4) as its Figure 6, and the printed figure has slips:
# a row is labelled $x_1 + x_2$ where $x_1 \cdot x_2$ was computed, and adjoints stand beside lines that they do not belong to. We do not copy
# the figure here. This is *our* table with **three slips of the same kinds** that we made on purpose: for each row its formula, its value, and
# its adjoint in the pass from `a`. Does the formula of each row give its value? Is each adjoint the sum of what the rows *below* pass up to it
# or, for outputs, the seed? One wrong adjoint makes others fail as well. So begin with the outputs, go up, and correct each entry before you go
# on.

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
# And the machine's list:

# %%
for slip in t.reverse("a").slips(printed):
    print(slip)
assert len(t.reverse("a").slips(printed)) == 3

# %% [markdown]
# $3 + 4$ is not 12. Row 6 is `a` itself, the output that we start from, so its adjoint is the seed. And row 7 belongs to `b`, which does not
# reach `a`. The two entries were swapped.
#
# **The source.**
#
# - [minigrad_course/trace/derive.py](../minigrad_course/trace/derive.py): `reverse_table` and `_contributions` are our `pull`, with the formulas beside the numbers.
# - [minigrad/core/functional.py](../minigrad/core/functional.py): `vjp`, and `jacobian`, which counts the short side.
# - [minigrad_course/trace/printed_tables.py](../minigrad_course/trace/printed_tables.py): how a printed table is compared with the right one.
#
# **The papers.**
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: both programs of this lesson; Figure 6 is its reverse trace table, with the slips.
# - S. Linnainmaa, *Taylor expansion of the accumulated rounding error* (1976): reverse mode, found while asking how much each rounding error contributes.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 3: what each mode costs, and the bound on a reverse pass.
