# Lesson 05. What a reader has behind them: the slope (01), dual numbers (02), trace tables and adjoints (03, 04).
# Single numbers come first; a row of numbers appears once, in the measurement. The network at the end is a first taste.

# %% [markdown]
# # 5 · The computational graph: a computation that remembers
#
# In [lesson 04](04_tracing_backwards.ipynb) you went through a table from the last line up to the first, and had the derivative with respect
# to every input in one pass. A program of many functions keeps no such table, but each number can remember what it was made of.
#
# - **What is the least that a number must remember, so that we can go backwards?**
# - **What goes wrong if the backward pass is a little careless?** (There will be no error. The numbers will be wrong.)
#
# By the end you will have written a backward pass, broken each of its rules, and trained a small network with an engine of one page.
#
# *Time: about 50 minutes{first run}. Write down what you expect before you run a cell.*

# %%
import inspect
import time

import numpy as np

import minigrad as mg
from minigrad_course import minigrad_in_a_page as page
from minigrad_course.says import says
from minigrad_course.viz import plots

# %% [markdown]
# ## A neuron, drawn
#
# Two inputs, two weights, a bias, and $\tanh$: one neuron.

# %%
x1, x2 = mg.Constant(1.0, name="x1"), mg.Constant(-2.0, name="x2")
w1, w2, b = (mg.Variable(v, name=n) for v, n in [(0.5, "w1"), (0.25, "w2"), (0.4, "b")])

neuron = mg.tanh(w1 * x1 + w2 * x2 + b)
neuron.name = "neuron"
mg.draw(neuron)

# %% [markdown]
# *The graph of one neuron: constants x1 and x2, variables w1, w2 and b, an operator for each product, each sum, and tanh. Arrows lead from
# inputs to what is computed from them.*
#
# This is a [computational graph](glossary.ipynb#Computational-graph). Each box is a [node](glossary.ipynb#Node), and it already has a value:
# writing down the expression computed it. There are three kinds:
#
# | kind | what it holds |
# |---|---|
# | `Constant` (dashed) | data |
# | `Variable` (square corners) | what we differentiate with respect to |
# | `Operator` (round corners) | the result of an operation on other nodes |
#
# In what order will the nodes come?


# %%
graph = mg.Graph(neuron)
for node in graph.nodes:
    print(f"{type(node).__name__:9s} {node.name or node.op.name:7s} {node.value:+.4f}")
graph

# %% [markdown]
# Each node comes after everything that it needs. Compare with lesson 04: read as lines, this *is* the trace.
#
# ## What a node remembers
#
# An operator remembers its operation, `neuron.op`, and its inputs, `neuron.inputs`, which are nodes. Is that enough? If it is, we can
# reconstruct the whole formula from the last node alone. Which formula will be printed?


# %%
def formula(node):
    if node.op is None:
        return node.name
    return f"{node.op.name}({', '.join(formula(x) for x in node.inputs)})"


formula(neuron)

# %% [markdown]
# Nothing was lost. **An operation and its inputs are enough**, if values are kept as well, or computed again. Put another number
# into `x1`. What is `neuron.value` right after that?

# %%
before = neuron.value
x1.value = 3.0
print("before:           ", before)
print("after the change: ", neuron.value)
print("after forward:    ", graph.forward())

# %% [markdown]
# Changing an input changes nothing else. `forward` goes through the list, and computes each operator again.
#
# ## A graph with a trap in it
#
# The way back needs a more interesting graph. `x` is used twice here, and so is `a`:
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
# *The graph of f = a b with a = x y and b = a + x, at x = 2 and y = 3: a is 6, b is 8, f is 48.*
#
# Every node has an [adjoint](glossary.ipynb#Adjoint), $\bar v = \partial f / \partial v$: *when this number changes a little, how many times
# as much does $f$ change?* For the output that is 1, the [seed](glossary.ipynb#Seed). From there, as in lesson 04, each node passes a
# **share** to each of its inputs:
#
# $$\overline{\text{input}} \mathrel{+}= \overline{\text{node}} \cdot \frac{\partial\,\text{node}}{\partial\,\text{input}}$$
#
# The partial derivatives are those of the table that dual numbers use, too. (There, `a` and `b` are the first and the second input.)


# %%
def partial(node, i):
    """The derivative of a node by its input i, by the table, at the values that the node remembers."""
    return node.op.partial(i, node.value, *[x.value for x in node.inputs])


for op in (mg.rules.mul, mg.rules.add):
    print(f"{op.name}:  v = {op.expression}    partial derivatives {' and '.join(op.partials)}")

# %% [markdown]
# Take a pencil. $f = a\,b$ passes $1\cdot b$ to $a$ and $1\cdot a$ to $b$. Continue from there: $b$ next, then $a$. What are $\bar x$ and
# $\bar y$?
#
# ## Your backward pass
#
# Now for any graph. The backward pass has three rules, and each looks harmless:
#
# 1. **Order.** A node passes on what it has only after *all* of its shares have arrived.
# 2. **Add.** Shares [add up](glossary.ipynb#Accumulate).
# 3. **Reset.** A new pass starts from zero.
#
# In the next cell each of them is one line. Type the function into a cell of your own, and run that: it is what trains every network. (`met`
# is another order, for later: the nodes as one meets them on the way from `f`.)


# %%
adjoint = {}


def backward(output, nodes):
    nodes = mg.topological_order(output)  # rule 1: inputs come before what is made of them
    adjoint.clear()  # rule 3: a new pass starts from zero
    adjoint[output] = 1.0  # the seed
    for node in reversed(nodes):
        for i, v in enumerate(node.inputs):
            share = adjoint[node] * partial(node, i)
            share += adjoint.get(v, 0.0)  # rule 2: add to what has arrived before
            adjoint[v] = share


met = [x, y, b, a, f]  # gone through from the end
backward(f, met)
backward(f, met)
{node.name: float(adjoint[node]) for node in (a, x, y)}

# %% [markdown]
# The adjoint of `a` is 14: 8 came directly from `f`, 6 came through `b`. **Two paths lead from `a` to `f`, and their shares add up.** This
# shape is called a [diamond](glossary.ipynb#Diamond). It is there wherever a number reaches the result along two paths.
#
# ## Break it, three times
#
# Now put a `#` before the line of rule 1, and run the cell again. Which of the numbers 14 (for a), 48 (for x) and 28 (for y) will still be
# right? Do the same with rules 2 and 3. The next cell does all three.


# %%
def without(line):
    """The adjoints after two passes of the backward pass above, without one of its lines."""
    names = {"adjoint": {}, "mg": mg, "partial": partial}
    exec("\n".join(text for text in inspect.getsource(backward).splitlines() if line not in text), names)
    names["backward"](f, met)
    names["backward"](f, met)
    return [float(names["adjoint"][node]) for node in (a, x, y)]


print(f"{'':20s}{'a':>6s}{'x':>6s}{'y':>6s}")
for line in ("# nothing", "# rule 1", "# rule 2", "# rule 3"):
    print(f"without {line[2:]:12s}" + "".join(f"{number:6g}" for number in without(line)))

# %% [markdown]
# Three wrong answers, and not a single error message. *Where* did each go wrong? Here is the same function in six linked views. The arrow keys
# → and ← (or the buttons) go one step forward or back. Go through the backward pass with each of the switches beside *Break it*: what goes
# wrong is marked ✗, and the line at the top says why. **Which number is the first to go wrong?** ($v_1$ is $a$, $v_2$ is $b$, $v_3$ is $f$.)


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
# - **No reset.** The second pass finds 14 in `a` and 6 in `b`, and `f` gives them 8 and 6 more: first `a` is wrong, with 22, then `b`, with
#   12. `b` passes its 12 on, so `a` has 34 when its turn comes. `x` gets neither 48 nor twice 48, but the derivative of nothing.
#
# In the package, one call does the seed and the pass. It leaves `.adjoint` in every node, and the derivative in the `.grad` of each variable.
# Here it runs twice. Is `x.grad` 48 after that? Or 162, as without a reset?
#
# {guess "What is `x.grad` after the second run?": | x.grad}

# %%
f.backward()
f.backward()
says("x.grad = {}   a.adjoint = {}", x.grad, a.adjoint, when=lambda *both: both == (2 * 48, 14))
mg.draw(f)

# %% [markdown]
# *The graph after backward. Each box now shows its adjoint under its value: f has 1, b has 6, a has 14, y has 28, x has 48.*
#
# Twice 48. **Inside, each pass starts from zero**: `a.adjoint` is 14. But what arrives at a variable is **added to its `.grad`**, until
# `zero_grad()`. That is intended: the gradient of a sum is the sum of the gradients, and training on half a batch at a time makes use of it.
# To forget the reset is a common mistake in training loops. Remember: *reset, forward, backward*.
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
# It works. Now a chain: the sine of the sine of the sine, 5,000 deep. What will
# happen?


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
# at all. Take sixteen diamonds in a row, $v \leftarrow v + v$: 17 nodes. Each asks for both of its inputs, and they are the same. How many
# calls are made?
#
# {guess: calls | calls}

# %%
calls = 0
v = mg.Variable(1.0)
for _ in range(16):
    v = v + v
nodes = len(recursive_order(v, []))
says("{} nodes, {:,} calls", nodes, calls, when=lambda n, calls: (n, calls) == (17, 2**17 - 1))

# %% [markdown]
# It followed **every path**, and sixteen diamonds have $2^{16}$ of them. So the package asks *before* it goes on whether a node has been there,
# and keeps its own list of what is still to do instead of calling itself. Does that work for a chain of 20,000?


# %%
began = time.perf_counter()
deep = mg.Graph(chain(20_000))
deep.backward()
print(f"{len(deep.nodes):,} nodes built, sorted and differentiated in {time.perf_counter() - began:.1f} s")
print("derivative of the result with respect to the start:", deep.variables[0].grad)

# %% [markdown]
# You will write that function yourself in the exercise.
#
# ## Built once, run many times
#
# The graph stays: insert other numbers, run forward, run backward. Every node writes its result into memory that it already has. What does
# that save? Begin a cell with `%%measure`, and it says how long it took, how many bytes of arrays were **allocated** (asked for by NumPy and numba, in total), in how many allocations, and the **peak** (the most that was held at
# one time).
#
# To see any bytes at all we put a row of 10,000 numbers into one variable: it takes 80,000 bytes. Here are
# one hundred times a sine and a product, each entry by entry, and a sum:


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
# of the 200. And how many bytes when the graph runs a second time?
#
# {guess "How many bytes when the graph runs a second time?": bytes | m.allocated_bytes}

# %%
# %%measure -o m
graph.zero_grad()
graph.forward()
graph.backward()

# %% [markdown]
# If you see fewer than 80,000 bytes, not a single row was allocated. Time is saved, too: paper A reports "around 10x" for building the graph once instead of at every step, and 20 GiB less to allocate, on its
# recurrent network.
#
# ## What cannot be recorded
#
# A graph may run again with another number. Which of the two branches of an `if` should it remember? (A trace, as in lesson 03, is not run
# again. So an `if` can be recorded there, and the trap of lesson 03 comes with it.)

# %% tags=["raises-exception"]
x if x > 0 else -x

# %% [markdown]
# ## The backward pass is a graph, too
#
# Multiplications and sums are operations, and operations make nodes. `mg.adjoints` gives the adjoints **as nodes**. What will the graph of
# $\bar x$ look like for $g = x^2 y$?


# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
g = x**2 * y
(x_bar,) = mg.adjoints(g, [x])
x_bar.name = "x_bar"
mg.draw(x_bar)

# %% [markdown]
# *The graph of the adjoint of x: 2 x y, made of the seed 1, the constant 2, and the nodes x and y.*
#
# It is a graph like any other. So it can be differentiated. What is $\partial \bar x / \partial x$, in symbols and as a number? And
# $\partial \bar x / \partial y$?

# %%
x_bar.backward()
x.grad, y.grad

# %% [markdown]
# $2y = 6$ and $2x = 4$: a backward pass through a backward pass. Lesson 06 continues from here.
#
# ## minigrad in a page
#
# You have met every part: a table of derivatives, nodes that remember, an order without recursion, the forward pass, and your backward pass.
# Together they are [one file of 110 lines](../minigrad_course/minigrad_in_a_page.py), which imports nothing but `math`. Read it to the end.
# Where in its backward pass are your three rules?


# %%
print(inspect.getsource(page.adjoints))

# %% [markdown]
# `reversed(order)`, the line with two `adjoint[x]`, and the dictionary that is new in each pass. (It holds nodes, so what comes out can be
# differentiated once more.) Here is the diamond again, as the page's own trace table. Which adjoints will it have?


# %%
page.trace(diamond(page.Node(2.0, "x"), page.Node(3.0, "y")))

# %% [markdown]
# That is enough to train a network. Two hundred points lie on two moons, which no straight line separates. Eight neurons like the one at the
# top look at the two coordinates, and a weighted sum of them is to be positive on one moon, and negative on the other.


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
# Take a point. How wrong is the answer? That is the loss, near 0 where the sign is right and the sum far from 0. One pass gives its derivative
# by each of the 33 weights, and each weight moves a little against it. How many points will be right after
# 3,000 such steps?
#
# {guess "How many points will be right after 3,000 steps?": % | 100 * after}

# %%
for _ in range(3_000):
    x, y, sign = points[rng.integers(200)]
    loss = page.log(1 + page.exp(-sign * network(x, y)))
    for weight, slope in zip(weights, page.adjoints(loss, weights), strict=True):
        weight.value -= 0.1 * slope.value
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
# A page of Python, and it learns. What a library adds are arrays (lesson 07), speed (08 and 09) and layers (from 10 on).
#
# ## In five lines
#
# 1. Writing an expression computes it and records it. An operator remembers its operation and its inputs; with the values, that is enough to
#    go back.
# 2. The backward pass has three rules: a node waits for all of its shares (topological order), shares add up, a new pass starts from zero.
# 3. Leave one out and there is no error: only the numbers at a diamond and behind it are wrong, or those of the second pass.
# 4. Built once, a graph runs again without allocating an array; and the backward pass is itself a graph.
# 5. All of it fits on a page, which trains a small network.
#
# ## The source
#
# - [minigrad_course/minigrad_in_a_page.py](../minigrad_course/minigrad_in_a_page.py): all of it, to keep.
# - [minigrad/core/graph.py](../minigrad/core/graph.py): the same in the library. `topological_order`, `adjoint_nodes` and `Graph` are this lesson; the backward pass itself is a loop of six lines.
# - [minigrad/core/node.py](../minigrad/core/node.py): constants, variables, operators.
# - [minigrad_course/measure/\_\_init\_\_.py](../minigrad_course/measure/__init__.py): what `%%measure` counts, and what it does not see.
#
# ## The papers
#
# - B: Kepiński, *Reverse-mode automatic differentiation in Julia*: Constant, Variable, Operator; topological sort, reset, forward, backward.
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*: the graph built once and reused.
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*: the same nodes, with an operator for arrays.
# - S. Linnainmaa, *Taylor expansion of the accumulated rounding error* (1976): reverse mode, for rounding errors.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 3: why the backward pass costs at most a few evaluations.
#
# ## Your turn
#
# Exercise: [exercises/05_computational_graph](../exercises/05_computational_graph/05_computational_graph.ipynb). You write the order, the backward pass and the replay, and make them work for the diamond, the deep chain and the second call. In a terminal, `minigrad grade 05` runs it from top to bottom.
#
# [Your own engine](../project/project.ipynb), a project in one file: its first three milestones can be done now, nodes that remember, the backward pass, and dual numbers that check it.
#
# **Next: [6 · Higher derivatives](06_higher_derivatives.ipynb)**, where the backward pass is differentiated once more.
