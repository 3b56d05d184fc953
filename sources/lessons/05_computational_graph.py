# Lesson 05. What a reader has behind them: the slope (01), dual numbers (02), trace tables and adjoints (03, 04).
# Single numbers come first; a row of numbers appears once, in the measurement. Networks, losses and training are later lessons.

# %% [markdown]
# # 5 · The computational graph: a computation that remembers
#
# In [lesson 04](04_tracing_backwards.ipynb) you went through a table from the last line up to the first, and had the derivative with respect
# to every input in one pass. That worked because the table was *there*. Who writes it when the computation is a program, with loops and
# functions that call functions?
#
# The program itself, while it runs. So here are the questions of this lesson:
#
# - **What is the least that a computation must remember, so that we can go through it backwards?**
# - **What goes wrong if the backward pass is a little careless?** (There will be no error. The numbers will be wrong.)
#
# By the end you will have seen that two things for each number are enough, that the backward pass has three rules, and what each rule is for.
# And you will have run a computation again without allocating any arrays.
#
# *Time: about 50 minutes{first run}. Write down what you expect before you run a cell.*

# %%
import time

import numpy as np

import minigrad as mg
from minigrad_course.says import says
from minigrad_course.viz.walk_back import walk_back

# %% [markdown]
# ## A neuron, drawn
#
# Before any formula, a picture. Two inputs, two weights, a bias, and $\tanh$: one neuron.

# %%
x1, x2 = mg.Constant(1.0, name="x1"), mg.Constant(-2.0, name="x2")
w1, w2, b = (mg.Variable(v, name=n) for v, n in [(0.5, "w1"), (0.25, "w2"), (0.4, "b")])

neuron = mg.tanh(w1 * x1 + w2 * x2 + b)
neuron.name = "neuron"
mg.draw(neuron)

# %% [markdown]
# *The graph of one neuron: the constants x1 and x2, the variables w1, w2 and b, and an operator for each multiplication, each sum, and tanh.
# Arrows lead from inputs to what is computed from them.*
#
# This is a [computational graph](glossary.ipynb#Computational-graph). Read it from left to right. Each box is a [node](glossary.ipynb#Node),
# and it already has a value: writing down the expression computed it.
#
# There are three kinds of nodes, with different outlines:
#
# | kind | what it holds | who changes it |
# |---|---|---|
# | `Constant` (dashed) | data | you; we do not differentiate with respect to it |
# | `Variable` (square corners) | what we differentiate with respect to | you, and later training |
# | `Operator` (round corners) | the result of an operation on other nodes | running the graph |
#
# The three Julia papers that this course grew out of use these three. They are A (Ankiersztajn and Tęcza, *Performant and Accurate Automatic
# Differentiation In Julia for Recurrent Neural Networks*), B (Kepiński, *Reverse-mode automatic differentiation in Julia*) and C (Maciejewski
# and Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*). C has two kinds of operators: one for
# single numbers and one for arrays.
#
# How many operators will the next cell count? And in what order will the nodes come?
#
# {guess "How many operators will the next cell count?": operators | sum(node.op is not None for node in graph.nodes)}

# %%
graph = mg.Graph(neuron)
for node in graph.nodes:
    print(f"{type(node).__name__:9s} {node.name or node.op.name:7s} {node.value:+.4f}")
graph

# %% [markdown]
# Each node comes after everything that it needs. Compare with lesson 04: read as lines, this *is* the trace. The program wrote its own table.
#
# ## What a node remembers
#
# An operator remembers two things: its operation, and its inputs, which are nodes.

# %%
neuron.op, neuron.inputs

# %% [markdown]
# Is that enough? If it is, we can reconstruct the whole formula from the last node alone. Follow the inputs of the inputs of the inputs.
# Which formula will be printed?


# %%
def formula(node):
    if node.op is None:
        return node.name
    return f"{node.op.name}({', '.join(formula(x) for x in node.inputs)})"


formula(neuron)

# %% [markdown]
# Nothing was lost. **An operation and its inputs: that is the least a computation must remember.**
#
# ## Running it again
#
# The graph is a record that can be replayed. Put another number into `x1`. Guess: what is `neuron.value` right after that?

# %%
before = neuron.value
x1.value = 3.0
print("before:           ", before)
print("after the change: ", neuron.value)
print("after forward:    ", graph.forward())
print("by hand:          ", np.tanh(0.5 * 3.0 + 0.25 * -2.0 + 0.4))

# %% [markdown]
# Changing an input changes nothing else. `forward` goes through the list from the beginning, and computes each operator again from its
# inputs.
#
# That is one of four steps. In paper B every step of training begins with them, in this order:
#
# | step | what it does | here |
# |---|---|---|
# | **reset** | forget the derivatives of the last pass | `graph.zero_grad()` |
# | **forward** | compute every operator, inputs first | `graph.forward()` |
# | **seed** | the derivative of the output with respect to itself is 1 | inside `graph.backward()` |
# | **backward** | pass derivatives on, from the output to the inputs | `graph.backward()` |
#
# (Which of them could be swapped? Reset has to come before the seed, which it would erase, and everything has to come before backward.
# Forward may stand anywhere before backward.)
#
# ## A graph with a trap in it
#
# The other three steps need a more interesting graph. `x` is used twice here, and so is `a`:
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
# You know the backward pass from lesson 04. Every node has an [adjoint](glossary.ipynb#Adjoint), $\bar v = \partial f / \partial v$: *how
# much does $f$ change, for each small change of this number?* For the output that is 1, the [seed](glossary.ipynb#Seed). From there, each
# node passes a **share** to each of its inputs:
#
# $$\overline{\text{input}} \mathrel{+}= \overline{\text{node}} \cdot \frac{\partial\,\text{node}}{\partial\,\text{input}}$$
#
# The partial derivatives are those of the table that dual numbers use, too:

# %%
for rule in (mg.rules.mul, mg.rules.add):
    partials = ", ".join(f"∂/∂{i} = {p}" for i, p in zip("ab", rule.partials, strict=True))
    print(f"{rule.name}:  v = {rule.expression}     {partials}")

# %% [markdown]
# (In the table `a` and `b` are the first and the second input, whatever their names.)
#
# Take a pencil. $f = a\,b$ passes $1\cdot b$ to $a$ and $1\cdot a$ to $b$. Continue from there: $b$ next, then $a$. What are $\bar x$ and
# $\bar y$? Then let Python do the same, line by line:

# %%
f_bar = 1.0  # the seed

a_bar = f_bar * b.value  # f = a * b
b_bar = f_bar * a.value

a_bar += b_bar * 1  # b = a + x: a gets a second share
x_bar = b_bar * 1

x_bar += a_bar * y.value  # a = x * y: x gets a second share
y_bar = a_bar * x.value

x_bar, y_bar

# %% [markdown]
# One pass, two derivatives. Check them with dual numbers (lesson 02), one pass each.


# %%
def diamond(x, y):
    a = x * y
    b = a + x
    return a * b


by_x = mg.derivative(lambda x: diamond(x, 3.0), 2.0)
by_y = mg.derivative(lambda y: diamond(2.0, y), 3.0)
by_x, by_y

# %% [markdown]
# ## `backward` does all of this
#
# One call does the seed and the pass. It leaves `.grad` in the variables, and `.adjoint` in every node on the way.

# %%
f.backward()
says("x.grad = {}   y.grad = {}", x.grad, y.grad, when=lambda *both: both == (48, 28))
assert [node.adjoint for node in (f, b, a, y, x)] == [1, 6, 14, 28, 48]
mg.draw(f)

# %% [markdown]
# *The same graph after backward. Each box now shows its adjoint under its value: f has 1, b has 6, a has 14, y has 28, x has 48.*
#
# Look at `a`. Its adjoint is 14: 8 came directly from `f`, 6 came through `b`. **Two paths lead from `a` to `f`, and their shares add up.**
# This shape is called a [diamond](glossary.ipynb#Diamond), and it is everywhere: wherever a number is used twice.
#
# The smallest diamond is a number added to itself. What is the derivative of $v + v$ with respect to $v$? And of $v \cdot v$, at 5?

# %%
v = mg.Variable(5.0, name="v")
(v + v).backward()
print("v + v:", v.grad)

v = mg.Variable(5.0, name="v")
(v * v).backward()
print("v * v:", v.grad)

# %% [markdown]
# The product has no rule that says $2v$. It has two inputs, which are the same node, and two shares of 5 arrive there.
#
# ## Break it, three times
#
# The backward pass has three rules, and each looks harmless:
#
# 1. **Order.** A node passes on what it has only after *all* of its shares have arrived.
# 2. **Add.** Shares [add up](glossary.ipynb#Accumulate): `+=`, not `=`.
# 3. **Reset.** A new pass starts from zero.
#
# `walk_back` is the same backward pass, with switches that leave a rule out. Which of the numbers 14 (for a), 48 (for x) and 28 (for y) will
# still be right each time? Guess before you run the cell.

# %%
broken = {
    "all three rules": {},
    "no order": {"in_order": False},
    "= instead of +=": {"add": False},
    "no reset, second pass": {"reset": False, "passes": 2},
}
print(f"{'':24s}{'a':>6s}{'x':>6s}{'y':>6s}")
for name, switches in broken.items():
    adjoint = walk_back(f, **switches)[-1].adjoints
    print(f"{name:24s}{adjoint[a]:6g}{adjoint[x]:6g}{adjoint[y]:6g}")
    wrong = [node.name for node in (f, b, a, x, y) if adjoint[node] != node.adjoint]
    assert wrong == {"no order": ["x", "y"], "all three rules": []}.get(name, wrong[:-3] + ["a", "x", "y"])

# %% [markdown]
# Three wrong answers, and not a single error message. Now find out *where* each went wrong.
#
# The next cell shows the same function in six linked views. The arrow keys → and ← (or the buttons) go one step forward or back: first
# through the forward pass, then through the backward pass. Then turn on one of the switches beside *Break it*, and go through the backward
# pass again. Whatever goes wrong is marked ✗, and the line at the top says why. **For each switch, which number is the first to go wrong?**
# (The names there are $v_1$ for $a$, $v_2$ for $b$ and $v_3$ for $f$.)
#
# (No buttons below? Then you see the tables and the graph of the right pass; run the cell in JupyterLab. The cells after it show the broken
# passes in words and pictures.)
#
# (Where PyTorch or JAX is installed, `mg.explore` shows functions that are written for them, too: [docs/others.md](../docs/others.md).)

# %%
mg.explore(diamond, 2.0, 3.0)

# %% [markdown]
# ### No order
#
# Here is the first one in words:

# %%
for number, step in enumerate(walk_back(f, in_order=False)):
    print(f"{number}. {step.sentence}")

# %% [markdown]
# At step 2, `a` passed on the 8 it had. At step 3 the missing 6 arrived from `b`, but `x` and `y` never got their part of it. **`a` did not
# wait.** In the end `a` itself has the right adjoint. Only the nodes behind it are wrong, which makes such a mistake hard to find.
#
# ### `=` instead of `+=`
#
# Now the order is right, but the second share overwrites the first:

# %%
assert [walk_back(f, add=False)[-1].adjoints[node] for node in (f, b, a, x, y)] == [1, 6, 6, 18, 12]
for number, step in enumerate(walk_back(f, add=False)):
    of_a, of_x = step.adjoints.get(a, 0), step.adjoints.get(x, 0)
    print(f"{number}. {step.sentence}.  Now a has {of_a:g}, x has {of_x:g}.")

# %% [markdown]
# Here is the graph at the end of that pass. Which of the five adjoints are wrong? Compare with the picture above.

# %%
walk_back(f, add=False)[-1].picture(f)

# %% [markdown]
# *With = instead of +=, a keeps only the 6 that came last; so x gets 18 instead of 48, and y 12 instead of 28. Only f, which has the seed,
# and b, which is used once, are right. y is used only once as well; it is wrong because a is.*
#
# In a graph **without** diamonds this program is correct. If you test it only on a chain, you will find nothing wrong.
#
# ### No reset
#
# Without a reset, the second pass finds old adjoints inside the graph and passes them on once more. Look at `a`: it still has 14, gets 8
# from `f`, and 12 from `b`, which had 6 left over as well. So `a`, the first to go wrong, passes on 34. `x` gets neither 48 nor twice 48,
# but something that is not the derivative of anything.
# ## When gradients are meant to add up
#
# `f.backward()` ran once above. Run it again. Is `x.grad` still 48? Or 162, as in the table of broken passes?
#
# {guess "What is `x.grad` after the second run?": | x.grad}

# %%
f.backward()
says("x.grad = {}   a.adjoint = {}", x.grad, a.adjoint, when=lambda *both: both == (2 * 48, 14))

# %% [markdown]
# Twice 48. The package keeps two things apart. **Inside, each pass starts from zero**: `a.adjoint` is 14, as before. But what arrives at a
# variable is **added to its `.grad`**, until you reset it. That is intended: the gradient of a sum is the sum of the gradients, and training
# on half a batch at a time makes use of it. (In the exercise every node has a `.grad`, which adds up as it does at a variable here. So there,
# too, the shares of one pass have to be kept somewhere else, and added to `.grad` at the end.)
#
# Forgetting the reset is also a common mistake in training loops. So remember: *reset, forward, backward*.

# %%
graph = mg.Graph(f)
graph.zero_grad()
graph.forward()
graph.backward()
x.grad

# %% [markdown]
# ## Who goes first? A topological order
#
# "Each node after its inputs" is called a [topological order](glossary.ipynb#Topological-order). The forward pass goes through it from the beginning, the backward pass from the end.
# Take the four nodes $p$, $q = \sin p$, $r = \cos p$, $s = q + r$. How many topological orders do they have?
#
# (Two: `q` and `r` may change places. Either will do. The derivatives are the same.)
#
# Finding one looks like a job for a few lines of recursion: first the inputs, then the node itself, if it is not in the list yet.


# %%
def recursive_order(node, order):
    for x in node.inputs:
        recursive_order(x, order)
    if node not in order:
        order.append(node)
    return order


[node.name for node in recursive_order(f, [])]

# %% [markdown]
# It works. Now a chain: the sine of the sine of the sine, 5,000 deep. That is not unusual: think of a sequence of 1,000 steps with 5
# operations each. What will the recursion do?


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
# By default, Python stops functions that call themselves about a thousand levels deep. And there is a second problem, in graphs that are not
# deep at all. Take sixteen diamonds in a row, $v \leftarrow v + v$: 17 nodes. How often does the recursion call itself? (Each node asks for
# both of its inputs, and they are the same.)
#
# {guess: calls | calls}

# %%
calls = 0


def counted_order(node, order):
    global calls
    calls += 1
    for x in node.inputs:
        counted_order(x, order)
    if node not in order:
        order.append(node)
    return order


v = mg.Variable(1.0)
for _ in range(16):
    v = v + v
nodes = len(counted_order(v, []))
says("{} nodes, {:,} calls", nodes, calls, when=lambda n, calls: (n, calls) == (17, 2**17 - 1))

# %% [markdown]
# It followed **every path**, and sixteen diamonds have $2^{16}$ of them. It checked too late whether it had been there before.
#
# So the package asks *before* it goes on whether a node has been there, and keeps its own list of what is still to do instead of calling
# itself. (A node joins the order only after all of its inputs: to be noticed and to be listed are two moments.) Does that work for a chain
# of 20,000?

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
# The graph stays. So it need not be built again for other numbers: insert them, run forward, run backward. Every node writes its results into
# memory that it already has.

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
graph = mg.Graph(diamond(x, y))

x.value = 10.0
print("f =", graph.forward())
graph.backward()
print("x.grad =", x.grad, "  by a dual number:", mg.derivative(lambda x: diamond(x, 3.0), 10.0))

# %% [markdown]
# What does that save? From here on the course does not guess, it measures. Begin a cell with `%%measure`, and it says how long it took, how
# many bytes of arrays were **allocated** (requested from the system, in total), in how many allocations, and the **peak** (the most that
# was held at one time).
#
# To see any bytes at all we put a row of 10,000 numbers into one variable. Every operation then works entry by entry, and at the end `mg.sum`
# adds them up to one number. (Lesson 07 is about such arrays.) Here is one hundred times a sine and a product:


# %%
def long_expression(v):
    for _ in range(100):
        v = mg.sin(v) * 1.5
    return mg.sum(v)


start = mg.Variable(np.linspace(0.0, 1.0, 10_000), name="start")

# %% [markdown]
# A row of 10,000 numbers takes 80,000 bytes. There are 200 sines and products in the forward pass, and a sum at the end. How many bytes
# will building, running and going back allocate? Only the order of magnitude.
#
# {guess "How many bytes will building, running and going back allocate?": bytes | m.allocated_bytes}

# %%
# %%measure -o m
graph = mg.Graph(long_expression(start))
graph.backward()

# %% [markdown]
# That was about 500 rows: 200 values going forward; going back, a row for the seed's copies, a cosine for each sine, and an adjoint for each of the 200.
#
# And how many when the graph runs a second time?
#
# {guess "How many bytes when the graph runs a second time?": bytes | m.allocated_bytes}

# %%
# %%measure -o m
graph.zero_grad()
graph.forward()
graph.backward()

# %% [markdown]
# If you see fewer than 80,000 bytes, not a single row was allocated. (The few bytes left are single numbers, such as the value returned.)
#
# On rows as long as these, most of the *time* goes into the sines themselves. On single numbers it goes into building the graph. Take 1,000
# sines of one number. (With `-r 5` the cell is run five times, after one run to warm up, and you see the median and the spread.)

# %%
# %%measure -r 5
mg.Graph(chain(1_000)).backward()

# %%
built = mg.Graph(chain(1_000))

# %% [markdown]
# How many times faster is it to run that graph again?

# %%
# %%measure -r 5
built.zero_grad()
built.forward()
built.backward()

# %% [markdown]
# Divide the two times: the factor is several, and differs from computer to computer. Paper A reports "around 10x" for building the graph
# once instead of at every step, and 20 GiB less to allocate, on its recurrent network. The cause is the same. The second half of this
# course relies on it.
#
# What is kept costs memory, of course: every value stays there as long as the graph does. Lesson 12 shows how to reduce that.
#
# ## A small network
#
# Neurons like the one at the top, put together: two inputs, two hidden neurons, one output. Count the arrows that leave `x1` (there are
# two): along each of them a share will come back.

# %%
weights = [(1.0, -2.0, 1.0), (-2.0, 1.0, 1.0)]  # w1, w2 and b of each hidden neuron

x1, x2 = mg.Variable(0.5, name="x1"), mg.Variable(-0.5, name="x2")
hidden = []
for k, (p, q, r) in enumerate(weights):
    with mg.block("neuron", k):  # a frame for the picture
        hidden.append(mg.tanh(p * x1 + q * x2 + r))
output = 2.0 * hidden[0] - hidden[1]
output.name = "out"
output.backward()
assert 1 - hidden[0].value ** 2 < 0.05 < 0.5 < 1 - hidden[1].value ** 2  # what each tanh passes on
mg.draw(output, direction="TB")

# %% [markdown]
# *A network of two inputs, two hidden neurons (each in a frame) and one output as a graph of single numbers, from top to bottom, with all
# adjoints after one backward pass.*
#
# One neuron is nearly *saturated*: its tanh is close to 1, where the curve is flat. Compare the adjoints before and after each tanh. Which
# of the two neurons passes on most of what it receives? (The second one: the first, saturated, passes on a few hundredths.)
#
# Real networks are the same, only wider and deeper, with arrays in the boxes. Fold each neuron into one box and you get the picture of the
# textbooks:

# %%
mg.draw(output, fold="neuron")

# %% [markdown]
# *The same network with each hidden neuron as one box: two inputs, two neurons, and what is computed from their outputs.*
# ## The backward pass is a graph, too
#
# Look again at what the backward pass did: multiplications and sums. Those are operations, and operations make nodes. `mg.adjoints` gives the
# adjoints **as nodes**. What will the graph of $\bar x$ look like for $g = x^2 y$?

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
g = x**2 * y
(x_bar,) = mg.adjoints(g, [x])
x_bar.name = "x_bar"
mg.draw(x_bar)

# %% [markdown]
# *The graph of the adjoint of x: 2 x y, made of the seed 1 and the nodes x and y.*
#
# It is a graph like any other. So it can be drawn, run again, and differentiated. What is $\partial \bar x / \partial x$, in symbols and as a number? And $\partial \bar x / \partial y$?

# %%
x_bar.backward()
x.grad, y.grad

# %% [markdown]
# $2y = 6$ and $2x = 4$: derivatives of a derivative, by a backward pass through a backward pass. Lesson 06 continues from here.
#
# ## Errors worth reading
#
# The graph records what happened. So some things that Python lets you write cannot be recorded. Read what the errors say. First: an `if`.
# (A trace, as in lesson 03, records one run and is not run again, so there an `if` does no harm.) Which of the two branches should the
# graph remember, when it may run again with another number?

# %% tags=["raises-exception"]
x if x > 0 else -x

# %% [markdown]
# Second: a backward pass from something that is not one number. Where should the seed go?

# %% tags=["raises-exception"]
(mg.Variable([1.0, 2.0, 3.0]) * 2).backward()

# %% [markdown]
# ## In five lines
#
# 1. Writing an expression computes it and records it: constants, variables and operators. An operator remembers its operation and its inputs, and that is enough.
# 2. Reset, forward, seed, backward: every step of training begins with these four. The update comes after them.
# 3. The backward pass has three rules: a node waits for all of its shares (topological order), shares add up (`+=`), a new pass starts from zero (reset).
# 4. Leave one out and there is no error: only the numbers at a diamond and behind it are wrong, or those of the second pass.
# 5. Built once, a graph runs again without allocating an array; and the backward pass is itself a graph.
#
# ## The source
#
# - [minigrad/core/node.py](../minigrad/core/node.py): constants, variables, operators.
# - [minigrad/core/graph.py](../minigrad/core/graph.py): read it now. `topological_order`, `adjoint_nodes` and `Graph` are this lesson; the backward pass itself is a loop of six lines.
# - [minigrad_course/viz/walk_back.py](../minigrad_course/viz/walk_back.py): `walk_back`, the backward pass with the three switches.
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
