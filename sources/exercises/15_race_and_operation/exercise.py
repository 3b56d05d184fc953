# Exercise 15. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 15 · An operation, end to end
#
# In the lesson, minigrad got two operations that it did not have. Here you add two more yourself: a row of the derivative
# table that is stable where the formula is not, and an operation on arrays with its value, its derivative, its kernel
# and its test. The test is the hardest part: it must catch the mistakes of others.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `log_cosh_row`: value and partial derivative of a row | 2 |
# | Task 2 | `echo_value`: what the operation computes | 2 |
# | Task 3 | `echo_vjp`: how an adjoint goes back | 3 |
# | Task 4 | `echo_kernel`: for the compiled program | 2 |
# | Task 5 | `looks_right`: the test | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math

import numpy as np

import minigrad as mg
from minigrad.core.operation import Operation
from minigrad.core.rules import rule
from minigrad.guards import capabilities
from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close, outside

grading.live()


def check_itself(same, what):
    """An array, and not a copy of it, came back."""
    if same is not True:
        raise Mismatch(f"expected the array {what} itself to be returned, got something else")


def check_function(callable_, what):
    """A function came back."""
    if callable_ is not True:
        raise Mismatch(f"expected {what} to return a function, got something else")


def new_arrays(function, a, out):
    """Count the arrays of the size of a that exist at most during a call, besides a and out."""
    capabilities.demand("ctypes", "counting the bytes of a call")
    function(a, out)
    with mg.measure() as m:
        function(a, out)
    return round(m.allocated_bytes / a.nbytes)


# %% [markdown]
# ## Task 1 · A row (2 points, medium)
#
# $\ln\cosh a$ is a smooth loss: like $a^2/2$ near 0, and like $|a| - \ln 2$ far away. But $\cosh 1000$ is too large for a
# float. The same function can be written without that:
#
# $$\ln\cosh a = |a| + \ln\bigl(1 + e^{-2|a|}\bigr) - \ln 2$$
#
# `log_cosh_row()` returns the two texts of the row: the value, in `a`, and the partial derivative, in `a` and the value
# `v`. In the value you may write `abs`, `exp`, `log`, `log1p` and the like; in the derivative, the rows of the table
# (`tanh`, `exp`, ...). For the sine it would be `return "sin(a)", "cos(a)"`.
#
# What is the derivative? Differentiate $\ln\cosh a$, where it is short.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "row"}
def log_cosh_row():
    """The value and the partial derivative of log_cosh, as text."""
    ### BEGIN SOLUTION
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_row", "points": 2}
# Stuck? Write the formula down as it stands, with abs(a) for |a|. The derivative of ln(u) is u'/u, with u = cosh a.
log_cosh = rule(*log_cosh_row(), name="log_cosh")
check_close(log_cosh(0.0), 0, "log_cosh(0)")
check_close(log_cosh(1.0), math.log(math.cosh(1)), "log_cosh(1)")
check_close(log_cosh(-1000.0), 1000 - math.log(2), "log_cosh(-1000)")
check_close(mg.derivative(log_cosh, 1.0), math.tanh(1), "its derivative at 1")
### BEGIN HIDDEN TESTS
check_close(mg.derivative(log_cosh, -1000.0), -1, "its derivative at -1000")
check_close(mg.derivative(log_cosh, -0.3), math.tanh(-0.3), "its derivative at -0.3")
check_close(mg.derivative(log_cosh, 0.0), 0, "its derivative at 0")
check_close(mg.grad(mg.grad(log_cosh))(0.5), 1 - math.tanh(0.5) ** 2, "its second derivative at 0.5")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · The value (2 points, easy)
#
# An **echo**: each entry is heard again in those that follow, multiplied by a factor $r$ each time.
#
# $$v_0 = a_0 \qquad v_k = a_k + r\,v_{k-1}$$
#
# So $(1, 0, 0, 2)$ with $r = 0.5$ becomes what? Write it down, then `echo_value(a, r, out)`: it goes along the first
# axis of `a` (whose entries may be numbers or rows), writes into `out`, and returns `out`. `a` stays as it is.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "value"}
def echo_value(a, r, out):
    """Write v into out, v[k] = a[k] + r v[k-1] along the first axis, and return out."""
    ### BEGIN SOLUTION
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_value", "points": 2}
# Stuck? The echo comes from the entry before in out, not in a: an echo has an echo, too.
a = np.array([1.0, 0.0, 0.0, 2.0])
out = np.full(4, 7.0)
returned = echo_value(a, 0.5, out)
check_close(out, [1, 0.5, 0.25, 2.125], "the echo of (1, 0, 0, 2) with r = 0.5")
check_itself(returned is out, "out")
check_close(a, [1, 0, 0, 2], "a after the call (is it still the same?)")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(echo_value, (a, 0.5, np.zeros(4)), mg), "echo_value")
rows = np.array([[1.0, -1.0], [2.0, 0.0], [0.0, 4.0]])
check_close(
    echo_value(rows, -1.0, np.full((3, 2), 7.0)), [[1, -1], [1, 1], [-1, 3]], "the echo of three rows with r = -1"
)
check_close(echo_value(np.array([5.0]), 0.9, np.full(1, 7.0)), [5], "the echo of a single entry")


def sounds(draw):
    """An array, r, and where its echo is to be written."""
    shape = (draw.size(1, 5), 2) if draw.sometimes("the entries are rows") else (draw.size(1, 5),)
    sound = draw.array(*shape)
    r = draw.randint(2, 9) / 10
    if draw.sometimes("r is negative"):
        r = -r
    if draw.sometimes("r is 0"):
        r = 0.0
    return sound, r, np.full(shape, 7.0)


cases = fresh(sounds)
check_cases(answers(echo_value, cases), answers(solution.echo_value, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · The way back (3 points, medium)
#
# Here is the operation, made from your value and your vjp. It is linear in `a`, so forward mode needs nothing more: the
# echo of the tangent is the tangent of the echo.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "operation"}
class Echo(Operation):
    """v[k] = a[k] + r v[k-1] along the first axis."""

    name = "echo"

    def __init__(self, r):
        self.r = r

    def value(self, a, out=None):
        return echo_value(a, self.r, np.zeros_like(a) if out is None else out)

    def vjp(self, i, adjoint, v, a):
        return echo_vjp(adjoint, self.r)


def echo(a, r):
    """The echo of a along its first axis; a may be an array or a node."""
    return Echo(r)(a)


# %% [markdown]
# Which outputs does $a_k$ reach? $v_k$ with the factor 1, $v_{k+1}$ with $r$, $v_{k+2}$ with $r^2$, and so on. So
#
# $$\bar a_k = \bar v_k + r\,\bar v_{k+1} + r^2\,\bar v_{k+2} + \dots$$
#
# Write that as a recurrence first: $\bar a_k$ from $\bar v_k$ and one *other* $\bar a$. In which direction does it run?
#
# `echo_vjp(adjoint, r)` must be written with operations, so that it works on nodes too: `echo` itself, slices (also
# backwards, `[::-1]`), `+`, `*`. It is one line.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "vjp"}
def echo_vjp(adjoint, r):
    """The adjoint of a, from that of v."""
    ### BEGIN SOLUTION
    return echo(adjoint[::-1], r)[::-1]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_vjp", "points": 3}
# Stuck? The adjoint goes from the end to the beginning: it is an echo, too, of the adjoint read backwards. And the answer
# must be in the order of a again.
check_close(echo_vjp(np.array([1.0, 0.0, 0.0]), 0.5), [1, 0, 0], "the adjoint of a, if only the first v counts")
check_close(echo_vjp(np.array([0.0, 0.0, 1.0]), 0.5), [0.25, 0.5, 1], "the adjoint of a, if only the last v counts")
slope = mg.grad(lambda a: mg.sum(echo(a, 0.5) ** 2))
check_close(slope(np.array([1.0, 0.0, 2.0])), [3.625, 3.25, 4.5], "the gradient of the sum of v²")
### BEGIN HIDDEN TESTS
a = np.array([[0.3, -1.0], [2.0, 0.1], [-0.4, 1.5]])
jacobian = np.array([[1.0, 0, 0], [-0.8, 1, 0], [0.64, -0.8, 1]])
check_close(mg.jacobian(lambda c: echo(c, -0.8))(a[:, 0].copy()), jacobian, "the Jacobian for r = -0.8")
echoed = jacobian @ a
cubes = mg.grad(lambda a: mg.sum(echo(a, -0.8) ** 3))(a.copy())
check_close(cubes, jacobian.T @ (3 * echoed**2), "the gradient of v³ summed")
hessian = mg.hessian(lambda c: mg.sum(echo(c, -0.8) ** 2))(a[:, 0].copy())
check_close(hessian, 2 * jacobian.T @ jacobian, "the Hessian of the sum of v²")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · The kernel (2 points, easy)
#
# The compiler needs a function of the inputs and `out` that numba can compile: plain loops, no new array.
# `echo_kernel(r)` returns such a function `kernel(a, out)` for a matrix `a`, rows along the first axis. (A function
# inside a function may use the `r` around it: numba freezes it.)
#
# The test runs your kernel in Python. In the cell after it the compiler uses it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "kernel"}
def echo_kernel(r):
    """A function kernel(a, out) for matrices, which numba can compile and which fills out."""

    ### BEGIN SOLUTION
    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]

    return kernel
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_kernel", "points": 2}
# Stuck? Two loops, one inside the other, and out[k, j] = ... as in Task 2. Do not forget to return the function.
kernel = echo_kernel(-1.0)
check_function(callable(kernel), "echo_kernel(r)")
a, out = np.array([[1.0, -1.0], [2.0, 0.0], [0.0, 4.0]]), np.array([[7.0, 9.0], [12.0, 16.0], [21.0, 27.0]])
kernel(a, out)
check_close(out, [[1, -1], [1, 1], [-1, 3]], "out of the kernel")
check_close(a, [[1, -1], [2, 0], [0, 4]], "a after the kernel (is it still the same?)")
check_close(new_arrays(kernel, np.ones((60, 50)), np.ones((60, 50))), 0, "new arrays of the size of a in one call")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

a, out = np.array([[4.0], [0.0], [-1.0], [8.0]]), np.full((4, 1), 7.0)
echo_kernel(0.25)(a, out)
check_close(out, [[4], [1], [-0.75], [7.8125]], "out of the kernel for a single column with r = 0.25")


def matrices(draw):
    """A matrix, and r."""
    r = draw.randint(2, 9) / 10
    return draw.array(draw.size(1, 4), draw.size(1, 4)), -r if draw.sometimes("r is negative") else r


def by_kernel(sound, r, make=echo_kernel):
    """The numbers that a kernel writes."""
    heard = np.full(sound.shape, 7.0)
    make(r)(sound, heard)
    return heard


cases = fresh(matrices)
check_cases(
    answers(by_kernel, cases), answers(lambda sound, r: by_kernel(sound, r, solution.echo_kernel), cases), cases
)
### END HIDDEN TESTS

# %% [markdown]
# Now the three of them work together. Run the next cell when the tests above pass: your operation in a graph, and your
# kernel in the compiled program. (The first time, compiling takes some seconds.)

# %% tags=["raises-exception"]
Echo.kernel = property(lambda self: echo_kernel(self.r))
a = mg.Variable(np.array([[1.0, -1.0], [2.0, 0.0], [0.0, 4.0]]), name="a")
log_cosh = rule(*log_cosh_row(), name="log_cosh")
loss = mg.sum(log_cosh(echo(a, 0.5)))
program = mg.compile_graph([loss, *mg.adjoints(loss, [a])], [a], name="echo")
print(program.source[program.source.index("@program") :])
print("the same loss:", program(a.value)[0], loss.value)
mg.draw(loss)

# %% [markdown]
# ## Task 5 · The test (3 points, hard)
#
# Others will write faster versions of `echo`. `looks_right(candidate)` gets such a function, called as `candidate(a, r)`
# with an array or a node of any number of entries and any number `r`, and returns `True` if its **values and its derivatives** are right,
# else `False`.
#
# The test tries it on right ones, and on wrong ones, each with one mistake. You do not see all of those. Some of them are right for the
# numbers that everybody tries, such as $r = 0.5$. What helps: `mg.check_gradients(f, a)`, which raises an `AssertionError` if the ways to
# the derivative of `f` disagree, and a value that you work out yourself. Which $a$, and which $r$, hide mistakes? (Think
# of zeros, ones, and entries that read the same from both ends.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "looks"}
def looks_right(candidate):
    """Tell whether candidate(a, r) is the echo: its values, and its derivatives."""
    ### BEGIN SOLUTION
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), -1.3
    expected = [a[0]]
    for entry in a[1:]:
        expected.append(entry + r * expected[-1])
    if not np.allclose(candidate(a, r), expected):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
    return True
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "candidates"}
class Planted:
    """The matrix of an echo, and of its vjp, perhaps with a mistake in one of them."""

    crosses = ("matrix", "back")

    def __init__(self, value=None, vjp=None):
        self.wrong_value, self.wrong_vjp = value, vjp

    def matrix(self, n, r):
        M = echo_matrix(n, r)
        return M if self.wrong_value is None else self.wrong_value(M, r)

    def back(self, n, r):
        M = self.matrix(n, r).T
        return M if self.wrong_vjp is None else self.wrong_vjp(M, r)


class Candidate(Operation):
    """An echo with a matrix instead of a loop."""

    name = "candidate"

    def __init__(self, r, planted):
        self.r, self.planted = r, planted

    def value(self, a, out=None):
        v = self.planted.matrix(len(a), self.r) @ a
        return v if out is None else np.copyto(out, v) or out

    def jvp(self, i, tangent, v, a):
        return mg.matmul(self.planted.matrix(len(a.value if hasattr(a, "value") else a), self.r), tangent)

    def vjp(self, i, adjoint, v, a):
        return mg.matmul(self.planted.back(len(a.value if hasattr(a, "value") else a), self.r), adjoint)


def echo_matrix(n, r):
    steps = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where(steps >= 0, float(r) ** np.maximum(steps, 0), 0.0)


def too_weak(M, r):
    """Every echo weaker by another factor r."""
    return np.eye(len(M)) + (M - np.eye(len(M))) * r


def half_strength(M, r):
    """The echo for r = 0.5, whatever r is."""
    return echo_matrix(len(M), 0.5)


def verdict(planted):
    """Return what looks_right says of a candidate with this mistake, or of the right one."""
    answer = looks_right(lambda a, r: Candidate(r, planted)(a))
    return bool(answer) if isinstance(answer, np.bool_) else answer


def check_verdict(got, right, what):
    """looks_right says of this candidate what it should."""
    if not isinstance(got, bool):
        raise Mismatch(f"{what}: expected True or False, got {got!r}")
    if got != right:
        raise Mismatch(f"{what}: expected {right}, got {got}")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_looks", "points": 3}
# Stuck? First compare the values with a loop of your own, on entries that are all different. Then check_gradients, in
# try and except. And make the loss bend: the sum of sin(v), say, so that each adjoint is another number.
check_verdict(verdict(outside(Planted())), True, "a right echo")
check_verdict(verdict(outside(Planted(value=too_weak, vjp=lambda M, r: M.T))), False, "wrong values and a wrong vjp")
check_verdict(
    verdict(outside(Planted(value=lambda M, r: 0 * M))), False, "values that are all zero, with a vjp that agrees"
)
check_verdict(verdict(outside(Planted(value=too_weak))), False, "an echo that is too weak, with a vjp that agrees")
check_verdict(verdict(outside(Planted(vjp=lambda M, r: M.T))), False, "a vjp in the wrong direction")
check_verdict(
    verdict(outside(Planted(value=half_strength))), False, "an echo that always takes r = 0.5, with a vjp that agrees"
)
### BEGIN HIDDEN TESTS
check_verdict(verdict(outside(Planted(vjp=lambda M, r: (M != 0) * 1.0))), False, "a vjp without r")
check_verdict(verdict(outside(Planted(vjp=lambda M, r: 1.001 * M))), False, "a vjp that is wrong by a thousandth")
check_verdict(
    verdict(outside(Planted(vjp=lambda M, r: M - np.diag(np.eye(len(M))[-1])))),
    False,
    "a vjp that forgets the last entry",
)
check_verdict(
    verdict(outside(Planted(value=lambda M, r: M[::-1]))), False, "values in reverse order, with a vjp that agrees"
)
turned = verdict(outside(Planted(value=lambda M, r: M[:, ::-1])))
check_verdict(turned, False, "the echo of a read from its end, with a vjp that agrees")
deaf = verdict(outside(Planted(value=lambda M, r: M * np.sign(np.arange(len(M))))))
check_verdict(deaf, False, "an echo without the first entry, with a vjp that agrees")
neighbour = verdict(outside(Planted(value=lambda M, r: np.tril(np.triu(M, -1)))))
check_verdict(neighbour, False, "an echo of the neighbour only, with a vjp that agrees")
average = verdict(outside(Planted(vjp=lambda M, r: np.diag(M.sum(axis=1)))))
check_verdict(average, False, "a vjp that is right only where all adjoints are equal")
signless = verdict(outside(Planted(value=lambda M, r: echo_matrix(len(M), abs(r)))))
check_verdict(signless, False, "an echo that takes |r| in place of r, with a vjp that agrees")
capped = verdict(outside(Planted(value=lambda M, r: echo_matrix(len(M), max(-0.95, min(r, 0.95))))))
check_verdict(capped, False, "an echo that never takes |r| above 0.95, with a vjp that agrees")
late = verdict(
    outside(Planted(value=lambda M, r: np.where(np.arange(len(M))[:, None] == len(M) - 1, M, np.eye(len(M)))))
)
check_verdict(late, False, "an echo in the last entry alone, with a vjp that agrees")
brief = verdict(outside(Planted(value=lambda M, r: np.triu(M, -3))))
check_verdict(brief, False, "an echo that is over after three steps, with a vjp that agrees")
whole = verdict(outside(Planted(value=lambda M, r: echo_matrix(len(M), int(r)))))
check_verdict(whole, False, "an echo that takes r without its decimals, with a vjp that agrees")
check_verdict(
    verdict(outside(Planted(value=lambda M, r: 1.001 * M))),
    False,
    "values wrong by a thousandth, with a vjp that agrees",
)
check_verdict(
    verdict(outside(Planted(value=lambda M, r: -M))), False, "values of the opposite sign, with a vjp that agrees"
)


def shaped(planted):
    """Return what looks_right says of an echo with another number of entries; an error refuses it, too."""
    try:
        return verdict(planted)
    except (ValueError, IndexError):
        return False


shorter = shaped(outside(Planted(value=lambda M, r: M[:-1])))
check_verdict(shorter, False, "an echo without its last entry, with a vjp that agrees")
longer = shaped(outside(Planted(value=lambda M, r: np.vstack([M, M[-1:]]))))
check_verdict(longer, False, "an echo with one entry too many, with a vjp that agrees")
for entry in range(3):
    one = verdict(
        outside(Planted(value=lambda M, r, entry=entry: np.where(np.arange(len(M))[:, None] == entry, 2 * M, M)))
    )
    check_verdict(one, False, f"values of which entry {entry} alone is wrong, with a vjp that agrees")
scales = np.random.default_rng(31).choice([1.0, 1.001], 16)
for number in range(16):
    judged = verdict(outside(Planted(vjp=lambda M, r, scale=scales[number]: scale * M)))
    check_verdict(judged, scales[number] == 1.0, f"candidate {number} of 16, right or with a vjp wrong by a thousandth")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
#
# To keep an operation for good: [CONTRIBUTING.md](../../CONTRIBUTING.md) says in which five files.
