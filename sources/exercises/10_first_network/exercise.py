# Exercise 10. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks
# Both stored trainings were computed by PyTorch, in float64, from the weights and with the batches of the test.

# %% [markdown]
# # Exercise 10 · Twenty steps, digit by digit
#
# Somebody trained a network on twenty batches and wrote down the loss of each. You have the same images and the
# same initial weights. Write the five parts of a training loop, put them together, and your twenty losses must be
# the stored ones, to nine decimals. One wrong sign, one image too many, and they differ at once.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | Glorot's rule | 2 |
# | Task 2 | batches | 2 |
# | Task 3 | the network | 2 |
# | Task 4 | a step of SGD | 2 |
# | Task 5 | the training, along the stored losses | 3 |
# | Task 6 | accuracy | 1 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

import minigrad as mg
from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close

grading.live()

# %% [markdown]
# ## Task 1 · Initial weights (2 points, medium)
#
# Glorot's rule: weights uniform between $-a$ and $a$, such that their variance is
#
# $$\operatorname{var}(w) = \frac{2}{n_{in} + n_{out}}$$
#
# A uniform distribution between $-a$ and $a$ has the variance $a^2/3$. So what is $a$?
#
# `glorot` draws a matrix of shape $(n_{out}, n_{in})$ from this distribution: a row for each unit. Use
# `rng.uniform(low, high, shape)`.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "glorot"}
def glorot_limit(n_in, n_out):
    """The a in: uniform between -a and a."""
    ### BEGIN SOLUTION
    return np.sqrt(6 / (n_in + n_out))
    ### END SOLUTION


def glorot(n_in, n_out, rng):
    """Initial weights, an array of shape (n_out, n_in)."""
    ### BEGIN SOLUTION
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "look"}
def figures(weights):
    """Describe a matrix of random weights in numbers."""
    weights = np.asarray(weights, float)
    if weights.ndim != 2:
        raise Mismatch(f"expected a matrix, got an array of shape {weights.shape}")
    return {"rows": weights.shape[0], "columns": weights.shape[1], "mean": weights.mean(), "variance": weights.var(),
            "largest": np.abs(weights).max()}  # fmt: skip


def check_within(largest, limit, where):
    """A uniform distribution ends at its limit, and comes close to it."""
    if largest > limit * (1 + 1e-9):
        raise Mismatch(f"{where}: expected no weight beyond {limit:.6g}, got one of size {largest:.6g}")
    check_close(largest, limit, f"{where}: the largest weight", tolerance=0.01)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_glorot", "points": 2}
# Stuck? Set a²/3 equal to the variance of the rule, and solve for a. And how many rows does a matrix with one row for
# each unit have?
check_close(glorot_limit(5, 3), np.sqrt(0.75), "the limit for 5 inputs and 3 outputs")
check_close(glorot_limit(100, 50), 0.2, "the limit for 100 inputs and 50 outputs")
drawn = figures(glorot(300, 200, np.random.default_rng(0)))
check_close(drawn["rows"], 200, "300 inputs, 200 outputs: rows")
check_close(drawn["columns"], 300, "300 inputs, 200 outputs: columns")
check_close(drawn["mean"], 0, "300 inputs, 200 outputs: mean", tolerance=0.001)
check_close(drawn["variance"], 0.004, "300 inputs, 200 outputs: variance", tolerance=0.0001)
check_within(drawn["largest"], np.sqrt(6 / 500), "300 inputs, 200 outputs")
rng = np.random.default_rng(4)
differ = np.any(glorot(3, 2, rng) != glorot(3, 2, rng))
check_close(bool(differ), True, "two matrices drawn from one generator: do they differ?")
differ = np.any(glorot(3, 2, np.random.default_rng(4)) != glorot(3, 2, np.random.default_rng(4)))
check_close(bool(differ), False, "two matrices, each drawn from a generator of the same seed: do they differ?")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(glorot, (3, 2, np.random.default_rng(4)), mg), "glorot")
check_close(glorot_limit(784, 64), np.sqrt(6 / 848), "the limit for 784 inputs and 64 outputs")
check_close(
    figures(glorot(20, 500, np.random.default_rng(5)))["variance"], 2 / 520, "20 inputs, 500 outputs: variance", 1e-4
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Every row once, in a new order (2 points, easy)
#
# One epoch as a list of batches. A batch is an array of row numbers. Draw **one** `rng.permutation(n)`, and cut it
# into pieces of `size`, from the front. The last piece may be smaller, but no row is left out.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "batches"}
def batches(n, size, rng):
    """Row numbers 0 to n - 1 in random order, as a list of arrays of `size` numbers; the last may be smaller."""
    ### BEGIN SOLUTION
    order = rng.permutation(n)
    return [order[k : k + size] for k in range(0, n, size)]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_batches", "points": 2}
# Stuck? With n = 10 and size = 4 the pieces begin at 0, 4 and 8.
rng = np.random.default_rng(3)
epoch = [np.asarray(rows) for rows in batches(10, 4, rng)]
check_close([len(rows) for rows in epoch], [4, 4, 2], "sizes of the batches of 10 rows")
check_close(np.sort(np.concatenate(epoch)), np.arange(10), "all row numbers of an epoch, sorted")
check_close(np.concatenate(epoch), np.random.default_rng(3).permutation(10), "the order of the first epoch")
again = [np.asarray(rows) for rows in batches(10, 4, rng)]
later = np.random.default_rng(3)
later.permutation(10)
check_close(np.concatenate(again), later.permutation(10), "the order of the second epoch")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close([len(rows) for rows in batches(7, 7, np.random.default_rng(0))], [7], "one batch of everything")
check_close([len(rows) for rows in batches(5, 100, np.random.default_rng(0))], [5], "fewer rows than a batch")
check_close(
    [len(rows) for rows in batches(9, 4, np.random.default_rng(0))], [4, 4, 1], "sizes of the batches of 9 rows"
)
check_close(
    np.concatenate(batches(9, 3, np.random.default_rng(8))), np.random.default_rng(8).permutation(9), "nine rows"
)
epoch = batches(9, 3, np.random.default_rng(8))
batches(9, 3, np.random.default_rng(9))
check_close(
    np.concatenate(epoch), np.random.default_rng(8).permutation(9), "nine rows, after those of another epoch were drawn"
)


def amounts(draw):
    """Rows, the size of a batch, and the seed of a generator."""
    count, n = draw.size(1, 6), draw.size(1, 4)
    if draw.sometimes("the last batch is smaller"):
        return (count + 1) * n + 1, count + 1, draw.randrange(100)
    if draw.sometimes("a batch is more than all rows"):
        return count, count + n, draw.randrange(100)
    return n * count, count, draw.randrange(100)


def parted(n, count, number, part=batches):
    return [np.asarray(some) for some in part(n, count, np.random.default_rng(number))]


cases = fresh(amounts)
check_cases(
    answers(parted, cases), answers(lambda n, count, number: parted(n, count, number, solution.batches), cases), cases
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · The network (2 points, easy)
#
# $$H = \tanh(X W_1^{\mathsf T} + b_1) \qquad S = H W_2^{\mathsf T} + b_2$$
#
# `x` has an image in each row, and the scores have a row for each image. The weights are nodes of a graph, so write
# `mg.tanh`, `@`, `.T` and `+`. Which of the two layers gets a tanh?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "network"}
def scores(x, W1, b1, W2, b2):
    """The scores, (images, digits)."""
    ### BEGIN SOLUTION
    return mg.tanh(x @ W1.T + b1) @ W2.T + b2
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "small"}
def small_scores(function, x):
    """Apply a function to x with 3 inputs, 2 hidden units and 2 digits: an array."""
    W1, b1 = [[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]], [0.1, -0.2]
    W2, b2 = [[1.0, -1.0], [3.0, 0.5]], [0.0, 0.25]
    result = function(mg.Constant(np.array(x)), *(mg.Variable(np.array(v)) for v in (W1, b1, W2, b2)))
    if isinstance(result, np.ndarray):
        raise Mismatch("expected a node, through which adjoints can go back to the weights, got an array of numbers")
    return getattr(result, "value", result)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_network", "points": 2}
# Stuck? With x = 0 the hidden layer is tanh(b1), and nothing else. Work out both scores with a calculator.
t = np.tanh
check_close(
    small_scores(scores, [[1.0, 0.0, 0.0], [0.0, 0.5, 2.0]]),
    [[t(1.1) - t(0.3), 3 * t(1.1) + 0.5 * t(0.3) + 0.25], [t(-1.9) - t(0.8), 3 * t(-1.9) + 0.5 * t(0.8) + 0.25]],
    "the scores of two images",
)
check_close(
    small_scores(scores, [[0.0, 0.0, 0.0]]),
    [[t(0.1) - t(-0.2), 3 * t(0.1) + 0.5 * t(-0.2) + 0.25]],
    "the scores of an empty image",
)
### BEGIN HIDDEN TESTS
check_close(
    small_scores(scores, [[0.3, -0.7, 0.9]]),
    [[t(-0.5) - t(-1.45), 3 * t(-0.5) + 0.5 * t(-1.45) + 0.25]],
    "the scores of another image",
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · One step (2 points, easy)
#
# For each parameter, $w \leftarrow w - \eta\,\bar w$. The value is `p.value`, the gradient `p.grad`.
#
# Then set the gradients back: `backward` **adds** to what is in `p.grad` (lesson 05), so the next batch must find a 0 there.
# `p.zero_grad()` does that.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "step"}
def sgd_step(parameters, rate):
    """Move each parameter against its gradient, and leave the gradients at 0."""
    ### BEGIN SOLUTION
    for p in parameters:
        p.value = p.value - rate * p.grad
        p.zero_grad()
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "descend"}
def descend(step, w, rate, steps):
    """Steps downhill on w² + 3 b from w and b = 1. Returns w and b after each."""
    w, b = mg.Variable(w), mg.Variable(1.0)
    after = []
    for _ in range(steps):
        (w * w + 3 * b).backward()
        step([w, b], rate)
        after.append([w.value, b.value])
    return np.array(after, float)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_step", "points": 2}
# Stuck? At w = 5 the derivative of w² is 10. A step of a tenth of that, against the gradient, leads to 4. And the next step?
check_close(descend(sgd_step, 5.0, 0.1, 1)[0], [4.0, 0.7], "w and b after one step from 5 and 1")
check_close(descend(sgd_step, 5.0, 0.1, 2)[1], [3.2, 0.4], "w and b after two steps from 5 and 1")
### BEGIN HIDDEN TESTS
check_close(descend(sgd_step, -2.0, 0.25, 3)[2], [-0.25, -1.25], "w and b after three steps from -2 and 1")
tiny = descend(sgd_step, 2.0**-18, 0.25, 1)[0]
check_close(tiny[0] * 2**18, 0.5, "w after one step from 2⁻¹⁸, times 2¹⁸")
from minigrad_course.grading.cases import called, check_own

w = mg.Variable(5.0)
(w * w).backward()
check_own(called(sgd_step, ([w], 0.1), mg.optim), "sgd_step")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · The training (3 points, medium)
#
# The images are reduced to 7 × 7 = 49 numbers, so that training is fast. `first_weights` gives the four
# parameters.
#
# Write `train`. In each epoch, for each batch: the scores of its rows, the loss
# (`mg.nn.cross_entropy(scores, labels)`), `backward`, and one step. It returns the list of losses, **one for each
# batch, before its step**.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "data"}
digits = mg.data.digits()


def coarse(images):
    """The mean of each square of 4 × 4 pixels: 49 numbers for an image, in float64."""
    return images.astype(np.float64).reshape(-1, 7, 4, 7, 4).mean(axis=(2, 4)).reshape(-1, 49)


def first_weights(seed):
    """W1, b1, W2, b2 for 49 inputs, 16 hidden units and 10 digits."""
    rng = np.random.default_rng(seed)
    W1 = mg.nn.init.glorot_uniform((16, 49), rng, np.float64)
    W2 = mg.nn.init.glorot_uniform((10, 16), rng, np.float64)
    return [mg.Variable(v) for v in (W1, np.zeros(16), W2, np.zeros(10))]


def check_losses(losses, stored):
    """Compare two lists of losses, and name the first batch where they differ."""
    if not isinstance(losses, (list, tuple, np.ndarray)):
        raise Mismatch(f"expected a list of losses, got {type(losses).__name__}")
    for k, (loss, theirs) in enumerate(zip(losses, stored, strict=False), 1):
        check_close(getattr(loss, "value", loss), theirs, f"the loss of batch {k} (your list has {len(losses)} losses)")
    if len(losses) != len(stored):
        raise Mismatch(f"expected {len(stored)} losses, one for each batch, got {len(losses)}")


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "train"}
def train(x, y, parameters, rate, epochs, size, rng):
    """Train in place. x: (rows, 49), y: labels (rows,). Returns the loss of each batch."""
    ### BEGIN SOLUTION
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_train", "points": 3}
# Stuck? If batch 1 is wrong, no step has happened yet: look at the rows, the labels and the scores. If batch 2 is the
# first that is wrong, look at the step. If batch 6 is, a new epoch has begun there.
STORED = [
    2.475584566212, 2.290607108532, 2.276248158934, 2.199275654981, 2.236978849249, 2.062190905112, 2.025361808933,
    1.814012265589, 1.706149953406, 1.828786428482, 1.831323172512, 1.790265292644, 1.691393139384, 1.576447853034,
    1.343703350351, 1.450036347808, 1.234263763855, 1.211404340757, 1.075520471632, 1.172616542792,
]  # fmt: skip
x, y = coarse(digits.train_x[:130]), digits.train_y[:130]
weights = first_weights(0)
check_losses(train(x, y, weights, 1.0, 4, 30, np.random.default_rng(1)), STORED)
trained = mg.nn.cross_entropy(scores(x, *weights), y)
check_close(
    trained.value, 0.988808987892, "the loss of all rows, with the parameters that train was given, after training"
)
### BEGIN HIDDEN TESTS
ANOTHER = [
    2.305330333951, 2.289905829642, 2.372750043222, 2.214704649881, 2.450125656860, 2.176328769316, 2.142127645648,
    2.117843584576, 2.175255251003, 2.047992647268, 1.951108911360, 1.934102324425, 1.953043543246, 1.904728674221,
    1.834464866011, 1.830341216210, 1.764193270018, 1.638609457250, 1.775700232032, 1.514320938311,
]  # fmt: skip
x, y = coarse(digits.train_x[200:310]), digits.train_y[200:310]
check_losses(train(x, y, first_weights(7), 0.5, 4, 25, np.random.default_rng(8)), ANOTHER)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6 · Is it any good? (1 point, easy)
#
# `accuracy(scores, labels)`: the fraction of rows whose largest score is at the label. `scores` is an array here, with
# a row for each image.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "accuracy"}
def accuracy(scores, labels):
    """The fraction of rows that are right, 0 to 1."""
    ### BEGIN SOLUTION
    return np.mean(scores.argmax(axis=1) == labels)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_accuracy", "points": 1}
# Stuck? Where in its row is the largest score? Compare that place with the label, row by row.
some = np.array([[0.1, 2.0, 0.3], [5.0, 4.0, 4.5], [-1.0, -3.0, -2.0], [0.0, 1.0, 7.0], [1.0, 2.0, 3.0]])
check_close(accuracy(some, np.array([1, 0, 1, 2, 1])), 0.6, "five rows, three of them right")
pair = np.array([[3.0, 1.0], [0.5, 2.0], [5.0, 4.0], [1.0, 6.0]])
check_close(accuracy(pair, np.array([1, 1, 0, 1])), 0.75, "four rows, all right but the first")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(accuracy(some, np.array([0, 1, 1, 0, 0])), 0, "five rows, none of them right")
check_close(accuracy(-some, np.array([0, 1, 1, 0, 0])), 1, "five rows, all of them right")
check_close(accuracy(some[:2], np.array([1, 1])), 0.5, "two rows, one of them right")
check_close(accuracy(some[:3], np.array([0, 0, 1])), 1 / 3, "three rows, one of them right")
check_close(accuracy(np.array([[1.0, 1.0 + 1e-9]]), np.array([0])), 0, "a row whose two scores are nearly equal")


def without_ties(draw):
    """Scores, each of them another number, and labels."""
    n, digits = draw.size(1, 7), draw.size(2, 5)
    table = np.array(draw.sample(range(-40, 40), n * digits), float).reshape(n, digits)
    right = np.array([draw.randrange(digits) for _ in range(n)])
    if draw.sometimes("all rows are right"):
        right = table.argmax(axis=1)
    if draw.sometimes("no row is right"):
        right = table.argmin(axis=1)
    return table, right


cases = fresh(without_ties)
check_cases(answers(accuracy, cases), answers(solution.accuracy, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# And now train longer, on all images. When all tests pass, this cell says how well 49 coarse numbers do:

# %% tags=["raises-exception"]
parameters = first_weights(0)
x, y = coarse(digits.train_x), digits.train_y
train(x, y, parameters, 1.0, 8, 50, np.random.default_rng(0))
accuracy(scores(coarse(digits.test_x), *parameters).value, digits.test_y)

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
