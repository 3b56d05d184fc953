# Lesson 03. What a reader has behind them: dual numbers and the derivative table (02), finite differences (01).
# Trace tables in one direction only; the backward pass is lesson 04, graphs as such are lesson 05.

# %% [markdown]
# # 3 · Tracing forwards: a table for every step
#
# **Before you read on.** A field is 3 m wide and 4 m long. Its width grows by 1 m an hour, and its length shrinks by 1 m an hour. How fast does its area grow at this moment?
#
# {guess: m² an hour | rates[0] / 2}

# %% [markdown]
# Keep your answer; the lesson comes back to it. Here is a program. It has two inputs, two outputs, and no formula in sight.

# %%
import numpy as np

import minigrad as mg
from minigrad_course.says import says
from minigrad_course.viz import plots


def twice(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b


twice(3.0, 4.0)

# %% [markdown]
# **Four numbers** say how small changes of the inputs at $(3, 4)$ act on both outputs. Which four, and how does a machine that only runs the loop find them?
#
# Lesson 02 gave you a number that does it, but you could not watch it at work. Now you follow the program line by line, in a table with one row for each value. By the end you can fill in such a table by hand for any program, and you know what one pass down the table tells you, and what takes another pass.
#
# *Time: about 40 minutes{first run}. Keep a pencil at hand: this lesson is full of tables.*

# %% [markdown]
# ## What did the program do?
#
# Not what it *says*: what did it *do*, this time, for these inputs? List every single multiplication and addition, in order, and give each result a name: $v_1, v_2, \dots$ How many names will you need?
#
# {guess "How many names will you need?": names | sum(row.name.startswith("v") for row in t.forward())}

# %%
t = mg.trace(twice, 3.0, 4.0)

for row in t.forward():
    print(f"{row.source or row.label:14s} {row.primal}")

# %% [markdown]
# Eight. Two turns of the loop, two lines in each, two operations in each line: `a += x1 * x2` multiplies *and* adds.
#
# This list is called the [trace](glossary.ipynb#Trace) of the program:
#
# - The loop is gone. It was *unrolled*: what ran twice is listed twice.
# - The variable `a` is gone. It held 0, then 12, then 24, and each of these is a value of its own: `0`, $v_2$, $v_6$.
# - Below the two inputs, every row is **one** operation, and each value is computed once and never changes again.
#
# The values are called the [primal](glossary.ipynb#Primal) values, to distinguish them from the derivatives that come next.

# %% [markdown]
# ## A second column
#
# Let `x1` move with speed 1, while `x2` stands still. Then every value in the table moves with some speed of its own. We write the speed of $v$ as $\dot v$: it is the [tangent](glossary.ipynb#Tangent) of lesson 02. Where to start is a choice, called the [seed](glossary.ipynb#Seed). Here it is $\dot x_1 = 1$, $\dot x_2 = 0$.
#
# After that there is nothing left to choose. Each row is one operation, and the derivative table has a rule for it:
#
# | the row | its tangent |
# |---|---|
# | $v = p + q$ | $\dot v = \dot p + \dot q$ |
# | $v = p \cdot q$ | $\dot v = q\,\dot p + p\,\dot q$ |
#
# Take your pencil. Draw three columns: line, value, tangent. The first rows are
#
# | program line | primal | tangent |
# |---|---|---|
# | input | $x_1 = 3$ | $\dot x_1 = 1$ |
# | input | $x_2 = 4$ | $\dot x_2 = 0$ |
# | `a += x1 * x2` | $v_1 = x_1 x_2 = 12$ | $\dot v_1 = x_2\,\dot x_1 + x_1\,\dot x_2 = 4\cdot1 + 3\cdot0 = 4$ |
#
# Continue down to $\dot v_8$. What does the table say about `a`, and what about `b`?

# %%
t.forward("x1")

# %% [markdown]
# This is a **forward trace table**. The last rows of `a` and `b` hold the answer to the question that the seed asked:
#
# $$\dot v_6 = \frac{\partial a}{\partial x_1} = 8 \qquad\qquad \dot v_8 = \frac{\partial b}{\partial x_1} = 2$$
#
# Both outputs from one pass. A rule that needs a value finds it in the column to the left: $\dot v_5 = x_2\,\dot x_1 + x_1\,\dot x_2$ reads $x_1$ and $x_2$. So both columns can be filled in together, row by row, and a row can be dropped as soon as no later row reads it.
#
# Here is the same run in linked views. Step with the arrow keys, or point at anything with the mouse: what belongs together is highlighted together. Open the graph with its button: which boxes belong to the line `a += x1 * x2`?

# %%
mg.explore(twice, 3.0, 4.0, mode="forward")

# %% [markdown]
# ## You have done this before
#
# In lesson 02 a dual number went through a function with its tangent. What will this line print?

# %%
print(*twice(mg.Dual(3.0, 1.0), mg.Dual(4.0, 0.0)), sep="   ")

# %% [markdown]
# The same numbers. A dual number computes the columns of values and tangents, and forgets each row as soon as it is no longer needed. The table is a record of what the dual number did.
#
# Let us write such a record ourselves. A `Scribe` is a number that adds a row to the record whenever it takes part in an operation. Each row holds the value, and from which earlier rows it was computed, each with its **partial derivative**: for $v = p\cdot q$ that is $q$ for $p$, and $p$ for $q$.


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
# Two inputs and eight operations: ten rows. `twice` ran once, and everything worth knowing about this run is in the list, the *tape*. Now fill in the second column. Going down the tape, the tangent of each row is
#
# $$\dot v \;=\; \sum_{\text{inputs of the row}} \text{partial derivative} \cdot \text{tangent of the input}$$
#
# and the tangents of the program's inputs are the seed.


# %%
def push(tape, seed):
    tangent = {}
    for row in tape:
        tangent[row] = seed.get(row, 0.0)
        for earlier, partial in row.made_of:
            tangent[row] += partial * tangent[earlier]
    return tangent


tangent = push(tape, {x1: 1.0})
assert (tangent[a], tangent[b]) == (8, 2)
print([tangent[row] for row in tape])
print("a:", tangent[a], "  b:", tangent[b])

# %% [markdown]
# Six lines, and the whole column of tangents is there.
#
# ## Another question, another pass
#
# What about `x2`? The values and the partial derivatives stay as they are. Only the seed changes: $\dot x_1 = 0$, $\dot x_2 = 1$. With your pencil: what are $\dot v_1$, $\dot v_6$ and $\dot v_8$ now?

# %%
t.forward("x2")

# %% [markdown]
# $\partial a/\partial x_2 = 6$ and $\partial b/\partial x_2 = 2$. Together with 8 and 2 these are the four numbers. They form a matrix with a row for each output and a column for each input, the [Jacobian](glossary.ipynb#Jacobian).
#
# $$J = \begin{pmatrix} \partial a/\partial x_1 & \partial a/\partial x_2 \\ \partial b/\partial x_1 & \partial b/\partial x_2 \end{pmatrix}$$
#
# Which part of it does one pass fill?

# %%
t.jacobian("forward")

# %% [markdown]
# **One pass, one column.** A column answers the question "what if only this input moves?", for all outputs at once.
#
# To see what the columns mean, think of the inputs as a point in a plane, and of the outputs as a point in another plane. The next program takes a distance and an angle, and returns a point. What happens to a square of inputs?


# %%
from minigrad_course.viz.pictures_of_jacobians import moved_square


def polar(x1, x2):
    return x1 * np.cos(x2), x1 * np.sin(x2)


moved_square(polar, (2.0, 0.5), mg.trace(polar, 2.0, 0.5).jacobian("forward").matrix, step=0.6)

# %% [markdown]
# The filled shape is what the Jacobian predicts: its sides are the two columns, times 0.6. The dotted outline is where the square really goes. Along the blue side they agree all the way, because `polar` is linear in the distance. The side that belongs to the angle bends away, like a circle from its tangent: the farther from the corner, the wider the gap. A derivative describes small steps.
#
# *This is a good place to stop for today.*
#
# ## Any direction will do
#
# A seed need not be a single input. Let $x_1$ increase with speed 1 and $x_2$ decrease with speed 1, as in the field. What will $\dot a$ and $\dot b$ be?

# %%
values, rates = mg.jvp(twice, (3.0, 4.0), (1.0, -1.0))
print("values:  ", values)
print("tangents:", rates)

# %% [markdown]
# $8 - 6 = 2$, and $2 - 2 = 0$. One pass with the seed $u$ gives the product $J u$. That is why it is called `jvp`, the [Jacobian-vector product](glossary.ipynb#jvp). It never computes $J$ itself.
#
# Now the field: `a` is twice its area, and `b` its perimeter. So the area grows by 1 m² an hour at this moment. Did you have 0, because one side grows as fast as the other shrinks? That holds for the perimeter. Or 0, because an hour later the field is 4 m by 3 m, with the same area? Over an hour the growth turns into shrinking: a derivative describes small steps.
#
# Can you find a direction in which `a` does not change? Solve $8\,u_1 + 6\,u_2 = 0$, insert your numbers, and check with a pass.

# %%
mg.jvp(twice, (3.0, 4.0), (3.0, -4.0))[1]

# %% [markdown]
# ## The table knows this run, and no other
#
# A branch that was taken is a row like any other; one that was not taken is not there. This function is $x^2$, written by somebody who knew a shortcut for 3. As a function it is right for every number:


# %%
def square(x):
    if x == 3:
        return 3 * x
    return x * x


print([square(x) for x in (1.0, 2.0, 2.999, 3.0, 3.001)])

# %% [markdown]
# The derivative of $x^2$ at 3 is 6. What does the trace say?

# %%
mg.trace(square, 3.0).forward()

# %% [markdown]
# **Three**, and no error. The row says why: `decided: true`. The condition itself has no tangent, and the multiplication that ran has the slope 3. A trace records what happened at this very point; it cannot know what happens close by. A finite difference sees it:

# %%
h = 1e-6
says("by the trace:            {}", mg.derivative(square, 3.0), when=lambda d: d == 3)
says("by a central difference: {:.6f}", (square(3.0 + h) - square(3.0 - h)) / (2 * h), when=lambda d: abs(d - 6) < 1e-6)

# %% [markdown]
# Nobody needs this shortcut, but people do write `if x == 0: return 0`. There the result no longer depends on $x$ at all: a dual number says 0, and `mg.trace` stops with an error.

# %% [markdown]
# ## A table filled in by hand
#
# Somebody filled in the table for the seed `x1`: the formula of each row, its value, its tangent. There are **two** mistakes in it. Find them without looking above. How many entries are wrong, after two mistakes?
#
# {guess: entries | len(wrong)}

# %%
by_hand = [
    ("x1 * x2", 12, 4),
    ("0 + v1", 12, 4),
    ("x1 + x2", 7, 7),
    ("0 + v3", 7, 7),
    ("x1 * x2", 12, 3),
    ("v2 + v5", 24, 7),
    ("x1 + x2", 7, 1),
    ("v4 + v7", 14, 8),
]

wrong = t.forward("x1").slips(by_hand)
for slip in wrong:
    print(slip)
assert len(wrong) == 5

# %% [markdown]
# Five wrong entries from two mistakes. In row 3 the *value* was copied into the column of tangents. In row 5 the wrong factor was used: $x_1\dot x_1$ instead of $x_2\dot x_1$. Rows 4, 6 and 8 follow correctly from wrong rows. One slip spreads to everything computed from it, so look for the **first** row that does not follow from the rows above it.

# %% [markdown]
# ## Many outputs, one input: where forward mode shines
#
# Now something larger. Throw a ball, with air resistance. The program takes the angle and returns the whole flight: 60 points, so 120 outputs. There is one input. How many passes will it take to know how *every point of the flight* changes with the angle?


# %%
def throw(angle, steps=60, dt=0.03):
    vx, vy = 12 * np.cos(angle), 12 * np.sin(angle)
    x = y = 0.0
    flight = []
    for _ in range(steps):
        drag = 0.05 * np.sqrt(vx * vx + vy * vy)
        vx, vy = vx - dt * drag * vx, vy - dt * (drag * vy + 9.81)
        x, y = x + dt * vx, y + dt * vy
        flight += [x, y]
    return flight


flight, column = mg.jvp(throw, (0.9,), (1.0,))
says("{} outputs, {} derivatives from 1 pass", len(flight), len(column), when=lambda n, m: n == m == 120)
print(len(mg.trace(throw, 0.9).forward()), "rows in the table")

# %% [markdown]
# The 120 derivatives are a column that we can plot. Each is drawn as an arrow: where would this point go if the angle grew by 0.1? Before you look: is there a place where the *curve* hardly changes?

# %%
x, y = np.reshape(flight, (-1, 2)).T
dx, dy = 0.1 * np.reshape(column, (-1, 2)).T
steeper = np.reshape(throw(1.0), (-1, 2)).T

figure, axes = plots.canvas(7.5, 4.2)
axes.plot(x, y, color=plots.BLUE)
axes.plot(*steeper, ":", color=plots.GREY)
arrows = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.004}
axes.quiver(x[::4], y[::4], dx[::4], dy[::4], color=plots.VERMILLION, **arrows)
axes.set(xlabel="metres", ylabel="metres", aspect="equal", ylim=(-2, 5.5))
plots.label(axes, x[-1] + 0.1, y[-1] + 0.3, "angle 0.9", plots.BLUE)
plots.label(axes, 4.8, 4.1, "angle 1.0, thrown to compare", plots.GREY, ha="center")
plots.show(
    figure,
    "A ball's flight, and the arrows of one forward pass: small at the start, then up and back. "
    "Their tips lie close to the flight at a slightly larger angle.",
)

# %% [markdown]
# The arrows come from the first throw alone. Their tips lie almost on the second one. Close to where the two flights cross, the arrow points along the flight: the ball is elsewhere at that moment, but the curve goes through the same place.
#
# ## What does a pass cost?
#
# A pass fills in two columns instead of one: beside each addition there is one more addition, beside each multiplication there are two more multiplications and an addition. The next cell counts these signs in the table. And it measures: to see arithmetic and not Python's overhead, it throws 20,000 balls at once, in arrays. How many times as long as a plain run will a pass take?
#
# {guess: times | np.median(ratios)}

# %%
from time import process_time  # the processor's time for us, whatever else the computer does

angles = np.linspace(0.2, 1.3, 20_000)
ones = np.ones_like(angles)


rounds = []
for _ in range(10):
    for job in (lambda: throw(angles), lambda: mg.jvp(throw, (angles,), (ones,))):
        start = process_time()
        job()
        rounds.append(process_time() - start)
plain, one_pass = np.reshape(rounds, (-1, 2))[1:].T  # a first round does not count
ratios = one_pass / plain

rows = [row for row in mg.trace(throw, 0.9).forward("angle") if row.name.startswith("v")]
more = sum(row.derivative_formula.count(sign) for row in rows for sign in ("·", "+", "/", " - "))
print(f"counted:  {len(rows)} operations, and {more} more for the tangents: {1 + more / len(rows):.1f} times as many")
print(f"measured: {1000 * np.median(plain):.1f} and {1000 * np.median(one_pass):.1f} ms: ", end="")
print(f"{np.median(ratios):.1f} times as long, from {ratios.min():.1f} to {ratios.max():.1f}")

# %% [markdown]
# A small factor, whatever the number of outputs: with 120 or with 12,000, it is one pass down, one column. Where the clock says more than the count, look at what is done around each operation: rules are looked up, and arrays are made.
#
# And with 784 inputs? Then there are 784 columns, and one output is a single row, each of whose entries costs a whole pass. But all the values are in the table, the partial derivatives too, and at the bottom there is one output. **What if we read the table from the bottom up?** That is lesson 04.

# %% [markdown]
# ## In five lines
#
# 1. A trace is what a program did this time: one row for each operation, loops unrolled, branches decided.
# 2. A second column holds the tangents: partial derivative times tangent, summed over the inputs of the row. The seed is the only choice.
# 3. One pass fills one column of the Jacobian, for all outputs; with any seed $u$ it gives $J u$, the jvp.
# 4. A pass takes a few times as long as a plain run, whatever the number of outputs. $n$ inputs need $n$ passes.
# 5. The table describes this run only: a shortcut in a branch can have the right value and the wrong slope.
#
# ## Read on
#
# - The source: in [minigrad_course/trace/tracer.py](../minigrad_course/trace/tracer.py), `trace` notes each operation, as our `Scribe` does. In [minigrad_course/trace/derive.py](../minigrad_course/trace/derive.py), `forward_table` is our `push`.
# - Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: the program `twice` at (3, 4), and this table as its Figure 5.
# - R. E. Wengert, *A simple automatic derivative evaluation program* (1964): where the list of named steps comes from.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapters 2 and 3: evaluation traces, and what a tangent costs.
#
# **Exercise:** [exercises/03_tracing_forwards](../exercises/03_tracing_forwards/03_tracing_forwards.ipynb). You fill in the blanks of a table, write the pass down a tape, and build a Jacobian column by column.
#
# **Next: [4 · Tracing backwards](04_tracing_backwards.ipynb)**: the same table, read upwards.
