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
# - trained the network of an essay, E: *Automatic differentiation for machine learning in Julia*, one picture at a time, and watched its copies become clearer;
# - described digits by **two numbers**, and explored the plane of all such pairs;
# - used one matrix twice, and added up the two shares of its gradient;
# - tested whether what the network has learned helps to classify digits.
#
# *Time: about 35 minutes{first run}.* The next cell says which data this is. **Small**: the embedded digits, faster. **Full**: real MNIST and the essay's four epochs, some minutes.

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

limits = threadpool_limits(1)  # one thread for each engine, so that comparisons are fair
machine_code = not plain_python()
if not machine_code:
    print("Without machine code training is slow: here it is by the graph, run again, and for fewer epochs.")

# %% [markdown]
# Look at `pictures`: the *labels* of that data set are the pictures themselves. The digits' names are still in `data`; the network will not see them.
#
# ## The simplest copier
#
# How good is a copy? The essay adds up the squared differences over all 784 pixels:
#
# $$E = \sum_{i=1}^{784} (\text{output}_i - \text{input}_i)^2$$
#
# The simplest copier returns the same for every picture: the *mean* picture. It uses nothing of the picture at all. What will that look like?

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
#
# ## The network
#
# Now the network of the essay. Each layer is a matrix and a sigmoid, $\sigma(z) = 1/(1+e^{-z})$, which squeezes every number into 0 to 1:
#
# $$\underbrace{h = \sigma(W_1 x + b_1) \qquad c = \sigma(W_2 h + b_2)}_{\text{encoder: } 784 \to 300 \to 100} \qquad\qquad \underbrace{o = \sigma(W_3\, c)}_{\text{decoder: } 100 \to 784}$$
#
# The 100 numbers $c$ are the **code** of the picture. They are all that the decoder gets. As in the essay, only the encoder has biases.


# %%
class Autoencoder(nn.Module):
    """The essay's network. Weights start normal, with standard deviation `std`, and biases at 0."""

    def __init__(self, rng, std=0.1):
        self.encoder = nn.Sequential(nn.Linear(784, 300), nn.Sigmoid(), nn.Linear(300, 100), nn.Sigmoid())
        self.decoder = nn.Sequential(nn.Linear(100, 784, bias=False), nn.Sigmoid())
        rng = np.random.default_rng(rng)
        for parameter in self.parameters():
            size = std * (len(parameter.shape) == 2)
            parameter.value = nn.init.normal(parameter.shape, size, rng)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def sum_of_squares(output, x):
    return mg.sum(mg.square(output - x))


model = Autoencoder(rng=0)
example = mg.Constant(data.train_x[:1], name="picture")
loss = sum_of_squares(model(example), example)
mg.draw(loss, fold=["Linear"])

# %% [markdown]
# *Each linear layer is one box. The picture goes through three of them, with a sigmoid after each; at the end it is needed again, to be compared with.*
#
# ## The backward pass, with a pencil
#
# Take the last layer, with $z = W_3\,c$ and $o = \sigma(z)$.
#
# - **Seed**: the adjoint of the loss is 1.
# - **Order**: the loss, then $o$, then $z$, then $W_3$.
# - **Go back**: through the squares, through the sigmoid, whose slope is $o\,(1-o)$, and through the product. With $\odot$ for entry by entry:
#
# $$\bar o = 2\,(o - x) \qquad \bar z = \bar o \odot o \odot (1-o) \qquad \bar W_3 = \bar z\, c^{\mathsf T}$$
#
# There is nothing to **add up** here: $W_3$ is used once. The last formula is a column times a row. What rank does the gradient of one picture have, then, as a matrix of $784 \times 100$?

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
# ## Train it
#
# The essay's recipe: one picture at a time, SGD with rate 0.02, four epochs. On the small data an epoch has far fewer steps, so we take 6. Meanwhile, ten pictures from the training set and ten from the test set are copied again and again.

# %%
epochs = 4 if full or not machine_code else 6
seen = np.array([np.flatnonzero(data.train_y == digit)[0] for digit in range(10)])
view = mg.viz.Live(
    mg.viz.Reconstructions(model, data.train_x[seen], name="training digits"),
    mg.viz.Reconstructions(model, data.test_x[some], name="test digits"),
    loss="error",
)
history = mg.fit(
    model, pictures, epochs, 1, mg.optim.SGD(0.02), loss=sum_of_squares, rng=1, compiled=machine_code, live=view
)

# %%
network_error = error(mg.train.predict(model, data.test_x), data.test_x)
print(f"{len(history.losses):,} pictures shown, one at a time")
print(f"error on the test digits: {network_error:.2f}   (mean picture {mean_error:.1f})")
assert network_error < mean_error / 2

# %% [markdown]
# Looking at the copies tells you more than the number. Are thin strokes preserved? Slant? A gap in a loop?
#
# ### Is that good?
#
# The mean picture was easy to beat. Here is something harder: **principal components**, PCA. Of all *linear* ways to encode a picture in $k$ numbers and decode it again, after the mean has been taken off, it has the least error on the training set. And it needs no training at all, only one decomposition of a matrix.
#
# {guess "Does our network, with sigmoids and after a few epochs, beat 100 principal components?": yes, no | "yes" if network_error < by_pca[100] else "no"}

# %%
centred = data.train_x - mean_picture
_, axes_of_data = np.linalg.eigh(centred.T @ centred)  # the last ones matter most


def pca(x, k):
    best = axes_of_data[:, -k:]
    return (x - mean_picture) @ best @ best.T + mean_picture


by_pca = {k: error(pca(data.test_x, k), data.test_x) for k in (2, 10, 30, 100)}
for k, value in by_pca.items():
    print(f"PCA with {k:3} numbers: error {value:6.2f}")
print(f"autoencoder with 100: error {network_error:6.2f}")
if not full:
    print("These pictures were enlarged from 8 x 8: some 64 numbers describe them well. MNIST is a closer match.")

# %% [markdown]
# Without the sigmoids the network could at best do as well as PCA, on the training set. What the sigmoids are worth after so few epochs, you have just seen.
#
# ## Two numbers
#
# A hundred numbers are many. How few are enough? Let the code be **two** numbers: then a picture is a point in a plane, and we can look at all of them. A code as small as that gets a better recipe, with Adam, batches and tanh, and a decoder that has a hidden layer itself.
#
# {guess "Will two numbers from a network do better than two from PCA?": yes, no | "yes" if by_plane < by_pca[2] else "no"}


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


plane, adam = Plane(rng=0), mg.optim.Adam(0.003)
plan = (10, 100) if full else (30, 20)  # epochs, pictures in a batch
mg.fit(plane, pictures, *plan, adam, loss=mean_sum_of_squares, rng=1, compiled=machine_code, progress=False)
by_plane = error(mg.train.predict(plane, data.test_x), data.test_x)
figures = by_plane, by_pca[2]
says("2 numbers: network, error {:.1f};  PCA, error {:.1f}", *figures, when=lambda network, pca: network < pca)

# %% [markdown]
# Here is the plane. Each numeral is a test picture at its code, in the colour of its digit; only fifteen of each digit are
# there. The network never got these labels, we only write them there now. The grey sheet behind shows what the decoder computes at each
# place.
#
# **Move the circle**, with the two sliders below the picture. Find a place where a 3 turns into an 8. Then leave the numerals and go to places that are not the code of any picture.

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
# Nothing in the training says that pictures of the same digit belong together. But encoder and decoder are smooth, and two numbers leave little room: similar pictures get similar codes, and similar codes give similar pictures.
#
# ### From one picture to another
#
# Take a 0 and a 1 from the test set. Above: mix their *pixels*, a bit more of the second at each step. Below: mix their *codes*, and decode. What will be in the middle of each row?

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
# Halfway between two pictures, pixel by pixel, is a double exposure. Halfway between two codes is one form, perhaps *another* digit. The code describes shapes, which single pixels do not.
#
# *This is a good place to stop and rest.*
#
# ## Break it: where to start
#
# The essay starts with weights of standard deviation 0.1. Why not 0? Why not 3?
#
# - From **0**: every hidden unit has the same weights as its neighbour. Who could tell them apart?
# - From **3**: hundreds of large numbers are added up in each sigmoid. Remember its slope $o\,(1-o)$, when $o$ is nearly 0 or 1.
#
# A few epochs each, one picture at a time. Which of the two will be stuck?
#
# {guess "Which of the two will be stuck?": from 0, from 3, both, neither | {(True, True): "both", (True, False): "from 0", (False, True): "from 3", (False, False): "neither"}[tuple(ended[std] > 0.9 * mean_error for std in (0.0, 3.0))]}

# %%
short = replace(pictures, train_x=data.train_x[:5000], train_y=data.train_x[:5000])
ended = {}
for std in (0.0, 0.1, 3.0):
    trial, sgd = Autoencoder(rng=0, std=std), mg.optim.SGD(0.02)
    few = 2 if full or not machine_code else 4
    mg.fit(trial, short, few, 1, sgd, loss=sum_of_squares, rng=1, compiled=machine_code, progress=False)
    ended[std] = error(mg.train.predict(trial, data.test_x), data.test_x)
    apart = mg.train.predict(trial.encoder, data.test_x).std(axis=1).mean()
    print(f"std {std}: test error {ended[std]:6.1f}; the 100 numbers of a code differ by {apart:.1e}")
    assert (ended[std] < 0.9 * mean_error) == (std == 0.1)
    assert (apart < 1e-5) == (std == 0)
print(f"the mean picture:    {mean_error:6.1f}")

# %% [markdown]
# Both are stuck, for different reasons.
#
# From 0, all 100 numbers of a code are **equal**, and stay equal: equal weights get equal gradients. A hundred units do the work of one, and the copies are about as far off as the mean picture. Nothing in the gradient can break that symmetry. Random first weights have to.
#
# From 3, the sigmoids are close to 0 or 1, where the slope is almost 0. The outputs are extreme, often wrong, and there is almost no gradient to change them.
#
# ## Tied weights
#
# In a copier with one hidden layer the encoder is a matrix $100 \times 784$, the decoder one of $784 \times 100$. It is tempting to use the **same** matrix both ways, [tied weights](glossary.ipynb#Tied-weights):
#
# $$c = \sigma(W x + b) \qquad o = \sigma(W^{\mathsf T} c)$$
#
# One matrix, used twice. You know that case from [lesson 11](11_recurrent_networks.ipynb): each use has its share of the gradient, and the shares **add up**. To see them apart, we give each use its own copy.

# %%
rng = np.random.default_rng(0)
W, b = nn.init.normal((100, 784), 0.1, rng), np.zeros(100, np.float32)
shared, down, up = mg.Variable(W), mg.Variable(W), mg.Variable(W)


def copy_through(first, second):
    code = mg.sigmoid(example @ first.T + b)
    return sum_of_squares(mg.sigmoid(code @ second), example)


copy_through(shared, shared).backward()
copy_through(down, up).backward()
print(f"norm of the encoder's share: {np.linalg.norm(down.grad):.2f}, of the decoder's: {np.linalg.norm(up.grad):.2f}")
apart = np.abs(down.grad + up.grad - shared.grad).max()
says("largest difference of their sum from the shared gradient: {:.0e}", apart, when=lambda apart: apart < 1e-5)

# %% [markdown]
# Going back, the decoder comes first; on its way to the encoder the adjoint is multiplied by $W$ and by the slope of one more sigmoid. You will derive both shares in the exercise, with a pencil.
#
# ## Does it help a classifier?
#
# The essay suggests using what the encoder has learned for something else. An encoder that has seen thousands of pictures may know something about digits, and a **classifier** that starts from it might need fewer labels. Labels are expensive, pictures are cheap.
#
# We test that. A classifier 784-300-100-10 gets **100 labelled pictures**, ten of each digit. Its two lower layers start in three ways:
#
# - *pretrained*: they are the encoder that we trained;
# - *the essay's start*: normal weights with standard deviation 0.1, biases 0;
# - *Glorot's start*, as in [lesson 10](10_first_network.ipynb).
#
# The last layer starts by Glorot's rule, the labels and the rate are the same, and all layers are trained. Draw the three curves before you run it: test accuracy over the number of updates.


# %%
def classifier(start, seed):
    """The layers of a classifier; the encoder's have the same names: 0.weight, 0.bias, 2.weight, 2.bias."""
    rng = np.random.default_rng(seed)
    lower = nn.Linear(784, 300, rng=rng), nn.Sigmoid(), nn.Linear(300, 100, rng=rng), nn.Sigmoid()
    network = nn.Sequential(*lower, nn.Linear(100, 10, rng=rng))
    if start != "Glorot's start":
        encoder = (model if start == "pretrained" else Autoencoder(rng=seed)).encoder
        network.load_state_dict(network.state_dict() | encoder.state_dict())
    return network


marks = [10, 20, 50, 100, 200] + [500, 1000] * full  # updates after which it is tested
reached = {start: [] for start in ("pretrained", "Glorot's start", "the essay's start")}
for start, tried in reached.items():
    for seed in range(5 if full else 2):
        rng = np.random.default_rng(seed)
        rows = [rng.choice(np.flatnonzero(data.train_y == digit), 10, replace=False) for digit in range(10)]
        rows = np.concatenate(rows)
        few = replace(
            data, train_x=data.train_x[rows], train_y=data.train_y[rows], test_x=data.test_x[:1], test_y=data.test_y[:1]
        )
        network, sgd, curve = classifier(start, seed), mg.optim.SGD(0.1), []
        for updates in np.diff(marks, prepend=0):
            mg.fit(network, few, int(updates), 100, sgd, rng=0, compiled=machine_code, progress=False)
            curve.append(100 * mg.train.accuracy(network, data.test_x, data.test_y))
        tried.append(curve)

# %%
figure, axes = plots.canvas(8, 3.6)
text = "| updates | " + " | ".join(map(str, marks)) + " |\n|" + "---|" * (len(marks) + 1) + "\n"
for k, (start, tried) in enumerate(reached.items()):
    colour, curves = (plots.BLUE, plots.GREEN, plots.VERMILLION)[k], np.array(tried)
    axes.fill_between(marks, curves.min(axis=0), curves.max(axis=0), color=colour, alpha=0.18, lw=0)
    axes.plot(marks, curves.mean(axis=0), "o-", color=colour, ms=4)
    plots.label(axes, 0.98, 0.30 - 0.1 * k, start, colour, ha="right", transform=axes.transAxes)
    ranges = zip(curves.mean(axis=0), curves.min(axis=0), curves.max(axis=0), strict=True)
    text += (
        f"| {start} | " + " | ".join(f"{mean:.1f} ({least:.1f} to {most:.1f})" for mean, least, most in ranges) + " |\n"
    )
axes.set(xscale="log", xlabel="updates", title="Accuracy on the test digits, %, from 100 labels", ylim=(0, 100))
axes.set_xticks(marks, [f"{mark:,}" for mark in marks], minor=False)
axes.minorticks_off()
plots.show(
    figure,
    "Test accuracy over the number of updates, on a logarithmic axis: means over choices of labels, and their ranges.",
)
Markdown(text)

# %% [markdown]
# Read it with care. Where is the blue curve ahead by more than the width of the bands? And at the end?
#
# An early lead and a lead at the end are two different things. What is useful for copying is not the same as what distinguishes a 4 from a 9,
# so a good start need not lead to the best end. And one experiment on one data set tells you about that data set: run the other size as well.
#
# This is, in miniature, the history of a field. Around 2006 [pretraining](glossary.ipynb#Pretraining) made it possible to train
# networks of many sigmoids. A few years later better first weights, other activation functions and better optimizers did so without it.
# What stayed is the idea, at another scale and with harder tasks than copying: first learn from data without labels, because there is so
# much of it.

# %% [markdown]
# ## In five lines
#
# 1. An autoencoder copies its input through a small code; the target is the input, so it needs no labels.
# 2. Codes of two numbers form a map: similar codes give similar pictures, and between two digits there may be others.
# 3. Equal first weights stay equal, and with too large ones the sigmoids have no slope: the first weights must lie between these two.
# 4. A matrix used twice gets the sum of two gradients.
# 5. An encoder may be a head start for a classifier, or not: measure it, early and at the end.
#
# ## Next
#
# - The [exercise of this lesson](../exercises/14_autoencoder/14_autoencoder.ipynb): tie the weights, with a pencil; use an encoder to pretrain.
# - [Lesson 15](15_race_and_operation.ipynb): the race, and an operation of your own.

# %% [markdown]
# ## Further
#
# ### What has it learned?
#
# Each unit of the first layer has a weight for each pixel. As pictures, they show where ink makes its output larger, in orange, and where smaller, in blue. And each of the 100 numbers of a code is the weight of one picture; the copy is the sum of them, inside a sigmoid. Do you see strokes, or nothing that you could name?

# %%
mg.viz.Weights(model.encoder[0], count=33, name="the first layer").show()
painted = model.decoder[0].weight.value.T.copy()
mg.viz.Weights(painted, shape=(28, 28), count=33, name="what the code paints with").show()

# %% [markdown]
# ### Another loss
#
# Read a pixel as the probability of ink, and ask for its cross-entropy, as in lesson 10: then the slope of the sigmoid is divided away, and what comes back is
# $o - x$ alone. Take one output deep in the wrong corner: $z = -10$, where the picture has ink, $x = 1$. This loss takes $z$ and has the sigmoid inside, since the logarithm of a rounded 0 would be infinite.

# %%
by_squares = mg.grad(lambda z: mg.square(mg.sigmoid(z) - 1.0))(-10.0)
by_cross_entropy = mg.grad(lambda z: nn.binary_cross_entropy_with_logits(z, 1.0))(-10.0)
print(f"derivative with respect to z: {by_squares:.2e} with the square, {by_cross_entropy:.5f} with cross-entropy")
assert np.isclose(by_cross_entropy, mg.sigmoid(-10.0) - 1.0)
assert abs(by_squares) < abs(by_cross_entropy) / 1000

# %% [markdown]
# ### Is it right? Ask PyTorch
#
# A decreasing error proves little. So PyTorch trains **the same network from the same first weights on the same pictures in the same order**, in a process of its own. How far apart will the two errors be at the end?
#
# Then the clock. With one picture a step there is little arithmetic, and the overhead around each operation matters more. Three engines take turns, 300 pictures each: our graph, run again for each picture; the same step as one compiled program; and PyTorch.

# %%
from minigrad_course import peers
from minigrad_course.measure import per_step
from minigrad_course.measure.result import show_count

first_weights, how = Autoencoder(rng=0).state_dict(), {"batch_size": 1, "lr": 0.02, "threads": 1}
theirs = None
try:
    theirs = peers.train_in_pytorch("autoencoder", first_weights, pictures, epochs=epochs, rng=1, count=500, **how)
    twin = Autoencoder(rng=0)
    twin.load_state_dict(theirs.weights)
    twin_error = error(mg.train.predict(twin, data.test_x), data.test_x)  # one judge for both
    apart = abs(network_error / twin_error - 1)
    print(f"test error: minigrad {network_error:.4f}, {theirs.engine} {twin_error:.4f}: {100 * apart:.4f} % apart")
    assert apart < 0.01
except peers.PeerError as reason:
    print(reason)

# %%
again, sgd = Autoencoder(rng=0), mg.optim.SGD(0.02)
step = mg.train.Step(again, sum_of_squares, data.train_x[:1], data.train_x[:1])


def by_graph(rows):
    for row in rows:
        picture = data.train_x[row : row + 1]
        step.run(picture, picture)
        sgd.step(again.parameters())


rows = np.random.default_rng(2).permutation(len(data.train_x))[:300]
engines = {"minigrad, graph run again": by_graph}
if machine_code:
    program = mg.compile(again, sum_of_squares, mg.optim.SGD(0.02), data.train_x[:1], data.train_x[:1])
    losses = np.zeros(len(rows), np.float32)
    engines["minigrad, compiled"] = lambda rows: program.epoch(
        data.train_x, data.train_x, rows, out=losses[: len(rows)]
    )
text = ""
if theirs:
    part = replace(
        pictures, train_x=data.train_x[rows], train_y=data.train_x[rows], test_x=data.test_x[:0], test_y=data.test_x[:0]
    )
    work = {name: lambda run=run: run(rows) for name, run in engines.items()}
    turns = peers.take_turns(work, {"PyTorch": first_weights}, "autoencoder", part, rounds=5, **how)
    text += peers.turns_table(turns, len(rows)) + "\n"
text += "| | bytes a step | allocations a step |\n|---|---|---|\n"
counts = {name: per_step(lambda n, run=run: run(rows[:n]), 50, 150) for name, run in engines.items()}
if theirs:
    counts["PyTorch"] = [figures and figures[0] / 500 for figures in (theirs.allocated_bytes, theirs.allocations)]
for name, (size, number) in counts.items():
    text += f"| {name} | {show_count(size)} | {show_count(number, 1)} |\n"
Markdown(text)

# %% [markdown]
# The compiled program allocates all its memory in advance, and Python does nothing between two pictures. That matters most where the steps are small. All bytes are counted by one method, memray; PyTorch makes its graph anew in each step, and copies each picture out of the data. It is used here as its tutorials write it; lesson [15](15_race_and_operation.ipynb) races it at its best. The essay prints no such table.
#
# ### Read it now
#
# - [minigrad_course/viz/pictures_of_codes.py](../minigrad_course/viz/pictures_of_codes.py): the rows of copies.
# - [minigrad/compiler/step.py](../minigrad/compiler/step.py): one training step as a program; `print(program.source)` shows this lesson's.
# - [minigrad_course/peers/pytorch_networks.py](../minigrad_course/peers/pytorch_networks.py): the same network as PyTorch writes it.
#
# ### The texts
#
# - E: the essay *Automatic differentiation for machine learning in Julia*: the network, its recipe and the idea of using the features.
# - P. Baldi, K. Hornik, *Neural networks and principal component analysis* (1989): why a linear autoencoder is PCA.
# - G. Hinton, R. Salakhutdinov, *Reducing the dimensionality of data with neural networks* (2006): deep autoencoders, and pretraining.
# - D. Erhan and others, *Why does unsupervised pre-training help deep learning?* (2010).
