# Lesson 05. What a reader has behind them: the slope (01), dual numbers (02), trace tables and adjoints (03, 04).
# Single numbers come first; a row of numbers appears once, in the measurement. The network at the end is a first taste.

# %% [markdown]
# # 5 · The computational graph: a computation that remembers
#
# In [lesson 04](04_tracing_backwards.ipynb) you went through a table from the last line up to the first, and had the derivative with respect
# to every input in one pass. A program of many functions keeps no such table. But each number can remember what it was made of.
#
# - **What is the least that a number must remember, so that we can go backwards?**
# - **What goes wrong if the backward pass is a little careless?** There will be no error. The numbers will be wrong.
#
# By the end you will have written a backward pass (*backpropagation*), broken each of its rules, and trained a small network with it.
#
# *Time: about 35 minutes{first run}.*

# %% [markdown]
# **Before you read on.** A rectangle has the sides $a = 3x$ and $b = a + x$. At $x = 2$ they are 6 and 8 long. Now $x$
# grows by two thousandths. By how many thousandths does the area grow, nearly?
#
# {guess: thousandths | 2 * growth}

# %%
import inspect
import time

import numpy as np

import minigrad as mg
from minigrad_course import minigrad_in_a_page as page
from minigrad_course.parsons import Derivation
from minigrad_course.says import says
from minigrad_course.viz import plots

# %% [markdown]
# ## The rectangle as a graph
#
# Here is its area, with a $y$ in place of the 3. `x` is used twice, and so is `a`:
#
# $$a = x\,y \qquad b = a + x \qquad f = a\,b$$

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
a = x * y
b = a + x
f = a * b
a.name, b.name, f.name = "a", "b", "f"
mg.draw(f)

# %% [markdown]
# *The graph of f = a b with a = x y and b = a + x, at x = 2 and y = 3. Arrows lead from inputs to what is computed from them.*
#
# This is a [computational graph](glossary.ipynb#Computational-graph). Each box is a [node](glossary.ipynb#Node), and it already has a value:
# writing down the expression computed it. There are three kinds:
#
# | kind | what it holds |
# |---|---|
# | `Constant` | data |
# | `Variable`, with square corners | what we differentiate with respect to |
# | `Operator`, with round corners | the result of an operation on other nodes |
#
# In what order will the nodes come?

# %%
graph = mg.Graph(f)
for node in graph.nodes:
    print(f"{type(node).__name__:9s} {node.name}  {node.value:g}")

# %% [markdown]
# Each node comes after everything that it needs. Read as lines, this *is* a trace table, as in lesson 04.
#
# An operator remembers its operation, `f.op`, and its inputs, `f.inputs`, which are nodes. If that is enough, we can reconstruct the whole
# formula from the last node alone.


# %%
def formula(node):
    if node.op is None:
        return node.name
    return f"{node.op.name}({', '.join(formula(x) for x in node.inputs)})"


formula(f)

# %% [markdown]
# Nothing was lost. **An operation and its inputs are enough**, if values are kept as well, or computed again. Put another number into `x`.
# What is `f.value` right after that?

# %%
x.value = 3.0
print("after the change: ", f.value)
print("after forward:    ", graph.forward())
x.value = 2.0
print("and back again:   ", graph.forward())

# %% [markdown]
# Changing an input changes nothing else. `forward` goes through the list, and computes each operator again.
#
# ## Going back by hand
#
# Every node has an [adjoint](glossary.ipynb#Adjoint), $\bar v = \partial f / \partial v$: when this number changes a little, how many times
# as much does $f$ change? As in lesson 04, four points say how all of them are computed.
#
# - **Seed**: the adjoint of the output is 1.
# - **Order**: a node waits until all of its shares have arrived.
# - **Go back**: from the output to the inputs, each node passes a share to each of its inputs.
# - **Add up**: the shares that arrive at a node are added.
#
# $$\overline{\text{input}} \mathrel{+}= \overline{\text{node}} \cdot \frac{\partial\,\text{node}}{\partial\,\text{input}}$$
#
# A product passes on the other factor, a sum passes on 1. Put the lines into an order that works: by the buttons, or in a cell of your own, by
# `order(8, 3)` and so on.

# %%
order = Derivation("05")
order

# %% [markdown]
# Several orders are right. Go through yours with $x = 2$ and $y = 3$, on paper. Which adjoints do $a$, $x$ and $y$ have in the end?
#
# ## Your backward pass
#
# Now for any graph. The partial derivatives are those of the table that dual numbers use, too:


# %%
def partial(node, i):
    """The derivative of a node with respect to its input i, at the values that the node remembers."""
    return node.op.partial(i, node.value, *[x.value for x in node.inputs])


for op in (mg.rules.mul, mg.rules.add):
    print(f"{op.name}:  v = {op.expression}    partial derivatives {' and '.join(op.partials)}")

# %% [markdown]
# The backward pass has three rules, and each looks harmless: the order, adding up, and the reset, since a new pass must start from zero. In
# the next cell each of them is one line. Type the function into a cell of your own, and run that: it is what trains every network.

# %%
adjoint = {}
met = [x, y, b, a, f]  # the nodes as one meets them, on the way back from f


def backward(output):
    nodes = met
    nodes = mg.topological_order(output)  # rule 1, order: inputs come first
    adjoint.clear()  # rule 3, reset: start from zero
    adjoint[output] = 1.0  # seed
    for node in reversed(nodes):  # go back
        for i, v in enumerate(node.inputs):
            share = adjoint[node] * partial(node, i)
            share += adjoint.get(v, 0.0)  # rule 2, add up
            adjoint[v] = share


backward(f)
backward(f)
growth = adjoint[x]
{node.name: float(adjoint[node]) for node in (a, x, y)}

# %% [markdown]
# When $x$ grows by one thousandth, the area grows by 48 of them, and by 96 when $x$ grows by two. (That the area itself is 48, too, is a coincidence: $12\,x^2 = 24\,x$ at $x = 2$.) The adjoint of `a` is 14: 8 came directly from `f`, 6 came through `b`. **Two
# paths lead from `a` to `f`, and their shares add up.** This shape is called a [diamond](glossary.ipynb#Diamond).
#
# ## Break it, three times
#
# Put a `#` before the line of rule 1, and run the cell again. Which of the numbers 14, 48 and 28 will still be right? Do the same with rules 2
# and 3. The next cell does all three.


# %%
def without(rule):
    """The adjoints after two passes of the backward pass above, without one of its lines."""
    names = {"adjoint": {}, "mg": mg, "partial": partial, "met": met}
    exec("\n".join(line for line in inspect.getsource(backward).splitlines() if rule not in line), names)
    for again in [names["backward"]] * 2:
        again(f)
    return [float(names["adjoint"][node]) for node in (a, x, y)]


print(f"{'':16s}{'a':>6s}{'x':>6s}{'y':>6s}")
for rule in ("nothing", "rule 1", "rule 2", "rule 3"):
    print(f"without {rule:8s}" + "".join(f"{number:6g}" for number in without(rule)))

# %% [markdown]
# Three wrong answers, and not a single error message. Was half of your answer to the rectangle one of them? The 30 is tempting: $8\cdot3$
# because the side $a$ grows, and $6\cdot1$ because $x$ is added to $b$. That $a$ grows inside of $b$ as well is forgotten.
#
# *Where* did each go wrong? Here is the same function, with the numbers beside its lines. The arrow keys → and ← go one step forward or back. Try each
# switch beside *Break it*: what goes wrong is marked ✗, and the line at the top says why. $v_1$ is $a$, $v_2$ is $b$.


# %%
def diamond(x, y):
    a = x * y
    b = a + x
    return a * b


mg.explore(diamond, 2.0, 3.0)

# %% [markdown]
# - **No order.** `a` passes on the 8 that it has, and does not wait for the 6 from `b`. In the end `a` itself is right, and only what lies
#   behind it is wrong, which makes such a mistake hard to find.
# - **No adding.** The second share of `a` overwrites the first, so `a` keeps 6. Without diamonds this program is correct: test it on a chain,
#   and you will find nothing wrong.
# - **No reset.** The second pass finds 14 in `a` and 6 in `b`, adds to them, and passes the sums on. `x` gets neither 48 nor twice 48, but the
#   derivative of nothing.
#
# In the package, one call does the seed and the pass. It leaves `.adjoint` in every node, and the derivative in the `.grad` of each variable.
# Here it runs twice.
#
# {guess "What is `x.grad` after the second run: 48, twice 48, or 162 as without a reset?": | twice}

# %%
f.backward()
f.backward()
twice = x.grad
says("x.grad = {}   a.adjoint = {}", twice, a.adjoint, when=lambda *both: both == (2 * 48, 14))

# %% [markdown]
# Twice 48. Inside, each pass starts from zero: `a.adjoint` is 14. But what arrives at a variable is **added to its `.grad`**, until
# `zero_grad()`. All derivatives of an output together are its [gradient](glossary.ipynb#Gradient). That of a sum
# is the sum of the gradients, and training on a part of the data at a time makes use of it. Forgetting the reset is a classic mistake in training
# loops. Remember: *reset, forward, backward*.
#
# This is a good place to stop for today. What follows is about large graphs, and ends with a network that you train.
#
# ## Who goes first? A topological order
#
# "Each node after its inputs" is called a [topological order](glossary.ipynb#Topological-order). Finding one looks like a job for a few lines
# of recursion: first the inputs, then the node itself, if it is not in the list yet.

# %%
calls = 0


def recursive_order(node, order):
    global calls
    calls += 1
    for x in node.inputs:
        recursive_order(x, order)
    if node not in order:
        order.append(node)
    return order


[node.name for node in recursive_order(f, [])]

# %% [markdown]
# It works. Now a chain: the sine of the sine of the sine, 5,000 deep.


# %%
def chain(length):
    node = mg.Variable(1.0, name="start")
    for _ in range(length):
        node = mg.sin(node)
    return node


try:
    recursive_order(chain(5_000), [])
except RecursionError as error:
    print("RecursionError:", error)

# %% [markdown]
# By default, Python stops calls inside each other at a depth of about a thousand. And there is a second problem, in graphs that are not deep
# at all. Take sixteen diamonds in a row, $v \leftarrow v + v$: 17 nodes. Each asks for both of its inputs, and they are the same.
#
# {guess "How many calls of `recursive_order` are made for these 17 nodes?": calls | paths}

# %%
calls = 0
v = mg.Variable(1.0)
for _ in range(16):
    v = v + v
nodes, paths = len(recursive_order(v, [])), calls
says("{} nodes, {:,} calls", nodes, paths, when=lambda *both: both == (17, 2**17 - 1))

# %% [markdown]
# It followed **every path**, and sixteen diamonds have $2^{16}$ of them. So the package asks, *before* it goes on from a node, whether it has been there,
# and keeps its own list of what is still to do instead of calling itself. You will write that function in the exercise.

# %%
began = time.perf_counter()
deep = mg.Graph(chain(20_000))
deep.backward()
print(f"{len(deep.nodes):,} nodes built, sorted and differentiated in {time.perf_counter() - began:.1f} s")
print("derivative of the result with respect to the start:", deep.variables[0].grad)

# %% [markdown]
# ## Built once, run many times
#
# The graph stays: insert other numbers, run forward, run backward. Every node writes its result into memory that it already has. What does
# that save? Begin a cell with `%%measure`, and it says how long it took, how many bytes of arrays were **allocated**, or asked for by NumPy
# and numba in total, in how many allocations, and the **peak**, which is the most that was held at one time.
#
# To see any bytes at all we put a row of 10,000 numbers into one variable: it takes 80,000 bytes. Here are one hundred times a sine and a
# product, each entry by entry, and a sum:


# %%
def long_expression(v):
    for _ in range(100):
        v = mg.sin(v) * 1.5
    return mg.sum(v)


start = mg.Variable(np.linspace(0.0, 1.0, 10_000), name="start")

# %%
# %%measure
graph = mg.Graph(long_expression(start))
graph.backward()

# %% [markdown]
# That was about 500 rows: 200 values going forward; going back, a row for the seed's copies, a cosine for each sine, and an adjoint for each
# of the 200. And when the graph runs a second time?

# %%
# %%measure
graph.zero_grad()
graph.forward()
graph.backward()

# %% [markdown]
# If you see fewer than 80,000 bytes, not a single row was allocated. Time is saved, too: paper A, named at the end, reports "around 10x" for building the graph
# once instead of at every step, and 20 GiB less to allocate, on its recurrent network.
#
# ## The backward pass is a graph, too
#
# Multiplications and sums are operations, and operations make nodes. `mg.adjoints` gives the adjoints **as nodes**. So they can be drawn, and
# differentiated again. What will the graph of $\bar x$ look like for $g = x^2 y$, and what is its derivative with respect to $x$?

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
(x_bar,) = mg.adjoints(x**2 * y, [x])
x_bar.name = "x_bar"
x_bar.backward()
print("derivatives of x_bar with respect to x and y:", x.grad, "and", y.grad)
mg.draw(x_bar)

# %% [markdown]
# *The graph of the adjoint of x: 2 x y, made of the seed 1, the constant 2, and the nodes x and y.*
#
# $2y = 6$ and $2x = 4$: a backward pass through a backward pass. Lesson 06 continues from here.
#
# ## minigrad in a page
#
# You have met every part: a table of derivatives, nodes that remember, an order without recursion, the forward pass, and your backward pass.
# Together they are [one file of 110 lines](../minigrad_course/minigrad_in_a_page.py), which imports nothing but `math`. Read it to the end.
# Here is the diamond again, as the page's own trace table, where `v2` is $a$ and `v3` is $b$.

# %%
page.trace(diamond(page.Node(2.0, "x"), page.Node(3.0, "y")))

# %% [markdown]
# That is enough to train a network. Two hundred points lie on two moons, which no straight line separates. Eight neurons look at the two
# coordinates: each has two weights, a bias to add, and $\tanh$. A weighted sum of the eight is to be positive on one moon, and negative on the other.


# %%
rng = np.random.default_rng(0)
moon = np.arange(200) % 2
angle = rng.uniform(0, np.pi, 200)
across = np.where(moon, np.cos(angle), 1 - np.cos(angle)) + 0.1 * rng.normal(size=200)
up = np.where(moon, np.sin(angle), 0.5 - np.sin(angle)) + 0.1 * rng.normal(size=200)
points = np.stack([across, up, 2.0 * moon - 1], axis=1).tolist()  # the last number: 1 or -1

hidden = [[page.Node(w, "w") for w in rng.normal(size=3)] for _ in range(8)]
last = [page.Node(w, "w") for w in rng.normal(size=8)]
bias = page.Node(0.0, "b")
weights = [*(w for neuron in hidden for w in neuron), *last, bias]


def network(x, y):
    return sum((w * page.tanh(u * x + v * y + b) for w, (u, v, b) in zip(last, hidden, strict=True)), bias)


def right():
    return sum(sign * network(x, y).value > 0 for x, y, sign in points) / len(points)


before = right()
print(f"before training: {before:.0%} of the points are on the right side")

# %% [markdown]
# Your `backward` needs nothing of a node but its inputs and its partial derivatives. So it works on the page's nodes as soon as `partial` looks
# into the page's table.
#
# Take a point. How wrong is the answer? That is the loss, near 0 where the sign is right and the sum far from 0. One pass gives its derivative
# with respect to each of the 33 weights, and each weight moves a little against it.
#
# {guess "How many of the points will be right after 3,000 such steps?": % | 100 * after}


# %%
def partial(node, i):
    return page.PARTIAL[node.op][i](node.value, *[x.value for x in node.inputs])


for _ in range(3_000):
    x, y, sign = points[rng.integers(200)]
    loss = page.log(1 + page.exp(-sign * network(x, y)))
    backward(loss)
    for weight in weights:
        weight.value -= 0.1 * adjoint[weight]
after = right()
says("after training: {:.0%} of the points are on the right side", after, when=lambda share: share > max(0.95, before))

figure, axes = plots.canvas(6.0, 3.8)
wide, high = np.linspace(-1.5, 2.5, 50), np.linspace(-1.0, 1.5, 40)
plane = [[np.tanh(network(x, y).value) for x in wide.tolist()] for y in high.tolist()]
axes.contourf(wide, high, plane, levels=np.linspace(-1, 1, 21), cmap=plots.signed(), alpha=0.5)
axes.contour(wide, high, plane, levels=[0.0], colors="black")
axes.scatter(across, up, s=14, c=np.where(moon, plots.VERMILLION, plots.BLUE))
plots.show(figure, "Two moons, and the line at which the trained network changes its mind: it bends between them.")

# %% [markdown]
# Your backward pass, and a page of Python, and it learns. What a library adds are arrays (lesson 07), speed (08 and 09) and layers (from 10
# on).

# %% [markdown]
# ## In five lines
#
# 1. Writing an expression computes it and records it. An operator remembers its operation and its inputs; with the values, that is enough to
#    go back.
# 2. Seed, order, go back, add up: a node waits for all of its shares, they add up, and a new pass starts from zero.
# 3. Leave a rule out and there is no error: only the numbers at a diamond and behind it are wrong, or those of the second pass.
# 4. Built once, a graph runs again without allocating another row of numbers; and the backward pass is itself a graph.
# 5. All of it fits on a page, which trains a small network.
#
# ## Your turn
#
# Exercise: [exercises/05_computational_graph](../exercises/05_computational_graph/05_computational_graph.ipynb). You write the order, the backward pass and the replay, and make them work for the diamond, the deep chain and the second call.
#
# [Your own engine](../project/project.ipynb), a project in one file: its first three milestones can be done now, nodes that remember, the backward pass, and dual numbers that check it.
#
# **Next: [6 · Higher derivatives](06_higher_derivatives.ipynb)**, where the backward pass is differentiated once more.

# %% [markdown]
# ## Further

# %% [markdown]
# **What cannot be recorded.** A graph may run again with another number. Which of the two branches of an `if` should it remember? (A trace, as
# in lesson 03, is not run again. So an `if` can be recorded there, and the trap of lesson 03 comes with it.)

# %% tags=["raises-exception"]
v if v > 0 else -v

# %% [markdown]
# **The source.**
#
# - [minigrad_course/minigrad_in_a_page.py](../minigrad_course/minigrad_in_a_page.py): all of it, to keep. Where in its backward pass are your three rules?
# - [minigrad/core/graph.py](../minigrad/core/graph.py): the same in the library. `topological_order`, `adjoint_nodes` and `Graph` are this lesson; the backward pass itself is a short loop.
# - [minigrad/core/node.py](../minigrad/core/node.py): constants, variables, operators.
# - [minigrad_course/measure/\_\_init\_\_.py](../minigrad_course/measure/__init__.py): what `%%measure` counts, and what it does not see.
#
# **The papers.**
#
# - B: Kepiński, *Reverse-mode automatic differentiation in Julia*: Constant, Variable, Operator; topological sort, reset, forward, backward.
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*: the graph built once and reused.
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*: the same nodes, with an operator for arrays.
# - S. Linnainmaa, *Taylor expansion of the accumulated rounding error* (1976): reverse mode, for rounding errors.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 3: why the backward pass costs at most a few evaluations.
