# Lesson 08. What a reader has behind them: the reverse table (04), the graph (05), arrays and the fused loss (07). Networks with their
# layers and optimizers belong to lesson 10: the one `mg.compile` here says in a sentence each what Linear and SGD are. Speed is lesson 09's.

# %% [markdown]
# # 8 · From tape to program: write the backward pass down
#
# **First a task.** $x$ and $y$ stand on the blackboard. You compute on slips of paper, line by line, one number on each slip:
#
# 1. $a = x\,y$
# 2. $b = a + x$
# 3. $c = b\,b$
# 4. $d = c - a$
# 5. $e = d\,y$
#
# A slip may be wiped and used again, once no later line needs its number. While you compute a line, the numbers that it reads have to be
# there. How many slips do you need?
#
# {guess: slips | len({life.row for life in slips})}

# %% [markdown]
# You read all five lines *before* you began to compute, and so you knew when a number was no longer needed. The graph of lesson 05 cannot do that. It is a
# [tape](glossary.ipynb#Tape): forward it records what was computed; backward we go through it, node by node. At each node the engine asks: *which
# operation is this? what are its inputs? what is its rule?* The next time it asks the same questions, and gets the same answers. In training it asks
# them again in each of thousands of steps.
#
# **What if we went through it once, and wrote down everything we do?** Then the derivative is a *program*: plain lines that we can read, shorten
# and compile.
#
# By the end you will have a function `rdiff` that takes a function and writes the lines that compute its gradient. You will have crossed out those that are
# not needed, and given the rest its memory once and for all. Then you will read the program that minigrad's compiler writes for a whole training step.
#
# *Time: about 45 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %%
import math

import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.compiler.passes import PASSES
from minigrad.core.rules import substitute
from minigrad.native.jit import plain_python
from minigrad_course.measure import in_turns
from minigrad_course.measure.result import show_count
from minigrad_course.parsons import Derivation
from minigrad_course.says import says
from minigrad_course.viz import pictures_of_programs as pictures

data = mg.data.for_lesson()  # for the end of the lesson
limits = threadpool_limits(1)  # one thread for everybody, so that the comparisons are fair

# %% [markdown]
# ## By hand
#
# The essay's function once more, with $y^3$ written as a product, so that everything is in plain sight:
#
# $$f(x, y) = 2x + x\,y\,y\,y + \sin x \qquad\text{at } (3, 5)$$
#
# One operation in each line. On the left is what is computed. On the right is what each line contributes to the adjoints of its inputs, once its
# own adjoint is known.

# %%
pairs = [
    ("v1 = 2 * x", ["x_bar += v1_bar * 2"]),
    ("v2 = x * y", ["y_bar += v2_bar * x", "x_bar += v2_bar * y"]),
    ("v3 = v2 * y", ["y_bar += v3_bar * v2", "v2_bar = v3_bar * y"]),
    ("v4 = v3 * y", ["y_bar = v4_bar * v3", "v3_bar = v4_bar * y"]),
    ("v5 = v1 + v4", ["v4_bar = v5_bar", "v1_bar = v5_bar"]),
    ("v6 = sin(x)", ["x_bar = v6_bar * cos(x)"]),
    ("v7 = v5 + v6", ["v6_bar = v7_bar", "v5_bar = v7_bar"]),
]
pictures.SideBySide(pairs, "v7_bar = 1.0")

# %% [markdown]
# Down the left, turn around, up the right. The four parts are those of lessons 04 and 05: **seed** the output's adjoint with 1, keep the **order**, **go back**
# line by line, and **add up**. The first line that writes an adjoint has `=`, later ones have `+=`: $x$ and $y$ are used three times each.
#
# Here it is in the order in which it runs. What will it return at (3, 5)? You know all three numbers from lesson 02.


# %%
def essay_with_gradient(x, y):
    v1 = 2 * x
    v2 = x * y
    v3 = v2 * y
    v4 = v3 * y
    v5 = v1 + v4
    v6 = math.sin(x)
    v7 = v5 + v6
    v7_bar = 1.0
    v5_bar = v7_bar
    v6_bar = v7_bar
    x_bar = v6_bar * math.cos(x)
    v1_bar = v5_bar
    v4_bar = v5_bar
    v3_bar = v4_bar * y
    y_bar = v4_bar * v3
    v2_bar = v3_bar * y
    y_bar += v3_bar * v2
    x_bar += v2_bar * y
    y_bar += v2_bar * x
    x_bar += v1_bar * 2
    return v7, x_bar, y_bar


essay_with_gradient(3.0, 5.0)

# %% [markdown]
# No node, no list, no class. The graph is gone, but we still have the derivative. Now put a program together yourself, by the buttons, or by
# `order(3, 1, 2)` in a cell of your own:

# %%
order = Derivation("08")
order

# %% [markdown]
# What did the graph cost? Three ways to the same three numbers take turns: build the graph and go back through it, run an existing graph again, as at the end of
# lesson 05, and this program. How many times as long as the program will running the graph again take?
#
# {guess: times | by_the_graph}


# %%
def essay(x, y):
    return 2 * x + x * y * y * y + mg.sin(x)


def build_and_go_back():
    x, y = mg.Variable(3.0), mg.Variable(5.0)
    essay(x, y).backward()


def runs(output):
    """A function that runs the graph of this output again, forward and backward."""
    graph = mg.Graph(output)

    def run_again():
        graph.forward()
        graph.zero_grad()
        graph.backward()

    return run_again


def compare(ways):
    """Print the median and the spread of each way, and return how many times as long as the last one each takes."""
    times = 1e6 * in_turns(ways.values(), rounds=50)
    ratios = np.median(times / times[:, -1:], axis=0)
    for name, rounds, ratio in zip(ways, times.T, ratios, strict=True):
        spread = f"(from {rounds.min():.2f} to {rounds.max():.2f})"
        print(f"{name:20} {np.median(rounds):9.2f} µs {spread:28} {ratio:6.1f} times the last")
    return ratios


_, by_the_graph, _ = compare({
    "build and go back": build_and_go_back,
    "run again": runs(essay(mg.Variable(3.0), mg.Variable(5.0))),
    "program": lambda: essay_with_gradient(3.0, 5.0),
})  # fmt: skip

# %% [markdown]
# On single numbers nearly all of the time goes into making nodes and asking those questions. The program has none of that. But we wrote it by hand, and
# for one function.
#
# ## Let a program write it: `rdiff`
#
# The essay (*Automatic differentiation for machine learning in Julia*, E below) calls it `rdiff`: a function that takes a function and *returns
# the source of one that computes its gradient*. This is called [source transformation](glossary.ipynb#Source-transformation). Everything that
# it needs is there already:
#
# - the graph, in [topological order](glossary.ipynb#Topological-order): that is the left column;
# - the derivative table of lesson 02, which is **text**: `sin` has the row `cos(a)`. Substitute names for `a`, `b` and `v`, and it is a line of the right column.
#
# `node.op.text("x", "y")` writes a value with these names, and `substitute` puts names into a partial derivative.
#
# Here is the first half of the essay's `rdiff`, which gives back two lists of lines. Read it in three parts: names, forward lines, backward
# lines. Where is it decided whether a line says `=` or `+=`?


# %%
def rdiff(f, *names):
    """The forward and the backward lines of f, a function of as many numbers as there are names."""
    output = f(*(mg.Variable(1.0, name=name) for name in names))
    nodes = mg.topological_order(output)
    called, forward = {}, []
    for node in nodes:
        if isinstance(node, mg.Operator):
            called[node] = f"v{len(forward) + 1}"
            forward.append(f"{called[node]} = {node.op.text(*(called[x] for x in node.inputs))}")
        else:
            called[node] = node.name or str(node.value)

    backward, written = [f"{called[output]}_bar = 1.0"], set()
    for node in reversed(nodes):
        if isinstance(node, mg.Operator):
            inputs = [called[x] for x in node.inputs]
            put_in = {"v": called[node], **dict(zip("abc", inputs, strict=False))}
            for x, name, partial in zip(node.inputs, inputs, node.op.partials, strict=True):
                if not isinstance(x, mg.Constant):
                    share = "" if partial == "1" else f" * ({substitute(partial, put_in)})"
                    backward.append(f"{name}_bar {'+=' if name in written else '='} {called[node]}_bar{share}")
                    written.add(name)
    return forward, backward


forward, backward = rdiff(essay, "x", "y")
print("\n".join(forward + backward))
assert len(forward + backward) == 20

# %% [markdown]
# The same lines as by hand, with brackets where they might be needed. The set `written` decides about `+=`. All that `rdiff` needs is a derivative table and
# a backward pass that writes down what it does. To run the lines, Python has `exec`. Try another function: change `yours` to whatever you like.


# %%
def as_function(lines, arguments, results, library):
    """The lines as a function, and its text."""
    body = "\n    ".join(lines)
    text = f"def program({', '.join(arguments)}):\n    {body}\n    return {', '.join(results)}\n"
    names = {**mg.rules.TABLE, **vars(library)}  # a function that the library lacks comes from the derivative table
    exec(text, names)
    return names["program"], text


program, text = as_function(forward + backward, ["x", "y"], ["v7", "x_bar", "y_bar"], math)
assert program(3.0, 5.0) == essay_with_gradient(3.0, 5.0)


def yours(x):
    return mg.exp(-x * x) / (1 + x * x)


forward, backward = rdiff(yours, "x")
program, text = as_function(forward + backward, ["x"], ["x_bar"], math)
print(text)
print("program:       ", program(0.7))
print("mg.derivative: ", mg.derivative(yours, 0.7))

# %% [markdown]
# ## What was not written down
#
# We wrote down *one* run. If the function decides something by an `if`, we saw one branch of it. What should happen here: the program for
# positive $x$, the one for negative $x$, or an error?


# %% tags=["raises-exception"]
def kink(x):
    return x * x if x > 0 else -x


rdiff(kink, "x")

# %% [markdown]
# minigrad refuses, and says what to do. Without the error you would get a program that is wrong wherever the other branch is the right one. `rdiff` writes down a
# [trace](glossary.ipynb#Trace): that is simple, blind to branches, and works with loops, classes and calls. JAX's `jit` works like this, too. With
# `mg.where` both branches are in the trace:

# %%
forward, backward = rdiff(lambda x: mg.where(x > 0, x * x, -x), "x")
print("\n".join(forward))

# %% [markdown]
# *A good place to stop for today: you can write any backward pass down. What follows makes it shorter, smaller and faster.*
#
# ## Dead code
#
# Suppose that only the gradient is needed, and not the value, as in training. Which lines of the program can be crossed out? More
# than one can. Go from the bottom up, and ask at each line: does anything *below* read what it writes?

# %%
forward, backward = rdiff(essay, "x", "y")
lines = forward + backward
pictures.Listing(lines, dead=[not n for n in pictures.needed(lines, wanted=["x_bar", "y_bar"])])

# %% [markdown]
# Crossing out `v7` makes `v5` useless, and that in turn makes others useless: hence from the bottom up. Such lines are [dead
# code](glossary.ipynb#Dead-code); the line too many in the shuffled program was one. A tape visits everything that was recorded. A program can be *read before
# it runs*. What else can go if only the derivative with respect to $x$ is needed?

# %%
needed = pictures.needed(lines, wanted=["x_bar"])
short, text = as_function([line for line, n in zip(lines, needed, strict=True) if n], ["x", "y"], ["x_bar"], math)
print(text)
says("x_bar is {:.4f}, from {} of {} lines", short(3.0, 5.0), sum(needed), len(lines), when=lambda _, n, of: n < of)
assert short(3.0, 5.0) == essay_with_gradient(3.0, 5.0)[1]

# %% [markdown]
# ## How long is a number needed?
#
# Back to the slips. In which lines is each number needed, and on which slip does it go if each takes the first one that is free?

# %%
task = ["a = x * y", "b = a + x", "c = b * b", "d = c - a", "e = d * y"]
slips = pictures.packed(pictures.lives(task, wanted=["e"]))
for life in slips:
    print(f"{life.name}: from line {life.first + 1} to line {life.last + 1}, slip {life.row + 1}")

# %% [markdown]
# Three. Whoever counted five wiped none. Whoever counted two wrote $c$ over $a$ or $b$, which lines 3 and 4 read. Line 3 decides: it needs $a$,
# $b$ and $c$ at the same time.
#
# Now a program that goes forward and back. Its names stand for arrays of 10,000 numbers, each for an array of its own. From where to where is each
# needed?


# %%
def wave(x, y):
    return mg.tanh(mg.sin(x * y) + x) * y


points = 10_000
forward, backward = rdiff(wave, "x", "y")
lines = forward + backward
lines = [line for line, n in zip(lines, pictures.needed(lines, ["x_bar", "y_bar"]), strict=True) if n]
for number, line in enumerate(lines):
    print(f"{number:2}  {line}")
turn = next(number for number, line in enumerate(lines) if "_bar" in line)
alone = pictures.lives(lines, wanted=["x_bar", "y_bar"], bytes=8 * points)
pictures.lifetimes(alone, turn, "Each array in memory of its own")

# %% [markdown]
# Look at the orange bars. They are what reverse mode costs in memory: **a value that a partial derivative needs has to live past the
# turn.** Each other value of the way there can soon be discarded.
#
# And most of the picture is empty. An array whose bar has ended can leave its memory to one whose bar has not begun. Draw a vertical line through
# the picture, wherever you like, and count the bars that it crosses: at least so many rows are needed.

# %%
pictures.lifetimes(pictures.packed(alone), turn, "Rows shared by arrays that never meet")

# %% [markdown]
# Each bar, a [lifetime](glossary.ipynb#Lifetime), went into the first row that was free. This is called [linear
# scan](glossary.ipynb#Linear-scan), and it is one of the ways in which compilers assign registers to variables.
#
# ## The second call allocates nothing
#
# A NumPy expression such as `x * y` asks for new memory each time. With `out=` it writes where it is told to. So a program can own its arrays,
# made once, and write into them whenever it is called. For $\sin(x\,y)$, added up over all entries:


# %%
def fresh(x, y):
    """The derivatives of sum(sin(x * y)), in new arrays each time."""
    v1 = x * y
    v1_bar = np.cos(v1)
    return v1_bar * y, v1_bar * x


def make_program(n):
    """The same as a program that owns its arrays."""
    v1, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=v1)
        np.cos(v1, out=v1)  # v1 is read for the last time: its adjoint may take its place
        np.multiply(v1, y, out=x_bar)
        np.multiply(v1, x, out=y_bar)
        return x_bar, y_bar

    return program


rng = np.random.default_rng(0)
xs, ys = rng.standard_normal(points), rng.standard_normal(points)
owner = make_program(points)
assert all(np.array_equal(a, b) for a, b in zip(fresh(xs, ys), owner(xs, ys), strict=True))

for name, way in {"new arrays": fresh, "arrays kept": owner}.items():
    with mg.measure() as m:
        way(xs, ys)
    print(f"{name:11} {show_count(m.allocated_bytes)} bytes allocated")

# %% [markdown]
# The first makes four arrays in each call, the second none. There is a catch. Somebody keeps the gradient of one point, computes it at another
# point, and compares. What does the next cell print, and why?

# %%
first, _ = owner(xs, ys)
second, _ = owner(xs + 1, ys)
says("largest difference between the two gradients: {}", np.abs(first - second).max(), when=lambda d: d == 0)

# %% [markdown]
# Zero: `first` and `second` are the *same array*. The second call overwrote the result of the first. A program that owns its arrays either
# says so, or returns copies.
#
# ## What minigrad's compiler does
#
# `mg.compile_graph` takes nodes, adjoints among them, and writes the program. Here it is for the sum that we have just differentiated by hand:

# %%
x, y = mg.Variable(xs, name="x"), mg.Variable(ys, name="y")
total = mg.sum(mg.sin(x * y))
waves = mg.compile_graph(mg.adjoints(total, [x, y]), [x, y], name="waves")


def body(compiled):
    """A program's text without its head: what it imports."""
    return compiled.source[compiled.source.index("\n@") + 1 :]


print(body(waves))
assert np.allclose(waves(xs, ys), fresh(xs, ys), rtol=1e-12)

# %% [markdown]
# Its arrays are arguments, made once. The whole-array calls became loops; in the first, each number goes through several operations. Comments
# name the lines of *your* cell. numba, where it is installed, compiles the program to machine code, and keeps that on disk, so later runs of this
# lesson need not wait. What you get are copies.
#
# Time all of them, in turns: the graph run again, the two programs by hand, and the compiled one. The last line is the cosines alone, which all
# of them need.

# %%
kind = "plain Python" if plain_python() else "machine code"
angles = xs * ys
_ = compare({
    "graph, run again": runs(total),
    "new arrays": lambda: fresh(xs, ys),
    "arrays kept": lambda: owner(xs, ys),
    kind: lambda: waves(xs, ys),
    "cosines alone": lambda: np.cos(angles),
})  # fmt: skip

# %% [markdown]
# On single numbers running the graph again took many times as long as the program. Here the questions are asked once for 10,000 numbers, and a
# program can save only the time that is not spent on cosines.
#
# ## A whole training step
#
# A training step is forward, backward, and then every parameter takes a step against its gradient. That is a few more lines for the same
# compiler. `mg.compile` takes a model, here two `mg.nn.Linear`, each of which holds a `W` and a `b`; a loss; and a rule for the update,
# `mg.optim.SGD(0.1)`: `W -= 0.1 * W_bar`. The batch is 100 pictures of digits.
#
# Before you run it: where in the program will the *gradient* of the weights be stored?

# %%
model = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=0), mg.nn.Tanh(), mg.nn.Linear(32, 10, rng=1))
batch = data.train_x[:100], data.train_y[:100]
step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), *batch)
print(body(step))
losses = [step(*batch)]
print(f"compiled, or loaded from disk, in {step.compile_seconds:.2f} s")

# %% [markdown]
# Read it once, from the top. `matmul(one, A, B, C)` is `C = A @ B`, and `add_matmul(one, A, B, C)` is `C += A @ B`; `sum_rows` is the sum over copies of lesson 07. Find:
#
# - the two products of the forward pass, and the three of the backward pass. Nobody asks for the adjoint of the pictures, so there is no fourth;
# - the loop that does `+ b` and `tanh` in one go, and the one that multiplies by `1 - tanh²`;
# - lines such as `product_1 = memory_1`: arrays that are never needed at the same time lie in one, under a new name each time;
# - the updates. `add_matmul(-lr, A, B, C)` is $C \leftarrow C - \text{lr}\,A B$. The product that would be the gradient of the weights is added to them *by the
#   multiplication itself*, so it is stored nowhere. The compiler may do that because it sees the whole program, and knows that nothing else
#   needs the gradient.
#
# In this text `step` returns the loss, and the scores, from which `epoch`, the loop over many batches, counts the hits.
#
# Between the graph and this text a list of *equations*, one for each value, goes through [passes](glossary.ipynb#Pass). Each is a small rewriting with
# a name, and reports what it did:

# %%
step.explain()

# %% [markdown]
# Each can be switched off, as in `off=("fuse",)`. The numbers stay the same, the program does not. The next cell leaves out one at a time, and counts
# lines of the program and bytes of its arrays. Which one saves the most bytes?


# %%
def size(*off):
    """Lines of the program, the number of its arrays, and their bytes, without these passes."""
    without = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), *batch, off=off)
    lines = [line for line in body(without).splitlines() if line.strip() and "#" not in line]
    return len(lines), len(without.buffers.rows), without.buffers.bytes


sizes = {"nothing": size()} | {name: size(name) for name in PASSES} | {"**all of them**": size(*PASSES)}
table = "| switched off | lines | arrays | bytes |\n|---|---|---|---|\n"
for name, figures in sizes.items():
    if name == "nothing" or figures != sizes["nothing"]:
        table += "| {} | {} | {} | {:,} |\n".format(name, *figures)
assert sizes["transpose"][2] == sizes["fold_updates"][2] == max(sizes[name][2] for name in PASSES)
print("no difference here:", ", ".join(name for name in PASSES if sizes[name] == sizes["nothing"]))
Markdown(table)

# %% [markdown]
# Without `fold_updates` the gradients of the weights are stored, and that is where the most bytes are. It builds on `transpose`, so without that one it
# is the same. Those without a difference are for other programs; [docs/compiler.md](../docs/compiler.md) has a row for each.
#
# The program is compiled, and has been called once; what does the second call allocate?
#
# {guess "What does the second call allocate?": bytes | one_call.allocated_bytes}

# %%
# %%measure -o one_call
_ = step(*batch)

# %% [markdown]
# No array of the program: the output of the tanh alone would be 12,800 bytes. If there are a few bytes, they are single numbers of the call itself, such as
# the rate. **The program allocates nothing.** And it learns:

# %%
losses += [step(*batch) for _ in range(50)]
figures = losses[0], losses[-1]
says("loss on these 100 pictures: {:.3f} at first, {:.3f} after 51 more steps", *figures, when=lambda a, b: b < a / 2)

# %% [markdown]
# ## In five lines
#
# 1. Going through a graph again and again asks the same questions each time. Written down once, the two passes are a program: forward lines, turn around, reverse lines.
# 2. `rdiff` needs a topological order and a derivative table made of text. The rest is substituting names. It writes down one run, with one branch of each `if`.
# 3. A program can be read before it runs: dead code is found from the bottom up.
# 4. A value lives until it is read for the last time. What has to live past the turn is the cost of reverse mode; the rest shares memory, made once, and the second call allocates no array.
# 5. minigrad's compiler does the same in passes, each of which can be switched off. Its program is text: print it whenever you want to know what happens.
#
# ## Your turn
#
# Exercise: [exercises/08_tape_to_program](../exercises/08_tape_to_program/08_tape_to_program.ipynb). You write a reverse program from a tape, cross out its dead code, and write one whose second call allocates nothing.
#
# [Your own engine](../project/project.ipynb): to write your backward pass down as a program and to compile it is its last choice, milestone 13.
#
# **Next: [9 · Making it fast](09_making_it_fast.ipynb)**, which needs an installation; in a browser tab go on with [10 · A first network](10_first_network.ipynb).

# %% [markdown]
# ## Further
#
# ### The compiler at work
#
# The program `waves` in all its forms, first as it is `written` without any rewriting, then after each pass that changes it.
# Arrow keys go from one to the next, and back. A minus marks a line that goes, a plus one that comes.

# %%
mg.explore(waves)

# %% [markdown]
# ### The arrays of the step
#
# The lifetimes of the step's arrays, in the rows that they share. Find the orange ones.

# %%
separate = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), *batch, off=("reuse_buffers",)).buffers
turn = next(row.born for row in separate.rows if row.name.startswith("slope"))
pictures.lifetimes(pictures.buffer_lives(separate, step.buffers), turn, "As compiled", unit="equation")

# %% [markdown]
# The output of the tanh reaches across the turn: the product for `layer2_weight` reads it, and so does its own slope. `output` is returned.
#
# ### Two names for one array
#
# The lines of `rdiff` run on arrays, too. Are the numbers right? Here is $\sin(x)\,(x + y)$, whose derivative with respect to $y$ is $\sin x$.
# The second program says `x_bar = x_bar + ...` wherever the first says `x_bar += ...`. Should that make a difference?

# %%
forward, backward = rdiff(lambda x, y: mg.sin(x) * (x + y), "x", "y")
spelled_out = [line if "+=" not in line else "{0} = {0} + {1}".format(*line.split(" += ")) for line in backward]
print("\n".join(backward))
for name, lines in {"+=": backward, "= ... +": spelled_out}.items():
    program, _ = as_function(forward + lines, ["x", "y"], ["y_bar"], np)
    wrong = np.abs(program(xs, ys) - np.sin(xs)).max()
    print(f"with {name:7} y_bar is wrong by up to {wrong:.2g}")
    assert (wrong > 0.1) == (name == "+=")

# %% [markdown]
# For single numbers both are the same. For arrays `=` gives an array *a second name*: `x_bar` and `y_bar` are one array here. And `+=` writes into it, so what is added to
# `x_bar` appears in `y_bar` as well. `x_bar + ...` is a new array.
#
# ### The source and the papers
#
# - [minigrad/compiler/\_\_init\_\_.py](../minigrad/compiler/__init__.py): the map. Then [linearize.py](../minigrad/compiler/linearize.py) (our forward lines), [passes/](../minigrad/compiler/passes/__init__.py): read `dead` and `accumulate` now,
#   and [memory.py](../minigrad/compiler/memory.py): `allocate` is our `packed`.
# - [minigrad_course/viz/pictures_of_programs.py](../minigrad_course/viz/pictures_of_programs.py): `needed`, `lives` and `packed`. Better after the exercise, in which you write the first two.
# - E: the essay *Automatic differentiation for machine learning in Julia*: `rdiff`, and the function at (3, 5).
# - L. Hascoët, V. Pascual, *The Tapenade automatic differentiation tool* (2013): source transformation for real programs, which reads the source instead of running it, so that an `if` stays an `if`.
# - M. Poletto, V. Sarkar, *Linear scan register allocation* (1999): how to put the bars into rows.
# - R. Frostig, M. J. Johnson, C. Leary, *Compiling machine learning programs via high-level tracing* (2018): JAX.
