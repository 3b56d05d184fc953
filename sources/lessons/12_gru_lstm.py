# Lesson 12. What a reader has behind them: recurrent networks and their vanishing gradients (11), compiled steps (08, 09), Adam by name (11).

# %% [markdown]
# # 12 · GRU and LSTM: a memory that does not fade
#
# "The train that the people who came from the town at the end of the old railway line were waiting for **was** late." To write *was* and
# not *were*, you had to carry one bit (one train) across the nineteen words in between. In [lesson 11](11_recurrent_networks.ipynb) the
# gradient vanished over such distances.
#
# Two questions, then:
#
# - What does a memory look like that keeps something for a hundred steps, so that a gradient comes back through all of them?
# - And what does it cost? To go back over a hundred steps, must we keep a hundred states?
#
# By the end you will have built the LSTM and the GRU, checked their gradients against PyTorch's, and seen them solve a task at which the plain network fails. You will have forecast a price, and learned to distrust forecasts of prices. And you will go back through a loop of $T$ steps with memory for about $2\sqrt T$ states.
#
# *Time: about 60 minutes{first run}.* The next cell says which size runs. **Small**: sequences of 40 steps. **Full**: 100 steps, which takes some minutes. (There are no digits in this lesson.)

# %%
from time import perf_counter
from types import SimpleNamespace

import ipywidgets
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad import nn
from minigrad.native.jit import plain_python
from minigrad_course.measure import per_step
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_checkpoints import checkpoints, trade_off

full = mg.data.size() == "full"
print(f"Size: {mg.data.size()}. The other one: open the course by `minigrad lab --size {'small' if full else 'full'}`.")

threads = 1  # for each engine, so that the comparison is fair
limits = threadpool_limits(threads)

# %% [markdown]
# ## Overwrite, or add
#
# The plain network overwrites its state at every step: $h_t = \tanh(w\,x_t + u\,h_{t-1})$. What came in at the first step is scaled and squashed again and again.
#
# Another idea: do not overwrite. Keep a **cell** $c$ beside the state, and only *add* to it:
#
# $$c_t = f_t\, c_{t-1} + i_t\, g_t$$
#
# $g_t$ is the new content, $i_t$ how much of it gets in, and $f_t$ how much of the old content stays. $i_t$ and $f_t$ are between 0 and 1. What is left of a 1 after 50 steps, if $f$ is 0.5, 0.9, 0.99, 1 at every step? And how far does the [gradient](glossary.ipynb#Gradient) get?

# %%
for f in (0.5, 0.9, 0.99, 1.0):
    first = mg.Variable(1.0)
    cell = first
    for _ in range(50):
        cell = f * cell
    cell.backward()
    left = f, cell.value, first.grad
    says(
        "f = {:4}: left after 50 steps {:.2g}, derivative with respect to the first {:.2g}",
        *left,
        when=lambda f, value, slope: np.allclose([value, slope], f**50),
    )

# %% [markdown]
# The backward pass is as simple as the forward pass: $\bar c_{t-1} = f_t\,\bar c_t$. **No matrix, no slope of a tanh.** With $f = 1$ the gradient arrives undiminished, over any distance.
#
# But a cell that never forgets is of no use either. So let the network *decide*, at each step, from its input and its state.
# ## Gates
#
# A decision that has a derivative: a sigmoid. Large negative: shut. Large positive: open. In between: half open, and with the largest slope. Such a factor between 0 and 1 is called a [gate](glossary.ipynb#Gate).

# %%
figure, axes = plots.canvas(6.4, 2.4)
z = np.linspace(-7, 7, 200)
axes.plot(z, 1 / (1 + np.exp(-z)), color=plots.BLUE)
axes.plot(z, np.exp(-z) / (1 + np.exp(-z)) ** 2, color=plots.ORANGE)
axes.set(xlabel="z, from input and state", title="A gate, and how much it can learn", yticks=[0, 0.5, 1])
plots.label(axes, 3, 0.8, "σ(z): how far it is open", plots.BLUE)
plots.label(axes, 2.2, 0.22, "its slope", plots.INK[plots.ORANGE])
plots.show(
    figure, "The sigmoid rises from 0, shut, to 1, open; its slope is largest in between and nearly 0 at both ends."
)

# %% [markdown]
# ## The LSTM
#
# *Long short-term memory* ([LSTM](glossary.ipynb#LSTM)) has three gates. Each has its own weights, looks at the input $x_t$ and the last state $h_{t-1}$, and decides:
#
# $$\begin{aligned}
# i &= \sigma(W_i x_t + U_i h_{t-1} + b_i) && \text{input gate: how much gets in}\\
# f &= \sigma(W_f x_t + U_f h_{t-1} + b_f) && \text{forget gate: how much stays}\\
# g &= \tanh(W_g x_t + U_g h_{t-1} + b_g) && \text{the new content}\\
# o &= \sigma(W_o x_t + U_o h_{t-1} + b_o) && \text{output gate: how much is shown}\\[4pt]
# c_t &= f \odot c_{t-1} + i \odot g && \text{the cell}\\
# h_t &= o \odot \tanh(c_t) && \text{the state, which others see}
# \end{aligned}$$
#
# Draw the lower two lines as a graph, with a pencil. Then look. The arguments of the four functions are given here as numbers, `zi`, `zf`, `zg`, `zo`.

# %%
zi, zf, zg, zo = (mg.Variable(v, name=n) for v, n in [(1.0, "zi"), (3.0, "zf"), (0.8, "zg"), (0.5, "zo")])
c_before = mg.Variable(1.5, name="c before")


def lstm_cell(zi, zf, zg, zo, c):
    """The new state and the new cell, from the arguments of the gates and the old cell."""
    i, f, g, o = mg.sigmoid(zi), mg.sigmoid(zf), mg.tanh(zg), mg.sigmoid(zo)
    i.name, f.name, g.name, o.name = "i", "f", "g", "o"
    c = f * c + i * g
    c.name = "c"
    h = o * mg.tanh(c)
    h.name = "h"
    return h, c


h, c = lstm_cell(zi, zf, zg, zo, c_before)
h.backward()
mg.draw(h)

# %% [markdown]
# *Four inputs pass a sigmoid or a tanh; the old cell passes one gate and one sum on its way to the new cell; the output gate decides what is shown.*
#
# Follow `c before` to `c`: one product, one sum. That is the short path for the gradient. Is its share what we expect?

# %%
print("adjoint of c before:     ", c_before.grad)
says("f times the adjoint of c: {}", mg.sigmoid(3.0) * c.adjoint, when=lambda share: np.isclose(share, c_before.grad))

# %% [markdown]
# ## The GRU
#
# The *gated recurrent unit* ([GRU](glossary.ipynb#GRU)) came 17 years later and asks: do we need a cell *and* a state? It has one state, and one gate $z$ that mixes old and new:
#
# $$\begin{aligned}
# r &= \sigma(W_r x_t + U_r h_{t-1} + b_r) && \text{reset: how much of the past the new content sees}\\
# z &= \sigma(W_z x_t + U_z h_{t-1} + b_z) && \text{update: how much stays as it was}\\
# n &= \tanh(W_n x_t + b_n + r \odot (U_n h_{t-1} + b'_n)) && \text{new content}\\[4pt]
# h_t &= (1-z) \odot n + z \odot h_{t-1}
# \end{aligned}$$
#
# Which of these lines plays the part of the forget gate? What does the unit do with $z = 1$? (The one of $z$; with $z = 1$ it keeps its
# state as it is.)

# %%
zr, zz, wn, un = (mg.Variable(v, name=n) for v, n in [(0.5, "zr"), (2.0, "zz"), (0.8, "x part"), (-0.6, "h part")])
h_before = mg.Variable(0.9, name="h before")
r, z = mg.sigmoid(zr), mg.sigmoid(zz)
r.name, z.name = "r", "z"
n = mg.tanh(wn + r * un)
n.name = "n"
h = (1 - z) * n + z * h_before
h.name = "h"
h.backward()
mg.draw(h)

# %% [markdown]
# *The reset gate acts on the new content, the update gate mixes new and old; from `h before` to `h` there is one product and one sum again.*
#
# (In a whole layer `h before` also enters all the gates, through the matrices $U$. That is a second path for the gradient, like that of lesson 11. The short one is what is new.)
#
# ## Is it right? Ask PyTorch
#
# Our layers are short: read `cell` in [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py) now. Names, shapes and order of the weights are PyTorch's, so its layers can take ours.
#
# But first, a task to learn.
#
# ## A task with a long memory
#
# The **adding problem** (after Hochreiter and Schmidhuber, 1997, in the form that is common today): a sequence of random numbers between 0
# and 1. Two of them are *marked*, one in the first half, one in the second. At the end: what is their sum?


# %%
steps, hidden, batch, updates = (100, 32, 50, 2000) if full else (40, 16, 32, 600)
machine_code = not plain_python()
if not machine_code:
    steps, updates = 22, 440
    print(f"Without machine code training is slow: here it is {updates} updates, of sequences of {steps} steps.")


def adding_problem(n, rng):
    """n sequences (n, steps, 2), number and mark, and the sums (n, 1)."""
    x = np.zeros((n, steps, 2), np.float32)
    x[:, :, 0] = rng.random((n, steps))
    for low, high in ((0, steps // 2), (steps // 2, steps)):
        x[np.arange(n), rng.integers(low, high, n), 1] = 1
    return x, (x[:, :, 0] * x[:, :, 1]).sum(axis=1, keepdims=True)


rng = np.random.default_rng(0)
train_x, train_y = adding_problem(batch * updates, rng)
test_x, test_y = adding_problem(1000, rng)

figure, axes = plots.canvas(8.4, 2.2)
marked = train_x[0, :, 1] == 1
axes.bar(np.arange(1, steps + 1), train_x[0, :, 0], color=np.where(marked, plots.VERMILLION, plots.GAP))
axes.set(xlabel="step", title="One sequence: add the two marked numbers", ylim=(0, 1.05))
plots.show(
    figure,
    f"{steps} grey bars of random height, two of them marked in red; their sum, {train_y[0, 0]:.3f}, is what is asked for.",
)

# %% [markdown]
# Without looking at the sequence, the best answer is the mean, which is 1. What is its mean squared error? (The variance of one such number is 1/12.) A network has to do better than that.
#
# {guess: | baseline}

# %%
baseline = float(np.square(test_y - 1).mean())
says("always 1: error {:.4f};  2/12 = {:.4f}", baseline, 2 / 12, when=lambda here, mean: abs(here - mean) < 0.03)


class Adder(nn.Module):
    """A recurrent layer, and a number from its last state. keep: what is added to the bias of the gate that keeps."""

    def __init__(self, kind, keep=0.0, rng=0):
        rng = np.random.default_rng(rng)
        self.layer = kind(2, hidden, batch_first=True, checkpoint="states", rng=rng)
        self.dense = nn.Linear(hidden, 1, rng=rng)
        if kind is not nn.RNN:  # the second block of rows: f of the LSTM, z of the GRU
            self.layer.bias_ih_l0.value[hidden : 2 * hidden] = keep

    def forward(self, x):
        states, _ = self.layer(x)
        return self.dense(states[:, -1])


# %% [markdown]
# ### Before learning: how far does the gradient travel?
#
# As in lesson 11: the size of the gradient by time step, in units of the last step's, before any learning. The gates start with bias 0, so
# $\sigma(0) = 0.5$: about *half* of the cell stays at each step.
#
# An LSTM whose forget gate starts half open: is its gradient larger than the plain network's? Then compare with a bias of 3. (Guess:
# $\sigma(3)$ to the power of the number of steps.)

# %%
keep = 3.0
starts = {
    "RNN": Adder(nn.RNN),
    "LSTM, bias 0": Adder(nn.LSTM),
    "GRU, bias 0": Adder(nn.GRU),
    f"LSTM, bias {keep:.0f}": Adder(nn.LSTM, keep),
    f"GRU, bias {keep:.0f}": Adder(nn.GRU, keep),
}
norms = {name: mg.viz.gradient_norms(network, test_x[:50], test_y[:50], nn.mse) for name, network in starts.items()}
mg.viz.HeatStrips(norms, "Size of the gradient by time step, before learning").show()
print(f"0.5 to the power of {steps}: {0.5**steps:.0e};  σ(3) to the power of {steps}: {mg.sigmoid(3.0) ** steps:.2g}")
arrived = {name: sizes[0] / sizes[-1] for name, sizes in norms.items()}
assert max(arrived[name] for name in ("LSTM, bias 0", "GRU, bias 0")) < 1e-3 < arrived[f"GRU, bias {keep:.0f}"]
assert 0.5**steps < arrived["LSTM, bias 0"] < 2 * arrived["RNN"]

# %% [markdown]
# In this picture, hardly anything arrives at the first step when the gates start half open, no more than in the plain network. With the bias, far
# more does. (Gers and others added the forget gate in 2000; its bias turned out, again, to matter in 2015: a single number. What arrives in
# the half open LSTM is more than $0.5$ to the power of the steps: the path through the gates' own matrices adds to it.)
#
# So here is a natural hypothesis: *a network learns a long memory if its gradient reaches the first steps, and so the gate that keeps has to
# start open.* It sounds convincing. **Is it true?** Let us test it.
#
# ### Learn
#
# All networks see the same sequences in the same order, each once, with Adam and rate 0.01. A single run would tell little, so each network
# is trained from several random starts. Which curves will get below the dashed line, and in which order? And if the hypothesis is true,
# what must the LSTM and the GRU with bias 0 do?

# %%
shared = 100 * batch  # the first so many sequences go to PyTorch as well, in this order:
order = np.concatenate([np.random.default_rng(1).permutation(shared), np.arange(shared, len(train_x))])
contest = {
    "RNN": (nn.RNN, 0.0, plots.GREY),
    "GRU": (nn.GRU, keep, plots.GREEN),
    "GRU, bias 0": (nn.GRU, 0.0, plots.ORANGE),
    "LSTM": (nn.LSTM, keep, plots.BLUE),
    "LSTM, bias 0": (nn.LSTM, 0.0, plots.VERMILLION),
}
seeds, window = range(3 if full else 2), updates // 30


def first_gradient(network):
    """The gradient at the first step, in units of that at the last."""
    norms = mg.viz.gradient_norms(network, test_x[:50], test_y[:50], nn.mse)
    return norms[0] / norms[-1]


def smooth(curve):
    return np.convolve(curve, np.full(window, 1 / window), mode="valid")


def by_graph(network, adam):
    """The losses of a training that runs one graph again for each batch."""
    step, losses = mg.train.Step(network, nn.mse, train_x[:batch], train_y[:batch]), []
    for rows in order.reshape(-1, batch):
        losses.append(step.run(train_x[rows], train_y[rows]))
        adam.step(network.parameters())
    return np.array(losses)


curves, errors, before, after, began = ({name: [] for name in contest} for _ in range(5))
programs, compiling, first_weights = {}, {}, {}
for name, (kind, bias, _) in contest.items():
    for seed in seeds:
        network, adam = Adder(kind, bias, seed), mg.optim.Adam(0.01)
        before[name].append(first_gradient(network))
        if seed == 0:
            first_weights[name] = network.state_dict()
        if machine_code:
            with mg.measure() as made:
                program = mg.compile(network, nn.mse, adam, train_x[:batch], train_y[:batch])
            curves[name].append(program.epoch(train_x, train_y, order))
            if seed == 0:
                programs[name], compiling[name] = program, made
        else:
            curves[name].append(by_graph(network, adam))
        errors[name].append(float(np.square(mg.train.predict(network, test_x) - test_y).mean()))
        after[name].append(first_gradient(network))
        below = np.flatnonzero(smooth(curves[name][-1]) < baseline / 2)
        began[name].append(window + below[0] if len(below) else np.inf)

# %%
figure, axes = plots.canvas(8.4, 3.6)
axes.axhline(baseline, color=plots.BLACK, lw=1, ls="--")
for k, (name, (_, _, colour)) in enumerate(contest.items()):
    for curve in curves[name]:
        axes.plot(np.arange(window, updates + 1), smooth(curve), color=colour, lw=0.9)
    text = f"{name}: median test error {np.median(errors[name]):.5f}"
    plots.label(axes, 0.02, 0.42 - 0.09 * k, text, plots.INK.get(colour, colour), transform=axes.transAxes)
title = f"Adding two numbers out of {steps}: mean squared error, {len(seeds)} first weights each"
axes.set(xlabel="update", yscale="log", ylim=(1e-4, 0.5), title=title)
plots.show(
    figure,
    f"On a logarithmic scale, beside the dashed line of always answering 1, {baseline:.3f}: the median test errors are "
    + ", ".join(f"{name} {np.median(values):.4f}" for name, values in errors.items()) + ".",
)  # fmt: skip
assert max(np.median(errors["GRU"]), np.median(errors["LSTM"])) < np.median(errors["RNN"]) / 10

# %% [markdown]
# Now hold the hypothesis against the runs. For each network: the gradient at the first step before and after learning; when the loss fell below half of the dashed line; and in how many of the runs it did.


# %%
def spread(values, form):
    shown = [("never" if np.isinf(v) else format(v, form)) for v in (np.median(values), min(values), max(values))]
    return "{} ({} to {})".format(*shown)


text = "| median (range) | first gradient before | after learning | starts to learn at update | runs that learned |\n"
text += "|---|---|---|---|---|\n"
for name in contest:
    learned = int(np.isfinite(began[name]).sum())
    text += f"| {name} | {spread(before[name], '.0e')} | {spread(after[name], '.0e')} | {spread(began[name], '.0f')} "
    text += f"| {learned} of {len(seeds)} |\n"
runs = [(first, start) for name in contest for first, start in zip(before[name], began[name], strict=True)]
least = min(first for first, start in runs if np.isfinite(start))
assert full or np.isinf(began["RNN"]).all()
assert full or least < max(before["RNN"]) / 100  # a gradient that hardly arrived, and it learned
text += f"\nThe smallest first gradient of a run that learned: {least:.0e}."
if failed := [first for first, start in runs if np.isinf(start)]:
    text += f" The largest of a run that did not: {max(failed):.0e}."
Markdown(text)

# %% [markdown]
# If the smallest first gradient of a run that learned is far below the largest of one that did not, the gradient before learning does *not*
# decide who learns. Look at the networks with bias 0: hardly any gradient reaches their first steps at the start, and they learn. And a plain
# network, trained like this, can fail with a much larger one.
#
# What differs is what learning can do. A gate can be *opened*: the sequences whose marks come late may be enough to teach that, and
# then the gradient reaches farther (compare the columns before and after). A plain network has no gate to open. (That does not make the
# task impossible for it. With other activations, starts and rates, and many more updates, plain networks have learned it: Q. V. Le and
# others, 2015, with ReLU and $W_{hh}$ starting as the unit matrix. What you see holds for this recipe.) The bias can be a head start, and
# not a condition: look at the column *starts to learn* to see what it is worth for the LSTM, and what for the GRU. And it is no guarantee
# either, if not all runs of a row have learned.
#
# A hypothesis may sound convincing and fit the first picture. So test it, with more than one run.
#
#
# ### The same in PyTorch
#
# Now the comparison. PyTorch gets the first weights of each kind of network, and the first 100 batches in the same order. We compare all gradients of the first batch, and then the 100 losses.

# %%
from minigrad_course import peers

kinds = ("RNN", "GRU", "LSTM")
part = SimpleNamespace(train_x=train_x[:shared], train_y=train_y[:shared], test_x=test_x[:0], test_y=test_y[:0])
try:
    theirs = peers.train_several_in_pytorch(
        "sequences", [(first_weights[name], 1) for name in kinds], part,
        epochs=1, batch_size=batch, lr=0.01, optimizer="adam", threads=threads, count=20,
    )  # fmt: skip
    theirs = dict(zip(kinds, theirs, strict=True))
except peers.PeerError as reason:
    theirs = {}
    print(reason)

first_batch = order[:batch]
for name, run in theirs.items():
    network = Adder(contest[name][0])
    network.load_state_dict(first_weights[name])
    mg.train.Step(network, nn.mse, train_x[first_batch], train_y[first_batch]).run(
        train_x[first_batch], train_y[first_batch]
    )
    largest = max(np.abs(variable.grad).max() for variable in network.parameters())
    apart = max(np.abs(v.grad - run.first_gradients[key]).max() for key, v in network.named_parameters())
    losses = np.abs(curves[name][0][:100] - run.history.losses).max()
    print(f"{name:4} largest gradient {largest:.3f}, largest difference {apart:.1e}; over 100 losses {losses:.1e}")
    assert apart < 1e-5 * max(1, largest)
    assert losses < 1e-3

# %% [markdown]
# Equal, up to the rounding of float32.
#
# ## A price, and a forecast that looks wonderful
#
# Here is the price of a stock. The stock does not exist: its prices are generated by a program, in a file with the columns that price
# services export (date, open, high, low, close, volume). If you have a file of real prices, put its path into the first line.

# %%
my_file = None  # or "path/to/my_share.csv"

share = mg.data.prices(my_file)
print(share.describe())
figure, axes = plots.canvas(8.4, 2.4)
axes.plot(share.dates, share.close, color=plots.BLUE, lw=1)
axes.set(title=f"{share.name}: closing price")
plots.show(
    figure,
    f"The closing price of {len(share):,} days, up and down between {share.close.min():.0f} and {share.close.max():.0f}.",
)

# %% [markdown]
# A file of your own may contain errors. Here is one with three mistakes. Which of them will be found first, and what will the message say?

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    broken = Path(folder, "broken.csv")
    broken.write_text(
        "date,open,high,low,close,volume\n2024-01-02,10,11,9,10,500\n2024-01-03,10,9,11,10,null\n2024-01-03,1,1,1,1,1\n"
    )
    try:
        mg.data.prices(broken)
    except mg.data.DataError as error:
        print(str(error).replace(folder, "…"))

# %% [markdown]
# Nothing is corrected silently: a forecast from corrected prices would not be worth much.
#
# Now a forecast. The last 30 % of the days are the test: they come last, and nothing about them is used in training. Look at this one: grey
# the price, orange the forecast made the day before. Would you trust the method?

# %%
cut = int(0.7 * len(share))
days = slice(cut, cut + 60)
figure, axes = plots.canvas(8.4, 2.8)
axes.plot(share.dates[days], share.close[days], color=plots.GREY, lw=3)
axes.plot(share.dates[days], share.close[cut - 1 : cut + 59], color=plots.ORANGE, lw=1.5)
axes.set(title="A forecast for 60 days")
plots.show(figure, "The orange forecast follows the grey price closely, up and down, for all of the sixty days.")
fit = np.corrcoef(share.close[cut:], share.close[cut - 1 : -1])[0, 1]
says("correlation of forecast and price over all test days: {:.3f}", fit, when=lambda fit: fit > 0.9)

# %% [markdown]
# It is **yesterday's price**, drawn one day later. Any forecast that stays near today's price looks wonderful, because tomorrow's is close to it. So this one, the *naive* forecast, is the one to beat, and what has to be forecast is the **change**. (We take the change of the logarithm: 0.01 is about one percent.)
#
# The recipe: from 20 changes, predict the next one. Mean and scale come from the training days alone.


# %%
def windows(close, length=20):
    """Rows of `length` changes and the change after them, split in time; all in units of the training days' size."""
    change = np.diff(np.log(close))
    split = int(0.7 * len(change))
    mean, size = change[:split].mean(), change[:split].std()
    scaled = ((change - mean) / size).astype(np.float32)
    x = np.lib.stride_tricks.sliding_window_view(scaled[:-1], length)[:, :, None].copy()
    y, n = scaled[length:, None], split - length
    return SimpleNamespace(train_x=x[:n], train_y=y[:n], test_x=x[n:], test_y=y[n:], naive=-mean / size, size=size)


class Forecaster(nn.Module):
    def __init__(self, kind=nn.GRU, width=8, rng=0):
        rng = np.random.default_rng(rng)
        self.layer = kind(1, width, batch_first=True, checkpoint="states", rng=rng)
        self.dense = nn.Linear(width, 1, rng=rng)

    def forward(self, x):
        return self.dense(self.layer(x)[0][:, -1])


def forecast(close, epochs=20, width=8):
    """Train on the first 70 % of the days. The windows, and the forecasts for the rest."""
    data, model = windows(close), Forecaster(width=width)
    history = mg.fit(model, data, epochs, 50, mg.optim.Adam(0.005), loss=nn.mse, rng=1, progress=False)
    return data, mg.train.predict(model, data.test_x), history


data, forecasts, _ = forecast(share.close)

# %% [markdown]
# How large are the errors, in percent of the price? The naive forecast says: no change. Our stock was made by a rule that we know (half of
# yesterday's change, plus noise: [made_up_prices.py](../minigrad_course/data/made_up_prices.py)), so there is a third row that nobody has
# for a real stock: the best forecast that is *possible*.


# %%
def compare(title, close, data, forecasts, best=None):
    """Errors on the test days, and by how much the network is better than the naive forecast."""
    rows = {"naive: no change": np.full_like(data.test_y, data.naive), "GRU": forecasts}
    if best is not None:
        rows["best possible"] = best
    squares = {name: np.square(guess - data.test_y)[:, 0] for name, guess in rows.items()}
    text = f"**{title}**, {len(data.test_y):,} test days\n\n| forecast | typical error, % of the price | mean square, naive = 1 |\n|---|---|---|\n"
    for name, square in squares.items():
        text += f"| {name} | {100 * data.size * np.sqrt(square.mean()):.3f} | {square.mean() / squares['naive: no change'].mean():.3f} |\n"
    gain = (squares["naive: no change"] - squares["GRU"]) / squares["naive: no change"].mean()
    text += f"\nGain over the naive forecast: {gain.mean():.3f}, give or take {gain.std() / np.sqrt(len(gain)):.3f} (standard error)"
    return Markdown(text)


best = 0.5 * (data.test_x[:, -1] - data.naive) + data.naive if my_file is None else None
compare(share.name, share.close, data, forecasts, best)

# %% [markdown]
# Compare the network with the best possible forecast: that is all there is to find, and it is little. Reducing the mean square by some
# fraction reduces the typical error by only about half of that fraction, and the rest is noise that cannot be forecast. And a real stock's
# changes depend on yesterday's far less than ours do (our factor is 0.5).
#
# So let us make one that does not depend on the past **at all**, a random walk. The same network, the same recipe. What should the gain be? And what will longer training, with a larger network, do to it?

# %%
from minigrad_course.data import made_up_prices

walk = made_up_prices.make(memory=0.0, seed=1).close
walk_data, walk_forecasts, _ = forecast(walk)
compare("A random walk", walk, walk_data, walk_forecasts, np.full_like(walk_data.test_y, walk_data.naive))

# %%
_, walk_forecasts, history = forecast(walk, epochs=25, width=16)
print(
    f"error on the training days: {history.epochs[0].train_loss:.3f} at first, {history.epochs[-1].train_loss:.3f} in the end"
)
worse = np.square(walk_forecasts - walk_data.test_y).mean() / np.square(walk_data.naive - walk_data.test_y).mean()
print(f"mean square on the test days, naive = 1: {worse:.3f}")
assert history.epochs[-1].train_loss < history.epochs[0].train_loss
assert worse > 1
compare("A random walk, trained for longer", walk, walk_data, walk_forecasts)

# %% [markdown]
# On the training days the error decreases: the network memorises the noise. On the test days it gains nothing over the naive forecast, up
# to the standard error; if anything it loses. Without the naive row, and with a picture like the orange one above, who would have noticed?
# ## What the backward pass costs in memory
#
# Reverse mode needs the states of the forward pass, the last one first. For 40 steps that is no problem. For 40,000 it may be more memory than you have.
#
# There is a trade-off. What was discarded can be **computed again**. In the pictures time runs downwards, and a column is a step of the loop. First all states are kept. Then none but the first. What would you do in between?

# %%
checkpoints(25, [1, None], ["all states kept", "only the first kept"])

# %% [markdown]
# On the left 25 states are in memory. On the right there are two, but each state is computed again from the beginning: that is $25 \cdot 24 / 2$ steps more, and it grows with the square of the length.
#
# In between: keep the state before every $k$-th step, the **checkpoints**. In the backward pass take the last checkpoint, compute its $k$ steps again, go back over them, discard them, take the next checkpoint. With 25 steps, which $k$ holds the fewest states?

# %%
checkpoints(25, [2, 5, 12])

# %% [markdown]
# Count: $T/k$ checkpoints stay, and $k$ states are computed again at a time. The sum $T/k + k$ is smallest at $k = \sqrt T$. That is **square-root [checkpointing](glossary.ipynb#Checkpointing)**: about $2\sqrt T$ states instead of $T$, at the cost of less than one more forward pass.
#
# **Play** with the number of checkpoints. Watch both curves: where is the left one lowest, and how flat is it there? (Without a slider you see the picture for the square root.)

# %%
trade_off(6)

# %%
ipywidgets.interactive(trade_off, count=ipywidgets.IntSlider(6, min=1, max=36, description="checkpoints"))

# %% [markdown]
# ### Measured
#
# `mg.scan` is the loop over time as one node, and knows these policies: `"everything"` (every intermediate value of a step), `"states"` (the state before each step), a number (every $k$-th), and `"sqrt"`. That was counting; now bytes and seconds.
#
# A loop of many steps, 50 sequences, 64 hidden units, forward and backward. Guess: by which factor does the memory decrease from everything to the square root? How much longer does it take? And will the gradient be the same? (For the clock, the policies take turns.)
#
# {guess "By which factor does the memory decrease, from everything to the square root?": times | ratio}

# %%
T = 1024 if full else 144
rng = np.random.default_rng(0)
xs = rng.standard_normal((T, 50, 32)).astype(np.float32)
w, u = (mg.Variable((0.1 * rng.standard_normal(shape)).astype(np.float32)) for shape in ((32, 64), (64, 64)))


def long_loop(policy):
    """Forwards and backwards once; the graph, which can be run again."""

    def cell(h, x):
        h = mg.tanh(x @ w + h @ u)
        return h, mg.mean(h)

    u.zero_grad()
    graph = mg.Graph(mg.sum(mg.scan(cell, xs, np.zeros((50, 64), np.float32), policy)[1]))
    graph.forward()
    graph.backward()
    return graph


def there_and_back(graph):
    graph.forward()
    graph.backward()


policies = ["everything", "states", *(k for k in (2, 4, 6, 24, 48, 64, 256) if T % k == 0), "sqrt"]
long_loop("states")  # once before anything is counted
memory, gradients, graphs = {}, {}, {}
for policy in policies:
    with mg.measure() as m:
        graphs[policy] = long_loop(policy)
    memory[policy], gradients[policy] = m.peak_bytes, u.grad.copy()


def in_turns(works, rounds):
    """Milliseconds of each piece of work: a row for each round, in which all take turns. The first does not count."""
    times = []
    for _ in range(rounds + 1):
        times.append([])
        for work in works:
            start = perf_counter()
            work()
            times[-1].append(1e3 * (perf_counter() - start))
    return np.array(times[1:])


times = in_turns([lambda graph=graph: there_and_back(graph) for graph in graphs.values()], 5)
took = dict(zip(policies, times.T, strict=True))

# %%
figure, axes = plots.canvas(8.4, 3.8)
counted = None not in memory.values()
places = {policy: memory[policy] / 1e6 if counted else k for k, policy in enumerate(policies, 1)}
for policy, place in places.items():
    colour = plots.VERMILLION if policy == "sqrt" else plots.BLUE
    low, middle, high = np.percentile(took[policy], [25, 50, 75])
    axes.plot([place, place], [low, high], color=colour, lw=1)
    axes.plot(place, middle, "o", color=colour)
    name = f"every {policy}" if isinstance(policy, int) else policy
    axes.annotate(name, (place, middle), (6, 4), textcoords="offset points", color=colour, fontsize=10)
axes.set(xlabel="memory at most, MB" if counted else "policies: bytes are not counted here")
axes.set(ylabel="ms forward and backward")
axes.set_ylim(0, 1.15 * max(map(np.median, took.values())))
axes.set(title=f"{T} steps, 50 sequences, 64 hidden units: median, and half of the rounds")
axes.set_xlim(0, 1.15 * max(places.values()))
plots.show(
    figure,
    "A point for each policy, memory and time: "
    + "; ".join(
        f"{policy} {show_count(memory[policy], 1, 1e6)} MB, {np.median(took[policy]):.1f} ms" for policy in policies
    )
    + (f". The least memory has {min(memory, key=memory.get)}." if counted else "."),
)
slower = took["sqrt"] / took["everything"]
ratio = memory["everything"] / memory["sqrt"] if counted else None
largest = max(np.abs(g - gradients["everything"]).max() for g in gradients.values())
apart = largest / np.abs(gradients["everything"]).max()
print(f"sqrt, compared with everything: {show_count(ratio, 1)} times less memory;", end=" ")
print(f"{np.median(slower):.2f} times the time, from {slower.min():.2f} to {slower.max():.2f} in {len(slower)} rounds")
print(f"largest difference between the gradients, relative: {apart:.0e}")
assert apart < 1e-4
assert not counted or ratio > 2
del graphs

# %% [markdown]
# The gradient is the same (the sums are added in another order, so the last digits differ). The memory is a fraction. In
# exchange steps are computed again, and in `mg.scan` twice: once for the states between two checkpoints, and once, when the way back
# comes to a step, for what lies inside of it. (That second time is what `"states"` costs, too.) So it takes up to two more forward passes. (The bytes do not follow the count of states exactly: the work of the one step that is being differentiated is
# there in every row, and what is computed again is released late.) (The inputs `xs` are needed in any case, and are not counted.)
#
# With more steps the factor in memory grows like $\sqrt T$, and the factor in time does not: **memory decreases by a large factor, time increases by a small one**.
# ## How does the time grow with the width?
#
# One more experiment from the thesis that this lesson follows (Nicolaisen, D in the papers below): the time of a gradient against the **dimension**, for 25 steps, 50 series and 20 layers of a plain RNN. A product of a $50 \times d$ with a $d \times d$ matrix takes $50\,d^2$ multiplications. So twice the width should take four times as long. The thesis expected that, and reports nearly linear growth, on a graphics card. What will you see on your machine?

# %%
dimensions = (8, 16, 32, 64, 128, 256, 512) if full else (8, 16, 32, 64, 128)
deep_graphs = []
for d in dimensions:
    deep = nn.RNN(d, d, num_layers=20, checkpoint="states", rng=0)
    series = mg.Constant(np.random.default_rng(0).standard_normal((25, 50, d)).astype(np.float32))
    deep_graphs.append(mg.Graph(mg.sum(mg.square(deep(series)[0]))))
by_width = np.median(in_turns([lambda graph=graph: there_and_back(graph) for graph in deep_graphs], 3), axis=0)

# %%
figure, axes = plots.canvas(7.4, 3.4)
d, t = np.array(dimensions, float), by_width
axes.plot(d, t, "o-", color=plots.BLUE)
axes.plot(d, t[-1] * (d / d[-1]) ** 2, color=plots.VERMILLION, ls="--", lw=1.2)
axes.plot(d, t[0] * (d / d[0]), color=plots.GREY, ls=":", lw=1.5)
axes.set(
    xscale="log",
    yscale="log",
    xlabel="dimension",
    title="ms forward and backward: 25 steps, 50 series, 20 layers",
    xticks=d,
)
axes.set_xticklabels([str(k) for k in dimensions])
axes.minorticks_off()
plots.label(axes, 0.02, 0.92, "measured", plots.BLUE, transform=axes.transAxes)
plots.label(axes, 0.02, 0.83, "if quadratic (dashed)", plots.VERMILLION, transform=axes.transAxes)
plots.label(axes, 0.02, 0.74, "if linear (dotted)", plots.GREY, transform=axes.transAxes)
slopes = np.diff(np.log(t)) / np.diff(np.log(d))
plots.show(
    figure,
    f"Time against dimension, both logarithmic: the slope is {slopes[0]:.1f} at the narrow end and {slopes[-1]:.1f} at the wide end.",
)

# %% [markdown]
# On these axes a power is a straight line, and its exponent is the slope. For small $d$ the slope is small: most of the time is not
# arithmetic, but the overhead of 500 steps, forward and backward, however small they are. The larger the products, the steeper it gets;
# where they take all of the time, it would be 2. The thesis has its own explanation of its nearly linear growth: with larger dimensions the
# card is better saturated, so what more there is to do is done at a higher speed.
#
# ## Seconds and bytes
#
# Now one update of the adding problem, for our three networks in both engines. They alternate, a few updates at a time, with the same
# weights, batches and number of threads, and both warm. Guess who is faster at which network.

# %%
losses = np.zeros(120, np.float32)
race = 100 if full else 25  # updates in each round
rows, few = order[: race * batch], SimpleNamespace(**vars(part))
few.train_x, few.train_y = part.train_x[: len(rows)], part.train_y[: len(rows)]
turns = {}
try:
    if not machine_code:
        raise peers.PeerError("Without machine code there is no program to race.")
    turns = peers.take_turns(
        {f"{k}, minigrad": lambda k=k: programs[k].epoch(train_x, train_y, rows, out=losses[:race]) for k in kinds},
        {f"{k}, PyTorch": first_weights[k] for k in kinds}, "sequences", few,
        batch_size=batch, lr=0.01, optimizer="adam", rounds=5, threads=threads,
    )  # fmt: skip
except peers.PeerError as reason:
    print(reason)
text = f"{steps} steps, batch {batch}, {hidden} hidden units, {threads} thread\n\n"
ahead = []
for kind in kinds if turns else ():
    pair = {name: rounds for name, rounds in turns.items() if name.startswith(f"{kind},")}
    text += peers.turns_table(pair, race) + "\n"
    if np.median(pair[f"{kind}, PyTorch"]) < np.median(pair[f"{kind}, minigrad"]):
        ahead.append(kind)
if turns:
    text += f"By the medians, PyTorch is faster at: {', '.join(ahead) or 'none of them, at these sizes'}."
Markdown(text)

# %% [markdown]
# PyTorch's recurrent layers are not all alike. Its LSTM is one operation, written in C++ for the whole sequence, and the larger the layer,
# the more it gains from that: run the full size to see whether our program keeps up.
#
# Bytes and allocations are counted by one method for both, memray: for ours as the difference of two calls of different lengths, for PyTorch
# over 20 updates.


# %%
def per_update(program):
    """Bytes and allocations of one update more."""
    return per_step(lambda n: program.epoch(train_x, train_y, order[: n * batch], out=losses[:n]), 20, 120, warmup=2)


text = "| | getting ready, s | bytes an update | allocations an update |\n|---|---|---|---|\n"
for name in kinds if machine_code else ():
    counts = [n and max(0, n) for n in per_update(programs[name])]
    text += f"| {name}, minigrad compiled | {compiling[name].compile_seconds:.2f} | {show_count(counts[0])} | {show_count(counts[1], 1)} |\n"
    if name in theirs:
        run = theirs[name]
        counts = [None if not n else n[0] / 20 for n in (run.allocated_bytes, run.allocations)]
        text += f"| {name}, {run.engine.split('+')[0]} | {run.first_step_seconds:.2f} | {show_count(counts[0])} | {show_count(counts[1], 1)} |\n"
Markdown(text if machine_code else "Without machine code there is no program whose bytes could be counted.")

# %% [markdown]
# *Getting ready* is numba's compiling for ours (very little if the machine code was on the disk already), and the first step for PyTorch. The
# thesis has no such table: its networks were validated against PyTorch, as ours were above, and its GRU and LSTM had no gradient yet.
#
#
# ## In five lines
#
# 1. An LSTM adds to a cell instead of overwriting a state; the gradient goes back along $\bar c_{t-1} = f_t\,\bar c_t$, without a matrix.
# 2. Gates are sigmoids that decide, step by step, what gets in, what stays, what is shown. Learning can open them; a bias that starts them open can be a head start.
# 3. On a task with a long memory, with one recipe for all, GRU and LSTM learn where the plain tanh network fails. Test such a statement with several first weights.
# 4. A forecast is worth what it gains over the naive one, on days that it has not seen; a picture of it proves nothing.
# 5. Keep the state of every $\sqrt T$-th step and compute the rest again: about $2\sqrt T$ states, one or two additional forward passes, the same gradient.
#
# ## Read it now
#
# - [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py): three cells, a few lines each. [minigrad/loops/scan.py](../minigrad/loops/scan.py): the loop and its policies; its first paragraph explains them.
# - [minigrad_course/viz/pictures_of_checkpoints.py](../minigrad_course/viz/pictures_of_checkpoints.py): the schedules that you saw. [minigrad_course/data/price_series.py](../minigrad_course/data/price_series.py): what can be wrong with a file.
#
# ## The texts
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: the layers, checkpointing as memory against time, time against dimension.
# - S. Hochreiter, J. Schmidhuber, *Long short-term memory* (1997): the cell, and the adding problem. F. Gers and others, *Learning to forget* (2000): the forget gate.
# - K. Cho and others, *Learning phrase representations using RNN encoder-decoder* (2014): the GRU. R. Jozefowicz and others, *An empirical exploration of recurrent network architectures* (2015): the bias.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 12: checkpoints, and better schedules than the square root.
#
# ## Next
#
# - The [exercise of this lesson](../exercises/12_gru_lstm/12_gru_lstm.ipynb): go back with a limited number of bytes, and get the same gradient.
# - [Your own engine](../project/project.ipynb): checkpoints are one of its choices, milestone 12.
# - [Lesson 13](13_convolutional_networks.ipynb): a window that slides over a picture.
