# Exercise 06. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 6 · How a slope bends
#
# The gradient says which way is down. How far may you go? In this exercise you differentiate a gradient, which tells you
# how the function curves, and use that to reach the bottom of a valley in a handful of steps.
#
# You write six functions, most of them three lines long. Fourteen points.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `gradient(x, y)`: a backward pass, by hand | 2 |
# | Task 2 | `hvp`: forward over reverse | 3 |
# | Task 3 | `hessian`: the whole matrix, column by column | 2 |
# | Task 4 | `newton_step`: to the bottom of the parabola | 3 |
# | Task 5 | `minimise`: beat gradient descent | 2 |
# | Task 6 | `safe_step`: never uphill | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math

import numpy as np

import minigrad as mg
from minigrad_course import grading
from minigrad_course.grading import check_close, outside

grading.live()

# %% [markdown]
# ## Task 1 · A gradient, written by hand (2 points, medium)
#
# $$f(x, y) = p\,y + s \qquad\text{with}\quad p = x\,y,\quad s = \sin x$$
#
# Go backwards from $f$, as in lessons 04 and 05: $\bar p$ and $\bar s$ first, then $\bar x$ and $\bar y$. Two variables
# are used twice here. Which? Return $(\bar x, \bar y)$, the derivatives of $f$ with respect to $x$ and $y$.
#
# Write only operations that also work on dual numbers: `+`, `*`, and `np.cos` instead of `math.cos`. You will see why
# in Task 2.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "gradient"}
def gradient(x, y):
    """The derivatives of x y · y + sin x with respect to x and y."""
    p = x * y
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    p_bar, s_bar = y, 1.0  # seed: the result's adjoint is 1; go back through the sum and the product
    x_bar = p_bar * y + s_bar * np.cos(x)  # go back, in order, and add up
    y_bar = p + p_bar * x  # add up
    return x_bar, y_bar
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_gradient", "points": 2}
# Stuck? f = p y + s passes y to p, p to y, and 1 to s. Then p = x y passes on what p has, and s = sin x what s has.
check_close(list(gradient(2.0, 3.0)), [9 + math.cos(2.0), 12], "the gradient at x = 2, y = 3", tolerance=1e-13)
check_close(list(gradient(0.0, 3.0)), [10, 0], "the gradient at x = 0, y = 3", tolerance=1e-13)
dual = gradient(mg.Dual(2.0, 1.0), mg.Dual(3.0, 0.0))
check_close([z.value for z in dual], [9 + math.cos(2.0), 12], "the values, when duals go in")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(gradient, (2.0, 3.0), mg), "gradient")
check_close(list(gradient(-1.5, 0.5)), [0.25 + math.cos(1.5), -1.5], "the gradient at x = -1.5, y = 0.5")


def slopes(x, y, of=gradient):
    """The gradient, and the tangents of the gradient when duals go in."""
    return {"slopes": list(of(x, y)), "tangents": [slope.tangent for slope in of(mg.Dual(x, 1.0), mg.Dual(y, 0.5))]}


cases = fresh(lambda draw: tuple(draw.numbers(2)))
check_cases(answers(slopes, cases), answers(lambda x, y: slopes(x, y, solution.gradient), cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Forward over reverse (3 points, medium)
#
# Now your gradient is an ordinary function of numbers, and dual numbers can go through it. If the point is $(2, 3)$ and
# the direction $(10, 1)$, call it with $2 + 10\,\varepsilon$ and $3 + 1\,\varepsilon$. The tangents that come out are the change of the
# gradient in that direction: the Hessian times the direction.
#
# Write `hvp(gradient, point, direction)`, for gradients of **any number of inputs**. Call `gradient` **once**. A gradient may
# also have an entry that depends on nothing, such as `2.0`: then it comes back as a plain number, without a tangent.
# What is its tangent? (`mg.Dual(value, tangent)` makes a dual; `.value` and `.tangent` are its parts.)
#
# By hand first: for $f = x y^2 + \sin x$ the second derivatives are $-\sin x$, $2y$ (twice) and $2x$. What will
# `hvp(gradient, [0.0, 3.0], [1.0, 0.0])` be?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "hvp"}
def hvp(gradient, point, direction):
    """The change of gradient(*point) when the point moves in the direction: a list, one number for each input."""
    ### BEGIN SOLUTION
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "cases"}
def essay(x, y):
    """The gradient of x y² + sin x."""
    return y * y + np.cos(x), 2 * x * y


def plane(x, y, z):
    """The gradient of x² y + 2 z: the last entry is a plain number."""
    return 2 * x * y, x * x, 2.0


class Counted:
    """A gradient that counts how often it is called."""

    def __init__(self, gradient):
        self.gradient, self.calls = gradient, 0

    def __call__(self, *point):
        self.calls += 1
        return self.gradient(*point)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_hvp", "points": 2}
# Stuck? Each input becomes a dual: its value from the point, its tangent from the direction. All go in together.
check_close(
    list(hvp(essay, [0.5, 3.0], [10.0, 1.0])),
    [6 - 10 * math.sin(0.5), 61],
    "the Hessian of x y² + sin x at (0.5, 3), times (10, 1)",
)
check_close(list(hvp(essay, [0.0, 3.0], [1.0, 0.0])), [0, 6], "the Hessian of x y² + sin x at (0, 3), times (1, 0)")
check_close(list(hvp(essay, [0.5, 3.0], [0.0, 1.0])), [6, 1], "the Hessian of x y² + sin x at (0.5, 3), times (0, 1)")
counted = outside(Counted(essay))
hvp(counted, [0.5, 3.0], [10.0, 1.0])
check_close(counted.calls, 1, "calls of the gradient for one product")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fails, fresh, passes_on

check_own(called(hvp, (essay, [0.5, 3.0], [1.0, 2.0]), mg.jvp, mg.hvp, mg.jacobian, mg.derivative), "hvp")
check_close(passes_on(hvp, fails, [0.5], [1.0]), True, "an error in the gradient: does it come out of hvp?")
check_close(
    list(hvp(essay, [-1.0, 0.25], [3.0, -2.0])),
    [3 * math.sin(1.0) - 1, 1.5 + 4],
    "the Hessian of x y² + sin x at (-1, 0.25), times (3, -2)",
)
check_close(
    list(hvp(essay, np.array([1, 2]), [0.5, 0.25])),
    [1 - 0.5 * math.sin(1.0), 2.5],
    "the Hessian of x y² + sin x at the whole numbers (1, 2), times (0.5, 0.25)",
)
whole = list(hvp(lambda x, y: (2 * x, 3), [0.5, 4.0], [3.0, 1.0]))
check_close(
    whole, [6, 0], "the Hessian of x² + 3 y at (0.5, 4), times (3, 1), with a gradient that ends in a whole number"
)


def places(draw):
    """A point and a direction."""
    return draw.numbers(2), [0.0, 0.0] if draw.sometimes("the direction is 0") else draw.numbers(2)


def product(place, direction, of=hvp):
    return list(of(essay, place, direction))


cases = fresh(places)
check_cases(
    answers(product, cases), answers(lambda place, direction: product(place, direction, solution.hvp), cases), cases
)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_hvp_constant", "points": 1}
# Stuck? The gradient of x² y + 2 z has the entry 2.0, wherever you are. How much does it change?
check_close(
    list(hvp(plane, [3.0, 5.0, 7.0], [1.0, 2.0, 4.0])),
    [22, 6, 0],
    "the Hessian of x² y + 2 z at (3, 5, 7), times (1, 2, 4)",
)

# %% [markdown]
# ## Task 3 · Column by column (2 points, easy)
#
# Which directions do you need for the whole Hessian? How many products is that for 3 inputs?
#
# Write `hessian(gradient, point)`. Return a list of rows, or an array: entry `[i][j]` is the derivative of gradient
# entry `i` with respect to input `j`. Use your `hvp`.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "hessian"}
def hessian(gradient, point):
    """The second derivatives, n rows of n numbers: one product for each column."""
    ### BEGIN SOLUTION
    columns = [hvp(gradient, point, unit) for unit in np.eye(len(point))]
    return np.array(columns).T
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_hessian", "points": 2}
# Stuck? A product with (1, 0, 0) is column 0, because only input 0 changes. Which directions give the others?
def entries(table):
    """A matrix by the places of its entries, for the checks to name."""
    return {f"[{i}][{j}]": table[i][j] for i in range(len(table)) for j in range(len(table[i]))}


check_close(entries(hessian(essay, [0.5, 3.0])), entries([[-math.sin(0.5), 6], [6, 1]]), "x y² + sin x at (0.5, 3)")
check_close(
    entries(hessian(plane, [3.0, 5.0, 7.0])), entries([[10, 6, 0], [6, 0, 0], [0, 0, 0]]), "x² y + 2 z at (3, 5, 7)"
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own, fails, passes_on

check_own(called(hessian, (essay, [0.5, 3.0]), mg.jvp, mg.hvp, mg.jacobian, mg.hessian, mg.derivative), "hessian")
check_close(passes_on(hessian, fails, [0.5]), True, "an error in the gradient: does it come out of hessian?")
check_close(
    entries(hessian(lambda x, y: (x * y, 3 * y), [2.0, 5.0])),
    entries([[5, 2], [0, 3]]),
    "of two functions that are no gradient, x y and 3 y, at (2, 5)",
)
counted = outside(Counted(lambda a, b, c, d: (2 * a * d, 3 * b, c * c * c / 3, a * a)))
check_close(
    entries(hessian(counted, [1.0, 2.0, 3.0, 4.0])),
    entries([[8, 0, 0, 2], [0, 3, 0, 0], [0, 0, 9, 0], [2, 0, 0, 0]]),
    "a² d + 3 b²/2 + c⁴/12 at (1, 2, 3, 4)",
)
check_close(counted.calls, 4, "calls of the gradient for a Hessian of 4 inputs")
check_close(
    entries(hessian(essay, np.array([1, 2]))), entries([[-math.sin(1), 4], [4, 2]]), "x y² + sin x at whole numbers"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · To the bottom of the parabola (3 points, medium)
#
# Near the point, the function is nearly a parabola, and the gradient nearly a straight line: $\nabla f(p + s) \approx \nabla f(p) + H s$.
# At the bottom the gradient is 0. Which equation must $s$ solve?
#
# Write `newton_step(gradient, point)`, which returns $s$, the step (not the point that it leads to). `np.linalg.solve(A, b)`
# solves $A s = b$.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "newton_step"}
def newton_step(gradient, point):
    """The step from the point to where the gradient would be 0 if it were a straight line."""
    ### BEGIN SOLUTION
    return np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_newton_step", "points": 3}
# Stuck? Solve for one input first: slope + curvature · s = 0. Then put the matrix in place of the curvature.
def bowl(x, y):
    """The gradient of a bowl whose bottom lies at (1, -2)."""
    return 4 * (x - 1) + 2 * (y + 2), 2 * (x - 1) + 6 * (y + 2)


check_close(newton_step(lambda x: (6 * (x - 5),), [3.0]), [2], "the step from 3 in 3 (x - 5)²")
check_close(newton_step(bowl, [0.0, 0.0]), [1, -2], "the step from (0, 0) in the bowl")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fails, fresh, passes_on

check_close(
    passes_on(newton_step, fails, [7.5, 4.0]), True, "an error in the gradient: does it come out of newton_step?"
)
check_close(newton_step(bowl, [7.5, 4.0]), [-6.5, -6], "the step from (7.5, 4) in the bowl")
check_close(newton_step(lambda x: (np.exp(x) - 2,), [0.0]), [1], "the step from 0 in exp(x) - 2 x")


def bowls(draw):
    """The point to start from, the bottom, and the curvatures of a bowl; it is turned by mixing neighbours."""
    n = draw.size(1, 4)
    return draw.numbers(n), draw.numbers(n), [float(draw.randint(1, 9)) for _ in range(n)]


def step_in_bowl(start, bottom, curvatures, step=newton_step):
    n = len(start)

    def slope(*place):
        z = [p - b for p, b in zip(place, bottom)]
        return tuple(curvatures[k] * z[k] + 0.25 * z[k - 1] + 0.25 * z[(k + 1) % n] for k in range(n))

    return step(slope, start)


cases = fresh(bowls)
check_cases(
    answers(step_in_bowl, cases),
    answers(lambda start, bottom, c: step_in_bowl(start, bottom, c, solution.newton_step), cases),
    cases,
    tolerance=1e-8,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Beat gradient descent (2 points, medium)
#
# Here is gradient descent, in a valley with steep walls and a flat floor. It stops where the gradient is shorter than $10^{-6}$, and
# gives up after 2,000 steps. Does it get to the bottom at $(1, 1)$? Guess, then run the cell.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "descent"}
def banana(x, y):
    """The gradient of (1 - x)² + 100 (y - x²)², which is lowest at (1, 1)."""
    wall = 200 * (y - x * x)
    return -2 * (1 - x) - 2 * x * wall, wall


def gradient_descent(gradient, point, rate, tolerance=1e-6, patience=2000):
    """Return where it stopped, and the number of steps to it."""
    steps = 0
    while np.linalg.norm(gradient(*point)) >= tolerance and steps < patience:
        point, steps = point - rate * np.array(gradient(*point)), steps + 1
    return point, steps


gradient_descent(banana, np.array([-1.2, 1.0]), rate=0.001)

# %% [markdown]
# Write `minimise(gradient, point)`: the same with Newton steps. Stop where **the gradient** is shorter than the tolerance (its 2-norm), and return
# the point and the **number of steps** taken. A start at the bottom needs 0. (Give up after 100 steps, in case
# there is a mistake somewhere, and return what you have. Leave the caller's point as it is.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "minimise"}
def minimise(gradient, point, tolerance=1e-6):
    """Newton's method: the point where the gradient is shorter than the tolerance, and the number of steps to it."""
    ### BEGIN SOLUTION
    point, steps = np.array(point), 0
    while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
        point, steps = point + newton_step(gradient, point), steps + 1
    return point, steps
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_minimise", "points": 2}
# Stuck? Look at gradient_descent above. What stands in the place of - rate * gradient, when you take Newton's steps?
def reached(start, gradient):
    """Return what minimise does, without warnings: a wrong step may run away to infinity, and the checks will say so."""
    with np.errstate(all="ignore"):
        return minimise(gradient, start)


check_close(reached([0.0, 0.0], bowl)[0], [1, -2], "the bottom of the bowl")
check_close(reached([0.0, 0.0], bowl)[1], 1, "steps in the bowl")
check_close(reached([1.0, -2.0], bowl)[1], 0, "steps from the bottom of the bowl")
bottom, steps = reached([-1.2, 1.0], banana)
check_close(bottom, [1, 1], "the bottom of the banana", tolerance=1e-6)
check_close(steps, 6, "steps in the banana from (-1.2, 1)")
check_close(reached([4.0], lambda x: (4e6 * (x - 4.0000001),))[1], 1, "steps where a tiny step meets a steep slope")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fails, fresh, passes_on

check_close(passes_on(minimise, fails, [0.5, -1.0]), True, "an error in the gradient: does it come out of minimise?")
check_close(reached([0.5, -1.0], banana)[0], [1, 1], "the bottom of the banana from (0.5, -1)", tolerance=1e-6)
check_close(reached([0.0], lambda x: (1e-7 * (x - 5),))[1], 0, "steps where the gradient is short and the step is long")
check_close(reached([3.0], lambda x: (np.exp(x) - 2,))[0], [math.log(2)], "the bottom of exp(x) - 2 x", tolerance=1e-6)


class Patient:
    """The gradient of x⁴/4, for as many calls as a hundred steps can need; then 0, which ends most answers."""

    def __init__(self):
        self.left = 2000

    def __call__(self, x):
        self.left -= 1
        return (x * x * x,) if self.left >= 0 else (0 * x,)


check_close(minimise(Patient(), [1.0])[1], 12, "steps where each one goes a third of the way")
check_close(minimise(Patient(), [1.0], tolerance=1e-3)[1], 6, "the same, tolerance 0.001")
check_close(minimise(Patient(), [1.0], tolerance=0.0)[1], 100, "the same, tolerance 0, which it never reaches")
check_close(
    minimise(lambda x, y: (x, y), [8e-7, 8e-7])[1], 1, "steps where each entry is below the tolerance, the length above"
)
check_close(minimise(lambda x: (x,), [0.25], 0.25)[1], 1, "steps where the gradient is as long as the tolerance")
start = np.array([0.0, 0.0])
minimise(bowl, start)
check_close(start, [0, 0], "the start that was given, afterwards")
check_close(reached(np.array([2, 2]), banana)[0], [1, 1], "the bottom of the banana from whole numbers", tolerance=1e-6)


def flats(draw):
    """A place to start from in x⁴/4 + y⁴/4, and how short the gradient is to be."""
    place = [draw.randint(3, 30) / 10 for _ in range(2)]
    if draw.sometimes("the start is negative"):
        place = [-x for x in place]
    return place, 0.03 if draw.sometimes("the tolerance is 0.03") else 1e-6


def way(place, tolerance, walk=minimise):
    """The end of the walk, and the number of steps to it."""
    last, count = walk(lambda x, y: (x * x * x, y * y * y), place, tolerance)
    return {"point": list(last), "steps": count}


cases = fresh(flats, rounds=4, mixed=6)
check_cases(
    answers(way, cases), answers(lambda place, tolerance: way(place, tolerance, solution.minimise), cases), cases
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6 · Never uphill (2 points, hard)
#
# Newton's method looks for a place where the gradient is 0, and on a hilltop it is 0 as well. The function of the next test,
# $f = x^4/4 - x^2/2 + y^2/2$, has a saddle point at $(0, 0)$ between two valleys, and `minimise` can end there. The sign to look
# for: one of the curvatures (eigenvalues of $H$) is negative there.
#
# The remedy: add the same number $\mu$ to each entry of the diagonal of $H$. That adds $\mu$ to **every** curvature. Where the smallest
# curvature is 0 or negative, choose $\mu$ so that it becomes 1. Where all are positive, $\mu = 0$, and the step is Newton's own.
# Then solve as before.
#
# For one input, slope 2 and curvature $-3$: what is $\mu$, and what is the step? In which direction would Newton have gone?
#
# (`np.linalg.eigvalsh(H)` gives the curvatures, the smallest first; `np.eye(n)` has ones on the diagonal.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "safe_step"}
def safe_step(gradient, point):
    """Newton's step where all curvatures are positive; elsewhere with the diagonal raised, so that the smallest is 1."""
    ### BEGIN SOLUTION
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H = H + (1 - smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_safe_step", "points": 2}
# Stuck? Print the curvatures at the point, add your µ to each, and look: are all positive, and is the smallest 1?
def around_the_saddle(x, y):
    """The gradient of x⁴/4 - x²/2 + y²/2: a saddle at (0, 0), valleys at (-1, 0) and (1, 0)."""
    return x * x * x - x, y * 1.0


check_close(safe_step(bowl, [0.0, 0.0]), [1, -2], "the step in the bowl, where all curvatures are positive")
check_close(safe_step(lambda x: (8 - 3 * x,), [2.0]), [-2], "the step where the slope is 2 and the curvature -3")
check_close(safe_step(around_the_saddle, [0.5, 3.0]), [0.375, -3 / 2.25], "the step from (0.5, 3) near the saddle")
tilted = lambda x, y: (x + 2 * y, 2 * x + y)  # noqa: E731 - 1 on the diagonal, 2 beside it: curvatures 3 and -1
check_close(safe_step(tilted, [2.0, 1.0]), [-0.4, -1.4], "the step where H has 1 on its diagonal and 2 beside it")
point = np.array([0.1, 0.5])
for _ in range(40):
    point = point + safe_step(around_the_saddle, point)
check_close(point, [1, 0], "where 40 steps from (0.1, 0.5) lead", tolerance=1e-6)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import fails, passes_on

check_close(passes_on(safe_step, fails, [-2.0, 1.0]), True, "an error in the gradient: does it come out of safe_step?")
check_close(safe_step(around_the_saddle, [-2.0, 1.0]), [6 / 11, -1], "the step from (-2, 1), beyond the valley")
check_close(safe_step(lambda x: (0.25 * (x - 4),), [0.0]), [4], "the step where the slope is -1 and the curvature 0.25")
flat = lambda x, y: (x - y, y - x)  # noqa: E731 - curvatures 2 and 0
check_close(safe_step(flat, [3.0, 0.0]), [-1, 1], "the step where H has 1 on its diagonal and -1 beside it")
check_close(safe_step(lambda x, y: (1.0, 2 * y), [0.0, 3.0]), [-1, -2], "the step where a curvature is 0")
for bend, step in ((1e-4, -1e4), (-1e-4, -1.0)):
    line = safe_step(lambda x, bend=bend: (bend * x + 1,), [0.0])
    check_close(line, [step], f"the step where the slope is 1 and the curvature {bend}")
hill = lambda x, y: (-x - 1, -2 * y)  # noqa: E731 - curvatures -1 and -2
check_close(safe_step(hill, [1.0, 1.0]), [1, 2], "the step where both curvatures are negative")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try functions that you have not seen: when all of these pass, the table
# says where the others run.
