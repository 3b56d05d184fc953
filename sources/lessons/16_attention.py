# Lesson 16. What a reader has behind them: trace tables (04), softmax (07), compiled steps (08, 09), long memory (12).

# %% [markdown]
# # 16 · Attention: looking back instead of remembering
#
# In [lesson 12](12_gru_lstm.ipynb) a network read a long sequence and had to remember two numbers of it. Everything that it would need later had to be carried, step by step, through one state. Gates
# made that possible. But why carry anything? The sequence is still there.
#
# **How can a network look back at what matters, without carrying it step by step?**
#
# By the end you will have
#
# - solved lesson 12's task in a single look;
# - computed one head of attention by hand, forward and backward, with its trace table;
# - derived the adjoint of the softmax, and seen what breaks without a square root;
# - written a small GPT, and trained it on this course's own words;
# - pointed at a letter, and seen which letters it looks at.
#
# *Time: about 40 minutes{first run}.* The next cell says which size runs. **Small**: one block, on the glossary. **Full**: three wider blocks on the text of the lessons, some minutes.

# %%
import json
import re

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad import nn
from minigrad_course import lessons
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_attention import looks

full = mg.data.size() == "full"
print(f"Size: {mg.data.size()}. The other one: open the course by `minigrad lab --size {'small' if full else 'full'}`.")

limits = threadpool_limits(1)  # one thread for each engine, so that comparisons are fair

# %% [markdown]
# ## One look
#
# Imagine a table with a row for each step of the sequence. Each row has a label, the **key** $k_t$, and contents, the **value** $v_t$. You come with a question, the **query** $q$. You compare it with all keys, and take most from the rows that match best:
#
# $$s_t = q \cdot k_t \qquad a = \operatorname{softmax}(s) \qquad y = \sum_t a_t\, v_t$$
#
# The scores $s$ are dot products. The softmax turns them into shares $a$: positive, with sum 1. So $y$ is a mean of the values, weighted by how well their keys match. This is [attention](glossary.ipynb#Attention).
#
# Now lesson 12's **adding problem**: a sequence of random numbers, two of them marked, and at the end the question for their sum. A
# query that finds the marks would solve it in one look.

# %%
steps, batch, updates = (100, 50, 1000) if full else (40, 32, 400)


def adding_problem(n, rng):
    """n sequences (n, steps, 2), number and mark, and the sums (n, 1)."""
    x = np.zeros((n, steps, 2), np.float32)
    x[:, :, 0] = rng.random((n, steps))
    for low, high in ((0, steps // 2), (steps // 2, steps)):
        x[np.arange(n), rng.integers(low, high, n), 1] = 1
    return x, (x[:, :, 0] * x[:, :, 1]).sum(axis=1, keepdims=True)


class OneLook(nn.Module):
    """One query, learned; keys and values from each step; a number from what the look brings."""

    def __init__(self, rng=0, size=8):
        rng = np.random.default_rng(rng)
        self.query = mg.Variable(rng.standard_normal(size).astype(np.float32))
        self.key, self.value = nn.Linear(2, size, rng=rng), nn.Linear(2, size, rng=rng)
        self.dense = nn.Linear(size, 1, rng=rng)

    def shares(self, x):
        return mg.softmax(mg.sum(self.key(x) * self.query, -1))

    def forward(self, x):
        return self.dense(mg.sum(mg.expand_dims(self.shares(x), 2) * self.value(x), 1))


rng = np.random.default_rng(0)
train_x, train_y = adding_problem(batch * updates, rng)
test_x, test_y = adding_problem(1000, rng)
baseline = float(np.square(test_y - 1).mean())
one_look = OneLook()
untrained = one_look.shares(test_x[:1]).value[0]
step = mg.compile(one_look, nn.mse, mg.optim.Adam(0.02), train_x[:batch], train_y[:batch])
step.epoch(train_x, train_y, np.arange(len(train_x)))
error = float(np.square(mg.train.predict(one_look, test_x) - test_y).mean())
print(f"error of always answering 1: {baseline:.4f};  after {updates} updates with one look: {error:.6f}")
assert error < baseline / 20

# %% [markdown]
# Where does it look? Here are the shares of the first test sequence, before and after learning. The two marked steps are red. Before you run it: which shares would let the network find the sum?

# %%
marked = test_x[0, :, 1] == 1
shares = one_look.shares(test_x[:1]).value[0]
figure, axes = plots.canvas(8.4, 2.6, columns=2, sharey=True)
for one, values, title in zip(axes, (untrained, shares), ("before learning", "after learning"), strict=True):
    one.bar(np.arange(1, steps + 1), values, color=np.where(marked, plots.VERMILLION, plots.GREY))
    one.set(xlabel="step", title=f"Shares {title}")
plots.show(
    figure,
    f"The two marked steps get {100 * untrained[marked].sum():.0f} % of all shares before learning and {100 * shares[marked].sum():.0f} % after it.",
)
assert shares[marked].sum() > 0.8

# %% [markdown]
# With a share of about one half for each of the two, $y$ is their mean. Twice the mean is the sum; the dense layer can learn the 2.
#
# No gate has to be open, because nothing is carried. And the gradient? In lesson 12 we asked how much of it arrives at the first step. Ask again: how large is the adjoint of each step's value, before any learning, compared with the last step's?
#
# {guess "How large is the adjoint of the first step, compared with the last?": times the last | sizes[0] / sizes[-1]}

# %%
fresh = OneLook(rng=1)
x = mg.Constant(test_x[:50])
values = fresh.value(x)
a = fresh.shares(x)
loss = nn.mse(fresh.dense(mg.sum(mg.expand_dims(a, 2) * values, 1)), test_y[:50])
loss.backward()
sizes = np.linalg.norm(values.adjoint, axis=(0, 2))
print(
    f"size of the adjoint of each value, in units of the last: {sizes.min() / sizes[-1]:.2f} to {sizes.max() / sizes[-1]:.2f}"
)
print(f"at the first step: {sizes[0] / sizes[-1]:.2f}")
assert sizes.min() / sizes.max() > 0.05

# %% [markdown]
# **No step is far away.** The adjoint of $v_t$ is $a_t\,\bar y$: one product, whatever the distance. In the recurrent networks it was multiplied once for each step in between.
#
# ## One head, by hand
#
# Now small enough for a pencil: a query, two keys and two values, all of them single numbers. Compute $y$ for $q = 1$, $k = (2, 0)$, $v = (3, 5)$: two scores, two exponentials, two shares, one mean. Then **seed** $y$ with 1, and **go back** in the **order** of the table, last row first. Where a number was used twice, **add up**: the query was, and so were both exponentials and their sum. Which of the five inputs get a negative adjoint? Fill in the table on paper before you look.


# %%
def head(q, k1, k2, v1, v2):
    e1, e2 = mg.exp(q * k1), mg.exp(q * k2)
    total = e1 + e2
    return e1 / total * v1 + e2 / total * v2


table = mg.trace(head, 1.0, 2.0, 0.0, 3.0, 5.0)
table.reverse()

# %% [markdown]
# Read the adjoints from the bottom. The adjoints of the values are the shares, and add up to 1. The adjoints of the two keys are each
# other's opposite: to raise one score is to lower the share of the other.
#
# Both statements hold for any numbers. Shares always add up to 1; and the adjoints of the keys are those of the scores, times $q$, which add up to 0, as the next section shows.
#
# ## The adjoint of the softmax
#
# In the table the softmax took five rows. In one piece: with $a_i = e^{s_i} / \sum_j e^{s_j}$, the derivative is $\partial a_i / \partial s_j = a_i (\delta_{ij} - a_j)$, where $\delta_{ij}$ is 1 for $i = j$ and else 0. So
#
# $$\bar s_j = \sum_i \bar a_i\, a_i (\delta_{ij} - a_j) = a_j \Big( \bar a_j - \sum_i a_i \bar a_i \Big)$$
#
# In words: **the adjoint of a score is how far the adjoint of its share lies above the weighted mean of all of them**, times that share. Two
# consequences, before you run the cell:
#
# - What is the sum of all $\bar s_j$?
# - Add the same number to all scores. How does the result change? What is the derivative with respect to that number?

# %%
scores = mg.Variable(np.random.default_rng(2).standard_normal(6), name="scores")
upstream = np.random.default_rng(3).standard_normal(6)
shares = mg.softmax(scores)
mg.sum(shares * upstream).backward()
a = shares.value
by_hand = a * (upstream - a @ upstream)
says("largest difference from the graph: {:.0e}", np.abs(by_hand - scores.grad).max(), when=lambda apart: apart < 1e-12)
print("sum of the adjoints:              ", scores.grad.sum())
moved = np.abs(mg.softmax(scores.value + 7) - a).max()
says("all scores plus 7, shares differ by: {:.0e}", moved, when=lambda moved: moved < 1e-12)
assert abs(scores.grad.sum()) < 1e-12

# %% [markdown]
# ## Break it: leave out the square root
#
# In a network queries and keys are vectors of $d$ numbers. If these are independent, with mean 0 and variance 1, a dot product has variance $d$: the wider the head, the larger the scores. Nearly everywhere you will find the scores divided by $\sqrt d$:
#
# $$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\Big(\frac{Q K^{\mathsf T}}{\sqrt d}\Big)\, V$$
#
# Is that a detail? Leave it out. By the formula above, what happens to the adjoints of the scores when one share is nearly 1?
#
# {guess "Without the root, how large is the largest share of 32 keys on average, for $d = 256$?": | rows[256][1][0]}

# %%
text = (
    "| d | largest share, with √d | without | size of the scores' adjoint, with √d | without |\n|---|---|---|---|---|\n"
)
rows = {}
for d in (1, 16, 64, 256, 1024):
    row = []
    for scale in (np.sqrt(d), 1.0):
        rng = np.random.default_rng(d)  # the same numbers with and without the root
        queries, keys = rng.standard_normal((200, d)), rng.standard_normal((32, d))
        scores = mg.Variable(queries @ keys.T / scale)
        shares = mg.softmax(scores)
        mg.sum(shares * rng.standard_normal((200, 32))).backward()
        row.append((shares.value.max(axis=1).mean(), np.linalg.norm(scores.grad, axis=1).mean()))
    rows[d] = row
    text += f"| {d} | {row[0][0]:.2f} | {row[1][0]:.2f} | {row[0][1]:.3f} | {row[1][1]:.3f} |\n"
assert rows[1][0] == rows[1][1]
assert rows[1024][1][0] > 0.9
assert rows[1024][1][1] < rows[256][1][1] < rows[64][1][1] < rows[16][1][1]
Markdown(text)

# %% [markdown]
# Without the root a wide head looks at little more than one key, whichever happens to score highest. And from 16 numbers on, the wider it is, the less its
# scores learn: $a_j$ is nearly 0 for all others, and for the one that has it all $\bar a_j$ *is* the mean. It is the saturated sigmoid of
# [lesson 14](14_autoencoder.ipynb) again.
#
# ## Every position asks
#
# So far one query. Now let *each* position of a text ask, with its own query, key and value, made from its own row of numbers by three matrices: **self-attention**. For all positions at once, these are three products of matrices. A layer may do so several times side by side, each time with matrices of its own, and join the results. Each of these looks is a **head**.
#
# Two things are missing before a network can learn to write.
#
# **It must not see the future.** To predict the next letter is easy for somebody who looks at it. So position $i$ may look at positions up to $i$ only: all later scores are set to $-\infty$, whose exponential is 0. This is the [causal mask](glossary.ipynb#Causal-mask).
#
# **It must know where it is.** Attention is a mean, and a mean has no order. What becomes of the last position's result if the earlier ones are shuffled? And through two layers?

# %%
layer = nn.MultiheadAttention(8, 2, batch_first=True, rng=0, dtype=np.float64)
rows = np.random.default_rng(0).standard_normal((1, 5, 8))
shuffled = rows[:, [2, 0, 3, 1, 4]]
outputs = [layer(x, is_causal=True)[0].value[0, -1] for x in (rows, shuffled)]
print(
    "the last position's output, before and after shuffling the others, differs by:",
    f"{np.abs(outputs[0] - outputs[1]).max():.0e}",
)
assert np.allclose(outputs[0], outputs[1])
twice = [layer(layer(x, is_causal=True)[0], is_causal=True)[0].value[0, -1] for x in (rows, shuffled)]
says("through two layers it differs by: {:.2g}", np.abs(twice[0] - twice[1]).max(), when=lambda apart: apart > 1e-4)

x = mg.Variable(rows)
seen = []
for mask in (False, True):
    y, _ = layer(x, is_causal=mask)
    reaches = [mg.adjoints(mg.sum(mg.sin(y[0, i])), [x])[0].value[0] for i in range(5)]
    seen.append(np.linalg.norm(reaches, axis=2))
figure, axes = plots.canvas(7, 3, columns=2)
for one, sizes, title in zip(axes, seen, ("no mask", "causal mask"), strict=True):
    one.imshow(sizes > 0, cmap="Blues", vmin=0, vmax=1.4)
    one.grid(False)
    one.set(title=title, xlabel="input at position", ylabel="output at position", xticks=range(5), yticks=range(5))
later = np.triu(np.ones((5, 5), bool), 1)
plots.show(
    figure,
    f"Blue where an output has a derivative with respect to an input that is not 0: without the mask {(seen[0] > 0).sum()} of 25, with it {(seen[1] > 0).sum()}, none of them later.",
)
assert not seen[1][later].any()
assert seen[1][~later].all()

# %% [markdown]
# The derivative with respect to anything later is exactly 0. And to one layer a shuffled past makes no difference. Two layers do notice: under the mask, what a position passes on depends on which others come before it. To know its place at once, each position gets a row of numbers of its own, learned, which is added to the row of its letter.
#
# *This is a good place to stop and rest.*
#
# ## A small GPT
#
# Here is the whole network. A letter is a row of a table, and so is its place ([embedding](glossary.ipynb#Embedding)). Then come blocks, each of which first looks around and then thinks:
#
# $$x \leftarrow x + \operatorname{attention}(\operatorname{norm}(x)) \qquad x \leftarrow x + W_2 \operatorname{gelu}(W_1 \operatorname{norm}(x) + b_1) + b_2$$
#
# Each half of a block *adds* to $x$, which is called a [residual connection](glossary.ipynb#Residual-connection). You have seen why that is good for the gradient: the LSTM's cell does the same. `gelu` is a soft ReLU, much like lesson 15's swish. `norm` gives each position mean 0 and variance 1, and then a scale and a shift that are learned ([layer normalization](glossary.ipynb#Layer-normalization)). At the end, a score for each possible next letter.
#
# First the text: this course's own words.

# %%
wanted = re.compile(r"(\d\d_\w+|glossary)\.ipynb") if full else re.compile(r"glossary\.ipynb")
texts = []
for source, place in sorted(lessons.files(), key=lambda pair: str(pair[1])):
    if place.parts[0] == "notebooks" and wanted.fullmatch(place.name):
        cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
text = re.sub(r"\$[^$]*\$|<[^>]*>", "", "\n".join(texts))  # no formulas
text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).lower()  # of links, the words
text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^a-z.,:;\n -]", "", text))
alphabet = sorted(set(text))
numbers = np.array([alphabet.index(letter) for letter in text])
print(f"{len(text):,} letters, {len(alphabet)} different ones: {''.join(alphabet)!r}")
print(text[1000:1300])

# %%
length, size, blocks, batch, updates = (64, 64, 3, 32, 3000) if full else (32, 32, 1, 16, 1200)


class GPT(nn.Module):
    """Scores for the letter after each letter."""

    def __init__(self, rng=0):
        rng = np.random.default_rng(rng)
        self.letters = nn.Embedding(len(alphabet), size, rng=rng)
        self.places = nn.Embedding(length, size, rng=rng)
        self.blocks = [nn.TransformerBlock(size, 4, batch_first=True, rng=rng) for _ in range(blocks)]
        self.norm = nn.LayerNorm(size)
        self.scores = nn.Linear(size, len(alphabet), bias=False, rng=rng)

    def rows(self, x):
        return self.letters(x) + self.places.weight[: x.shape[1]]

    def forward(self, x):
        h = self.rows(x)
        for block in self.blocks:
            h = block(h, is_causal=True)
        return self.scores(self.norm(h))


def next_letter(output, y):
    """The mean cross-entropy over all positions of all texts."""
    return nn.cross_entropy(output.reshape(-1, len(alphabet)), y.reshape(-1))


def pieces(part, n, rng):
    """n pieces of a text, and the same pieces one letter later."""
    starts = rng.integers(0, len(part) - length, n)
    both = part[starts[:, None] + np.arange(length + 1)]
    return np.ascontiguousarray(both[:, :-1]), np.ascontiguousarray(both[:, 1:])


rng = np.random.default_rng(0)
cut = len(numbers) * 9 // 10
train_x, train_y = pieces(numbers[:cut], updates * batch, rng)
test_x, test_y = pieces(numbers[cut:], 200, rng)
model = GPT()
print(f"{sum(p.size for p in model.parameters()):,} weights; pieces of {length} letters")

# %% [markdown]
# A piece of $T$ letters is $T$ examples at once: each position predicts its own next letter, and the mask sees to it that none of them cheats.
#
# What is the loss of somebody who holds all letters equally likely? How low could somebody get who knows only the frequencies of the letters, or of pairs of letters?
#
# {guess "What is the loss of somebody who holds all letters equally likely?": | by_nothing}

# %%
by_nothing = np.log(len(alphabet))
frequency = np.bincount(numbers[:cut], minlength=len(alphabet)) / cut
by_frequency = -np.log(frequency[test_y]).mean()
pairs = np.ones((len(alphabet), len(alphabet)))  # each pair once, so that none is impossible
np.add.at(pairs, (numbers[: cut - 1], numbers[1:cut]), 1)
by_pairs = -np.log((pairs / pairs.sum(axis=1, keepdims=True))[test_x, test_y]).mean()
cheating = np.zeros(pairs.shape)  # counted on the test pieces themselves: nobody who looks at one letter can do better
np.add.at(cheating, (test_x, test_y), 1)
at_best = -np.log((cheating / np.maximum(1, cheating.sum(axis=1, keepdims=True)))[test_x, test_y]).mean()


def test_loss():
    return float(next_letter(mg.Constant(mg.train.predict(model, test_x)), test_y).value)


print(f"all letters equally likely: {by_nothing:.2f}")
print(f"by their frequency:         {by_frequency:.2f}")
print(f"by the letter before:       {by_pairs:.2f}, at best {at_best:.2f}")
says("the network, untrained:     {:.2f}", test_loss(), when=lambda loss: loss > by_nothing)

# %% [markdown]
# The untrained network's scores are not equal but random, and that is worse.
#
# ### Train, and let it write
#
# The optimizer is AdamW: Adam that also makes each weight a little smaller in each step. The rate warms up and then falls along a cosine. Every few hundred updates the network writes: it draws a letter by its scores, appends it, and asks again.


# %%
def write(n, start="\n", seed=0, warmth=0.7):
    """n letters after `start`, drawn one by one. warmth: below 1, likely letters become more likely."""
    rng = np.random.default_rng(seed)
    written = [alphabet.index(letter) for letter in start]
    for _ in range(n):
        scores = model(np.array([written[-length:]])).value[0, -1] / warmth
        odds = np.exp(scores - scores.max())
        written.append(int(rng.choice(len(alphabet), p=odds / odds.sum())))
    return "".join(alphabet[k] for k in written)


rate = mg.optim.warmup_cosine(0.003 if full else 0.006, warm=50, steps=updates)
program = mg.compile(model, next_letter, mg.optim.AdamW(rate), train_x[:batch], train_y[:batch])
losses = []
for part in np.array_split(np.arange(updates * batch).reshape(updates, batch), 4):
    losses += list(program.epoch(train_x, train_y, part.ravel()))
    print(f"--- after {len(losses):,} updates, test loss {test_loss():.2f}", write(100), sep="\n")

# %%
figure, axes = plots.canvas(8, 3)
width = updates // 40
smooth = np.convolve(losses, np.full(width, 1 / width), mode="valid")
axes.plot(np.arange(width, updates + 1), smooth, color=plots.BLUE)
for level, words in ((by_frequency, "by frequency"), (by_pairs, "by the letter before")):
    axes.axhline(level, color=plots.GREY, lw=1, ls="--")
    plots.label(axes, updates, level, words, plots.GREY, ha="right", va="bottom")
axes.set(xlabel="update", title=f"Loss while training, mean of {width} updates")
reached = test_loss()
plots.show(
    figure,
    f"The loss falls from {smooth[0]:.2f} to {smooth[-1]:.2f}; on text that was not trained on it is {reached:.2f}, and {by_pairs:.2f} for somebody who looks at one letter only.",
)
assert reached < at_best < by_pairs < by_frequency < by_nothing

# %% [markdown]
# It beats the table of pairs, on text that it has not seen. Does it look farther back than one letter, then? A better use of one letter could be enough. But no use of one letter could beat a table of pairs that was counted on the test text itself, and the network does. If its loss at the end of training and that on the unseen text are far apart, it has begun to learn its text by heart; a glossary is short.
#
# ## Who looks at whom
#
# **Point at a letter** (or focus the picture and use the arrow keys). Each row is a head of the first block; the bluer a letter, the larger its share. Is there a head that looks at the letter before? One that looks everywhere?

# %%
sample = text[1000 : 1000 + length]
x = np.array([[alphabet.index(letter) for letter in sample]])
block = model.blocks[0]
_, shares = block.self_attn(block.norm1(model.rows(x)), is_causal=True, average_attn_weights=False)
looks(sample, shares.value[0])

# %% [markdown]
# How far back does each head look, on average over all positions?

# %%
distance = np.arange(length)[:, None] - np.arange(length)
for k, one in enumerate(shares.value[0], 1):
    print(
        f"head {k}: {(one * distance).sum(axis=1).mean():5.1f} letters back; {100 * np.diag(one, -1).mean():3.0f} % on the letter before"
    )
print(f"equally at everything: {np.arange(length).mean() / 2:.1f} letters back")

# %% [markdown]
# A word of caution. A share says where a head *takes from*, not what the network does with it. Treat such a picture as a question, and test the answer: change the letter, and see what changes.
#
# ## What grows with the square
#
# Nothing is carried, and the price is paid elsewhere: each of $T$ positions compares itself with each of $T$. Count the bytes of the graph's arrays, forward, for twice the length, and twice again: those with an entry for each *pair* of positions, and all others. By which factors will they grow?


# %%
def by_shape(steps):
    """Bytes of attention's arrays with a number for each pair of positions, and of all others."""
    layer = nn.MultiheadAttention(32, 4, batch_first=True, rng=0)
    y, _ = layer(mg.Variable(np.zeros((4, steps, 32), np.float32)), is_causal=True)
    nodes = [node for node in mg.Graph(y).nodes if isinstance(node, mg.Operator)]
    sizes = [(4 * node.size, node.shape[-2:] == (steps, steps)) for node in nodes if node.dtype == np.float32]
    return sum(n for n, pair in sizes if pair), sum(n for n, pair in sizes if not pair)


counted = {steps: by_shape(steps) for steps in (64, 128, 256, 512)}
for steps, (pair, other) in counted.items():
    print(f"{steps:3} positions: {pair:12,} bytes for pairs, {other:12,} others")
growth = np.divide(counted[512], counted[256])
says(
    "twice the length: {:.2f} times the bytes for pairs, {:.2f} times the others",
    *growth,
    when=lambda pairs, others: abs(pairs - 4) < 0.04 and others < 2.6,
)

# %% [markdown]
# This is why long texts are expensive for such networks, and why so much work goes into doing without that square of numbers: computing it in pieces that are never all there at once, as a checkpointed loop does with its states, or leaving most pairs out.
#
# The recurrent network pays with a chain of $T$ steps, one after the other, but its state has one size. Attention pays with $T^2$ scores, none of which waits for another. Neither is free.

# %% [markdown]
# ## In five lines
#
# 1. Attention compares a query with all keys, and takes a mean of the values, weighted by the softmax of the scores.
# 2. The way from any position to any other is one operation long, so no gradient vanishes with the distance; the price is a number for each pair of positions.
# 3. The softmax's adjoint is $\bar s_j = a_j(\bar a_j - \sum_i a_i \bar a_i)$: it adds up to 0, and vanishes where one share is nearly 1. Hence the $\sqrt d$.
# 4. A causal mask makes the derivative with respect to everything later exactly 0; without numbers for the places, one layer does not see the order of the past.
# 5. A GPT is embeddings, blocks that look around and then think, and a score for each next letter.
#
# ## Your turn
#
# Exercise: [exercises/16_attention](../exercises/16_attention/16_attention.ipynb). A masked softmax, one head and its adjoints, places as waves, and a sampler, in plain NumPy.
#
# **Next: [17 · The derivative of an answer](17_derivative_of_an_answer.ipynb).** Everything so far was differentiated step by step. What if the steps are a search, and only their result counts?

# %% [markdown]
# ## Further
#
# ### Is it right? Ask PyTorch
#
# PyTorch's `TransformerEncoderLayer` has the same equations and, not by chance, the same names for its weights. So it can start from ours and train on the same pieces in the same order. How far apart will the losses be?

# %%
from types import SimpleNamespace

from minigrad_course import peers
from minigrad_course.measure import per_step
from minigrad_course.measure.result import show_count

count = 300 if full else 60
few = SimpleNamespace(
    train_x=train_x[: count * batch], train_y=train_y[: count * batch], test_x=test_x[:0], test_y=test_y[:0]
)
twin = GPT()
first_weights = twin.state_dict()
ours = mg.fit(
    twin, few, 1, batch, mg.optim.AdamW(0.002), loss=next_letter, rng=1, compiled=True, progress=False
)  # fmt: skip
try:
    theirs = peers.train_in_pytorch(
        "gpt", first_weights, few, epochs=1, batch_size=batch, lr=0.002, rng=1, threads=1, count=False, optimizer="adamw"
    )  # fmt: skip
    apart = np.abs(np.array(ours.losses) - theirs.history.losses).max()
    print(
        f"{theirs.engine}: {count} updates, loss {theirs.history.losses[0]:.6f} at first and {theirs.history.losses[-1]:.6f} at last"
    )
    print(
        f"minigrad:  loss {ours.losses[0]:.6f} at first and {ours.losses[-1]:.6f} at last; farthest apart {apart:.1e}"
    )
    assert apart < 1e-3
    bias = np.split(theirs.first_gradients["blocks.0.self_attn.in_proj_bias"], 3)
    print(
        "largest derivative with respect to the bias of queries, keys, values:",
        *(f"{np.abs(b).max():.1e}" for b in bias),
    )
    assert np.abs(bias[1]).max() < 1e-4 * np.abs(bias[0]).max()  # that of the keys is rounding
except peers.PeerError as reason:
    theirs = None
    print(reason)

# %% [markdown]
# Look at the last line. The derivative with respect to the bias of the *keys* is nothing but rounding. You know why: a bias on all keys
# adds the same number to all scores of a row, and the softmax does not see it. The parameter is there by habit.
#
# ### The step as one program
#
# The whole training step, letters to AdamW, is a program that you can read. Here are its products of matrices and its attention. A block
# has four going forward: for queries, keys and values together, for what attention returns, and two after it; pieces that occur more than
# once stand in functions of their own. Where is $Q K^{\mathsf T}$? Then `print(program.source)`, and read
# [heads.py](../minigrad/native/heads.py), where the loops over texts and heads are.

# %%
lines = [line.strip() for line in program.source.splitlines() if re.match(r" +(matmul|attend\w*)\(", line)]
print(f"{len(program.source.splitlines()):,} lines, {len(lines)} of them products of matrices or attention:")
print("\n".join(lines[:12]))
assert any(line.startswith("attend_back") for line in lines)

# %%
out = np.zeros(100, np.float32)
order = np.arange(100 * batch)
more, _ = per_step(lambda n: program.epoch(train_x, train_y, order[: n * batch], out=out[:n]), 20, 100, bytes="arrays")
more = show_count(more and max(0, more))
print(f"arrays of the program: {program.buffers.bytes:,} bytes, made once; {more} more bytes in a step")

# %% [markdown]
# And a race: 50 updates of ours, 50 of PyTorch's, in turns, on the same pieces, one thread each. We report whatever comes out.

# %%
part = SimpleNamespace(
    train_x=train_x[: 50 * batch], train_y=train_y[: 50 * batch], test_x=test_x[:0], test_y=test_y[:0]
)
report = "no PyTorch here, and so no race"
if theirs:
    turns = peers.take_turns(
        {"minigrad, compiled": lambda: program.epoch(part.train_x, part.train_y, order[: 50 * batch], out=out[:50])},
        {"PyTorch": first_weights}, "gpt", part, batch_size=batch, lr=0.002, optimizer="adamw", rounds=5, threads=1,
    )  # fmt: skip
    report = peers.turns_table(turns, 50)
Markdown(report)

# %% [markdown]
# ### Read it now
#
# - [minigrad/nn/attention.py](../minigrad/nn/attention.py): embedding, heads, mask and block. [minigrad/nn/layers.py](../minigrad/nn/layers.py): `LayerNorm`, `GELU`.
# - [minigrad/ops/attend.py](../minigrad/ops/attend.py): attention as one operation, its adjoint, and its second derivative; [minigrad/ops/reduce.py](../minigrad/ops/reduce.py): `normalize`.
# - [minigrad/training/optim.py](../minigrad/training/optim.py): `AdamW`, and `warmup_cosine` beside the other schedules.
# - [minigrad_course/viz/pictures_of_attention.py](../minigrad_course/viz/pictures_of_attention.py): the picture. [minigrad_course/peers/pytorch_networks.py](../minigrad_course/peers/pytorch_networks.py): this GPT as PyTorch writes it.
#
# ### The papers
#
# - D. Bahdanau, K. Cho, Y. Bengio, *Neural machine translation by jointly learning to align and translate* (2015): attention, beside a recurrent network.
# - A. Vaswani and others, *Attention is all you need* (2017, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)): without one, and the $\sqrt d$.
# - A. Radford and others, *Language models are unsupervised multitask learners* (2019): GPT-2. A. Karpathy's *nanoGPT* is a short one to read in PyTorch.
# - T. Dao and others, *FlashAttention* (2022, [arXiv:2205.14135](https://arxiv.org/abs/2205.14135)): some queries at a time, and the shares found again.
# - S. Jain, B. Wallace, *Attention is not explanation* (2019, [arXiv:1902.10186](https://arxiv.org/abs/1902.10186)): a word of caution, in full.
