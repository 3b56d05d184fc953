# Lesson 11b, optional. What a reader has behind them: lesson 11, and how bytes are counted (05, 08, 09).

# %% [markdown]
# # 11b · The papers' tables: what may be compared
#
# This is the optional second half of [lesson 11](11_recurrent_networks.ipynb); no later lesson needs it. The papers A and B print tables: accuracy, seconds and bytes of
# their engines, beside those of PyTorch and Flux. Here you measure the same network, on your machine, and read the tables critically. One of their columns must not be compared with the others. Which one,
# and why?
#
# *Time: about 35 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %%
import tracemalloc
from dataclasses import replace

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.native.jit import plain_python
from minigrad.training.train import Step
from minigrad_course import peers
from minigrad_course.measure import count_allocations
from minigrad_course.measure.result import show_count
from minigrad_course.says import says
from minigrad_course.viz import plots

data = mg.data.for_lesson()
full = data.name == "mnist"
epochs = 5 if full else 24
threads = 1  # for the arithmetic of each engine, so that the race is fair
limits = threadpool_limits(threads)


class StripReader(mg.nn.Module):
    """Reads pictures strip by strip, 196 pixels at a time: the network of papers A and B."""

    def __init__(self, rng):
        rng = np.random.default_rng(rng)
        self.rnn = mg.nn.RNN(196, 64, batch_first=True, rng=rng)
        self.dense = mg.nn.Linear(64, 10, rng=rng)

    def forward(self, pictures):
        states, _ = self.rnn(pictures.reshape(pictures.shape[0], 4, 196))
        return self.dense(states[:, -1])  # scores from the last state


# %% [markdown]
# ## The first step, and all others
#
# The first step builds the graph, and prepares the small loops that numba turns into machine code (compiled the first time, later taken from
# numba's cache). Paper B's first epochs include such work, its **compile time**. We show it separately.

# %%
with mg.measure() as first:
    step = Step(StripReader(rng=0), mg.nn.cross_entropy, data.train_x[:100], data.train_y[:100])
    value = step.run(data.train_x[:100], data.train_y[:100])

print(f"loss {value:.3f};  -log(1/10) = {np.log(10):.3f}")
print(step.graph)
first

# %% [markdown]
# From now on the graph is there. It was built **once**, and every batch runs through the same arrays. Paper A reports that this alone made
# its program "around 10x" faster, and 20 GiB less. What does a step cost now?
#
# {guess "How many bytes do 100 steps allocate?": bytes | m.allocated_bytes}

# %%
# %%measure -o m
for _ in range(100):
    step.run(data.train_x[:100], data.train_y[:100])

# %% [markdown]
# A step takes a hundredth of that. An array of one number for each picture of a batch would be 400 bytes, so a step that allocates less makes none. What is left are single numbers,
# such as the largest label.
#
# ## PyTorch beside it
#
# PyTorch trains in a process of its own, because two engines in one process compete for the cores: from the same first weights, with the same batches in the same order. It trains
# there several times: once to be compared, once with every allocation counted, and for one epoch under `tracemalloc`; you will see why.

# %%
weights = StripReader(rng=0).state_dict()
timed = mg.fit(StripReader(rng=0), data, epochs, 100, mg.optim.SGD(0.015), rng=1, progress=False)
try:
    theirs = peers.train_in_pytorch(
        "rnn", weights, data, epochs=epochs, batch_size=100, lr=0.015, rng=1, threads=threads
    )
    print(f"{theirs.engine}, {theirs.threads} thread: first step {theirs.first_step_seconds:.2f} s")
    apart = np.abs(np.array(timed.losses[:300]) - theirs.history.losses[:300]).max()
    says("largest difference of the losses over 300 batches: {:.1e}", apart, when=lambda apart: apart < 0.00005)
except peers.PeerError as reason:
    theirs = None
    print(reason)

# %% [markdown]
# ## How many bytes?
#
# The papers count the bytes that training **allocates**: every block of memory that is requested, even if it is released at once. Allocating costs time. In paper B's table, PyTorch has 0.003 GiB in each epoch. About three million bytes, for 600 batches? The pictures of *one* batch are 313,600 bytes. There is a second hint. The sum over five epochs is in the table, too, and it is 0.003 again. What kind of number does not add up?
#
# They took the figure from Python's `tracemalloc`. Let us try that on something small. The next cell adds two arrays 1,000 times, and each result has 25,600 bytes.
# How many bytes is that? And what will `tracemalloc` say?
#
# {guess "How many megabytes are allocated in all?": megabytes | m.allocated_bytes and m.allocated_bytes / 1e6}

# %%
x, y = np.ones((100, 64), np.float32), np.ones((100, 64), np.float32)


def thousand_sums():
    for _ in range(1000):
        z = x + y
    return z


with mg.measure() as m:
    thousand_sums()
tracemalloc.start()
thousand_sums()
peak = tracemalloc.get_traced_memory()[1]
tracemalloc.stop()
print(f"allocated:   {show_count(m.allocated_bytes):>11} bytes in {show_count(m.allocations)} arrays")
print(f"tracemalloc: {peak:11,} bytes at most at one time")
assert peak < 10 * 25_600

# %% [markdown]
# `tracemalloc` answers **another question**: how much was held at one time, not how much was allocated. A peak does not add up over epochs. That is the first difference.
#
# The second is worse. PyTorch does not get its memory from Python. It calls the system's `malloc` itself, and `tracemalloc` sees only what goes through Python. So it cannot see the numbers of a tensor that PyTorch made. `memray` can: it intercepts `malloc` in the whole process. Here is one epoch of PyTorch, measured in three ways. Guess the first bar.

# %%
if theirs and theirs.allocated_bytes:
    bars = {
        "peak, by tracemalloc": theirs.tracemalloc_peak,
        "peak, by memray": theirs.peak_bytes[0],
        "allocated, by memray": theirs.allocated_bytes[0],
    }
    figure, axes = plots.canvas(8, 2.0)
    axes.barh(list(bars), list(bars.values()), color=[plots.GREY, plots.SKY, plots.BLUE])
    axes.set(xscale="log", xlim=(1e3, 1e13), xticks=[], title="One epoch of PyTorch, bytes (logarithmic)")
    axes.invert_yaxis()
    axes.grid(False)
    for row, number in enumerate(bars.values()):
        axes.text(number * 1.3, row, f"{number:,} = {number / 2**30:.6f} GiB", va="center")
    plots.show(
        figure,
        f"Three bars on a logarithmic scale: tracemalloc sees {bars['peak, by tracemalloc'] / bars['peak, by memray']:.1%} "
        f"of the peak, and the peak is {bars['peak, by memray'] / bars['allocated, by memray']:.1%} of what was allocated.",
    )
    quoted = 0.003 * 2**30
    print(
        f"paper B's 0.003 GiB are {quoted:,.0f} bytes: {quoted / bars['peak, by tracemalloc']:,.0f} times our peak",
        end="",
    )
    print(
        " by tracemalloc"
        + (
            f", and {quoted / bars['allocated, by memray']:.1%} of what PyTorch allocates here in an epoch"
            if full
            else ""
        )
    )
else:
    print("PyTorch or memray is missing here, so there is nothing to compare.")

# %% [markdown]
# So the 0.003 is not what PyTorch allocated. It was read with a tool that cannot see tensors, and it does not add up over epochs. What exactly it is we cannot know: it is larger than the peak that `tracemalloc` finds in our loop, so more of their program was probably counted, such as data held in Python. The columns beside it are sums of everything allocated. The two must not be compared.
#
# We count both engines by **one** method, memray, during a second training, each epoch from its first batch to its last. Counting slows Python down, so it must not happen while the clock runs. Which engine will allocate more?

# %%
again, optimizer, order = StripReader(rng=0), mg.optim.SGD(0.015), np.random.default_rng(1)
no_test = replace(data, test_x=data.test_x[:0], test_y=data.test_y[:0])
counts = []
for _ in range(epochs):
    with mg.measure(bytes="process") as m:
        mg.fit(again, no_test, 1, 100, optimizer, rng=order, progress=False)
    counts.append(m)

ours_bytes = [m.allocated_bytes for m in counts]
theirs_bytes = (theirs and theirs.allocated_bytes) or [None] * epochs
if None in ours_bytes:
    print(*counts[0].notes, sep="\n")
else:
    picked = len(data.train_x) * (784 * 4 + 8)  # float32 pixels and an int64 label
    print(f"minigrad, last epoch: {ours_bytes[-1]:13,} bytes in {counts[-1].allocations:,} blocks")
    print(f"  the batches alone:  {picked:13,} bytes, picked out of the data")
if None not in theirs_bytes:
    print(f"PyTorch, last epoch:  {theirs_bytes[-1]:13,} bytes in {theirs.allocations[-1]:,} blocks")

# %% [markdown]
# Both copy the batches out of the data. The rest of ours is work space of NumPy, Python's lists, and the graph, which this cell builds anew for each epoch. PyTorch builds its graph anew for each *batch*.
#
# ### And compiled?
#
# Lesson 08 turned forward, backward and update into one program. It goes through the data by itself, so not even the batches are copied by Python. How many bytes will one more step need?

# %%
reader = StripReader(rng=0)
program = mg.compile(reader, mg.nn.cross_entropy, mg.optim.SGD(0.015), data.train_x[:100], data.train_y[:100])
batches = len(data.train_x) // 100
rows = np.random.default_rng(1).permutation(len(data.train_x))[: 100 * batches]
counted = {}
for n in (1, 2, 1, 2):  # twice, since the first call of each may still prepare something
    walk, losses = np.tile(rows, n), np.empty(n * batches, np.float32)
    counted[n] = count_allocations(program.epoch, data.train_x, data.train_y, walk, losses)
    if counted[n].allocated_bytes is None:
        print(*counted[n].notes, sep="\n")
        break
if None not in [m.allocated_bytes for m in counted.values()]:
    for n, m in counted.items():
        print(f"{n * batches:5,} steps in one call: {m.allocated_bytes:6,} bytes in {m.allocations} blocks")
    more = max(0, counted[2].allocated_bytes - counted[1].allocated_bytes) / batches
    print(f"one more step:          {more:4.1f} bytes")
print(f"making the program took {program.compile_seconds:.1f} s")

# %% [markdown]
# Every array has its place, made together with the program: `program.buffers` lists them. If a byte or two for each step are left, they are not arrays: memray counts everything in the process, such as a block that Python itself needs now and then.
#
# `mg.fit(..., compiled=True)` trains with it. Here is one more run from the same weights:

# %%
compiled_epochs = epochs
if plain_python():
    compiled_epochs = 1
    print("Without machine code the program is slow: here it trains for one epoch, and is left out of the tables.")
compiled = mg.fit(
    StripReader(rng=0), data, compiled_epochs, 100, mg.optim.SGD(0.015), compiled=True, rng=1, progress=False
)
apart = np.abs(np.array(compiled.losses) - timed.losses[: len(compiled.losses)])[:300].max()
says("largest difference of the losses, of 300 batches at most: {:.1e}", apart, when=lambda apart: apart < 0.00005)

# %% [markdown]
# *A good place to stop for today: what follows is about seconds, and about tables.*
#
# ## Which one is faster?
#
# A fair comparison needs the same work, the same number of threads, both engines warm, and both in the same minutes, since a computer is not equally busy from minute to minute. So they take turns: an epoch of the
# graph, one of the program, one of PyTorch, and again. Predict the order, and the factors.

# %%
whole = replace(no_test, train_x=data.train_x[: 100 * batches], train_y=data.train_y[: 100 * batches])
runner, sgd = StripReader(rng=0), mg.optim.SGD(0.015)
run_again, parameters = Step(runner, mg.nn.cross_entropy, data.train_x[:100], data.train_y[:100]), runner.parameters()
losses = np.empty(batches, np.float32)


def epoch_of_the_graph():
    for k in range(0, len(rows), 100):
        run_again.run(data.train_x[rows[k : k + 100]], data.train_y[rows[k : k + 100]])
        sgd.step(parameters)


turns = None
try:
    turns = peers.take_turns(
        {
            "minigrad, graph": epoch_of_the_graph,
            "minigrad, compiled": lambda: program.epoch(data.train_x, data.train_y, rows, losses),
        },
        {"PyTorch": weights}, "rnn", whole, batch_size=100, lr=0.015, rounds=5 if full else 15, threads=threads,
    )  # fmt: skip
except peers.PeerError as reason:
    print(reason)
Markdown(peers.turns_table(turns, batches) if turns else "PyTorch is missing here.")

# %% [markdown]
# ## The tables
#
# Everything together, in paper B's columns. What they printed is *quoted*: from their machines, with their versions. The columns named *here* were measured in this notebook, on your machine; the bytes of *compiled* are those of one call of the program, as counted above. Accuracies may be compared across machines; seconds only on one machine, and best in the table above, where the engines took turns: the epochs here ran one engine after the other. Our training accuracy is that of the batches as they came, each before its own update.

# %%
# Quoted from paper B, table I. For each epoch: train %, test %, seconds, GiB. The totals: seconds, GiB.
PAPER_B = {
    "paper B": [(87.57, 87.59, 4.85, 3.32), (90.93, 90.93, 1.76, 3.09), (92.22, 91.73, 1.41, 3.09),
                (92.85, 92.6, 1.45, 3.09), (92.78, 92.47, 1.45, 3.09)],
    "PyTorch": [(83.0, 79.23, 16.96, 0.003), (87.0, 87.13, 16.63, 0.003), (91.0, 90.3, 17.4, 0.003),
                (93.0, 90.31, 17.33, 0.003), (93.0, 91.24, 18.0, 0.003)],
    "Flux": [(89.35, 90.46, 14.35, 4.02), (92.03, 92.38, 1.01, 2.63), (92.99, 93.15, 0.95, 2.63),
             (93.87, 94.02, 1.01, 2.63), (94.4, 94.55, 1.28, 2.63)],
}  # fmt: skip
PAPER_B_TOTALS = {"paper B": (15.68, 23.04), "PyTorch": (89.32, 0.003), "Flux": (22.45, 17.80)}
# Quoted from paper A: test %, GiB and seconds of the whole training.
PAPER_A = {"paper A": (92.24, 4.59, 11.53), "PyTorch": (94.55, 31.57, 11.88), "Flux": (94.4, 13.16, 12.78)}


compiled_bytes = [counted[1].allocated_bytes] * epochs
runs = {"minigrad": (timed, ours_bytes)}
if compiled_epochs == epochs:
    runs["compiled"] = (compiled, compiled_bytes)
if theirs:
    runs["PyTorch"] = (theirs.history, theirs_bytes)


def GiB(number, digits):
    if number is None:
        return "not known"
    return f"{number:,} B" if number < 10**5 else f"{number / 2**30:.{digits}f}"


def measured(history, sizes):
    """Our figures in the form of theirs: train %, test %, seconds, GiB for each epoch."""
    return [
        (
            f"{100 * e.train_accuracy:.2f}",
            f"{100 * e.test_accuracy:.2f}",
            f"{e.seconds:.{2 if full else 3}f}",
            GiB(size, 3),
        )
        for e, size in zip(history.epochs, sizes, strict=True)
    ]


def table(title, head, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    return f"**{title}**\n\n" + "\n".join(lines) + "\n\n"


columns = {f"{name}, here": measured(*run) for name, run in runs.items()}
if full:
    columns |= {f"*{name}, quoted*": rows for name, rows in PAPER_B.items()}
    text = "Quoted from paper B; its 0.003 is tracemalloc's.\n\n"
else:
    text = f"All on the **small** data ({data.name}). The papers' figures are for MNIST; they come in a table of their own.\n\n"
figures = {
    "Accuracy, train / test, %": lambda row: f"{row[0]} / {row[1]}",
    "Seconds for each epoch": lambda row: row[2],
    "Allocated in each epoch, GiB": lambda row: row[3],
}
for title, figure in figures.items():
    rows = [
        [k + 1, *(figure(column[k]) for column in columns.values())]
        for k in (range(epochs) if full else (0, 1, 5, 11, 23))
    ]
    text += table(title, ["epoch", *columns], rows)
Markdown(text)

# %% [markdown]
# And the whole training, in paper A's columns, with the totals that paper B prints. Which of the quoted figures should not be in one table
# with ours? Paper A took PyTorch's bytes from PyTorch's own profiler and its engine's from another tool, so its column mixes two methods
# as well.

# %%
head = ["", "test accuracy, %", "allocated, GiB", "training, seconds"]
ours = []
for name, (h, sizes) in runs.items():
    total = GiB(None if None in sizes else sum(sizes), 2)
    seconds = sum(e.seconds for e in h.epochs)
    ours.append([f"{name}, here", f"{100 * h.epochs[-1].test_accuracy:.2f}", total, f"{seconds:.2f}"])
quoted = [[f"*{name}, quoted from A*", *row] for name, row in PAPER_A.items()]
for name, (seconds, total) in PAPER_B_TOTALS.items():
    quoted.append([f"*{name}, quoted from B*", PAPER_B[name][-1][1], total, seconds])

if full:
    text = table("The whole training", head, ours + quoted)
else:
    text = table(f"The whole training on the small data, {epochs} epochs", head, ours)
    text += table("Quoted: the papers' whole training on real MNIST, 5 epochs", head, quoted)
text += f"Threads for each engine here: {threads}. Not in the seconds: "
text += f"{first.seconds:.2f} s for minigrad's first step and {first.compile_seconds:.2f} s for its machine code; "
text += f"{program.compile_seconds:.2f} s for making the compiled program"
if theirs:
    text += f"; {theirs.first_step_seconds:.2f} s for PyTorch's first step"
Markdown(text + ".")

# %% [markdown]
# One more question about the quoted figures. Do the totals that paper B prints agree with its rows?

# %%
for name, rows in PAPER_B.items():
    seconds, total = (sum(row[k] for row in rows) for k in (2, 3))
    print(f"{name:8} rows add up to {seconds:6.2f} s and {total:7.3f} GiB;", end="   ")
    print("printed: {:6.2f} s and {:7.3f} GiB".format(*PAPER_B_TOTALS[name]))
    assert abs(seconds - PAPER_B_TOTALS[name][0]) > 0.005
    assert abs(total - PAPER_B_TOTALS[name][1]) > 0.0005

# %% [markdown]
# None of them does, in seconds or in GiB. But look at paper B's own row: what is printed as its seconds, 15.68, is the sum of its GiB. So a column was probably mixed up there. The other totals may include work between the epochs; the table does not say. Such things happen to careful people, too. That is why our tables are computed by the cells above them.
#
# Read the tables critically:
#
# - In which epoch of paper B, in the list `PAPER_B` above, do you see compile time?
# - PyTorch *here* has our accuracy. In the papers it has a different one, and so has Flux, with what is said to be the same recipe: something besides the engine must have differed, such as first weights, the order of the pictures, or what a rate is multiplied by. The papers do not say.
# - Run the training again. Which digits of the seconds are the same?
# - The compiled run allocates *bytes* in an epoch, the papers' runs allocate GiB. It does not train better because of that; what it saves is time, and room for something larger.

# %% [markdown]
# ## In five lines
#
# 1. Bytes allocated add up; a peak does not. `tracemalloc` sees only what goes through Python, and no tensor of PyTorch.
# 2. A comparison means something when both sides start from the same weights, see the same batches, are counted by the same method, and take turns for the clock.
# 3. A graph that is built once allocates next to nothing in a step, and the compiled program not even its batches.
# 4. Accuracies may be compared across machines, seconds only on one machine.
# 5. What is quoted stands apart from what was measured here; and totals are worth adding up once more.
#
# ## The papers
#
# - A: M. Ankiersztajn, P. Tęcza, *Performant and Accurate Automatic Differentiation In Julia for Recurrent Neural Networks*: the whole training, in one row for each engine.
# - B: Kepiński, *Reverse-mode automatic differentiation in Julia*: the table by epochs.
#
# **Next: [12 · GRU and LSTM](12_gru_lstm.ipynb).**
