# Exercise 04. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 4 · Up the table
#
# The same table as in exercise 3, read from its last row to its first. You fill in the adjoint column with a pencil, then
# you write the backward pass that fills it in, and at the end you decide which mode is cheaper.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | the adjoint column of a table | 3 |
# | Task 2 | `backward_pass`: the adjoints of a whole tape | 3 |
# | Task 3 | `vjp` | 3 |
# | Task 4 | `jacobian_rows` | 2 |
# | Task 5 | the cheaper mode | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math
from numbers import Real

from minigrad import trace
from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close, likeness

grading.live()

# %% [markdown]
# ## Task 1 · Fill in the adjoint column (3 points, medium)
#
# This program ran at $x = 2$, $y = 3$. We care about its last value, so $\bar v_5 = 1$. Start at the bottom:
#
# | | program line | value | adjoint |
# |---|---|---|---|
# | | input | $x = 2$ | $\bar x =$ **E** |
# | | input | $y = 3$ | $\bar y =$ **F** |
# | 1 | `v1 = x * y` | $v_1 = 6$ | $\bar v_1 =$ **C** |
# | 2 | `v2 = x * x` | $v_2 = 4$ | $\bar v_2 =$ **D** |
# | 3 | `v3 = v1 - v2` | $v_3 = 2$ | $\bar v_3 =$ **B** |
# | 4 | `v4 = v3 * y` | $v_4 = 6$ | $\bar v_4 =$ **A** |
# | 5 | `v5 = v4 / x` | $v_5 = 3$ | $\bar v_5 = 1$ |
#
# The last row is a division: $\partial(p/q)/\partial p = 1/q$ and $\partial(p/q)/\partial q = -p/q^2$.
#
# Before you begin: how many shares will arrive at $x$, and how many at $y$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "blanks"}
def blanks():
    """A number for each letter from A to F, in a dict: return {"A": ..., "B": ..., and so on}."""
    ### BEGIN SOLUTION
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "program"}
def program(x, y):
    v1 = x * y
    v2 = x * x
    v3 = v1 - v2
    v4 = v3 * y
    return v4 / x


PLACES = {"A": "v4", "B": "v3", "C": "v1", "D": "v2", "E": "x", "F": "y"}


def check_blanks(filled):
    """The first wrong blank on the way up, without the right number: the pencil is yours."""
    if not isinstance(filled, dict):
        raise Mismatch("blanks() returns a dict with a number for each letter")
    table = trace(program, 2.0, 3.0).reverse()
    right = table.derivatives
    for letter, name in PLACES.items():
        got = filled.get(letter)
        if not isinstance(got, Real) or isinstance(got, bool):
            raise Mismatch(f"{letter}: a number is missing")
        if abs(got - right[name]) > 1e-9:
            steps = [row for row in table.rows if row.kind == "operation" and row.derivative is not None]
            shares = [row.derivative_value for row in steps if row.derivative.left.name == name]
            note = likeness.of_sum(got, shares)
            note = f" ({note})" if note else ""
            raise Mismatch(
                f"{letter}, the adjoint of {name}: {got:g} is not the sum of the shares from the rows below{note}"
            )


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_blanks", "points": 3}
# Stuck? Go from row 5 up to row 1. Write beside each row the two shares that it passes on, and to which rows.
check_blanks(blanks())
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(blanks, (), trace, program), "blanks")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · The whole column (3 points, medium)
#
# A **tape** is a list of rows in the order of the program. Each is a name, and what the row was made of: pairs of an
# earlier name and the partial derivative with respect to it. Here is the whole tape of `twice` at (3, 4):

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "tape"}
TWICE = [
    ("x1", []),
    ("x2", []),
    ("v1", [("x1", 4.0), ("x2", 3.0)]),
    ("v2", [("v1", 1.0)]),
    ("v3", [("x1", 1.0), ("x2", 1.0)]),
    ("v4", [("v3", 1.0)]),
    ("v5", [("x1", 4.0), ("x2", 3.0)]),
    ("v6", [("v2", 1.0), ("v5", 1.0)]),  # a
    ("v7", [("x1", 1.0), ("x2", 1.0)]),
    ("v8", [("v4", 1.0), ("v7", 1.0)]),  # b
]

# %% [markdown]
# Write `backward_pass(tape, weights)`. `weights` is a dict from outputs to the adjoints they start with. Return a dict
# with the adjoint of **every** row; a row on which no output depends has the adjoint 0. (The names of the rows tell you nothing about
# their order.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "walk"}
def backward_pass(tape, weights):
    """The adjoint of each row of the tape, by name."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}  # seed
    for name, made_of in reversed(tape):  # order
        for earlier, partial in made_of:  # go back
            adjoint[earlier] += partial * adjoint[name]  # add up
    return adjoint
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_walk", "points": 3}
# Stuck? Start with a dict that has every name in it. Then go up: which row passes on, and which rows receive?
from_a = {"v6": 1, "v5": 1, "v2": 1, "v1": 1, "x1": 8, "x2": 6, "v8": 0, "v3": 0}
check_close(backward_pass(TWICE, {"v6": 1.0}), from_a, "from v6")
check_close(backward_pass(TWICE, {"v8": 1.0}), {"v8": 1, "v6": 0, "x1": 2, "x2": 2}, "from v8")
LETTERS = [("p", []), ("z", [("p", 2.0)]), ("a", [("z", 3.0)]), ("m", [("a", 5.0), ("p", 7.0)])]
check_close(backward_pass(LETTERS, {"m": 1.0}), {"m": 1, "a": 5, "z": 15, "p": 37}, "a tape with other names, from m")
SHARED = [("p", []), ("z", [("p", 2.0)]), ("a", [("z", 3.0)]), ("m", [("z", 7.0), ("a", 5.0)])]
check_close(backward_pass(SHARED, {"m": 1.0}), {"m": 1, "a": 5, "z": 22, "p": 44}, "z is used in a and in m, from m")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh, within

turned = [*SHARED[:3], ("m", [("a", 5.0), ("z", 7.0)])]
check_close(backward_pass(turned, {"m": 1.0}), {"m": 1, "a": 5, "z": 22, "p": 44}, "z is used in m and in a, from m")
doubled = [("v0", []), *((f"v{k}", [(f"v{k - 1}", 1.0), (f"v{k - 1}", 1.0)]) for k in range(1, 41))]
check_close(
    within(50_000, backward_pass, doubled, {"v40": 1.0})["v0"], 2.0**40, "v = u + u, forty times, the first row"
)

check_close(backward_pass(LETTERS, {"m": 2.0})["p"], 74, "a weight of 2, p")
check_close(backward_pass(LETTERS, {"m": 1.0, "z": 1.0}), {"z": 16, "p": 39}, "an output that a later row uses")
check_close(backward_pass([("p", []), ("q", [("p", 3.0), ("p", 3.0)])], {"q": 1.0})["p"], 6, "p squared, p")


def tapes(draw):
    """A tape, and the weights of its outputs."""
    names = [f"v{k}" for k in range(10)]
    if draw.sometimes("the names do not tell the order of the rows"):
        draw.shuffle(names)
    tape = [(names.pop(0), []) for _ in range(draw.size(1, 3))]
    for _ in range(draw.size(1, 5)):
        made_of = draw.sample(tape, draw.randint(1, min(2, len(tape))))
        if draw.sometimes("a row is made of the same row twice"):
            made_of = [tape[-1], tape[-1]]
        tape.append((names.pop(0), [(row[0], draw.randint(2, 9) / 2) for row in made_of]))
    if draw.sometimes("a partial derivative is negative"):
        tape = [(name, [(row, -partial) for row, partial in made_of]) for name, made_of in tape]
    weights = {tape[-1][0]: 1.0}
    if draw.sometimes("a weight is not 1"):
        weights = {tape[-1][0]: 2.5}
    if draw.sometimes("there are two outputs"):
        tape.append((names.pop(0), [(tape[0][0], 5.0)]))
        weights[tape[-1][0]] = 1.0
    if draw.sometimes("an output is used by a later row"):
        weights[tape[-1][1][0][0]] = 1.0
    if draw.sometimes("nothing is made of the last row, and it has no weight"):
        tape.append((names.pop(0), [(tape[0][0], 3.0)]))
    return tape, weights


cases = fresh(tapes)
check_cases(answers(backward_pass, cases), answers(solution.backward_pass, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · `vjp` (3 points, medium)
#
# `record(f, x)` runs `f` once, on a list of numbers, and returns three things: the tape, the names of the inputs, and
# the names of the outputs. Look at what it says about a small function:


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "record"}
class Scribe:
    """A number that writes down the operations it takes part in."""

    def __init__(self, tape, name, value, made_of=()):
        self.tape, self.name, self.value = tape, name, value
        tape.append((name, list(made_of)))

    def step(self, value, *made_of):
        return Scribe(self.tape, f"v{len(self.tape)}", value, [(x.name, partial) for x, partial in made_of])

    def __add__(self, other):
        if isinstance(other, Scribe):
            return self.step(self.value + other.value, (self, 1.0), (other, 1.0))
        return self.step(self.value + other, (self, 1.0))

    def __mul__(self, other):
        if isinstance(other, Scribe):
            return self.step(self.value * other.value, (self, other.value), (other, self.value))
        return self.step(self.value * other, (self, other))

    __radd__, __rmul__ = __add__, __mul__


def sin(x):
    return x.step(math.sin(x.value), (x, math.cos(x.value))) if isinstance(x, Scribe) else math.sin(x)


def record(f, x):
    """The tape of one run of f on the numbers x, the names of the inputs, and the names of the outputs."""
    tape = []
    inputs = [Scribe(tape, f"x{k}", float(value)) for k, value in enumerate(x)]
    outputs = [y if isinstance(y, Scribe) else Scribe(tape, f"c{len(tape)}", y) for y in f(inputs)]
    return tape, [x.name for x in inputs], [y.name for y in outputs]


class Counted:
    """A function that counts its calls."""

    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, x):
        self.calls += 1
        return self.f(x)


def twice(x):
    a = b = 0
    for _ in range(2):
        a += x[0] * x[1]
        b += x[0] + x[1]
    return [a, b]


record(lambda x: [x[0] * x[1], x[1], 7.0], [2.0, 5.0])

# %% [markdown]
# Write `vjp(f, x, w)`: the product $w^\top J$ for the Jacobian $J$ of `f` at `x`, a list with a number for each input. The weights
# in `w` stand in the order of the outputs. One run of `f`, one backward pass. Use your `backward_pass`.
#
# Two things can happen with outputs: one of them may be an input itself, and the same value may be returned twice.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "vjp"}
def vjp(f, x, w):
    """w J, for the Jacobian J of f at x: a number for each input. One call of f."""
    ### BEGIN SOLUTION
    tape, inputs, outputs = record(f, x)
    weights = dict.fromkeys(outputs, 0.0)
    for name, weight in zip(outputs, w, strict=True):
        weights[name] += weight
    adjoint = backward_pass(tape, weights)
    return [adjoint[name] for name in inputs]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_vjp", "points": 3}
# Stuck? Record, make a dict from the names of the outputs to their weights, run the backward pass, read off the inputs.
check_close(vjp(twice, [3.0, 4.0], [1.0, 0.0]), [8, 6], "twice, w = (1, 0)")
check_close(vjp(twice, [3.0, 4.0], [10.0, 1.0]), [82, 62], "twice, w = (10, 1)")
check_close(vjp(lambda x: [x[0] * x[1], x[1]], [2.0, 5.0], [1.0, 3.0]), [5, 5], "an input among the outputs")


### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import (
    answers,
    called,
    check_cases,
    check_own,
    fails,
    fresh,
    passes_on,
    times,
    within,
)

check_own(called(vjp, (twice, [3.0, 4.0], [1.0, 2.0]), mg), "vjp")
passes = times(vjp, backward_pass, twice, [3.0, 4.0], [1.0, 2.0])
check_close(max(1, passes), 1, "backward passes for two outputs")
check_close(passes_on(vjp, fails, [3.0], [1.0]), True, "an error in f: does it come out of vjp?")


def forty(x):
    """Twice the number, and twice that, forty times."""
    y = x[0]
    for _ in range(40):
        y = y + y
    return [y]


check_close(within(50_000, vjp, forty, [1.0], [1.0]), [2.0**40], "y = y + y, forty times")
counted = Counted(twice)
vjp(counted, [3.0, 4.0], [1.0, 1.0])
check_close(counted.calls, 1, "calls of f")
check_close(vjp(lambda x: [y := x[0] * x[0], y], [3.0], [1.0, 10.0]), [66], "a value that is returned twice")
check_close(
    vjp(lambda x: [x[1] + x[2] * 2 + x[10] * 3], [1.0] * 12, [1.0])[:4], [0, 1, 2, 0], "12 inputs, the first four"
)


def weighted(draw):
    """A function, its numbers, and a weight for each output."""
    n = draw.size(1, 4)
    f, x = draw.function(n, sin=sin), draw.numbers(n)
    outputs = len(f([1.0] * n))
    weights = [1.0] * outputs
    if draw.sometimes("the weights are not all 1"):
        weights = [float(k - 2) for k in draw.sample(range(outputs + 3), outputs)]
    return f, x, weights


cases = fresh(weighted)
check_cases(answers(vjp, cases), answers(solution.vjp, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Row by row (2 points, medium)
#
# The Jacobian again, as in exercise 3, a list of rows. This time **one run of `f`** must be enough, with a backward pass for each output.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "rows"}
def jacobian_rows(f, x):
    """The Jacobian of f at x, as a list of rows. One call of f, and a backward pass for each output."""
    ### BEGIN SOLUTION
    tape, inputs, outputs = record(f, x)
    passes = [backward_pass(tape, {name: 1.0}) for name in outputs]
    return [[adjoint[name] for name in inputs] for adjoint in passes]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_rows", "points": 2}
# Stuck? What is on the tape does not change from one backward pass to the next. Only the weights do.
check_close(jacobian_rows(twice, [3.0, 4.0]), [[8, 6], [2, 2]], "twice at (3, 4)")
counted = Counted(twice)
jacobian_rows(counted, [3.0, 4.0])
check_close(counted.calls, 1, "calls of f")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import (
    answers,
    called,
    check_cases,
    check_own,
    fails,
    fresh,
    passes_on,
    times,
)

check_own(called(jacobian_rows, (twice, [3.0, 4.0]), mg), "jacobian_rows")
passes = times(jacobian_rows, backward_pass, lambda x: [x[0] * x[1], x[2] + x[3], x[0]], [1.0] * 4)
check_close(max(3, passes), 3, "backward passes for three outputs and four inputs, of 3 that are allowed")
check_close(passes_on(jacobian_rows, fails, [3.0]), True, "an error in f: does it come out of jacobian_rows?")
check_close(jacobian_rows(lambda x: [y := x[0] * x[0], y], [3.0]), [[6], [6]], "a value that is returned twice")
rows = jacobian_rows(lambda x: [x[1] + x[10] * 3, x[2]], [1.0] * 12)
check_close([row[:4] for row in rows], [[0, 1, 0, 0], [0, 0, 1, 0]], "12 inputs, the first four columns")


def functions(draw):
    """A function of some numbers, and the numbers."""
    n = draw.size(1, 4)
    return draw.function(n, sin=sin), draw.numbers(n)


cases = fresh(functions)
check_cases(answers(jacobian_rows, cases), answers(solution.jacobian_rows, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Which mode? (2 points, easy)
#
# A forward pass costs 1, a backward pass costs `price`. Write `cheaper(inputs, outputs, price)`: return `"forward"` or `"reverse"`,
# whichever fills in the whole Jacobian for less. If both cost the same, choose `"forward"`: it needs no tape.
#
# (We do not count the one run that records the tape.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "mode"}
def cheaper(inputs, outputs, price):
    """The cheaper mode for a Jacobian of so many inputs and outputs, if a backward pass costs as much as `price` forward ones."""
    ### BEGIN SOLUTION
    return "forward" if inputs <= outputs * price else "reverse"
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "prices"}
def check_mode(got, inputs, outputs, price):
    """Compare both prices, and what `cheaper` chose."""
    forward, reverse = inputs, outputs * price
    case = f"inputs: {inputs}, outputs: {outputs}, a backward pass costs {price:g}"
    if got not in ("forward", "reverse"):
        raise Mismatch(f"{case}: expected 'forward' or 'reverse', got {got!r}")
    if (got == "forward") != (forward <= reverse):
        raise Mismatch(
            f"{case}: expected the cheaper one, got {got}; forward mode costs {forward:g}, reverse mode {reverse:g}"
        )


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_mode", "points": 2}
# Stuck? How many forward passes does a Jacobian take column by column, and how many backward passes row by row? What does each cost?
check_mode(cheaper(784, 1, 2), 784, 1, 2)
check_mode(cheaper(1, 120, 2), 1, 120, 2)
check_mode(cheaper(6, 6, 1), 6, 6, 1)
check_mode(cheaper(7, 6, 2), 7, 6, 2)
### BEGIN HIDDEN TESTS
for price in (0.5, 1, 1.5, 3):
    for inputs in (1, 2, 3, 9, 12, 40):
        for outputs in (1, 3, 6, 13):
            check_mode(cheaper(inputs, outputs, price), inputs, outputs, price)
check_mode(cheaper(6, 4, 1.25), 6, 4, 1.25)
check_mode(cheaper(1_000_001, 1_000_000, 1), 1_000_001, 1_000_000, 1)
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try functions that you have not seen: when all of these pass, the table
# says where the others run.
