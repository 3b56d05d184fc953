# Exercise 14. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 14 · One matrix, both ways
#
# The lesson's autoencoder had one matrix in the encoder and another in the decoder. Here a single matrix $W$ does both, and you derive its gradient with a pencil.
# Then the encoder becomes the lower part of a classifier.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `copy`: encoder and decoder with the same matrix | 2 |
# | Task 2 | `gradients`: both shares of the shared weight | 4 |
# | Task 3 | `train`: one picture at a time | 2 |
# | Task 4 | `head_start`: the encoder becomes part of a classifier | 3 |
# | Task 5 | `features`: codes, scaled | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def example(pixels, code, seed=0):
    """A picture, a matrix (code, pixels) and a bias (code,)."""
    rng = np.random.default_rng(seed)
    return rng.random(pixels), rng.normal(size=(code, pixels)) / 2, rng.normal(size=code) / 2


# %% [markdown]
# ## Task 1 · Encode and decode (2 points, easy)
#
# $$c = \sigma(W x + b) \qquad\qquad o = \sigma(W^{\mathsf T} c)$$
#
# Return the code and the copy. (The decoder has no bias.) If $x$ has 6 pixels and the code 2 numbers: which shape has $W$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "copy"}
def copy(x, W, b):
    """The code (code,) and the copy (pixels,) of a picture x (pixels,)."""
    ### BEGIN SOLUTION
    code = sigmoid(W @ x + b)
    return code, sigmoid(W.T @ code)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_copy", "points": 2}
# Stuck? Write the shapes below the formula. Each of the two layers has a sigmoid.
small_code, small_copy = copy(
    np.array([1.0, 0.0, 0.5]), np.array([[1.0, 2.0, -1.0], [0.5, 1.0, 3.0]]), np.array([0.5, -1.5])
)
check_close(small_code, sigmoid(np.array([1.0, 0.5])), "the code of 3 pixels")
check_close(
    small_copy,
    sigmoid(np.array([1.0, 2.0, -1.0]) * sigmoid(1.0) + np.array([0.5, 1.0, 3.0]) * sigmoid(0.5)),
    "the copy of 3 pixels",
)
### BEGIN HIDDEN TESTS
flat_code, flat_copy = copy(np.zeros(4), np.ones((2, 4)), np.zeros(2))
check_close(flat_code, [0.5, 0.5], "the code of an empty picture")
check_close(flat_copy, sigmoid(np.ones(4)), "the copy of an empty picture")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Two shares (4 points, hard)
#
# The error is the sum of squares, $E = \sum (o - x)^2$. Go backwards:
#
# 1. from $E$ to the input of the decoder's sigmoid, $z_o = W^{\mathsf T} c$ (a square, a sigmoid),
# 2. from there to $W$, its **first share**, and to the code $c$,
# 3. from $c$ to the input of the encoder's sigmoid, $z_c = W x + b$, to $b$, and to $W$ again, its **second share**.
#
# Return the adjoints of $W$ and of $b$. Each share has the shape of $W$. Which of them is a column times a row of which two vectors?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "gradients"}
def gradients(x, W, b):
    """The adjoints of W (code, pixels) and of b (code,), for the sum of squares of one picture."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)  # seed, and go back through the square and the sigmoid
    code_bar = (W @ out_bar) * code * (1 - code)  # go back, in order
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar  # add up
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "gradients_given"}
def true_gradients(x, W, b):
    """The same by the complex step (lesson 01): each entry gets a tiny imaginary step, and we see how the error changes."""

    def error(W, b):
        return np.sum((sigmoid(W.T @ sigmoid(W @ x + b)) - x) ** 2)

    slopes = []
    for k, matrix in enumerate((W, b)):
        slope = np.zeros(matrix.shape)
        for place in np.ndindex(matrix.shape):
            nudged = [W.astype(complex), b.astype(complex)]
            nudged[k][place] += 1e-30j
            slope[place] = error(*nudged).imag / 1e-30
        slopes.append(slope)
    return slopes


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_gradients_b", "points": 2}
# Stuck? Only the encoder uses b. Print the shapes on your path from the error back to the input of its sigmoid.
tiny = example(3, 2, 6)
check_close(gradients(*tiny)[1], true_gradients(*tiny)[1], "3 pixels, code of 2: the adjoint of b")
### BEGIN HIDDEN TESTS
medium = example(8, 3, 1)
check_close(gradients(*medium)[1], true_gradients(*medium)[1], "8 pixels, code of 3: the adjoint of b")
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(gradients, tiny, true_gradients, mg), "gradients")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_gradients_w", "points": 2}
# Stuck? Compute the decoder's share alone, and the encoder's share alone, and look at their shapes. What becomes of the two?
tiny = example(3, 2, 6)
check_close(gradients(*tiny)[0], true_gradients(*tiny)[0], "3 pixels, code of 2: the adjoint of W")
### BEGIN HIDDEN TESTS
medium = example(8, 3, 1)
check_close(gradients(*medium)[0], true_gradients(*medium)[0], "8 pixels, code of 3: the adjoint of W")
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(gradients, tiny, true_gradients, mg), "gradients")


def pictures(draw):
    """A picture, W and b."""
    pixels, code = draw.size(1, 5), draw.size(1, 4)
    return draw.array(pixels) / 4, draw.array(code, pixels) / 4, draw.array(code) / 4


def W_bar(x, W, b, of=gradients):
    return of(x, W, b)[0]


cases = fresh(pictures)
check_cases(answers(W_bar, cases), answers(lambda x, W, b: W_bar(x, W, b, solution.gradients), cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · One picture at a time (2 points, easy)
#
# The essay's recipe: for each row number in `order`, take this picture, compute the gradients **with the weights as they are now**, and move each weight by `-rate` times its gradient.
# Return the new `W` and `b`. Those that you were given stay as they are: the caller may still need them.
#
# (The test uses your `gradients`.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "train"}
def train(pictures, W, b, rate, order):
    """New weights after one step for each row of `order`; the given ones are left alone."""
    ### BEGIN SOLUTION
    for row in order:
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = W - rate * W_bar, b - rate * b_bar
    return W, b
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "train_given"}
box = np.random.default_rng(5).random((4, 6))
_, W_start, b_start = example(6, 3, 2)


def expected(order, rate):
    W, b = W_start, b_start
    for row in order:
        W_bar, b_bar = true_gradients(box[row], W, b)
        W, b = W - rate * W_bar, b - rate * b_bar
    return {"W": W, "b": b}


def trained(order, rate):
    W, b = train(box, W_start.copy(), b_start.copy(), rate, order)
    return {"W": W, "b": b}


def left_alone(order, rate):
    """The weights that train was given, after it."""
    W, b = W_start.copy(), b_start.copy()
    train(box, W, b, rate, order)
    return {"the W that was given": W, "the b that was given": b}


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_train", "points": 1}
# Stuck? Try an order of one picture first. Then of two: which weights does the second gradient use?
check_close(trained([2, 0, 3], 0.5), expected([2, 0, 3], 0.5), "three pictures, rate 0.5")
### BEGIN HIDDEN TESTS
check_close(trained([1, 3, 1, 0], 0.25), expected([1, 3, 1, 0], 0.25), "four pictures, one of them twice, rate 0.25")
from minigrad_course.grading.cases import answers, check_cases, fresh


def trainings(draw):
    """Pictures, W, b, a rate and an order."""
    n, pixels, code = draw.size(2, 4), draw.size(1, 4), draw.size(1, 3)
    order = draw.sample(range(n), draw.size(1, n))
    if draw.sometimes("the order is empty"):
        order = []
    return draw.array(n, pixels) / 4, draw.array(code, pixels) / 4, draw.array(code) / 4, draw.choice([0.5, 0.1]), order


def weights(pictures, W, b, rate, order, of=train):
    """Train copies: the next test asks what became of the weights that were given."""
    return of(pictures, W.copy(), b.copy(), rate, order)


cases = fresh(trainings)
check_cases(
    answers(weights, cases),
    answers(lambda pictures, W, b, rate, order: weights(pictures, W, b, rate, order, solution.train), cases),
    cases,
)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_left_alone", "points": 1}
# Stuck? Print W before your loop and after it. Which of your lines writes into the array itself?
check_close(
    left_alone([1, 2], 0.5),
    {"the W that was given": W_start, "the b that was given": b_start},
    "after training",
)

# %% [markdown]
# ## Task 4 · A head start (3 points, medium)
#
# Weights are saved as a *state dict*: arrays by name. There is one of an autoencoder, which has been trained, and one of a classifier, which has not. The encoder's arrays go into the classifier's lower layers:
#
# | in the autoencoder | in the classifier |
# |---|---|
# | `encoder.0.weight` | `lower.0.weight` |
# | `encoder.0.bias` | `lower.0.bias` |
# | `encoder.2.weight`, ... | `lower.2.weight`, ... |
# | `decoder...` | nowhere |
#
# Only the first word of a name changes; arrays whose name begins with another word than `encoder` go nowhere.
#
# Return a **new** state dict for the classifier: the encoder's arrays in place of its lower ones, everything else as in the classifier. All arrays are *copies*. Training the classifier must not change the autoencoder.
# If an array of the encoder has another shape than the classifier's array of that name, or there is none: raise a `ValueError`.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "head_start"}
def head_start(classifier, autoencoder):
    """A new state dict for the classifier, its lower layers from the encoder; copies throughout."""
    ### BEGIN SOLUTION
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if not name.startswith("encoder."):
            continue
        target = name.replace("encoder.", "lower.", 1)
        if target not in new or new[target].shape != array.shape:
            raise ValueError(f"{name} of shape {array.shape} does not fit into the classifier")
        new[target] = array.copy()
    return new
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "head_start_given"}
KINDS = ["one that fits", "a wider code", "more pixels", "a matrix on its side", "one layer more"]


def made(kind=KINDS[0]):
    """A classifier and an autoencoder: each array holds one number, so that you can see where it comes from."""
    classifier = {
        "lower.0.weight": np.full((3, 5), 1.0),
        "lower.0.bias": np.full(3, 2.0),
        "top.weight": np.full((4, 3), 3.0),
        "top.bias": np.full(4, 4.0),
    }
    shape = {"a wider code": (7, 5), "more pixels": (3, 6), "a matrix on its side": (5, 3)}.get(kind, (3, 5))
    autoencoder = {
        "encoder.0.weight": np.full(shape, 10.0),
        "encoder.0.bias": np.full(7 if kind == "a wider code" else 3, 20.0),
        "decoder.0.weight": np.full((5, 3), 30.0),
    }
    if kind == "one layer more":
        autoencoder |= {"encoder.2.weight": np.full((2, 3), 40.0), "encoder.2.bias": np.full(2, 50.0)}
    return classifier, autoencoder


def started():
    """head_start's arrays, and how many it gave."""
    new = head_start(*made())
    return new | {"number of arrays": len(new)}


def after_training():
    """Return what both hold when all arrays of the new state dict have been changed in place."""
    classifier, autoencoder = made()
    for array in head_start(classifier, autoencoder).values():
        array += 100
    return classifier | autoencoder


several = [KINDS[k] for k in np.random.default_rng(41).integers(len(KINDS), size=32)]


def refused():
    """Count the autoencoders of each kind that are refused by a ValueError, of those in `several`."""
    counts = dict.fromkeys(KINDS, 0)
    for kind in several:
        try:
            head_start(*made(kind))
        except ValueError:
            counts[kind] += 1
    return counts


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_head_start", "points": 1}
# Stuck? Start with copies of all of the classifier's arrays. Then go through the autoencoder's names: which do you take, and what are they called in the classifier?
check_close(
    started(),
    {
        "lower.0.weight": np.full((3, 5), 10.0),
        "lower.0.bias": np.full(3, 20.0),
        "top.weight": np.full((4, 3), 3.0),
        "top.bias": np.full(4, 4.0),
        "number of arrays": 4,
    },
    "head_start",
)
### BEGIN HIDDEN TESTS
classifier, autoencoder = made()
turned = head_start(classifier, dict(reversed(autoencoder.items())))
check_close(
    turned,
    {"lower.0.weight": np.full((3, 5), 10.0), "lower.0.bias": np.full(3, 20.0)},
    "head_start with the autoencoder's arrays in another order",
)
classifier["lower.0.encoder.bias"] = np.zeros(2)
autoencoder |= {"encoder.0.encoder.bias": np.full(2, 60.0), "decoder.encoder.0.bias": np.ones(3), "epochs": np.ones(1)}
named = head_start(classifier, autoencoder)
want = {"lower.0.encoder.bias": [60, 60], "lower.0.bias": [20, 20, 20], "number of arrays": 5}
check_close(named | {"number of arrays": len(named)}, want, "names with `encoder` in other places")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_copies", "points": 1}
# Stuck? `new[name] = array` gives an array a second name. Which arrays must be copied?
check_close(after_training(), made()[0] | made()[1], "after the new arrays were changed")

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_refused", "points": 1}
# Stuck? Before you put an array in: is there one of this name in the classifier, and does it have the same shape?
unfit = {kind: several.count(kind) for kind in KINDS[1:]}
check_close(refused(), {KINDS[0]: 0, **unfit}, f"refused of {len(several)}")
### BEGIN HIDDEN TESTS
misfits = {
    "a weight of shape (5,)": {"encoder.0.weight": np.ones(5)},
    "a weight of shape (1, 5)": {"encoder.0.weight": np.ones((1, 5))},
    "a bias of shape (1,)": {"encoder.0.bias": np.ones(1)},
    "a bias of shape ()": {"encoder.0.bias": np.array(1.0)},
    "a layer of another number": {"encoder.1.weight": np.ones((3, 5)), "encoder.1.bias": np.ones(3)},
}


def is_refused(encoder):
    """Tell whether head_start raises a ValueError."""
    try:
        head_start(made()[0], encoder)
    except ValueError:
        return True
    return False


refusals = {kind: is_refused(encoder) for kind, encoder in misfits.items()}
check_close(refusals, dict.fromkeys(misfits, True), "is it refused")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Features (2 points, easy)
#
# The other way to use an encoder: leave it as it is, and give its *codes* to a small classifier. Codes of a sigmoid lie around 0.5, close together, which makes training slow. So scale each number of the code:
# subtract its mean and divide by its standard deviation, **both taken from the codes of the training pictures**.
#
# Why not from the codes of the pictures themselves?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "features"}
def features(train_pictures, pictures, W, b):
    """The scaled codes (n, code) of pictures (n, pixels); mean and standard deviation are those of the training codes."""
    ### BEGIN SOLUTION
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / seen.std(axis=0)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "features_given"}
crowd, others = np.random.default_rng(6).random((9, 6)), np.random.default_rng(7).random((3, 6))


def scaled(rows):
    seen = np.array([sigmoid(W_start @ x + b_start) for x in crowd])
    return (np.array([sigmoid(W_start @ x + b_start) for x in rows]) - seen.mean(axis=0)) / seen.std(axis=0)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_features", "points": 1}
# Stuck? First the codes of both sets, without scaling. A row for each picture: what has to be transposed?
check_close(features(crowd, crowd, W_start, b_start), scaled(crowd), "the training pictures themselves")

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_features_others", "points": 1}
# Stuck? Two sets of codes, but one mean and one standard deviation for each number of the code. Of which set?
check_close(features(crowd, others, W_start, b_start), scaled(others), "three other pictures")
### BEGIN HIDDEN TESTS
for train_pictures, bias in ((others, b_start), (crowd, b_start + 1)):
    seen, codes = sigmoid(train_pictures @ W_start.T + bias), sigmoid(box @ W_start.T + bias)
    expected_features = (codes - seen.mean(axis=0)) / seen.std(axis=0)
    check_close(features(train_pictures, box, W_start, bias), expected_features, "other training pictures, another b")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
