# Lesson 14. What a reader has behind them: the graph (05), compiled steps (08, 09), an MLP with SGD (10), shared weights (11).

# %% [markdown]
# # 14 · Autoencoder: learning without labels
#
# Somebody gives you a box of handwritten digits. No labels, no teacher, and nobody says what a digit is. Can a network learn anything from
# that?
#
# Here is an idea. Let it copy: picture in, the same picture out. And make copying difficult, by allowing only a few numbers in the middle.
# Whatever these numbers describe must be important.
#
# Such a network is an [autoencoder](glossary.ipynb#Autoencoder). By the end you will have
#
# - trained the network of an essay (E: *Automatic differentiation for machine learning in Julia*), 784-300-100-784, one picture at a time, and watched its copies become clearer;
# - checked it against PyTorch, from the same first weights, picture by picture;
# - described digits by **two numbers**, and explored the plane of all such pairs;
# - tested whether what it has learned helps to classify digits: the essay suggests using it further.
#
# *Time: about 50 minutes{first run}.* The next cell says which data this is. **Small**: the embedded digits, faster. **Full**: real MNIST and the essay's four epochs, some minutes.

# %%
from dataclasses import replace

import ipywidgets
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad import nn
from minigrad.native.jit import plain_python
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_digits import digits
from minigrad_course.viz.pictures_of_weights import tiles

data = mg.data.for_lesson()
full = data.name == "mnist"
pictures = replace(data, train_y=data.train_x, test_y=data.test_x)  # what is asked for is what goes in

threads = 1  # for each engine, so that the comparison is fair
limits = threadpool_limits(threads)
machine_code = not plain_python()
if not machine_code:
    print("Without machine code training is slow: here it is by the graph, run again, and for fewer epochs.")

# %% [markdown]
# Look at `pictures`: the *labels* of that data set are the pictures themselves. The digits' names are still in `data`; the network will not see them.
# ## The simplest copier
#
# How good is a copy? The essay adds up the squared differences over all 784 pixels:
#
# $$E = \sum_{i=1}^{784} (\text{output}_i - \text{input}_i)^2$$
#
# The simplest copier returns the same for every picture: the *mean* picture. It uses nothing of the picture at all. What will that look like, and which of the digits below will it copy best?

# %%
mean_picture = data.train_x.mean(axis=0)
some = np.array([np.flatnonzero(data.test_y == digit)[0] for digit in range(10)])  # one of each, from the test set


def error(copies, originals):
    """The sum of squares over the pixels, as the mean over the pictures."""
    return float(np.square(copies - originals).sum(axis=1).mean())


def always_the_mean(x):
    return np.broadcast_to(mean_picture, x.shape)


mg.viz.Reconstructions(always_the_mean, data.test_x[some]).show()
mean_error = error(always_the_mean(data.test_x), data.test_x)
print(f"error of the mean picture, all test digits: {mean_error:.1f}")

# %% [markdown]
# The same blur, ten times. Remember that error: a network that does no better has learned nothing about *individual* pictures.
# ## The network
#
# Now the network of the essay. Each layer is a matrix and a sigmoid, $\sigma(z) = 1/(1+e^{-z})$, which squeezes every number into 0 to 1:
#
# $$\underbrace{h = \sigma(W_1 x + b_1) \qquad c = \sigma(W_2 h + b_2)}_{\text{encoder: } 784 \to 300 \to 100} \qquad\qquad \underbrace{o = \sigma(W_3\, c)}_{\text{decoder: } 100 \to 784}$$
#
# The 100 numbers $c$ are the **code** of the picture. They are all that the decoder gets. (There are biases in the encoder only, as in the essay. They start at 0.)
#
# Guess before you run: how many weights is that? More or fewer than there are pixels in the training set?
#
# {guess "How many weights is that?": weights | sum(p.size for p in model.parameters())}


# %%
class Autoencoder(nn.Module):
    """The essay's network. Weights start normal, with standard deviation `std`, and biases at 0."""

    def __init__(self, rng, std=0.1):
        self.encoder = nn.Sequential(nn.Linear(784, 300), nn.Sigmoid(), nn.Linear(300, 100), nn.Sigmoid())
        self.decoder = nn.Sequential(nn.Linear(100, 784, bias=False), nn.Sigmoid())
        rng = np.random.default_rng(rng)
        for parameter in self.parameters():
            matrix = len(parameter.shape) == 2
            parameter.value = (
                nn.init.normal(parameter.shape, std, rng) if matrix else np.zeros(parameter.shape, np.float32)
            )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def sum_of_squares(output, x):
    return mg.sum(mg.square(output - x))


model = Autoencoder(rng=0)
first_weights = model.state_dict()  # a copy, for PyTorch and for later
print(model)
print(f"pixels in the training set: {data.train_x.size:,}")

# %% [markdown]
# And as a graph. Where is it narrow? And where is the picture used a *second* time?

# %%
example = mg.Constant(data.train_x[:1], name="picture")
loss = sum_of_squares(model(example), example)
mg.draw(loss, fold=["Linear"])

# %% [markdown]
# *Each linear layer is one box. The picture goes through three of them, with a sigmoid after each; at the end it is needed again, to be compared with.*
# ## The backward pass, with a pencil
#
# The [adjoint](glossary.ipynb#Adjoint) of the output is the derivative of the sum of squares. One step further back is the sigmoid, whose slope is $o\,(1-o)$:
#
# $$\bar o = 2\,(o - x) \qquad \bar z = \bar o \odot o \odot (1-o) \qquad \bar W_3 = \bar z\, c^{\mathsf T}$$
#
# ($\odot$: entry by entry.) The last one is a column times a row: one picture gives a matrix of rank 1. Does the graph agree with what you found by hand?

# %%
loss.backward()
x = data.train_x[0]
code = model.encoder(example).value[0]
o = model(example).value[0]
by_hand = np.outer(2 * (o - x) * o * (1 - o), code)
by_graph = model.decoder[0].weight.grad
figures = np.abs(by_hand - by_graph).max(), np.linalg.matrix_rank(by_graph, tol=1e-4)
says("largest difference: {:.0e}   rank: {}", *figures, when=lambda apart, rank: apart < 1e-5 and rank == 1)

# %% [markdown]
# ## Break it: where to start
#
# The essay starts with weights from a normal distribution with standard deviation 0.1. Why not 0? Why not 3?
#
# - From **0**: every hidden unit has the same weights as its neighbour. Who could tell them apart?
# - From **3**: 300 large numbers are added up in each sigmoid. Remember its slope $o\,(1-o)$, when $o$ is nearly 0 or 1.
#
# Which of the two will be stuck, and at which error? Four epochs each (two in full size), one picture at a time. (The first line compiles the training step, and measures how long that takes.)

# %%
with mg.measure() as getting_ready:
    mg.compile(Autoencoder(rng=0), sum_of_squares, mg.optim.SGD(0.02), data.train_x[:1], data.train_x[:1])

short = replace(pictures, train_x=data.train_x[:5000], train_y=data.train_x[:5000])
short_epochs = 2 if full or not machine_code else 4
for std in (0.0, 0.1, 3.0):
    trial = Autoencoder(rng=0, std=std)
    run = mg.fit(
        trial, short, short_epochs, 1, mg.optim.SGD(0.02), loss=sum_of_squares,
        rng=1, compiled=machine_code, progress=False,
    )  # fmt: skip
    codes = mg.train.predict(trial.encoder, data.test_x)
    apart = codes.std(axis=1).mean()
    print(f"std {std}: error {run.epochs[-1].train_loss:6.1f}; the 100 numbers of a code differ by {apart:.1e}")
    assert (run.epochs[-1].train_loss < 0.9 * mean_error) == (std == 0.1)
    assert (apart < 1e-5) == (std == 0)
print(f"the mean picture: {mean_error:.1f}")

# %% [markdown]
# Compare both with the mean picture. They are stuck, for different reasons.
#
# From 0, all 100 numbers of a code are **equal**, and stay equal: equal weights get equal gradients. A hundred units do the work of one,
# and the network can do no better than about the mean picture. (Its figure above is a mean over an epoch of training, that of the mean
# picture one over the test set.) Nothing in the gradient can break that symmetry. Random first weights have to.
#
# From 3, the sigmoids are close to 0 or 1, where the slope is almost 0. The outputs are extreme, mostly wrong, and there is almost no gradient to change them.
#
# Another loss helps. Read a pixel as the probability of ink, and ask for its cross-entropy, as in lesson 10: then the slope of the sigmoid is divided away, and what comes back is
# $o - x$ alone. Take one output deep in the wrong corner: $z = -10$, where the picture has ink, $x = 1$. (This loss takes $z$ and has the sigmoid inside, since the logarithm of a rounded 0 would be infinite.)

# %%
by_squares = mg.grad(lambda z: mg.square(mg.sigmoid(z) - 1.0))(-10.0)
by_cross_entropy = mg.grad(lambda z: nn.binary_cross_entropy_with_logits(z, 1.0))(-10.0)
print(f"derivative by z: {by_squares:.2e} with the square, {by_cross_entropy:.5f} with cross-entropy")
assert np.isclose(by_cross_entropy, mg.sigmoid(-10.0) - 1.0)
assert abs(by_squares) < abs(by_cross_entropy) / 1000

# %% [markdown]
# The essay has the sum of squares, and so have we, with first weights small enough.
#
# ## Train it
#
# The essay's recipe: one picture at a time (batch size 1), SGD with rate 0.02, four epochs. On the small data an epoch has 1,297 steps instead of 60,000, so we take 6.
#
# Meanwhile, ten pictures from the training set and ten from the test set are copied again and again. Before you run it: which row will
# become clear first?

# %%
epochs = 4 if full or not machine_code else 6
seen = np.array([np.flatnonzero(data.train_y == digit)[0] for digit in range(10)])
view = mg.viz.Live(
    mg.viz.Reconstructions(model, data.train_x[seen], name="training digits"),
    mg.viz.Reconstructions(model, data.test_x[some], name="test digits"),
    loss="error",
)
with mg.measure() as training:
    history = mg.fit(
        model, pictures, epochs, 1, mg.optim.SGD(0.02), loss=sum_of_squares, rng=1, compiled=machine_code, live=view
    )

# %%
ours_error = error(mg.train.predict(model, data.test_x), data.test_x)
print(f"{len(history.losses):,} pictures shown, one at a time")
print(f"error on the test digits: {ours_error:.2f}   (mean picture {mean_error:.1f})")

# %% [markdown]
# Looking at the two rows tells you more than the number. Are thin strokes preserved? Slant? A gap in a loop?
#
# ### Is that good?
#
# The mean picture was easy to beat. Here is something harder: **principal components** (PCA). Of all *linear* ways to encode a picture in $k$ numbers and decode it again, it is the best on the training set, and it needs no training at all, only one decomposition of a matrix. Guess: does a network with sigmoids, after a few epochs, beat it?
#
# {guess "Does a network with sigmoids, after a few epochs, beat 100 principal components?": yes, no | "yes" if ours_error < error(pca(data.test_x, 100), data.test_x) else "no"}

# %%
centred = data.train_x - mean_picture
_, axes_of_data = np.linalg.eigh(centred.T @ centred)  # the last ones matter most


def pca(x, k):
    best = axes_of_data[:, -k:]
    return (x - mean_picture) @ best @ best.T + mean_picture


for k in (2, 10, 30, 100):
    print(f"PCA with {k:3} numbers: error {error(pca(data.test_x, k), data.test_x):6.2f}")
print(f"autoencoder with 100: error {ours_error:6.2f}")
if not full:
    print(
        "These pictures were enlarged from 8 x 8, so a few dozen numbers describe them well. MNIST is a closer match."
    )

# %% [markdown]
# (An autoencoder without the sigmoids could at best do as well as PCA: Baldi and Hornik, 1989.)
#
# ### What has it learned?
#
# Each unit of the first layer has a weight for each pixel. As pictures, they show where ink makes its output larger (orange) and where smaller (blue). Do you see strokes, or nothing that you could name?

# %%
mg.viz.Weights(model.encoder[0], count=33, name="the first layer").show()

# %% [markdown]
# And the decoder: each of the 100 numbers of a code is the weight of one picture, and the copy is the sum of them (inside a sigmoid).

# %%
mg.viz.Weights(
    model.decoder[0].weight.value.T.copy(), shape=(28, 28), count=33, name="what the code paints with"
).show()

# %% [markdown]
# ## Is it right? Ask PyTorch
#
# A decreasing error proves little. So PyTorch trains **the same network from the same first weights on the same pictures in the same order**, in a process of its own.
# Each step starts from the weights that the previous one left. How far apart will the two be at the end?

# %%
from minigrad_course import peers

try:
    theirs = peers.train_in_pytorch(
        "autoencoder", first_weights, pictures, epochs=epochs, batch_size=1, lr=0.02, rng=1, threads=threads, count=500
    )
    twin = Autoencoder(rng=0)
    twin.load_state_dict(theirs.weights)
    theirs_error = error(mg.train.predict(twin, data.test_x), data.test_x)  # one judge for both
    apart = abs(ours_error / theirs_error - 1)
    print(f"test error: minigrad {ours_error:.4f}, {theirs.engine} {theirs_error:.4f}: {100 * apart:.4f} % apart")
    assert apart < 0.01
except peers.PeerError as reason:
    theirs = None
    print(reason)

# %%
if theirs:
    size = len(data.train_x) // 10
    ours, other = (np.array(h.losses) for h in (history, theirs.history))
    smooth = [np.convolve(losses, np.full(size, 1 / size), mode="valid")[:: size // 10] for losses in (ours, other)]
    figure, axes = plots.canvas(8, 3)
    along = np.arange(len(smooth[0])) * (size // 10) + size
    axes.plot(along, smooth[1], color=plots.ORANGE, lw=6, alpha=0.55)
    axes.plot(along, smooth[0], color=plots.BLUE, lw=1.2)
    axes.set(xlabel="picture", title=f"Error while training, mean of {size:,} pictures", ylim=0)
    plots.label(axes, 0.98, 0.88, "PyTorch (wide)", plots.INK[plots.ORANGE], ha="right", transform=axes.transAxes)
    plots.label(axes, 0.98, 0.78, "minigrad (narrow)", plots.BLUE, ha="right", transform=axes.transAxes)
    farthest = np.abs(smooth[0] - smooth[1]).max()
    plots.show(
        figure, f"The narrow blue line of minigrad and the wide orange one of PyTorch are {farthest:.0e} apart at most."
    )

# %% [markdown]
# ## Seconds and bytes
#
# With one picture a step there is little arithmetic, and so the overhead matters more. A step is a few products of a matrix and a vector, and
# Python's work around each operation may take longer than the operation. What does compiling bring in such a case? (Lesson 09 had batches of
# 100.)
#
# First our graph, run again for each picture (200 of them). Guess the bytes. Remember that it was built once.

# %%
from minigrad_course.measure import per_step, repeat
from minigrad_course.measure.result import show_count

order = np.random.default_rng(2).permutation(len(data.train_x))[:1000]
again = Autoencoder(rng=0)
with mg.measure() as first:
    step = mg.train.Step(again, sum_of_squares, data.train_x[:1], data.train_x[:1])
sgd, parameters = mg.optim.SGD(0.02), again.parameters()


def by_graph(rows):
    for row in rows:
        picture = data.train_x[row : row + 1]
        step.run(picture, picture)
        sgd.step(parameters)


graph = repeat(by_graph, order[:200], repeats=3)
graph

# %% [markdown]
# Now the same step as one compiled program, for 1,000 pictures in one call.

# %%
with mg.measure() as building:
    program = mg.compile(again, sum_of_squares, mg.optim.SGD(0.02), data.train_x[:1], data.train_x[:1])
losses = np.zeros(1000, np.float32)


def by_program(rows):
    program.epoch(data.train_x, data.train_x, rows, out=losses[: len(rows)])


few = order[: 300 if machine_code else 2]  # without machine code it is slow
by_program(few)  # once, so that all is there

# %%
# %%measure
by_program(order if machine_code else few)

# %% [markdown]
# The few bytes are those of the *call*, whether it trains on 100 pictures or on 1,000. To see what a **step** allocates, we count two calls and subtract. And we count everything in the process, by the method that counted PyTorch's steps: memray. (PyTorch makes its graph anew in each step, and copies each picture out of the data; both are counted.) For the clock, the three take turns: 300 pictures each, and again.


# %%
part = replace(
    pictures, train_x=data.train_x[few], train_y=data.train_x[few], test_x=data.test_x[:0], test_y=data.test_x[:0]
)
turns = {}
if theirs:
    turns = peers.take_turns(
        {"minigrad, graph run again": lambda: by_graph(few), "minigrad, compiled": lambda: by_program(few)},
        {"PyTorch": first_weights}, "autoencoder", part, batch_size=1, lr=0.02, rounds=5, threads=threads,
    )  # fmt: skip
graph_counts = per_step(lambda n: by_graph(order[:n]), 50, 150)
fast_counts = per_step(lambda n: by_program(order[:n]), 50, 300) if machine_code else (None, None)
rows = [
    ["minigrad, graph run again", first.seconds + first.compile_seconds, *graph_counts],
    ["minigrad, compiled", getting_ready.seconds + getting_ready.compile_seconds, *fast_counts],
]  # fmt: skip
for row, trained in zip(rows, (not machine_code, machine_code), strict=True):
    row.append(ours_error if trained else None)
if theirs:
    counted = [None if not n else n[0] / 500 for n in (theirs.allocated_bytes, theirs.allocations)]
    rows.append([theirs.engine.split("+")[0], theirs.first_step_seconds, *counted, theirs_error])
text = f"Data: {data.name}, one picture a step, {threads} thread for each engine\n\n"
text += peers.turns_table(turns, len(few)) + "\n" if turns else ""
text += f"| | getting ready, s | bytes a step | allocations a step | test error after {len(history.losses):,} steps |\n"
text += "|---|---|---|---|---|\n"
for name, ready, size, number, tested in rows:
    tested = "not trained" if tested is None else f"{tested:.3f}"
    text += f"| {name} | {ready:.2f} | {show_count(size)} | {show_count(number, 1)} | {tested} |\n"
Markdown(text)

# %% [markdown]
# *Getting ready* is building the graph, compiling the program (much less if its machine code was on the disk from an earlier run of this
# lesson), and the first step for PyTorch. The essay prints no such table; all rows follow its recipe.
#
# The compiled program allocates all its memory in advance, so nothing has to be allocated or released in a step, and Python does nothing
# between two pictures. That matters most where the steps are small. PyTorch is used here as its tutorials write it; lesson
# [15](15_race_and_operation.ipynb) races it at its best.
#
#
# ## Two numbers
#
# A hundred numbers are many. How few are enough? Let the code be **two** numbers: then a picture is a point in a plane, and we can look at all of them.
#
# A code as small as that needs a better recipe (Adam, batches, tanh), and a decoder that is a network itself. The code itself is a plain linear layer. You saw the error of PCA with 2 numbers above. Guess: will two numbers from a network do better?
#
# {guess "Will two numbers from a network do better than two from PCA?": yes, no | "yes" if error(mg.train.predict(plane, data.test_x), data.test_x) < error(pca(data.test_x, 2), data.test_x) else "no"}


# %%
class Plane(nn.Module):
    """784-128-2-128-784: a picture as a point in a plane."""

    def __init__(self, rng):
        rng = np.random.default_rng(rng)
        self.encoder = nn.Sequential(nn.Linear(784, 128, rng=rng), nn.Tanh(), nn.Linear(128, 2, rng=rng))
        self.decoder = nn.Sequential(nn.Linear(2, 128, rng=rng), nn.Tanh(), nn.Linear(128, 784, rng=rng), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def mean_sum_of_squares(output, x):
    return sum_of_squares(output, x) / output.shape[0]


plane = Plane(rng=0)
plan = (10, 100) if full else (30, 20)  # epochs, pictures in a batch
mg.fit(
    plane, pictures, *plan, mg.optim.Adam(0.003), loss=mean_sum_of_squares, rng=1, compiled=machine_code, progress=False
)
print(f"PCA with 2 numbers: error {error(pca(data.test_x, 2), data.test_x):.1f}")
by_plane = error(mg.train.predict(plane, data.test_x), data.test_x)
says(
    "network with 2:     error {:.1f}",
    by_plane,
    when=lambda error_of_it: error_of_it < error(pca(data.test_x, 2), data.test_x),
)

# %% [markdown]
# Here is the plane. Each figure is a test picture at its code, in the colour of its digit; only fifteen of each digit are
# there. The network never got these labels, we only write them there now. The grey sheet behind shows what the decoder computes at each
# place.
#
# **Move the circle**, with the two sliders below the picture. Find a place where a 3 turns into an 8. Then leave the figures and go to places that are not the code of any picture.

# %%
codes = mg.train.predict(plane.encoder, data.test_x)
low, high = np.percentile(codes, [2, 98], axis=0)
grid = np.stack(np.meshgrid(*np.linspace(low, high, 15).T), axis=-1)[::-1].reshape(-1, 2)
sheet = tiles(mg.train.predict(plane.decoder, grid.astype(np.float32)).reshape(-1, 28, 28), columns=15, gap=0)


def decode(first, second):
    figure = plots.sheet(9, 4.8)
    with plots.style():
        left, right = figure.subplots(1, 2, width_ratios=(5, 3))
    left.imshow(sheet, cmap="gray_r", alpha=0.25, extent=(low[0], high[0], low[1], high[1]), aspect="auto")
    for digit in range(10):
        left.scatter(*codes[data.test_y == digit][:15].T, s=70, marker=f"${digit}$")
    left.scatter(first, second, s=300, marker="o", facecolors="none", edgecolors=plots.BLACK, linewidths=3)
    left.grid(False)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="first", ylabel="second")
    decoded = mg.train.predict(plane.decoder, np.array([[first, second]], np.float32))
    right.imshow(decoded.reshape(28, 28), cmap="gray_r")
    right.set_axis_off()
    plots.show(figure, f"Left, the codes of test pictures; right, what is decoded from ({first:.2f}, {second:.2f}).")


decode(*(low + high) / 2)

# %%
across, up = zip(low.tolist(), high.tolist(), strict=True)
ipywidgets.interactive(decode, first=across, second=up)

# %% [markdown]
# *(No sliders below the picture? You see the sheet: 15 by 15 decoded pictures, and neighbours look alike.)*
#
# Nothing in the training says that pictures of the same digit belong together. They get similar codes because encoder and decoder are
# smooth and the plane is small: similar pictures get similar codes, and similar codes give similar pictures.
# ### From one picture to another
#
# Take a 0 and a 1 from the test set. Above: mix their *pixels*, a bit more of the second at each step. Below: mix their *codes*, and decode. What will be in the middle of each row? Predict both.

# %%
ends = data.test_x[[some[0], some[1]]]
steps = np.linspace(0, 1, 9)[:, None].astype(np.float32)
end_codes = mg.train.predict(plane.encoder, ends)
faded = (1 - steps) * ends[0] + steps * ends[1]
walked = mg.train.predict(plane.decoder, (1 - steps) * end_codes[0] + steps * end_codes[1])
digits(
    np.concatenate([faded, walked]),
    [f"{100 * s:.0f} %" for s in steps[:, 0]] * 2,
    "Above, one picture fades out while the other fades in. Below, the decoded codes between the two: one form turns into another, by way of others.",
    columns=9,
)

# %% [markdown]
# Halfway between two pictures, pixel by pixel, is a double exposure. Halfway between two codes is something that looks more like one digit, perhaps *another* one. The code describes shapes, which single pixels do not.
#
# ## Tied weights
#
# In a copier with one hidden layer the encoder is a matrix $100 \times 784$, the decoder one of $784 \times 100$. It is tempting to use the **same** matrix both ways, [tied weights](glossary.ipynb#Tied-weights):
#
# $$c = \sigma(W x + b) \qquad o = \sigma(W^{\mathsf T} c)$$
#
# Half the weights. How much larger will the error be? (Three random starts for each, and two lengths of training.)


# %%
class OneLayer(nn.Module):
    """784-100-784. Tied: the decoder's matrix is the encoder's, transposed."""

    def __init__(self, tied, rng):
        rng = np.random.default_rng(rng)
        self.weight = mg.Variable(nn.init.normal((100, 784), 0.1, rng))
        self.bias = mg.Variable(np.zeros(100, np.float32))
        if not tied:
            self.back = mg.Variable(nn.init.normal((100, 784), 0.1, rng))
        self.tied = tied

    def forward(self, x):
        code = mg.sigmoid(x @ self.weight.T + self.bias)
        return mg.sigmoid(code @ (self.weight if self.tied else self.back))


by_kind = {}
early, late = ((2, 6) if full else (4, 16)) if machine_code else (1, 2)
starts = range(3 if machine_code else 2)
for tied, length in ((False, early), (True, early), (False, late), (True, late)):
    tried = []
    for seed in starts:
        network = OneLayer(tied, rng=seed)
        mg.fit(
            network, pictures, length, 1, mg.optim.SGD(0.02), loss=sum_of_squares,
            rng=1 + seed, compiled=machine_code, progress=False,
        )  # fmt: skip
        tried.append(error(mg.train.predict(network, data.test_x), data.test_x))
    name = "tied" if tied else "free"
    by_kind[name, length] = tried
    count = sum(variable.size for variable in network.parameters())
    print(
        f"{name:5} {count:7,} numbers to learn, {length:2} epochs: test error {np.mean(tried):.2f} ({min(tried):.2f} to {max(tried):.2f})"
    )
for length in (early, late):
    free, tied = by_kind["free", length], by_kind["tied", length]
    apart = max(free) < min(tied) or max(tied) < min(free)
    lower = "free" if np.mean(free) < np.mean(tied) else "tied"
    assert full or lower == ("tied" if length == early or not machine_code else "free")
    print(
        f"lower after {length} epochs: {lower};", "the ranges do not overlap" if apart else "not decided: they overlap"
    )

# %% [markdown]
# Two effects work against each other. The tied matrix gets two shares of gradient in each step, so with the same rate it moves faster; and
# one matrix for two purposes is a restriction, which shows when there is time enough to reach it. So which of the two is ahead depends on
# when you look: a comparison after one fixed number of epochs is a comparison of speeds.
#
#
# And its gradient? One matrix, used twice. You know that case from [lesson 11](11_recurrent_networks.ipynb): the gradient of a shared weight is the **sum of the shares** of its uses.
# We give each use its own copy, once more, and add.

# %%
picture = mg.Constant(data.train_x[:1])
W, b = network.weight.value, network.bias.value
shared = mg.Variable(W)
down, up = mg.Variable(W), mg.Variable(W)


def copy_through(first, second):
    code = mg.sigmoid(picture @ first.T + b)
    return sum_of_squares(mg.sigmoid(code @ second), picture)


copy_through(shared, shared).backward()
copy_through(down, up).backward()
print("norm of the encoder's share:", np.linalg.norm(down.grad), "  of the decoder's:", np.linalg.norm(up.grad))
apart = np.abs(down.grad + up.grad - shared.grad).max()
says("largest difference of their sum from the shared gradient: {:.0e}", apart, when=lambda apart: apart < 1e-5)

# %% [markdown]
# Which of the two shares is larger? The adjoint reaches the decoder first; on its way to the encoder it is multiplied by $W$ and by the
# slope of one more sigmoid. (You will derive this in the exercise, with a pencil.)
# ## Does it help a classifier?
#
# The essay suggests using what the encoder has learned for something else. Here is one such use: an encoder that has seen thousands of pictures may know something about digits. Then a **classifier** that starts from it might need fewer labels. Labels are expensive, pictures are cheap.
#
# We test that. A classifier 784-300-100-10 gets **100 labelled pictures**, ten of each digit. It starts in three ways:
#
# - *pretrained*: its two lower layers are the encoder that we trained;
# - *the essay's start*: normal weights, standard deviation 0.1, biases 0;
# - *Glorot's start* (lesson [10](10_first_network.ipynb)).
#
# The same labels, the same rate, all layers are trained. Draw the three curves before you run it: test accuracy over the number of updates.


# %%
def classifier(start, seed):
    rng = np.random.default_rng(seed)
    network = nn.Sequential(
        nn.Linear(784, 300, rng=rng), nn.Sigmoid(), nn.Linear(300, 100, rng=rng), nn.Sigmoid(), nn.Linear(100, 10, rng=rng)
    )  # fmt: skip
    weights = network.state_dict()
    if start == "pretrained":
        weights |= model.encoder.state_dict()  # the names are the same: 0.weight, 0.bias, 2.weight, 2.bias
    elif start == "the essay's start":
        weights |= Autoencoder(rng=seed).encoder.state_dict()
    return weights


def ten_of_each(seed):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.choice(np.flatnonzero(data.train_y == digit), 10, replace=False) for digit in range(10)])


# %%
marks = [0, 10, 20, 50, 100, 200] + [500, 1000] * full
seeds = range(5 if full else 2)
student = nn.Sequential(
    *(nn.Linear(a, b) if a else nn.Sigmoid() for a, b in [(784, 300), (0, 0), (300, 100), (0, 0), (100, 10)])
)
sgd, batch = mg.optim.SGD(0.1), (data.train_x[:100], data.train_y[:100])
program = mg.compile(student, nn.cross_entropy, sgd, *batch) if machine_code else None


def learn(rows, updates):
    """Update the student with the same batch, so many times."""
    if machine_code:
        program.epoch(data.train_x, data.train_y, np.tile(rows, updates))
        return
    batch = data.train_x[rows], data.train_y[rows]
    step = mg.train.Step(student, nn.cross_entropy, *batch)
    for _ in range(updates):
        step.run(*batch)
        sgd.step(student.parameters())


reached = {start: [] for start in ("pretrained", "Glorot's start", "the essay's start")}
for start, seed in ((start, seed) for start in reached for seed in seeds):
    student.load_state_dict(classifier(start, seed))
    chosen, done, curve = ten_of_each(seed), 0, []
    for mark in marks:
        learn(chosen, mark - done)
        done = mark
        curve.append(100 * mg.train.accuracy(student, data.test_x, data.test_y))
    reached[start].append(curve)

# %%
figure, axes = plots.canvas(8, 3.6)
colours = (plots.BLUE, plots.GREEN, plots.VERMILLION)
for curves, colour in zip(reached.values(), colours, strict=True):
    curves = np.array(curves)
    axes.fill_between(marks[1:], curves.min(axis=0)[1:], curves.max(axis=0)[1:], color=colour, alpha=0.18, lw=0)
    axes.plot(marks[1:], curves.mean(axis=0)[1:], "o-", color=colour, ms=4)
for k, (start, colour) in enumerate(zip(reached, colours, strict=True)):
    plots.label(axes, 0.98, 0.30 - 0.1 * k, start, colour, ha="right", transform=axes.transAxes)
axes.set(xscale="log", xlabel="updates", title="Accuracy on the test digits, %, from 100 labels", ylim=(0, 100))
axes.set_xticks(marks[1:], [f"{mark:,}" for mark in marks[1:]], minor=False)
axes.minorticks_off()
plots.show(
    figure,
    f"Test accuracy over the number of updates, on a logarithmic axis, for three starts; mean of {len(seeds)} choices of labels, and the range.",
)
table = "| updates | " + " | ".join(reached) + " |\n|" + "---|" * (len(reached) + 1) + "\n"
for k, mark in enumerate(marks):
    table += f"| {mark:,} | " + " | ".join(f"{np.mean(curves, axis=0)[k]:.1f}" for curves in reached.values()) + " |\n"
for mark in (20, 100, marks[-1]):
    k = marks.index(mark)
    with_it, *without = (np.array(curves)[:, k] for curves in reached.values())
    for name, other in zip(list(reached)[1:], without, strict=True):
        sure = (
            "in all choices of labels"
            if (with_it > other).all() or (with_it < other).all()
            else "not in all choices of labels"
        )
        table += (
            f"\nAfter {mark:,} updates *pretrained* is {np.mean(with_it - other):+.1f} points from *{name}*, {sure}.\n"
        )
Markdown(table)

# %% [markdown]
# Read it with care. Is the blue curve ahead after twenty updates, after a hundred, by more than the width of the bands? And at the end?
#
# An early lead and a lead at the end are two different things. What is useful for copying is not the same as what distinguishes a 4 from a 9,
# so a good start need not lead to the best end. And one experiment on one data set tells you about that data set: run the other size as well,
# and compare the last lines.
#
# This is, in miniature, the history of a whole field. Around 2006 [pretraining](glossary.ipynb#Pretraining) made it possible to train
# networks of many sigmoids. A few years later better first weights, other activation functions and better optimizers did so without it.
# What stayed is the idea, at another scale and with harder tasks than copying: first learn from data without labels, because there is so
# much of it.
#
#
# Try it: one picture of each digit in `ten_of_each` instead of ten (and the 100 with it); the rate 1.0 instead of 0.1.
#
# ## In five lines
#
# 1. An autoencoder copies its input through a small code; the target is the input, so it needs no labels.
# 2. Equal first weights stay equal, and with too large ones the sigmoids have no slope: the first weights must lie between these two.
# 3. Trained one picture at a time, it agrees with PyTorch from the same first weights; compiled, a step allocates nothing.
# 4. Codes of two numbers form a map: similar codes give similar pictures, and between two digits there are others.
# 5. A matrix used twice gets the sum of two gradients. And an encoder may be a head start for a classifier, or not: measure it.
#
# ## Read it now
#
# - [minigrad_course/viz/pictures_of_codes.py](../minigrad_course/viz/pictures_of_codes.py): the rows of copies.
# - [minigrad/compiler/step.py](../minigrad/compiler/step.py): one training step as a program; `print(program.source)` shows this lesson's.
# - [minigrad_course/peers/pytorch_networks.py](../minigrad_course/peers/pytorch_networks.py): the same network as PyTorch writes it.
#
# ## The texts
#
# - E: the essay *Automatic differentiation for machine learning in Julia*: the network, its recipe and the idea of using the features.
# - P. Baldi, K. Hornik, *Neural networks and principal component analysis* (1989): why a linear autoencoder is PCA.
# - G. Hinton, R. Salakhutdinov, *Reducing the dimensionality of data with neural networks* (2006): deep autoencoders, and pretraining.
# - D. Erhan and others, *Why does unsupervised pre-training help deep learning?* (2010).
#
# ## Next
#
# - The [exercise of this lesson](../exercises/14_autoencoder/14_autoencoder.ipynb): tie the weights, with a pencil; use an encoder to pretrain.
# - [Lesson 15](15_race_and_operation.ipynb): the race, and an operation of your own.
