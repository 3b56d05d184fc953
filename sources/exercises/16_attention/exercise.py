# Exercise 16. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 16 · A head of your own
#
# You have seen a head of attention forward and backward, and a network that writes. Here you write the parts that everything else is built on, in plain NumPy.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `masked_softmax`: shares, and none for what is hidden | 2 |
# | Task 2 | `head_back`: the adjoints of one head | 4 |
# | Task 3 | `waves`: numbers that say where a position is | 2 |
# | Task 4 | `draw`: the next letter | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

import minigrad as mg
from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · Shares, with a mask (2 points, medium)
#
# `scores` is a matrix: row $i$ holds the scores of query $i$, one for each key. `hidden` has the same shape, and is True where a query must not look. Turn each row into shares: positive numbers with sum 1, and exactly 0 where something is hidden:
#
# $$a_{ij} = \frac{e^{s_{ij}}}{\sum_{k \text{ not hidden}} e^{s_{ik}}}$$
#
# Scores can be large: $e^{1000}$ is infinite for a computer. You may subtract the same number from all scores of a row. Which one? (In each row something is not hidden. Leave `scores` as it is; the caller still needs it.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "softmax"}
def masked_softmax(scores, hidden):
    """The shares of each row; 0 where hidden."""
    ### BEGIN SOLUTION
    scores = np.where(hidden, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_softmax", "points": 2}
# Stuck? Take the row 0, log 3 first, with nothing hidden: the powers are 1 and 3. Then hide one of three. Then make all scores larger by 1000.
some_scores = np.log([[1.0, 3.0, 4.0], [5.0, 2.0, 3.0], [1.0, 7.0, 2.0]])
later = np.triu(np.ones((3, 3), bool), 1)
check_close(
    masked_softmax(some_scores, np.zeros((3, 3), bool)),
    [[1 / 8, 3 / 8, 1 / 2], [1 / 2, 1 / 5, 3 / 10], [1 / 10, 7 / 10, 1 / 5]],
    "nothing hidden",
)
check_close(
    masked_softmax(some_scores, later),
    [[1, 0, 0], [5 / 7, 2 / 7, 0], [1 / 10, 7 / 10, 1 / 5]],
    "everything later hidden",
)
check_close(
    masked_softmax(some_scores + 1000, later),
    [[1, 0, 0], [5 / 7, 2 / 7, 0], [1 / 10, 7 / 10, 1 / 5]],
    "scores near 1000",
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(masked_softmax, (some_scores, later), mg), "masked_softmax")
tall = np.array([[0.0, 2000.0, np.log(3)], [-1e7, -1e7, 0.0]])
check_close(
    masked_softmax(tall, np.array([[False, True, False], [False, False, True]])),
    [[1 / 4, 0, 3 / 4], [1 / 2, 1 / 2, 0]],
    "a hidden score of 2000",
)
nothing = masked_softmax(some_scores, later)[later]
check_close(np.count_nonzero(nothing), 0, "how many shares of hidden scores are not exactly 0")
wide = masked_softmax(np.array([[-2000.0, 2000.0, 2000.0]]), np.zeros((1, 3), bool))
check_close(wide, [[0, 1 / 2, 1 / 2]], "scores from -2000 to 2000")
kept_scores = np.zeros((3, 3))
masked_softmax(kept_scores, later)
check_close(kept_scores, np.zeros((3, 3)), "the caller's scores")


def masked_scores(chance):
    """Scores, and what is hidden of them."""
    queries, keys = chance.size(1, 4), chance.size(2, 5)
    scores, hidden = chance.array(queries, keys), np.zeros((queries, keys), bool)
    if chance.sometimes("something is hidden"):
        for row in hidden:
            row[chance.sample(range(keys), chance.randint(1, keys - 1))] = True
    if chance.sometimes("a hidden score is 2000"):
        hidden[:, 1], hidden[:, 0] = True, False
        scores[:, 1] = 2000.0
    if chance.sometimes("the rows are 1000 apart"):
        scores += 1000.0 * np.arange(queries)[:, None]
    return scores, hidden


cases = fresh(masked_scores)
check_cases(answers(masked_softmax, cases), answers(solution.masked_softmax, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · One head, backwards (4 points, hard)
#
# The forward pass of one head was
#
# $$S = \frac{Q K^{\mathsf T}}{\sqrt d} \qquad A = \operatorname{softmax}(S) \text{ in each row} \qquad Y = A V$$
#
# It kept $A$. Now $\bar Y$ arrives. Return the adjoints of $Q$, $K$ and $V$. $d$ is the number of columns of $Q$.
#
# Go back one step at a time: from $\bar Y$ to $\bar V$ and $\bar A$, from $\bar A$ to $\bar S$ (the lesson has the formula for one row), from $\bar S$ to $\bar Q$ and $\bar K$. The mask is not among the arguments. Why is it not needed?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "head_back"}
def head_back(Q, K, V, A, y_bar):
    """The adjoints of Q, K and V, in a dict with these names."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    a_bar = y_bar @ V.T  # the seed is y_bar; go back, in order
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "back_given"}
def a_head(queries, keys, d, width, seed, causal=True):
    """Q, K, V, the shares A, and an adjoint of Y to start from."""
    rng = np.random.default_rng(seed)
    Q, K, V, y_bar = (rng.normal(size=s) for s in ((queries, d), (keys, d), (keys, width), (queries, width)))
    hidden = np.triu(np.ones((queries, keys), bool), 1) & causal
    A = mg.softmax(mg.where(hidden, -np.inf, mg.Constant(Q @ K.T / np.sqrt(d)))).value
    return Q, K, V, A, y_bar


def true_adjoints(Q, K, V, A, y_bar):
    """The same by minigrad's graph, which knows the mask by the zeros in A."""
    inputs = [mg.Variable(array) for array in (Q, K, V)]
    q, k, v = inputs
    scores = mg.where(A == 0, -np.inf, q @ k.T / np.sqrt(Q.shape[1]))
    mg.sum(mg.softmax(scores) @ v * y_bar).backward()
    return {name: variable.grad for name, variable in zip("QKV", inputs, strict=True)}


def only(name, inputs):
    """One of your adjoints, under its name."""
    return {name: head_back(*(array.copy() for array in inputs))[name]}


def truth(name, inputs):
    return {name: true_adjoints(*inputs)[name]}


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_back_values", "points": 1}
# Stuck? Y = A V is a product of matrices, as in lesson 07. Which factor stands left of V, and how does it come back?
square = a_head(4, 4, 4, 4, seed=0, causal=False)
check_close(only("V", square), truth("V", square), "4 positions")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(head_back, square, true_adjoints, mg), "head_back")
masked = a_head(4, 4, 2, 4, seed=1)
check_close(only("V", masked), truth("V", masked), "a causal mask, d = 2")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_back_scores", "points": 3}
# Stuck? Write a_bar first, then s_bar: each row of it adds up to 0. Does yours? Then Q and K, as for any product of matrices.
check_close(only("Q", square), truth("Q", square), "4 positions")
check_close(only("K", square), truth("K", square), "4 positions")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(head_back, square, true_adjoints, mg), "head_back")
masked = a_head(4, 4, 2, 4, seed=1)
check_close(only("Q", masked), truth("Q", masked), "a causal mask, d = 2")
check_close(only("K", masked), truth("K", masked), "a causal mask, d = 2")
before = [array.copy() for array in masked]
head_back(*masked)
check_close(dict(zip("QKVAy", masked)), dict(zip("QKVAy", before)), "the arrays that were given, afterwards")


def heads(chance):
    """Q, K, V, the shares A, and the adjoint of Y."""
    n, d = chance.size(1, 4), chance.size(1, 4)
    if chance.sometimes("d is the number of positions"):
        d = n
    Q, K, V = chance.array(n, d) / 2, chance.array(n, d) / 2, chance.array(n, n)
    powers = np.exp(Q @ K.T / np.sqrt(d))
    if chance.sometimes("something is hidden") and n > 1:
        powers[:, chance.randrange(n)] = 0
    return Q, K, V, powers / powers.sum(axis=1, keepdims=True), chance.array(n, n)


def of_scores(Q, K, V, A, y_bar, back=head_back):
    """The adjoints of Q and K."""
    adjoints = back(Q, K, V, A, y_bar)
    return {"Q": adjoints["Q"], "K": adjoints["K"]}


cases = fresh(heads)
check_cases(
    answers(of_scores, cases), answers(lambda *inputs: of_scores(*inputs, back=solution.head_back), cases), cases
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Where am I? (2 points, medium)
#
# The lesson's GPT learns a row of numbers for each place. The first transformer did not learn them; it used waves of many lengths. The pair $i$ of columns, $i = 0, 1, \dots, d/2 - 1$, has
#
# $$w_{t,\,2i} = \sin\!\big(t / 10000^{2i/d}\big) \qquad w_{t,\,2i+1} = \cos\!\big(t / 10000^{2i/d}\big) \qquad t = 0, 1, \dots, T-1$$
#
# It is a clock with many hands: the first pair turns fast, the last one hardly at all. What is row 0?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "waves"}
def waves(T, d):
    """(T, d): a row of waves for each position; d is even."""
    ### BEGIN SOLUTION
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_waves", "points": 2}
# Stuck? For d = 4 there are two pairs: the first has angle t, the second t / 100. Write down rows 0 and 1.
row = lambda t: [np.sin(t), np.cos(t), np.sin(t / 100), np.cos(t / 100)]  # noqa: E731
check_close(waves(1, 4), [row(0)], "row 0, d = 4")
check_close(waves(3, 4), [row(0), row(1), row(2)], "3 rows, d = 4")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(waves(2, 2), [[0, 1], [np.sin(1), np.cos(1)]], "2 rows, d = 2")
check_close(waves(9, 8)[8][4:], [np.sin(0.08), np.cos(0.08), np.sin(0.008), np.cos(0.008)], "row 8, d = 8")
cases = fresh(lambda chance: (chance.size(1, 12), 2 * chance.size(1, 5)))
check_cases(answers(waves, cases), answers(solution.waves, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · The next letter (3 points, medium)
#
# A network gave a score for each letter. Choose one:
#
# - divide the scores by `warmth`: below 1, likely letters become more likely;
# - if `top` is given, only the `top` letters with the largest scores may be chosen (no two scores are equal);
# - turn the scores into probabilities that add up to 1;
# - `u` is a random number with $0 \le u < 1$. Lay the probabilities on a line, one after the other, in the order of the letters. Return the number of the letter in whose piece $u$ lies.
#
# For probabilities 0.2, 0.5, 0.3: which letter is it for $u = 0.1$, and which for $u = 0.69$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "draw"}
def draw(scores, u, warmth=1.0, top=None):
    """The number of the letter that u chooses."""
    ### BEGIN SOLUTION
    scores = np.array(scores, float) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "draw_given"}
def drawn(scores, **options):
    """Count how often each letter comes for 630 values of u, evenly spread from 0 to 1."""
    counts = {}
    for k in range(630):
        letter = draw(np.array(scores), (k + 0.5) / 630, **options)
        counts[f"letter {letter}"] = counts.get(f"letter {letter}", 0) + 1
    return dict(sorted(counts.items()))


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_draw", "points": 2}
# Stuck? Print the probabilities for the scores log 4, log 8, log 2, log 6: they are 0.2, 0.4, 0.1, 0.3. Then look at their running sums.
four = np.log([4.0, 8.0, 2.0, 6.0])
check_close(
    drawn(four),
    {"letter 0": 126, "letter 1": 252, "letter 2": 63, "letter 3": 189},
    "probabilities 0.2, 0.4, 0.1, 0.3",
)
check_close([draw(four, u) for u in (0.1, 0.3, 0.65, 0.9)], [0, 1, 2, 3], "the letters at u = 0.1, 0.3, 0.65 and 0.9")
check_close(
    drawn(four, warmth=0.5),
    {"letter 0": 84, "letter 1": 336, "letter 2": 21, "letter 3": 189},
    "the same, warmth 0.5",
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(drawn(four + 1000), {"letter 0": 126, "letter 1": 252, "letter 2": 63, "letter 3": 189}, "scores near 1000")
scores = four.copy()
draw(scores, 0.3, warmth=0.5)
check_close(scores, four, "the scores that were given, afterwards")
rows = np.random.default_rng(0).normal(size=(50, 6)).astype(np.float32)
last = [draw(row, 0.99999997) for row in rows]
check_close(int(last != [5] * 50), 0, "whether u = 0.99999997 ever misses the last letter in 50 rows of float32 scores")


def letters(chance):
    """Scores, u and warmth."""
    scores = chance.array(chance.size(2, 6))
    if chance.sometimes("the scores are near 1000"):
        scores += 1000.0
    warmth = chance.choice([0.3, 2.5]) if chance.sometimes("the warmth is not 1") else 1.0
    return scores, 0.0 if chance.sometimes("u is 0") else chance.random(), warmth


cases = fresh(letters)
check_cases(answers(draw, cases), answers(solution.draw, cases), cases)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_top", "points": 1}
# Stuck? With top = 4 nothing changes. With top = 2 letters 1 and 3 are left, as 4 to 3, and their probabilities must add up to 1 again.
check_close(
    drawn(four, top=4),
    {"letter 0": 126, "letter 1": 252, "letter 2": 63, "letter 3": 189},
    "the top 4, which are all",
)
check_close(drawn(four, top=2), {"letter 1": 360, "letter 3": 270}, "the top 2, as 4 to 3")
### BEGIN HIDDEN TESTS
check_close(drawn(four, top=3), {"letter 0": 140, "letter 1": 280, "letter 3": 210}, "the top 3, as 2 to 4 to 3")
check_close(drawn(four, top=1), {"letter 1": 630}, "the top 1")
check_close(draw(four, 0.0, top=2), 1, "the top 2, u = 0")
check_close(draw(four, 0.1, top=3), 0, "the top 3, u = 0.1")
check_close(drawn(four - 1e4, top=2), {"letter 1": 360, "letter 3": 270}, "the top 2 of scores near -10000")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
