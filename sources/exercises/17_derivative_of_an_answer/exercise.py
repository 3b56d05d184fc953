# Exercise 17. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 17 · Through an equation
#
# An answer satisfies an equation, and that is all that its derivative needs. Here you write four derivatives that do not depend on how the answer was found, in plain Python and NumPy.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `root_slope`: the derivative of a root | 2 |
# | Task 2 | `settled_back`: back through a fixed point | 3 |
# | Task 3 | `solve_back`: back through a system of equations | 3 |
# | Task 4 | `penalty_back`: the derivatives with respect to penalties | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import numpy as np

import minigrad as mg
from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · A root (2 points, easy)
#
# $x$ solves $F(x, a) = 0$. `F_x` and `F_a` are functions of $x$ and $a$: the partial derivatives of $F$. Return $dx/da$. Where the root is a double one, there is no derivative: return `None`.
#
# A check by hand: $x^2 = 4a$ has the root 6 at $a = 9$. By how much does it grow, for each unit of $a$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "root"}
def root_slope(F_x, F_a, x, a):
    """The derivative of the root x with respect to a; None at a double root."""
    ### BEGIN SOLUTION
    slope = F_x(x, a)
    return None if slope == 0 else -F_a(x, a) / slope
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_root", "points": 2}
# Stuck? F stays 0 when a moves. So what F gains by da, F_a da, it must lose by dx, F_x dx.
check_close(root_slope(lambda x, a: 2 * x, lambda x, a: -4, 6, 9), 1 / 3, "x² = 4a at 9")
check_close(root_slope(lambda x, a: 3 * x**2 + a, lambda x, a: x, 2, 5), -2 / 17, "x³ + a x = 18 at a = 5")
check_close(root_slope(lambda x, a: 2 * x, lambda x, a: -4, 0, 0) is None, True, "x² = 4a at 0: None is returned")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(root_slope(lambda x, a: -2 * x, lambda x, a: 4, 6, 9), 1 / 3, "4a - x² = 0 at 9")


def roots(chance):
    """Partial derivatives of p x² + q a x - r a + a constant, and a root."""
    p, q, r = (chance.choice([-3.0, -2.0, 2.0, 3.0]) for _ in range(3))
    x, a = chance.choice([1.0, 2.0]), chance.choice([-1.5, 0.5])
    if chance.sometimes("the root is double"):
        a = -2 * p * x / q
    return (lambda x, a: 2 * p * x + q * a), (lambda x, a: q * x - r), x, a


cases = fresh(roots)
check_cases(answers(root_slope, cases), answers(solution.root_slope, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · A fixed point (3 points, medium)
#
# $x = g(x, a)$, where $x$ and $a$ are vectors. $\bar x$ arrives, and the answer does not remember its rounds. At the fixed point
#
# $$u = \bar x + u\,\frac{\partial g}{\partial x} \qquad\qquad \bar a = u\,\frac{\partial g}{\partial a}$$
#
# So $u$ is a fixed point, too. You get two functions: `to_x(u)` is $u\, \partial g/\partial x$, and `to_a(u)` is $u\, \partial g/\partial a$. Begin with $u = \bar x$, and go on until no entry of $u$ changes by more than $10^{-13}$. Return $\bar a$, and leave `x_bar` as it is.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "settled"}
def settled_back(to_x, to_a, x_bar):
    """The adjoint of a, from the adjoint of the fixed point."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    u, before = x_bar, np.inf  # seed
    while np.abs(u - before).max() > 1e-13:
        u, before = x_bar + to_x(u), u  # go back, and add up
    return to_a(u)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "settled_given"}
def linear(J, K):
    """to_x and to_a where g has the matrices J and K as its derivatives."""
    return (lambda u: u @ J), (lambda u: u @ K)


half = linear(np.array([[0.5]]), np.array([[5.0]]))
J, K = np.array([[0.1, 0.6], [-0.2, 0.3]]), np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]])

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_settled", "points": 3}
# Stuck? With one unknown, g_x = 0.5 and x_bar = 1, u goes 1, 1.5, 1.75, 1.875, and settles at 2. Print yours.
check_close(settled_back(*half, np.array([1.0])), [10.0], "g_x = 0.5, g_a = 5, x_bar = 1")
check_close(
    settled_back(*linear(J, K), np.array([1.0, 2.0])),
    np.linalg.solve(np.eye(2) - J.T, [1.0, 2.0]) @ K,
    "two unknowns, three a",
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh, within

slow = linear(np.array([[0.97]]), np.array([[1.0]]))
check_close(within(20_000, settled_back, *slow, np.array([3.0])), [100.0], "g_x = 0.97, x_bar = 3: it settles slowly")
asked = np.array([1.0, 2.0])
settled_back(*linear(J, K), asked)
check_close(asked, [1.0, 2.0], "x_bar, afterwards")


def fixed_points(chance):
    """to_x, to_a and x_bar."""
    n, m = chance.size(1, 4), chance.size(1, 4)
    J, K = chance.array(n, n) / (10 * n), chance.array(n, m)
    if chance.sometimes("g does not use x"):
        J = 0 * J
    return *linear(J, K), chance.array(n)


cases = fresh(fixed_points)
check_cases(answers(settled_back, cases), answers(solution.settled_back, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · A system of equations (3 points, medium)
#
# $x$ solves $A x = b$, and $\bar x$ arrives. Return the adjoints of $A$ and $b$. They have the shapes of $A$ and $b$. Use `np.linalg.solve`, and neither an inverse nor the graph.
#
# With one unknown $x = b / a$: what are $\bar b$ and $\bar a$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "solve"}
def solve_back(A, x, x_bar):
    """The adjoints of A and b where A x = b, in a dict with these names."""
    ### BEGIN SOLUTION
    b_bar = np.linalg.solve(A.T, x_bar)  # seed: the second system gets x_bar
    return {"A": -np.outer(b_bar, x), "b": b_bar}
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "solve_given"}
def true_adjoints(A, x, x_bar):
    """The same by minigrad's graph."""
    a, b = mg.Variable(A), mg.Variable(A @ x)
    mg.sum(mg.linalg.solve(a, b) * x_bar).backward()
    return {"A": a.grad, "b": b.grad}


def only(name, system):
    return {name: solve_back(*(np.array(part) for part in system))[name]}


system = np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([1.0, 3.0]), np.array([6.0, 8.0])

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_right", "points": 1}
# Stuck? x = A⁻¹ b is a product of a matrix and a vector. On the way back the matrix is transposed.
check_close(only("b", system), {"b": [3.0, 1.25]}, "two unknowns")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import called, check_own

check_own(called(solve_back, system, true_adjoints, mg), "solve_back")
rng = np.random.default_rng(0)
larger = rng.standard_normal((4, 4)) + 4 * np.eye(4), rng.standard_normal(4), rng.standard_normal(4)
check_close(only("b", larger), {"b": true_adjoints(*larger)["b"]}, "four unknowns")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_matrix", "points": 2}
# Stuck? Raise one entry of A: row i, column j. Equation i then has dA x[j] too much on its left, as if b[i] were less by that.
check_close(only("A", system), {"A": [[-3.0, -9.0], [-1.25, -3.75]]}, "two unknowns")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(solve_back, system, true_adjoints, mg), "solve_back")
rng = np.random.default_rng(0)
larger = rng.standard_normal((4, 4)) + 4 * np.eye(4), rng.standard_normal(4), rng.standard_normal(4)
check_close(only("A", larger), {"A": true_adjoints(*larger)["A"]}, "four unknowns")
before = [part.copy() for part in larger]
solve_back(*larger)
check_close(dict(zip("Axy", larger)), dict(zip("Axy", before)), "the arrays that were given, afterwards")


def systems(chance):
    """A, x and its adjoint."""
    n = chance.size(1, 4)
    A = chance.array(n, n) / n + 5 * np.eye(n)
    if chance.sometimes("A is symmetric"):
        A = (A + A.T) / 2
    return A, chance.array(n), chance.array(n)


cases = fresh(systems)
check_cases(answers(solve_back, cases), answers(solution.solve_back, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Penalties (3 points, medium)
#
# In the lesson weights solved $(X^{\mathsf T} X + D)\, w = X^{\mathsf T} y$, where $D$ is diagonal with $d_i = e^{s_i}$. Here $y$ and $w$ are vectors. The adjoint of the weights, $\bar w$, arrives. Return the adjoint of $s$: a vector, with an entry for each weight.
#
# Go back one step at a time: from $\bar w$ to the adjoint of the matrix, from its diagonal to $d$, from $d$ to $s$.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "penalty"}
def penalty_back(X, y, s, w_bar):
    """The adjoint of s, the logarithms of the penalties."""
    ### BEGIN SOLUTION
    matrix = X.T @ X + np.diag(np.exp(s))
    w = np.linalg.solve(matrix, X.T @ y)
    u = np.linalg.solve(matrix, w_bar)  # seed: the second system gets w_bar; the matrix is its own transpose
    return -u * w * np.exp(s)  # go back: to the diagonal, and through exp
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_penalty", "points": 3}
# Stuck? With one weight, X = 1 and y = 8, w is 8 / (1 + d). For s = log 3 that is 2, and dw/dd is -1/2. And dd/ds?
check_close(penalty_back(np.array([[1.0]]), np.array([8.0]), np.log([3.0]), np.array([1.0])), [-3 / 2], "one weight")
pictures, targets = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]]), np.array([1.0, -2.0, 4.0])
# By hand: the matrix is ((12, 5), (5, 9)), its determinant 83, w = (97, -17) / 83 and u = (13, 2) / 83.
check_close(
    penalty_back(pictures, targets, np.log([2.0, 3.0]), np.array([2.0, 1.0])),
    [-2 * 13 * 97 / 83**2, 3 * 2 * 17 / 83**2],
    "two weights",
)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(penalty_back, (pictures, targets, np.log([2.0, 3.0]), np.array([2.0, 1.0])), mg), "penalty_back")


def ridges(chance):
    """X, y, s and the adjoint of w."""
    n, d = chance.size(1, 5), chance.size(1, 4)
    s = chance.array(d) / 4
    if chance.sometimes("all penalties are 1"):
        s = 0 * s
    return chance.array(n, d), chance.array(n), s, chance.array(d)


cases = fresh(ridges)
check_cases(answers(penalty_back, cases), answers(solution.penalty_back, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
