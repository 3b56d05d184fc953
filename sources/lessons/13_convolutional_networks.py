# Lesson 13. What a reader has behind them: the graph (05), arrays (07), compiled programs (08, 09), a first network (10), recurrent ones (11, 12).
# Ways to convolve, near ties and the race with PyTorch are lesson 13b, autoencoders lesson 14.

# %% [markdown]
# # 13 · Convolutional networks: the same small filter everywhere
#
# Shuffle the 784 pixels of all pictures of digits, in the same way. You could no longer read them. But lesson 10's network could still learn to, and just as well: its first layer multiplies each pixel by a number and adds
# up, and a sum does not care about order. Two pixels that touch, and two pixels at opposite corners, are the same to it. So here is the
# question of this lesson:
#
# **What does a network look like that makes use of neighbouring pixels? And how does a gradient get back through it?**
#
# By the end you will know why going back through a convolution is a convolution again, with the filter rotated by half a turn. You will have trained one, that of a paper. And you will shuffle the pixels again, to see what neighbours are worth.
#
# *Time: about 50 minutes{first run}.* **Small**: the embedded digits, faster. **Full**: real MNIST and the paper's five epochs, some minutes.

# %%
from dataclasses import replace

import ipywidgets
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.native.jit import plain_python
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_convolution as pictures
from minigrad_course.viz import plots

data = mg.data.for_lesson()
full = data.name == "mnist"

limits = threadpool_limits(1)  # one thread
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
# *Is there an edge here, dark on the right and light on the left?* That can be asked of $3\times3$ pixels. Multiply those on the
# left by a negative number, those on the right by a positive one, and add up:

# %%
edge = np.array([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]])
picture = data.test_x[3].reshape(28, 28).astype(np.float64)
pictures.sliding(picture, edge, 11, 12)

# %% [markdown]
# The nine numbers are a **filter**. Lay it on nine pixels, the **window**; multiply, add up; move on by one pixel. All the sums together make a new picture, a [feature map](glossary.ipynb#Feature-map), which shows *where* there is an edge. This is a [convolution](glossary.ipynb#Convolution). **Play:** slide the window over the digit. Where is the result strongly positive, and where zero although there is ink?

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
# In Python it is two loops around one sum. A picture of $28\times28$ pixels, a filter of $3\times3$: how many rows does the feature map have?


# %%
def slide(x, w):
    """Slide the filter w over the picture x."""
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * w)
    return y


by_hand = slide(picture, edge)
by_library = mg.conv2d(picture[None, None], edge[None, None])[0, 0]
print("rows and columns:", by_hand.shape)
says("largest difference to mg.conv2d: {}", np.abs(by_library - by_hand).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# `mg.conv2d` takes many pictures at once, with four axes: pictures, channels, rows, columns. A gray picture has one channel. Mathematicians call this a *correlation*. Their *convolution* rotates the filter by half a turn first; networks do not, but kept the name. Remember the rotation: it will come back.
#
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
# The first is their number: nine. How many weights would a dense layer need to compute those $26\times26$ numbers from $28\times28$?
#
# The second: what is learned at one place applies at all places. Does the feature map move along with the digit? What is the largest difference between "move, then slide" and "slide, then move"?
#
# {guess "How many weights would a dense layer need?": weights | dense_weights}

# %%
dense_weights = 28 * 28 * 26 * 26
print(f"dense layer: {dense_weights:,} weights; filter: {edge.size} weights")
paper = np.pad(picture, 6)  # room to move
shift = (3, -2)  # 3 pixels down, 2 to the left
moved = np.roll(paper, shift, axis=(0, 1))
difference = slide(moved, edge) - np.roll(slide(paper, edge), shift, axis=(0, 1))
says("largest difference: {}", np.abs(difference).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# ## The backward pass, in one dimension
#
# Now the gradient. Suppose that going back has brought us the [adjoint](glossary.ipynb#Adjoint) of every entry of the feature map, $\bar y_{r,q}$. We need $\bar x$, for the layers before, and $\bar w$, to learn.
#
# One row of pixels is enough to see how. A filter $(1, 2, 3)$ slides over six pixels, and gives four numbers. Sliding is linear, so it is a product with a matrix, $y = Wx$. Each row of $W$ is one position of the filter.
# Lesson 07 said what the adjoint of such a product is: $\bar x = W^\mathsf{T}\bar y$. What will the *rows* of $W^\mathsf{T}$ look like?

# %%
W = np.zeros((4, 6), int)
for r in range(4):
    W[r, r : r + 3] = [1, 2, 3]
print("W:", W, "W transposed:", W.T, sep="\n")

# %% [markdown]
# Look at the rows in the middle: **3 2 1**. They are the filter, read backwards, and it slides too. At the top and at the bottom a part of it reaches over the edge, as if there were zeros beyond. So the backward pass is again a convolution: of $\bar y$, with a frame of zeros around it, and with the filter reversed.

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
# Now all of it in motion, with numbers. First forward. Then back in two ways: every output gives its adjoint *out* to its nine pixels; and then every pixel *collects* from its outputs, with the rotated filter. Which number will the upper left pixel collect?

# %%
small_x = np.array([[1, 2, 0, 1, 3], [0, 1, 1, 2, 0], [2, 0, 1, 0, 1], [1, 3, 0, 2, 1], [0, 1, 2, 0, 1]])
small_w = np.array([[1, 2, 0], [0, -1, 3], [2, 0, 1]])
mg.viz.animate_adjoint(small_x, small_w, y_bar=[[1, 0, 2], [-1, 3, 0], [2, 1, -2]])

# %% [markdown]
# The same numbers both ways: giving out and collecting **add up** the same products, in two orders.
#
# As a formula: $x_{i,j}$ took part in $y_{i-a,\,j-b}$ with the factor $w_{a,b}$. So its adjoint collects
#
# $$\bar x_{i,j} = \sum_{a,b} \bar y_{i-a,\;j-b}\;w_{a,b}$$
#
# It is the formula from above except for two signs: minus instead of plus is the rotated filter. Check it against the graph, with a random adjoint for each of the 676 outputs as the **seed**:

# %%
rng = np.random.default_rng(0)
y_bar = rng.standard_normal((26, 26))

x, w = mg.Variable(picture[None, None], name="x"), mg.Variable(edge[None, None], name="w")
(mg.conv2d(x, w) * y_bar).sum().backward()  # the derivative of this sum with respect to y is y_bar

turned = edge[::-1, ::-1]
x_bar = slide(np.pad(y_bar, 2), turned)
print("largest difference to the graph:", np.abs(x_bar - x.grad[0, 0]).max())
assert np.allclose(x_bar, x.grad[0, 0])

# %% [markdown]
# ### Break it: forget to rotate the filter
#
# How would you notice? The [dot-product test](glossary.ipynb#Dot-product-test) of lesson 07 needs no right answer to compare with: a linear
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
# Something slides over $x$, and it is not $w$. What is it, and how many positions does it have? Write `slide(?, ?)` for it, then run the cell.

# %%
w_bar = slide(picture, y_bar)
print(w_bar)
print("largest difference to the graph:", np.abs(w_bar - w.grad[0, 0]).max())
assert np.allclose(w_bar, w.grad[0, 0])

# %% [markdown]
# The adjoint itself slides over the picture, as a filter of $26\times26$, in $3\times3$ positions. All three, $y$, $\bar x$ and $\bar w$, come from one sum of products,
#
# $$S = \sum_{r,q,a,b} \bar y_{r,q}\;x_{r+a,\;q+b}\;w_{a,b}$$
#
# and each is found by leaving its factor out, $y$ by leaving out $\bar y$. So the derivative of a convolution is two convolutions, and *their* derivatives are convolutions again. In minigrad one piece of code does all three: the first page of
# [minigrad/ops/conv.py](../minigrad/ops/conv.py).
#
# *This is a good place to stop and rest.*
#
# ## Channels
#
# One filter is not enough, so a layer has several, and the feature maps of the first layer are the input of the second. A filter of the second layer has nine numbers for *each* feature map, and adds up all of them:
#
# $$y_{n,o} = \sum_{c} \text{slide}(x_{n,c},\; w_{o,c}) + b_o$$
#
# for picture $n$, filter $o$ and channel $c$. How many numbers does a layer learn that turns 6 channels into 16, biases included?

# %%
second = mg.nn.Conv2d(6, 16, 3, rng=0)
print("weights", second.weight.shape, "biases", second.bias.shape, "together", second.weight.size + second.bias.size)
six = rng.standard_normal((1, 6, 13, 13)).astype(np.float32)
by_hand = sum(slide(six[0, c], second.weight.value[4, c]) for c in range(6)) + second.bias.value[4]
print("largest difference in filter 4:", np.abs(second(mg.Constant(six)).value[0, 4] - by_hand).max())

# %% [markdown]
# ## Pooling: only the largest number
#
# Whether an edge is at pixel 11 or 12 matters little for reading. So divide the feature map into squares of $2\times2$, and keep the largest number of each: [max pooling](glossary.ipynb#Max-pooling). A quarter of the numbers is left.
#
# And the way back? If you change an entry that is not the largest a little, nothing happens. Where do the four adjoints 1, 2, 3, 4 go?

# %%
small = mg.Variable(np.array([[[[5.0, 1, 0, 2], [3, 4, 7, 6], [1, 1, 8, 8], [1, 1, 8, 8]]]]), name="x")
pooled = mg.max_pool2d(small, 2)
(pooled * np.array([[1.0, 2], [3, 4]])).sum().backward()
print("x:", small.value[0, 0], "pooled:", pooled.value[0, 0], "adjoint of x:", small.grad[0, 0], sep="\n")
assert small.grad[0, 0].tolist() == [[1, 0, 0, 0], [0, 0, 2, 0], [3, 0, 4, 0], [0, 0, 0, 0]]

# %% [markdown]
# The lower windows are **ties**: four equal numbers, and the first gets everything. Is that right? Apply the definition of a derivative: change the first of the equal entries by $h$ up, then by $h$ down:

# %%
h = 1e-6
window = np.full(4, 8.0)
step = h * np.array([1, 0, 0, 0])
says("upwards:   {:.6f}", ((window + step).max() - 8) / h, when=lambda slope: abs(slope - 1) < 1e-6)
says("downwards: {:.6f}", (8 - (window - step).max()) / h, when=lambda slope: slope == 0)
says("all four:  {:.6f}", ((window + h).max() - 8) / h, when=lambda slope: abs(slope - 1) < 1e-6)

# %% [markdown]
# At a tie, the maximum has no derivative: 1 from above, 0 from below. What must hold is that changing *all four* changes the maximum by as much. So the shares have to add up to 1. PyTorch gives everything to the first, and so do we.
#
# Does this matter? The first layer of a network ends with ReLU, $\max(0, x)$, as in lesson 10.
#
# {guess "What percentage of its windows have a tie?": % | 100 * ties.mean()}

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
# and there it ends. A tie above 0 is nearly always flat ink: entries that saw the same nine pixels. Then the filter's adjoint is the same, whichever entry gets it. So exact ties do no harm here.
#
# ## Seven layers
#
# Now the network of paper C: Maciejewski and Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*. Convolution, ReLU and pooling, twice; then what is left is a list of numbers, the input of two dense layers as in lesson 10.


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
# Predict the shape after each layer, with a pencil, for one picture. The window must fit, and an odd row or column that fills no square of $2\times2$ is dropped. In which layer are most of the weights?

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
most = ", ".join(f"{count:,} in the {kind}" for kind, count in products.items())
Markdown(rows + f"| | all | | {total:,} |\n\nMultiplications for one picture: {most}.")

# %% [markdown]
# The convolutions hold few of the weights, and do most of the multiplications.
#
# ## Train
#
# The paper's settings: SGD with rate 0.01, batches of 100, five epochs. In the small size an epoch has 13 batches instead of 600, so we take 18 epochs. A single run says little about tenths of a percent. The paper gives the mean of five runs, and so do we; in the small size it is two.

# %%
epochs, rate = 5 if full else 18, 0.01
plain = []
for seed in range(5 if full else 2):
    model, sgd = PaperC(rng=seed), mg.optim.SGD(rate)
    history = mg.fit(model, data, epochs, 100, sgd, rng=100 + seed, compiled=machine_code, progress=False)
    plain.append(100 * history.epochs[-1].test_accuracy)


def shown_range(values):
    return f"{np.mean(values):.2f} % ({min(values):.2f} to {max(values):.2f})"


print(f"test accuracy, mean of {len(plain)} runs: {shown_range(plain)}")
print("quoted, for real MNIST: paper C 96.20 % (mean of 5), Keras 96.55 %, Flux 95.36 %")

# %% [markdown]
# Look at the range of the seeds, which in the full size is that of real MNIST. With one run each, which of the three engines quoted from the paper would you call the best? PyTorch, from the same first weights, is asked in the optional [lesson 13b](13b_three_ways_to_convolve.ipynb).
#
# ## Better, with the same network
#
# Now Adam of lesson 11, and a rate that grows for a while and then decreases along half a cosine. Which accuracy will it reach, for two seeds?

# %%
longer, top = (10, 0.005) if full else (12, 0.004)
batches = longer * -(-len(data.train_x) // 100)


def recipe():
    return mg.optim.Adam(mg.optim.warmup(mg.optim.cosine(top, batches), batches // 20))


def reached(network, images, seed):
    """Test accuracy in %, with this recipe."""
    run = mg.fit(network, images, longer, 100, recipe(), rng=100 + seed, compiled=full and machine_code, progress=False)
    return 100 * run.epochs[-1].test_accuracy


better = [PaperC(rng=seed) for seed in range(2)]
best = [reached(network, data, seed) for seed, network in enumerate(better)]
print(f"SGD, {epochs} epochs:   {shown_range(plain)}")
print(f"Adam, {longer} epochs: {shown_range(best)}")
print("the ranges", "overlap" if min(best) <= max(plain) else "do not overlap")
assert min(best) >= 98.8 or not full

# %% [markdown]
# ## What did it learn?
#
# Here are the six filters of the first layer of one of the better networks. Which of them respond to an edge, and in which direction?
#
# Below them are the feature maps of one digit, after layer 1 and after layer 3. Orange is positive; after ReLU nothing is negative.

# %%
mg.viz.Weights(better[0].conv1, name="the filters of layer 1").show()
digit = data.test_x[3:4]
mg.viz.Activations(lambda x: better[0].layers(x)[0], digit, name="feature maps after layer 1").show()
mg.viz.Activations(lambda x: better[0].layers(x)[2], digit, name="feature maps after layer 3").show()

# %% [markdown]
# After layer 1 you can still recognise the digit. The maps after layer 3 respond to combinations of what the first filters found, and we have no words for most of them.
#
# ## What are neighbours worth?
#
# Back to the shuffled pictures. The recipe is the one from above, for a dense network with about as many weights and for our convolutional one; each on the digits as they are and shuffled, for two seeds. Which of the two will lose by the shuffle?
#
# {guess "How many points of accuracy will the convolutional network lose?": points | lost}

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
text += f"\nOne run on {n:,} test digits has a spread of {chance:.2f} points (lesson 10)."
assert full or abs(np.subtract(*map(np.mean, worth["dense"]))) < min(3 * chance, lost)
Markdown(text)

# %% [markdown]
# The dense network would lose nothing at all, if we had shuffled its first weights along: compare what it loses with that spread. The convolutional network assumes, before it has seen the first picture, that neighbours belong together and that all places are
# alike. On shuffled pixels that is false: compare what this network loses.
# Whether the assumption helps where it is true is the other question for the table: compare the two networks on the digits as they are. On small data
# the difference may be nothing.

# %% [markdown]
# ## In five lines
#
# 1. A convolution applies the same small filter at every place: so it needs few weights, and what is learned at one place applies at all.
# 2. The adjoint of its input is the adjoint of its output, with a frame of zeros, convolved with the filter rotated by half a turn. To get the adjoint of the filter, slide the output's adjoint over the input.
# 3. Max pooling sends each adjoint to the largest entry of its window; at a tie there is no derivative, and the first entry gets it.
# 4. A mistake in the rotation shows in the dot-product test, with filters that have no symmetry.
# 5. A convolutional network assumes that neighbours belong together and that all places are alike. Where that is false, it may harm.
#
# ## Next
#
# [Exercise 13](../exercises/13_convolutional_networks/13_convolutional_networks.ipynb): write the convolution's adjoints, and the convolution in three ways, and measure them.
#
# Optional: [lesson 13b](13b_three_ways_to_convolve.ipynb), in which PyTorch is asked, and convolutions are computed in three ways.
#
# [Your own engine](../project/project.ipynb): a convolution is one of its choices, milestone 9.
#
# Then [lesson 14](14_autoencoder.ipynb): a network that has to copy its input through a few numbers.

# %% [markdown]
# ## Further
#
# ### The mean instead of the largest
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
# ### Go on after a break
#
# In the full size training takes minutes, and for a larger network hours. What if the computer goes off meanwhile? With `checkpoint=` and the name of a file, `fit` writes
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
whole = mg.fit(PaperC(rng=0), data, 2, 100, mg.optim.SGD(rate), rng=100, compiled=machine_code, progress=False)
without_a_break = whole.losses
print(f"{len(continued.losses)} batches, the same losses: {continued.losses == without_a_break}")
assert continued.losses == without_a_break

# %% [markdown]
# ### The same code, other pictures
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
# ### The source
#
# - [minigrad/ops/conv.py](../minigrad/ops/conv.py): the one sum and its three factors. [minigrad/ops/pool.py](../minigrad/ops/pool.py): which entry gets the adjoint.
# - [minigrad_course/measure/conv_ways.py](../minigrad_course/measure/conv_ways.py): direct, im2col, FFT. [minigrad/native/convolution.py](../minigrad/native/convolution.py) and [tile.py](../minigrad/native/tile.py): the kernels of the compiled step.
# - [minigrad/nn/convolutional.py](../minigrad/nn/convolutional.py): the layers. [minigrad_course/peers](../minigrad_course/peers/pytorch_networks.py): the network in PyTorch.
#
# ### The papers
#
# - C: Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*: the network, the settings, and the figures.
# - Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, *Gradient-based learning applied to document recognition* (1998): MNIST, and the network that this one descends from.
# - M. Mathieu, M. Henaff, Y. LeCun, *Fast training of convolutional networks through FFTs* (2013, [arXiv:1312.5851](https://arxiv.org/abs/1312.5851)).
# - H. Xiao, K. Rasul, R. Vollgraf, *Fashion-MNIST* (2017, [arXiv:1708.07747](https://arxiv.org/abs/1708.07747)).
