# Exercise 03. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 3 · Down the table
#
# In the lesson, every step of a program became a row with a value and a tangent. Here you fill in the blanks of such a
# table with a pencil. Then you write the pass that fills it in, and use it to build a Jacobian, column by column.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | the blanks of a table | 3 |
# | Task 2 | `forward_pass`: the tangents of a whole tape | 3 |
# | Task 3 | `jacobian_columns` | 3 |
# | Task 4 | one pass, any direction | 2 |
# | Task 5 | the seed that answers a question | 1 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math
from numbers import Real

from minigrad import trace
from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close, likeness, outside

grading.live()

# %% [markdown]
# ## Task 1 · Fill in the blanks (3 points, easy)
#
# This program runs at $x = 2$, $y = 3$, with the seed $\dot x = 1$, $\dot y = 0$:
#
# | | program line | value | tangent |
# |---|---|---|---|
# | | input | $x = 2$ | $\dot x = 1$ |
# | | input | $y = 3$ | $\dot y = 0$ |
# | 1 | `v1 = x * y` | $v_1 =$ **A** | $\dot v_1 =$ **B** |
# | 2 | `v2 = x * x` | $v_2 = 4$ | $\dot v_2 =$ **C** |
# | 3 | `v3 = v1 - v2` | $v_3 =$ **D** | $\dot v_3 =$ **E** |
# | 4 | `v4 = v3 * y` | $v_4 = 6$ | $\dot v_4 =$ **F** |
# | 5 | `v5 = v4 / x` | $v_5 = 3$ | $\dot v_5 =$ **G** |
#
# The last row is a division. Its partial derivatives are $\partial(p/q)/\partial p = 1/q$ and
# $\partial(p/q)/\partial q = -p/q^2$.
#
# Use a pencil. Each blank follows from the rows above it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "blanks"}
def blanks():
    """A number for each letter from A to G, in a dict: return {"A": ..., "B": ..., and so on}."""
    ### BEGIN SOLUTION
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "program"}
def program(x, y):
    v1 = x * y
    v2 = x * x
    v3 = v1 - v2
    v4 = v3 * y
    return v4 / x


PLACES = {"A": (1, "value"), "B": (1, "tangent"), "C": (2, "tangent"), "D": (3, "value"), "E": (3, "tangent"),
          "F": (4, "tangent"), "G": (5, "tangent")}  # fmt: skip


def check_blanks(filled):
    """The first wrong blank, without the right number: the pencil is yours."""
    if not isinstance(filled, dict):
        raise Mismatch("blanks() returns a dict with a number for each letter")
    rows = trace(program, 2.0, 3.0).forward("x")
    for letter, (row, column) in PLACES.items():
        right = rows[row + 1].primal_value if column == "value" else rows[row + 1].derivative_value
        got = filled.get(letter)
        if not isinstance(got, Real) or isinstance(got, bool):
            raise Mismatch(f"{letter}: a number is missing")
        got = float(got)
        if abs(got - right) > 1e-9:
            value, note = rows[row + 1].primal_value, likeness.of_sum(got, [right])
            if column == "tangent" and got == value:
                note = "that is the value"
            note = f" ({note})" if note else ""
            raise Mismatch(f"{letter}, the {column} in row {row}: {got:g} does not follow from the rows above it{note}")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_blanks", "points": 3}
# Stuck? Write the rule of the row with letters first, then put in the numbers of the rows above, zeros too.
check_blanks(blanks())
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(blanks, (), trace, program), "blanks")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · The whole column (3 points, medium)
#
# A **tape** is a list of rows. Each row is a name, and what it was made of: pairs of an earlier name and the partial
# derivative with respect to it. Inputs are made of nothing. This is the tape of `twice` from the lesson, as far as `a` is
# concerned:

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "tape"}
TWICE = [
    ("x1", []),
    ("x2", []),
    ("v1", [("x1", 4.0), ("x2", 3.0)]),  # v1 = x1 * x2 at (3, 4)
    ("v2", [("v1", 1.0)]),
    ("v5", [("x1", 4.0), ("x2", 3.0)]),
    ("v6", [("v2", 1.0), ("v5", 1.0)]),
]

# %% [markdown]
# Write `forward_pass(tape, seed)`. `seed` is a dict from inputs to tangents; an input that is not in it has the tangent 0.
# Return a **new** dict with the tangent of **every** row; the caller may use the seed again.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "pass"}
def forward_pass(tape, seed):
    """The tangent of each row of the tape, by name."""
    ### BEGIN SOLUTION
    tangent = {}
    for name, made_of in tape:
        tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)
    return tangent
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_pass", "points": 3}
# Stuck? Go down the tape. The tangent of a row is a sum: partial derivative times tangent, for each pair.
both = {"x1": 1, "x2": -2, "v1": -2, "v2": -2, "v5": -2, "v6": -4}
check_close(forward_pass(TWICE, {"x1": 1.0, "x2": -2.0}), both, "seed x1 = 1, x2 = -2")
first = {"x1": 1, "x2": 0, "v1": 4, "v2": 4, "v5": 4, "v6": 8}
one = {"x1": 1.0}
check_close(forward_pass(TWICE, one), first, "seed x1 = 1")
check_close(len(one), 1, "how many entries the seed has after the call")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh, within

SQUARES = [("x", []), ("v1", [("x", 3.0), ("x", 3.0)]), ("v2", [("v1", 9.0), ("v1", 9.0)]), ("c", [])]
check_close(forward_pass(SQUARES, {"x": 0.5}), {"x": 0.5, "v1": 3, "v2": 54, "c": 0}, "x squared, and squared again")
check_close(forward_pass([("p", []), ("q", [("p", 2.0)])], {"p": 3.0}), {"p": 3, "q": 6}, "an input called p")
doubled = [("v0", []), *((f"v{k}", [(f"v{k - 1}", 1.0), (f"v{k - 1}", 1.0)]) for k in range(1, 41))]
check_close(within(50_000, forward_pass, doubled, {"v0": 1.0})["v40"], 2.0**40, "v = u + u, forty times, the last row")


def tapes(draw):
    """A tape, and a seed."""
    inputs, names = [f"x{k}" for k in range(1, 4)], [f"v{k}" for k in range(1, 9)]
    if draw.sometimes("the names are others than x1 and v1"):
        inputs, names = ["p", "vat", "q"], ["xerxes", "z", "a", "m", "b", "n", "c", "o"]
    inputs = inputs[: draw.size(1, 3)]
    tape = [(name, []) for name in inputs]
    for name in names[: draw.size(1, 6)]:
        made_of = draw.sample(tape, draw.randint(1, min(2, len(tape))))
        if draw.sometimes("a row is made of the same row twice"):
            made_of = [tape[-1], tape[-1]]
        tape.append((name, [(row[0], draw.randint(2, 9) / 2) for row in made_of]))
    if draw.sometimes("a row that is no input is made of nothing"):
        tape.insert(len(inputs), ("constant", []))
    if draw.sometimes("a partial derivative is negative"):
        tape = [(name, [(row, -partial) for row, partial in made_of]) for name, made_of in tape]
    start = dict.fromkeys(inputs, 1.0)
    if draw.sometimes("the tangents are not all 1"):
        start = {name: draw.choice([-2.0, 0.5, 3.0]) for name in inputs}
    if draw.sometimes("an input is not in the seed"):
        del start[inputs[0]]
    return tape, start


cases = fresh(tapes)
check_cases(answers(forward_pass, cases), answers(solution.forward_pass, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Column by column (3 points, medium)
#
# `Dual(value, tangent)` is the number of lesson 02. `f` takes a list of numbers and returns a list of numbers.
#
# Write `jacobian_columns(f, x)`: the Jacobian of `f` at `x` as a list of **rows**, one for each output, filled in by one
# pass for each input. So `f` is called as many times as there are inputs, and not once more. An output may be a plain number: then it
# does not depend on anything. Leave the list `x` as it is.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "dual"}
from minigrad import Dual, cos, exp, sin


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


def turn(x):
    """From radius and angle to a point in the plane."""
    return [x[0] * cos(x[1]), x[0] * sin(x[1])]


twice([Dual(3.0, 1.0), Dual(4.0, 0.0)])


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "columns"}
def jacobian_columns(f, x):
    """The Jacobian of f at x, as a list of rows; one call of f for each input."""
    ### BEGIN SOLUTION
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
    return [list(row) for row in zip(*columns, strict=True)]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_columns", "points": 3}
# Stuck? Write down the two lists of dual numbers for (3, 4) first. Which tangents has the first pass, which the second?
check_close(jacobian_columns(twice, [3.0, 4.0]), [[8, 6], [2, 2]], "twice at (3, 4)")
check_close(jacobian_columns(lambda x: [x[0] * x[1], x[1], 7.0], [2.0, 5.0]), [[5, 2], [0, 1], [0, 0]], "three outputs")
counted = outside(Counted(twice))
jacobian_columns(counted, [3.0, 4.0])
check_close(counted.calls, 2, "calls of f for two inputs")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fails, fresh, passes_on

check_own(called(jacobian_columns, (twice, [3.0, 4.0]), mg.jvp, mg.jacobian, mg.derivative), "jacobian_columns")
check_close(passes_on(jacobian_columns, fails, [3.0]), True, "an error in f: does it come out of jacobian_columns?")
polar = [[math.cos(0.5), -2 * math.sin(0.5)], [math.sin(0.5), 2 * math.cos(0.5)]]
check_close(jacobian_columns(turn, [2.0, 0.5]), polar, "turn at (2, 0.5)")
counted = outside(Counted(lambda x: [x[0] * x[1] + x[2] * x[3], x[0] * x[3]]))
columns = jacobian_columns(counted, [1.0, 2.0, 3.0, 4.0])
check_close(counted.calls, 4, "calls of f for four inputs")
check_close(columns, [[2, 1, 4, 3], [4, 0, 0, 1]], "two outputs, four inputs")
check_close(jacobian_columns(twice, [2.0, 2.0]), [[4, 4], [2, 2]], "twice at (2, 2)")
check_close(jacobian_columns(lambda x: x, [3.0, 4.0]), [[1, 0], [0, 1]], "a function that returns its list")
check_close(jacobian_columns(lambda x: [2 * x[0] + 3 * x[1], 7], [5.0, 5.0]), [[2, 3], [0, 0]], "2 x + 3 y and 7")
point = [3.0, 4.0]
jacobian_columns(twice, point)
check_close(point, [3, 4], "the point that was given, afterwards")


def functions(draw):
    """A function of some numbers, and the numbers."""
    n = draw.size(1, 4)
    return draw.function(n, sin=sin, cos=cos, exp=exp), draw.numbers(n)


cases = fresh(functions)
check_cases(answers(jacobian_columns, cases), answers(solution.jacobian_columns, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · One pass, any direction (2 points, easy)
#
# How fast do the outputs move when the inputs move in the direction $u$? It is the product $J u$. You could build $J$ and
# multiply. Instead, do it with **one** call of `f`, however many inputs there are.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "direction"}
def along(f, x, u):
    """J u, for the Jacobian J of f at x: a number for each output. One call of f."""
    ### BEGIN SOLUTION
    outputs = f([Dual(value, speed) for value, speed in zip(x, u, strict=True)])
    return [y.tangent if isinstance(y, Dual) else 0.0 for y in outputs]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_direction", "points": 2}
# Stuck? The seed is the only free choice of a pass. It need not have a single 1 in it.
check_close(along(twice, [3.0, 4.0], [1.0, -1.0]), [2, 0], "twice along (1, -1)")
counted = outside(Counted(lambda x: [x[0] * x[1] * x[2]]))
along(counted, [2.0, 3.0, 5.0], [3.0, -4.0, 1.0])
check_close(counted.calls, 1, "calls of f for three inputs")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fails, fresh, passes_on

check_own(called(along, (twice, [3.0, 4.0], [1.0, 2.0]), mg.jvp, mg.jacobian, mg.derivative), "along")
check_close(passes_on(along, fails, [3.0], [1.0]), True, "an error in f: does it come out of along?")
check_close(along(twice, [3.0, 4.0], [0.0, 0.0]), [0, 0], "twice along (0, 0)")
counted = outside(Counted(lambda x: [x[0] * x[1], x[2] * x[1] + x[0]]))
slopes = along(counted, [4.0, 3.0, 0.5], [1.0, -2.0, 3.0])
check_close(counted.calls, 1, "calls of f for three inputs and two outputs")
check_close(slopes, [-5, 9], "two outputs along (1, -2, 3)")
check_close(
    along(lambda x: [x[0] * x[1] * x[2], 1], [2.0, 3.0, 5.0], [1.0, 2.0, -1.0]), [29, 0], "x y z along (1, 2, -1)"
)


def directions(draw):
    """A function of some numbers, the numbers, and a direction."""
    n = draw.size(1, 4)
    u = [0.0] * n if draw.sometimes("the direction is 0") else [draw.choice([1.0, 2.0, -3.0, 0.5]) for _ in range(n)]
    return draw.function(n, sin=sin, cos=cos, exp=exp), draw.numbers(n), u


cases = fresh(directions)
check_cases(answers(along, cases), answers(solution.along, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · The seed that answers a question (1 point, easy)
#
# A tank holds $V = x \cdot y \cdot z$ litres (edges in decimetres). At this moment $x = 2$, $y = 3$, $z = 5$. The edge $x$ grows by
# 1 per minute, $z$ shrinks by 2 per minute, and $y$ stays the same.
#
# One pass says how fast the volume changes. Which seed does it start from?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "seed"}
def seed():
    """The tangents of x, y and z: return [..., ..., ...]"""
    ### BEGIN SOLUTION
    return [1.0, 0.0, -2.0]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "tank"}
def check_seed(speeds, change, rates):
    """Check that a pass from this seed says how fast the volume changes, with edges that move as the text says."""
    speeds = list(speeds) if hasattr(speeds, "__len__") else []
    if [isinstance(s, Real) for s in speeds] != [True] * 3:
        raise Mismatch("seed() returns three tangents, one for each edge of the tank")
    volume = Dual(2.0, speeds[0]) * Dual(3.0, speeds[1]) * Dual(5.0, speeds[2])
    if abs(volume.tangent - change) > 1e-9:
        raise Mismatch(
            f"expected a seed with which the volume changes as it does, got one with {volume.tangent:g} litres per minute"
        )
    check_close([abs(float(s)) for s in speeds], rates, "how fast the edges move")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_seed", "points": 1}
# Stuck? The tangent of an input is its speed. Which speeds does the text give, and with which signs?
check_seed(seed(), 3, [1, 0, 2])

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try functions that you have not seen: when all of these pass, the table
# says where the others run.
