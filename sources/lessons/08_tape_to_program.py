# Lesson 08. What a reader has behind them: the reverse table (04), the graph (05), arrays and the fused loss (07). Networks with their
# layers and optimizers belong to lesson 10: the one `mg.compile` here says in a sentence each what Linear and SGD are. Speed is lesson 09's.

# %% [markdown]
# # 8 · From tape to program: write the backward pass down
#
# The graph of lesson 05 is a [tape](glossary.ipynb#Tape). Forward it records what was computed; backward we go through it, node by node. At each node the program asks: *which operation is this? what are
# its inputs? what is its rule?* The next time it asks the same questions, and gets the same answers. Training asks them a million times.
#
# **What if we went through it once, and wrote down everything we do?** Then the derivative would be a *program*: plain lines that we can
# read, shorten and compile.
#
# By the end you will have a function `rdiff` that takes a function and gives back the *text* of one that computes its gradient, in about twenty lines. You will have crossed out the lines that are not needed, and given the rest its memory once and for all, so that the second call allocates no array. Then you will read the program that minigrad's compiler writes for
# a whole training step, and find little in it that you have not done yourself.
#
# *Time: about 50 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %%
import math
import re

import ipywidgets
import numpy as np
from IPython.display import Markdown
from threadpoolctl import threadpool_limits

import minigrad as mg
from minigrad.compiler.passes import PASSES
from minigrad.core.rules import substitute
from minigrad.native.jit import plain_python
from minigrad_course.measure import in_turns
from minigrad_course.measure.result import show_bytes
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
# One operation in each line. On the left is what is computed, on the right what each line contributes to the adjoints of its inputs once its
# own adjoint is known. Cover the right column, and fill it in yourself, from the *bottom* up.

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
# Down the left, turn around, up the right. (The first line that writes an adjoint has `=`, later ones have `+=`: $x$ and $y$ are used three
# times each.)
#
# That is a program. Here it is in the order in which it runs. What will it return at (3, 5)? You know all three numbers from lesson 02.


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
# No node, no list, no class. The graph is gone, but we still have the derivative.
#
# What did the graph cost? Three ways to the same three numbers: build the graph and go back through it (as in lesson 05), run an existing graph again (the end of lesson 05), and this program. Guess two factors. (The three take turns.)


# %%
def essay(x, y):
    return 2 * x + x * y * y * y + mg.sin(x)


def build_and_go_back():
    x, y = mg.Variable(3.0), mg.Variable(5.0)
    essay(x, y).backward()


graph = mg.Graph(essay(mg.Variable(3.0), mg.Variable(5.0)))


def run_again():
    graph.forward()
    graph.zero_grad()
    graph.backward()


def compare(ways):
    """Print the median and the spread of each way, and how many times as long as the last one it takes."""
    times = 1e6 * in_turns(ways.values(), rounds=100)
    for name, rounds in zip(ways, times.T, strict=True):
        ratio = np.median(rounds / times[:, -1])
        print(
            f"{name:15} {np.median(rounds):9.2f} µs (from {rounds.min():.2f} to {rounds.max():.2f})   {ratio:6.1f} times the last"
        )


compare({
    "build and go back": build_and_go_back, "run again": run_again, "program": lambda: essay_with_gradient(3.0, 5.0),
})  # fmt: skip

# %% [markdown]
# On single numbers nearly all of the time goes into making nodes and asking those questions. So the program wins, by a large factor. But we wrote it by hand,
# and for one function.
# ## Let a program write it: `rdiff`
#
# The essay (*Automatic differentiation for machine learning in Julia*, E in the papers below) has a name for it: `rdiff`, a function that
# takes a function and *returns the source of one that computes its gradient*. This is called [source
# transformation](glossary.ipynb#Source-transformation). Everything that it needs is there already:
#
# - the graph, in [topological order](glossary.ipynb#Topological-order): that is the left column;
# - the derivative table of lesson 02, which is **text**: `sin` has the row `cos(a)`. Substitute names for `a`, `b` and `v`, and it is a line of the right column.
#
# `node.op.text("x", "y")` writes a value with these names, and `substitute` puts names into a partial derivative:

# %%
row = mg.rules.TABLE["div"]
print("v3 =", row.text("v1", "v2"))
for partial in row.partials:
    print("partial:", substitute(partial, {"a": "v1", "b": "v2", "v": "v3"}))

# %% [markdown]
# Here is `rdiff`. Read it in three parts: names, forward lines, backward lines. Where is it decided whether a line says `=` or `+=`? (In
# the line that appends to `backward`: by the set `written`.)


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
# The same lines as by hand (with brackets where they might be needed). All it takes is a derivative table and a backward pass that writes
# down what it does. To run the text, Python has `exec`:


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
program(3.0, 5.0)

# %% [markdown]
# Try it on another function: change the next cell to whatever you like. (Which functions will `rdiff` not be able to handle? Think of an
# `if`. We will come to that.)


# %%
def yours(x):
    return mg.exp(-x * x) / (1 + x * x)


forward, backward = rdiff(yours, "x")
program, text = as_function(forward + backward, ["x"], ["x_bar"], math)
print(text)
print("program:       ", program(0.7))
print("mg.derivative: ", mg.derivative(yours, 0.7))

# %% [markdown]
# Below is our function in all its forms at once: source, table, graph, and the program as you now know it. Step through it, and watch which line of the program belongs to which box.
# (If you see no buttons, run the cell in JupyterLab.)

# %%
mg.explore(essay, 3.0, 5.0)

# %% [markdown]
# ## Dead code
#
# Suppose that only the gradient is needed, and not the value: that is how training is. Which lines of the program can be crossed out? More
# than one can. Go from the bottom up, and ask at each line: does anything *below* read what it writes?

# %%
forward, backward = rdiff(essay, "x", "y")
lines = forward + backward
pictures.Listing(lines, dead=[not n for n in pictures.needed(lines, wanted=["x_bar", "y_bar"])])

# %% [markdown]
# Crossing out `v7` makes `v5` useless, and that in turn makes others useless: hence from the bottom up. And if only the derivative with
# respect to $x$ is needed, the lines for $\bar y$ go as well. Will more lines of the forward part go, too?

# %%
pictures.Listing(lines, dead=[not n for n in pictures.needed(lines, wanted=["x_bar"])])

# %% [markdown]
# Such lines are [dead code](glossary.ipynb#Dead-code). A pass along the tape visits everything that was recorded. A program can be *read
# before it runs*. (A line with `+=` reads what it writes: it needs the line that wrote the name before.) You will write `needed` in the exercise.
#
# Does the result depend on the lines that were crossed out? Remove them and see:

# %%
kept = [line for line, n in zip(lines, pictures.needed(lines, ["x_bar"]), strict=True) if n]
short, text = as_function(kept, ["x", "y"], ["x_bar"], math)
print(text)
print(short(3.0, 5.0), "from", len(kept), "of", len(lines), "lines")

# %% [markdown]
# ## How long is a number needed?
#
# Lines can be saved. So can memory. Nothing in the text says that $x$ is a single number: with NumPy's functions the same lines run on arrays (of one shape: `rdiff` knows nothing of broadcasting).
#
# ### Break it: the same lines, on arrays
#
# They run. Are the numbers right? Here is $\sin(x)\,(x + y)$, whose derivative with respect to $y$ is $\sin x$. The second program says `x_bar = x_bar + ...` wherever the first says `x_bar += ...`. Should that make a difference?

# %%
forward, backward = rdiff(lambda x, y: mg.sin(x) * (x + y), "x", "y")
as_it_is = forward + backward
spelled_out = [re.sub(r"^(\w+) \+= ", r"\1 = \1 + ", line) for line in as_it_is]
at = np.linspace(0.1, 2.0, 4), np.linspace(-1.0, 1.0, 4)
print("\n".join(backward))
for name, lines in {"+=": as_it_is, "= ... +": spelled_out}.items():
    program, _ = as_function(lines, ["x", "y"], ["y_bar"], np)
    wrong = np.abs(program(*at) - np.sin(at[0])).max()
    print(f"with {name:7} y_bar is wrong by up to {wrong:.2g}")
    assert (wrong > 0.1) == (name == "+=")

# %% [markdown]
# For single numbers both are the same. For arrays `=` gives an array *a second name*: `x_bar` and `y_bar` are one array here. And `+=` writes into it, so what is added to `x_bar` appears in `y_bar` as well. `x_bar + ...` is a new array.
#
# New arrays take memory. From here on let each name be an array of its own.
#
# Here are another function and its lines. From where to where is each array needed? Take `v2`: it is written in line 1. Which line is the
# last to read it?


# %%
def wave(x, y):
    return mg.tanh(mg.sin(x * y) + x) * y


forward, backward = rdiff(wave, "x", "y")
lines = forward + backward
lines = [line for line, n in zip(lines, pictures.needed(lines, ["x_bar", "y_bar"]), strict=True) if n]
for number, line in enumerate(lines):
    print(f"{number:2}  {line}")

# %%
points = 10_000
turn = next(number for number, line in enumerate(lines) if "_bar" in line)
alone = pictures.lives(lines, wanted=["x_bar", "y_bar"], bytes=8 * points)
pictures.lifetimes(alone, turn, "Each array in memory of its own")

# %% [markdown]
# Look at the orange bars. They are what reverse mode costs in memory: **a value that a partial derivative needs has to live past the
# turn.** Everything else can soon be discarded.
#
# And most of the picture is empty. An array whose bar has ended can leave its memory to one whose bar has not begun. How many rows are enough? Draw a vertical line through the picture, wherever you like, and count the bars that it crosses. At least that many arrays are alive at the same time.

# %%
pictures.lifetimes(pictures.packed(alone), turn, "Rows shared by arrays that never meet")

# %% [markdown]
# Each bar, a [lifetime](glossary.ipynb#Lifetime), went into the first row that was free. This is called [linear
# scan](glossary.ipynb#Linear-scan), and it is one of the ways in which compilers assign registers to variables.
#
# ## The second call allocates nothing
#
# A NumPy expression such as `x * y` asks for new memory each time. With `out=` it does not: it writes where it is told to. So a program can own its arrays, made once, and write
# into them whenever it is called. For $\sin(x\,y)$, added up over all entries:


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
same = all(np.array_equal(a, b) for a, b in zip(fresh(xs, ys), owner(xs, ys), strict=True))
says("same numbers: {}", same, when=bool)

# %% [markdown]
# How many bytes will a call of each allocate? (An array has 80,000.) The guess is about `fresh`.
#
# {guess "How many bytes will a call of fresh allocate?": bytes | m.allocated_bytes}

# %%
# %%measure -o m
fresh(xs, ys)
None

# %%
# %%measure
owner(xs, ys)
None

# %% [markdown]
# ## Break it
#
# There is a catch. Here somebody keeps the gradient of one point, computes it at another point, and compares. What does the last line print,
# and why?

# %%
first, _ = owner(xs, ys)
second, _ = owner(xs + 1, ys)
says("largest difference between the two gradients: {}", np.abs(first - second).max(), when=lambda d: d == 0)

# %% [markdown]
# Zero: `first` and `second` are the *same array*. The second call overwrote the result of the first. A program that owns its arrays either
# says so, or returns copies. (minigrad's compiled graphs return copies. A compiled training step returns nothing but the loss: its results
# are in the parameters.)
#
# One more to break. In the cell above `np.cos` wrote over its own input, which was safe, because nobody read `v1` afterwards. What if an array is reused too early? Here $y\cdot\sin(x\,y)$; the adjoint of $y$ needs $\sin(x y)$ *and* $\cos(x y)$. What goes wrong?

# %%
v1 = xs * ys
np.cos(v1, out=v1)  # too early: sin(v1) is still to come
by_x = ys * v1 * ys
by_y = np.sin(v1) + ys * v1 * xs
right_x = mg.grad(lambda x: mg.sum(ys * mg.sin(x * ys)))(xs)
right_y = mg.grad(lambda y: mg.sum(y * mg.sin(xs * y)))(ys)
says("wrong by, in x: {:.2g}", np.abs(by_x - right_x).max(), when=lambda d: d < 1e-12)
says("wrong by, in y: {:.2g}", np.abs(by_y - right_y).max(), when=lambda d: d > 0.1)

# %% [markdown]
# No error, one right gradient and one wrong one. Sharing memory is safe where the bars do not overlap, and a program is better at
# checking that than we are.
# ## What minigrad's compiler does
#
# `mg.compile_graph` takes nodes, adjoints among them, and writes the program. Ours for the essay had 20 lines. How many will this one have?
#
# {guess: lines | len(body(essay_program).splitlines())}

# %%
x, y = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y")
f = essay(x, y)
essay_program = mg.compile_graph([f, *mg.adjoints(f, [x, y])], name="essay")


def body(compiled):
    """A program's text without its head: what it imports."""
    return compiled.source[compiled.source.index("\n@") + 1 :]


print(body(essay_program))

# %% [markdown]
# Far fewer. `mg.explore` shows how it became so: first as it is `written` without any rewriting, then after each of the compiler's passes
# (arrow keys go from one to the next, and back). A minus marks a line that goes, a plus one that comes. Compare what is `written` with what
# `rdiff` wrote. Which row of the table of rewritings does `simplify` use most?

# %%
mg.explore(essay_program)

# %% [markdown]
# What is `written` is much the same as ours: forward lines, turn around, reverse lines. (Each sum has a name of its own, where ours say `+=`; an adjoint is
# complete before the next one begins; and what backward needs of a forward line, such as the cosine, stands with that line.) The rewriting
# did the rest: products with 1 are gone, and lines that are read only once are merged into others. Comments name the line of *your* cell
# that each came from. The first call also compiles the program to machine code, with numba. How long does that take?

# %%
with mg.measure(bytes=None) as first_call:
    print(essay_program(3.0, 5.0))
first_call

# %% [markdown]
# The program is a file, and its machine code is kept beside it. So only the first run of this lesson on your computer waits for numba; later ones load what was compiled then.
#
# And how long does a call take, from then on? Compare it with the program that we wrote by hand, in plain Python.

# %%
kind = "plain Python" if plain_python() else "machine code"
compare({kind: lambda: essay_program(3.0, 5.0), "by hand": lambda: essay_with_gradient(3.0, 5.0)})

# %% [markdown]
# To call machine code from Python costs something too, and a handful of operations on single numbers is no work to make up for that. Arrays are.
#
# ## A network
#
# Now something with arrays in it: 100 pictures of digits through three maps with tanh, the last two of which share a matrix `U`, and the loss of lesson 07.
# The gradient is with respect to four parameters. Before you run it: which of the rules that you know from lesson 07 do you expect to find in the program?

# %%
rng = np.random.default_rng(0)
X = mg.Constant(data.train_x[:100], name="X")
labels = mg.Constant(data.train_y[:100], name="labels")


def weights(name, *shape):
    start = rng.standard_normal(shape) / np.sqrt(shape[0])
    return mg.Variable(start.astype(np.float32), name=name)


W, b, U, V = weights("W", 784, 32), weights("b", 32), weights("U", 32, 32), weights("V", 32, 10)
h = mg.tanh(X @ W + b)
h = mg.tanh(h @ U + b)
h = mg.tanh(h @ U + b)
loss = mg.softmax_cross_entropy(h @ V, labels)

inputs = [X, labels, W, b, U, V]
outputs = [loss, *mg.adjoints(loss, [W, b, U, V])]
network = mg.compile_graph(outputs, inputs, name="network")
print(body(network))

# %% [markdown]
# Read it once, from the top. `matmul(one, A, B, C)` is `C = A @ B`, and `add_matmul(one, A, B, C)` is `C += A @ B`; `sum_rows` is the sum over copies of lesson 07. Find:
#
# - the four products of the forward pass, and two products backward for each, with their `.T`. Only the first has one, because nobody asked for the adjoint of the pictures;
# - the loop that does `+ b` and `tanh` in one go, and the one that multiplies by `1 - tanh²`;
# - the two shares of `U`'s adjoint: the second one is *added while multiplying*;
# - lines such as `product_1 = memory_1`: arrays that are never needed at the same time lie in one, under a new name each time. Count the names that `memory_1` gets.
#
# Pieces that occur more than once became functions (`..._part_1`), which are called. Arguments that differ between calls are named after
# what they have in common: `this_tanh`, or `array`.
#
# ## What the passes do
#
# Between the graph and this text the list of equations goes through [passes](glossary.ipynb#Pass). Each is a small rewriting with a name, and reports what it did:

# %%
network.explain()

# %% [markdown]
# Any of them can be switched off: `off=("fuse",)`. The result does not change, the program does. The next cell leaves out one pass at a
# time, and counts lines of the program and bytes of its arrays. Which pass do you expect to save the most bytes? (Look for the row with the
# most bytes: it is the one where arrays do not share memory.)


# %%
def size(compiled):
    lines = [line for line in body(compiled).splitlines() if line.strip() and "#" not in line]
    return len(lines), compiled.buffers.bytes, len(compiled.buffers.rows)


base = size(network)
table = "| switched off | lines | buffers | bytes |\n|---|---|---|---|\n"
table += f"| nothing | {base[0]} | {base[2]} | {base[1]:,} |\n"
unchanged = []
for off in [*((name,) for name in PASSES), PASSES]:
    now = size(mg.compile_graph(outputs, inputs, name="network", off=off))
    if now == base:
        unchanged += off
    else:
        name = off[0] if len(off) == 1 else "**all of them**"
        table += f"| {name} | {now[0]} | {now[2]} | {now[1]:,} |\n"
print("no difference here:", ", ".join(unchanged))
Markdown(table)

# %% [markdown]
# Those without a difference are for other programs: `pool_early` for convolutional networks, `one_walk` for single rows. What each of them does is explained in [docs/compiler.md](../docs/compiler.md).
#
# Here are the lifetimes of the arrays, first with a row for each, then shared. Find the orange ones: the outputs of each tanh, which the way back reads for its slope and for the product behind it, and the logits.

# %%
separate = mg.compile_graph(outputs, inputs, name="network", off=("reuse_buffers",)).buffers
turn = next(row.born for row in separate.rows if row.name.startswith("slope"))
pictures.lifetimes(pictures.buffer_lives(separate), turn, "Each array in a buffer of its own", unit="equation")
pictures.lifetimes(pictures.buffer_lives(separate, network.buffers), turn, "As compiled", unit="equation")

# %% [markdown]
# One row is much larger than all others: the gradient of the largest matrix. What was asked for has to be there at the end, and can share
# memory only with what came before.
#
# **Play.** Switch passes off and on, and watch program and bars. (Only the text is made here; nothing is compiled, so it is quick.)


# %%
def look(show_program, **switches):
    off = [name for name, on in switches.items() if not on]
    compiled = mg.compile_graph(outputs, inputs, name="network", off=off)
    apart = mg.compile_graph(outputs, inputs, name="network", off=[*off, "reuse_buffers"]).buffers
    turn = next(row.born for row in apart.rows if row.name.startswith("slope"))
    pictures.lifetimes(pictures.buffer_lives(apart, compiled.buffers), turn, "The buffers", unit="equation")
    if show_program:
        print(body(compiled))


names = ("simplify", "accumulate", "fuse", "reuse_buffers", "outline")
ipywidgets.interactive(look, **dict.fromkeys(names, True), show_program=False)

# %% [markdown]
# Does the program compute what the graph computes? With passes, and without any? (The numbers are the largest differences.) And how much faster is it than running the graph again? Here the arrays are larger than in the essay's function. Will the factor be larger or smaller? (The two take turns.)

# %%
values = [node.value for node in inputs]
compiled = network(*values)
bare = mg.compile_graph(outputs, inputs, name="network_bare", off=PASSES)(*values)


def apart(results):
    """The largest difference from the graph's own value, for each output."""
    differences = [np.abs(r - node.value).max() for r, node in zip(results, outputs, strict=True)]
    assert max(differences) < 1e-5
    return [f"{difference:.0e}" for difference in differences]


print("outputs:       loss, W_bar, b_bar, U_bar, V_bar")
print("compiled:     ", *apart(compiled))
print("without passes", *apart(bare))

tape = mg.Graph(loss)
tape.backward()


def run_the_graph():
    tape.forward()
    tape.zero_grad()
    tape.backward()


def products_alone():
    """The eleven matrix products of both passes, and nothing else."""
    pictures_, hidden, back = X.value, h.value, scores_bar
    for _ in range(2):
        hidden @ U.value, hidden @ U.value.T, hidden.T @ hidden
    pictures_ @ W.value, pictures_.T @ hidden, hidden @ V.value, back @ V.value.T, hidden.T @ back


scores_bar = np.ones((100, 10), np.float32)
compare({"graph": run_the_graph, "program": lambda: network(*values), "products alone": products_alone})

# %% [markdown]
# The numbers agree to the last digits of float32. And the factor is much smaller than it was for single numbers. With 100 rows most of the
# program's time goes into matrix products (the last line has these alone), and both call the same routine for them; what is left for the overhead of
# a dozen nodes is less. A program can still save time in other ways: fewer passes over memory, no calls between small operations, updates
# inside the products. Lesson 09 takes that apart, step by step.
#
# ## A whole training step
#
# A training step is forward, backward, and then every parameter takes a step against its gradient. That is a few more lines for the same
# compiler. `mg.compile` takes a model (here `mg.nn.Linear`, which holds a `W` and a `b`), a loss, and a rule for the update
# (`mg.optim.SGD(0.1)`: `W -= 0.1 * W_bar`).
#
# Predict: in the program below, where is the *gradient* of the weights stored?

# %%
model = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=0), mg.nn.Tanh(), mg.nn.Linear(32, 10, rng=1))
batch = data.train_x[:100], data.train_y[:100]
step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), *batch)
print(body(step))

# %% [markdown]
# Nowhere. Look under `update layer0_weight` and `update layer2_weight`: `add_matmul(-lr, A, B, C)` is $C \leftarrow C - \text{lr}\,A B$.
# So the product that would be the gradient is multiplied by $-0.1$ and added to the weights *by the
# multiplication itself*. That pass is called `fold_updates`. It is possible because the compiler sees the whole program, and knows that
# nothing else needs the gradient. (The line with `isfinite` ends the step if the loss is infinite or nan, before anything has
# changed. `epoch` below is the loop over many batches.)
#
# The first call compiled the program; what does the second one allocate?
#
# {guess "What does the second call allocate?": bytes | one_call.allocated_bytes}

# %%
step(*batch)
print(f"compiled, or loaded from disk, in {step.compile_seconds:.2f} s")

# %%
# %%measure -o one_call
step(*batch)

# %% [markdown]
# No array: the output of the tanh alone would be 12,800 bytes. If there are a few bytes left, they are numbers of the call itself, such as
# the rate. To make sure, let one call do many steps: `epoch` goes through the rows in the given order, 100 at a time. Predict the bytes for
# one step and for twelve.

# %%
counted = {}
for steps in (1, 12):
    order, losses = np.arange(100 * steps), np.zeros(steps, np.float32)
    step.epoch(data.train_x, data.train_y, order, out=losses)
    with mg.measure() as m:
        step.epoch(data.train_x, data.train_y, order, out=losses)
    print(f"{steps:2} steps in one call: {show_bytes(m.allocated_bytes)}")
    counted[steps] = m.allocated_bytes
assert counted[1] == counted[12]

# %% [markdown]
# The same, whatever the number of steps. **A step allocates nothing.** And it learns:

# %%
losses = [step(*batch) for _ in range(50)]
figures = losses[0], len(losses) - 1, losses[-1]
says("loss on these 100 pictures: {:.3f}, and {} steps later {:.3f}", *figures, when=lambda a, _, b: b < a / 2)

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
# minigrad refuses, and says what to do. Without the error you would get a program that is right for half of the numbers.
#
# A tool that reads the function's *source*, instead of running it once, does better here: the `if` stays an `if` in the derivative. Tapenade does so for Fortran and C. Ours writes down a [trace](glossary.ipynb#Trace): that is simpler, blind to branches, and works with everything else, such as loops, classes and calls. JAX's `jit` works like this, too. With `mg.where` both branches are in the trace:

# %%
forward, backward = rdiff(lambda x: mg.where(x > 0, x * x, -x), "x")
print("\n".join(forward))

# %% [markdown]
# ## In five lines
#
# 1. Going through a graph again and again asks the same questions each time. Written down once, the two passes are a program: forward lines, turn around, reverse lines.
# 2. `rdiff` needs a topological order and a derivative table made of text. The rest is substituting names.
# 3. A program can be read before it runs: dead code is found from the bottom up.
# 4. A value lives until it is read for the last time. What has to live past the turn is the cost of reverse mode; the rest shares memory, assigned once, and the second call allocates no array.
# 5. minigrad's compiler does the same in passes, each of which can be switched off. Its program is text: print it whenever you want to know what happens.
#
# ## The source
#
# - [minigrad/compiler/\_\_init\_\_.py](../minigrad/compiler/__init__.py): the map. Then [linearize.py](../minigrad/compiler/linearize.py) (our forward lines), [passes/](../minigrad/compiler/passes/__init__.py): read `dead` and `accumulate` now,
#   and [memory.py](../minigrad/compiler/memory.py): `allocate` is our `packed`.
# - [minigrad_course/viz/pictures_of_programs.py](../minigrad_course/viz/pictures_of_programs.py): `needed`, `lives` and `packed`. Better after the exercise, in which you write the first two.
# - [docs/compiler.md](../docs/compiler.md): all passes in a table.
#
# ## The papers
#
# - E: the essay *Automatic differentiation for machine learning in Julia*: `rdiff`, and the function at (3, 5).
# - A and B: the graph is built once and reused; A reports "around 10x" for that. It is the step before ours.
# - L. Hascoët, V. Pascual, *The Tapenade automatic differentiation tool* (2013): source transformation for real programs, and what has to be kept for the backward pass.
# - M. Poletto, V. Sarkar, *Linear scan register allocation* (1999): how to put the bars into rows.
# - R. Frostig, M. J. Johnson, C. Leary, *Compiling machine learning programs via high-level tracing* (2018): JAX.
#
# ## Your turn
#
# Exercise: [exercises/08_tape_to_program](../exercises/08_tape_to_program/08_tape_to_program.ipynb). You write a reverse program from a tape, cross out its dead code, and write one whose second call allocates nothing.
#
# [Your own engine](../project/project.ipynb): to write your backward pass down as a program and to compile it is its last choice, milestone 13.
#
# **Next: [9 · Making it fast](09_making_it_fast.ipynb).**
