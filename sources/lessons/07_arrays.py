# Lesson 07. What a reader has behind them: dual numbers (02), tables in both directions (03, 04), the graph (05), second derivatives (06).
# Layers, batches and training belong to lesson 10: here a "layer" is X @ W + b, and a loss is one function.

# %% [markdown]
# # 7 · Arrays: one rule for a million numbers
#
# A first layer for handwriting takes 100 pictures of 784 pixels and gives each picture ten scores, one for each digit. In Python it is one line:
#
# ```python
# scores = X @ W + b
# ```
#
# Written out, that line multiplies 784,000 times and adds as often. In lesson 05 every product and every sum became a node of the graph.
#
# **Must we go back through a million and a half nodes, for one line?** And if we write one rule for the whole line instead: **how do we find
# out that the rule is right, when we do not know the right answer?**
#
# By the end you will have rules for copies, sums, matrix products and a loss, and a test that exposes a wrong rule without knowing the right one.
#
# *Time: about 45 minutes{first run}.*

# %% [markdown]
# **Before you read on.** A shop sells four kinds of basket, and each has one loaf of bread in it. Today it sold one of the first kind, none of the second,
# three of the third and one of the fourth. A loaf gets a cent dearer, and the baskets with it. By how many cents do the takings rise?
#
# {guess: cents | loaf}

# %%
import time
from functools import partial

import numpy as np
from IPython.display import Markdown
from matplotlib.patches import Rectangle

import minigrad as mg
from minigrad_course.measure import in_turns
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_arrays as pictures
from minigrad_course.viz import plots

digits = mg.data.for_lesson()  # handwriting, for the end of the lesson
rng = np.random.default_rng(0)

# %% [markdown]
# ## What it costs to take it apart
#
# A small layer first: 10 rows of 20 numbers, 5 scores for each. Here it is made of single numbers, as in lesson 05. Each score takes 20
# products and 20 sums. How many operators will the graph have?

# %%
small_X, small_W, small_b = rng.standard_normal((10, 20)), rng.standard_normal((20, 5)), rng.standard_normal(5)
weights = [[mg.Variable(w) for w in row] for row in small_W]
biases = [mg.Variable(b) for b in small_b]


def layer_of_numbers():
    """The sum of all scores, as one number, from single numbers only."""
    total = 0.0
    for row in small_X:
        for j in range(5):
            score = biases[j]
            for k in range(20):
                score = score + row[k] * weights[k][j]
            total = total + score
    return total


def operators(output):
    return sum(isinstance(node, mg.Operator) for node in mg.topological_order(output))


says("operators: {}", operators(layer_of_numbers()), when=lambda n: n == 50 * 40 + 50)

# %% [markdown]
# 50 scores times 40 operations, and 50 sums to make one number of them. The same with whole arrays as nodes:

# %%
W, b = mg.Variable(small_W, name="W"), mg.Variable(small_b, name="b")


def layer_of_arrays():
    return mg.sum(small_X @ W + b)


mg.draw(layer_of_arrays())

# %% [markdown]
# *Three operators: a matrix product, a sum in which `b` is used for each row, and a sum of all entries.*
#
# How many times faster is the second, forward and backward together? The two take turns.


# %%
def compared(slow, fast, jobs):
    """Print the times of two jobs, and how many times as long the first one takes."""
    times = 1e3 * in_turns(jobs, 9, clock=time.process_time)
    for name, rounds in zip((slow, fast), times.T, strict=True):
        print(f"{name:16} {np.median(rounds):8.3f} ms   from {rounds.min():.3f} to {rounds.max():.3f}")
    ratios = times[:, 0] / times[:, 1]
    print(f"{slow}: {np.median(ratios):,.0f} times as long, from {ratios.min():,.0f} to {ratios.max():,.0f}")


compared(
    "single numbers", "whole arrays", [lambda: layer_of_numbers().backward(), lambda: layer_of_arrays().backward()]
)

# %% [markdown]
# And the handwriting layer multiplies 784 times as often. So a node holds an array, and each *array operation* needs a rule
# of its own. We go through four kinds: **map**, **reduce**, **broadcast**, and the **matrix product**.
#
# ## Three pictures that explain most rules
#
# Lesson 04 said what reverse mode does, for any function: it multiplies the [Jacobian](glossary.ipynb#Jacobian) by the [cotangent](glossary.ipynb#Cotangent), from the left.
# $\bar x^\top = \bar y^\top J$, or, as columns, $\bar x = J^\top \bar y$.
#
# - A [map](glossary.ipynb#Map) does the same to each entry: `tanh(x)`.
# - A [reduce](glossary.ipynb#Reduce) makes one number out of many: `sum(x)`.
# - A **broadcast** makes many numbers out of one: copies.
#
# With six numbers each: which entries of these three Jacobians are not zero? Draw them on paper before you run the cell.

# %%
x6 = np.linspace(-1.5, 1.0, 6)
kinds = {
    "map: tanh(x)": mg.jacobian(mg.tanh)(x6),
    "reduce: sum(x)": mg.jacobian(lambda x: mg.reshape(mg.sum(x), (1,)))(x6),
    "broadcast: copies": mg.jacobian(lambda x: mg.broadcast_to(x, (6,)))(x6[:1]),
}
pictures.jacobians(
    kinds,
    "Three Jacobians: map is a diagonal of slopes, largest where tanh is steepest. "
    "Reduce is one row of ones. Broadcast is one column of ones.",
)

# %% [markdown]
# Now read them as $\bar x = J^\top \bar y$. Transpose the picture: reflect it across its diagonal, so that rows become columns.
#
# | operation | its Jacobian | transposed | so the adjoint |
# |---|---|---|---|
# | map | diagonal | the same diagonal | is multiplied, entry by entry, by the slope |
# | reduce, by a sum | a row of ones | a column of ones | **is copied** to every entry |
# | broadcast | a column of ones | a row of ones | **is summed** over the copies |
#
# **The adjoint of a sum is a copy. The adjoint of a copy is a sum.**
#
# These matrices are never stored. The rule does what multiplying by the matrix would do.
#
# ## Broadcast: copies forward, sums backward
#
# In `X @ W + b` the product has one row for each picture, and `b` is a single row. NumPy does not complain: it *uses* `b` once for each row, as if
# it were copied. This is [broadcasting](glossary.ipynb#Broadcasting), and nothing in the program shows it.
#
# Below, on the left: `b` and its copies. On the right: the adjoints that arrived at the copies, and their sums. The result depends on each copy, so
# each copy's adjoint is a share of `b`'s.

# %%
b_row = np.array([10.0, 20.0, 30.0])
arrived = np.array([[1, 2, 0], [0, 1, 1], [3, 0, 1], [1, 1, 2.0]])
loaf = arrived.sum(axis=0)[0]
print(f"for the loaf: {loaf:g} cents")
pictures.broadcasting(b_row, arrived)

# %% [markdown]
# The baskets are the first column: the price of a loaf was copied into all four, and $1 + 0 + 3 + 1$ is the sum over the copies. Who answered 4
# counted the copies, and who answered 1.25 took their mean.
#
# The rule, in one line: **sum the adjoint over every axis along which the input was copied, so that it has the shape of the input again.** An
# input is copied along an axis that it lacks, or along an axis where its size is 1 and that of the result is larger. For a result of the shape
# (4, 3):
#
# | the input's shape | read from the right | sum over | shape after that |
# |---|---|---|---|
# | `(3,)` | the left axis is missing | axis 0 | `(3,)` |
# | `(4, 1)` | the last axis has size 1 | axis 1, and keep it | `(4, 1)` |
# | `()` | both are missing | both | `()` |
# | `(4, 3)` | nothing was copied | none | `(4, 3)` |
#
# The general function, for all shapes, is the first task of the exercise.
#
# ## Break it
#
# A common mistake. Ten predictions in a column, ten targets in a row, both 0 to 9; the loss is the mean of the
# squared differences. The predictions are *exactly right*.
#
# {guess "What is the loss?": | mean_square}

# %%
target = np.arange(10.0)
prediction = target.reshape(10, 1)  # right, but it is a column
mean_square = np.mean((prediction - target) ** 2)
print("loss:", mean_square)
print("the shape of the difference:", (prediction - target).shape)

# %% [markdown]
# A column minus a row is a *table* of all pairs. The loss compares every prediction with every target, and its gradient pulls them all towards the
# targets' mean. That is why a loss should refuse such shapes:

# %% tags=["raises-exception"]
mg.mse(prediction, target)

# %% [markdown]
# ## The matrix product, from its loops
#
# $C = A\,B$. Thesis D derives its adjoint as you would by hand: from the three loops.

# %%
A, B = rng.standard_normal((20, 30)), rng.standard_normal((30, 25))


def product_by_loops(A, B):
    C = np.zeros((len(A), len(B[0])))
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i, j] += A[i, k] * B[k, j]
    return C


print("largest difference from A @ B:", np.abs(product_by_loops(A, B) - A @ B).max())

# %% [markdown]
# Look at one entry of $A$, in row $i$ and column $k$. Which entries of $B$ is it multiplied by, and which entries of $C$ does it change?

# %%
pictures.product(1, 2)

# %% [markdown]
# Now backwards. The innermost line has two inputs that vary, `A[i, k]` and `B[k, j]`. The rule for a product gives it two reverse lines:
#
# ```python
# C[i, j] += A[i, k] * B[k, j]          # forward
#
# A_bar[i, k] += C_bar[i, j] * B[k, j]  # backward
# B_bar[k, j] += C_bar[i, j] * A[i, k]
# ```
#
# The loops around them may run in any order, because they only add up. So here is a correct adjoint of the matrix product, without any
# thought about matrices:


# %%
def adjoints_by_loops(C_bar, A, B):
    A_bar, B_bar = np.zeros(A.shape), np.zeros(B.shape)
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                A_bar[i, k] += C_bar[i, j] * B[k, j]
                B_bar[k, j] += C_bar[i, j] * A[i, k]
    return A_bar, B_bar


C_bar = rng.standard_normal((20, 25))
A_bar, B_bar = adjoints_by_loops(C_bar, A, B)
A_bar.shape, B_bar.shape

# %% [markdown]
# Look at the first of the two lines again, and let only $j$ run:
#
# $$\bar A_{ik} = \sum_j \bar C_{ij}\,B_{kj}$$
#
# Two rows, multiplied and summed: row $i$ of $\bar C$ and row $k$ of $B$. A matrix product needs a row and a *column*. Which matrix has the rows of $B$ as its columns?
# Complete $\bar A = \bar C\;\cdot\,?$ and $\bar B = {?}\cdot\,\bar C$ by shape alone, before you run the cell: $A$ is $20\times30$, $\bar C$ is $20\times25$, $B$ is $30\times25$.

# %%
says("A_bar: {:.0e}", np.abs(A_bar - C_bar @ B.T).max(), when=lambda d: d < 1e-12)
says("B_bar: {:.0e}", np.abs(B_bar - A.T @ C_bar).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# $$\bar A = \bar C\,B^{\mathsf T} \qquad\qquad \bar B = A^{\mathsf T}\,\bar C$$
#
# The loops agree with them up to rounding. The adjoint of a product is two products, so the backward pass costs about twice as much as the forward pass, and the
# same fast routine does it.
#
# **Stacks.** An array of the shape `(5, 4, 3)` is a stack of five matrices, and `@` multiplies each of them. Here $B$ is a single matrix. So all
# five use it: it was broadcast along the stack.

# %%
stack, single = rng.standard_normal((5, 4, 3)), rng.standard_normal((3, 2))
figure, panels = plots.canvas(7.0, 2.2, columns=3)
for ax, name, sheets, (height, width) in zip(panels, ("A", "B", "C"), (5, 1, 5), ((4, 3), (3, 2), (4, 2)), strict=True):
    for sheet in reversed(range(sheets)):
        place = 0.35 * sheet, 0.35 * sheet
        ax.add_patch(Rectangle(place, width, height, facecolor=plots.SKY, edgecolor=plots.BLACK))
    ax.set(xlim=(-0.3, 5), ylim=(-0.3, 6), title=f"{name}: {f'{sheets} of ' if sheets > 1 else ''}{height} x {width}")
    ax.set_aspect("equal")
    ax.axis("off")
plots.show(figure, "A stack of five matrices, the one matrix that multiplies each of them, and the stack of products.")

C_bar = rng.standard_normal((5, 4, 2))
stack_bar = C_bar @ np.swapaxes(single, -1, -2)  # transposed: the last two axes are swapped
single_bar = (np.swapaxes(stack, -1, -2) @ C_bar).sum(axis=0)  # and summed over the copies
_, pull_back = mg.vjp(mg.matmul, stack, single)
apart = [np.abs(own - graph).max() for own, graph in zip((stack_bar, single_bar), pull_back(C_bar), strict=True)]
says("largest differences from the graph: {:.0e}, {:.0e}", *apart, when=lambda *apart: max(apart) < 1e-12)

# %% [markdown]
# For each matrix of the stack the rule is the same, and $B$ gets the sum over its five copies.
#
# This is a good place to stop for today. You have the rules; what follows asks whether they are right, and puts them to use.
#
# ## Is it right? The dot-product test
#
# Here are five versions of the adjoint of $C = A\,B$ with respect to $A$, with $B$ a fixed square matrix. All run, all give the right shape. Which
# would you trust?

# %%
square = rng.standard_normal((6, 6))
suspects = {
    "1": lambda C_bar: C_bar @ square.T,
    "2": lambda C_bar: C_bar @ square,
    "3": lambda C_bar: square.T @ C_bar,
    "4": lambda C_bar: C_bar @ square.T * 1.0005,
    "5": lambda C_bar: (C_bar @ square.T).T,
}

# %% [markdown]
# With square matrices the shapes tell nothing. We could compare with finite differences, entry by entry: 36 here, and 7,850 for the layer.
# There is a better way, with a single number.
#
# Take *any* direction $u$ at the input, and *any* weights $w$ at the output. Ask: when the input moves along $u$, how does the weighted sum
# of the outputs move? There are two ways to the answer.
#
# - **Forward**: push $u$ through. $J u$ is the tangent that comes out (a [jvp](glossary.ipynb#jvp)). Then take the weighted sum: $\langle w, J u\rangle$.
# - **Backward**: pull $w$ back. $J^\top w$ is the adjoint (a [vjp](glossary.ipynb#vjp)). Then take its product with $u$: $\langle J^\top w, u\rangle$.
#
# $$\langle w,\; J u\rangle \;=\; w^\top J\, u \;=\; \langle J^\top w,\; u\rangle$$
#
# It is the same product of three factors, with brackets in different places. So the two numbers are equal, whatever the function, as long
# as it has derivatives there, and whatever $u$ and $w$. If they are not, at least one mode is wrong. This is the [dot-product
# test](glossary.ipynb#Dot-product-test).


# %%
def dot_product_test(f, vjp, x):
    """The two numbers, for a random direction u and random weights w. f is called on a dual number."""
    u = rng.standard_normal(np.shape(x))
    y, Ju = mg.jvp(f, x, u)
    w = rng.standard_normal(np.shape(y))
    return np.sum(w * Ju), np.sum(vjp(w) * u)


table = "| adjoint | forward: ⟨w, J u⟩ | backward: ⟨Jᵀ w, u⟩ | relative difference |\n|---|---|---|---|\n"
for name, vjp in suspects.items():
    forward, backward = dot_product_test(lambda A: A @ square, vjp, rng.standard_normal((6, 6)))
    apart = abs(forward - backward) / abs(forward)
    table += f"| {name} | {forward:.12f} | {backward:.12f} | {apart:.0e} |\n"
    assert (apart < 1e-12) == (name == "1")
Markdown(table)

# %% [markdown]
# Only the first one passes. Number 4 is off by a factor of 1.0005: no plot would show it, training would still work, and the test shows it.
#
# The test does not need the right answer. It needs two *independent* ways to the same number. So minigrad tests every operation in this way *and*
# compares with differences and the complex step, which read no table of derivatives.
#
# ## From scores to a loss
#
# The layer gives ten numbers for a picture, of any size and sign; they are called [logits](glossary.ipynb#Logits). A loss has
# to say how bad they are, given the right digit.
#
# First turn them into probabilities, positive and with sum 1. That is [softmax](glossary.ipynb#Softmax): $p_k = e^{z_k} / \sum_m e^{z_m}$.
# Then take the probability $p$ of the right class, the *label*, and compute $-\log p$. It is 0 if the network was certain and right, and
# large if it was certain and wrong. That is [cross-entropy](glossary.ipynb#Cross-entropy).


# %%
def softmax_as_written(z):
    powers = np.exp(z)
    return powers / np.sum(powers)


def loss_as_written(z, label):
    return -np.log(softmax_as_written(z)[label])


z = np.array([2.0, 1.0, 0.0])
print("probabilities:", np.round(softmax_as_written(z), 3))
for label in range(3):
    print(f"loss if the label is {label}: {loss_as_written(z, label):.3f}")

# %% [markdown]
# Logits grow while a network learns. Let one logit be `big`, and let the label be another class, so that the loss is about `big`. In float32, as
# networks compute: what happens at 10, at 100, and at 10,000? We switch NumPy's warnings off, and look at the numbers.

# %%
for big in (10, 100, 10_000):
    with np.errstate(all="ignore"):
        loss = loss_as_written(np.float32([big, 0, 0]), 1)
    says("{:6}: loss {}", big, loss, when=lambda big, loss: np.isfinite(loss) == (big < 89))

# %% [markdown]
# The largest float32 is about $3\cdot10^{38}$, and $e^{89}$ is more. So the sum is infinite, the label's share of it is 0, and $-\log 0$ is
# infinite. A common remedy: softmax does not change when the same number is added to all logits, so subtract the largest. Does that fix the loss?


# %%
def loss_shifted(z, label):
    return -np.log(softmax_as_written(z - np.max(z))[label])


for big in (10, 100, 10_000):
    with np.errstate(all="ignore"):
        loss = loss_shifted(np.float32([big, 0, 0]), 1)
    says("{:6}: loss {}", big, loss, when=lambda big, loss: abs(loss - big) < 0.1 if big <= 100 else np.isinf(loss))

# %% [markdown]
# No power overflows now, but the label's, which is *small*, loses digits at 100 and rounds to 0 at 10,000, and $-\log 0$ is infinite again. The
# problem lies **between** the two operations: softmax discards what the logarithm needs. So do them together. With $M = \max_k z_k$:
#
# $$-\log p_{\text{label}} = -\log \frac{e^{z_{\text{label}} - M}}{\sum_k e^{z_k - M}} = \log \sum_k e^{z_k - M} - (z_{\text{label}} - M)$$
#
# The logarithm cancels the exponential of the label. In the sum that is left, at least one term is $e^0 = 1$.


# %%
def loss_fused(z, label):
    shifted = z - np.max(z)
    return np.log(np.sum(np.exp(shifted))) - shifted[label]


gaps = np.logspace(0, 4, 400, dtype=np.float32)
figure, axes = plots.canvas(7.5, 3.6)
ways = [
    (loss_fused, "fused", plots.GREY, 7, 3000),
    (loss_shifted, "shifted", plots.ORANGE, 4, 40),
    (loss_as_written, "as written", plots.BLUE, 2, 13),
]
for way, name, colour, width, height in ways:
    with np.errstate(all="ignore"):
        losses = np.array([way(np.float32([gap, 0, 0]), 1) for gap in gaps])
    last = np.flatnonzero(np.isfinite(losses))[-1]
    axes.loglog(gaps[: last + 1], losses[: last + 1], color=colour, linewidth=width)
    plots.label(axes, 130, height, f"{name}: up to {gaps[last]:,.0f}", plots.INK.get(colour, colour))
axes.set(xlabel="the largest logit", ylabel="loss", title="Three ways to write one loss, in float32")
plots.show(
    figure,
    "The loss against the largest logit. As written, the line ends before 100, shifted just after it. "
    "Fused, it goes on to the edge.",
)

# %% [markdown]
# And the gradient? Take the derivative of $\log\sum_m e^{z_m} - z_{\text{label}}$ with respect to $z_k$ by hand:
#
# $$\bar z_k = \frac{e^{z_k}}{\sum_m e^{z_m}} - [k = \text{label}] = p_k - [k = \text{label}]$$
#
# **The predicted probability, minus the true one**, $[k = \text{label}]$: 1 for the label, 0 otherwise. No logarithm; and with the largest score subtracted first, nothing overflows. Each entry lies
# between −1 and 1, however wrong the network is. Does the formula pass the test? `mg.jvp` runs the fused loss on dual numbers, at 10,000 as well.


# %%
def loss_vjp(adjoint, z, label):
    predicted = softmax_as_written(z - z.max())
    truth = np.arange(len(z)) == label
    return adjoint * (predicted - truth)


for z in (np.array([2.0, 1.0, 0.0]), np.array([10_000.0, 0.0, 0.0]), rng.standard_normal(10)):
    forward, backward = dot_product_test(lambda z: loss_fused(z, 1), partial(loss_vjp, z=z, label=1), z)
    print(f"forward {forward:+.12f}  backward {backward:+.12f}")

# %% [markdown]
# ## One line, a million and a half operations, three rules
#
# Now real handwriting: 100 pictures, ten of each digit, weights that are all 0, and the rules of this lesson by hand: the loss, the product,
# the sum.

# %%
chosen = np.concatenate([np.flatnonzero(digits.train_y == k)[:10] for k in range(10)])
X, labels = digits.train_x[chosen].astype(float), digits.train_y[chosen].astype(int)
W0, b0 = np.zeros((784, 10)), np.zeros(10)

scores = X @ W0 + b0
predicted = np.exp(scores - scores.max(axis=1, keepdims=True))
predicted /= predicted.sum(axis=1, keepdims=True)
truth = np.eye(10)[labels]

scores_bar = (predicted - truth) / 100  # the mean over 100 pictures
W_bar = X.T @ scores_bar  # the product
b_bar = scores_bar.sum(axis=0)  # the sum over the copies of b

# %% [markdown]
# And by the graph. How many operators will it have, for a million and a half operations?

# %%
W, b = mg.Variable(W0, name="W"), mg.Variable(b0, name="b")
loss = mg.softmax_cross_entropy(X @ W + b, labels)
loss.backward()
print("operators in the graph:", operators(loss))
print("loss:", loss.value, "  log 10:", np.log(10))
apart = np.abs(W_bar - W.grad).max(), np.abs(b_bar - b.grad).max()
says("W: {:.0e}   b: {:.0e}", *apart, when=lambda *apart: max(apart) < 1e-12)

# %% [markdown]
# The three rules agree with the graph on all 7,850 derivatives. The loss is $\log 10$ because a network whose scores are all 0 gives each
# digit the probability of a tenth.
#
# Each column of `W_bar` belongs to a digit and has a number for each pixel. So it is a picture. To make the loss *smaller* we move against it.
# What do you expect to see in $-\bar W$, column by column?

# %%
figure, axes = plots.canvas(9, 1.5, columns=10)
limit = np.abs(W_bar).max()
for k, ax in enumerate(axes):
    ax.imshow(-W_bar[:, k].reshape(28, 28), cmap=plots.signed(), vmin=-limit, vmax=limit)
    ax.set(title=k, xticks=[], yticks=[])
    ax.grid(False)
plots.show(
    figure,
    "The negative gradient of the weights as ten pictures, each in the shape of its digit. "
    "Orange: ink there speaks for the digit. Blue: against it.",
)

# %% [markdown]
# Ten digits, from weights that were all zero. Each predicted probability is a tenth, the true one is 0 or 1, and the pictures are summed with the
# differences as weights. A step in this direction is the beginning of learning. The next cell takes one, and counts the right answers on test
# pictures that were not among the 100. Random answers would get about a tenth right.
#
# {guess "What percentage of the test pictures will be right after one step?": % | 100 * right.mean()}

# %%
step = -1.0 * W_bar
right = (digits.test_x @ step).argmax(axis=1) == digits.test_y
print(f"right after one step: {right.mean():.0%} of {len(right):,} test pictures")

# %% [markdown]
# ## In five lines
#
# 1. Nodes hold arrays, and each array operation has a rule that does what multiplying by its transposed Jacobian would do.
# 2. The adjoint of a copy is a sum, the adjoint of a sum is a copy; so the adjoint of a broadcast is summed to the input's shape.
# 3. $C = AB$ gives $\bar A = \bar C B^{\mathsf T}$ and $\bar B = A^{\mathsf T}\bar C$: three loops, read twice.
# 4. The dot-product test compares $\langle w, Ju\rangle$ with $\langle J^\top w, u\rangle$ for random $u$ and $w$: one number that exposes a wrong rule, without the right answer.
# 5. Softmax and cross-entropy belong in one operation. Its gradient is the predicted probability minus the true one, and logits of 10,000 are no problem.
#
# ## Your turn
#
# Exercise: [exercises/07_arrays](../exercises/07_arrays/07_arrays.ipynb). You write `unbroadcast`, the adjoints of the product and of the loss, and the test that they have to pass.
#
# [Your own engine](../project/project.ipynb): milestones 4 to 6 can be done now, arrays, the matrix product, and softmax with its loss.
#
# **Next: [8 · From tape to program](08_tape_to_program.ipynb)**: instead of going through the graph again and again, we write the backward pass down as a program.

# %% [markdown]
# ## Further

# %% [markdown]
# **Other kinds of reduce.** What does a mean of six numbers pass to each? And a maximum, when two entries are equal?

# %%
x_tie = np.array([1.0, 4.0, 2.0, 4.0, 0.0, -1.0])
print("sum: ", mg.grad(mg.sum)(x_tie))
print("mean:", mg.grad(mg.mean)(x_tie))
print("max: ", mg.grad(mg.max)(x_tie))
assert mg.grad(mg.max)(x_tie).tolist() == [0, 0.5, 0, 0.5, 0, 0]

# %% [markdown]
# A mean is a sum divided by six, so each gets a sixth. A maximum depends on the largest entry alone. When two are equal, a *tie*, there is no one
# right answer; minigrad gives equal shares, as PyTorch's `amax` does.
#
# **The bias that grows.** What if somebody forgets the sum over the copies? Here a column `c` of shape `(4, 1)` takes a step against its gradient,
# with an adjoint that was never summed.

# %%
c = np.array([[10.0], [20], [30], [40]])
print("before:", c.shape)
c = c - 0.1 * arrived  # arrived has the shape (4, 3): the sum is missing
print("after: ", c.shape)

# %% [markdown]
# No error. The column became a matrix, because subtracting broadcasts as well. From now on each copy is changed on its own.
#
# **Two ways that are not independent.** In minigrad, forward and reverse mode of an elementwise operation read the same row of the derivative
# table. Here is a row with a derivative that is a tenth too large. Will the test find it?

# %%
from minigrad.core.rules import Rule

wrong_sin = Rule("sin(a)", "1.1 * cos(a)")
at, u, w = 2.0, 1.5, -0.7
forward = w * mg.jvp(wrong_sin, (at,), (u,))[1]
_, pull_back = mg.vjp(wrong_sin, at)
[at_bar] = pull_back(w)
backward = at_bar * u
print(f"forward {forward:+.12f}  backward {backward:+.12f}  right: {w * np.cos(at) * u:+.12f}")
assert np.isclose(forward, backward)

# %% [markdown]
# It passes, because the same mistake is in both.
#
# **Why random numbers?** Try the dot-product test with all ones instead. Which of the wrong adjoints pass, and why?

# %%
ones = np.ones((6, 6))
forward = np.sum(ones * (ones @ square))
for name, vjp in suspects.items():
    backward = np.sum(vjp(ones) * ones)
    print(name, f"{forward:.12f} {backward:.12f}")
    assert np.isclose(forward, backward, rtol=1e-9) == (name != "4")

# %% [markdown]
# Number 4 is caught, and all the others pass. A test with ones is blind to anything that only moves numbers around: a transpose, a wrong order.
#
# **A gradient for each picture.** The gradient of a mean over 100 pictures is the mean of 100 gradients. What does *each* picture ask for?
# `mg.vmap` turns a function of one picture into a function of all of them, with one graph where a loop would build 100. `None`: the weights are
# the same for all.


# %%
def loss_of_one(W, picture, label):
    return mg.softmax_cross_entropy((picture @ W)[None], label[None])


each = mg.vmap(mg.grad(loss_of_one), (None, 0, 0))(W0, X, labels)
print("shape:", each.shape)
print("largest difference between their mean and the gradient from above:", np.abs(each.mean(axis=0) - W_bar).max())

# %% [markdown]
# Do the pictures all want the same thing? For any two of them, take the cosine of the angle between their gradients. 1: they want the same.
# 0: the one does not affect the other. Below 0: a step for the one is a step against the other.

# %%
directions = each.reshape(100, -1)
lengths = np.linalg.norm(directions, axis=1)
cosines = directions @ directions.T / np.outer(lengths, lengths)
same = labels[:, None] == labels

figure, ax = plots.canvas(4.2, 3.6)
image = ax.imshow(cosines, cmap=plots.signed(), vmin=-1, vmax=1)
ax.set(xticks=range(5, 100, 10), yticks=range(5, 100, 10), xticklabels=range(10), yticklabels=range(10))
ax.set(xlabel="digit", ylabel="digit")
ax.grid(False)
figure.colorbar(image, label="cosine")
plots.show(
    figure, "Ten blocks on the diagonal: gradients of pictures of one digit point in similar directions, others do not."
)
assert cosines[~same].max() < 1e-12  # any two digits
means = cosines[same & ~np.eye(100, dtype=bool)].mean(), cosines[~same].mean()
says("mean cosine: same digit {:.2f}, different digits {:.2f}", *means, when=lambda same, other: other < 0 < 0.5 < same)
left = np.linalg.norm(W_bar) / lengths.mean()
says("the gradient is {:.0%} as long as that of a picture", left, when=lambda left: left < 0.5)

# %% [markdown]
# Pictures of one digit pull together, and any two digits pull a little against each other. So most of it cancels in the mean, and the
# gradient that is left is short.
#
# **The source.**
#
# - [minigrad/ops/matmul.py](../minigrad/ops/matmul.py): `Matmul`, the product and its adjoint.
# - [minigrad/ops/reduce.py](../minigrad/ops/reduce.py): `Sum`, and `Max` with its ties.
# - [minigrad/core/fit.py](../minigrad/core/fit.py): `sum_to`, which is what you will write as `unbroadcast`. The backward pass of a graph calls it, by `fit`, for all operations.
# - [minigrad/ops/loss.py](../minigrad/ops/loss.py): the fused cross-entropy, and its slope.
# - [minigrad/loops/vmap.py](../minigrad/loops/vmap.py): an `Example` looks like the value of one, and holds those of all.
#
# **The papers.**
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*, sections 6.3 and 6.4: reduce, map, and the matrix product from its loops.
# - A (Ankiersztajn, Tęcza) and C (Maciejewski, Ziober): their `BroadcastedOperator` is our node with an array in it; A has the stable cross-entropy.
# - M. B. Giles, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation* (2008): the rules for inverse, determinant and more.
# - J. F. Claerbout, *Earth Soundings Analysis: Processing versus Inversion* (1992): the dot-product test, in geophysics.
