# Gradient puzzles. Their graphs are in minigrad_course/puzzles.py, the answers at the end, folded.
# ruff: noqa: B007, F401
# fmt: off

# %% [markdown]
# # Gradient puzzles
#
# Twelve rules, most of them one line long, and together they train a network. Put each in the place of its `...`, and run the cell: your rule walks back through the picture, and
# where a number parts from the right one, the walk stops and shows you. A moon fills as you go.
#
# You need one word: the **adjoint** of a value says how many times as much the result grows as that value does. An operation turns its own adjoint into **shares**, one for each
# input, and your rules return these: for `a + b`, the rule is `return adjoint, adjoint`. *Run → Run All Cells* draws the pictures; begin with any puzzle.

# %%
import numpy as np

import minigrad as mg
from minigrad_course.puzzles import puzzle
from minigrad_course.two_moons import two_moons

# %% [markdown]
# ## 1 · A product
# `a * b` has an adjoint. What are the shares of `a` and of `b`?

# %%
@puzzle
def product(adjoint, a, b):
    return ...

# %% [markdown]
# ## 2 · A row added to every row
# `S = b + M` adds `b`, of shape (n,), to each row of a matrix. So the adjoint is a matrix; the share of `b` has the shape of `b`.

# %%
@puzzle
def row(adjoint, b):
    return ...

# %% [markdown]
# ## 3 · The largest, with a tie
# `m = max(a)`, and several entries may be the largest: they share evenly. The share of `a` has the shape of `a`.

# %%
@puzzle
def largest(adjoint, a):
    return ...

# %% [markdown]
# ## 4 · A choice
# `np.where(c, a, b)` takes entries of `a` where `c` is True, and of `b` elsewhere. The shares of `a` and `b`?

# %%
@puzzle
def choice(adjoint, c):
    return ...

# %% [markdown]
# ## 5 · A matrix product
# `C = A @ B`, and the adjoint has the shape of `C`. The shares of `A` and `B`?

# %%
@puzzle
def matmul(adjoint, A, B):
    return ...

# %% [markdown]
# ## 6 · Softmax
# `p = exp(z) / sum(exp(z))`, and `p` is all that you get. The share of `z`?

# %%
@puzzle
def softmax(adjoint, p):
    return ...

# %% [markdown]
# ## 7 · A loop
# Each turn is `after = tanh(w * before)`, with the same `w`. One turn back takes the adjoint of `after`, and the adjoint of `w` so far. It returns the share of `before`, and the adjoint of `w` now.

# %%
@puzzle
def turn(after_bar, w_bar, before, after, w):
    return ...

# %% [markdown]
# ## 8 · A line that writes over its input
# The way back of a square is `adjoint * 2 * kept`. It comes after `a *= a`, so what do you keep?

# %%
@puzzle
def square(a):
    kept = ...
    a *= a
    return kept

# %% [markdown]
# ## 9 · Backward out of forward
# `push(t)` is `J @ t`: it pushes a tangent of `n` numbers through a function whose matrix `J` you never see. Pull the adjoint back: `adjoint @ J`.

# %%
@puzzle
def pull(adjoint, push, n):
    return ...

# %% [markdown]
# ## 10 · Hessian times vector
# `H` has all second derivatives of `f` at `x`. You get `H @ v` without building it, for `mg.grad` can be used twice.

# %%
@puzzle
def hvp(f, x, v):
    return ...

# %% [markdown]
# ## 11 · Through a solver
# `x = np.linalg.solve(A, b)`. The shares of `A` and `b`?

# %%
@puzzle
def solve(adjoint, A, x):
    return ...

# %% [markdown]
# ## 12 · Backward, in six lines
# `order` lists the nodes, each after its inputs. `shares(node, adjoint)` lists what a node passes on, as pairs of an input and its share. Two lines are missing.

# %%
@puzzle
def backward(order, shares):
    adjoint = {order[-1]: 1.0}
    for node in reversed(order):
        ...
    return adjoint

# %% [markdown]
# ## Two moons
# A network trained with all twelve of your rules: a linear layer, your loop, your choice, a last layer from your solver, a softmax. [Its source](../minigrad_course/two_moons.py) adds what is no puzzle, such as the rule of a sum.

# %%
two_moons()

# %% [markdown]
# ## Further
# Any function of yours walks back in `mg.explore(f, x)`. Why the rules are so: lessons [04](04_tracing_backwards.ipynb), [06](06_higher_derivatives.ipynb), [07](07_arrays.ipynb), [11](11_recurrent_networks.ipynb), [17](17_derivative_of_an_answer.ipynb).
#
# <details><summary>One answer of many for each puzzle</summary>
#
# 1. `return adjoint * b, adjoint * a`
# 2. `return adjoint.sum(axis=0)`
# 3. `return adjoint * (a == a.max()) / np.sum(a == a.max())`
# 4. `return adjoint * c, adjoint * ~c`
# 5. `return adjoint @ B.T, A.T @ adjoint`
# 6. `return p * (adjoint - np.sum(adjoint * p))`
# 7. `return after_bar * (1 - after**2) * w, w_bar + after_bar * (1 - after**2) * before`
# 8. `kept = a.copy()`
# 9. `return np.array([adjoint @ push(unit) for unit in np.eye(n)])`
# 10. `return mg.grad(lambda y: np.sum(mg.grad(f)(y) * v))(x)`
# 11. `return -np.outer(np.linalg.solve(A.T, adjoint), x), np.linalg.solve(A.T, adjoint)`
# 12. `for x, share in shares(node, adjoint[node]): adjoint[x] = adjoint.get(x, 0) + share`
#
# </details>
