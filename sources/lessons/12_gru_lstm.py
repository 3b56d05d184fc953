# Lesson 12. What a reader has behind them: recurrent networks and their vanishing gradients (11), compiled steps (08, 09), Adam by name (11).

# %% [markdown]
# # 12 · GRU and LSTM: a memory that does not fade
#
# "The train that the people who came from the town at the end of the old railway line were waiting for **was** late." To get *was* right, and not *were*, you had to
# carry one bit (one train, not many) over fifteen words of noise. In [lesson 11](11_recurrent_networks.ipynb) the gradient died on such a way.
#
# Two questions, then:
#
# - What does a memory look like that keeps something for a hundred steps, and a gradient that comes back through all of them?
# - And who pays for it? To walk back over a hundred steps, must we keep a hundred states?
#
# By the end you will have built the LSTM and the GRU, checked their gradients against PyTorch's, and seen them solve a task at which the plain network fails. You will have forecast a price, and learned to distrust forecasts of prices. And you will walk back
# through a loop with the square root of the memory.
#
# *Time: about 60 minutes.* The next cell says which size runs. **Small**: sequences of 40 steps, half a minute in all. **Full**: 100 steps, some minutes. (There are no digits in this lesson.)

# %%
import gc
from types import SimpleNamespace

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad import nn
from minigrad.measure import per_step, repeat
from minigrad.viz import plots
from minigrad.viz.pictures_of_checkpoints import Play, checkpoints

full = mg.data.size() == "full"
print(f"Size: {mg.data.size()}. The other one: MINIGRAD_SIZE={'small' if full else 'full'} before `make lab`.")

threads = 1  # for each engine, so that the comparison is fair
limits = threadpool_limits(threads)

# %% [markdown]
# ## Overwriting, and adding
#
# The plain network writes its state anew at every step: $h_t = \tanh(w\,x_t + u\,h_{t-1})$. A whisper at the first step is squashed and scaled again and again.
#
# Another idea: do not overwrite. Keep a **cell** $c$ beside the state, and only *add* to it:
#
# $$c_t = f_t\, c_{t-1} + i_t\, g_t$$
#
# $g_t$ is what there is to say, $i_t$ how much of it gets in, and $f_t$ how much of the old content stays. All three between 0 and 1, say.
# What is left of a whisper of 1 after 50 steps, if $f$ is 0.5, 0.9, 0.99, 1 at every step? And how far does the [gradient](glossary.ipynb#Gradient) get?

# %%
for f in (0.5, 0.9, 0.99, 1.0):
    first = mg.Variable(1.0)
    cell = first
    for _ in range(50):
        cell = f * cell
    cell.backward()
    print(f"f = {f:4}: left after 50 steps {cell.value:.2g}, derivative by the first {first.grad:.2g}")

# %% [markdown]
# The way back is as simple as the way forwards: $\bar c_{t-1} = f_t\,\bar c_t$. **No matrix, no slope of a tanh.** With $f = 1$ the gradient arrives whole, from any distance.
#
# But a cell that never forgets is no use either. So let the network *decide*, at each step, from what it sees.
#
# ## A gate is a tap
#
# A decision that has a derivative: a sigmoid. Large negative: shut. Large positive: open. In between: half open, and willing to learn.
# Such a factor between 0 and 1 is called a [gate](glossary.ipynb#Gate).

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
# o &= \sigma(W_o x_t + U_o h_{t-1} + b_o) && \text{output gate: how much is shown}\\
# g &= \tanh(W_g x_t + U_g h_{t-1} + b_g) && \text{what there is to say}\\[4pt]
# c_t &= f \odot c_{t-1} + i \odot g && \text{the cell}\\
# h_t &= o \odot \tanh(c_t) && \text{the state, which others see}
# \end{aligned}$$
#
# Draw the lower two lines as a graph, with a pencil. Then look. The four brackets are given here as numbers, `zi`, `zf`, `zo`, `zg`.

# %%
zi, zf, zo, zg = (mg.Variable(v, name=n) for v, n in [(1.0, "zi"), (3.0, "zf"), (0.5, "zo"), (0.8, "zg")])
c_before = mg.Variable(1.5, name="c before")


def lstm_cell(zi, zf, zo, zg, c):
    """The new state and the new cell, from the four brackets and the old cell."""
    i, f, o, g = mg.sigmoid(zi), mg.sigmoid(zf), mg.sigmoid(zo), mg.tanh(zg)
    i.name, f.name, o.name, g.name = "i", "f", "o", "g"
    c = f * c + i * g
    c.name = "c"
    h = o * mg.tanh(c)
    h.name = "h"
    return h, c


h, c = lstm_cell(zi, zf, zo, zg, c_before)
h.backward()
mg.draw(h)

# %% [markdown]
# *Four inputs pass a sigmoid or a tanh; the old cell passes one gate and one sum on its way to the new cell; the output gate decides what is shown.*
#
# Follow `c before` to `c`: one product, one sum. That is the road on which the gradient travels. Is its share what we expect?

# %%
print("adjoint of c before:     ", c_before.grad)
print("f times the adjoint of c:", mg.sigmoid(3.0) * c.adjoint)

# %% [markdown]
# ## The GRU
#
# The *gated recurrent unit* ([GRU](glossary.ipynb#GRU)) came 17 years later and asks: do we need a cell *and* a state? It has one state, and one gate $z$ that shares it out between old and new:
#
# $$\begin{aligned}
# r &= \sigma(W_r x_t + U_r h_{t-1} + b_r) && \text{reset: how much of the past the new content sees}\\
# z &= \sigma(W_z x_t + U_z h_{t-1} + b_z) && \text{update: how much stays as it was}\\
# n &= \tanh(W_n x_t + b_n + r \odot (U_n h_{t-1} + b'_n)) && \text{new content}\\[4pt]
# h_t &= (1-z) \odot n + z \odot h_{t-1}
# \end{aligned}$$
#
# Which of these lines plays the part of the forget gate? What does the unit do with $z = 1$?

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
# *The reset gate stands before the new content, the update gate weighs new against old; from `h before` to `h` there is one product and one sum again.*
#
# (In a whole layer `h before` also enters all the brackets, by the matrices $U$. That is a second road for the gradient, the winding one of lesson 11. The straight one is what is new.)
#
# ## Is it right? Ask PyTorch
#
# Our layers take one line for the gates of each kind: [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py), read `cell` now. Names, shapes and order of the weights are PyTorch's, so its own layers can take ours.
#
# First the task that they shall learn.
#
# ## A task with a long memory
#
# The **adding problem** (Hochreiter and Schmidhuber, 1997): a sequence of random numbers between 0 and 1. Two of them are *marked*, one in the first half, one in the second. At the end: what is their sum?


# %%
steps, hidden, batch, updates = (100, 32, 50, 2000) if full else (40, 16, 32, 600)


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
# Who knows nothing says 1 each time, the mean. What mean squared error is that? (The variance of one such number is 1/12.) This is the line that a network must get under.

# %%
ignorance = float(np.square(test_y - 1).mean())
print(f"always 1: error {ignorance:.4f};  2/12 = {2 / 12:.4f}")


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
# ### Before learning: how far does the blame travel?
#
# As in lesson 11: the size of the gradient by time step, in units of the last step's, before any learning. The gates start with bias 0, so $\sigma(0) = 0.5$: *half* of the cell stays at each step.
#
# **Break it first**: an LSTM whose forget gate starts half open. Is its gradient better off than the plain network's? Then compare with a bias of 3. (Guess: $\sigma(3)$ to the power of the number of steps.)

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
plots.heat_strips(norms, "Size of the gradient by time step, before learning")
print(f"0.5 to the power of {steps}: {0.5**steps:.0e};  σ(3) to the power of {steps}: {mg.sigmoid(3.0) ** steps:.2g}")

# %% [markdown]
# With gates that start half open nothing is won: what arrives at the first step is as little as in the plain network, or less. The architecture alone does not do it: **the gate that keeps has to start open**. (Gers and others found the
# gate in 2000, and its bias was found again in 2015. It is one number.)
#
# ### Learn
#
# All see the same sequences in the same order, each once, with Adam and rate 0.01. Three networks, and the LSTM with bias 0 for comparison. Which curves will leave the line of ignorance, and in which order?

# %%
shared = 100 * batch  # the first so many sequences go to PyTorch as well, in this order:
order = np.concatenate([np.random.default_rng(1).permutation(shared), np.arange(shared, len(train_x))])
contest = {
    "RNN": (nn.RNN, 0.0, plots.GREY),
    "GRU": (nn.GRU, keep, plots.GREEN),
    "LSTM": (nn.LSTM, keep, plots.BLUE),
    "LSTM, bias 0": (nn.LSTM, 0.0, plots.VERMILLION),
}
curves, errors, programs, compiling, timing, first_weights = {}, {}, {}, {}, {}, {}
for name, (kind, bias, _) in contest.items():
    network = Adder(kind, bias)
    first_weights[name] = network.state_dict()
    with mg.measure() as compiling[name]:
        programs[name] = mg.compile(network, nn.mse, mg.optim.Adam(0.01), train_x[:batch], train_y[:batch])
    with mg.measure() as timing[name]:
        curves[name] = programs[name].epoch(train_x, train_y, order)
    errors[name] = float(np.square(mg.train.predict(network, test_x) - test_y).mean())

# %%
window = updates // 30
figure, axes = plots.canvas(8.4, 3.4)
axes.axhline(ignorance, color=plots.BLACK, lw=1, ls="--")
for k, (name, (_, _, colour)) in enumerate(contest.items()):
    smooth = np.convolve(curves[name], np.full(window, 1 / window), mode="valid")
    axes.plot(np.arange(window, updates + 1), smooth, color=colour)
    plots.label(
        axes,
        0.02,
        0.34 - 0.09 * k,
        f"{name}: test error {errors[name]:.5f}",
        plots.INK.get(colour, colour),
        transform=axes.transAxes,
    )
axes.set(
    xlabel="update", yscale="log", ylim=(1e-4, 0.5), title=f"Adding two numbers out of {steps}: mean squared error"
)
plots.show(
    figure,
    f"On a logarithmic scale: the plain RNN stays on the dashed line of ignorance, {ignorance:.3f}; GRU and LSTM fall far below it.",
)
assert max(errors["GRU"], errors["LSTM"]) < errors["RNN"] / 10

# %% [markdown]
# The plain network has learned to say 1. The other two *add*. The same task, the same data, the same optimizer; what differs is the road for the gradient.
#
# ### The same in PyTorch
#
# Now the check. PyTorch gets the first weights of each network, and the first 100 batches in the same order. We compare the gradients of the first batch, all of them, and then the 100 losses.

# %%
from minigrad import peers

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
    losses = np.abs(curves[name][:100] - run.history.losses).max()
    print(f"{name:4} largest gradient {largest:.3f}, largest difference {apart:.1e}; over 100 losses {losses:.1e}")
    assert apart < 1e-5 * max(1, largest)
    assert losses < 1e-3

# %% [markdown]
# Equal, up to the last digits of float32.
#
# ## A price, and a forecast that looks wonderful
#
# Here is a share. Nobody's: its prices are made up, in a file with the columns that price services export (date, open, high, low, close, volume). Put the path of such a file of your own into the first line, if you have one.

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
# A file of your own may be broken. Here is one with three mistakes. Which of them will be found first, and what will you be told?

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
# Nothing is mended in silence: a forecast from mended prices would not be worth much.
#
# Now a forecast. The last 30 % of the days are the test, in order, and nothing from them is used before. Look at this one: grey the price, orange the forecast made the day before. Would you buy the method?

# %%
cut = int(0.7 * len(share))
days = slice(cut, cut + 60)
figure, axes = plots.canvas(8.4, 2.8)
axes.plot(share.dates[days], share.close[days], color=plots.GREY, lw=3)
axes.plot(share.dates[days], share.close[cut - 1 : cut + 59], color=plots.ORANGE, lw=1.5)
axes.set(title="A forecast for 60 days")
plots.show(figure, "The orange forecast follows the grey price closely, up and down, for all of the sixty days.")
fit = np.corrcoef(share.close[cut:], share.close[cut - 1 : -1])[0, 1]
print(f"correlation of forecast and price over all test days: {fit:.3f}")

# %% [markdown]
# It is **yesterday's price**, drawn one day later. Every forecast of prices looks wonderful, because tomorrow is near today. So this one, the *naive* forecast, is the opponent that counts,
# and what has to be forecast is the **change**. (We take the change of the logarithm: 0.01 is about one percent.)
#
# The recipe: 20 changes go in, the next one is asked for. Mean and size come from the training days alone.


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
# How large are the errors, in percent of the price? The naive forecast says: no change. Our share was made by a rule that we know (half of yesterday's change, plus noise: [made_up_prices.py](../minigrad/data/made_up_prices.py)), so there is a third column that nobody has for a real share: the best forecast that is *possible*.


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
# It found what there is to find, or nearly. And how little that is. A quarter of the square is an eighth of the error, and the rest is noise that nobody can forecast. In a real share the memory is not 0.5 but next to nothing.
#
# So let us make one that remembers **nothing**, a random walk. The same network, the same recipe. What should the gain be? And what does a training that goes on for longer, with a larger network, do to it?

# %%
from minigrad.data import made_up_prices

walk = made_up_prices.make(memory=0.0, seed=1).close
walk_data, walk_forecasts, _ = forecast(walk)
compare("A random walk", walk, walk_data, walk_forecasts, np.full_like(walk_data.test_y, walk_data.naive))

# %%
_, walk_forecasts, history = forecast(walk, epochs=40, width=16)
print(
    f"error on the training days: {history.epochs[0].train_loss:.3f} at first, {history.epochs[-1].train_loss:.3f} in the end"
)
compare("A random walk, trained for longer", walk, walk_data, walk_forecasts)

# %% [markdown]
# On the training days it gets better and better: it learns the noise by heart. On the test days it gets *worse than knowing nothing*. Without the naive row, and with a picture like the orange one above, who would have noticed?
#
# ## Who pays for the way back?
#
# Reverse mode needs the states of the way forwards, the last one first. For 40 steps that is nothing. For 40,000 it is all the memory that you have.
#
# There is a trade. What was thrown away can be **computed again**. In the pictures time runs downwards, and a column is a step of the loop. First all states are kept. Then none but the first. What would you do in between?

# %%
checkpoints(25, [1, None], ["all states kept", "only the first kept"])

# %% [markdown]
# On the left 25 states lie in memory. On the right two, but each state is computed again from the beginning: that is $25 \cdot 24 / 2$ steps more, and it grows with the square of the length.
#
# In between: keep the state before every $k$-th step, the **checkpoints**. On the way back take the last checkpoint, compute its $k$ steps again, walk back over them, forget them, take the next.
# With 25 steps, which $k$ holds the fewest states?

# %%
checkpoints(25, [2, 5, 12])

# %% [markdown]
# Count: $T/k$ checkpoints stay, and $k$ states come again at a time. The sum $T/k + k$ is smallest at $k = \sqrt T$. That is **square-root [checkpointing](glossary.ipynb#Checkpointing)**: about $2\sqrt T$ states instead of $T$, for less than one more way forwards.
#
# **Play** with the number of checkpoints. Watch both curves: where is the left one lowest, and how flat is it there? (Without a slider you see the picture for the square root.)

# %%
Play(36)

# %% [markdown]
# ### Measured
#
# `mg.scan` is the loop over time as one node, and knows these policies: `"everything"` (every intermediate value of a step), `"states"` (the state before each step), a number (every $k$-th), and `"sqrt"`. So much for counting; now bytes and seconds.
#
# A loop of many steps, 50 sequences, 64 hidden units, forwards and backwards. Guess: by which factor does the memory go down from everything to the square root? And how much longer does it take? And will the gradient be the same?

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
long_loop("states")  # once before the clock runs
memory, seconds, gradients = {}, {}, {}
for policy in policies:
    graph = None
    gc.collect()  # what the last one left must not be given back while we count
    with mg.measure() as m:
        graph = long_loop(policy)
    memory[policy], gradients[policy] = m.peak_bytes, u.grad.copy()
    seconds[policy] = min(repeat(there_and_back, graph, bytes=None).times)

# %%
figure, axes = plots.canvas(8.4, 3.6)
for policy in policies:
    colour = plots.VERMILLION if policy == "sqrt" else plots.BLUE
    point = memory[policy] / 1e6, 1e3 * seconds[policy]
    axes.plot(*point, "o", color=colour)
    axes.annotate(
        f"every {policy}" if isinstance(policy, int) else policy,
        point,
        (6, 4),
        textcoords="offset points",
        color=colour,
        fontsize=10,
    )
axes.set(
    xlabel="memory at most, MB",
    ylabel="ms forwards and backwards",
    title=f"{T} steps, 50 sequences, 64 hidden units",
    ylim=(0, None),
)
axes.set_xlim(0, 1.15 * max(memory.values()) / 1e6)
plots.show(
    figure,
    "A point for each policy: from everything on the right, the quickest, to the square root and its neighbours on the left, with a small part of the memory and somewhat more time.",
)
ratio, slower = memory["everything"] / memory["sqrt"], seconds["sqrt"] / seconds["everything"]
apart = (
    max(np.abs(g - gradients["everything"]).max() for g in gradients.values()) / np.abs(gradients["everything"]).max()
)
print(f"sqrt against everything: {ratio:.1f} times less memory, {slower:.2f} times the seconds")
print(f"largest difference between the gradients, relative: {apart:.0e}")
assert apart < 1e-4

# %% [markdown]
# The gradient is the same (the sums are added in another order, so the last digits differ). The memory is a fraction, and the price is the second way forwards. (The inputs `xs` lie there in any case, and are not counted.)
#
# Sliders and policies aside, remember the shape: **memory falls by a large factor, time rises by a small one**.
#
# ## Wider, and how much slower?
#
# One more figure from the thesis that this lesson follows: the time of a gradient against the **dimension**, for 25 steps, 50 series and 20 layers of a plain RNN. A product of a $50 \times d$ with a $d \times d$ matrix takes $50\,d^2$ multiplications. So twice the width should take four times as long. The thesis expected that, and saw a nearly straight line on a graphics card. What will your machine say?

# %%
dimensions = (8, 16, 32, 64, 128, 256, 512) if full else (8, 16, 32, 64, 128)
took = []
for d in dimensions:
    deep = nn.RNN(d, d, num_layers=20, checkpoint="states", rng=0)
    series = mg.Constant(np.random.default_rng(0).standard_normal((25, 50, d)).astype(np.float32))
    graph = mg.Graph(mg.sum(mg.square(deep(series)[0])))
    took.append(min(repeat(there_and_back, graph, repeats=3, bytes=None).times))

# %%
figure, axes = plots.canvas(7.4, 3.4)
d, t = np.array(dimensions, float), 1e3 * np.array(took)
axes.plot(d, t, "o-", color=plots.BLUE)
axes.plot(d, t[-1] * (d / d[-1]) ** 2, color=plots.VERMILLION, ls="--", lw=1.2)
axes.plot(d, t[0] * (d / d[0]), color=plots.GREY, ls=":", lw=1.5)
axes.set(
    xscale="log",
    yscale="log",
    xlabel="dimension",
    title="ms forwards and backwards: 25 steps, 50 series, 20 layers",
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
# On these axes a power is a straight line, and its exponent is the slope. For small $d$ the line is nearly flat: what takes the time is not arithmetic, it is 500 steps that have to be *started*, forwards and backwards, however small they are. Only when the products are large
# does the square take over. A graphics card is that much wider before it is full: up to there twice the width costs little. The thesis measured the flat part of the same curve.
#
# ## Seconds and bytes
#
# The training of our three networks, one update of the adding problem, by both engines. Bytes and allocations are counted by one method, memray: for ours as the difference of two calls of different lengths, for PyTorch over 20 updates.

# %%
losses = np.zeros(500, np.float32)


def per_update(program):
    """Bytes and allocations of one update more."""
    return per_step(lambda n: program.epoch(train_x, train_y, order[: n * batch], out=losses[:n]), 50, 500, warmup=2)


def show(number, digits=0):
    return "not known" if number is None else f"{number:,.{digits}f}"


text = f"{steps} steps, batch {batch}, {hidden} hidden units, {threads} thread\n\n"
text += "| | µs an update | getting ready, s | bytes an update | allocations an update |\n|---|---|---|---|---|\n"
for name in kinds:
    each = (timing[name].seconds or 0) / updates
    counts = per_update(programs[name])
    text += f"| {name}, minigrad compiled | {1e6 * each:,.0f} | {compiling[name].compile_seconds:.2f} | {show(counts[0])} | {show(counts[1], 1)} |\n"
    if name in theirs:
        run = theirs[name]
        each = run.history.epochs[0].seconds / 100
        counts = [None if not n else n[0] / 20 for n in (run.allocated_bytes, run.allocations)]
        text += f"| {name}, {run.engine.split('+')[0]} | {1e6 * each:,.0f} | {run.first_step_seconds:.2f} | {show(counts[0])} | {show(counts[1], 1)} |\n"
Markdown(text)

# %% [markdown]
# *Getting ready* is numba's compiling for ours (next to nothing if the machine code lay in the cache), and the first step for PyTorch. The thesis has no such table: its networks were validated against PyTorch, as ours were above, and GRU and LSTM had no gradient yet.
#
# ## In five lines
#
# 1. An LSTM adds to a cell instead of overwriting a state; the gradient goes back along $\bar c_{t-1} = f_t\,\bar c_t$, without a matrix.
# 2. Gates are sigmoids that decide, step by step, what gets in, what stays, what is shown. The one that keeps must start open.
# 3. On a task with a long memory GRU and LSTM learn where the plain RNN stays at the line of ignorance.
# 4. A forecast is worth what it gains over the naive one, on days that it has not seen; its picture proves nothing.
# 5. Keep the state of every $\sqrt T$-th step and compute the rest again: $2\sqrt T$ states, less than twice the way forwards, the same gradient.
#
# ## Read it now
#
# - [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py): three cells, five lines each. [minigrad/scan.py](../minigrad/scan.py): the loop and its policies; the first lines say it all.
# - [minigrad/viz/pictures_of_checkpoints.py](../minigrad/viz/pictures_of_checkpoints.py): the schedules that you saw. [minigrad/data/price_series.py](../minigrad/data/price_series.py): what can be wrong with a file.
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
# - The [exercise of this lesson](../exercises/12_gru_lstm/12_gru_lstm.ipynb): walk back under a cap of bytes, and get the same gradient.
# - [Lesson 13](13_convolutional_networks.ipynb): a window that slides over a picture.
