# Lesson 15. What a reader has behind them: all before it. The race is benchmarks/, run from here and read with care; the operation is
# CONTRIBUTING.md's five minutes. The exercise adds another one.

# %% [markdown]
# # 15 · The race, and your own operation
#
# Somebody shows you a bar chart. Their bar is the longest. *"Three times as fast as PyTorch."*
#
# What do you ask, before you believe it?
#
# In the first half of this lesson you run such a race yourself, on this computer, now, and examine it with six questions. You will see how true figures can mislead.
#
# In the second half the package becomes **yours**. You add an operation that it does not have, from the formula to the compiled program,
# and train a network with it.
#
# *Time: about 50 minutes{first run}.* **Small**: the race has one network, on the embedded digits. **Full**: it has the three networks of the papers, on real MNIST, and takes several minutes.

# %%
import json
import tempfile
from pathlib import Path

import numpy as np
from IPython.display import Markdown, display
from threadpoolctl import threadpool_limits

import minigrad as mg
from benchmarks import machine, race, report
from benchmarks.engines import ENGINES
from minigrad_course.measure import repeat
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_speed, plots

data = mg.data.for_lesson()
full = data.name == "mnist"

# %% [markdown]
# ## A race that somebody ran
#
# The repository contains the results of its benchmark, and the circumstances. Read the circumstances first: on which machine, when, with
# which data.

# %%
stored = json.loads(Path(race.RESULTS, "race.json").read_text(encoding="utf-8"))
print(stored["when"], "on", stored["data"], "(a quick race)" if stored["quick"] else "")
print(report.machine_text(stored["machine"]))
print(*stored["left_out"], sep="\n")

# %% [markdown]
# Your machine is another one, so these are not *your* figures. And the race was written by the people whose engine is in it. In a terminal, `make bench` runs all of it again. Each dot is one round. Before you read the medians: in which pictures would you not bet on the order?


# %%
COLOURS = {
    "minigrad": plots.VERMILLION, "JAX": plots.BLUE, "torch.compile": plots.GREEN, "PyTorch eager": plots.PURPLE,
}  # fmt: skip


def rounds_of(one):
    """Steps a second of each engine in each round, fastest first."""
    rows = sorted(one["rows"], key=lambda row: -report.steps_per_second(row, one))
    return {row["title"]: [one["steps"] / seconds for seconds in row["seconds"]] for row in rows}


for one in stored["races"]:
    pictures_of_speed.turns(rounds_of(one), title=f"{one['title']}, {report.cores(one['threads'])}", colours=COLOURS)

# %% [markdown]
# ## A race of your own
#
# Now on your machine. Write down three rules that make it fair, and compare them with [benchmarks/README.md](../benchmarks/README.md), *How it is made fair*. An engine that is not installed does not take part, and says so:

# %%
entered = ("minigrad", "pytorch", "jax")
for name in entered:
    print(ENGINES[name].missing() or f"{ENGINES[name].title} takes part.")
print("torch.compile does not take part here; `make bench` has it.")

# %% [markdown]
# In the small size we race lesson 14's autoencoder: one picture a step, 300 steps a round. Each engine runs in a process of its own, bound to the same processor, and they take turns.
#
# {guess "Which engine will be the fastest in the first picture, by the medians?": minigrad, PyTorch eager, JAX | next(iter(rounds_of(races[0])))}

# %%
arrays = {name: getattr(data, name) for name in ("train_x", "train_y", "test_x", "test_y")}
plans = {"autoencoder": race.Plan(steps=300, rounds=9, judged=9, counted=10)}
if full:
    plans = {name: race.FULL[name] for name in ("rnn", "cnn", "autoencoder")}
blas = machine.best_blas()[0] if full else {}
races = []
with tempfile.TemporaryDirectory() as folder:
    race.prepare(arrays, Path(folder), max(plan.rounds for plan in plans.values()))
    for network, plan in plans.items():
        racers = [(name, ENGINES[name].modes[network][0]) for name in entered if not ENGINES[name].missing()]
        races.append(race.run(network, racers, 1, plan, Path(folder), arrays, blas, thorough=full))
for one in races:
    pictures_of_speed.turns(rounds_of(one), title=f"{one['title']}, here and now", colours=COLOURS)

columns = ["engine", "steps/s", "min to max", "compile s", "bytes/step", "loss", "test", "losses differ by"]


def shown(one, columns):
    """Some columns of the benchmark's own table, as Markdown."""
    places = [report.HEAD.index(column) for column in columns]
    rows = [[row[k] for k in places] for row in report.table(one)]
    return f"**{report.heading(one)}**\n\n{report.grid(columns, rows)}\n\n" + " ".join(report.remarks(one, [one]))


Markdown("\n\n".join(shown(one, columns) for one in races))

# %% [markdown]
# Now examine it.
#
# ## Question 1: was it the same work?
#
# The fastest program is the one that does nothing. So the first thing to compare is not the time, but the results. The engines had the same first weights, the same pictures in the same order: look at the columns *loss*,
# *test* and *losses differ by*. Could one of them have left out a gradient?
#
# About $10^{-7}$ of a loss is what float32 may lose when sums are added in another order. How large is the difference if the work is not quite the same? Here is our step in three versions: the right one, one that leaves out the gradient of the biases, and one whose learning rate is a thousandth too large. Can you tell from the time, or from the losses?


# %%
def squares(output, target):
    return ((output - target) ** 2).sum()


def train(cheat, x=data.train_x[:200]):
    """Losses of 200 steps of a small autoencoder, and the seconds that they took."""
    rng = np.random.default_rng(0)
    layers = mg.nn.Linear(784, 30, rng=rng), mg.nn.Sigmoid(), mg.nn.Linear(30, 784, rng=rng), mg.nn.Sigmoid()
    model = mg.nn.Sequential(*layers)
    if cheat == "no bias gradients":
        for layer in (layers[0], layers[2]):
            layer.bias = mg.Constant(layer.bias.value)
    step = mg.train.Step(model, squares, x[:1], x[:1])
    optimizer, losses = mg.optim.SGD(0.02 * (1.001 if cheat == "rate 0.1 % too large" else 1)), []
    with mg.measure(None) as m:
        for row in x:
            losses.append(step.run(row[None], row[None]))
            optimizer.step(model.parameters())
    return np.array(losses), m.seconds


honest, seconds = train("")
print(
    f"honest:               {seconds * 1e3:5.0f} ms, loss {honest[0]:.1f} at first, {honest[-20:].mean():.4f} on average over the last 20"
)
assert honest[-20:].mean() < honest[0]
for cheat in ("no bias gradients", "rate 0.1 % too large"):
    losses, seconds = train(cheat)
    apart = np.max(np.abs(losses - honest) / np.maximum(1, honest))
    print(
        f"{cheat:21} {seconds * 1e3:5.0f} ms, loss {losses[0]:.1f} at first, {losses[-20:].mean():.4f} over the last 20; differs by {apart:.0e}"
    )
    assert losses[-20:].mean() < losses[0]
    assert apart > 1e-4

# %% [markdown]
# Every one of them *trains*. A decreasing loss proves little, and the time proves nothing. The difference between two loss curves from the same start shows such mistakes clearly: compare it with the rounding of $10^{-7}$. The benchmark does not accept two trainings as the same if their first losses differ by more than $5\cdot10^{-5}$, of the loss where that is above 1.
#
# ## Question 2: what is noise?
#
# Look at the dots again. Rounds of the same work on the same machine differ. Suppose you may choose: *your best round against the other's worst*. All figures are true. What is the best that each engine can claim?

# %%
one = races[-1]
rounds = rounds_of(one)
names = list(rounds)
print("the ratio of the medians, and the largest and smallest ratio that a choice of rounds can give:")
for other in names[1:]:
    ours, theirs = rounds[names[0]], rounds[other]
    most, least = max(ours) / min(theirs), min(ours) / max(theirs)
    print(f"{names[0]} / {other}: {np.median(ours) / np.median(theirs):.2f} times;  {most:.2f} or {least:.2f}")
if (share := report.undisturbed(one)) is not None:
    verdict = "too little" if share < 0.95 else "good"
    print(f"the engines had their processor {100 * share:.0f} % of the time: {verdict}")

# %% [markdown]
# Three habits help. **Take turns**, so that a slow minute of the machine affects everybody. Use the [median](glossary.ipynb#Median), which one bad round does not change much, and show the slowest and the fastest beside it. And measure **how much of the processor you had**: if others used it, say so, and measure again.
#
# How many rounds are enough? Draw rounds again and again at random from those that you have, and see how much the ratio of medians varies. Statisticians call it the *bootstrap*.

# %%
rng = np.random.default_rng(0)
for other in names[1:]:
    ours, theirs = (rng.choice(rounds[name], (2000, len(rounds[name]))) for name in (names[0], other))
    low, high = np.percentile(np.median(ours, axis=1) / np.median(theirs, axis=1), [2.5, 97.5])
    sure = "faster" if low > 1 else "slower" if high < 1 else "not decided"
    print(f"{names[0]} / {other}: {low:.2f} to {high:.2f} in 95 of 100 draws: {sure}")

# %% [markdown]
# If 1 lies between the two numbers, it is not decided which engine is faster. And a digit that changes from draw to draw does not belong in a table.
#
# ## Question 3: what is in the seconds?
#
# The papers' first epochs contain compiling, and so they look slow: paper B prints 4.85 s, then 1.76, then 1.41. Leaving compilation
# out would be just as wrong: show both. Then ask the question of lesson 09: *after how many steps is compiling worth it?*


# %%
def pays(fast, slow):
    """After how many steps the fast one has caught up, its compiling included; None if never."""
    s, f = (1 / report.steps_per_second(row, one) for row in (slow, fast))
    more = report.compile_seconds(fast) - report.compile_seconds(slow)
    return max(0, more / (s - f)) if s > f else None


eager = next((row for row in one["rows"] if row["engine"] == "pytorch"), one["rows"][-1])
for row in one["rows"]:
    if row is not eager:
        steps, ready = pays(row, eager), report.compile_seconds(row)
        when = "never, in these rounds" if steps is None else f"after {steps:,.0f} steps"
        print(f"{row['title']:10} ready after {ready:5.1f} s; ahead of {eager['title']} {when}")

# %% [markdown]
# An epoch of the essay has 60,000 steps. For which trainings would you compile?
#
# ## Question 4: how many threads?
#
# All engines had one processor. Give one of them more, and it is a different race. And more is not always faster. Here are matrix products, small and large, with one thread of BLAS and with all of them. Where will more threads help?

# %%
cores = machine.cores()
for size in (32, 128, 1024):
    a = np.ones((size, size), np.float32)
    times = {1: [], cores: []}
    for _ in range(9):  # the two take turns
        for threads, measured in times.items():
            with threadpool_limits(threads):
                measured.append(1e6 * repeat(lambda a=a: a @ a, repeats=1, bytes=None).seconds)
    text = "   ".join(
        f"{t} thread{'s' * (t > 1)} {np.median(s):9.1f} µs ({min(s):.1f} to {max(s):.1f})" for t, s in times.items()
    )
    print(f"{size:5} x {size:<5} {text}")

# %% [markdown]
# A product that takes a few microseconds may be finished before a second thread has started. And where the other processor is busy, all threads
# wait for the one that has to share it. So "we used all cores" may
# help one workload and harm another. Say how many threads, and look at one processor first. With
# several, compare with the other engine's *best* number of threads, which may be one.
#
# ## Question 5: whose bytes?
#
# Two columns of bytes may count two different things. Here all engines were counted by one method, memray, which sees every allocation of the process, in rounds that were not timed. For minigrad there is a second counter, exact for arrays. Do the two agree?

# %%
for row in one["rows"]:
    counted = row.get("count", {})
    if "bytes_per_step" in counted:
        size, number = (max(0, counted[f"{what}_per_step"]) for what in ("bytes", "allocations"))
        print(f"{row['title']:14} {size:12,.0f} bytes and {number:7.1f} allocations a step, by memray")
    else:
        print(f"{row['title']:14} not counted: {' '.join(counted.get('notes', ['memray is missing']))}")
    if "bytes_per_step" in (exact := row.get("count_arrays", {})):
        print(f"{row['title']:14} {max(0, exact['bytes_per_step']):12,.0f} bytes of arrays, by NumPy's own hook")

# %% [markdown]
# ## Question 6: fast, compared with what?
#
# A race tells you which engine is faster. It does not tell whether both are slow. For that you need something that is not an engine: what
# the machine *can* do. Between the rounds the benchmark multiplies large matrices, and it counts the arithmetic of a step.
#
# {guess "What share of that speed will minigrad reach?": % | 100 * shares["minigrad"]}

# %%
print(f"this machine, one processor: {one['peak']:.0f} GFLOP/s in large products")
print(f"a step needs {one['flop'] / 1e6:.1f} MFLOP")
shares = {row["title"]: report.share_of_peak(row, one) for row in one["rows"]}
for title, share in shares.items():
    print(f"{title:14} {100 * share:5.1f} % of it")

# %% [markdown]
# With one picture at a time, a matrix is multiplied by a *vector*: each weight is read from memory for a single multiplication. In a batch of 100 it is used a hundred times. Does that alone decide the share? Compare the stored race, on
# one processor:

# %%
for other in (r for r in stored["races"] if r["threads"] == 1):
    shares = [f"{row['title']} {100 * report.share_of_peak(row, other):.0f} %" for row in other["rows"]]
    print(f"{other['title']:22} batch {other['batch']:3}:  {', '.join(shares)}")

# %% [markdown]
# If the batch alone decided, an engine would have the same share in both networks with batches of 100. Where it has less in the convolutional one: a convolution consists of many small products,
# whose numbers have to be brought from one place to another in between.
#
# And a seventh question, which no figure answers: **was each engine at its best?** The modes in [benchmarks/engines](../benchmarks/engines/__init__.py) were tried one by one for each engine. If you know a better way to write the PyTorch or JAX side, please contribute it. No such table is final.
#
# *This is a good place to stop and rest.*
#
# ## Your own operation
#
# Here is a function that minigrad does not have. It is called *swish* or SiLU, and many large networks use it in place of ReLU:
#
# $$\operatorname{swish}(a) = a\,\sigma(a) = \frac{a}{1 + e^{-a}}$$
#
# There are five steps: **value, partial derivative, check, pictures, program.**
#
# ### Value and partial: one row
#
# By the product rule, with $v$ for the value: $\;v' = \sigma(a) + a\,\sigma(a)\,(1-\sigma(a)) = \sigma(a) + v\,(1-\sigma(a))$. You have seen the derivative table in lesson 02. This is a new row for it:

# %%
from minigrad.core.rules import rule

swish = rule("a / (1 + exp(-a))", "sigmoid(a) + v * (1 - sigmoid(a))", name="swish")

# %% [markdown]
# That was the operation. It can be called with a number, an array and a dual number, and differentiated twice. What is its value at −1000, where $e^{1000}$ is too large for any float?
#
# {guess "What is the value at −1000?": | far}

# %%
far = swish(-1000.0)
says("numbers:    {} {}", swish(1.0), far, when=lambda near, far: near > 0.7 and far == 0)
print("arrays:    ", swish(np.array([-1.0, 0.0, 1.0], np.float32)))
print("duals:     ", swish(mg.Dual(1.0, 1.0)))
print("derivative:", mg.derivative(swish, 1.0), "  second:", mg.grad(mg.grad(swish))(1.0))

# %% [markdown]
# All of it, because the package reads the row.
#
# ### Check
#
# It looks right. Is it? `mg.check_gradients` computes the derivative in up to five ways and compares them: reverse mode, forward mode, finite differences, the complex step, float32.

# %%
points = np.array([-3.0, -0.5, 0.0, 0.5, 2.0])
print(mg.check_gradients(lambda a: mg.sum(swish(a)), points))

# %% [markdown]
# ### Break it
#
# Now a common mistake: somebody forgets the second term of the product rule, and writes the slope as $\sigma(a)$. It even goes from 0 to 1. What will the check say?

# %%
hasty = rule("a / (1 + exp(-a))", "sigmoid(a)", name="hasty_swish")
try:
    mg.check_gradients(lambda a: mg.sum(hasty(a)), points)
    noticed = False
except AssertionError as error:
    noticed = True
    print(error)
assert noticed

# %% [markdown]
# The error says where. A network might well have trained with `hasty`, a little worse, and nobody would have known why.
#
# ### Pictures: trace table and graph
#
# From the same row comes the line in a trace table, with the formula and its numbers, and the node in a picture:


# %%
def small(x, y):
    a = x * y
    b = swish(a)
    return b + x


display(mg.trace(small, 0.5, 2.0).reverse())
x, y = mg.Variable(0.5, name="x"), mg.Variable(2.0, name="y")
f = small(x, y)
f.backward()
mg.draw(f)

# %% [markdown]
# ## An operation on arrays: a small class
#
# A row of the derivative table looks at one entry of an array at a time. Many operations look at several: a sum, a product of matrices, a normalisation. Such an operation is a small class. Ours is the **RMS norm**, which many large language models put before each of their layers. It scales each row of a matrix to
# root-mean-square 1:
#
# $$v_{ij} = \frac{a_{ij}}{s_i} \qquad s_i = \sqrt{\tfrac1n\textstyle\sum_j a_{ij}^2 + \epsilon}$$
#
# For the [vjp](glossary.ipynb#vjp), take your pencil: each $a_{ij}$ reaches the loss through its own $v_{ij}$, and through $s_i$, which is in all of the row:
#
# $$\bar a_{ij} = \frac{1}{s_i}\Bigl(\bar v_{ij} - v_{ij}\,\tfrac1n\textstyle\sum_k \bar v_{ik} v_{ik}\Bigr)$$
#
# The derivative is written with operations too. That is why it works on nodes, and can itself be differentiated. The Jacobian of a row is symmetric here, so `jvp` is the same formula.

# %%
from minigrad.core.operation import Operation

EPS = 1e-6


class RMSNorm(Operation):
    """Each row scaled to root-mean-square 1."""

    name = "rms_norm"

    def value(self, a, out=None):
        return np.divide(a, np.sqrt(np.mean(np.square(a), axis=-1, keepdims=True) + EPS), out=out)

    def vjp(self, i, adjoint, v, a):
        s = mg.sqrt(mg.mean(a * a, axis=-1, keepdims=True) + EPS)
        return (adjoint - v * mg.mean(adjoint * v, axis=-1, keepdims=True)) / s

    def jvp(self, i, tangent, v, a):
        return self.vjp(i, tangent, v, a)


def rms_norm(a):
    return RMSNorm()(a)


rng = np.random.default_rng(0)
A = rng.standard_normal((3, 4))
print(mg.check_gradients(lambda a: mg.sum(mg.sin(rms_norm(a))), A))

# %% [markdown]
# There is another kind of check: a property that you know of your operation. **If you double a row, the result does not change**, up to $\epsilon$. So in the direction of $a$ itself the derivative is 0, up to $\epsilon$ again: $\sum_j \bar a_{ij}\, a_{ij}$ must be 0, whatever the adjoint of the result is. What would a wrong vjp give, say one without the second term?

# %%
a = mg.Variable(A, name="a")
mg.sum(mg.sin(rms_norm(a))).backward()
along = (a.grad * A).sum(axis=1)
says("right:                   {}", along.round(6), when=lambda along: np.abs(along).max() < 1e-5)
s = np.sqrt(np.mean(A**2, axis=1, keepdims=True) + EPS)
along = (np.cos(A / s) / s * A).sum(axis=1)
says("without the second term: {}", along.round(6), when=lambda along: np.abs(along).min() > 0.1)

# %% [markdown]
# ### The program, and the kernel
#
# Lesson 08's compiler turns a graph into one Python program. It knows the rows of the table. Does it know your class? Read what it says:

# %% tags=["raises-exception"]
loss = mg.sum(mg.sin(rms_norm(a)))
mg.compile_graph([loss, *mg.adjoints(loss, [a])], [a])

# %% [markdown]
# It asks for a [kernel](glossary.ipynb#Kernel-of-an-operation): a function of the inputs and of `out`, in the part of Python that numba understands, which fills `out`. You wrote such loops in lesson 09. Two walks over a row, no intermediate array:


# %%
def kernel(a, out):
    rows, columns = a.shape
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += a[i, j] * a[i, j]
        scale = 1 / np.sqrt(total / columns + EPS)
        for j in range(columns):
            out[i, j] = a[i, j] * scale


RMSNorm.kernel = staticmethod(kernel)

loss = mg.sum(swish(rms_norm(a)))
program = mg.compile_graph([loss, *mg.adjoints(loss, [a])], [a], name="mine")
text = program.source
print(text[text.index("@program") :])

# %% [markdown]
# Find them both: your kernel is called, and swish, value and slope, is part of the fused loops like any other operation. The vjp of the norm needed no kernel: it is made of operations that the compiler knows.
#
# Does the program compute what the graph computes?

# %%
from_program = program(A)
a.zero_grad()
loss.backward()
print("loss:    ", from_program[0], "from the program,", loss.value, "from the graph")
says("gradient: largest difference {:.0e}", np.abs(from_program[1] - a.grad).max(), when=lambda apart: apart < 1e-12)

# %% [markdown]
# ## It learns
#
# Finally, a network with your own operations, on the digits: once with tanh, and once with your norm and your swish, from three random starts each. Which of the two will read more digits after the same number of epochs? Where the ranges overlap, it is not decided.


# %%
class Mine(mg.nn.Module):
    def __init__(self, squash, rng=0):
        rng = np.random.default_rng(rng)
        self.squash = squash
        self.first, self.last = mg.nn.Linear(784, 64, rng=rng), mg.nn.Linear(64, 10, rng=rng)

    def forward(self, pictures):
        return self.last(self.squash(self.first(pictures)))


kinds = {"tanh": mg.tanh, "your norm, then your swish": lambda h: swish(rms_norm(h))}
figure, axes = plots.canvas(7, 3.2)
for (name, squash), colour in zip(kinds.items(), (plots.GREY, plots.BLUE), strict=True):
    tested = []
    for seed in range(3):
        history = mg.fit(
            Mine(squash, seed), data, 3 if full else 5, 100, mg.optim.SGD(0.1), rng=1 + seed, progress=False
        )
        tested.append(100 * history.epochs[-1].test_accuracy)
        axes.plot(range(1, len(history.losses) + 1), history.losses, color=colour, lw=1)
    print(f"{name:27} {np.mean(tested):.2f} % of the test digits ({min(tested):.2f} to {max(tested):.2f})")
axes.set(xlabel="batch", title="Loss: tanh (grey), your norm and your swish (blue)", ylim=0)
plots.show(figure, "Curves of the loss for three first weights each: tanh in grey, your own operations in blue.")

# %% [markdown]
# What you did in cells becomes part of the package with a few lines in a few files; [CONTRIBUTING.md](../CONTRIBUTING.md) has them. One of them is an entry in the tests' campaign. It runs your operation on empty, transposed and broadcast arrays, in both dtypes and both modes; and it puts mistakes into your derivative, and requires that each one be found.

# %% [markdown]
# ## In five lines
#
# 1. First the same work, then the time: compare losses from the same weights and batches, to the digits that float32 has.
# 2. Take turns; show medians, the spread, and the share of the processor that you had. If 1 is inside the spread, nothing is decided.
# 3. Show compile time separately, name the number of threads, count bytes by one method, and compare with what the machine can do.
# 4. An operation is a value and a derivative for each input, written with operations: a row for elementwise ones, a class for others, a kernel for the compiler.
# 5. Check a derivative by two ways that share no code, and by properties of your operation, such as *doubling changes nothing*.
#
# ## Your turn
#
# Exercise: [exercises/15_race_and_operation](../exercises/15_race_and_operation/15_race_and_operation.ipynb). An operation from end to end, and a test that finds other people's mistakes in it.
#
# In lesson 02 you read a 7 off the digits of $f(2.00001)$. Now you have an engine that you can read, extend and measure. What can be built with it? **Next: [16 · Attention](16_attention.ipynb).**

# %% [markdown]
# ## Further
#
# ### Beside the papers
#
# Here are the networks of papers A and B, of paper C and of essay E in one place: what was printed, and what was measured. *Measured* is the race above if you run the full size, and the stored one otherwise. Accuracy and error may be compared across machines, if the training was
# equally long. Seconds may not.

# %%
PAPERS = {  # quoted: test, seconds an epoch, bytes an epoch, trained
    "rnn": [
        ("*paper A*", "92.24 %", "11.53 s in all", "4.59 GiB in all", "5 epochs"),
        ("*paper B, last epoch*", "92.47 %", "1.45", "3.09 GiB", "5 epochs"),
        ("*B's PyTorch*", "91.24 %", "18.0", "0.003 GiB, see lesson 11b", "5 epochs"),
    ],
    "cnn": [
        ("*paper C*", "96.2 %", "about 35", "7,442 “GiB” in all", "5 epochs"),
        ("*C's Flux*", "95.36 %", "faster than paper C's", "41,576 “GiB” in all", "5 epochs"),
    ],
    "autoencoder": [("*essay E*", "not printed", "not printed", "not printed", "4 epochs")],
}
measured, title = (races, "here and now") if full else (stored["races"], f"stored, {stored['when'][:10]}")
text = f"Measured: {title}. Quoted: in italics.\n\n"
for other in (r for r in measured if r["threads"] == 1 and r["network"] in PAPERS):
    in_epoch = report.PICTURES // other["batch"]
    trained = f"{other['judged'] * other['steps'] / in_epoch:.2g} epochs"
    lines = [list(row) for row in PAPERS[other["network"]]]
    fastest_first = sorted(other["rows"], key=lambda row: -report.steps_per_second(row, other))
    for row, cells in zip(fastest_first, report.table(other), strict=True):
        cells = dict(zip(report.HEAD, cells, strict=True))
        size = row.get("count", {}).get("bytes_per_step")
        size = "not counted" if size is None else f"{max(0, size) * in_epoch / 2**30:.2f} GiB"
        seconds = f"{cells['s/epoch']}, compiling {cells['compile s']}"
        lines.append([row["title"], cells["test"], seconds, size, trained])
    head = ["", "test", "seconds an epoch", "bytes an epoch", "trained"]
    text += f"**{other['title']}**\n\n{report.grid(head, lines)}\n\n"
Markdown(text)

# %% [markdown]
# Paper C's bytes are hard to believe in GiB: 7,442 GiB in 5 epochs of about 35 seconds would be about 43 GiB a second. Perhaps MiB were
# meant. The essay prints pictures instead of an error. Where *trained* is less than the papers' epochs, the accuracy is not the final one:
# `make bench` trains to the end.
#
# Read it critically. Which entry of this table would you question first?
#
# ### Swish and ReLU
#
# How does swish compare with ReLU, and how does its slope behave?

# %%
a = np.linspace(-6, 4, 201)
value, slope = mg.jvp(swish, (a,), (np.ones_like(a),))
figure, axes = plots.canvas(7, 3.2)
axes.plot(a, np.maximum(a, 0), color=plots.GREY, ls="--", lw=1.5)
axes.plot(a, value, color=plots.BLUE)
axes.plot(a, slope, color=plots.VERMILLION)
plots.label(axes, 2.1, 3.1, "swish", plots.BLUE, ha="right")
plots.label(axes, 4, 1.25, "its slope", plots.VERMILLION, ha="right")
plots.label(axes, 2.9, 2.2, "ReLU", plots.GREY)
axes.set(xlabel="a", title="A soft ReLU that dips below zero")
plots.show(
    figure,
    f"Swish is close to ReLU far from 0, and dips to {value.min():.2f} on the left. Its slope goes from {slope[0]:.2f} at "
    f"{a[0]:.0f} down to {slope.min():.2f}, then up to {slope.max():.2f}, and towards 1.",
)

# %% [markdown]
# ### The source
#
# - [benchmarks/race.py](../benchmarks/race.py), [field.py](../benchmarks/field.py): turns, processes, processors. [report.py](../benchmarks/report.py): what the tables say.
# - [minigrad/core/operation.py](../minigrad/core/operation.py): what an operation is. [minigrad/core/rules.py](../minigrad/core/rules.py): the table that you know well by now.
# - [minigrad_course/check.py](../minigrad_course/check.py): five ways to a derivative. [tests/campaign](../tests/campaign/operations.py): the entries.
#
# ### The papers
#
# - A to C, E: the tables, quoted above: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*; Kepiński, *Reverse-mode automatic differentiation in
#   Julia*; Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*; the essay *Automatic differentiation for machine learning in Julia*.
# - P. Ramachandran, B. Zoph, Q. Le, *Searching for activation functions* (2017, [arXiv:1710.05941](https://arxiv.org/abs/1710.05941)): swish. B. Zhang, R. Sennrich, *Root mean square layer normalization* (2019,
#   [arXiv:1910.07467](https://arxiv.org/abs/1910.07467)).
# - T. Hoefler, R. Belli, *Scientific benchmarking of parallel computing systems* (2015): twelve rules, some of which we follow.
