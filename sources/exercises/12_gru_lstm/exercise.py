# Exercise 12. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 12 · Backwards with little memory
#
# You have seen a cell that adds instead of overwriting, and a backward pass through a loop with a small part of its memory. Here you write
# both, in plain NumPy.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `lstm_cell`: from the four inputs of the gates to a state | 2 |
# | Task 2 | `lstm_cell_back`: its adjoints | 3 |
# | Task 3 | `forward`: keep every k-th state | 2 |
# | Task 4 | `choose`: which k fits under a cap of bytes | 2 |
# | Task 5 | `gradient`: the same gradient, under the cap | 4 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import weakref

import numpy as np

from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close, outside

grading.live()


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


# %% [markdown]
# ## Task 1 · The cell (2 points, easy)
#
# The sums $z = W x_t + U h_{t-1} + b$ are given, one array for each gate. What is left:
#
# $$i, f, o = \sigma(z_i), \sigma(z_f), \sigma(z_o) \qquad g = \tanh(z_g) \qquad c_t = f\,c_{t-1} + i\,g \qquad h_t = o\,\tanh(c_t)$$
#
# The new state comes first in the result, as in the lesson. Leave the old cell as it is: the way back needs it. Before you run the test: with $z_f = 100$ and $z_i = -100$, what will $c_t$ be?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "cell"}
def lstm_cell(zi, zf, zo, zg, c):
    """The new state h and the new cell, from the four sums and the old cell."""
    ### BEGIN SOLUTION
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_cell", "points": 2}
# Stuck? Write i, f, o and g on four lines first. Which of them multiplies the old cell?
old = np.array(2.0)
h_new, c_new = lstm_cell(np.array(0.5), np.array(1.0), np.array(0.2), np.array(-0.4), old)
check_close(c_new, sigmoid(1.0) * 2.0 + sigmoid(0.5) * np.tanh(-0.4), "the new cell")
check_close(h_new, sigmoid(0.2) * np.tanh(sigmoid(1.0) * 2.0 + sigmoid(0.5) * np.tanh(-0.4)), "the new state")
check_close(old, 2, "the old cell, after the call")
### BEGIN HIDDEN TESTS
h_kept, c_kept = lstm_cell(*(np.array([z, z]) for z in (-100.0, 100.0, 100.0, 3.0)), np.array([0.7, -1.1]))
check_close(c_kept, [0.7, -1.1], "a cell that keeps all and takes nothing")
check_close(h_kept, np.tanh([0.7, -1.1]), "its state")
sums = tuple(np.array([0.3, z]) for z in (0.2, -0.4, 1.5, 0.5))
whole = np.array(lstm_cell(*sums, np.array([0, 3]))) - np.array(lstm_cell(*sums, np.array([0.0, 3.0])))
check_close(whole, np.zeros((2, 2)), "what another array makes of the same numbers, 0 and 3, in the old cell")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · And back (3 points, hard)
#
# The adjoints of both results arrive: `h_bar` from the loss, and `c_bar` from the *next step*, which uses the cell as well. Return the adjoints of all inputs, and leave what arrives as it is.
#
# Draw the graph of Task 1 first. The new cell is used twice: in h, and in the next step. So what is its whole adjoint?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "cell_back"}
def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    """The adjoints of zi, zf, zo, zg and of the old cell, in a dict with these names (the cell's is "c")."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    shown = np.tanh(f * c + i * g)
    c_bar = c_bar + h_bar * o * (1 - shown**2)  # go back through h, and add up
    return {
        "zi": c_bar * g * i * (1 - i),
        "zf": c_bar * c * f * (1 - f),
        "zo": h_bar * shown * o * (1 - o),
        "zg": c_bar * i * (1 - g**2),
        "c": c_bar * f,
    }
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "back_given"}
def true_adjoints(*inputs):
    """The same without a graph: a tiny imaginary step of each input (lesson 01), and what the result makes of it."""
    values = [np.asarray(v, float) for v in inputs]

    def total(zi, zf, zo, zg, c, h_bar, c_bar):
        new = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
        return h_bar * sigmoid(zo) * np.tanh(new) + c_bar * new

    adjoints = {}
    for k, name in enumerate(("zi", "zf", "zo", "zg", "c")):
        nudged = [v + 1e-30j if j == k else v for j, v in enumerate(values)]
        adjoints[name] = total(*nudged).imag / 1e-30
    return adjoints


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_back_cell", "points": 1}
# Stuck? Here h_bar = 0 and c_bar = 1, so only f c + i g is left: differentiate that with respect to each sum and to c.
only_cell = (0.5, 1.0, 0.2, -0.4, 2.0, 0.0, 1.0)
check_close(lstm_cell_back(*only_cell), true_adjoints(*only_cell), "h_bar = 0, c_bar = 1")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(lstm_cell_back, only_cell, true_adjoints, mg), "lstm_cell_back")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_back_both", "points": 1}
# Stuck? Get h_bar = 0 right first. Then add the path from h back through o and tanh: where does it meet the other one?
both = (0.5, 1.0, 0.2, -0.4, 2.0, 1.0, 0.5)
check_close(lstm_cell_back(*both), true_adjoints(*both), "h_bar = 1, c_bar = 0.5")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(lstm_cell_back, both, true_adjoints, mg), "lstm_cell_back")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_back_arrays", "points": 1}
# Stuck? Each entry is a cell of its own. If single numbers come out right, look for what mixes entries: a sum, an @, a shape.
arrays = tuple(np.linspace(-1.0, 1.5, 4) * k for k in (1.0, -0.8, 1.2, 0.6, 2.0, 0.5, -0.3))
adjoints = true_adjoints(*arrays)  # before the answer can change the arrays
check_close(lstm_cell_back(*arrays), adjoints, "arrays of 4")
### BEGIN HIDDEN TESTS
before = tuple(np.linspace(-1.0, 1.5, 4) * k for k in (1.0, -0.8, 1.2, 0.6, 2.0, 0.5, -0.3))
check_close(dict(enumerate(arrays)), dict(enumerate(before)), "the arrays that were given, afterwards")
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(lstm_cell_back, before, true_adjoints, mg), "lstm_cell_back")


def arriving(draw):
    """The sums, the old cell, and the adjoints of both results."""
    shape = (2, draw.size(1, 3)) if draw.sometimes("the arrays have two axes") else (draw.size(1, 3),)
    arrays = [draw.array(*shape) for _ in range(7)]
    if draw.sometimes("the old cell holds whole numbers"):
        arrays[4] = np.rint(arrays[4]).astype(int)
    return tuple(arrays)


cases = fresh(arriving)
check_cases(answers(lstm_cell_back, cases), answers(solution.lstm_cell_back, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## A loop that is watched
#
# From here on a long loop over time. `loop.step(t, h)` computes step `t` from the state before it. `loop.back(t, h, h_bar)` goes back over step `t`: it needs the state **before** that step and
# the adjoint of the state after it, and returns the adjoint of the state before, and this step's *share* of the gradient of $U$.
#
# The loop is watched. It counts how often `step` and `back` are called, and how many of the states that it made are **alive** at a time. (A state is alive as long as a name, list or dict of yours holds it. Hand on the states themselves: what you copy, the loop does not take.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "loop"}
class Loop:
    """h = tanh(W x_t + U h) for T steps; the loss is the sum of the last state."""

    def __init__(self, T, seed=0, size=6):
        rng = np.random.default_rng(seed)
        self.T, self.first = T, np.zeros(size)
        self.W, self.U = rng.normal(size=(size, 3)), rng.normal(size=(size, size)) / size**0.5
        self.xs = rng.normal(size=(T, 3))
        self.calls, self.backs, self.peak, self.alive = 0, 0, 0, 0
        self.states = weakref.WeakValueDictionary()  # those that are alive

    def step(self, t, h):
        """The state after step t, from the state h before it."""
        self.look_at(h, f"step({t}, h)")
        h = np.tanh(self.W @ self.xs[t] + self.U @ h)
        self.calls += 1
        self.alive += 1
        self.peak = max(self.peak, self.alive)
        weakref.finalize(h, self.gone)
        self.states[id(h)] = h
        return h

    def gone(self):
        self.alive -= 1

    def look_at(self, h, where):
        if h is not self.first and self.states.get(id(h)) is not h and np.any(h):
            raise Mismatch(f"{where}: expected a state that the loop made, got an array of your own")

    def back(self, t, h, h_bar):
        """From the state h before step t and the adjoint after it: the adjoint of h, and this step's share of U's."""
        self.look_at(h, f"back({t}, h, h_bar)")
        self.backs += 1
        z_bar = h_bar * (1 - np.tanh(self.W @ self.xs[t] + self.U @ h) ** 2)
        return self.U.T @ z_bar, np.outer(z_bar, h)

    def used(self, states):
        """Return what it was asked for, under a cap of so many states."""
        return {
            "states held beyond the cap": max(0, self.peak - states - 2),
            "steps computed beyond twice": max(0, self.calls - 2 * self.T),
            "steps gone back over": self.backs,
        }


def all_states_kept(T, seed=0, size=6):
    """The gradient of U, with every state in memory: what you are compared with."""
    loop = Loop(T, seed, size)
    states = [loop.first]
    for t in range(T):
        states.append(loop.step(t, states[-1]))
    h_bar, total = np.ones(len(loop.first)), 0
    for t in reversed(range(T)):
        h_bar, share = loop.back(t, states[t], h_bar)
        total = total + share
    return total


# %% [markdown]
# ## Task 3 · Forwards, with checkpoints (2 points, easy)
#
# Run the loop. Keep the state **before** the steps 0, k, 2k, ... in a dict, under the number of the step. Do not keep any other state. Return the last state and the dict.
#
# For 7 steps and k = 3: which numbers will be in the dict?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "forward"}
def forward(loop, k):
    """The last state, and {t: state before step t} for t = 0, k, 2k, ..."""
    ### BEGIN SOLUTION
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t] = h
        h = loop.step(t, h)
    return h, kept
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "forward_given"}
def ran(T, k, seed=0, size=6):
    """Return in numbers what forward did."""
    loop = Loop(T, seed, size)
    last, kept = forward(loop, k)
    return {"steps kept": sorted(kept), "last state": last} | {f"state before step {t}": kept[t] for t in sorted(kept)}


def should(T, k, seed=0, size=6):
    """Return what it should have done."""
    loop = Loop(T, seed, size)
    states = [loop.first]
    for t in range(T):
        states.append(loop.step(t, states[-1]))
    steps = list(range(0, T, k))
    return {"steps kept": steps, "last state": states[-1]} | {f"state before step {t}": states[t] for t in steps}


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_forward", "points": 2}
# Stuck? The state before step 0 is loop.first. What comes first in the body of your loop, keeping or stepping?
check_close(ran(7, 3), should(7, 3), "7 steps, k = 3")
check_close(ran(6, 2), should(6, 2), "6 steps, k = 2")
### BEGIN HIDDEN TESTS
check_close(ran(5, 1, 1), should(5, 1, 1), "5 steps, k = 1")
check_close(ran(5, 9, 2), should(5, 9, 2), "5 steps, k = 9")
check_close(ran(3, 2, 0, 2), should(3, 2, 0, 2), "3 steps, k = 2, states of 2 numbers")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Which k? (2 points, easy)
#
# On the way back, a part of k steps is computed again from its checkpoint. So in the worst case these states are held at the same time:
#
# $$\lceil T/k \rceil \;\text{checkpoints} \quad+\quad k - 1 \;\text{states computed again}$$
#
# With a larger k, more steps are computed again. So choose the **smallest** k whose states fit into `cap` bytes, or fill them exactly. If there is none, raise a `ValueError`: better no answer than a program that runs out of memory overnight.
#
# 100 steps, states of 48 bytes, a cap of 20 states. Which k?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "choose"}
def choose(T, state_bytes, cap):
    """The smallest k with (ceil(T / k) + k - 1) * state_bytes <= cap; ValueError if there is none."""
    ### BEGIN SOLUTION
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "choose_given"}
def refuses(T, state_bytes, cap):
    """1 if choose raises a ValueError, else 0."""
    try:
        choose(T, state_bytes, cap)
    except ValueError:
        return 1
    return 0


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_choose", "points": 2}
# Stuck? For T = 100 write down k = 1, 2, 5, 10, 50 and how many states each holds.
check_close(choose(100, 48, 20 * 48), 8, "100 steps, a cap of exactly 20 states")
check_close(choose(100, 48, 100 * 48), 1, "100 steps, 100 states")
check_close(choose(10, 8, 6 * 8), 2, "10 steps, 6 states")
check_close(refuses(100, 48, 18 * 48), 1, "100 steps, 18 states: does it refuse?")
### BEGIN HIDDEN TESTS
check_close(choose(7, 10, 50), 2, "7 steps, 5 states")
check_close(choose(1000, 4, 300), 17, "1000 steps, 75 states")
check_close(choose(1, 8, 8), 1, "1 step, 1 state")
check_close(choose(100, 480_000, 20 * 480_000 - 1), 10, "100 steps, one byte less than 20 states")
check_close(refuses(1, 8, 7), 1, "1 step, one byte less than 1 state: does it refuse?")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · The gradient under a cap (4 points, hard)
#
# Now all of it. Run forwards with checkpoints. Then take the parts from the **last** to the first: compute the part's states again from its checkpoint, go back over them, discard them, take the next.
# The gradient of U is the sum of the shares.
#
# `loop.first.nbytes` is the size of a state. The adjoint of the last state is an array of ones. Two more states do not count: the one that you compute, and the one that you compute it from.
#
# Points: 1 for the right gradient with k = 1, 1 with longer parts, 1 for the cap, 1 if no step is computed more than twice.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "gradient"}
def gradient(loop, cap):
    """The gradient of U, with at most `cap` bytes of states."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0  # seed
    for start in reversed(range(0, loop.T, k)):
        states = [kept.pop(start)]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):  # order
            h_bar, share = loop.back(t, states.pop(), h_bar)  # go back
            total = total + share  # add up
    return total
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "gradient_given"}
def backwards(T, states, seed=0, size=6):
    """gradient() under a cap of so many states: what it gave, and what it used too much of."""
    loop = Loop(T, seed, size)
    gradients = gradient(loop, states * loop.first.nbytes)
    return {"gradient": gradients} | loop.used(states)


def right(T, seed=0, size=6):
    return {"gradient": all_states_kept(T, seed, size)}


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_gradient", "points": 1}
# Stuck? With 10 states for 10 steps k is 1: every state is a checkpoint, and no part has anything to compute again.
check_close(backwards(10, 10), right(10), "10 steps, 10 states")
### BEGIN HIDDEN TESTS
check_close(backwards(6, 6, 4), right(6, 4), "6 steps, 6 states")
check_close(backwards(3, 3, 0, 2), right(3, 0, 2), "3 steps, 3 states of 2 numbers")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_parts", "points": 1}
# Stuck? Try 7 steps and 5 states on paper: k is 2, and the last part has one step. Which states does each part need?
check_close(backwards(25, 9), right(25), "25 steps, 9 states")
### BEGIN HIDDEN TESTS
check_close(backwards(23, 9, 5), right(23, 5), "23 steps, 9 states")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_cap", "points": 1}
# Stuck? Which names, lists and dicts still hold a state when you have gone back over its step?
check_close(backwards(100, 20), {"states held beyond the cap": 0, "steps gone back over": 100}, "100 steps, 20 states")
### BEGIN HIDDEN TESTS
loop = outside(Loop(64, 3), "T", "first", "step", "back")
gradient(loop, 15 * loop.first.nbytes)
check_close(loop.used(15), {"states held beyond the cap": 0, "steps gone back over": 64}, "64 steps, 15 states")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_twice", "points": 1}
# Stuck? Once forwards, and once more when you go back over its part. Where is a step computed a third time?
check_close(backwards(100, 20), {"steps computed beyond twice": 0, "steps gone back over": 100}, "100 steps, 20 states")
### BEGIN HIDDEN TESTS
loop = outside(Loop(64, 4), "T", "first", "step", "back")
gradient(loop, 15 * loop.first.nbytes)
check_close(loop.used(15), {"steps computed beyond twice": 0, "steps gone back over": 64}, "64 steps, 15 states")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
