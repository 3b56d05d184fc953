# Lesson 12. What a reader has behind them: recurrent networks and their vanishing gradients (11), compiled steps (08, 09), Adam by name (11).

# %% [markdown]
# # 12 · GRU and LSTM: a memory that does not fade
#
# "The train that the people who came from the town at the end of the old railway line were waiting for **was** late." To write *was* and
# not *were*, you had to carry one bit, one train, across the nineteen words in between. In [lesson 11](11_recurrent_networks.ipynb) the
# gradient vanished over such distances.
#
# Two questions, then:
#
# - What does a memory look like that keeps something for a hundred steps, so that a gradient comes back through all of them?
# - And what does it cost? To go back over a hundred steps, must we keep a hundred states?
#
# By the end you will have built the cell of an LSTM, and seen it learn a task at which the plain network fails. You will have put a convincing hypothesis to the test. And you will go back through a loop of $T$ steps with memory for about $2\sqrt T$ states.
#
# *Time: about 35 minutes{first run}.* The next cell says which size runs. **Small**: sequences of 40 steps. **Full**: 100 steps, which takes some minutes.

# %%
from types import SimpleNamespace

import ipywidgets
import numpy as np
from IPython.display import Markdown, display
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad import nn
from minigrad.native.jit import plain_python
from minigrad_course.measure import in_turns
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_checkpoints import checkpoints, trade_off

full = mg.data.size() == "full"
print(f"Size: {mg.data.size()}. The other one: open the course by `minigrad lab --size {'small' if full else 'full'}`.")
limits = threadpool_limits(1)  # one thread for each engine, so that comparisons are fair

# %% [markdown]
# ## Overwrite, or add
#
# The plain network overwrites its state at every step: $h_t = \tanh(w\,x_t + u\,h_{t-1})$. What came in at the first step is scaled and squashed again and again.
#
# Another idea: do not overwrite. Keep a **cell** $c$ beside the state, and only *add* to it:
#
# $$c_t = f_t\, c_{t-1} + i_t\, g_t$$
#
# $g_t$ is the new content, $i_t$ says how much of it gets in, and $f_t$ how much of the old content stays; these two are between 0 and 1. Put a 1 into the cell, add nothing, and let $f$ be the same at every step. What is left after 50 steps, and how large is the [gradient](glossary.ipynb#Gradient) with respect to that 1?

# %%
for f in (0.5, 0.9, 0.99, 1.0):
    first = mg.Variable(1.0)
    cell = first
    for _ in range(50):
        cell = f * cell
    cell.backward()
    says(
        "f = {:4}: left after 50 steps {:.2g}, derivative with respect to the 1 at the start {:.2g}",
        *(f, cell.value, first.grad),
        when=lambda f, value, slope: np.allclose([value, slope], f**50),
    )

# %% [markdown]
# Going back is as simple as going forward: $\bar c_{t-1} = f_t\,\bar c_t$. **No matrix, no slope of a tanh.** With $f = 1$ the gradient arrives undiminished, over any distance.
#
# But a cell that never forgets is of no use either. So let the network *decide*, at each step, from its input and its state. A decision that has a derivative is a sigmoid: near 0 for large negative numbers, near 1 for large positive ones, and with its largest slope in between, where it is half open. Such a factor is called a [gate](glossary.ipynb#Gate).
#
# ## The LSTM
#
# *Long short-term memory* ([LSTM](glossary.ipynb#LSTM)) has three gates. Each of them, and the new content, has its own weights, and looks at the input $x_t$ and the last state $h_{t-1}$:
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
# Draw the lower two lines as a graph, with a pencil, and trace the shortest way from $c_{t-1}$ to $c_t$. Then look. The arguments of the four functions are given here as numbers, `zi`, `zf`, `zg`, `zo`.

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
# *Four inputs pass a sigmoid or a tanh; the old cell passes one product and one sum on its way to the new cell; the output gate decides what is shown.*
#
# The short way is one product and one sum. **Go back** along it: the sum passes the adjoint of `c` on as it is, and the product multiplies it by $f$.

# %%
print("adjoint of c before:     ", c_before.grad)
says("f times the adjoint of c: {}", mg.sigmoid(3.0) * c.adjoint, when=lambda share: np.isclose(share, c_before.grad))

# %% [markdown]
# ## The GRU
#
# The *gated recurrent unit* ([GRU](glossary.ipynb#GRU)) of 2014 asks: do we need a cell *and* a state? It has one state, and a gate $z$ that mixes old and new:
#
# $$\begin{aligned}
# r &= \sigma(W_r x_t + U_r h_{t-1} + b_r) && \text{reset: how much of the past the new content sees}\\
# z &= \sigma(W_z x_t + U_z h_{t-1} + b_z) && \text{update}\\
# n &= \tanh(W_n x_t + b_n + r \odot (U_n h_{t-1} + b'_n)) && \text{new content}\\[4pt]
# h_t &= (1-z) \odot n + z \odot h_{t-1}
# \end{aligned}$$
#
# Which factor plays the part of the forget gate? The adjoint of the old state tells, along the short way:

# %%
r, z, new, h_before = (mg.Variable(number) for number in (0.6, 0.9, -0.2, 0.7))
h = (1 - z) * mg.tanh(new * r) + z * h_before
h.backward()
says(
    "adjoint of the old state {:.2f}; r = {}, z = {}, 1 - z = {:.1f}",
    *(h_before.grad, r.value, z.value, 1 - z.value),
    when=lambda adjoint, r, z, _: np.isclose(adjoint, z) and not np.isclose(adjoint, r),
)

# %% [markdown]
# It is $z$: with $z = 1$ the unit keeps its state as it is.
#
# In a whole layer the old state also enters the gates and the new content, through the matrices $U$. That is a second way for the gradient, the one of lesson 11. The short one is what is new. Read `cell` in [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py) now: each of the three layers is a few lines.
#
# ## A task with a long memory
#
# The **adding problem** goes back to Hochreiter and Schmidhuber, 1997. A sequence of random numbers between 0 and 1 is read. Two of them are *marked*, one in the first half, one in the second. At the end: what is their sum?

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
sequences = SimpleNamespace(train_x=train_x, train_y=train_y, test_x=test_x, test_y=test_y)

figure, axes = plots.canvas(8.4, 2.2)
marked = train_x[0, :, 1] == 1
axes.bar(np.arange(1, steps + 1), train_x[0, :, 0], color=np.where(marked, plots.VERMILLION, plots.GAP))
axes.set(xlabel="step", title="One sequence: add the two marked numbers", ylim=(0, 1.05))
plots.show(
    figure,
    f"{steps} grey bars of random height, two of them marked in red; their sum, {train_y[0, 0]:.3f}, is what is asked for.",
)

# %% [markdown]
# Without looking at the sequence, the best answer is the mean of such sums, which is 1. The variance of one number is 1/12, so the mean squared error is about 2/12. A network has to do better than that.

# %%
baseline = float(np.square(test_y - 1).mean())
says("always 1: error {:.4f};  2/12 = {:.4f}", baseline, 2 / 12, when=lambda here, mean: abs(here - mean) < 0.03)


class Adder(nn.Module):
    """A recurrent layer, and a number from its last state. bias: of the gate that keeps, f of the LSTM, z of the GRU."""

    def __init__(self, kind, bias=0.0, rng=0):
        rng = np.random.default_rng(rng)
        self.layer = kind(2, hidden, batch_first=True, checkpoint="states", rng=rng)
        self.dense = nn.Linear(hidden, 1, rng=rng)
        if kind is not nn.RNN:
            self.layer.bias_ih_l0.value[hidden : 2 * hidden] = bias  # the second block of rows is that gate's

    def forward(self, x):
        states, _ = self.layer(x)
        return self.dense(states[:, -1])


# %% [markdown]
# ### Before learning: how far does the gradient get?
#
# As in lesson 11: the size of the gradient by time step, in units of the last step's, before any learning. With a bias of 0 a gate starts at about $\sigma(0) = 0.5$, and *half* of the old content stays at each step. With a bias of 3 it is $\sigma(3)$, about 0.95.
#
# Which of the five networks will get the most of its gradient to the first step?
#
# {guess "Which network will get the most of its gradient to the first step?": RNN, LSTM with bias 0, GRU with bias 0, LSTM with bias 3, GRU with bias 3 | max(norms, key=lambda name: norms[name][0] / norms[name][-1])}

# %%
contest = {  # the kind of layer, the bias of the gate that keeps, a colour
    "RNN": (nn.RNN, 0.0, plots.GREY),
    "LSTM with bias 0": (nn.LSTM, 0.0, plots.VERMILLION),
    "GRU with bias 0": (nn.GRU, 0.0, plots.ORANGE),
    "LSTM with bias 3": (nn.LSTM, 3.0, plots.BLUE),
    "GRU with bias 3": (nn.GRU, 3.0, plots.GREEN),
}


def by_step(network):
    """The size of the gradient by time step."""
    return mg.viz.gradient_norms(network, test_x[:50], test_y[:50], nn.mse)


norms = {name: by_step(Adder(kind, bias)) for name, (kind, bias, _) in contest.items()}
mg.viz.HeatStrips(norms, "Size of the gradient by time step, before learning").show()
print(f"0.5 to the power of {steps}: {0.5**steps:.0e};  σ(3) to the power of {steps}: {mg.sigmoid(3.0) ** steps:.2g}")

# %% [markdown]
# With gates that start half open, little arrives at the first step. With a bias of 3, far more does.
#
# So here is a natural hypothesis: *a network learns a long memory only if its gradient reaches the first steps, and so the gate that keeps has to
# start open.* It sounds convincing. **Is it true?**
#
# *This is a good place to stop and rest.*
#
# ### Learn, and test the hypothesis
#
# All networks see the same sequences in the same order, each once, with Adam and rate 0.01. A single run would tell little, so each network
# starts from two random sets of weights, in the full size from three. Call it learned if the error on the test sequences is below half of that of always answering 1. If the hypothesis is true, what must the LSTM and the GRU with bias 0 do? And the plain network?
#
# {guess "How many of the runs with bias 0, LSTM and GRU together, will learn the task?": runs | sum(run.error < baseline / 2 for name, tried in runs.items() if name.endswith("bias 0") for run in tried)}

# %%
window = updates // 30
runs = {name: [] for name in contest}
for name, (kind, bias, _) in contest.items():
    for seed in range(3 if full else 2):
        network = Adder(kind, bias, seed)
        before = by_step(network)
        history = mg.fit(
            network, sequences, 1, batch, mg.optim.Adam(0.01), loss=nn.mse, rng=1, compiled=machine_code, progress=False
        )
        curve = np.convolve(history.losses, np.full(window, 1 / window), mode="valid")  # a mean that moves along
        below = np.flatnonzero(curve < baseline / 2)
        after, error = by_step(network), float(np.square(mg.train.predict(network, test_x) - test_y).mean())
        runs[name].append(
            SimpleNamespace(
                before=before[0] / before[-1],
                after=after[0] / after[-1],
                curve=curve,
                start=window + below[0] if len(below) else "the last ones" if error < baseline / 2 else "–",
                error=error,
            )
        )

# %%
figure, axes = plots.canvas(8.4, 3.6)
axes.axhline(baseline, color=plots.BLACK, lw=1, ls="--")
text = "| | gradient at the first step, before learning | after | mean below half of the dashed line from update | test error |\n"
text += "|---|---|---|---|---|\n"
for k, (name, (_, _, colour)) in enumerate(contest.items()):
    for run in runs[name]:
        axes.plot(np.arange(window, updates + 1), run.curve, color=colour, lw=0.9)
        text += f"| {name} | {run.before:.0e} | {run.after:.0e} | {run.start} | {run.error:.4f} |\n"
    plots.label(axes, 0.02, 0.42 - 0.09 * k, name, plots.INK.get(colour, colour), transform=axes.transAxes)
axes.set(
    xlabel="update", yscale="log", ylim=(1e-4, 0.5), title=f"Adding two numbers out of {steps}: mean squared error"
)
medians = {name: np.median([run.error for run in tried]) for name, tried in runs.items()}
plots.show(
    figure,
    f"On a logarithmic scale, beside the dashed line of always answering 1, {baseline:.3f}: the median test errors are "
    + ", ".join(f"{name} {value:.4f}" for name, value in medians.items()) + ".",
)  # fmt: skip
learned = [run.before for tried in runs.values() for run in tried if run.error < baseline / 2]
failed = [run.before for tried in runs.values() for run in tried if run.error >= baseline / 2]
assert not machine_code or max(medians.values()) == medians["RNN"] > baseline / 2 > sorted(medians.values())[-2]
assert not machine_code or max(failed) > 100 * min(learned)
text += f"\nThe smallest gradient at the first step of a run that learned: {min(learned):.0e}."
text += f" The largest of a run that did not: {max(failed, default=np.nan):.0e}."
Markdown(text)

# %% [markdown]
# The hypothesis is false: with bias 0 hardly any gradient reaches the first step at the start, and both networks learn. See the last line of the output: a run with a far smaller gradient learned, and one with a far larger gradient did not.
#
# What differs is what learning can do. A gate can be *opened*: compare the gradient before and after learning, with bias 0. The sequences whose marks come late may be enough to teach that, and then the gradient reaches farther. A plain network has no gate to open. Whether a bias of 3 is a head start, the column of updates shows; a condition it is not.
#
# All this holds for this recipe. With ReLU, with $U$ starting as the unit matrix and with many more updates, plain networks have learned such tasks (Le and others, 2015). A hypothesis may sound convincing: test it, and with more than one run.
#
# ## What the backward pass costs in memory
#
# Reverse mode needs the states of the forward pass, the last one first. For 40 steps that is no problem. For 40,000 it may be more memory than you have.
#
# What was discarded can be **computed again**. In the pictures time runs downwards, and a column is a step of the loop. First all states are kept; then none but the first. What would you do in between?

# %%
checkpoints(25, [1, None], ["all states kept", "only the first kept"])

# %% [markdown]
# On the left 25 states are in memory. On the right there are two, but each state is computed again from the beginning: that is $25 \cdot 24 / 2$ steps more, and it grows with the square of the length.
#
# In between: keep the state before every $k$-th step, the **checkpoints**. To go back, take the last checkpoint, compute its $k$ steps again, go back over them, discard them, and take the checkpoint before. With 25 steps, which of 2, 5 and 12 for $k$ holds the fewest states?

# %%
checkpoints(25, [2, 5, 12])

# %% [markdown]
# Count: about $T/k$ checkpoints stay, and the states of $k$ steps are computed again at a time. The sum $T/k + k$ is smallest at $k = \sqrt T$. That is **square-root [checkpointing](glossary.ipynb#Checkpointing)**: about $2\sqrt T$ states instead of $T$, at the cost of less than one more forward pass.
#
# **Play** with the number of checkpoints. Where is the left curve lowest, and how flat is it there?

# %%
trade_off(6)

# %%
ipywidgets.interactive(trade_off, count=ipywidgets.IntSlider(6, min=1, max=36, description="checkpoints"))

# %% [markdown]
# ### Measured
#
# That was counting; now bytes and milliseconds. `mg.scan` is the loop over time as one node, and knows these policies: `"everything"` keeps every intermediate value of a step, `"states"` the state before each step, a number every $k$-th state, and `"sqrt"` chooses $k$. Here is a loop of 144 steps, in the full size 1,024, with 50 sequences and 64 hidden units, forward and backward. The policies take turns.
#
# {guess "By which factor does the memory decrease, from everything to the square root?": times | ratio}

# %%
T = 1024 if full else 144
rng = np.random.default_rng(0)
xs = rng.standard_normal((T, 50, 32)).astype(np.float32)
w, u = (mg.Variable((0.1 * rng.standard_normal(shape)).astype(np.float32)) for shape in ((32, 64), (64, 64)))


def cell(h, x):
    h = mg.tanh(x @ w + h @ u)
    return h, mg.mean(h)


def long_loop(policy):
    """A graph with the loop, which has gone forward and back once."""
    u.zero_grad()
    graph = mg.Graph(mg.sum(mg.scan(cell, xs, np.zeros((50, 64), np.float32), policy)[1]))
    graph.forward()
    graph.backward()
    return graph


policies = ["everything", "states", 2, 48, "sqrt"]
long_loop("states")  # once before anything is counted
graphs, memory, gradients = {}, {}, {}
for policy in policies:
    with mg.measure() as m:
        graphs[policy] = long_loop(policy)
    memory[policy], gradients[policy] = m.peak_bytes, u.grad.copy()


def there_and_back(graph):
    graph.forward()
    graph.backward()


turns = in_turns([lambda graph=graph: there_and_back(graph) for graph in graphs.values()])
took = dict(zip(policies, 1e3 * turns.T, strict=True))
text = "| policy | memory at most, MB | ms, median (range) |\n|---|---|---|\n"
for policy, ms in took.items():
    name = f"every {policy}" if isinstance(policy, int) else policy
    text += (
        f"| {name} | {show_count(memory[policy], 1, 1e6)} | {np.median(ms):.1f} ({min(ms):.1f} to {max(ms):.1f}) |\n"
    )
ratio = memory["everything"] / memory["sqrt"] if memory["sqrt"] else None
slower = np.median(took["sqrt"]) / np.median(took["everything"])
apart = max(np.abs(g - gradients["everything"]).max() for g in gradients.values()) / np.abs(gradients["sqrt"]).max()
text += f"\nThe square root, compared with everything: {show_count(ratio, 1)} times less memory, {slower:.2f} times the time. "
text += f"Largest difference between the gradients, relative: {apart:.0e}."
assert apart < 1e-4
assert ratio is None or ratio > 2
del graphs
Markdown(text)

# %% [markdown]
# The gradient is the same up to rounding, and the memory is a fraction. In exchange steps are computed again. `mg.scan` does so twice: once for the states between two checkpoints, and once, when the way back comes to a step, for what lies inside of it. That second time is what `"states"` costs, too. So there are up to two more forward passes; the clock may show less, since fewer bytes are written and read.
#
# By the count of states, the factor in memory grows like $\sqrt T$ with the number of steps, and the factor in time does not grow: **a large factor in memory is bought with a small one in time.**

# %% [markdown]
# ## In five lines
#
# 1. An LSTM adds to a cell instead of overwriting a state; the gradient goes back along $\bar c_{t-1} = f_t\,\bar c_t$, without a matrix.
# 2. Gates are sigmoids that decide, step by step, what gets in, what stays, what is shown. Learning can open them.
# 3. On a task with a long memory, with one recipe for all, GRU and LSTM learn where the plain tanh network fails.
# 4. How much gradient reaches the first step before learning does not decide who learns: a convincing explanation needs a test, with several first weights.
# 5. Keep the state of every $\sqrt T$-th step and compute the rest again: about $2\sqrt T$ states, one or two more forward passes, the same gradient.
#
# ## Next
#
# - The [exercise of this lesson](../exercises/12_gru_lstm/12_gru_lstm.ipynb): go back with a limited number of bytes, and get the same gradient.
# - [Your own engine](../project/project.ipynb): checkpoints are one of its choices, milestone 12.
# - [Lesson 13](13_convolutional_networks.ipynb): a window that slides over a picture.

# %% [markdown]
# ## Further
#
# ### The same in PyTorch
#
# Names, shapes and order of the weights are PyTorch's, so its layers can take ours, and 100 batches in the same order. We compare all gradients of the first batch, then the 100 losses, and then the clock: a few updates of each in turns.

# %%
from minigrad_course import peers

part = SimpleNamespace(
    train_x=train_x[: 100 * batch], train_y=train_y[: 100 * batch], test_x=test_x[:0], test_y=test_y[:0]
)
few = SimpleNamespace(**{**vars(part), "train_x": train_x[: 25 * batch], "train_y": train_y[: 25 * batch]})
how = {"batch_size": batch, "lr": 0.01, "optimizer": "adam", "threads": 1}
rows = np.random.default_rng(1).permutation(len(part.train_x))
for kind in (nn.RNN, nn.GRU, nn.LSTM):
    name, network, adam = kind.__name__, Adder(kind), mg.optim.Adam(0.01)
    weights = network.state_dict()
    try:
        run = peers.train_in_pytorch("sequences", weights, part, epochs=1, rng=1, count=False, **how)
    except peers.PeerError as reason:
        print(reason)
        break
    step = mg.train.Step(network, nn.mse, train_x[:batch], train_y[:batch])
    losses = []
    for k, chosen in enumerate(rows.reshape(-1, batch)):
        losses.append(step.run(train_x[chosen], train_y[chosen]))
        if k == 0:
            apart = max(np.abs(v.grad - run.first_gradients[key]).max() for key, v in network.named_parameters())
            largest = max(np.abs(v.grad).max() for v in network.parameters())
        adam.step(network.parameters())
    farthest = np.abs(np.subtract(losses, run.history.losses)).max()
    print(f"{name:4} gradients up to {largest:.3f} differ by {apart:.0e} at most, the 100 losses by {farthest:.0e}")
    assert apart < 1e-5 * max(1, largest)
    assert farthest < 1e-3
    if machine_code:
        program = mg.compile(network, nn.mse, adam, train_x[:batch], train_y[:batch])
        work = {
            f"{name}, minigrad": lambda program=program: program.epoch(few.train_x, few.train_y, np.arange(25 * batch))
        }
        turns = peers.take_turns(work, {f"{name}, PyTorch": weights}, "sequences", few, rounds=5, **how)
        display(Markdown(peers.turns_table(turns, 25)))

# %% [markdown]
# PyTorch's LSTM is one operation, written in C++ for the whole sequence, and the larger the layer, the more it gains from that: run the full size as well.
#
# ### A price, and a forecast that looks wonderful
#
# Here is the price of a stock. The stock does not exist: a program made its prices. If you have a file of real ones with the columns that price services export, put its path into the first line. The last 30 % of the days are the test. Grey is the price, orange a forecast made the day before. Would you trust the method?

# %%
my_file = None  # or "path/to/my_share.csv"

share = mg.data.prices(my_file)
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
# It is **yesterday's price**, drawn one day later. This *naive* forecast is the one to beat, and what has to be forecast is the **change**, of the logarithm: 0.01 is about one percent. From 20 changes a GRU predicts the next one. Mean and scale come from the training days alone.
#
# Our stock was made by a rule that we know, half of yesterday's change plus noise. So there is a row that nobody has for a real stock: the best forecast that is *possible*. And a second stock is a **random walk**, whose changes do not depend on the past at all. What should the gain be there?


# %%
def windows(close, length=20):
    """Rows of `length` changes and the change after them, split in time; all in units of the training days' size."""
    change = np.diff(np.log(close))
    split = int(0.7 * len(change))
    mean, size = change[:split].mean(), change[:split].std()
    scaled = ((change - mean) / size).astype(np.float32)
    x = np.lib.stride_tricks.sliding_window_view(scaled[:-1], length)[:, :, None].copy()
    y, n = scaled[length:, None], split - length
    return SimpleNamespace(train_x=x[:n], train_y=y[:n], test_x=x[n:], test_y=y[n:], naive=-mean / size)


class Forecaster(nn.Module):
    def __init__(self, width=8, rng=0):
        rng = np.random.default_rng(rng)
        self.layer = nn.GRU(1, width, batch_first=True, checkpoint="states", rng=rng)
        self.dense = nn.Linear(width, 1, rng=rng)

    def forward(self, x):
        return self.dense(self.layer(x)[0][:, -1])


def compare(title, close, memory=None, epochs=20, width=8):
    """Rows of a table: mean squares on the test days, in units of the naive forecast's."""
    data, model = windows(close), Forecaster(width)
    history = mg.fit(model, data, epochs, 50, mg.optim.Adam(0.005), loss=nn.mse, rng=1, progress=False)
    squares = np.square(data.test_y - data.naive)
    gain = (squares - np.square(data.test_y - mg.train.predict(model, data.test_x))) / squares.mean()
    error = gain.std() / np.sqrt(len(gain))
    best = "not known"
    if memory is not None:
        best = np.square(data.test_y - data.naive - memory * (data.test_x[:, -1] - data.naive)).mean() / squares.mean()
        best = f"{1 - best:.3f}"
    first, last = (history.epochs[k].train_loss for k in (0, -1))
    assert last < first
    return f"| {title} | {first:.3f} to {last:.3f} | {gain.mean():.3f} ± {error:.3f} | {best} |\n"


from minigrad_course.data import made_up_prices

walk = made_up_prices.make(memory=0.0, seed=1).close
text = "| | error on the training days | gain over the naive forecast, test days ± standard error | best possible |\n"
text += "|---|---|---|---|\n"
text += compare(share.name, share.close, 0.5 if my_file is None else None)
text += compare("a random walk", walk, 0.0)
text += compare("a random walk, longer and wider", walk, 0.0, epochs=25, width=16)
Markdown(text)

# %% [markdown]
# On the training days every error decreases, even those of the random walk, where there is nothing to learn: the network memorises noise. On the test days of the random walk it gains nothing, up to the standard error, which is the spread of a mean by chance. Without the naive forecast, and with a picture like the orange one, who would have noticed?
#
# ### Read it now
#
# - [minigrad/nn/recurrent.py](../minigrad/nn/recurrent.py): three cells, a few lines each. [minigrad/loops/scan.py](../minigrad/loops/scan.py): the loop and its policies; its first paragraph explains them.
# - [minigrad_course/viz/pictures_of_checkpoints.py](../minigrad_course/viz/pictures_of_checkpoints.py): the schedules that you saw. [minigrad_course/data/price_series.py](../minigrad_course/data/price_series.py): what can be wrong with a file of prices.
#
# ### The texts
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: the layers, and checkpointing as memory against time.
# - S. Hochreiter, J. Schmidhuber, *Long short-term memory* (1997): the cell, and the adding problem. F. Gers and others, *Learning to forget* (2000): the forget gate.
# - K. Cho and others, *Learning phrase representations using RNN encoder-decoder* (2014): the GRU. R. Jozefowicz and others, *An empirical exploration of recurrent network architectures* (2015): the bias of the forget gate.
# - Q. V. Le and others, *A simple way to initialize recurrent networks of rectified linear units* (2015): the adding problem without gates.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 12: checkpoints, and better schedules than the square root.
