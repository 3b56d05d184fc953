# Lesson 05. What a reader has behind them: dual numbers (02), the chain rule, Python. Lessons 03 and 04 (trace tables) may be missing.
# Single numbers come first; arrays appear once, in the measurement. Networks, losses and training are later lessons.

# %% [markdown]
# # 5 · The computational graph: one walk back, all derivatives
#
# In lesson 02 a dual number answered one question per pass: *how does the result move when I nudge **this** input?*
# A picture of a digit has 784 inputs. A network has thousands of weights. A pass for each is too much.
#
# So here is a new wish: **evaluate once, walk back once, and know the derivative by every input.**
#
# The wish has a price. The computation must remember how it was made. What it remembers is a graph, and this lesson is about
# that graph: what is in it, how to walk it, and three ways to walk it wrong.
#
# *Time: about 50 minutes. Write down what you expect before you run a cell.*

# %%
import time

import numpy as np

import minigrad as mg
from minigrad.viz import plots

# %% [markdown]
# ## A neuron, drawn
#
# Before any formula, look. Two inputs, two weights, a bias, and $\tanh$: one neuron.

# %%
x1, x2 = mg.Constant(1.0, name="x1"), mg.Constant(-2.0, name="x2")
w1, w2, b = (mg.Variable(v, name=n) for v, n in [(0.5, "w1"), (0.25, "w2"), (0.4, "b")])

neuron = mg.tanh(w1 * x1 + w2 * x2 + b)
neuron.name = "neuron"
mg.draw(neuron)

# %% [markdown]
# *The graph of one neuron: the constants x1 and x2, the variables w1, w2 and b, and an operator for each multiplication, each sum, and tanh. Arrows run
# from what is needed to what is made of it.*
#
# Read it from left to right. Each arrow says "is needed for". Each box holds a number that is **there already**:
# writing the expression computed it. There are three kinds of boxes, and the outline tells them apart:
#
# | kind | what it holds | who changes it |
# |---|---|---|
# | `Constant` | data | nobody learns it: no derivative is kept |
# | `Variable` | what we want derivatives by | training, later |
# | `Operator` | the result of an operation on other boxes | running the graph |
#
# The three papers that this course grew out of chose the same three. Together, boxes are called **nodes**.
#
# How many operators will the next cell count?

# %%
graph = mg.Graph(neuron)
for node in graph.nodes:
    print(f"{type(node).__name__:9s} {node.name or node.op.name:7s} {node.value:+.4f}")
graph

# %% [markdown]
# A node knows two things about its past: the operation and the inputs. That is all the memory we need.

# %%
neuron.op, neuron.inputs

# %% [markdown]
# ## The question, asked backwards
#
# A smaller example, with a trap in it. `x` is used twice, and so is `a`:
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
# Forward mode asks: *x moves. How much does everything else move?*
# **Reverse mode** asks the other question: *f moved. Who is to blame, and how much?*
#
# The blame of a node is called its **adjoint**: $\bar v = \partial f / \partial v$. For the output it is easy:
#
# $$\bar f = \frac{\partial f}{\partial f} = 1$$
#
# This first 1 is the **seed**. From here every node passes its blame on to its inputs, times the partial derivative:
#
# $$\bar{\text{input}} \mathrel{+}= \bar{\text{node}} \cdot \frac{\partial\,\text{node}}{\partial\,\text{input}}$$
#
# The partial derivatives come from the same table that moved the dual numbers:

# %%
for rule in (mg.rules.mul, mg.rules.add):
    partials = ", ".join(f"∂/∂{i} = {p}" for i, p in zip("ab", rule.partials, strict=True))
    print(f"{rule.name}:  v = {rule.expression}     {partials}")

# %% [markdown]
# (In the table `a` and `b` are the first and the second input, whatever their names.)
#
# Take a pencil. $f = a\,b$ passes $1\cdot b$ to $a$ and $1\cdot a$ to $b$. Go on from there: $b$ next, then $a$.
# What are $\bar x$ and $\bar y$? Then let Python do the same, line by line:

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
# Two derivatives from one walk. Check them with what you have: dual numbers, one pass each.


# %%
def f_of(x, y):
    a = x * y
    return a * (a + x)


by_x = mg.derivative(lambda x: f_of(x, 3.0), 2.0)
by_y = mg.derivative(lambda y: f_of(2.0, y), 3.0)
by_x, by_y

# %% [markdown]
# ## `backward` does the walk
#
# One call. It leaves `.grad` in the variables, and `.adjoint` in every node on the way.

# %%
f.backward()
print("x.grad =", x.grad, "  y.grad =", y.grad)
mg.draw(f)

# %% [markdown]
# *The same graph after backward. Each box now shows its adjoint under its value: f has 1, b has 6, a has 14, y has 28, x has 48.*
#
# Look at `a`. Its adjoint is 14: 8 came straight from `f`, 6 came through `b`. **Two ways lead from `a` to `f`, and the blame of
# both adds up.** This shape is called a diamond, and it is everywhere: every weight of a recurrent network is used at every step.
#
# The smallest diamond is a number added to itself. What is the derivative of $v + v$ by $v$?

# %%
v = mg.Variable(5.0, name="v")
(v + v).backward()
v.grad

# %% [markdown]
# ## Break it, three times
#
# The walk has three rules, and each looks harmless:
#
# 1. **Order.** A node passes its blame on only after *all* of its own blame has arrived.
# 2. **Add.** Blame adds up: `+=`, not `=`.
# 3. **Reset.** A new walk starts from zero.
#
# The next cells run the same walk with one rule left out. Which of the numbers 48 (for x) and 28 (for y) will survive? Guess for each.

# %%
from minigrad.viz.stepper import stepper, walk_back

broken = {
    "all three rules": {},
    "no order": {"in_order": False},
    "= instead of +=": {"add": False},
    "no reset, second walk": {"reset": False, "passes": 2},
}
print(f"{'':24s}{'a':>6s}{'x':>6s}{'y':>6s}")
for name, switches in broken.items():
    adjoint = walk_back(f, **switches)[-1].adjoints
    print(f"{name:24s}{adjoint[a]:6g}{adjoint[x]:6g}{adjoint[y]:6g}")

# %% [markdown]
# Three wrong answers, and no error message. Where did each go wrong? Here is the first, step by step.

# %%
for number, step in enumerate(walk_back(f, in_order=False)):
    print(f"{number}. {step.sentence}")

# %% [markdown]
# At step 2, `a` passed on the 8 it had. At step 3 the missing 6 arrived from `b`, and nobody told `x` and `y`. **`a` did not wait.**
#
# With `=` the order is right, but the second share wipes out the first:

# %%
for number, step in enumerate(walk_back(f, add=False)):
    print(f"{number}. {step.sentence}.  Now a has {step.adjoints.get(a, 0):g}, x has {step.adjoints.get(x, 0):g}.")

# %% [markdown]
# And without a reset, the second walk finds old blame inside the graph and passes it on once more: not twice the gradient, but something
# that is no derivative at all.
#
# Here are the moments side by side, as pictures: right, and with `=`.

# %%
walk_back(f)[-1].picture(f)

# %%
walk_back(f, add=False)[-1].picture(f)

# %% [markdown]
# *Above: the right adjoints, a 14, x 48, y 28. Below, with = instead of +=: a keeps only 6, so x gets 18 and y 12.*
#
# Now drag the slider, and flip the switches. At which step does the first wrong number appear?
# (No slider below? Run the cell in JupyterLab; the lines and pictures above say the same.)

# %%
stepper(f)

# %% [markdown]
# ## Who goes first? A topological order
#
# "Every node after its inputs" is called a **topological order**. `mg.Graph` keeps its nodes in one; `forward` goes through it from the
# left, `backward` from the right. Finding one sounds like a job for three lines of recursion:


# %%
def recursive_order(node, order=None):
    order = [] if order is None else order
    for parent in node.inputs:
        recursive_order(parent, order)
    if node not in order:
        order.append(node)
    return order


[node.name for node in recursive_order(f)]

# %% [markdown]
# It works. Now a chain: the sine of the sine of the sine, 5,000 deep. Not unusual: a sequence of 1,000 steps with 5 operations each.
# What will the three lines do?


# %%
def chain(length):
    node = mg.Variable(1.0, name="start")
    for _ in range(length):
        node = mg.sin(node)
    return node


# %%
try:
    recursive_order(chain(5_000))
except RecursionError as error:
    print("RecursionError:", error)

# %% [markdown]
# Python stops functions that call themselves about a thousand times. So the package keeps its own list of what is still to do, and never
# calls itself. It sorts and differentiates a chain of 100,000:

# %%
began = time.perf_counter()
deep = mg.Graph(chain(100_000))
built = time.perf_counter()
deep.backward()
walked = time.perf_counter()
print(f"{len(deep.nodes):,} nodes: built and sorted in {built - began:.2f} s, differentiated in {walked - built:.2f} s")
print("derivative of the result by the start:", deep.nodes[0].grad)

# %% [markdown]
# You will write this function yourself in the exercise.
#
# ## Twice adds up
#
# `f.backward()` ran once above. Run it again. Is `x.grad` still 48?

# %%
f.backward()
x.grad

# %% [markdown]
# It **adds to** `.grad`. That is meant: a gradient over several batches is a sum. But it is the most common slip in training loops, so say it
# aloud: *reset, forward, backward*. `zero_grad` is the reset.
#
# (Inside, each walk starts clean: `a.adjoint` is still 14. Only the variables' `.grad` adds up.)

# %%
graph = mg.Graph(f)
graph.zero_grad()
graph.forward()
graph.backward()
x.grad, a.adjoint

# %% [markdown]
# ## Built once, run many times
#
# The graph stays. Put another number into `x`, run forward and backward, and every node writes into the place it has. This is the heart
# of all three papers: one of them reports that building the graph once, instead of at every step, made training about ten times faster.

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
graph = mg.Graph(f_of(x, y))  # the same function, in a graph of its own

x.value = 10.0
print("f =", graph.forward())
graph.backward()
print("x.grad =", x.grad, "  by a dual number:", mg.derivative(lambda x: f_of(x, 3.0), 10.0))

# %% [markdown]
# Let us measure what that saves. A graph on arrays this time (the rules are the same, entry by entry): 200 operations on 10,000 numbers.
# `%%measure` counts seconds, and every array that is allocated. First: build it, run it, walk back.

# %%
start = mg.Variable(np.linspace(0.0, 1.0, 10_000), name="start")


def long_expression(v):
    for _ in range(100):
        v = mg.sin(v) * 1.5
    return mg.sum(v)


# %%
# %%measure
graph = mg.Graph(long_expression(start))
graph.backward()

# %% [markdown]
# How many arrays will a second run allocate?

# %%
# %%measure
graph.zero_grad()
graph.forward()
graph.backward()

# %% [markdown]
# Not one array of 10,000. (A few bytes are single numbers, such as the function's value handed back.)
#
# ## One walk against many passes
#
# Back to the wish. A function of $n$ inputs with one number as its value: forward mode needs $n$ passes, reverse mode one walk. Draw both
# lines in your head before you run the cell. What is the slope of the second?


# %%
def energy(v):
    return mg.sum(mg.sin(v) * v)


def seconds(function, *arguments):
    best = []
    for _ in range(5):
        began = time.perf_counter()
        function(*arguments)
        best.append(time.perf_counter() - began)
    return float(np.median(best))


def forward_gradient(v):
    return [mg.jvp(energy, (v,), (unit,))[1] for unit in np.eye(len(v))]


counts = [1, 50, 100, 200, 400, 784]
inputs = [np.linspace(0.1, 2.0, n) for n in counts]
assert np.allclose(forward_gradient(inputs[2]), mg.grad(energy)(inputs[2]))
forward = [1e3 * seconds(forward_gradient, v) for v in inputs]
reverse = [1e3 * seconds(mg.grad(energy), v) for v in inputs]

figure, axes = plots.canvas(7.5, 3.8)
axes.plot(counts, forward, "o-", color=plots.VERMILLION)
axes.plot(counts, reverse, "s-", color=plots.BLUE)
axes.set(xlabel="number of inputs", ylabel="milliseconds for the whole gradient")
plots.label(axes, 480, forward[-1] * 0.8, "forward: a pass for each input", plots.VERMILLION, ha="right")
plots.label(axes, 770, forward[-1] * 0.06, "reverse: one walk", plots.BLUE, ha="right")
plots.show(
    figure,
    f"The gradient by {counts[-1]} inputs takes {forward[-1]:.1f} ms by forward passes, {reverse[-1]:.2f} ms by one walk: "
    f"{forward[-1] / reverse[-1]:.0f} times less. The first line grows with the inputs, the second hardly moves.",
)

# %% [markdown]
# The wish has come true. The walk back costs about as much as a few evaluations, whatever the number of inputs. This is why networks
# with billions of weights can be trained at all.
#
# (And the price? Forward mode forgets as it goes. Reverse mode must keep every value until the walk comes by. Lesson 12 haggles over that.)
#
# ## A small network
#
# Two inputs, three hidden neurons, one output. Count the arrows that leave `x1`: each is a share that will come back to it.

# %%
weights = [(0.8, -0.4, 0.1), (-0.6, 0.9, 0.5), (0.3, 0.7, -0.2)]  # two weights and a bias for each hidden neuron
outer = [0.5, -0.7, 1.1]

x1, x2 = mg.Variable(1.0, name="x1"), mg.Variable(-1.0, name="x2")
hidden = [mg.tanh(p * x1 + q * x2 + r) for p, q, r in weights]
for k, node in enumerate(hidden):
    node.name = f"h{k}"
output = outer[0] * hidden[0] + outer[1] * hidden[1] + outer[2] * hidden[2]
output.name = "out"
output.backward()
mg.draw(output)

# %% [markdown]
# *A network of two inputs, three hidden neurons and one output as a graph of single numbers, with all adjoints after one walk back.*
#
# ## The walk back is a graph, too
#
# Look at what the walk did: multiplications and sums. Those are operations, and operations make nodes. `mg.adjoints` gives the adjoints
# **as nodes**. What will the graph of $\bar x$ look like for $f = x^2 y$?

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
f = x**2 * y
(x_bar,) = mg.adjoints(f, [x])
x_bar.name = "x_bar"
mg.draw(x_bar)

# %% [markdown]
# *The graph of the adjoint of x: 2 x y, made of the seed 1 and the nodes x and y.*
#
# It is a graph like any other. So it can be drawn, run again, and differentiated. What is $\partial \bar x / \partial x$, in symbols and as a number?

# %%
x_bar.backward()
x.grad, y.grad

# %% [markdown]
# $2y = 6$ and $2x = 4$: second derivatives, by walking back through a walk back. Lesson 06 makes more of this.
#
# ## Errors worth reading
#
# The graph records what happened. So some things that Python lets you write cannot be recorded. Read what they say.
# First: an `if`. Which of the two branches should the graph remember when it runs again with another number?

# %% tags=["raises-exception"]
x if x > 0 else -x

# %% [markdown]
# Second: a walk back from something that is not one number. Whose blame would it be?

# %% tags=["raises-exception"]
(mg.Variable([1.0, 2.0, 3.0]) * 2).backward()

# %% [markdown]
# Third: shapes that do not fit. Find your own line in the message.

# %% tags=["raises-exception"]
mg.Variable(np.ones((2, 3))) @ mg.Variable(np.ones((2, 3)))

# %% [markdown]
# ## In five lines
#
# 1. Writing an expression computes it and records it: constants, variables and operators, with arrows for "is needed for".
# 2. Reverse mode starts with the seed 1 at the output; each node passes its adjoint on to its inputs, times the partial derivative.
# 3. Three rules: a node waits for all of its blame (topological order), blame adds up (`+=`), a new walk starts from zero (reset).
# 4. One walk gives the derivative by every input, for the price of a few evaluations. Forward mode needs a pass for each.
# 5. Built once, a graph runs again without allocating an array; and the walk back is itself a graph.
#
# ## The source
#
# - [minigrad/graph.py](../minigrad/graph.py): read it now. `topological_order`, `adjoint_nodes` and `Graph` are this lesson; the walk itself is twenty lines.
# - [minigrad/viz/stepper.py](../minigrad/viz/stepper.py): the walk with the three switches.
#
# ## The papers
#
# - B: *Reverse-mode automatic differentiation in Julia*: Constant, Variable, Operator; topological sort, reset, forward, backward.
# - A and C: the same nodes in *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks* and *Fast implementation of an
#   automatic backward differentiation in the Julia language*; what building the graph once brought them.
# - S. Linnainmaa, *Taylor expansion of the accumulated rounding error* (1976): reverse mode, for rounding errors.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 3: why the walk back costs at most a few evaluations.
#
# ## Your turn
#
# Exercise: [exercises/05_computational_graph](../exercises/05_computational_graph/05_computational_graph.ipynb). You write the order and the walk, and make them
# survive the diamond, the deep chain and the second call. In a terminal, `minigrad grade 05` runs it from top to bottom.
#
# Next: lesson 11, [recurrent networks](11_recurrent_networks.ipynb), where the graph gets a memory. (Lessons 06 to 10 are planned.)
