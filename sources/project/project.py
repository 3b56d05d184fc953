# The project. What a reader needs of the lessons stands at the head of each milestone. The engine is theirs; names, attributes and
# conventions are given, because the tests and the pictures go by them.

# %% [markdown]
# # Your own engine
#
# The lessons showed you how derivatives are computed, and the exercises let you write the pieces. Here you build the whole thing: one file of
# some 300 lines, `mine.py`, that starts as two numbers and an arrow and ends as an engine that trains a recurrent network on handwriting.
#
# It is yours. Nobody fills in blanks here: you decide how to write it. What is agreed on are a few names, so that the tests can ask your engine
# questions, and four attributes of a node, so that the pictures can draw it:
#
# | attribute | what it is |
# |---|---|
# | `value` | the number or array that the node holds |
# | `op` | the name of the operation that made it, such as `"*"` or `"sin"`; `""` for an input |
# | `inputs` | the nodes it was made from, in their order |
# | `grad` | the derivative that has been added up so far; `0.0` at first |
#
# | | milestone | do it after lesson |
# |---|---|---|
# | 1 | Numbers that remember | [05](../notebooks/05_computational_graph.ipynb), first half |
# | 2 | Backward: order, adding up, reset | [05](../notebooks/05_computational_graph.ipynb) |
# | 3 | Dual numbers, and one mode checks the other | [02](../notebooks/02_dual_numbers.ipynb), [04](../notebooks/04_tracing_backwards.ipynb) |
# | 4 | Arrays: broadcasting, sums, shapes | [07](../notebooks/07_arrays.ipynb) |
# | 5 | Matrix products and relu | [07](../notebooks/07_arrays.ipynb) |
# | 6 | Softmax and cross-entropy | [07](../notebooks/07_arrays.ipynb), [10](../notebooks/10_first_network.ipynb) |
# | 7 | A network that reads digits | [10](../notebooks/10_first_network.ipynb) |
# | 8 | A recurrent cell, and the loop over time | [11](../notebooks/11_recurrent_networks.ipynb) |
# | 9 to 13 | Choices: convolution, second derivatives, momentum and Adam, checkpoints, your backward pass as a compiled program | [13](../notebooks/13_convolutional_networks.ipynb), [06](../notebooks/06_higher_derivatives.ipynb), [11](../notebooks/11_recurrent_networks.ipynb), [12](../notebooks/12_gru_lstm.ipynb), [08](../notebooks/08_tape_to_program.ipynb) |
#
# **How to work.** Open [mine.py](mine.py) beside this notebook, write, save, and run the next cell (or `minigrad grade project` in a terminal). It runs the
# tests in a process of its own, up to the first milestone that is not done.
#
# First come cases that you can check with a pencil. Then comes the *campaign*: hundreds of random graphs, built by your engine and by minigrad, with every value and every derivative
# compared. Where they differ, the graph is cut down until it is as small as can be, and you see that one.

# %%
from minigrad_course import project

project.grade()

# %% [markdown]
# **Starting late?** `minigrad project start 5` puts ours, up to milestone 4, in the place of yours. (Yours is kept under another name. All of ours is
# `solutions/project/mine.py`; an hour of trying first is worth more than reading it.)
#
# **See it.** The four attributes are all that a picture needs. Once milestone 1 is done, this cell draws your graph; from milestone 2 on also with your
# gradients in it. (Before, it says what is missing.)


# %%
def load():
    """Your engine, as it is in the file now."""
    import importlib.util
    import sys

    spec = importlib.util.spec_from_file_location("mine", project.mine())
    module = importlib.util.module_from_spec(spec)
    sys.modules["mine"] = module  # where Python looks for it
    spec.loader.exec_module(module)
    return module


engine = load()
if hasattr(engine, "Node"):
    x, y = engine.Node(3.0), engine.Node(5.0)
    z = x * y + x
    if hasattr(engine, "backward"):
        engine.backward(z)
    picture = project.draw(z)
else:
    picture = "There is no Node in mine.py yet."
picture

# %% [markdown]
# The same for trace tables and the linked views, of any function of your nodes. Below, `f` is yours to change.

# %%
f = lambda x, y: x * y + x  # noqa: E731

project.trace(f, engine.Node(3.0), engine.Node(5.0)).reverse() if hasattr(engine, "Node") else "No Node yet."

# %% [markdown]
# ## 1 · Numbers that remember
#
# Write a class `Node`. `Node(3.0)` is an input. `x * y` is a node again: it holds the product, and remembers that it came from `x` and `y` by `"*"`.
#
# - Operators `+  -  *  /` between two nodes, and between a node and a plain number on either side; `-x`; `x ** n` for a plain number `n`. As `op` they are
#   called `"+"`, `"-"`, `"*"`, `"/"`, `"neg"` and `"**"`. A plain number becomes a node of its own where it meets one.
#   Only the exponent does not: `x ** 3` has one input, and the 3 belongs to the operation.
# - Functions `sin`, `cos`, `exp`, `log`, `tanh`, called so. Of a node they make a node; of a plain number, a plain number.
#
# What does Python do with `2 - x`, when the number 2 has never heard of your class? (It asks `x`, for `__rsub__`.)
#
# *Think ahead:* in milestone 2 each operation gets a second half, and in milestone 3 a third. If all operators go through one function, you will write each of
# these once.

# %%
project.grade(1)

# %% [markdown]
# ## 2 · Backward
#
# - `order(output)`: a list of every node that `output` needs, each once, each after its inputs. A chain of 10,000 nodes must work.
# - `backward(output, seed=1.0)`: adds to the `grad` of **every** node the derivative of `output` with respect to it, times the seed. Called twice, it adds twice. Its four parts are those of lesson 05: **seed**, **order**, **go back**, **add up**.
# - `zero_grad(output)`: sets the `grad` of all of them back to `0.0`.
#
# Before you write, do $e = c\,d$, $d = c + a$, $c = a\,b$ at $a = 3$, $b = 4$ by hand. How many paths lead from $a$ to $e$?
#
# *Think ahead:* write the rules so that they work on whatever the operators `*`, `+` and your functions work on. That makes second derivatives, and even the compiled program at
# the end, a matter of few lines.

# %%
project.grade(2)

# %% [markdown]
# ## 3 · Dual numbers, and one mode checks the other
#
# - `Dual(value, tangent=0.0)`, with the same operators and functions.
# - `derivative(f, x)`: $f'(x)$, by one dual number.
# - `check(f, *values)`: at these numbers, how far are the two modes apart? Returns the largest difference among the derivatives with respect to each input, never
#   negative.
#
# Why write everything twice? Because two programs that share no rule rarely make the same mistake. From here on your engine can doubt itself.

# %%
project.grade(3)

# %% [markdown]
# ## 4 · Arrays
#
# A node may now hold a NumPy array. What was copied on the way forward (broadcasting) is added up on the way back.
#
# - `unbroadcast(adjoint, shape)`: sums an adjoint down to the shape of its input.
# - `sum(a, axis=None)`: of all entries, or along one axis, which may be counted from the end, as -1. `reshape(a, shape)`. Both for nodes and dual numbers; as `op`, `"sum"` and `"reshape"`.
# - `backward(output)` of an array, without a seed, starts from ones; a seed has the output's shape.
# - A dual number of an array has a tangent of the array's shape, also where none is given.
# - An array on the left, as in `array * node`, must ask your node. (NumPy leaves it to a class that says `__array_ufunc__ = None`.)
#
# The campaign now has a second question, the **dot-product test**: $\langle u, J d\rangle = \langle J^\top u, d\rangle$. Forward mode gives the left side, reverse mode
# the right one, and nobody needs to know $J$.

# %%
project.grade(4)

# %% [markdown]
# ## 5 · Matrix products and relu
#
# - `a @ b` of two matrices, `transpose(a)`, `relu(a)`, for nodes and dual numbers; as `op`, `"@"`, `"transpose"` and `"relu"`.
# - At 0 the slope of relu is 0, and `relu` of nan is nan.
#
# $C = A B$ with $A$ of shape $(n, k)$ and $B$ of shape $(k, m)$: which shapes do $\bar A$ and $\bar B$ have, and which products of $\bar C$ with $A$ and $B$ have these shapes?

# %%
project.grade(5)

# %% [markdown]
# ## 6 · Softmax and cross-entropy
#
# - `cross_entropy(logits, labels)`: logits are a node (or a dual number) of shape (rows, classes), labels an array of integers. The mean over the rows of
#   $-\log \mathrm{softmax}(\text{logits})_{\text{label}}$.
# - At logits of 10,000 it must still be right.
#
# Which of your operations do you need? Perhaps none that is new.

# %%
project.grade(6)

# %% [markdown]
# ## 7 · A network that reads digits
#
# - `Linear(inputs, outputs, rng)`: `layer(x)` is `x @ weight + bias`; `weight` and `bias` are nodes, `parameters` the list of both. First weights: uniform between $\pm\sqrt{6 / (\text{inputs} +
#   \text{outputs})}$ (Glorot), from `rng`; biases 0.
# - `SGD(parameters, rate)`: `.step()` moves every parameter by `-rate * grad`, and resets its grad.
# - `fit(network, optimizer, x, y, epochs, batch, rng)`: trains with your `cross_entropy`; each epoch goes through all rows once, in the order of `rng.permutation(len(x))`, in batches (the last may be
#   smaller). Returns a list with the loss of each step, as a number.
#
# Then it trains two layers of yours on the embedded digits. They must read 90 % of those that they have never seen.

# %%
project.grade(7)

# %% [markdown]
# ## 8 · A recurrent cell, and the loop over time
#
# - `Recurrent(inputs, hidden, rng)`, with `parameters` `[w_x, w_h, b]`: first weights as in Linear, `w_x` before `w_h`, and $b = 0$. Called with a list of arrays, one for each time, it returns the last state: $h = \tanh(x W_x + h W_h + b)$, once for each entry, from $h = 0$ on.
#
# There is nothing else to write. The loop is a Python loop, your graph remembers every turn of it, and `backward` goes through time by itself. Paper B's network (four strips of 196
# pixels, 64 states, ten logits) is then trained on the digits in strips.

# %%
project.grade(8)

# %% [markdown]
# ## Choices
#
# Do one, or all.
#
# - **9 · Convolution.** `conv2d(x, kernel)`: pictures (n, in, height, width), kernels (out, in, k, l), inside the borders; the kernel is not turned round on the way forward. Try
#   `np.lib.stride_tricks.sliding_window_view` and `np.einsum`.
# - **10 · Second derivatives.** `adjoints(output, inputs)`: the derivatives as *nodes*, so that they can be differentiated again (a node of zeros, where `output` does not depend on an input).
# - **11 · Momentum and Adam.** `Momentum(parameters, rate, keep=0.9)` and `Adam(parameters, rate, keep=0.9, keep_square=0.999, tiny=1e-8)`, with `step` as SGD has it.
# - **12 · Checkpoints.** `checkpoint(f, *inputs)`: the value of `f(*inputs)` as one node, whose inputs are those; what lies between is forgotten, and computed again on the way back.
# - **13 · Your backward pass as a program.** `program(outputs, inputs)` returns Python source with a function `run`: from the values of `inputs` (nodes) to a tuple of the values of `outputs`, a line for each
#   node. What depends on the inputs has to be computed in it: it will be run with others. With 10 you have nodes for the gradients too, so the text holds a whole training step. numba compiles it,
#   with all other functions in the text. (Which rules of numba's do you meet? It knows `np.sum(a, 0)` but no
#   `keepdims`.)

# %%
project.grade(9, 10, 11, 12, 13)

# %% [markdown]
# ## The page of your engine
#
# What it can do, how it trains, and its graph, on one page to keep or to show. It takes a minute.

# %%
project.page()

# %% [markdown]
# ## In five lines
#
# 1. An operation and its inputs: that is all a number must remember.
# 2. Backward is an order, a rule for each operation, and adding up.
# 3. Two modes that share no rule check each other; random graphs find what examples miss.
# 4. What is copied forward is added up backward; everything else about arrays follows.
# 5. A network, its training, time and even a compiler are uses of the same few lines.
