# Exercise 11. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks
# The stored numbers of Task 4 are PyTorch's, in float64, with `detach` where we write `mg.stop_gradient`.

# %% [markdown]
# # Exercise 11 · Back through time, but not too far
#
# In the lesson, one giant gradient ruined a run, and clipping saved it. You write both kinds of clipping. Then you go
# back through time yourself, without a graph, and finally with one, cut into pieces.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | clipping by value | 2 |
# | Task 2 | clipping by norm | 3 |
# | Task 3 | backpropagation through time, by hand | 4 |
# | Task 4 | the same, truncated | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

import minigrad as mg
from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · Clip by value (2 points, easy)
#
# A network has several parameters, so there is a **list** of gradients: arrays of any shapes. Return a list of new
# arrays in which no entry is above `limit` or below `-limit`. All other entries stay the same.
#
# Predict: what does $(3, -0.5, -4)$ become with the limit 1?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "by_value"}
def clip_by_value(gradients, limit):
    """New arrays, with each entry between -limit and limit."""
    ### BEGIN SOLUTION
    return [np.clip(g, -limit, limit) for g in gradients]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_by_value", "points": 2}
# Stuck? Look at one entry at a time. 3 is above 1, so it becomes 1. And -4?
gradients = [np.array([3.0, -0.5, -4.0]), np.array([[0.25, 8.0], [1.0, -1.0]])]
clipped = clip_by_value(gradients, 1.0)
check_close(clipped[0], [1.0, -0.5, -1.0], "(3, -0.5, -4) with limit 1")
check_close(clipped[1], [[0.25, 1.0], [1.0, -1.0]], "a second gradient, 2 by 2")
check_close(gradients[0], [3.0, -0.5, -4.0], "the array that was given, afterwards")
small = [np.array([0.25, -0.5])]
clip_by_value(small, 1.0)[0][:] = 9.0
check_close(small[0], [0.25, -0.5], "a small gradient that was given, after the new array was changed")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(clip_by_value([np.array([-0.3, 0.2, 0.05])], 0.1)[0], [-0.1, 0.1, 0.05], "three entries with limit 0.1")
check_close(clip_by_value([np.array([3, 0, -4])], 0.5)[0], [0.5, 0, -0.5], "whole numbers with limit 0.5")


def arrays_and_limit(draw):
    """Some arrays, and a limit."""
    arrays = [draw.array(draw.size(1, 4))]
    if draw.sometimes("one of them is a matrix"):
        arrays[0] = draw.array(2, 3)
    if draw.sometimes("there are several arrays"):
        arrays += [draw.array(1) for _ in range(draw.randint(1, 2))]
    if draw.sometimes("one of them is a single number, or has three axes"):
        arrays[0] = draw.array(*draw.choice([(), (2, 1, 2)]))
    if draw.sometimes("all are small"):
        arrays = [np.asarray(array / 1000) for array in arrays]
    return arrays, draw.choice([0.25, 0.2]) if draw.sometimes("the limit is not 1") else 1.0


cases = fresh(arrays_and_limit)
check_cases(answers(clip_by_value, cases), answers(solution.clip_by_value, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Clip by norm (3 points, medium)
#
# Now the **whole** gradient is one vector. Its norm is the square root of the sum of the squares of *all* entries of *all*
# arrays. If the norm is larger than `limit`, every array is multiplied by the same factor, so that the norm becomes
# `limit`. If it is not larger, nothing changes.
#
# Predict: what do $(3, 0)$ and $(4)$ become, with the limit 1?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "by_norm"}
def clip_by_norm(gradients, limit):
    """New arrays with a common 2-norm of at most limit, in the same direction."""
    ### BEGIN SOLUTION
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_by_norm", "points": 3}
# Stuck? The squares of 3, 0 and 4 add up to 25. What is the norm? By which factor is it too large?
gradients = [np.array([3.0, 0.0]), np.array([4.0])]
clipped = clip_by_norm(gradients, 1.0)
check_close(clipped[0], [0.6, 0.0], "(3, 0) beside (4), with limit 1")
check_close(clipped[1], [0.8], "(4) beside (3, 0), with limit 1")
check_close(gradients[0], [3.0, 0.0], "the array that was given, afterwards")
short = clip_by_norm([np.array([0.3, 0.0]), np.array([[0.4]])], 1.0)
check_close(short[0], [0.3, 0.0], "(0.3, 0) beside (0.4), which are small enough")
check_close(clip_by_norm([np.zeros(3)], 1.0)[0], np.zeros(3), "a gradient of zeros")
small = [np.array([0.3, 0.0]), np.array([0.4])]
for array in clip_by_norm(small, 1.0):
    array += 5.0
check_close(small[0], [0.3, 0.0], "a small gradient that was given, after the new arrays were changed")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

clipped = clip_by_norm([np.array([[2.0, -4.0]]), np.array([5.0, 6.0])], 4.5)
check_close(clipped[0], [[1.0, -2.0]], "a vector of norm 9, with limit 4.5")
check_close(clipped[1], [2.5, 3.0], "the rest of a vector of norm 9, with limit 4.5")
check_close(clip_by_norm([np.array([1.0, 2.0, 2.0])], 4.5)[0], [1.0, 2.0, 2.0], "a vector of norm 3, with limit 4.5")
check_close(clip_by_norm([np.array([0.0, 2.0])], 2.0)[0], [0.0, 2.0], "a vector whose norm is exactly the limit")
tiny = clip_by_norm([np.array([3e-12, 4e-12])], 1e-12)[0]
check_close(tiny * 1e12, [0.6, 0.8], "a vector of norm 5e-12, with limit 1e-12, times 1e12")
square = clip_by_norm([np.array([[3.0, 0.0], [0.0, 4.0]])], 2.5)[0]
check_close(square, [[1.5, 0.0], [0.0, 2.0]], "a matrix with 3 and 4 on its diagonal, with limit 2.5")


def near_the_limit(draw):
    """Some arrays, and a limit near their norm."""
    arrays, limit = [draw.array(draw.size(1, 4))], 1.0
    if draw.sometimes("one of them is a matrix"):
        arrays[0] = draw.array(2, 3)
    if draw.sometimes("there are several arrays"):
        arrays += [draw.array(1) for _ in range(draw.randint(1, 2))]
    if draw.sometimes("one of them is a single number, or has three axes"):
        arrays[0] = draw.array(*draw.choice([(), (2, 1, 2)]))
    if draw.sometimes("the limit is not 1"):
        limit = draw.choice([0.25, 2.25])
    norm = float(np.sqrt(sum(np.sum(part**2) for part in arrays)))
    factor = draw.choice([0.5, 0.9]) if draw.sometimes("the norm is below the limit") else draw.choice([1.25, 3.0])
    if draw.sometimes("the norm is just above the limit"):
        factor = 1 + 2.0**-20
    return [np.asarray(part * (factor * limit / norm)) for part in arrays] if norm else arrays, limit


cases = fresh(near_the_limit)
check_cases(answers(clip_by_norm, cases), answers(solution.clip_by_norm, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Back through time, by hand (4 points, medium)
#
# One number of memory, as in the lesson:
#
# $$h_t = \tanh(w\,x_t + u\,h_{t-1}), \qquad h_0 = 0$$
#
# `forward` gives all states. The output is the **last** one, so its adjoint is 1. From there, go step by step to the
# first:
#
# $$\bar a_t = (1 - h_t^2)\,\bar h_t \qquad \bar w \mathrel{+}= \bar a_t\,x_t \qquad \bar u \mathrel{+}= \bar a_t\,h_{t-1} \qquad \bar h_{t-1} = u\,\bar a_t$$
#
# Write `bptt`. It returns both derivatives. No graph, no minigrad: a loop backwards over numbers.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "forward"}
def forward(xs, w, u):
    """The states h_0 = 0, h_1, ..., h_T: one more than there are inputs."""
    states = [0.0]
    for x in xs:
        states.append(np.tanh(w * x + u * states[-1]))
    return states


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "bptt"}
def bptt(xs, w, u):
    """The derivatives of the last state: {"w": ..., "u": ...}."""
    states = forward(xs, w, u)
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    by_w, by_u, adjoint = 0.0, 0.0, 1.0  # seed
    for t in range(len(xs), 0, -1):  # order
        inside = (1 - states[t] ** 2) * adjoint  # go back
        by_w += inside * xs[t - 1]  # add up
        by_u += inside * states[t - 1]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "slopes"}
def slopes(xs, w, u, h=1e-5):
    """The same two derivatives by central differences, as in lesson 01."""
    return {
        "w": (forward(xs, w + h, u)[-1] - forward(xs, w - h, u)[-1]) / (2 * h),
        "u": (forward(xs, w, u + h)[-1] - forward(xs, w, u - h)[-1]) / (2 * h),
    }


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_bptt", "points": 4}
# Stuck? Do one step on paper: xs has one input, so there is one share for w, and h_0 = 0 makes the share for u 0. Then
# two steps. xs[0] is the input of step 1, states[0] is the state before it.
check_close(bptt([0.9], 1.0, 0.9), slopes([0.9], 1.0, 0.9), "one step", 1e-7)
check_close(bptt([0.9, -0.4], 1.0, 0.9), slopes([0.9, -0.4], 1.0, 0.9), "two steps", 1e-7)
check_close(bptt([0.9, -0.4, 0.7], 1.0, 0.9), slopes([0.9, -0.4, 0.7], 1.0, 0.9), "three steps", 1e-7)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(bptt, ([0.9, -0.4], 1.0, 0.9), slopes, mg), "bptt")
long = [0.3, -0.2, 0.5, 0.1, -0.6, 0.2, 0.4, -0.1]
check_close(bptt(long, 0.8, 1.3), slopes(long, 0.8, 1.3), "eight steps with u = 1.3", 1e-7)
check_close(bptt(long, -0.5, -0.7), slopes(long, -0.5, -0.7), "eight steps with u = -0.7", 1e-7)
h1 = np.tanh(0.4)
slope = 1 - np.tanh(8 * h1 - 0.3) ** 2
exact = {"w": slope * (32 * (1 - h1 * h1) - 3), "u": slope * h1}
check_close(bptt([4.0, -3.0], 0.1, 8.0), exact, "two steps with u = 8, to eleven digits", 1e-11)


def loops(draw):
    """Inputs, w and u."""
    xs = [x / 4 for x in draw.numbers(draw.size(1, 8))]
    w, u = draw.randint(2, 12) / 10, draw.randint(2, 15) / 10
    w = 0.0 if draw.sometimes("w is 0") else -w if draw.sometimes("w is negative") else w
    return xs, w, 0.0 if draw.sometimes("u is 0") else -u if draw.sometimes("u is negative") else u


cases = fresh(loops)
check_cases(answers(bptt, cases), answers(solution.bptt, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Truncated (3 points, medium)
#
# Now a loss at every step, with targets $y_t$:
#
# $$L = \sum_t (h_t - y_t)^2$$
#
# Find $\bar u$ with a graph this time, but **in pieces of $k$ steps**. Before the first step, the step $k$ later, and so on, the
# state is cut: `mg.stop_gradient(h)` has the value of `h`, and passes no adjoint back. The value goes on as if nothing
# had happened. One `backward` at the end, from the whole loss.
#
# The inputs are numbers, and `u` is a `mg.Variable`. Return its gradient.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "truncated"}
def truncated(xs, targets, w, u, k):
    """The derivative of the loss with respect to u, back through at most k steps. w, u: numbers."""
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    ### BEGIN SOLUTION
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_truncated", "points": 3}
# Stuck? With k = 6 there is one piece, and nothing is cut. If that is right and k = 3 is not, look at the place of the
# cut: before which steps does it happen, and what does h hold afterwards?
xs, targets = [0.9, -0.4, 0.7, 1.2, -0.8, 0.3], [0.5, 0.1, -0.3, 0.8, 0.0, -0.6]
check_close(truncated(xs, targets, 1.1, 0.8, 6), 1.7297251654357613, "six steps in one piece")
check_close(truncated(xs, targets, 1.1, 0.8, 3), 1.701146345023127, "six steps in pieces of 3")
check_close(truncated(xs, targets, 1.1, 0.8, 4), 1.658472283976805, "six steps in pieces of 4 and 2")
check_close(truncated(xs, targets, 1.1, 0.8, 1), -0.12126939787803023, "six steps one by one")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

xs, targets = [-0.2, 1.5, 0.4, -0.6, 0.1, 0.1, 0.9], [0.3, 0.3, -0.9, 0.2, 0.7, -0.1, 0.4]
check_close(truncated(xs, targets, 0.7, 1.2, 7), 2.8302980149380628, "seven steps in one piece")
check_close(truncated(xs, targets, 0.7, 1.2, 2), 2.183302563242205, "seven steps in pieces of 2")
check_close(truncated(xs, targets, 0.7, 1.2, 5), 1.670532019293467, "seven steps in pieces of 5 and 2")


def pieces(draw):
    """Inputs, targets, w, u and k."""
    T = k = draw.size(1, 6)
    if draw.sometimes("there are several pieces"):
        k, T = draw.randint(2, 3), 6
    if draw.sometimes("the last piece is shorter"):
        k, T = draw.randint(2, 3), 7
    if draw.sometimes("k is 1"):
        k, T = 1, draw.randint(3, 5)
    if draw.sometimes("k is more than all steps"):
        k = T + 2
    xs, targets = ([value / 4 for value in draw.numbers(T)] for _ in range(2))
    return xs, targets, draw.randint(2, 12) / 10, draw.randint(2, 12) / 10, k


cases = fresh(pieces, rounds=4, mixed=12)
check_cases(answers(truncated, cases), answers(solution.truncated, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# (With pieces of one step even the *sign* is wrong: pieces that are too short can lead uphill.)
#
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
