# Lesson 10. What a reader has behind them: graphs (05), arrays and cross-entropy (07), compiled programs (08, 09).
# New here: data, batches, a network, SGD, first weights, testing. Recurrence belongs to 11, Adam and momentum too.

# %% [markdown]
# # 10 · A first network: fifty thousand parameters, learned from examples
#
# Look at a handwritten 3. You recognise it at once. Now write the function that does: 784 grey values in, one digit out.
#
# Nobody has written one by hand that reads nearly as well as you. But there is another way: write a function with **50,890 open
# parameters**, and let [gradients](glossary.ipynb#Gradient) find their values from examples. This raises three questions:
#
# - Where should the parameters *start*? Not at 0, and not just anywhere.
# - How does a program that only ever makes a loss smaller end up reading handwriting?
# - The loss decreased. How do we know that the gradients were right, and that the network learned to *read*?
#
# By the end you will have trained the network beside PyTorch, seen the mistakes it was most certain about, and fooled it.
#
# *Time: about 45 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*
#
# The next cell is the switch of this lesson. **Small** (the embedded digits, faster) or **full** (real MNIST): the line that it prints says which one you have, and how to get the other.

# %%
from itertools import pairwise

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.native.jit import plain_python
from minigrad.training.train import accuracy, predict
from minigrad_course import peers
from minigrad_course.measure import in_turns, per_step
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_digits import confusion, digits

data = mg.data.for_lesson()
full = data.name == "mnist"
limits = threadpool_limits(1)  # one thread for the arithmetic of both engines

# %% [markdown]
# ## The data
#
# Two arrays to learn from: pictures and labels. Each picture is a row of $28 \times 28 = 784$ numbers between 0 (paper) and 1 (ink). Two more arrays,
# `test_x` and `test_y`, are **set aside**: the network never learns from them. Before you look: how often would you be right if you always said "1"?

# %%
print("pictures:", data.train_x.shape, data.train_x.dtype, "  labels:", data.train_y.shape, data.train_y.dtype)
print(f"Always saying 1 would be right for {100 * np.mean(data.test_y == 1):.1f} % of the test digits.")
digits(data.train_x[:20], data.train_y[:20], "Twenty pictures to learn from, each with its label.")

# %% [markdown]
# So about a tenth is what you get without looking at the picture. Keep that in mind: every result is to be compared with it.
#
# ## A function with parameters
#
# Two layers, each a matrix product and a bias, with a tanh between them:
#
# $$H = \tanh(X W_1^{\mathsf T} + b_1) \qquad S = H W_2^{\mathsf T} + b_2$$
#
# Each row of $X$ is a picture. $H$ has 64 numbers for it, the **hidden layer**. $S$ has 10 **scores**, one for each digit; the largest is the answer.
# [Cross-entropy](glossary.ipynb#Cross-entropy) (lesson 07) turns them into one number: the mean, over the batch, of $-\log$ of the right digit's probability.
#
# All of this is a graph like any other. `glorot_uniform` draws the first weights at random; the section "Where to start" asks how.

# %%
rng = np.random.default_rng(0)
x, y = mg.Constant(data.train_x[:100], name="pictures"), mg.Constant(data.train_y[:100], name="labels")
W1 = mg.Variable(mg.nn.init.glorot_uniform((64, 784), rng), name="W1")
b1 = mg.Variable(np.zeros(64, np.float32), name="b1")
W2 = mg.Variable(mg.nn.init.glorot_uniform((10, 64), rng), name="W2")
b2 = mg.Variable(np.zeros(10, np.float32), name="b2")

with mg.block("hidden layer"):
    hidden = mg.tanh(x @ W1.T + b1)
with mg.block("scores"):
    scores = hidden @ W2.T + b2
loss = mg.nn.cross_entropy(scores, y)
loss.name = "loss"
mg.draw(loss)

# %% [markdown]
# An untrained network assigns to each digit a probability of roughly 1/10. What loss do you expect, then?
#
# {guess "What loss do you expect, untrained?": | float(loss.value)}

# %%
loss.backward()
print(f"loss {loss.value:.3f};  -log(1/10) = {-np.log(0.1):.3f}")
parameters = sum(v.grad.size for v in (W1, b1, W2, b2))
says("derivatives: {:,} = 64*784 + 64 + 10*64 + 10", parameters, when=lambda parameters: parameters == 50_890)

# %% [markdown]
# Unequal probabilities cost a little more than equal ones. One backward pass gave the derivative of the loss with respect to 50,890 parameters. Lesson 04 said why that costs no more than a few forward passes: deep
# learning depends on it.
#
# ## Not all at once: batches
#
# The gradient we want is the one over *all* pictures. But to look at all of them before each small step would be slow. Take a few pictures at random, a **batch**, and compare the direction of their gradient with that over all. We measure the cosine of the angle between
# the two: 1 is the same direction, 0 is a right angle. In 50,890 dimensions two random directions are nearly always almost at a right angle. How much will a
# hundred pictures tell about the direction?
#
# From now on the network is a [module](glossary.ipynb#Module): `Linear` holds a weight and a bias, `Sequential` puts layers in a row.


# %%
def network(rng=0, sizes=(784, 64, 10)):
    """Linear layers with tanh between them."""
    rng, layers = np.random.default_rng(rng), []
    for inputs, outputs in pairwise(sizes):
        layers += [mg.nn.Linear(inputs, outputs, rng=rng), mg.nn.Tanh()]
    return mg.nn.Sequential(*layers[:-1])


def gradient(model, rows):
    """The gradient over some rows of the training data, as one long vector."""
    model.zero_grad()
    mg.nn.cross_entropy(model(mg.Constant(data.train_x[rows])), data.train_y[rows]).backward()
    return np.concatenate([parameter.grad.ravel() for parameter in model.parameters()])


sizes = (1, 3, 10, 30, 100, 300, 1000)


def agreement(model):
    """Cosines between the gradient over all pictures and those over batches, twenty of each size."""
    everything, rng = gradient(model, slice(None)), np.random.default_rng(0)
    drawn = [[gradient(model, rng.choice(len(data.train_x), n, replace=False)) for _ in range(20)] for n in sizes]
    return [[g @ everything / np.linalg.norm(g) / np.linalg.norm(everything) for g in some] for some in drawn]


def show_agreement(**cosines):
    figure, axes = plots.canvas(7, 3.2)
    for (when, of_sizes), colour in zip(cosines.items(), (plots.BLUE, plots.VERMILLION), strict=False):
        axes.plot(sizes, of_sizes, "o", color=colour, alpha=0.3, ms=5, mew=0)
        axes.plot(sizes, np.mean(of_sizes, axis=1), color=colour)
        height = np.mean(of_sizes[3]) + (0.2 if when == "before" else -0.2)
        plots.label(axes, 30, height, f"{when} training", plots.INK.get(colour, colour), ha="center", va="center")
    axes.set(xscale="log", ylim=(-0.3, 1.05), xlabel="pictures in the batch")
    axes.set_title("Cosine between a batch's gradient and that of all")
    means = {when: np.mean(of_sizes, axis=1) for when, of_sizes in cosines.items()}
    words = [f"{when} training {m[0]:.2f} with one picture, {m[4]:.2f} with 100" for when, m in means.items()]
    plots.show(figure, f"The mean cosine: {'; '.join(words)}.")


before = agreement(network())
assert np.mean(before[0]) < 0.5 < 0.7 < np.mean(before[4])  # one picture, and 100
show_agreement(before=before)

# %% [markdown]
# With the first weights, a hundred pictures already give most of the direction. Ten times as many cost ten times as much, and cannot add more than what is missing.
# So take a hundred, make a step, take another hundred. When all pictures have been used, an [epoch](glossary.ipynb#Epoch) is over; the next
# one takes them in a new order. `mg.data.batches` does that.
#
# ## Stochastic gradient descent
#
# **Stochastic gradient descent** is one line, for each weight and for each batch:
#
# $$w \leftarrow w - \eta\,\bar w$$
#
# The [adjoint](glossary.ipynb#Adjoint) $\bar w$ points in the direction of increase, hence the minus sign. $\eta$ is the **learning rate**. *Stochastic*: each batch is a random sample.
#
# Here is the whole training, written by hand. Watch the curve grow.

# %%
model, rate, step = network(), 0.3, 0
view = mg.viz.Live()
order = np.random.default_rng(1)
for _ in range(1 if full else 4):
    for pictures, labels in mg.data.batches(data.train_x, data.train_y, 100, order):
        loss = mg.nn.cross_entropy(model(mg.Constant(pictures)), labels)
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.value -= rate * parameter.grad
        step += 1
        view(step, loss.value)

print(f"right on {100 * accuracy(model, data.test_x, data.test_y):.1f} % of the test digits")

# %% [markdown]
# Six lines do the work, from `for pictures` to `parameter.value`. The network has learned. Do a hundred pictures still give most of the direction? Draw the second
# curve before you run the cell.

# %%
after = agreement(model)
assert np.mean(after[4]) < np.mean(before[4]) - 0.05
show_agreement(before=before, after=after)

# %% [markdown]
# Less than before. At first the pictures of a batch agree about much. Later each wants something else: in the gradient over all most of that cancels, in
# a batch it does not. So a batch gives a noisy hint, and only the average over many steps goes the right way. That is why rates are made
# smaller towards the end, and why momentum helps, which averages over past steps: lesson 11 has both.
#
# ## Break it: the learning rate
#
# The rate was 0.3. Now 0.003, 0.3 and 3, each for 96 batches from the same first weights. Draw the three curves before you run the cell.
# Which one is *worse* at the end than at the start?

# %%
figure, axes = plots.canvas(7.5, 3.2)
some = slice(0, 1200)
for rate, colour in ((0.003, plots.SKY), (0.3, plots.BLUE), (3.0, plots.VERMILLION)):
    model, order, losses = network(), np.random.default_rng(1), []
    for _ in range(8):
        for pictures, labels in mg.data.batches(data.train_x[some], data.train_y[some], 100, order):
            f = mg.nn.cross_entropy(model(mg.Constant(pictures)), labels)
            model.zero_grad()
            f.backward()
            for parameter in model.parameters():
                parameter.value -= rate * parameter.grad
            losses.append(f.value)
    assert (np.mean(losses[-10:]) > losses[0]) == (rate == 3)
    axes.plot(range(1, len(losses) + 1), losses, color=colour, lw=1.6)
    words = plots.INK.get(colour, colour)
    axes.text(98, np.mean(losses[-10:]), f"rate {rate}", color=words, fontweight="bold", va="center")
axes.set(yscale="log", xlabel="batch", xlim=(0, 115), title="Loss, on a logarithmic scale")
axes.plot([1, 96], [np.log(10)] * 2, color=plots.GREY, lw=1, ls="--")
axes.text(60, np.log(10) * 1.15, "a guess", color=plots.GREY)
plots.show(
    figure,
    "With rate 0.003 the loss falls slowly, with 0.3 quickly; with 3 it jumps far above the loss of a guess, "
    "and stays there.",
)

# %% [markdown]
# Too small a rate wastes time. Too large a rate steps across the valley and up the other side: the slope was computed at one point, and tells
# little about points far away.
#
# *A good place to stop for today.*
#
# ## Where to start
#
# A simple idea: start with all weights at 0. It is symmetric, and no digit is preferred. Which of the four arrays, $W_1, b_1, W_2, b_2$, will
# get a gradient that is not 0? Follow the arrows in the graph backwards before you run the cell.

# %%
zeros = network()
for parameter in zeros.parameters():
    parameter.value = np.zeros_like(parameter.value)
mg.nn.cross_entropy(zeros(mg.Constant(data.train_x[:100])), data.train_y[:100]).backward()
for name, parameter in zeros.named_parameters():
    largest = np.abs(parameter.grad).max()
    says(
        "{:9} largest entry of the gradient: {:.4f}", name, largest, when=lambda name, g: (g > 0) == (name == "2.bias")
    )

# %% [markdown]
# Only the last bias gets one. $W_2$ gets nothing because the hidden layer is 0, and $W_1$ and $b_1$ because $W_2$ is 0: a factor's adjoint is that of the product, times the *other* factor.
#
# Start them all at 0.01, and there is a gradient. We train for 48 batches, and look at the weights of the 64 hidden units. How many *different* units will there be?

# %%
equal = network()
for parameter in equal.parameters():
    parameter.value = np.full_like(parameter.value, 0.01)
few = mg.data.Data(data.train_x[:1200], data.train_y[:1200], data.test_x[:0], data.test_y[:0], data.name)
mg.fit(equal, few, 4, 100, mg.optim.SGD(0.3), rng=1, progress=False)

for name, trained in (("all 0.01", equal), ("random", network())):
    spread = np.ptp(trained[0].weight.value, axis=0).max()
    assert (spread < 1e-3) == (name == "all 0.01")  # the columns of a product may be rounded differently
    print(f"{name:9} any two of the 64 units differ by at most {spread:.1e};", end="  ")
    print(f"right on {100 * accuracy(trained, data.test_x, data.test_y):.1f} % of the test digits")

# %% [markdown]
# The second network was never trained; the first one was. Its 64 units started out equal, got the same gradients, and so stayed equal, to
# rounding at most: **64 copies of one unit**. Random weights have to break the symmetry.
#
# How large should they be? To see the effect we need depth: eight hidden layers of 100 units, without biases. The weights are normally distributed, and we choose their standard deviation, the *spread*. How large are the signals
# in each layer on the way forward, and their adjoints on the way back?


# %%
def signals(first_weights):
    """The 8 hidden layers after both passes. first_weights(outputs, inputs, rng) draws a matrix."""
    rng, h, layers = np.random.default_rng(0), mg.Constant(data.train_x[:500]), []
    for inputs in (784, *[100] * 7):
        h = mg.tanh(h @ mg.Variable(first_weights(100, inputs, rng)).T)
        layers.append(h)
    mg.nn.cross_entropy(h @ mg.Variable(first_weights(10, 100, rng)).T, data.train_y[:500]).backward()
    return layers


def spread(s):
    return lambda outputs, inputs, rng: mg.nn.init.normal((outputs, inputs), s, rng)


figure, axes = plots.canvas(9, 3.2, columns=2)
for s, colour in ((0.03, plots.SKY), (0.1, plots.BLUE), (1.0, plots.ORANGE)):
    layers = signals(spread(s))
    variances = [h.value.var() for h in layers], [h.adjoint.var() for h in layers]
    back = variances[1][0] / variances[1][-1]  # from the last layer to the first
    assert {0.03: back < 1e-3, 0.1: 1e-3 < back < 1e3, 1.0: back > 1e3}[s]
    for ax, sizes in zip(axes, variances, strict=True):
        ax.plot(range(1, 9), sizes, "o-", color=colour, ms=4)
        ax.text(8.2, sizes[-1], f"{s}", color=plots.INK[colour], fontweight="bold", va="center")
for ax, title in zip(axes, ("signal, forwards →", "adjoint, backwards ←"), strict=True):
    ax.set(yscale="log", xlabel="layer", title=f"Variance of the {title}", xlim=(0.7, 9.2))
plots.show(
    figure,
    "Three spreads of the weights. With 0.03 the signal shrinks from layer to layer, and so does the adjoint on its way back; "
    "with 0.1 both keep their size, more or less; with 1 the signal is as large as tanh allows, and the adjoint explodes.",
)

# %% [markdown]
# Both scales are logarithmic. With spread 0.03 the adjoint at the first layer is a tiny fraction of that at the last. With spread 1 it is the other way round.
#
# ### Glorot's rule
#
# Here is why 0.1 was right. One unit adds up $n_{in}$ products of a weight and a signal. If they are independent, with mean 0, their variances add up:
#
# $$\operatorname{var}(\text{out}) = n_{in}\,\operatorname{var}(w)\,\operatorname{var}(\text{in})$$
#
# To keep the variance on the way forward, $n_{in}\operatorname{var}(w)$ should be 1. On the way back each adjoint is a sum over $n_{out}$ units, so there $n_{out}\operatorname{var}(w)$ should be 1. Both cannot hold at once unless $n_{in} = n_{out}$. **Glorot's rule** is a compromise:
#
# $$\operatorname{var}(w) = \frac{2}{n_{in} + n_{out}} \qquad\text{that is, uniform between}\quad \pm\sqrt{\frac{6}{n_{in}+n_{out}}}$$
#
# A uniform distribution on $\pm a$ has the variance $a^2/3$. For a layer of 100 by 100 the spread is $\sqrt{2/200} = 0.1$.
#
# Does it matter for learning? The network with eight hidden layers, its weights multiplied by 0.3, 1 and 10. Predict which lines end near the dashed one, the loss of a guess.

# %%
figure, axes = plots.canvas(7.5, 3.2)
ends = {}
for factor, colour in ((0.3, plots.SKY), (10, plots.ORANGE), (1, plots.BLUE)):
    deep = network(0, (784, *[100] * 8, 10))  # by Glorot's rule
    for parameter in deep.parameters():
        parameter.value = (factor * parameter.value).astype(np.float32)
    losses = mg.fit(deep, few, 15, 100, mg.optim.SGD(0.1), rng=1, progress=False).losses
    axes.plot(range(1, len(losses) + 1), losses, color=colour, lw=1.5)
    ends[factor] = np.mean(losses[-15:])
    height = ends[factor] + {0.3: -0.25, 10: 0.25, 1: 0.2}[factor]
    axes.text(len(losses) + 2, height, f"{factor} × Glorot", color=plots.INK[colour], fontweight="bold", va="center")
axes.axhline(np.log(10), color=plots.GREY, lw=1, ls="--")
axes.set(xlabel="batch", xlim=(0, 225), ylim=(0, 5), title="Loss of a network with eight hidden layers")
plots.show(
    figure,
    f"The mean loss of the last 15 batches: {', '.join(f'{f} × Glorot {loss:.2f}' for f, loss in ends.items())}. "
    f"A guess has {np.log(10):.2f}.",
)
assert sorted(ends, key=ends.get)[0] == 1
assert ends[1] < np.log(10) / 2 < 0.9 * np.log(10) < min(ends[0.3], ends[10])

# %% [markdown]
# If the weights are too small, almost no gradient gets through; if they are too large, the units are saturated, and their gradients lead
# nowhere. With eight layers, the start decides.

# %% [markdown]
# ## Training, beside PyTorch
#
# Our network again: 784, 64, 10. `mg.fit` is the loop that you wrote by hand; it builds the graph once and runs it again for each batch.
#
# A loss that decreases proves little: it may do so with a wrong gradient. So PyTorch runs first, in a process of its own: **the same first
# weights, the same batches in the same order**, and not a line of code in common. Then ours is plotted on top of its curve, live. The tiles
# show the weights of the first 32 hidden units. They start as noise.
#
# Guess how far apart the losses will be after 300 batches.

# %%
model, epochs = network(), 5 if full else 24
first = model.state_dict()  # a copy
try:
    theirs = peers.train_in_pytorch("mlp", first, data, epochs=epochs, batch_size=100, lr=0.3, rng=1, count=False)
    print(f"{theirs.engine}: right on {100 * theirs.history.epochs[-1].test_accuracy:.2f} % of the test digits")
except peers.PeerError as reason:
    theirs = None
    print(reason)

# %%
view = mg.viz.Live(
    mg.viz.Weights(model[0], count=32, name="weights of the hidden units"),
    beside={"PyTorch": theirs.history} if theirs else None,
)
history = mg.fit(model, data, epochs, 100, mg.optim.SGD(0.3), rng=1, live=view)

# %%
if theirs:
    ours_300, theirs_300 = (np.array(h.losses[:300]) for h in (history, theirs.history))
    print("batch   minigrad   PyTorch")
    for batch in (1, 2, 3, 100, 200, 300):
        print(f"{batch:5}   {ours_300[batch - 1]:8.4f}   {theirs_300[batch - 1]:7.4f}")
    print(f"largest difference over 300 batches: {np.abs(ours_300 - theirs_300).max():.1e}")
    assert np.abs(ours_300 - theirs_300).max() < 0.00005  # four decimals
test = 100 * history.epochs[-1].test_accuracy
print(
    f"test accuracy: minigrad {test:.2f} %"
    + (f", PyTorch {100 * theirs.history.epochs[-1].test_accuracy:.2f} %" if theirs else "")
)

# %% [markdown]
# Two engines that share no code, and one curve. A large mistake in any derivative would have driven them apart. A small one may not: "Further" below tries
# four. For those there is the dot-product test of lesson 07.
#
# ### How certain is that percentage?
#
# With other test digits it would have come out a little different. For $n$ digits and a true rate $p$, the spread of what you measure is
# $\sqrt{p(1-p)/n}$. Twice the spread is exceeded by chance about once in twenty times.
#
# Is the hidden layer worth it? Here is a network without one, scores straight from the pixels, trained on the same batches. Much worse, or nearly as good?
#
# {guess "What percentage of the test digits will it get right without a hidden layer?": % | 100 * straight.test_accuracy}

# %%
flat = network(0, (784, 10))
straight = mg.fit(flat, data, epochs, 100, mg.optim.SGD(0.3), rng=1, progress=False).epochs[-1]
n = len(data.test_y)
for name, p in (("without a hidden layer", straight.test_accuracy), ("with one", history.epochs[-1].test_accuracy)):
    print(f"{name:23} {100 * p:.2f} % ± {100 * np.sqrt(p * (1 - p) / n):.2f} %, from {n:,} test digits")
# Both networks saw the same digits, so only those count that one of them got right and the other did not.
right_ones = [predict(m, data.test_x).argmax(axis=1) == data.test_y for m in (flat, model)]
only_flat, only_deep = (int(np.sum(a & ~b)) for a, b in (right_ones, right_ones[::-1]))
noise = np.sqrt(only_flat + only_deep)  # the spread of the difference, if chance alone had decided each of them
verdict = "more than chance explains" if abs(only_deep - only_flat) > 2 * noise else "no more than chance explains"
print(f"right with one of them only: {only_flat} without, {only_deep} with it; {verdict}")
trained = 100 * history.epochs[-1].train_accuracy
says("with one, on the training digits: {:.2f} %", trained, when=lambda trained: trained > test)

# %% [markdown]
# The network does better on digits that it has learned from. That gap is why the test digits were set aside.
#
# ## What the units respond to
#
# Each hidden unit has 784 weights, one for each pixel: a picture. Orange is where ink makes it grow, blue where ink makes it shrink. First
# the network without a hidden layer, where each unit *is* a digit. Find those that you can recognise.

# %%
templates = flat[0].weight.value
assert templates[0].reshape(28, 28)[11:17, 12:16].mean() < 0  # ink in the middle of a 0
mg.viz.Weights(flat[0], name="the ten units of the network without a hidden layer: 0 to 9").show()

# %% [markdown]
# Find the 0: ink in its middle speaks against it. A template for each digit is all that a network without a hidden layer can have.
#
# Now the hidden units of ours, 24 of them. We subtract the random start, and look at what training has *added*.

# %%
mg.viz.Weights(
    model[0].weight.value - first["0.weight"], count=24, name="hidden units, weights minus first weights"
).show()

# %% [markdown]
# Blobs and strokes, each in a certain place. Around the border almost nothing was added: where there is never ink, the gradient of a weight is 0.
#
# ## What it gets wrong
#
# A single percentage hides the interesting part. The **confusion matrix** counts which digit was taken for which. Before you look, write down the pair
# of digits that *you* find hardest to tell apart.

# %%
chances = mg.softmax(mg.Constant(predict(model, data.test_x))).value
guesses = chances.argmax(axis=1)
confusion(data.test_y, guesses)

# %% [markdown]
# And here are some of the digits themselves: the mistakes of which the network was most certain.

# %%
wrong = np.flatnonzero(guesses != data.test_y)
mistakes = len(wrong)
wrong = wrong[np.argsort(-chances[wrong, guesses[wrong]], kind="stable")][:20]
captions = [f"{data.test_y[k]}, not {guesses[k]}\n{100 * chances[k, guesses[k]]:.0f} % sure" for k in wrong]
digits(
    data.test_x[wrong],
    captions,
    f"{len(wrong)} of the {mistakes} mistakes, the most certain first: the digit, the network's answer, and its probability.",
)

# %% [markdown]
# Which would fool you, too? Others are obvious. The network does not know what a *stroke* is: it only knows pixels, at the places where
# it saw them in training.
#
# ### Move the digits
#
# If so, a shift should hurt. Here are the same test digits, moved to the right by 0, 1, 2 and 4 pixels. You can still read them. Guess the percentages.

# %%
for shift in (0, 1, 2, 4):
    moved_x = np.roll(data.test_x.reshape(-1, 28, 28), shift, axis=2).reshape(-1, 784)
    print(f"moved by {shift}: {100 * accuracy(model, moved_x, data.test_y):5.1f} %")

# %% [markdown]
# Lesson 13 builds networks that are less sensitive to position.
#
# ## Fool it
#
# So far the pictures were constants and the weights were variables. Turn it around: the weights are fixed, and **each pixel is a variable**. Its adjoint says how the loss changes with its ink.
#
# Now make the loss *larger*: change every pixel by 0.1, not more, in the direction of the sign of its adjoint. Goodfellow and others called this the fast gradient sign method. You will still read the digits.
# Will the network?
#
# {guess "What percentage of the changed digits will it still get right?": % | 100 * right_still[0]}

# %%
some = np.flatnonzero(guesses == data.test_y)[:1000]  # digits that it got right
pixels = mg.Variable(data.test_x[some])
model.zero_grad()
mg.nn.cross_entropy(model(pixels), data.test_y[some]).backward()
fooled = np.clip(data.test_x[some] + 0.1 * np.sign(pixels.grad), 0, 1).astype(np.float32)
now = predict(model, fooled).argmax(axis=1)
noisy = data.test_x[some] + 0.1 * np.random.default_rng(0).choice([-1, 1], data.test_x[some].shape)
noisy = np.clip(noisy, 0, 1).astype(np.float32)  # the same size, but random signs
right_still = [np.mean(answers == data.test_y[some]) for answers in (now, predict(model, noisy).argmax(axis=1))]
says(
    "right on all {} of them before, on {:.0%} after, on {:.0%} after random changes of the same size",
    len(some),
    *right_still,
    when=lambda _, fooled, noisy: 1 - noisy < (1 - fooled) / 5,
)
digits(fooled[:10], [f"now: {k}" for k in now[:10]], "Ten of the changed pictures, and what the network says now.")

# %% [markdown]
# The same backward pass that trained the network, carried on to the pixels, leads straight to its mistakes. Random changes of the same size
# do far less.

# %% [markdown]
# ## In five lines
#
# 1. A network is a function with many parameters; one backward pass through its graph gives the derivatives of the loss with respect to all of them.
# 2. SGD: take a batch, find its gradient, move each weight a little against it. At first a hundred pictures give most of the direction; later they give a noisy hint.
# 3. Weights start at random, to break the symmetry, with variance $2/(n_{in}+n_{out})$, so that neither signals nor adjoints vanish or explode.
# 4. Same weights, same batches, another engine: losses that agree for hundreds of steps rule out large mistakes; for small ones there is the dot-product test.
# 5. What counts is the accuracy on digits that were set aside. It does not show which mistakes are made: look at them, too.
#
# ## Your turn
#
# In the [exercise](../exercises/10_first_network/10_first_network.ipynb) you write Glorot's rule, batches and SGD, and reproduce a stored training of twenty steps, digit by digit.
#
# [Your own engine](../project/project.ipynb): in milestone 7 it reads digits.
#
# **Next: [11 · Recurrent networks](11_recurrent_networks.ipynb)** gives the network a memory, and makes it read a picture strip by strip.

# %% [markdown]
# ## Further
#
# ### The valley
#
# Can one see the valley? Not in 50,890 dimensions. But take the plane through the first weights that contains two directions: the direction
# in which 40 steps led, and the part of the first gradient at a right angle to it. On this plane the loss depends on two numbers, $a$ and
# $b$. The valley is that of 300 embedded digits, in both sizes of this lesson.
#
# Here is the plane seen from above, the bluer, the lower, with gradient descent on it at three rates. On which of the three paths does a step ever
# end *higher* than it began?

# %%
embedded = mg.data.digits()
seen_x, seen_y = embedded.train_x[:300], embedded.train_y[:300]


def descended(steps, rate):
    """The distance that so many steps lead from the first weights: one array for each parameter."""
    walker = network()
    start = [parameter.value.copy() for parameter in walker.parameters()]
    for _ in range(steps):
        walker.zero_grad()
        mg.nn.cross_entropy(walker(mg.Constant(seen_x)), seen_y).backward()
        for parameter in walker.parameters():
            parameter.value -= rate * parameter.grad
    return [parameter.value - old for parameter, old in zip(walker.parameters(), start, strict=True)]


def dot(p, q):
    return sum(float(np.vdot(one, other)) for one, other in zip(p, q, strict=True))


along, across = descended(40, 0.3), descended(1, 1.0)
across = [one - dot(across, along) / dot(along, along) * other for one, other in zip(across, along, strict=True)]
across = [np.sqrt(dot(along, along) / dot(across, across)) * one for one in across]  # as long as the other one
corners = [[p.value for p in network().parameters()], along, across]
sums = [seen_x @ W.T + b for W, b, *_ in corners]  # linear, so these three make the sums of the whole plane


def plane(a, b):
    """The loss at the first weights, moved by a along the way of 40 steps, and by b across it."""
    hidden = mg.tanh(sums[0] + a * sums[1] + b * sums[2])
    weight, bias = (start + a * u + b * v for start, u, v in list(zip(*corners, strict=True))[2:])
    return mg.nn.cross_entropy(hidden @ weight.T + bias, seen_y)


def way(rate, steps=16):
    """Gradient descent on the plane. Its units are long, so the rate is divided by their square."""
    points = [(0.0, 0.0)]
    for _ in range(steps):
        a, b = (mg.Variable(number) for number in points[-1])
        plane(a, b).backward()
        points.append(tuple(number.value - rate / dot(along, along) * number.grad for number in (a, b)))
    return points


ways = {f"rate {rate}": way(rate) for rate in (0.03, 0.3, 1.0)}
for name, points in ways.items():
    heights = [float(plane(a, b)) for a, b in points]
    assert (np.diff(heights) > 0).any() == (name == "rate 1.0")  # a step that ends higher
mg.viz.animate_descent(plane, ways, (-0.4, 1.6, -0.9, 1.1))

# %% [markdown]
# A narrow valley. With the smallest rate the point creeps down along its floor; with the largest it jumps from wall to wall, and some of its steps lead uphill.
#
# ### Break it: a small mistake
#
# How small a mistake would the comparison with PyTorch find? We multiply the gradient of *one* parameter by 1.0005, and train for 300 batches; then the next parameter. Which of these
# four mistakes will change the losses in the fourth decimal? And would the dot-product test of lesson 07 have found it?


# %%
class Slip(mg.optim.SGD):
    """SGD with a mistake: the gradient of one parameter is multiplied by a factor."""

    def __init__(self, lr, number, factor):
        super().__init__(lr)
        self.number, self.factor = number, factor

    def step(self, parameters):
        gradient = parameters[self.number].grad_array()
        gradient *= self.factor
        super().step(parameters)


def losses_with(number, factor):
    return np.array(mg.fit(network(), few, 25, 100, Slip(0.3, number, factor), rng=1, progress=False).losses)


def dot_product_test(number, factor):
    """The relative difference of the test's two numbers, for the loss as a function of one parameter."""
    rng, tested = np.random.default_rng(0), network()
    parameter = list(tested.parameters())[number]
    u = rng.standard_normal(parameter.shape)
    loss = mg.nn.cross_entropy(tested(mg.Constant(few.train_x[:100])), few.train_y[:100])
    loss.backward()
    backward = np.sum(factor * parameter.grad * u)
    [forward] = mg.tangents([loss], [parameter], [u])
    return abs(backward / float(forward.value) - 1)


right = losses_with(0, 1.0)
text = "| the gradient times 1.0005 of | largest difference of the losses | four decimals agree | dot-product test differs by |\n"
text += "|---|---|---|---|\n"
for number, (name, _) in enumerate(network().named_parameters()):
    apart = np.abs(losses_with(number, 1.0005) - right)[:300].max()
    passes = "yes: not noticed" if apart < 0.00005 else "no: found"
    by_test = dot_product_test(number, 1.0005)
    text += f"| {name} | {apart:.1e} | {passes} | {by_test:.0e} |\n"
    assert 0.0004 < by_test < 0.0006
Markdown(text)

# %% [markdown]
# Where the losses agree to four decimals, the mistake went unnoticed. And it need not grow from batch to batch: training goes to a minimum
# either way, only on a slightly different path. The dot-product test finds all of them, since it compares the derivative itself. So each
# check has its use: the dot-product test for every single derivative; the comparison of two trainings for everything around them, such as
# batches, updates, signs and forgotten resets.
#
# ### What it costs
#
# There are three ways to run an epoch: a new graph for each batch, as in your loop; one graph, run again, as `mg.fit` does; a compiled program. To leave out what is allocated
# only once, we count one epoch, then two, and take the difference: **what one more step costs**.


# %%
def by_hand(model, rows):
    for k in range(0, len(rows), 100):
        x, y = data.train_x[rows[k : k + 100]], data.train_y[rows[k : k + 100]]
        loss = mg.nn.cross_entropy(model(mg.Constant(x)), y)
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.value -= 0.3 * parameter.grad


batches = len(data.train_x) // 100
rows = np.random.default_rng(1).permutation(len(data.train_x))[: 100 * batches]
step = mg.compile(network(), mg.nn.cross_entropy, mg.optim.SGD(0.3), data.train_x[:100], data.train_y[:100])
empty = np.empty((0, 784), np.float32), np.empty(0, np.int64)
picked = mg.data.Data(data.train_x[rows], data.train_y[rows], *empty, data.name)
orders = {n: np.tile(rows, n) for n in (1, 2)}
places = {n: np.empty(n * batches, np.float32) for n in (1, 2)}  # for the losses
ways = {
    "a new graph for each batch": lambda n: by_hand(network(), orders[n]),
    "one graph, run again": lambda n: mg.fit(network(), picked, n, 100, mg.optim.SGD(0.3), rng=1, progress=False),
    "compiled": lambda n: step.epoch(data.train_x, data.train_y, orders[n], places[n]),
}
table = "| | milliseconds for an epoch: median (range) | bytes for one more step | allocations for one more step |\n|---|---:|---:|---:|\n"
times = 1e3 * in_turns([lambda run=run: run(1) for run in ways.values()], rounds=5)
for (name, run), rounds in zip(ways.items(), times.T, strict=True):
    more = per_step(lambda steps, run=run: run(steps // batches), batches, 2 * batches, bytes="arrays")
    spread = f"{np.median(rounds):,.1f} ({rounds.min():,.1f} to {rounds.max():,.1f})"
    table += f"| {name} | {spread} | {show_count(more.allocated_bytes)} | {show_count(more.allocations, 1)} |\n"
Markdown(
    f"{table}\nAn epoch here is {batches} batches of 100. The program was compiled, or loaded from disk, in {step.compile_seconds:.1f} s, once."
)

# %% [markdown]
# The first two copy their batches out of the data, and that alone is 314,400 bytes a step with the labels. The compiled program has memory for everything beforehand, and allocates nothing while it runs.
#
# Does it compute the same? Here is the same training once more, from the same first weights:

# %%
compiled_epochs = epochs
if plain_python():
    compiled_epochs = 4
    print("Without machine code the program is slow: here it trains for four epochs.")
compiled = mg.fit(network(), data, compiled_epochs, 100, mg.optim.SGD(0.3), rng=1, compiled=True, progress=False)
losses = np.array(compiled.losses)[:300]
apart = np.abs(losses - history.losses[: len(losses)]).max()
says(
    "largest difference of the losses over {} batches: {:.1e}",
    len(losses),
    apart,
    when=lambda _, apart: apart < 0.00005,
)
reached = [100 * run.epochs[compiled_epochs - 1].test_accuracy for run in (compiled, history)]
print("test accuracy after {} epochs: compiled {:.2f} %, before {:.2f} %".format(compiled_epochs, *reached))

# %% [markdown]
# ### The source and the papers
#
# - [minigrad/nn/layers.py](../minigrad/nn/layers.py): `Linear`: a matrix, a bias, and one line that computes. [minigrad/nn/init.py](../minigrad/nn/init.py): Glorot's rule, a line for each of its two distributions.
# - [minigrad/training/optim.py](../minigrad/training/optim.py): SGD, and what lesson 11 needs beyond it.
# - [minigrad/training/train.py](../minigrad/training/train.py): `fit`, your loop with a graph that is built once.
# - [minigrad_course/peers](../minigrad_course/peers/pytorch_worker.py): what PyTorch was asked to do.
# - X. Glorot, Y. Bengio, *Understanding the difficulty of training deep feedforward neural networks* (2010): the rule, and the pictures of variance by layer.
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*: the training recipe, Glorot's rule and plain SGD.
# - Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, *Gradient-based learning applied to document recognition* (1998): MNIST.
# - I. Goodfellow, J. Shlens, C. Szegedy, *Explaining and harnessing adversarial examples* (2015, [arXiv:1412.6572](https://arxiv.org/abs/1412.6572)).
