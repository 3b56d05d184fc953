# Lesson 13. What a reader has behind them: the graph (05), arrays (07), compiled programs (08, 09), a first network (10), recurrent ones (11, 12).
# Autoencoders belong to lesson 14, the race of all engines at their best to lesson 15.

# %% [markdown]
# # 13 · Convolutional networks: the same small filter everywhere
#
# Take a picture of a digit, and shuffle its 784 pixels. Shuffle all pictures in the same way. Could you still read them?
#
# You could not. But lesson 10's network could still learn to, and just as well: its first layer multiplies each pixel by a number and adds
# up, and a sum does not care about order. Two pixels that touch, and two pixels at opposite corners, are the same to it. So here is the
# question of this lesson:
#
# **What does a network look like that makes use of neighbouring pixels? And how does a gradient get back through it?**
#
# By the end you will have trained such a network, that of a paper, with the paper's settings, and beside PyTorch. You will know why its backward pass is the same operation
# as its forward pass, with the filter the other way round. And you will shuffle the pixels again, to see what neighbours are worth.
#
# *Time: about 60 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*
#
# The next cell is the switch of this lesson. **Small** (the embedded digits, faster) or **full** (real MNIST and the paper's five epochs, some minutes): the line that it prints says which one you have, and how to get the other.

# %%
from dataclasses import replace
from time import perf_counter

import ipywidgets
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.native.jit import plain_python
from minigrad_course.measure import repeat
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_convolution as pictures
from minigrad_course.viz import plots

data = mg.data.for_lesson()
full = data.name == "mnist"

threads = 1  # for the arithmetic of each engine, so that the comparison is fair
limits = threadpool_limits(threads)
machine_code = not plain_python()

# %% [markdown]
# Here are four digits, and the same four after the shuffle. What are they?

# %%
shuffle = np.random.default_rng(0).permutation(784)
figure, axes = plots.canvas(8, 2.2, columns=8)
for k, ax in enumerate(axes):
    pixels = data.test_x[k % 4][shuffle] if k >= 4 else data.test_x[k]
    ax.imshow(pixels.reshape(28, 28), cmap="gray_r", vmin=0, vmax=1)
    ax.set(xticks=[], yticks=[], title="" if k % 4 else ("shuffled" if k else "as they are"))
    ax.grid(False)
plots.show(figure, "Four handwritten digits, and the same pixels in another order, which look like noise.")

# %% [markdown]
# ## A filter for nine pixels
#
# Start with a small question that needs neighbours: *is there an edge here, dark on the right and light on the left?* It can be asked of $3\times3$ pixels. Multiply those on the
# left by a negative number, those on the right by a positive one, and add up:

# %%
edge = np.array([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]])
picture = data.test_x[3].reshape(28, 28).astype(np.float64)
pictures.sliding(picture, edge, 11, 12)

# %% [markdown]
# The nine numbers are a **filter** (or *kernel*). Lay it on nine pixels, the **window**; multiply, add up; move on by one pixel. All the sums together make a new picture, which shows *where* there is an edge. Such a picture is a [feature map](glossary.ipynb#Feature-map).
#
# This is a [convolution](glossary.ipynb#Convolution). **Play:** slide the window over the digit. Where is the result strongly positive, where negative, and where zero although there is ink?
# (If you see no sliders, run the cell in JupyterLab; the picture above is one of its positions.)

# %%
FILTERS = {
    "edge, left to right": edge,
    "edge, top to bottom": edge.T,
    "blur": np.full((3, 3), 1 / 9),
    "spot": np.array([[-1.0, -1, -1], [-1, 8, -1], [-1, -1, -1]]) / 8,
}
ipywidgets.interactive(
    lambda name, row, column: pictures.sliding(picture, FILTERS[name], row, column, f"Filter: {name}."),
    name=list(FILTERS),
    row=ipywidgets.IntSlider(11, min=0, max=25, continuous_update=False),
    column=ipywidgets.IntSlider(12, min=0, max=25, continuous_update=False),
)

# %% [markdown]
# ## By hand
#
# Written down, with $x$ for the picture, $w$ for the filter and $y$ for the feature map:
#
# $$y_{r,q} = \sum_{a,b} x_{r+a,\;q+b}\;w_{a,b}$$
#
# In Python it is two loops around one sum. A picture of $28\times28$ pixels, a filter of $3\times3$: how many rows does the feature map have? (Where can the corner of the window *not* be?)
#
# {guess: rows | slide(picture, edge).shape[0]}


# %%
def slide(x, w):
    """Slide the filter w over the picture x."""
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * w)
    return y


slide(picture, edge).shape

# %% [markdown]
# The library has this as an operation, for many pictures at once. It takes four axes: (pictures, channels, rows, columns). A gray picture has one channel.
# SciPy has it, too, under the name that mathematicians use: *correlation*. (Their *convolution* rotates the filter by half a turn first. In networks one does not, but kept the name. Remember the rotation: it will come back.)

# %%
from scipy.ndimage import correlate

by_hand = slide(picture, edge)
ours = np.asarray(mg.conv2d(picture[None, None], edge[None, None]))[0, 0]
says("largest difference to mg.conv2d:  {}", np.abs(ours - by_hand).max(), when=lambda d: d < 1e-12)
by_scipy = correlate(picture, edge)[1:-1, 1:-1]
says("largest difference to SciPy:      {}", np.abs(by_scipy - by_hand).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# Four filters, four feature maps. Match them with the names before you look at the titles: which one is the blur?

# %%
figure, axes = plots.canvas(9, 2.5, columns=4)
for ax, (name, w) in zip(axes, FILTERS.items(), strict=True):
    y = slide(picture, w)
    ax.imshow(y, cmap=plots.signed(), vmin=-plots.signed_limits(y), vmax=plots.signed_limits(y))
    ax.set(xticks=[], yticks=[], title=name)
    ax.grid(False)
plots.show(
    figure,
    "Four feature maps of one digit. Vertical strokes have an orange left edge and a blue right one "
    "in the first, horizontal ones in the second; the third is the digit, softer; the fourth its outline.",
)

# %% [markdown]
# ## What is gained
#
# Two things, and both come from using **the same nine numbers everywhere**.
#
# The first is their number. How many weights would a dense layer need to compute those $26\times26$ numbers from $28\times28$?
#
# {guess: weights | 28 * 28 * 26 * 26}

# %%
print(f"dense layer: {28 * 28 * 26 * 26:,} weights.   filter: {edge.size} weights.")

# %% [markdown]
# The second: what is learned at one place applies at all places. Move the digit, and the feature map moves along, unchanged.
# Predict the largest difference between "move, then slide" and "slide, then move":

# %%
paper = np.pad(picture, 6)  # room to move
shift = (3, -2)  # 3 pixels down, 2 to the left
moved = np.roll(paper, shift, axis=(0, 1))
difference = slide(moved, edge) - np.roll(slide(paper, edge), shift, axis=(0, 1))
says("largest difference: {}", np.abs(difference).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# ## The backward pass, in one dimension
#
# Now the gradient. Suppose we are given the [adjoint](glossary.ipynb#Adjoint) of every entry of the feature map, $\bar y_{r,q}$: how much the loss would change with it. We need $\bar x$, for the layers before, and $\bar w$, to learn.
#
# One row of pixels is enough to see how. A filter $(1, 2, 3)$ slides over six pixels, and gives four numbers. Sliding is linear, so it is a product with a matrix, $y = Wx$. Each row of $W$ is one position of the filter.
# Lesson 07 said what the adjoint of such a product is: $\bar x = W^\mathsf{T}\bar y$. Before you run the cell: what will the *rows* of $W^\mathsf{T}$ look like?

# %%
W = np.zeros((4, 6), int)
for r in range(4):
    W[r, r : r + 3] = [1, 2, 3]
print("W:", W, "W transposed:", W.T, sep="\n")

# %% [markdown]
# Look at the rows in the middle: **3 2 1**. They are the filter, read backwards, and it slides too! At the top and at the bottom a part of it reaches over the edge, as if there were zeros beyond.
#
# So the backward pass is again a convolution: of $\bar y$, with a frame of zeros around it, and with the filter reversed. Let us try that:

# %%
y_bar = np.array([0.5, -1.0, 2.0, 0.25])
print("by the matrix: ", W.T @ y_bar)
by_sliding = slide(np.pad(y_bar, 2)[None], np.array([[3.0, 2.0, 1.0]]))[0]
says("by sliding:     {}", by_sliding, when=lambda by_sliding: np.allclose(by_sliding, W.T @ y_bar))

# %% [markdown]
# ## Why the filter is rotated
#
# In two dimensions, take one pixel, and ask: *which windows contained it, and which entry of the filter lay on it each time?* In the window that has this pixel in its upper left corner, it was the entry **a**. But that window is the one farthest down and to the right. So the entries a to i appear in reverse order.

# %%
pictures.looked_back(3, 3)

# %% [markdown]
# Row by row on the right: i h g, f e d, c b a. It is the filter, rotated by half a turn.
#
# Now all of it in motion, with numbers. First forward. Then back in two ways: every output gives its adjoint *out* to its nine pixels; and then every pixel *collects* from its outputs, with the rotated filter. Before you play the third part: which number will the upper left pixel collect?

# %%
small_x = np.array([[1, 2, 0, 1, 3], [0, 1, 1, 2, 0], [2, 0, 1, 0, 1], [1, 3, 0, 2, 1], [0, 1, 2, 0, 1]])
small_w = np.array([[1, 2, 0], [0, -1, 3], [2, 0, 1]])
mg.viz.animate_adjoint(small_x, small_w, y_bar=[[1, 0, 2], [-1, 3, 0], [2, 1, -2]])

# %% [markdown]
# The same numbers both ways: giving out and collecting are one sum, in two orders. **Play:** move the pixel into a corner. How many outputs depend on it?

# %%
ipywidgets.interactive(
    pictures.looked_back,
    row=ipywidgets.IntSlider(3, min=0, max=6, continuous_update=False),
    column=ipywidgets.IntSlider(0, min=0, max=6, continuous_update=False),
)

# %% [markdown]
# As a formula: $x_{i,j}$ took part in $y_{i-a,\,j-b}$ with the factor $w_{a,b}$. So its adjoint collects
#
# $$\bar x_{i,j} = \sum_{a,b} \bar y_{i-a,\;j-b}\;w_{a,b}$$
#
# It is the formula from above except for two signs: minus instead of plus is the rotated filter. Check it against the graph. One picture, one filter, and a random adjoint for each of the 676 outputs:

# %%
rng = np.random.default_rng(0)
y_bar = rng.standard_normal((26, 26))

x, w = mg.Variable(picture[None, None], name="x"), mg.Variable(edge[None, None], name="w")
(mg.conv2d(x, w) * y_bar).sum().backward()  # the sum of y * y_bar has y_bar as its adjoint in y

turned = edge[::-1, ::-1]
x_bar = slide(np.pad(y_bar, 2), turned)
print("largest difference to the graph:", np.abs(x_bar - x.grad[0, 0]).max())
assert np.allclose(x_bar, x.grad[0, 0])

# %% [markdown]
# ### Break it: forget to rotate the filter
#
# Nearly everybody makes this mistake once. How would you notice? There is a test that needs no right answer to compare with, the [dot-product test](glossary.ipynb#Dot-product-test) of lesson 07: a linear
# operation and its adjoint satisfy
#
# $$\langle \bar y,\; \text{forward}(x)\rangle = \langle \text{backward}(\bar y),\; x\rangle$$
#
# The next cell tests backward *without* the rotation, with the four filters from above. For which of them will the mistake go unnoticed?

# %%
rows = "| filter | forward | backward, not rotated | backward, rotated |\n|---|---|---|---|\n"
for name, w4 in FILTERS.items():
    forward = np.vdot(y_bar, slide(picture, w4))
    forgotten = np.vdot(slide(np.pad(y_bar, 2), w4), picture)
    right = np.vdot(slide(np.pad(y_bar, 2), w4[::-1, ::-1]), picture)
    rows += f"| {name} | {forward:.6f} | {forgotten:.6f} | {right:.6f} |\n"
    assert np.isclose(forward, right)
    assert np.isclose(forward, forgotten) == np.array_equal(w4, w4[::-1, ::-1])
Markdown(rows)

# %% [markdown]
# A filter that is the same after half a turn hides the mistake. So test with numbers that have no symmetry: random ones.
#
# ## The filter's own adjoint
#
# And $\bar w$? The entry $w_{a,b}$ was multiplied by every pixel once, except those too close to the border. Add these pixels up, each times the adjoint of the output that it went into:
#
# $$\bar w_{a,b} = \sum_{r,q} x_{r+a,\;q+b}\;\bar y_{r,q}$$
#
# Read it twice. Something slides over $x$, and it is not $w$. What is it, and how many positions does it have? Write `slide(?, ?)` for it, then run the cell.

# %%
w_bar = slide(picture, y_bar)
print(w_bar)
print("largest difference to the graph:", np.abs(w_bar - w.grad[0, 0]).max())
assert np.allclose(w_bar, w.grad[0, 0])

# %% [markdown]
# The adjoint itself slides over the picture, as a filter of $26\times26$, in $3\times3$ positions. All three come from one sum of products,
#
# $$S = \sum_{r,q,a,b} \bar y_{r,q}\;x_{r+a,\;q+b}\;w_{a,b}$$
#
# and each is found by leaving its factor out. So the derivative of a convolution is two convolutions, and *their* derivatives are convolutions again. minigrad makes use of that: one piece of code does all three
# ([minigrad/ops/conv.py](../minigrad/ops/conv.py), the first page of it).
#
# ## Channels
#
# One filter is not enough, so a layer has several, and the feature maps of the first layer are the input of the second. A filter of the second layer has nine numbers for *each* feature map, and adds up all of them:
#
# $$y_{n,o} = \sum_{c} \text{slide}(x_{n,c},\; w_{o,c}) + b_o$$
#
# for picture $n$, filter $o$ and channel $c$. How many numbers does a layer have that turns 6 channels into 16? (Do not forget the biases.)
#
# {guess: numbers | sum(p.size for p in second.parameters())}

# %%
second = mg.nn.Conv2d(6, 16, 3, rng=0)
print(
    "weights:", second.weight.shape, "  biases:", second.bias.shape, "  numbers:", second.weight.size + second.bias.size
)

six = rng.standard_normal((1, 6, 13, 13)).astype(np.float32)
by_hand = sum(slide(six[0, c], second.weight.value[4, c]) for c in range(6)) + second.bias.value[4]
print("largest difference in filter 4:", np.abs(second(mg.Constant(six)).value[0, 4] - by_hand).max())

# %% [markdown]
# ## Pooling: only the largest number
#
# Whether an edge is at pixel 11 or 12 matters little for reading. So divide the feature map into squares of $2\times2$, and keep the largest number of each: [max pooling](glossary.ipynb#Max-pooling). A quarter of the numbers is left.
#
# And backward? If you change an entry that is not the largest a little, nothing happens. Fill in the adjoint with a pencil first: where do the four adjoints 1, 2, 3, 4 go?

# %%
small = mg.Variable(np.array([[[[5.0, 1, 0, 2], [3, 4, 7, 6], [1, 1, 8, 8], [1, 1, 8, 8]]]]), name="x")
pooled = mg.max_pool2d(small, 2)
(pooled * np.array([[1.0, 2], [3, 4]])).sum().backward()
print("x:", small.value[0, 0], "pooled:", pooled.value[0, 0], "adjoint of x:", small.grad[0, 0], sep="\n")
assert small.grad[0, 0].tolist() == [[1, 0, 0, 0], [0, 0, 2, 0], [3, 0, 4, 0], [0, 0, 0, 0]]

# %% [markdown]
# Each adjoint went to the largest entry. The lower windows are **ties**: four equal numbers, and the first gets everything. Is that right? Apply the definition of a derivative: change the first of the equal entries by $h$ up, then by $h$ down:

# %%
h = 1e-6
window = np.full(4, 8.0)
step = h * np.array([1, 0, 0, 0])
says("upwards:   {:.6f}", ((window + step).max() - 8) / h, when=lambda slope: abs(slope - 1) < 1e-6)
says("downwards: {:.6f}", (8 - (window - step).max()) / h, when=lambda slope: slope == 0)
says("all four:  {:.6f}", ((window + h).max() - 8) / h, when=lambda slope: abs(slope - 1) < 1e-6)

# %% [markdown]
# At a tie, the maximum has no derivative: 1 from above, 0 from below. What must hold is that changing *all four* changes the maximum by as much. So the shares have to add up to 1: everything for the first, or a quarter for each. PyTorch gives it to the first, and so do we.
#
# Does this matter? How many windows, do you think, have a tie in the first layer of a real network? Guess a percentage. (The layer ends with ReLU, $\max(0, x)$, as in lesson 10.)
#
# {guess: % | 100 * ties.mean()}

# %%
first = mg.nn.Conv2d(1, 6, 3, rng=0)
maps = mg.relu(first(mg.Constant(data.train_x[:100].reshape(100, 1, 28, 28)))).value
windows = maps.reshape(100, 6, 13, 2, 13, 2).transpose(0, 1, 2, 4, 3, 5).reshape(-1, 4)
largest = windows.max(axis=1, keepdims=True)
ties = (windows == largest).sum(axis=1) > 1  # the largest occurs more than once
above = ties & (largest[:, 0] > 0)
shares = len(windows), ties.mean(), above.sum()
says(
    "windows: {:,}   ties: {:.1%}   ties above 0: {:,}",
    *shares,
    when=lambda n, ties, above: ties > 0.3 and above < n / 50,
)

# %% [markdown]
# Ties are very common: after ReLU, everything below zero is the same zero. A tie at 0 sends its adjoint to an entry where ReLU has slope 0,
# and there it ends. A tie above 0 is mostly flat ink: two to four entries that saw the same nine pixels. (Flat paper gives the bias, which
# starts at 0.) Then the filter's adjoint is the same, whichever entry gets it.
#
# So an exact tie does no harm. Keep in mind what might: *nearly* a tie, where the entries saw different pixels, and the last digit of a sum decides.
#
# Older networks take the **mean** of each window (average pooling). In a mean every entry has a share. Where do the four adjoints go this time?

# %%
small, window_adjoints = mg.Variable(small.value, name="x"), np.array([[1.0, 2], [3, 4]])
pooled = mg.avg_pool2d(small, 2)
(pooled * window_adjoints).sum().backward()
print("pooled:", pooled.value[0, 0], "adjoint of x:", small.grad[0, 0], sep="\n")
assert np.array_equal(small.grad[0, 0], np.kron(window_adjoints, np.full((2, 2), 1 / 4)))

# %% [markdown]
# A quarter of each adjoint to each entry of its window, whatever the numbers are: no ties, and nothing to look up on the way back. (`mg.nn.AvgPool2d` is the layer.)
#
# ## Seven layers
#
# Now the network of the paper (C: Maciejewski and Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*). Convolution, ReLU and pooling, twice; then what is left is a list of numbers, the input of two dense layers as in lesson 10.


# %%
class PaperC(mg.nn.Module):
    """Reads pictures of 28 x 28 pixels."""

    def __init__(self, rng):
        rng = np.random.default_rng(rng)
        self.conv1, self.conv2 = mg.nn.Conv2d(1, 6, 3, rng=rng), mg.nn.Conv2d(6, 16, 3, rng=rng)
        self.pool1, self.pool2, self.flatten = mg.nn.MaxPool2d(2), mg.nn.MaxPool2d(2), mg.nn.Flatten()
        self.dense1, self.dense2 = mg.nn.Linear(400, 84, rng=rng), mg.nn.Linear(84, 10, rng=rng)

    def layers(self, pictures):
        """The outputs of the seven layers."""
        maps1 = mg.relu(self.conv1(pictures.reshape(pictures.shape[0], 1, 28, 28)))
        small1 = self.pool1(maps1)
        maps2 = mg.relu(self.conv2(small1))
        small2 = self.pool2(maps2)
        flat = self.flatten(small2)
        hidden = mg.relu(self.dense1(flat))
        return [maps1, small1, maps2, small2, flat, hidden, self.dense2(hidden)]

    def forward(self, pictures):
        return self.layers(pictures)[-1]


model = PaperC(rng=0)

# %% [markdown]
# Predict the shape after each layer, with a pencil, for one picture. (Two hints: the window must fit, and an odd row or column that fills no square of $2\times2$ is dropped.) And in which layer are most of the weights?

# %%
NAMES = ["convolution, ReLU", "max pooling", "convolution, ReLU", "max pooling", "flatten", "dense, ReLU", "dense"]
OWNERS = [model.conv1, model.pool1, model.conv2, model.pool2, model.flatten, model.dense1, model.dense2]
rows = "| | layer | out, for one picture | weights and biases |\n|---|---|---|---|\n"
for k, value in enumerate(model.layers(mg.Constant(data.train_x[:1]))):
    count = sum(p.size for p in OWNERS[k].parameters())
    rows += f"| {k + 1} | {NAMES[k]} | {' × '.join(map(str, value.shape[1:]))} | {count:,} |\n"
total = sum(p.size for p in model.parameters())
products = {"convolutions": 6 * 26**2 * 9 + 16 * 11**2 * 54, "dense layers": 400 * 84 + 84 * 10}  # for one picture
assert products["convolutions"] > 4 * products["dense layers"]
assert sum(p.size for conv in (model.conv1, model.conv2) for p in conv.parameters()) < total / 30
Markdown(rows + f"| | all | | {total:,} |")

# %% [markdown]
# The convolutions hold few of the weights, and do most of the work. Here is the whole network as a graph, with each layer folded into one box:

# %%
batch_x, batch_y = data.train_x[:100], data.train_y[:100]
mg.draw(mg.nn.cross_entropy(model(mg.Constant(batch_x, name="x")), batch_y), fold=True)

# %% [markdown]
# *From the pictures through two rounds of convolution, ReLU and pooling to the flat list, two dense layers, and the loss.*
#
# ## Ready to train
#
# Lessons 08 and 09 turned a graph into one compiled program. `mg.compile` does so for this step: forward, backward and update. Its machine code is made the first time, and later read from the disk.

# %%
epochs, rate = 5 if full else 18, 0.01
if not machine_code:
    print("Without machine code the program is slow: what follows trains by the graph, run again for each batch.")

with mg.measure() as getting_ready:
    step = mg.compile(PaperC(rng=0), mg.nn.cross_entropy, mg.optim.SGD(rate), batch_x, batch_y)
getting_ready

# %% [markdown]
# How many bytes does one step allocate now? A call of the program costs something by itself, whatever it does. So we count one call with a single batch, and one with ten, and divide the difference by nine. Guess.
#
# {guess: bytes | bytes_per_step}

# %%
counts = {}
for batches in (1, 10, 1, 10) * machine_code:  # twice, since the first call of each kind may still prepare something
    rows, losses = np.arange(100 * batches), np.empty(batches, np.float32)
    with mg.measure() as counts[batches]:
        step.epoch(data.train_x, data.train_y, rows, out=losses)
one, ten = (counts[n].allocated_bytes if machine_code else None for n in (1, 10))
bytes_per_step = None if one is None else (ten - one) / 9
print(f"a call with 1 batch: {show_count(one)} bytes.  With 10: {show_count(ten)} bytes.")
print(f"for each step: {show_count(bytes_per_step)} bytes")
assert bytes_per_step is None or bytes_per_step == 0

# %% [markdown]
# Nothing. All feature maps and all adjoints are in arrays that were made once. The paper does the same: *outputs allocated once per layer, when the network is built*.
#
# ## Train
#
# The paper's settings: SGD with rate 0.01, batches of 100, five epochs. (In the small size an epoch has 13 batches instead of 600, so we take 18 epochs: 234 batches.)
#
# A single run says little about tenths of a percent: with another seed the result differs. The paper gives the mean of five runs, and so do we; in the small size it is two.

# %%
from minigrad.training.train import History, Step

seeds = range(5) if full else range(2)
models, histories, starts = {}, {}, []
for seed in seeds:
    models[seed] = PaperC(rng=seed)
    starts.append((models[seed].state_dict(), 100 + seed))  # first weights, and the seed of the batches' order
    histories[seed] = mg.fit(
        models[seed], data, epochs, 100, mg.optim.SGD(rate), rng=100 + seed, compiled=machine_code, progress=False
    )
model, history = models[0], histories[0]
shown = range(epochs) if full else (0, 4, 8, 12, 17)
History([history.epochs[k] for k in shown])

# %% [markdown]
# In the full size that takes minutes, and a larger network takes hours. What if the computer goes off meanwhile? With `checkpoint=` and the name of a file, `fit` writes
# all that decides the next batch after each epoch: the weights, the random generator that shuffles, the losses so far. The same call, in another process if need be, goes on from there. Are its losses
# those of a run without a break, to the last bit?

# %%
import tempfile

with tempfile.TemporaryDirectory() as folder:
    for so_far in (1, 2):  # the first call is all that happened before the break
        continued = mg.fit(
            PaperC(rng=0), data, so_far, 100, mg.optim.SGD(rate), rng=100, compiled=machine_code, progress=False,
            checkpoint=f"{folder}/paper_c.run",
        )  # fmt: skip
without_a_break = history.losses[: len(continued.losses)]
print(f"{len(continued.losses)} batches, the same losses: {continued.losses == without_a_break}")
assert continued.losses == without_a_break

# %% [markdown]
# ### Is it right? Ask PyTorch
#
# The same first weights, the same batches in the same order, in a process of its own: as in lesson 11. For all seeds.

# %%
from minigrad_course import peers

try:
    theirs = peers.train_several_in_pytorch(
        "cnn",
        starts,
        data,
        epochs=epochs,
        batch_size=100,
        lr=rate,
        threads=threads,
        count=12,  # batches of which every allocation is counted
    )
    print(f"{theirs[0].engine}, {theirs[0].threads} thread, {len(theirs)} runs of {epochs} epochs")
except peers.PeerError as reason:
    theirs = []
    print(reason)

# %% [markdown]
# How far apart are the two losses after each batch? At first, by the rounding of the last digit. Each update starts from the weights that the previous one left. Draw the curve that you expect, on a logarithmic scale.

# %%
if theirs:
    apart = [np.abs(np.subtract(histories[s].losses, theirs[s].history.losses)) for s in seeds]
    figure, axes = plots.canvas(8, 3.0)
    for line in apart:
        axes.plot(range(1, len(line) + 1), np.maximum(line, 1e-8), ".", ms=3, color=plots.BLUE, alpha=0.5, mew=0)
    axes.set(yscale="log", xlabel="batch", ylim=(5e-9, 1), title="Difference of the two losses, each batch, all seeds")
    plots.show(
        figure,
        f"Dots on a logarithmic scale, a row of them for each of {len(apart)} seeds: the median of the first ten batches is "
        f"{np.median([line[:10] for line in apart]):.0e}, that of the last ten {np.median([line[-10:] for line in apart]):.0e}.",
    )
    early = np.array([line[:100] for line in apart])
    print(f"the first 100 batches, all seeds: median {np.median(early):.1e}, largest {early.max():.1e}")
    for seed, line in zip(seeds, apart, strict=True):
        leap = np.flatnonzero(line > 1e-4)
        print(
            f"seed {seed}: "
            + (
                f"more than 1e-4 apart for the first time at batch {leap[0] + 1}"
                if len(leap)
                else "never more than 1e-4 apart"
            )
        )
    assert np.median(early) < 0.000005

# %% [markdown]
# For a while the difference stays at the rounding of `float32`. Then it grows, sooner with one seed and later with another, and sometimes in
# leaps. (In the full size, where the runs are more than ten times as long, it goes farther.) A mistake in a gradient would look different: it
# would be there from the second batch on, with all seeds. So where does the difference come from?
#
# Training enlarges differences, however small they were. And you know something already that makes more than rounding of them: *nearly* a
# tie. Two engines add the same products (9, 54 or 400 of them) in another order, and their sums differ in the last digit. Where two entries
# of a window differ by less than that, the engines choose different ones, and the adjoint goes to another pixel. ReLU has a similar place:
# a sum so close to 0 that one engine rounds it above, and the other below. How often does that happen? Let us count both, in 13 batches,
# for an untrained network and for the one that we have just trained:


# %%
def near_ties(maps):
    """Count windows with a largest entry above 0 and another one within a millionth of it, but not equal."""
    n, channels, height, width = maps.shape
    even = maps[:, :, : height // 2 * 2, : width // 2 * 2]
    windows = even.reshape(n, channels, height // 2, 2, width // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(-1, 4)
    second, largest = np.sort(windows, axis=1)[:, 2:].T
    return int(((largest > second) & (largest - second < 1e-6) & (largest > 0)).sum())


def near_zero(sums):
    """Count the inputs of ReLU within a millionth of 0."""
    return int(((sums != 0) & (np.abs(sums) < 1e-6)).sum())


def close_calls(network, batches=13):
    """Near ties and inputs of ReLU near 0, for a batch of 100 pictures on average."""
    ties = zeros = 0
    for k in range(batches):
        maps1, small1, maps2, _, flat, *_ = network.layers(mg.Constant(data.train_x[100 * k : 100 * (k + 1)]))
        ties += near_ties(maps1.value) + near_ties(maps2.value)
        pictures = data.train_x[100 * k : 100 * (k + 1)].reshape(-1, 1, 28, 28)
        sums = [network.conv1(mg.Constant(pictures)), network.conv2(small1), network.dense1(flat)]
        zeros += sum(near_zero(s.value) for s in sums)
    return ties / batches, zeros / batches


for name, network in (("untrained", PaperC(rng=0)), ("trained", model)):
    ties, zeros = close_calls(network)
    print(f"{name:10} {ties:.1f} near ties and {zeros:.1f} inputs of ReLU near 0 in a batch", end=" ")
    print(
        f"= {ties * len(history.losses):,.0f} and {zeros * len(history.losses):,.0f} in {len(history.losses):,} batches"
    )

# %% [markdown]
# Most of these are presumably decided alike by both engines, but a single one, decided differently, makes the two runs differ by more than rounding, and then they drift apart. Neither is wrong. That is why accuracies are compared as means over seeds, and why the next cells ask
# how far apart the engines are *from the same seed*, beside how far apart the seeds are.
#
#
# Now the paper's figure 2: the accuracy on the test pictures after each epoch. A thin line for each seed, a thick one for the mean.

# %%
runs = {"minigrad": [histories[seed] for seed in seeds], "PyTorch": [run.history for run in theirs]}
tested = {name: 100 * np.array([[e.test_accuracy for e in h.epochs] for h in r]) for name, r in runs.items() if r}

figure, axes = plots.canvas(8, 3.6)
for (name, curves), colour, width in zip(tested.items(), (plots.BLUE, plots.ORANGE), (2, 6), strict=False):
    axes.plot(range(1, epochs + 1), curves.T, color=colour, lw=0.8, alpha=0.5)
    axes.plot(range(1, epochs + 1), curves.mean(axis=0), color=colour, lw=width, alpha=1 if width == 2 else 0.5)
    plots.label(axes, 0.97, 0.12 if width == 2 else 0.22, f"{name}, mean of {len(curves)}", plots.INK[colour],
                ha="right", transform=axes.transAxes)  # fmt: skip
axes.set(xlabel="epoch", ylabel="test accuracy, %", xticks=range(1, epochs + 1), title="Accuracy after each epoch")
plots.show(
    figure,
    "Test accuracy over the epochs. After the last one the means are "
    + ", ".join(f"{name} {curves[:, -1].mean():.2f} %" for name, curves in tested.items())
    + ".",
)

# %%
mean = {name: curves[:, -1].mean() for name, curves in tested.items()}
for name, curves in tested.items():
    last = curves[:, -1]
    print(f"{name:8} mean of {len(last)} seeds: {mean[name]:.2f} %   from {last.min():.2f} to {last.max():.2f} %")
if full:
    print("quoted: paper C 96.20 % (mean of 5), Keras 96.55 %, Flux 95.36 %")
if theirs:
    print(f"ours minus PyTorch's: {mean['minigrad'] - mean['PyTorch']:+.2f} points")
    same_seed = np.abs(tested["minigrad"][:, -1] - tested["PyTorch"][:, -1])
    print(
        f"from the same seed the engines differ by {same_seed.mean():.2f} points on average, {same_seed.max():.2f} at most;"
    )
    print(f"the seeds of one engine spread over {np.ptp(tested['minigrad'][:, -1]):.2f} points")
    assert abs(mean["minigrad"] - mean["PyTorch"]) < 0.2 or not full

# %% [markdown]
# Compare the last two lines: which makes more of a difference, the engine or the seed? With one run each, which of the three engines quoted from the paper would you call the best?
#
# ## Better, with the same network
#
# With plain SGD and rate 0.01 the curve is still rising at the end. Adam (lesson 11) makes better use of each gradient, and a rate that grows for a while, and then decreases along half a cosine, makes better use of each epoch. Nothing else changes. How many of the mistakes will be left? (Again for two seeds.)

# %%
longer, top = (10, 0.005) if full else (12, 0.004)
batches = longer * -(-len(data.train_x) // 100)


def recipe():
    return mg.optim.Adam(mg.optim.warmup(mg.optim.cosine(top, batches), batches // 20))


def reached(network, images, seed):
    """Test accuracy in %, with this recipe."""
    run = mg.fit(network, images, longer, 100, recipe(), rng=100 + seed, compiled=full, progress=False)
    return 100 * run.epochs[-1].test_accuracy


def shown_range(values):
    return f"{np.mean(values):.2f} % ({min(values):.2f} to {max(values):.2f})"


better = [PaperC(rng=seed) for seed in range(2)]
best = [reached(network, data, seed) for seed, network in enumerate(better)]
plain = tested["minigrad"][:, -1]
print(f"SGD, {epochs} epochs:   {shown_range(plain)}")
print(f"Adam, {longer} epochs: {shown_range(best)}")
print("the ranges", "overlap" if min(best) <= max(plain) else "do not overlap")
assert min(best) >= 98.8 or not full

# %% [markdown]
# ## What did it learn?
#
# Here are the six filters of the first layer of one of the better networks. They were learned. Which of them respond to an edge? In which direction?

# %%
mg.viz.Weights(better[0].conv1, name="the filters of layer 1").show()

# %% [markdown]
# And here is their output for one digit: the feature maps after layer 1, then after layer 3. (Orange is positive. After ReLU nothing is negative.)

# %%
digit = data.test_x[3:4]
mg.viz.Activations(lambda x: better[0].layers(x)[0], digit, name="feature maps after layer 1").show()
mg.viz.Activations(lambda x: better[0].layers(x)[2], digit, name="feature maps after layer 3").show()

# %% [markdown]
# After layer 1 you can still recognise the digit. The maps after layer 3 respond to combinations, such as a corner of some kind, and most of them no longer look like anything that we have a word for.
#
# ## What are neighbours worth?
#
# Back to the shuffled pictures. The recipe is the one from above, for a dense network with about as many weights and for our convolutional one; each on the digits as they are (for the convolutional one we have that already) and shuffled, for two seeds.
#
# Write down four guesses in the form *high, high, high, low*, before you run the cell.

# %%
shuffled = replace(data, train_x=data.train_x[:, shuffle], test_x=data.test_x[:, shuffle])


def dense_network(seed):
    rng = np.random.default_rng(seed)
    return mg.nn.Sequential(mg.nn.Linear(784, 45, rng=rng), mg.nn.ReLU(), mg.nn.Linear(45, 10, rng=rng))


worth = {
    "dense": [[reached(dense_network(seed), images, seed) for seed in range(2)] for images in (data, shuffled)],
    "convolutional": [best, [reached(PaperC(rng=seed), shuffled, seed) for seed in range(2)]],
}
text = "| network | weights | pixels as they are | pixels shuffled | lost by the shuffle |\n|---|---|---|---|---|\n"
for kind, (straight, mixed) in worth.items():
    size = sum(p.size for p in (dense_network(0) if kind == "dense" else better[0]).parameters())
    lost = np.mean(straight) - np.mean(mixed)
    text += f"| {kind} | {size:,} | {shown_range(straight)} | {shown_range(mixed)} | {lost:+.2f} points |\n"
p, n = np.mean(best) / 100, len(data.test_y)
chance = 100 * np.sqrt(p * (1 - p) / n)
text += f"\nOne run on {n:,} test digits has a standard error of {chance:.2f} points (lesson 10)."
assert full or abs(np.subtract(*map(np.mean, worth["dense"]))) < 3 * chance
Markdown(text)

# %% [markdown]
# To the dense network the shuffle makes no difference beyond chance. (It would make none at all, if we had shuffled its first weights
# along.) The convolutional network assumes, before it has seen the first picture, that neighbours belong together and that all places are
# alike. On shuffled pixels that is false. Is its drop in the table larger than chance explains? Such an assumption harms where it is false.
# Whether it helps where it is true is the other question for the table: compare the two networks on the digits as they are. (On small data
# the difference may be nothing.)
#
#
# ## Seconds and bytes
#
# The paper's figures 3 and 4 show seconds for each epoch, and bytes. We compare three ways: our compiled program; our graph, built once and run again; and PyTorch. All use the same number of threads, and take turns, an epoch each, so that the computer's other work disturbs them equally; the bars are medians. Bytes are counted by one method for all, memray, which sees every block of memory that the process allocates; in runs of their own, since counting takes time (an epoch of ours; of PyTorch 12 batches, which are all alike). Which bar will be the longest in each picture?

# %%
order = np.random.default_rng(1).permutation(len(data.train_x))
steps = len(order) // 100
order = order[: 100 * steps]  # whole batches
graph_model, sgd = PaperC(rng=0), mg.optim.SGD(rate)
losses = np.empty(steps, np.float32)
with mg.measure() as built:
    graph_step = Step(graph_model, mg.nn.cross_entropy, batch_x, batch_y)
    graph_step.run(batch_x, batch_y)


def epoch_of_the_graph():
    for rows in order.reshape(-1, 100):
        graph_step.run(data.train_x[rows], data.train_y[rows])
        sgd.step(graph_model.parameters())


def epoch_of_the_program():
    step.epoch(data.train_x, data.train_y, order, out=losses)


engines = {"minigrad, compiled": epoch_of_the_program} if machine_code else {}
engines["minigrad, graph"] = epoch_of_the_graph
whole = replace(
    data, train_x=data.train_x[order], train_y=data.train_y[order], test_x=data.test_x[:0], test_y=data.test_y[:0]
)
turns = None
if theirs:
    turns = peers.take_turns(
        engines, {"PyTorch": starts[0][0]}, "cnn", whole,
        batch_size=100, lr=rate, rounds=5, threads=threads,
    )  # fmt: skip
measured = {}
for name, run in engines.items():
    if turns is None:
        seconds = repeat(run, repeats=5, bytes=None).times
    with mg.measure(bytes="process") as m:
        run()
    ready = getting_ready if name == "minigrad, compiled" else built
    seconds = turns[name] if turns else seconds
    measured[name] = (np.median(seconds), ready.seconds, ready.compile_seconds, m.allocated_bytes, m.allocations)
if turns:
    counted = [figures and figures[0] / 12 * steps for figures in (theirs[0].allocated_bytes, theirs[0].allocations)]
    measured["PyTorch"] = (np.median(turns["PyTorch"]), theirs[0].first_step_seconds, None, *counted)
Markdown(peers.turns_table(turns, steps) if turns else "PyTorch is missing here.")

# %%
figure, axes = plots.canvas(9, 2.4, columns=2, sharey=True)
bars = [(axes[0], 0, 1, "Seconds for each epoch", ".3g"), (axes[1], 3, 2**30, "Allocated in each epoch, GiB", ".3g")]
for ax, column, unit, title, form in bars:
    values = [(row[column] or 0) / unit for row in measured.values()]
    ax.barh(list(measured), values, color=[plots.BLUE, plots.SKY, plots.ORANGE][: len(measured)])
    for k, row in enumerate(measured.values()):
        label = "not known" if row[column] is None else format(row[column] / unit, form)
        ax.text(values[k] + 0.02 * max(values), k, label, va="center")
    ax.set(title=title, xlim=(0, 1.25 * max(values) or 1))
    ax.grid(axis="y", visible=False)
axes[0].invert_yaxis()
plots.show(
    figure,
    "Two bar charts, seconds and bytes for each epoch: "
    + "; ".join(
        f"{name} {row[0]:.3g} s, {'bytes not known' if row[3] is None else f'{row[3]:,.0f} B'}"
        for name, row in measured.items()
    )
    + ".",
)

# %%
text = f"| {data.name}, {steps} steps an epoch, {threads} thread | seconds an epoch | getting ready, s | compiling, s "
text += "| bytes an epoch | blocks an epoch | bytes a step |\n|---|---|---|---|---|---|---|\n"
for name, (seconds, ready, compiling, size, blocks) in measured.items():
    per_step = bytes_per_step if name == "minigrad, compiled" else size and size / steps
    cells = " | ".join(map(show_count, (size, blocks, per_step)))
    text += f"| {name}, here | {seconds:.3f} | {ready:.2f} | {'–' if compiling is None else f'{compiling:.2f}'} | {cells} |\n"
text += '| *paper C, quoted* | about 35 (before optimising: about 2,400) | | | 7,442 "GiB" in all | | |\n'
text += '| *Flux, quoted from C* | less than theirs | | | 41,576 "GiB" in all | | |\n'
Markdown(text + "\n*The quoted rows are for real MNIST, on the paper's machine.*")

# %% [markdown]
# "Getting ready" is everything before the first step can run, except for compiling, or reading machine code from the disk, which has a column of its own. PyTorch's is its first step; as it is used here it compiles nothing. The bytes of the compiled program are those of its call, once in an epoch; its steps allocate nothing, as you saw above.
#
# Look at the quoted bytes. The paper prints *GiB*. Five epochs are 3,000 steps. Do the number and the unit fit? Work out what one step would have to allocate, and compare it with the size of what the seven layers compute for one batch:

# %%
held = sum(layer.value.nbytes for layer in model.layers(mg.Constant(batch_x)))
print(f"7,442 GiB in 3,000 steps: {7442 / 3000:.2f} GiB for each step")
print(f"7,442 MiB in 3,000 steps: {7442 / 3000:.2f} MiB for each step")
print(f"what comes out of the seven layers, for one batch: {held / 2**20:.2f} MiB")

# %% [markdown]
# We cannot know what they measured: perhaps MiB. But a factor of a thousand is easily lost in a unit, and a figure that can be compared
# with another one helps to find it.
#
# ## Three ways to convolve
#
# How should a machine compute all these sums? There are three famous ways ([minigrad_course/measure/conv_ways.py](../minigrad_course/measure/conv_ways.py), read it now: one screen).
#
# - **Direct**: the loops of the formula, compiled.
# - [im2col](glossary.ipynb#im2col): write the pixels of each window into one row of a large matrix. Then the whole layer is *one* matrix product, for which there is code that has been tuned for decades. The cost: with a $3\times3$ filter each pixel is copied nine times.
# - **FFT**: the convolution theorem says that sliding in space is multiplying in frequency. Transform, multiply, transform back. The size of the filter hardly matters then.
#
# The paper tried the FFT, too, and reports no improvement. Predict the order of the three for the paper's two layers, 100 pictures each. Which one needs the most bytes? (The ways take turns.)

# %%
from minigrad_course.measure.conv_ways import WAYS

if not machine_code:
    WAYS = {name: way for name, way in WAYS.items() if name != "loops"}
    print("Without machine code the loops would take minutes, and are left out.")

rng = np.random.default_rng(0)
LAYERS = {"layer 1": ((100, 1, 28, 28), (6, 1, 3, 3)), "layer 3": ((100, 6, 13, 13), (16, 6, 3, 3))}
TITLES = {"loops": "direct", "matmul": "im2col", "fft": "FFT"}


def measure(ways, x, w, rounds=7):
    """Milliseconds of each way, a row for each round, in which all take turns, and the bytes of one call of each."""
    size = {name: repeat(way, x, w, repeats=1).allocated_bytes for name, way in ways.items()}  # warm after this
    times = []
    for _ in range(rounds):
        times.append([])
        for way in ways.values():
            start = perf_counter()
            way(x, w)
            times[-1].append(1e3 * (perf_counter() - start))
    return dict(zip(ways, np.transpose(times), strict=True)), size


first = next(iter(WAYS))
text = f"| | way | milliseconds: median (range) | MiB allocated | differs from {TITLES[first]} by |\n|---|---|---|---|---|\n"
for layer, (x_shape, w_shape) in LAYERS.items():
    x, w = rng.random(x_shape, np.float32), rng.standard_normal(w_shape, np.float32)
    times, size = measure(WAYS, x, w)
    for name, way in WAYS.items():
        apart, took = np.abs(way(x, w) - WAYS[first](x, w)).max(), times[name]
        spread = f"{np.median(took):.2f} ({took.min():.2f} to {took.max():.2f})"
        text += f"| {layer} | {TITLES[name]} | {spread} | {show_count(size[name], 2, 2**20)} | {apart:.0e} |\n"
Markdown(text)

# %% [markdown]
# Does the paper's finding hold here? And when *would* the Fourier transform pay? Count: for each output the loops do $k^2$ products in each
# channel, im2col as well. For the FFT their number hardly depends on $k$. So there should be a size at which the lines cross. Guess the
# $k$.
#
# (The pictures grow with the filter, so that the output has $28\times28$ entries for every $k$.)

# %%
sizes = (1, 3, 5, 7, 9, 13, 17, 21)
milliseconds, allocated = {name: [] for name in WAYS}, {name: [] for name in WAYS}
for k in sizes:
    x, w = rng.random((10, 6, 27 + k, 27 + k), np.float32), rng.standard_normal((16, 6, k, k), np.float32)
    times, size = measure(WAYS, x, w, 5)
    for name in WAYS:
        milliseconds[name].append(np.median(times[name]))
        allocated[name].append(size[name])

# %%
charts = {"Milliseconds": milliseconds}
if size["fft"] is not None:
    charts["MiB allocated"] = {name: np.array(numbers) / 2**20 for name, numbers in allocated.items()}
figure, axes = plots.canvas(4.5 * len(charts), 3.4, columns=len(charts))
for ax, (title, values) in zip(np.ravel(axes), charts.items(), strict=True):
    for name in WAYS:
        colour = {"loops": plots.GREEN, "matmul": plots.BLUE, "fft": plots.VERMILLION}[name]
        ax.plot(sizes, values[name], "o-", ms=4, color=colour)
        where = (21, values[name][-1] * {"loops": 1.5, "matmul": 0.7, "fft": 1}[name])
        ax.annotate(f" {TITLES[name]}", where, color=colour, va="center", fontweight="bold")
    ax.set(yscale="log", xlabel="rows and columns of the filter", title=title, xticks=sizes, xlim=(0, 27))
    ax.set_ylim(top=3 * max(map(max, values.values())))
plots.show(
    figure,
    f"{' and '.join(charts)} against the size of the filter, on logarithmic scales. From size {sizes[1]} to {sizes[-1]} they grow: "
    + "; ".join(
        f"{TITLES[name]} "
        + " and ".join(f"{values[name][-1] / values[name][1]:.1f} times" for values in charts.values())
        for name in WAYS
    )
    + ".",
)
for name in [name for name in WAYS if name != "fft"]:
    won = [k for k, a, b in zip(sizes, milliseconds["fft"], milliseconds[name], strict=True) if a < b]
    print(f"the FFT is faster than {TITLES[name]} for sizes", ", ".join(map(str, won)) or "none of these")

# %% [markdown]
# Count what im2col does, apart from multiplying: it writes $k^2$ copies of every pixel, far apart in memory, and transposes the result. Can we have the advantage without the bytes?
#
# `mg.conv2d` makes that matrix for *one picture at a time*, always in the same small array, which stays in the cache; and it copies whole
# rows of pixels in one piece. The compiled step goes further and copies nothing: each entry of the filter meets contiguous pieces of the
# picture itself, and a table of their starting points is enough ([minigrad/native/convolution.py](../minigrad/native/convolution.py),
# the first paragraph). Its inner loop is the tile of lesson 09.

# %%
for layer, (x_shape, w_shape) in LAYERS.items():
    x, w = rng.random(x_shape, np.float32), rng.standard_normal(w_shape, np.float32)
    times, size = measure({**WAYS, "mg.conv2d": mg.conv2d}, x, w)
    ours = times["mg.conv2d"]
    print(
        f"{layer}: mg.conv2d {np.median(ours):.2f} ms (from {ours.min():.2f} to {ours.max():.2f}), {show_count(size['mg.conv2d'], 2, 2**20)} MiB;",
        end=" ",
    )
    print("im2col, in the same rounds, takes {:.1f} times as long".format(np.median(times["matmul"] / ours)))

# %% [markdown]
# ## The same code, other pictures
#
# Fashion-MNIST has the format of MNIST and pictures of clothes. The paper reports 85 % on it. Nothing in our code is specific to digits. This needs a download of about 31 MB, so it runs in the full size only.

# %%
if full:
    try:
        clothes = mg.data.fashion_mnist()
        fashion = mg.fit(
            PaperC(rng=0), clothes, epochs, 100, mg.optim.SGD(rate), rng=1, compiled=machine_code, progress=False
        )
        print(f"Fashion-MNIST: {100 * fashion.epochs[-1].test_accuracy:.2f} %.   Quoted: paper C 85 %.")
    except mg.data.DataError as reason:
        print("Not run, because Fashion-MNIST could not be had:", reason)
else:
    print("Not run: this is the small size.")

# %% [markdown]
# ## In five lines
#
# 1. A convolution applies the same small filter at every place: so it needs few weights, and what is learned at one place applies at all.
# 2. The adjoint of its input is the adjoint of its output, with a frame of zeros, convolved with the filter rotated by half a turn. To get the adjoint of the filter, slide the output's adjoint over the input.
# 3. Max pooling sends each adjoint to the largest entry of its window; at a tie there is no derivative, and the first entry gets it.
# 4. From the same weights and batches, two engines agree up to rounding, until something nearly ties. Compare means over seeds, and show the spread.
# 5. im2col takes more bytes to make one large product of many small sums, and the FFT pays for large filters only. Which one is fastest depends on sizes and machine: measure.
#
# ## The source
#
# - [minigrad/ops/conv.py](../minigrad/ops/conv.py): the one sum and its three factors. [minigrad/ops/pool.py](../minigrad/ops/pool.py): which entry gets the adjoint.
# - [minigrad_course/measure/conv_ways.py](../minigrad_course/measure/conv_ways.py): direct, im2col, FFT. [minigrad/native/convolution.py](../minigrad/native/convolution.py) and [tile.py](../minigrad/native/tile.py): the kernels of the compiled step.
# - [minigrad/nn/convolutional.py](../minigrad/nn/convolutional.py): the layers. [minigrad_course/peers](../minigrad_course/peers/pytorch_networks.py): the network in PyTorch.
#
# ## The papers
#
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*: the network, the settings, and the figures.
# - Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, *Gradient-based learning applied to document recognition* (1998): MNIST, and the network that this one descends from.
# - M. Mathieu, M. Henaff, Y. LeCun, *Fast training of convolutional networks through FFTs* (2013, [arXiv:1312.5851](https://arxiv.org/abs/1312.5851)).
# - H. Xiao, K. Rasul, R. Vollgraf, *Fashion-MNIST* (2017, [arXiv:1708.07747](https://arxiv.org/abs/1708.07747)).
#
# ## Next
#
# [Exercise 13](../exercises/13_convolutional_networks/13_convolutional_networks.ipynb): write the convolution's adjoints and all three ways yourself, and measure them.
#
# [Your own engine](../project/project.ipynb): a convolution is one of its choices, milestone 9.
#
# Then [lesson 14](14_autoencoder.ipynb): a network that has to copy its input through a few numbers.
