# Lesson 15, the last. What a reader has behind them: all the others. The race is benchmarks/, run from here and read with care; the operation is
# CONTRIBUTING.md's five minutes. The exercise adds another one.

# %% [markdown]
# # 15 · The race, and your own operation
#
# Somebody shows you a bar chart. Their bar is the longest. *"Three times as fast as PyTorch."*
#
# What do you ask, before you believe it?
#
# In the first half of this lesson you run such a race yourself: minigrad, PyTorch and JAX, on this computer, now. Then you take it apart with six questions. You will see how one can say almost anything
# with true figures, and how not to.
#
# In the second half the package becomes **yours**. You add an operation that it does not have, from the formula to the compiled program, and train a network with it. That takes five minutes. The proof that it is right takes
# two more lines.
#
# *Time: about 50 minutes. In the small size the race has one network and takes some twenty seconds; in the full size it has all three, on real MNIST, and takes several minutes.*

# %%
import json
import tempfile
from pathlib import Path

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from benchmarks import machine, race, report
from benchmarks.engines import ENGINES
from minigrad.measure import repeat
from minigrad.viz import pictures_of_speed, plots

data = mg.data.for_lesson()
full = data.name == "mnist"

# %% [markdown]
# ## A race that somebody ran
#
# The repository keeps the results of its benchmark, figures and circumstances. Read the circumstances first. On which machine, when, with which data, how long?

# %%
stored = json.loads(Path(race.RESULTS, "race.json").read_text(encoding="utf-8"))
print(stored["when"], "on", stored["data"], "(a quick race)" if stored["quick"] else "")
print(report.machine_text(stored["machine"]))
print(*stored["left_out"], sep="\n")

# %% [markdown]
# Your machine is another one, so these are not *your* figures. (And the race was written by the people whose engine is in it. Keep that in mind as well.)
#
# In a terminal, `make bench QUICK=1` runs it again, in about three minutes if nothing else works meanwhile; `make bench` takes a quarter of an hour. Here is what is kept. Each dot is one round. Before you read the medians: in which picture would you
# not bet on the order?


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
# Now here. What would you do first, if you had to make it fair? Write down three rules. Then compare with [benchmarks/README.md](../benchmarks/README.md), *How it is made fair*.
#
# Whoever is not installed stays at home, and says so:

# %%
entered = ("minigrad", "pytorch", "jax")
for name in entered:
    print(ENGINES[name].missing() or f"{ENGINES[name].title} takes part.")
print("torch.compile stays at home today: it takes longest to compile. `make bench` has it.")

# %% [markdown]
# In the small size we race the smallest of the three networks, the essay's autoencoder (lesson 14), on the embedded digits: one picture a step, 300 steps a round. Each engine sits in a process of its own, bound to the
# same processor, and they take turns.
#
# Bet before you run it: who wins, and by what factor? And whose first round will be the slowest?

# %%
arrays = {name: getattr(data, name) for name in ("train_x", "train_y", "test_x", "test_y")}
plans = race.FULL if full else {"autoencoder": race.Plan(steps=300, rounds=9, judged=9, counted=10)}
blas = machine.best_blas()[0] if full else {}
races = []
with tempfile.TemporaryDirectory() as folder:
    race.prepare(arrays, Path(folder), max(plan.rounds for plan in plans.values()))
    for network, plan in plans.items():
        racers = [(name, ENGINES[name].modes[network][0]) for name in entered if not ENGINES[name].missing()]
        races.append(race.run(network, racers, 1, plan, Path(folder), arrays, blas, thorough=full))
for one in races:
    pictures_of_speed.turns(rounds_of(one), title=f"{one['title']}, here and now", colours=COLOURS)

# %%
columns = ["engine", "steps/s", "min to max", "compile s", "bytes/step", "loss", "test", "losses differ by"]


def shown(one, columns):
    """Some columns of the benchmark's own table, as Markdown."""
    places = [report.HEAD.index(column) for column in columns]
    rows = [[row[k] for k in places] for row in report.table(one)]
    return f"**{report.heading(one)}**\n\n{report.grid(columns, rows)}\n\n" + " ".join(report.remarks(one, [one]))


Markdown("\n\n".join(shown(one, columns) for one in races))

# %% [markdown]
# So you have a table. Now take it apart.
#
# ## Question 1: was it the same work?
#
# The fastest program is the one that does nothing. So the first thing to compare is not the time. It is what came out. The engines had the same first weights, the same pictures in the same order; look at the columns *loss*,
# *test* and *losses differ by*. Could one of them have left out a gradient?
#
# A difference of $10^{-7}$ is what float32 does when sums are added in another order. How large is a difference if somebody really cheats a little? Here is our step in three versions: an honest one, one that leaves out the gradient of
# the biases, and one whose learning rate is a thousandth too large. Who notices, looking at the time? Who, looking at the losses?


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
print(f"honest:               {seconds * 1e3:5.0f} ms, last loss {honest[-1]:.4f}")
for cheat in ("no bias gradients", "rate 0.1 % too large"):
    losses, seconds = train(cheat)
    apart = np.max(np.abs(losses - honest) / np.maximum(1, honest))
    print(f"{cheat:21} {seconds * 1e3:5.0f} ms, last loss {losses[-1]:.4f}, differs by {apart:.0e}")

# %% [markdown]
# Every one of them *trains*. A falling loss proves little, and the time proves nothing. The difference between two loss curves from the same start is a fine detector, thousands of times above the noise.
# That is why the benchmark refuses to call two trainings the same if their first 300 losses differ by more than $5\cdot10^{-5}$.
#
# ## Question 2: what is noise?
#
# Look at the dots again. Rounds of the same work on the same machine differ. Suppose you want your engine to look good, and you may choose: *your best round, against the other's worst*. All figures true. What is the best
# that each engine can claim?

# %%
one = races[-1]
rounds = rounds_of(one)
names = list(rounds)
print("median against median, and the most and the least that a careful choice of rounds can claim:")
for other in names[1:]:
    mine, theirs = rounds[names[0]], rounds[other]
    most, least = max(mine) / min(theirs), min(mine) / max(theirs)
    print(f"{names[0]} / {other}: {np.median(mine) / np.median(theirs):.2f} times;  {most:.2f} or {least:.2f}")
if (share := report.undisturbed(one)) is not None:
    verdict = "too little" if share < 0.95 else "good"
    print(f"the engines had their processor {100 * share:.0f} % of the time: {verdict}")

# %% [markdown]
# Three habits help. **Take turns**, so that a slow minute of the machine hits everybody. Take the [median](glossary.ipynb#Median), which one bad round does not move, and show the slowest and the fastest beside it. And measure **how much of the processor you had**: if others
# used it, say so, and measure again.
#
# How many rounds are enough? Draw rounds again and again at random from those that you have, and look how far the ratio of medians moves. (Statisticians call it the *bootstrap*.) Guess the width, then run:

# %%
rng = np.random.default_rng(0)
for other in names[1:]:
    mine, theirs = (rng.choice(rounds[name], (2000, len(rounds[name]))) for name in (names[0], other))
    low, high = np.percentile(np.median(mine, axis=1) / np.median(theirs, axis=1), [2.5, 97.5])
    sure = "faster" if low > 1 else "slower" if high < 1 else "not decided"
    print(f"{names[0]} / {other}: {low:.2f} to {high:.2f} in 95 of 100 draws: {sure}")

# %% [markdown]
# If 1 lies between the two numbers, nobody has won yet. And a digit that moves from draw to draw does not belong in a table.
#
# ## Question 3: what is in the seconds?
#
# The papers' first epochs contain compiling, and so they look slow (look at paper B's: 4.85 s, then 1.76, then 1.41). To leave compiling out altogether would be just as wrong. So: both, apart. And with both, you know from lesson 09 how
# to ask the right question: *after how many steps is it worth it?*


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
# An epoch of the essay has 60,000 steps. For which trainings would you compile, and with which engine?
#
# ## Question 4: how many threads?
#
# All engines had one processor. Give one of them more, and it is a different race. And more is not always faster. Here is one matrix product, large and small, with one thread of BLAS and with all of them. Guess where the second thread helps:

# %%
cores = machine.cores()
for size in (32, 128, 1024):
    a = np.ones((size, size), np.float32)
    seconds = {}
    for threads in (1, cores):
        with threadpool_limits(threads):
            seconds[threads] = repeat(lambda a=a: a @ a, repeats=9).seconds
    one_thread, all_threads = (1e6 * seconds[threads] for threads in (1, cores))
    print(f"{size:5} x {size:<5} 1 thread {one_thread:9.1f} µs   {cores} threads {all_threads:9.1f} µs")

# %% [markdown]
# A product of a few microseconds is done before a second thread has woken up. So "we used all cores" may flatter one workload and spoil another. Say how many threads; give everybody the same; and look at one processor first. (With several, the fair comparison is
# with the rival's *best* number of threads, which may be one.)
#
# ## Question 5: whose bytes?
#
# You know this one from lesson 11: paper B's column of bytes compares two different things. Here all engines were counted by one method, memray, which sees every allocation of the process, in rounds that nobody timed. For minigrad there is a second counter, exact for
# arrays. Do the two agree?

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
# A race tells who is faster. It does not tell whether both are slow. For that you need something that is not an engine: what the machine *could* do. The benchmark multiplies large matrices in between, and counts the arithmetic of a step. What share of that do you expect?

# %%
print(f"this machine, one processor: {one['peak']:.0f} GFLOP/s in large products")
print(f"a step needs {one['flop'] / 1e6:.1f} MFLOP")
for row in one["rows"]:
    print(f"{row['title']:14} {100 * report.share_of_peak(row, one):5.1f} % of it")

# %% [markdown]
# With one picture at a time nobody comes near it: a matrix times a *vector* must fetch each weight from memory for a single multiplication (lesson 09: count the walks). Batches of 100 use each weight a hundred times. Compare the stored race:

# %%
for other in stored["races"]:
    shares = [f"{row['title']} {100 * report.share_of_peak(row, other):.0f} %" for row in other["rows"]]
    print(f"{other['title']:22} batch {other['batch']:3}:  {', '.join(shares)}")

# %% [markdown]
# And a seventh question, which no figure answers: **was each engine at its best?** The modes in [benchmarks/engines](../benchmarks/engines/__init__.py) were tried one by one for each engine; `--all-modes` shows them all. If you know a better way to write the PyTorch
# or JAX side, the race is open. That is the only honest end of such a table.
#
# ## Beside the papers
#
# Here are all three papers' networks in one place: what was printed, and what was measured. Under *measured* stands the race above if you run the full size, and the stored one otherwise. Accuracy and error may be compared across machines, if the training was
# equally long. Seconds may not.

# %%
PAPERS = {  # quoted: test, seconds an epoch, bytes an epoch, trained
    "rnn": [
        ("*paper A*", "92.24 %", "11.53 s in all", "4.59 GiB in all", "5 epochs"),
        ("*paper B, last epoch*", "92.47 %", "1.45", "3.09 GiB", "5 epochs"),
        ("*B's PyTorch*", "91.24 %", "18.0", "0.003 GiB, see lesson 11", "5 epochs"),
    ],
    "cnn": [
        ("*paper C*", "96.2 %", "about 35", "7,442 “GiB” in all", "5 epochs"),
        ("*C's Flux*", "95.36 %", "faster than theirs", "41,576 “GiB” in all", "5 epochs"),
    ],
    "autoencoder": [("*essay E*", "not printed", "not printed", "not printed", "4 epochs")],
}
measured, title = (races, "here and now") if full else (stored["races"], f"stored, {stored['when'][:10]}")
text = f"Measured: {title}. Quoted: in italics.\n\n"
for other in (r for r in measured if r["threads"] == 1):
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
# (Paper C's bytes cannot be GiB: 7,442 GiB in 175 seconds would be 42 GiB a second. Perhaps MiB were meant. The essay prints pictures instead of an error. Where *trained* is less than the papers' epochs, the accuracy has not arrived yet: `make bench` trains to the end.)
#
# Read it as an examiner would. Which cell of this table would you attack first?
#
# ## Your own operation
#
# Enough of other people's programs. Here is a function that minigrad does not have. It is called *swish* (or SiLU), and many large networks of today use it in the place of ReLU:
#
# $$\operatorname{swish}(a) = a\,\sigma(a) = \frac{a}{1 + e^{-a}}$$
#
# Five steps: **value, partial derivative, proof, pictures, program.**
#
# ## Value and partial: one row
#
# By the product rule, with $v$ for the value: $\;v' = \sigma(a) + a\,\sigma(a)\,(1-\sigma(a)) = \sigma(a) + v\,(1-\sigma(a))$. You have seen the derivative table in lesson 02. This is a new row for it:

# %%
from minigrad.rules import rule

swish = rule("a / (1 + exp(-a))", "sigmoid(a) + v * (1 - sigmoid(a))", name="swish")

# %% [markdown]
# That was the operation. What do you think it can do already? A number, an array, a derivative, a second derivative, a dual number, a node of a graph? And what comes out at −1000, where $e^{1000}$ is too large for any float?

# %%
print("numbers:   ", swish(1.0), swish(-1000.0))
print("arrays:    ", swish(np.array([-1.0, 0.0, 1.0], np.float32)))
print("duals:     ", swish(mg.Dual(1.0, 1.0)))
print("derivative:", mg.derivative(swish, 1.0), "  second:", mg.grad(mg.grad(swish))(1.0))

# %% [markdown]
# All of it. The package had never heard of swish; it reads rows. Where does it lie beside ReLU, and what does its slope do?

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
    "Swish follows ReLU from afar, and dips below 0 on the left; its slope climbs from 0 to a little above 1.",
)

# %% [markdown]
# ## Proof
#
# Looks right. Is it? `mg.check_gradients` finds the derivative in up to five ways and compares: backwards, forwards, finite differences, complex steps, float32.

# %%
points = np.array([-3.0, -0.5, 0.0, 0.5, 2.0])
print(mg.check_gradients(lambda a: mg.sum(swish(a)), points))

# %% [markdown]
# ### Break it
#
# Now the mistake that one makes: somebody forgets the second half of the product rule, and writes the slope as $\sigma(a)$. At a glance, is that so wrong? It even goes from 0 to 1. What will the check say?

# %%
hasty = rule("a / (1 + exp(-a))", "sigmoid(a)", name="hasty_swish")
try:
    mg.check_gradients(lambda a: mg.sum(hasty(a)), points)
except AssertionError as error:
    print(error)

# %% [markdown]
# One number is enough to say where. A network would have trained with `hasty`, somehow, and nobody would ever have known why it was a little worse.
#
# ## Pictures: trace table and graph
#
# From the same row comes the line in a trace table, with the formula and its numbers (lessons 03 and 04):


# %%
def small(x, y):
    a = x * y
    b = swish(a)
    return b + x


mg.trace(small, 0.5, 2.0).reverse()

# %% [markdown]
# and a node in a picture (lesson 05):

# %%
x, y = mg.Variable(0.5, name="x"), mg.Variable(2.0, name="y")
f = small(x, y)
f.backward()
mg.draw(f)

# %% [markdown]
# ## An operation on arrays: a small class
#
# A row looks at one entry at a time. Many operations look at several: a sum, a product of matrices, a normalisation. Such an operation is a small class. Ours is the **RMS norm**, which large language models put before every layer. It scales each row of a matrix to
# root-mean-square 1:
#
# $$v_{ij} = \frac{a_{ij}}{s_i} \qquad s_i = \sqrt{\tfrac1n\textstyle\sum_j a_{ij}^2 + \epsilon}$$
#
# For the [vjp](glossary.ipynb#vjp), take your pencil: each $a_{ij}$ reaches the loss through its own $v_{ij}$, and through $s_i$, which is in all of the row:
#
# $$\bar a_{ij} = \frac{1}{s_i}\Bigl(\bar v_{ij} - v_{ij}\,\tfrac1n\textstyle\sum_k \bar v_{ik} v_{ik}\Bigr)$$
#
# The derivative is written with operations too. That is why it works on nodes, and can itself be differentiated. (The matrix of derivatives is symmetric here, so `jvp` is the same formula.)

# %%
from minigrad.operation import Operation

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


# %%
rng = np.random.default_rng(0)
A = rng.standard_normal((3, 4))
print(mg.check_gradients(lambda a: mg.sum(mg.sin(rms_norm(a))), A))

# %% [markdown]
# There is a check that needs no finite differences at all, and it is the better the more you know about your operation. **If you double a row, its norm does not change.** So in the direction of $a$ itself, nothing moves: $\sum_j \bar a_{ij}\, a_{ij}$ must be 0, whatever comes in from above
# (up to $\epsilon$). Predict what a wrong vjp would give, say one without the second term:

# %%
a = mg.Variable(A, name="a")
mg.sum(mg.sin(rms_norm(a))).backward()
print("right:                  ", (a.grad * A).sum(axis=1).round(6))
s = np.sqrt(np.mean(A**2, axis=1, keepdims=True) + EPS)
print("without the second term:", (np.cos(A / s) / s * A).sum(axis=1).round(6))

# %% [markdown]
# ## The program, and the kernel
#
# Lesson 08's compiler turns a graph into one Python program, and numba turns that into machine code. It knows rows. Does it know your class? Read what it says:

# %% tags=["raises-exception"]
loss = mg.sum(mg.sin(rms_norm(a)))
mg.compile_graph([loss, *mg.adjoints(loss, [a])], [a])

# %% [markdown]
# It asks for a [kernel](glossary.ipynb#Kernel-of-an-operation): a function of the inputs and of `out`, in the part of Python that numba understands, which fills `out`. You wrote such loops in lesson 09. Two walks over a row, no array in between:


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
# Find them both: your kernel is called, and swish, value and slope, stands in the fused loops as if it had always been there. The vjp of the norm needed no kernel: it is made of operations that the compiler knows.
#
# Does the program compute what the graph computes?

# %%
from_program = program(A)
a.zero_grad()
loss.backward()
print("loss:    ", from_program[0], "from the program,", loss.value, "from the graph")
print("gradient: largest difference", np.abs(from_program[1] - a.grad).max())

# %% [markdown]
# ## It learns
#
# The last proof. A network of your own layers, on the digits: once with tanh, and once with your norm and your swish. Guess the accuracies, and then who you think needs fewer epochs.


# %%
class Mine(mg.nn.Module):
    def __init__(self, squash, rng=0):
        rng = np.random.default_rng(rng)
        self.squash = squash
        self.first, self.last = mg.nn.Linear(784, 64, rng=rng), mg.nn.Linear(64, 10, rng=rng)

    def forward(self, pictures):
        return self.last(self.squash(self.first(pictures)))


histories = {}
for name, squash in {"tanh": mg.tanh, "your norm, then your swish": lambda h: swish(rms_norm(h))}.items():
    model = Mine(squash)
    histories[name] = mg.fit(model, data, 3 if full else 5, 100, mg.optim.SGD(0.1), rng=1, progress=False)

figure, axes = plots.canvas(7, 3.2)
for (name, history), colour in zip(histories.items(), (plots.GREY, plots.BLUE), strict=True):
    axes.plot(range(1, len(history.losses) + 1), history.losses, color=colour, lw=1.5)
    print(f"{name:27} {100 * history.epochs[-1].test_accuracy:.2f} % of the test digits")
axes.set(xlabel="batch", title="Loss: tanh (grey), your norm and your swish (blue)", ylim=0)
plots.show(figure, "Two falling curves of the loss: tanh in grey, your own operations in blue.")

# %% [markdown]
# ## Make it stay
#
# What you did in cells becomes part of the package with a few lines in five files; [CONTRIBUTING.md](../CONTRIBUTING.md) has them, and its code is run by the tests:
#
# | where | what |
# |---|---|
# | `minigrad/rules.py`, or a file in `minigrad/ops/` | the row, or the class |
# | `minigrad/__init__.py` | its name |
# | `tests/campaign/operations.py` | one entry: some forty gradient cases and the random graphs come with it |
# | `CHANGELOG.md` | a line |
# | `docs/special_values.md` | what happens where the formula says nothing |
#
# The entry in the campaign is the important one. It runs your operation on empty arrays, transposed ones and broadcast ones, in both dtypes and both modes; it plants mistakes in your derivative, and demands that each one be caught.
#
# ## In five lines
#
# 1. First the same work, then the time: compare losses from the same weights and batches, to the digits that float32 has.
# 2. Turns, medians, spread, and the share of the processor that you had. If 1 is inside the spread, nobody has won.
# 3. Compile seconds apart, threads named, bytes by one counter, and a ceiling beside the rivals: what could the machine do?
# 4. An operation is a value and a derivative for each input, written with operations. A row for entries, a class for arrays, a kernel for the compiler.
# 5. A derivative is right when two ways that share nothing agree; best are laws of your operation, such as *doubling changes nothing*.
#
# ## The source
#
# - [benchmarks/race.py](../benchmarks/race.py), [field.py](../benchmarks/field.py): turns, processes, processors. [report.py](../benchmarks/report.py): what the tables say.
# - [minigrad/operation.py](../minigrad/operation.py): what an operation is. [minigrad/rules.py](../minigrad/rules.py): the table that you know by heart by now.
# - [minigrad/check.py](../minigrad/check.py): five ways to a derivative. [tests/campaign](../tests/campaign/operations.py): the entries.
#
# ## The papers
#
# - A to C, E: the tables, quoted above: B. Ankiersztajn, F. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*; Kepiński, *Reverse-mode automatic differentiation in
#   Julia*; Maciejewski, Ziober, *Fast implementation of an automatic backward differentiation in the Julia language*; the essay *Automatic differentiation for machine learning in Julia*.
# - P. Ramachandran, B. Zoph, Q. Le, *Searching for activation functions* (2017, [arXiv:1710.05941](https://arxiv.org/abs/1710.05941)): swish. B. Zhang, R. Sennrich, *Root mean square layer normalization* (2019,
#   [arXiv:1910.07467](https://arxiv.org/abs/1910.07467)).
# - T. Hoefler, R. Belli, *Scientific benchmarking of parallel computing systems* (2015): twelve rules, of which we kept some.
#
# ## Your turn
#
# Exercise: [exercises/15_race_and_operation](../exercises/15_race_and_operation/15_race_and_operation.ipynb). An operation end to end, and a test that catches other people's mistakes in it.
#
# This was the last lesson. You began with a passenger among the digits, $2.00001$. Now you have an engine that you can read, extend and time. [The map](00_start.ipynb) shows what you skipped.
