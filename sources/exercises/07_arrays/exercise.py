# Exercise 07. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 7 · Rules for arrays, and the test they must pass
#
# The lesson had the rules for a row, for one product, for one picture. Here you write them for all shapes, for stacks of
# matrices, and for a batch. And you write the test that tells a right rule from a wrong one without knowing the answer,
# and apply it to your own.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `unbroadcast(adjoint, shape)` | 3 |
# | Task 2 | `matmul_vjp(C_bar, A, B)`, then for stacks | 3 |
# | Task 3 | `dot_product_test(jvp, vjp, u, w)` | 2 |
# | Task 4 | `cross_entropy(logits, labels)`, up to $10^4$ | 2 |
# | Task 5 | `cross_entropy_vjp(adjoint, logits, labels)` | 2 |
# | Together | a layer and its loss | 1 |
#
# Only NumPy is needed. Run the cells from top to bottom. Under each test you read how it went, and the table at the end
# keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · The adjoint of copies is their sum (3 points, medium)
#
# NumPy used an array of shape `shape` as if it were copied, and the result had the shape of `adjoint`. Sum the adjoint over
# every axis that was copied along, and return an array of shape `shape`.
#
# Two things can have happened, to several axes at once. Axes that were missing **on the left** were added. And axes of
# **size 1** were stretched; they keep their place, with size 1.
#
# Before you write: `shape = (2, 1)` and an adjoint of shape `(5, 2, 3)`. Over which axes do you sum, and which of them stay?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "unbroadcast"}
def unbroadcast(adjoint, shape):
    """The adjoint of an array of shape `shape` that was broadcast to the shape of `adjoint`."""
    ### BEGIN SOLUTION
    missing = adjoint.ndim - len(shape)
    adjoint = adjoint.sum(axis=tuple(range(missing)))
    stretched = tuple(k for k, size in enumerate(shape) if size == 1 and adjoint.shape[k] != 1)
    return adjoint.sum(axis=stretched, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_missing", "points": 1}
# Stuck? Shapes are compared from the right. So the axes that were missing are the first
# ones of the adjoint: how many are there?
table = np.arange(12.0).reshape(4, 3)
check_close(unbroadcast(table, (3,)), [18, 22, 26], "a row of 3, copied 4 times")
check_close(unbroadcast(table, (4, 3)), table, "nothing was copied")
check_close(unbroadcast(table, ()), 66, "a single number")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

cube = np.arange(24.0).reshape(2, 4, 3)
check_close(unbroadcast(cube, (4, 3)), cube[0] + cube[1], "a (4, 3), copied twice")
check_close(unbroadcast(np.arange(9.0).reshape(3, 3), (3,)), [9, 12, 15], "a row of 3, copied 3 times")
check_own(called(unbroadcast, (cube, (4, 3)), mg), "unbroadcast")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_stretched", "points": 1}
# Stuck? Go through `shape` axis by axis. Where it has a 1 and the adjoint has more, sum over
# this axis, and keep the 1: `sum` has an argument for that.
table = np.arange(12.0).reshape(4, 3)
check_close(unbroadcast(table, (4, 1)), [[3], [12], [21], [30]], "a column of 4")
check_close(unbroadcast(table, (1, 3)), [[18, 22, 26]], "a (1, 3)")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_close(unbroadcast(table, (1, 1)), [[66]], "a (1, 1)")
check_close(unbroadcast(table[:1], (1, 3)), table[:1], "a (1, 3) that was not copied")
check_close(unbroadcast(table[1:2], (1, 1)), [[12]], "a (1, 1) in a (1, 3)")
check_own(called(unbroadcast, (table, (1, 1)), mg), "unbroadcast")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_both", "points": 1}
# Stuck? Do one after the other: first the axes that were missing, then those of size 1. After
# the first step both have equally many axes.
cube = np.arange(30.0).reshape(5, 2, 3)
check_close(unbroadcast(cube, (2, 1)), [[195], [240]], "a (2, 1) in a (5, 2, 3)")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_close(unbroadcast(cube, (5, 1, 3)), cube[:, :1] + cube[:, 1:], "a (5, 1, 3) in a (5, 2, 3)")
check_close(unbroadcast(cube, (1,)), [435], "a (1,) in a (5, 2, 3)")
check_close(unbroadcast(cube[:1, 0], (3,)), [0, 1, 2], "a (3,) in a (1, 3)")
tower = np.arange(36.0).reshape(2, 3, 2, 3)
want = [tower[:, k].sum(axis=(0, 1)) for k in range(3)]
check_close(unbroadcast(tower, (3, 1, 3)), np.array(want)[:, None, :], "a (3, 1, 3) in a (2, 3, 2, 3)")
check_own(called(unbroadcast, (cube, (2, 1)), mg), "unbroadcast")


def copied(draw):
    """An adjoint, and a shape that lacks its first axis, and has 1 in the place of some of its sizes."""
    axes = [draw.randint(2, 4) for _ in range(draw.size(1, 4))]
    if draw.sometimes("an axis of size 1 was not stretched"):
        axes[0] = 1
    places = draw.sample(range(len(axes)), 1)
    if draw.sometimes("all axes are stretched"):
        places = range(len(axes))
    shape = tuple(1 if k in places else size for k, size in enumerate(axes))
    missing = [3] * (2 if draw.sometimes("two axes are missing") else 1)
    if draw.sometimes("a missing axis has size 1"):
        missing[0] = 1
    return draw.array(*missing, *axes), shape


cases = fresh(copied)
check_cases(answers(unbroadcast, cases), answers(solution.unbroadcast, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · The product of matrices (3 points, hard)
#
# $C = A\,B$, and the adjoint $\bar C$ has arrived. Return $\bar A$ and $\bar B$, in this order.
#
# Write down the shapes of all five first. With matrices that are not square they hardly leave you a choice. (With square
# ones they do, and the hidden tests have some.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "matmul"}
def matmul_vjp(C_bar, A, B):
    """(A_bar, B_bar) for C = A @ B."""
    ### BEGIN SOLUTION
    A_bar = C_bar @ np.swapaxes(B, -1, -2)
    B_bar = np.swapaxes(A, -1, -2) @ C_bar
    return unbroadcast(A_bar, A.shape), unbroadcast(B_bar, B.shape)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_matmul", "points": 2}
# Stuck? A_bar[i, k] is the sum over j of C_bar[i, j] B[k, j]: row i of C_bar times row k of B.
# Which matrix has the rows of B as its columns?
A = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]])
B = np.array([[1.0, 0.0, 2.0, 1.0], [2.0, 1.0, 0.0, 1.0]])
C_bar = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
A_bar, B_bar = matmul_vjp(C_bar, A, B)
check_close(A_bar, [[2, 3], [0, 2], [3, 3]], "A_bar")
check_close(B_bar, [[4, 3, 3, 1], [3, 3, 1, 2]], "B_bar")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

A, B, C_bar = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [5.0, 2.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
A_bar, B_bar = matmul_vjp(C_bar, A, B)
check_close(A_bar, [[0, 5], [1, 12]], "square matrices, A_bar")
check_close(B_bar, [[7, 3], [10, 4]], "square matrices, B_bar")
check_own(called(matmul_vjp, (C_bar, A, B), mg), "matmul_vjp")
### END HIDDEN TESTS

# %% [markdown]
# ### Stacks
#
# `A @ B` also takes stacks: with `A` of shape `(5, 4, 3)` and `B` of shape `(3, 2)` it multiplies five matrices by *the same*
# `B`. How many copies of `B` were made, and what does that mean for its adjoint? Extend your function so that it takes stacks,
# on either side. `.T` reverses *all* axes of a stack; `np.swapaxes(B, -1, -2)` swaps the last two, which transposes each of its
# matrices. And you have already written the other half of the answer.

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_stack", "points": 1}
# Stuck? Compute the two products with swapaxes and look at their shapes. One of them has an
# axis too many. Task 1 says what to do with it.
A, B = np.arange(12.0).reshape(3, 2, 2), np.array([[1.0, 2.0], [0.0, 1.0]])
C_bar = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]])
A_bar, B_bar = matmul_vjp(C_bar, A, B)
check_close(A_bar, [[[1, 0], [2, 1]], [[2, 1], [1, 0]], [[3, 1], [0, 0]]], "three matrices times one, A_bar")
check_close(B_bar, [[14, 14], [17, 17]], "three matrices times one, B_bar")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(matmul_vjp, (C_bar, A, B), mg), "matmul_vjp")
A_bar, B_bar = matmul_vjp(C_bar, B, A)
check_close(A_bar, [[22, 30], [5, 9]], "one matrix times three, A_bar")
check_close(B_bar, [[[1, 0], [2, 1]], [[0, 1], [1, 2]], [[1, 1], [2, 2]]], "one matrix times three, B_bar")
A_bar, B_bar = matmul_vjp(C_bar, A, B[None])
check_close(B_bar, [[[14, 14], [17, 17]]], "three matrices times a stack of one, B_bar")


def stacks(draw):
    """C_bar, A and B, of which at least one is a stack of matrices."""
    n, m, k, height = (draw.size(1, 3) for _ in range(4))
    A, B = draw.array(height + 1, n, m), draw.array(m, k)
    if draw.sometimes("the right factor is a stack"):
        A, B = draw.array(n, m), draw.array(height + 1, m, k)
    if draw.sometimes("both factors are stacks"):
        A, B = draw.array(height + 1, n, m), draw.array(height + 1, m, k)
    if draw.sometimes("one of two stacks has one matrix"):
        A, B = draw.array(height + 1, n, m), draw.array(1, m, k)
    return draw.array(height + 1, n, k), A, B


cases = fresh(stacks)
check_cases(answers(matmul_vjp, cases), answers(solution.matmul_vjp, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · The dot-product test (2 points, easy)
#
# $$\langle w,\; J u\rangle \;=\; \langle J^\top w,\; u\rangle$$
#
# `jvp(u)` gives $Ju$, `vjp(w)` gives $J^\top w$. Return how far the two numbers are apart, **relative** to the larger of their
# absolute values: 0 for a right pair, up to rounding. If both numbers are 0, return 0.
#
# $\langle a, b\rangle$ of two arrays of the same shape is the sum of the products of their entries.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "judge"}
def dot_product_test(jvp, vjp, u, w):
    """The distance of <w, jvp(u)> and <vjp(w), u>, relative to the larger one."""
    ### BEGIN SOLUTION
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    scale = max(abs(forward), abs(backward))
    return abs(forward - backward) / scale if scale else 0.0
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_judge", "points": 2}
# Stuck? Two numbers: the sum of w times jvp(u), and the sum of vjp(w) times u. How far apart,
# divided by what?
u, w = np.array([1.0, 2.0]), np.array([3.0, -1.0, 1.0])
J = np.array([[1.0, 2.0], [0.0, 4.0], [1.0, 1.0]])
check_close(dot_product_test(lambda u: J @ u, lambda w: J.T @ w, u, w), 0, "a right pair")
check_close(
    dot_product_test(lambda u: J @ u, lambda w: 1.25 * (J.T @ w), u, w), 0.2, "an adjoint that is 1.25 times too large"
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import fails, passes_on

check_close(passes_on(dot_product_test, fails, fails, u, w), True, "an error in jvp: does it come out of the test?")
check_close(dot_product_test(lambda u: J @ u, lambda w: 0 * u, u, w), 1, "an adjoint of zeros")
check_close(
    dot_product_test(lambda u: 1e6 * (J @ u), lambda w: 1.25e6 * (J.T @ w), u, w),
    0.2,
    "the same, a million times larger",
)
check_close(dot_product_test(lambda u: 0 * w, lambda w: J.T @ w, u, w), 1, "a product with J that is zero")
tiny = dot_product_test(lambda u: 1e-12 * (J @ u), lambda w: 1.25e-12 * (J.T @ w), u, w)
check_close(tiny, 0.2, "the same, a million million times smaller")
near = dot_product_test(lambda u: J @ u, lambda w: (1 + 1e-7) * (J.T @ w), u, w)
check_close(near * 1e7, 1, "an adjoint that is too large by a ten-millionth, times ten million", tolerance=1e-6)
check_close(dot_product_test(lambda u: 0 * w, lambda w: 0 * u, u, w), 0, "two zeros")
check_close(dot_product_test(lambda u: -(J @ u), lambda w: -1.25 * (J.T @ w), u, w), 0.2, "two negative numbers")
check_close(dot_product_test(lambda u: -(J @ u), lambda w: J.T @ w, u, w), 2, "an adjoint of the wrong sign")
square, one = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
check_close(dot_product_test(lambda u: u @ square, lambda w: w @ square.T, one, square), 0, "a right pair, on matrices")
### END HIDDEN TESTS

# %% [markdown]
# Now apply your test to your own work. Nothing to write: are these two numbers near $10^{-16}$?

# %% tags=["raises-exception"]
rng = np.random.default_rng(0)
A, B, w = rng.standard_normal((5, 4, 3)), rng.standard_normal((3, 2)), rng.standard_normal((5, 4, 2))
print(dot_product_test(lambda u: u @ B, lambda w: matmul_vjp(w, A, B)[0], rng.standard_normal(A.shape), w))
print(dot_product_test(lambda u: A @ u, lambda w: matmul_vjp(w, A, B)[1], rng.standard_normal(B.shape), w))

# %% [markdown]
# ## Task 4 · A loss that does not overflow (2 points, medium)
#
# `logits` has a row for each picture, `labels` the number of the right class of each. Return the **mean over the rows** of
#
# $$\log \sum_k e^{z_k - m} - (z_{\text{label}} - m), \qquad m = \max_k z_k \text{ of this row}$$
#
# With logits of 10,000 it must come out right, and the caller's `logits` stay as they are. (What happens to a row of small logits, if $m$ is taken over the whole batch?)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "loss"}
def cross_entropy(logits, labels):
    """The mean over rows of -log softmax(row)[label]. logits: (n, classes); labels: (n,) integers."""
    ### BEGIN SOLUTION
    shifted = logits - logits.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - right)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_loss", "points": 2}
# Stuck? Do a single row on paper: subtract its largest logit from all, then the formula. For
# all rows at once, max and sum need axis=1, and keepdims=True where the result meets a matrix
# again.
np.seterr(all="ignore")
check_close(cross_entropy(np.zeros((2, 4)), np.array([0, 3])), np.log(4), "all logits 0, four classes")
check_close(
    cross_entropy(np.array([[2.0, 1.0, 0.0]]), np.array([0])), 0.4076059644443803, "one row, [2, 1, 0], label 0"
)
check_close(cross_entropy(np.array([[1e4, 1e4]]), np.array([1])), np.log(2), "one row, [10000, 10000], label 1")
check_close(cross_entropy(np.array([[1e4, 0.0, 0.0]]), np.array([1])), 10_000, "one row, [10000, 0, 0], label 1")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_close(cross_entropy(np.array([[1e4, 0.0, -1e4]]), np.array([2])), 20_000, "one row, [10000, 0, -10000], label 2")
check_close(
    cross_entropy(np.array([[1e4, 0.0], [0.0, 0.0]]), np.array([0, 1])),
    np.log(2) / 2,
    "a row of large and a row of small logits",
)
rows = np.array([[0.0, np.log(3.0)], [np.log(7.0), 0.0]])
check_close(
    cross_entropy(rows, np.array([0, 1])), (np.log(4) + np.log(8)) / 2, "two rows with probabilities 1/4 and 1/8"
)
logits = np.array([[2.0, 1.0, 0.0]])
cross_entropy(logits, np.array([0]))
check_close(logits, [[2.0, 1.0, 0.0]], "the logits that were given, afterwards")
check_own(called(cross_entropy, (logits, np.array([0])), mg), "cross_entropy")


def scores(draw):
    """Logits and labels of some rows."""
    n, classes = draw.size(1, 5), draw.size(2, 5)
    logits = draw.array(n, classes)
    if draw.sometimes("a logit is 10000"):
        logits[0, 0] = 1e4
    if draw.sometimes("all logits of a row are near -10000"):
        logits[-1] -= 1e4
    if draw.sometimes("the rows are 10000 apart"):
        logits += 1e4 * np.arange(n)[:, None]
    return logits, np.array([draw.randrange(classes) for _ in range(n)])


cases = fresh(scores)
check_cases(answers(cross_entropy, cases), answers(solution.cross_entropy, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Prediction minus truth (2 points, medium)
#
# The adjoint of the logits: for each row its softmax, minus 1 at the label, times the `adjoint` of the loss. And remember that the
# loss is a mean over the rows.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "slope"}
def cross_entropy_vjp(adjoint, logits, labels):
    """The adjoint of the logits, (n, classes); `adjoint` is that of the loss, a number."""
    ### BEGIN SOLUTION
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] -= 1
    return adjoint * softmax / len(labels)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_slope", "points": 2}
# Stuck? Start with one row whose logits are all 0: softmax gives 1/4 to each of four classes.
# Which of the four is the right one?
np.seterr(all="ignore")
check_close(
    cross_entropy_vjp(1.0, np.zeros((1, 4)), np.array([2])), [[0.25, 0.25, -0.75, 0.25]], "one row of zeros, label 2"
)
check_close(
    cross_entropy_vjp(1.0, np.array([[1e4, 0.0, 0.0]]), np.array([1])), [[1, -1, 0]], "one row, [10000, 0, 0], label 1"
)
check_close(
    cross_entropy_vjp(1.0, np.zeros((2, 4)), np.array([2, 0])),
    [[0.125, 0.125, -0.375, 0.125], [-0.375, 0.125, 0.125, 0.125]],
    "two rows of zeros",
)
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_close(cross_entropy_vjp(-3.0, np.zeros((1, 2)), np.array([0])), [[1.5, -1.5]], "an adjoint of -3")
rows = np.array([[0.0, np.log(3.0)], [np.log(7.0), 0.0]])
check_close(
    cross_entropy_vjp(1.0, rows, np.array([0, 1])),
    [[-0.375, 0.375], [0.4375, -0.4375]],
    "two rows with probabilities 1/4 and 1/8",
)
logits = np.array([[1.0, 2.0, 3.0]])
cross_entropy_vjp(1.0, logits, np.array([1]))
check_close(logits, [[1, 2, 3]], "the logits, after the call")
check_own(called(cross_entropy_vjp, (1.0, logits, np.array([1])), mg), "cross_entropy_vjp")


def arriving(draw):
    """The adjoint of the loss, and logits and labels of some rows."""
    n, classes = draw.size(1, 5), draw.size(2, 5)
    logits = draw.array(n, classes)
    if draw.sometimes("a logit is 10000"):
        logits[0, 0] = 1e4
    if draw.sometimes("the rows are 10000 apart"):
        logits += 1e4 * np.arange(n)[:, None]
    adjoint = draw.choice([-3.0, 0.0]) if draw.sometimes("the adjoint is not 1") else 1.0
    return adjoint, logits, np.array([draw.randrange(classes) for _ in range(n)])


cases = fresh(arriving)
check_cases(answers(cross_entropy_vjp, cases), answers(solution.cross_entropy_vjp, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Together (1 point)
#
# Nothing to write. A layer and its loss, backwards through your rules. Forward mode is minigrad's, with dual
# numbers. Both must give the same number, for each of the three inputs.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "network"}
import minigrad as mg


def layer(which, seed, rows=6, features=5, classes=3, size=1.0):
    """A layer X @ W + b with random numbers, its labels, and a direction for one of the three."""
    rng = np.random.default_rng(seed)
    at = {
        "X": rng.standard_normal((rows, features)) * size,
        "W": rng.standard_normal((features, classes)),
        "b": rng.standard_normal(classes),
    }
    return at, rng.integers(0, classes, rows), rng.standard_normal(at[which].shape)


def forwards(which, seed, **sizes):
    """The growth of the layer's loss in that direction, by minigrad's forward mode."""
    at, labels, u = layer(which, seed, **sizes)

    def loss(x):
        z = {**at, which: x}
        return -mg.mean(mg.log_softmax(z["X"] @ z["W"] + z["b"])[np.arange(len(labels)), labels])

    return mg.jvp(loss, at[which], u)[1]


def backwards(which, seed, **sizes):
    """The same by your functions: the adjoint, times the direction."""
    at, labels, u = layer(which, seed, **sizes)
    scores_bar = np.asarray(cross_entropy_vjp(1.0, at["X"] @ at["W"] + at["b"], labels))
    X_bar, W_bar = matmul_vjp(scores_bar, at["X"], at["W"])
    adjoint = {"X": X_bar, "W": W_bar, "b": unbroadcast(scores_bar, at["b"].shape)}[which]
    return np.sum(adjoint * u)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_together", "points": 1}
# Stuck? If a test above fails, fix it first. If all of them pass: compare the shapes here with those that they try.
check_close(backwards("X", 1), forwards("X", 1), "the layer, with respect to X")
check_close(backwards("W", 2), forwards("W", 2), "the layer, with respect to W")
check_close(backwards("b", 3), forwards("b", 3), "the layer, with respect to b")
### BEGIN HIDDEN TESTS
check_close(backwards("W", 4, size=1e3), forwards("W", 4, size=1e3), "the layer with large logits, with respect to W")
check_close(backwards("b", 5, rows=1), forwards("b", 5, rows=1), "the layer with one row, with respect to b")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try shapes that you have not seen: when all of these pass, the table
# says where the others run.
