# Lesson 13b, optional. What a reader has behind them: lesson 13, and compiled programs (08, 09).

# %% [markdown]
# # 13b · Three ways to convolve, and a second opinion
#
# This is the optional second half of [lesson 13](13_convolutional_networks.ipynb); no later lesson needs it. Is the gradient of that network right? PyTorch trains the same network beside ours. You will see the two drift apart, and find out why. Then: how should a machine compute all these sums, in how many seconds, and with how many bytes?
#
# *Time: about 25 minutes{first run}. Other programs running at the same time disturb the measurements: close what you can.* **Small**: the embedded digits. **Full**: real MNIST, some minutes.

# %%
from dataclasses import replace
from functools import partial

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.native.jit import plain_python
from minigrad_course import peers
from minigrad_course.measure import in_turns, repeat
from minigrad_course.measure.conv_ways import WAYS
from minigrad_course.measure.result import show_count
from minigrad_course.viz import plots

data = mg.data.for_lesson()
full = data.name == "mnist"
limits = threadpool_limits(1)  # one thread for each engine, so that comparisons are fair
machine_code = not plain_python()


class PaperC(mg.nn.Module):
    """The network of lesson 13."""

    def __init__(self, rng):
        rng = np.random.default_rng(rng)
        self.conv1, self.conv2 = mg.nn.Conv2d(1, 6, 3, rng=rng), mg.nn.Conv2d(6, 16, 3, rng=rng)
        self.dense1, self.dense2 = mg.nn.Linear(400, 84, rng=rng), mg.nn.Linear(84, 10, rng=rng)

    def sums(self, pictures):
        """The inputs of each ReLU, and the scores."""
        sums1 = self.conv1(pictures.reshape(pictures.shape[0], 1, 28, 28))
        sums2 = self.conv2(mg.max_pool2d(mg.relu(sums1), 2))
        sums3 = self.dense1(mg.max_pool2d(mg.relu(sums2), 2).reshape(pictures.shape[0], 400))
        return sums1, sums2, sums3, self.dense2(mg.relu(sums3))

    def forward(self, pictures):
        return self.sums(pictures)[-1]


# %% [markdown]
# ## Ask PyTorch
#
# The same first weights, the same batches in the same order, in a process of its own, for two seeds.
#
# How far apart are the two losses after each batch? At first, by the rounding of the last digit. Each update starts from the weights that the previous one left. Draw the curve that you expect, on a logarithmic scale.

# %%
epochs, rate, seeds = 5 if full else 18, 0.01, (0, 1)
models = [PaperC(rng=seed) for seed in seeds]
starts = [(model.state_dict(), 100 + seed) for seed, model in zip(seeds, models, strict=True)]
ours = [
    mg.fit(model, data, epochs, 100, mg.optim.SGD(rate), rng=rng, compiled=machine_code, progress=False)
    for model, (_, rng) in zip(models, starts, strict=True)
]
try:
    theirs = peers.train_several_in_pytorch(
        "cnn", starts, data, epochs=epochs, batch_size=100, lr=rate, threads=1, count=12
    )
    apart = np.abs([np.subtract(a.losses, b.history.losses) for a, b in zip(ours, theirs, strict=True)])
    figure, axes = plots.canvas(8, 3.0)
    for line, colour in zip(apart, (plots.BLUE, plots.ORANGE), strict=True):
        axes.plot(range(1, len(line) + 1), np.maximum(line, 1e-8), ".", ms=3, color=colour, mew=0)
    axes.set(yscale="log", xlabel="batch", ylim=(5e-9, 1), title="Difference of the two losses, each batch, two seeds")
    early, late = (np.median(part) for part in (apart[:, :10], apart[:, -10:]))
    plots.show(
        figure,
        f"The median of the first ten batches is {early:.0e}, that of the last ten {late:.0e}. Dots at the bottom: no difference at all.",
    )
    assert np.median(apart[:, :100]) < 5e-6
    for name, runs in (("minigrad", ours), ("PyTorch", [run.history for run in theirs])):
        print(f"{name:8} test accuracy by seed:", *(f"{100 * run.epochs[-1].test_accuracy:.2f} %" for run in runs))
except peers.PeerError as reason:
    theirs = []
    print(reason)

# %% [markdown]
# For a while the difference stays at the rounding of `float32`. Then it may grow, sooner with one seed and later with another, and sometimes in
# leaps. A mistake in a gradient would look different: it would be there from the second batch on, with all seeds. So where does the difference come from?
#
# Training enlarges differences, however small they are. And something makes more than rounding of them: *nearly* a
# tie. Two engines add the same products in another order, and their sums differ in the last digit. Where two entries
# of a pooling window differ by less than that, the engines may choose different ones, and the adjoint goes to another pixel. ReLU has a similar place:
# a sum so close to 0 that one engine rounds it above, and the other below. How often could that happen? Count both in 13 batches, up to a distance of a millionth.
#
# {guess "How many near ties are there in a batch of 100 pictures, on average, for the trained network?": near ties | ties}


# %%
def close_calls(network, batches=13):
    """Near ties of the largest entry, and inputs of ReLU within a millionth of 0, in a batch on average."""
    ties = zeros = 0
    for k in range(batches):
        *sums, _ = network.sums(mg.Constant(data.train_x[100 * k : 100 * (k + 1)]))
        zeros += sum(int(((s.value != 0) & (np.abs(s.value) < 1e-6)).sum()) for s in sums)
        for maps in sums[:2]:
            n, channels, height, width = maps.shape
            even = np.maximum(maps.value, 0)[:, :, : height // 2 * 2, : width // 2 * 2]
            windows = (
                even.reshape(n, channels, height // 2, 2, width // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(-1, 4)
            )
            second, largest = np.sort(windows, axis=1)[:, 2:].T
            ties += int(((largest > second) & (largest - second < 1e-6)).sum())
    return ties / batches, zeros / batches


for name, network in (("untrained", PaperC(rng=0)), ("trained", models[0])):
    ties, zeros = close_calls(network)
    print(f"{name:10} {ties:.1f} near ties and {zeros:.1f} inputs of ReLU near 0 in a batch")

# %% [markdown]
# A single one, decided differently, can make the two runs differ by more than rounding, and then they drift apart. Neither is wrong. That is why accuracies are compared as means over seeds.
#
# ## Seconds and bytes
#
# Paper C, from which this network comes, shows seconds for each epoch and bytes in its figures 3 and 4. We compare our compiled program; our graph, built once and run again; and PyTorch. They take turns, an epoch each. Bytes are counted by memray for all, in runs of their own: for ours what twelve steps allocate beyond two, which leaves out what is made once, and for PyTorch the mean of twelve.
#
# {guess "How many bytes does a step of the compiled program allocate?": bytes | bytes_per_step}

# %%
steps = len(data.train_x) // 100
rows = np.random.default_rng(1).permutation(len(data.train_x))[: 100 * steps]  # whole batches
whole = replace(
    data, train_x=data.train_x[rows], train_y=data.train_y[rows], test_x=data.test_x[:0], test_y=data.test_y[:0]
)
batch = whole.train_x[:100], whole.train_y[:100]
network, sgd, losses = PaperC(rng=0), mg.optim.SGD(rate), np.empty(steps, np.float32)
step, in_order = mg.train.Step(network, mg.nn.cross_entropy, *batch), np.arange(100 * steps)


def by_graph(batches=steps):
    for k in range(batches):
        step.run(whole.train_x[100 * k : 100 * (k + 1)], whole.train_y[100 * k : 100 * (k + 1)])
        sgd.step(network.parameters())


def by_program(batches=steps):
    program.epoch(whole.train_x, whole.train_y, in_order[: 100 * batches], out=losses[:batches])


engines = {"minigrad, graph": by_graph}
if machine_code:
    program = mg.compile(PaperC(rng=0), mg.nn.cross_entropy, mg.optim.SGD(rate), *batch)
    engines = {"minigrad, compiled": by_program, **engines}
text = "| | bytes a step | allocations a step |\n|---|---|---|\n"
bytes_per_step = None
for name, run in engines.items():
    counted = {}
    for batches in (2, 12, 2, 12):  # twice, since a first call may still prepare something
        with mg.measure(bytes="process") as counted[batches]:
            run(batches)
    if counted[12].allocated_bytes is None:
        continue
    size, number = (
        (getattr(counted[12], what) - getattr(counted[2], what)) / 10 for what in ("allocated_bytes", "allocations")
    )
    bytes_per_step = size if name == "minigrad, compiled" else bytes_per_step
    text += f"| {name} | {show_count(max(0, size))} | {show_count(max(0, number), 1)} |\n"
if theirs:
    size, number = (figures and figures[0] / 12 for figures in (theirs[0].allocated_bytes, theirs[0].allocations))
    text += f"| PyTorch | {show_count(size)} | {show_count(number, 1)} |\n"
    how = {"batch_size": 100, "lr": rate, "rounds": 5, "threads": 1}
    turns = peers.take_turns(engines, {"PyTorch": starts[0][0]}, "cnn", whole, **how)
    text += "\n" + peers.turns_table(turns, steps)
held = sum(value.value.nbytes for value in PaperC(rng=0).sums(mg.Constant(batch[0])))
text += f"\n\nFor one batch, what the two convolutions and the two dense layers compute takes {held / 2**20:.2f} MiB."
text += f" *Quoted from paper C*: 7,442 GiB in 3,000 steps, so {7442 / 3000:.2f} GiB a step."
Markdown(text)

# %% [markdown]
# All feature maps and all adjoints of the compiled program are in arrays that were made once. The paper does the same: *outputs allocated once per layer, when the network is built*.
#
# Look at the quoted bytes. Do the number and the unit fit? A step would have to allocate far more than the layers compute. We cannot know what they measured: perhaps MiB. But a factor of a thousand is easily lost in a unit, and a figure that can be compared
# with another one helps to find it.
#
# ## Three ways
#
# There are three famous ways to compute a convolution's sums; read [minigrad_course/measure/conv_ways.py](../minigrad_course/measure/conv_ways.py) now, it is one screen.
#
# - **Direct**: the loops of the formula, compiled.
# - [im2col](glossary.ipynb#im2col): write the pixels of each window into one row of a large matrix. Then the whole layer is *one* matrix product, for which there is code that has been tuned for decades. The cost: with a $3\times3$ filter nearly every pixel is copied nine times.
# - **FFT**: the convolution theorem says that sliding in space is multiplying in frequency. Transform, multiply, transform back.
#
# The paper tried the FFT, too, and reports no improvement. And `mg.conv2d`? It computes the product of im2col for *one picture at a time*, and never writes the matrix down. Here are the paper's two layers, 100 pictures each, in turns.
#
# {guess "The paper's second convolution: from the fastest to the slowest?" in order: direct, im2col, FFT, mg.conv2d | fastest_first}

# %%
TITLES = {"loops": "direct", "matmul": "im2col", "fft": "FFT"}
ways = {TITLES[name]: way for name, way in WAYS.items() if machine_code or name != "loops"}  # without it, minutes
with_ours = {**ways, "mg.conv2d": mg.conv2d}
rng = np.random.default_rng(0)
layers = {"first": ((100, 1, 28, 28), (6, 1, 3, 3)), "second": ((100, 6, 13, 13), (16, 6, 3, 3))}
text = "| convolution | way | milliseconds: median (range) | MiB allocated | differs from the first by |\n|---|---|---|---|---|\n"
for layer, (x_shape, w_shape) in layers.items():
    x, w = rng.random(x_shape, np.float32), rng.standard_normal(w_shape, np.float32)
    milliseconds = 1e3 * in_turns([partial(way, x, w) for way in with_ours.values()]).T
    right = next(iter(ways.values()))(x, w)
    for (name, way), took in zip(with_ours.items(), milliseconds, strict=True):
        size, off = repeat(way, x, w, repeats=1).allocated_bytes, np.abs(way(x, w) - right).max()
        spread = f"{np.median(took):.2f} ({took.min():.2f} to {took.max():.2f})"
        text += f"| {layer} | {name} | {spread} | {show_count(size, 2, 2**20)} | {off:.0e} |\n"
        assert off < 1e-3
medians = dict(zip(with_ours, np.median(milliseconds, axis=1), strict=True))
fastest_first = sorted(medians, key=medians.get)
Markdown(text)

# %% [markdown]
# Does the paper's finding hold here? And when *would* the Fourier transform pay? Count: for each output the loops do $k^2$ products in each
# channel, with $k$ rows and columns in the filter, and so does im2col. For the FFT their number depends on the size of the picture, and hardly on $k$. So there should be a size at which the lines cross. The pictures grow with the filter, so that the output has $28\times28$ entries for every $k$.

# %%
sizes = (1, 3, 5, 7, 9, 13, 17, 21)
took = []
for k in sizes:
    x, w = rng.random((10, 6, 27 + k, 27 + k), np.float32), rng.standard_normal((16, 6, k, k), np.float32)
    took.append(1e3 * np.median(in_turns([partial(way, x, w) for way in ways.values()], rounds=5), axis=0))
took = dict(zip(ways, np.transpose(took), strict=True))
colours = {"direct": plots.GREEN, "im2col": plots.BLUE, "FFT": plots.VERMILLION}
figure, axes = plots.canvas(7, 3.4)
for name, values in took.items():
    axes.plot(sizes, values, "o-", ms=4, color=colours[name])
    axes.annotate(f" {name}", (sizes[-1], values[-1]), color=colours[name], va="center", fontweight="bold")
axes.set(yscale="log", xlabel="rows and columns of the filter", title="Milliseconds", xticks=sizes, xlim=(0, 26))
grown = "; ".join(f"{name} {values[-1] / values[1]:.1f} times" for name, values in took.items())
plots.show(figure, f"From filters of size {sizes[1]} to size {sizes[-1]} the milliseconds grow: {grown}.")
for name in [name for name in ways if name != "FFT"]:
    won = [k for k, a, b in zip(sizes, took["FFT"], took[name], strict=True) if a < b]
    print(f"the FFT is faster than {name} for sizes", ", ".join(map(str, won)) or "none of these")

# %% [markdown]
# How do `mg.conv2d` and the compiled step do without im2col's matrix? Each entry of the filter meets contiguous pieces of the
# picture itself, and a table of their starting points is enough: see the first lines of [minigrad/native/convolution.py](../minigrad/native/convolution.py). Its inner loop is the tile of [lesson 09b](09b_closer_to_the_machine.ipynb).

# %% [markdown]
# ## In five lines
#
# 1. From the same weights and batches, two engines agree up to rounding at first. Then near ties, and training itself, drive them apart.
# 2. A mistake in a gradient shows from the second batch on; drift shows later, and differently from seed to seed.
# 3. A compiled step allocates nothing: all its arrays were made once.
# 4. im2col takes more bytes to make one large product of many small sums.
# 5. The work of the FFT hardly depends on the filter, so it pays for large ones. Which way is fastest depends on sizes and machine: measure.
#
# ## Next
#
# [Exercise 13](../exercises/13_convolutional_networks/13_convolutional_networks.ipynb), in which you write all three ways, or [lesson 14](14_autoencoder.ipynb).
#
# The paper on the FFT: M. Mathieu, M. Henaff, Y. LeCun, *Fast training of convolutional networks through FFTs* (2013, [arXiv:1312.5851](https://arxiv.org/abs/1312.5851)).
