# Exercise 01. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 1 · Witnesses
#
# How can you tell whether a derivative is right, when you do not trust whoever computed it? In the lesson, four ways
# confirmed each other. Here you write them yourself, find out how far each can be trusted, and use them to expose a
# wrong derivative.
#
# Each answer is one to five lines. Thirteen points.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | the central difference | 2 |
# | Task 2 | the complex step | 2 |
# | Task 3 | the best $h$, and why the V has its bottom there | 3 |
# | Task 4 | all partial derivatives of a function of many numbers | 2 |
# | Task 5 | is this derivative right? | 2 |
# | Task 6 | each value, and its derivative beside it | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math

import numpy as np

from minigrad_course import grading
from minigrad_course.grading import check_close

grading.live()

# %% [markdown]
# ## Task 1 · The central difference (2 points, easy)
#
# $$f'(x) \approx \frac{f(x+h) - f(x-h)}{2h}$$
#
# For $f(x) = x^3$ at $x = 2$ the slope is 12. With the huge step $h = \frac12$, what will `central` give? Work it out
# before you run the test.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "central"}
def central(f, x, h):
    """The slope of f between x - h and x + h."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x - h)) / (2 * h)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_central", "points": 2}
# Stuck? Mark both points on paper. How far does f rise from the left one to the right one, and how far apart are they?
check_close(central(lambda x: x**3, 2.0, 0.5), 12.25, "x³ around 2, h = 0.5")
check_close(central(lambda x: x * x, 3.0, 2.0), 6, "x² around 3, h = 2")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import Formula, answers, check_cases, fails, fresh, passes_on

check_close(central(math.exp, 0.0, 0.1), math.sinh(0.1) / 0.1, "exp around 0, h = 0.1")
check_close(passes_on(central, fails, 1.0, 0.5), True, "an error in f: does it come out of central?")
check_close(central(lambda x: 1 / x, -2.0, 0.25), -1 / (4 - 0.0625), "1/x around -2, h = 0.25")


def steps(draw):
    """A function of one number, a place, and a step."""
    text = " + ".join(draw.sample(["x * x", "x**3", "3 * x", "np.sin(x)", "np.exp(x / 4)"], draw.size(1, 3)))
    if draw.sometimes("the function falls"):
        text = f"-({text})"
    place = draw.randint(3, 30) / 10
    if draw.sometimes("x is negative"):
        place = -place
    return Formula(text, np=np), place, draw.choice([0.5, 0.25, 0.1])


cases = fresh(steps)
check_cases(answers(central, cases), answers(solution.central, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# (The second test is exact, although the step is huge. For which functions is that so? What does the Taylor series say?)
#
# ## Task 2 · The complex step (2 points, easy)
#
# $$f(x + ih) = f(x) + i\,h\,f'(x) - \dots$$
#
# In Python, `1j` is $i$, and `z.imag` is the imaginary part of `z`. Nothing is subtracted, so $h$ can be tiny, and the
# same for every function.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "sideways"}
def complex_step(f, x, h=1e-30):
    """The derivative of f at x, without a subtraction."""
    ### BEGIN SOLUTION
    return f(x + 1j * h).imag / h
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_sideways", "points": 2}
# Stuck? Which part of f(x + ih) holds f'(x), and what is it multiplied by there?
check_close(complex_step(lambda x: x * x, 3.0), 6, "x² at 3", tolerance=1e-14)
check_close(complex_step(np.sin, 1.0), math.cos(1), "sin at 1", tolerance=1e-14)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import Formula, answers, check_cases, fails, fresh, passes_on

check_close(complex_step(lambda x: np.exp(x) / x, 2.0), math.exp(2) / 4, "exp(x)/x at 2", tolerance=1e-14)
check_close(passes_on(complex_step, fails, 1.0), True, "an error in f: does it come out of complex_step?")
check_close(complex_step(lambda x: x**3, -1.0, 0.5), 2.75, "x³ at -1, h = 0.5")
check_close(complex_step(lambda x: np.exp(-x), 1.0), -math.exp(-1), "exp(-x) at 1, which falls", tolerance=1e-14)


def sideways(draw):
    """A function of one number, a place, and a step."""
    text = " + ".join(draw.sample(["x * x", "x**3", "3 * x", "np.sin(x)", "np.exp(x / 4)"], draw.size(1, 3)))
    if draw.sometimes("the function falls"):
        text = f"-({text})"
    place = draw.randint(3, 30) / 10
    if draw.sometimes("x is negative"):
        place = -place
    return Formula(text, np=np), place, 0.5 if draw.sometimes("h is large") else 1e-30


cases = fresh(sideways)
check_cases(answers(complex_step, cases), answers(solution.complex_step, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Where the V has its lowest point (3 points, medium)
#
# The lesson did it for the forward difference. Now do the same for the central one. Its error has two parts:
#
# $$\text{truncation:}\;\; \frac{h^2}{6}\,|f'''| \qquad\qquad \text{rounding:}\;\; \frac{\epsilon\,|f|}{2h}$$
#
# (Two values, each off by at most $\epsilon |f| / 2$, and their difference is divided by $2h$. That $x + h$ is rounded, too, is left
# out here: near $x = 1$ it hardly matters.) Write their sum:


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "bound"}
def bound(h, f, f3, eps):
    """Return how large the error of a central difference can get; f and f3 are the values of f and f''' there."""
    ### BEGIN SOLUTION
    return h**2 / 6 * abs(f3) + eps * abs(f) / (2 * h)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_bound", "points": 1}
# Stuck? Write each part on its own line and add them. Where are the bars of the absolute values?
check_close(bound(0.5, 4.0, 12.0, 0.25), 1.5, "the bound at h = 0.5, f = 4, f''' = 12, epsilon = 0.25")
check_close(bound(0.25, -4.0, -12.0, 0.25), 2.125, "the bound at h = 0.25, f = -4, f''' = -12, epsilon = 0.25")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(bound(0.1, -1.0, 3.0, 0.02), 0.105, "the bound at h = 0.1, f = -1, f''' = 3, epsilon = 0.02")


def sizes(draw):
    """h, f, f''' and epsilon."""
    one, three, eps = (draw.randint(2, 40) / 10 for _ in range(3))
    if draw.sometimes("f is negative"):
        one = -one
    if draw.sometimes("f''' is negative"):
        three = -three
    return draw.randint(1, 9) / 10, one, three, eps


cases = fresh(sizes)
check_cases(answers(bound, cases), answers(solution.bound, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# Where is it smallest? Take its derivative with respect to $h$ (by hand), set it to zero, and solve for $h$. Careful: the
# smallest sum is *not* where the two parts are equal. It was for the forward difference, whose parts are multiples of $h$ and $1/h$.
# Here they are multiples of $h^2$ and $1/h$, and what has to cancel is their *slopes*: one part falls as fast as the other one rises.
#
# How does the answer depend on $\epsilon$? Is it the square root again?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "best"}
def best_h(f, f3, eps):
    """The h for which the bound is smallest."""
    ### BEGIN SOLUTION
    return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_best", "points": 2}
# Stuck? The derivative of the bound is  h |f'''| / 3  minus  ε |f| / (2 h²).
check_close(best_h(16.0, 3.0, 1.0), 2, "the best h for f = 16, f''' = 3, epsilon = 1")
check_close(best_h(16.0, -3.0, 0.001), 0.2, "the best h for f = 16, f''' = -3, epsilon = 0.001")
### BEGIN HIDDEN TESTS
for f0, f3, eps in [(1.0, 1.0, 2.0**-52), (-5.0, 0.3, 2.0**-23)]:
    check_close(best_h(f0, f3, eps), np.cbrt(1.5 * eps * abs(f0 / f3)), f"the best h for f = {f0}, f''' = {f3}")
### END HIDDEN TESTS

# %% [markdown]
# Does the bound hold? Here are the measured errors of *your* `central` for $\sin$ at 1 beside *your* bound, in `float64`
# and in `float32`. The row nearest to your `best_h` has an arrow.

# %% tags=["raises-exception"]
for number in (np.float64, np.float32):
    eps = float(np.finfo(number).eps)
    best = best_h(math.sin(1), math.cos(1), eps)
    print(f"\n{number.__name__}: best h = {best:.1e}\n      h    error    bound")
    for power in range(-11, 0, 2) if number is np.float64 else range(-6, 0):
        h = 10.0**power
        error = abs(float(central(np.sin, number(1), number(h))) - math.cos(1))
        arrow = "  <--" if abs(math.log10(h / best)) < (1 if number is np.float64 else 0.5) else ""
        print(f"{h:7.0e}  {error:7.0e}  {bound(h, math.sin(1), math.cos(1), eps):7.0e}{arrow}")

# %% [markdown]
# ## Task 4 · A function of many numbers (2 points, medium)
#
# Now $f$ takes an array. Each entry asks its own question: *what if only I move?* Return an array with the partial
# derivatives, each by a central difference. Your caller still needs `x` afterwards, and may pass an array of integers.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "slopes"}
def slopes(f, x, h=1e-5):
    """The partial derivatives of f at the array x, one for each entry."""
    ### BEGIN SOLUTION
    x = np.array(x, dtype=float)
    result = np.zeros_like(x)
    for k in range(x.size):
        step = np.zeros_like(x)
        step[k] = h
        result[k] = (f(x + step) - f(x - step)) / (2 * h)
    return result
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_slopes", "points": 2}
# Stuck? For entry k: an array of zeros with h in place k. Add it, subtract it, and leave x itself alone.
point = np.array([3.0, 5.0])
essay = slopes(lambda x: 2 * x[0] + x[0] * x[1] ** 3 + np.sin(x[0]), point)
check_close(essay, [127 + math.cos(3), 225], "the slopes of 2x + x y³ + sin x at (3, 5)", tolerance=1e-6)
check_close(point, [3, 5], "x after the call")
check_close(
    slopes(lambda x: x[0] * x[1], np.array([2, 7])), [7, 2], "the slopes of x y at (2, 7), integers", tolerance=1e-6
)
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import (
    Formula,
    answers,
    called,
    check_cases,
    check_own,
    fails,
    fresh,
    passes_on,
)

check_own(called(slopes, (lambda x: x[0] * x[1], np.ones(2)), mg), "slopes")
check_close(passes_on(slopes, fails, np.ones(2)), True, "an error in f: does it come out of slopes?")
many = np.linspace(-1, 1, 9)
check_close(slopes(lambda x: np.sum(x**2), many), 2 * many, "the slopes of a sum of squares", tolerance=1e-6)
check_close(
    slopes(lambda x: x[2] - x[0], np.ones(3), 0.25), [-1, 0, 1], "the slopes of x₂ - x₀, h = 0.25", tolerance=1e-6
)


def surfaces(draw):
    """A function of an array, the array, and a step."""
    n = draw.size(1, 5)
    terms = [f"x[{draw.randrange(n)}] * x[{draw.randrange(n)}]" for _ in range(n)]
    place = draw.array(n)
    if draw.sometimes("the array holds integers"):
        place = np.array([draw.randint(1, 9) for _ in range(n)])
    return Formula(" + ".join(terms)), place, 0.25 if draw.sometimes("h is 0.25") else 1e-5


cases = fresh(surfaces)
check_cases(answers(slopes, cases), answers(solution.slopes, cases), cases, tolerance=1e-6)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Is it right? (2 points, easy)
#
# `is_right(f, df, x)`: does the function `df` give the derivative of `f` at `x`? Compute the derivative in another way, and
# decide: `True` or `False`. Both numbers have errors, so `==` will not do. But how much may they differ? Derivatives can be
# tiny or huge, or 0. Allow $10^{-6}$ times $1 + |\text{derivative}|$.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "judge"}
def is_right(f, df, x):
    """Tell whether df(x) is the derivative of f at x, as far as a difference quotient can tell."""
    ### BEGIN SOLUTION
    slope = central(f, x, 1e-5)
    return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_judge", "points": 2}
# Stuck? Compute the derivative with one of your functions from above. How far is df(x) from it, and how far may it be?
check_close(is_right(np.sin, np.cos, 1.0), True, "cos for sin, at 1")
check_close(is_right(np.cos, np.sin, 1.0), False, "sin for cos, at 1")
check_close(is_right(np.sin, lambda x: 1.001 * np.cos(x), 1.0), False, "1.001 cos for sin, at 1")
check_close(is_right(lambda x: 1000 * x**4, lambda x: 4000 * x**3, 9.0), True, "4000 x³ for 1000 x⁴, at 9")
check_close(is_right(lambda x: x * x, lambda x: x, 3.0), False, "x for x², at 3: the claim is too small")
check_close(is_right(lambda x: x * x * x, lambda x: 3 * x * x, 0.0), True, "3x² for x³, at 0: the derivative is 0")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import called, check_own

check_own(called(is_right, (lambda x: x * x, lambda x: 2 * x, 3.0), mg), "is_right")
check_close(is_right(abs, lambda x: -1.0, -2.0), True, "-1 for |x|, at -2")
check_close(is_right(lambda x: x * x, lambda x: 2 * x, -3.0), True, "2x for x², at -3")
check_close(is_right(lambda x: x * x, lambda x: x, -3.0), False, "x for x², at -3")
check_close(is_right(lambda x: 5.0, lambda x: 1e-3, 0.0), False, "0.001 for a constant")
check_close(is_right(lambda x: x + 1e4, lambda x: 1.001, 0.0), False, "1.001 for x + 10000: the function is large")
check_close(is_right(lambda x: x + 1e4, lambda x: 1.0, 0.0), True, "1 for x + 10000: the function is large")
for slope in (0.0, 1e-3, -0.5, 40.0, -3e6):
    for share in (-2.5, -0.4, 0.4, 2.5):
        claim = slope + share * 1e-6 * (1 + abs(slope))
        verdict = is_right(lambda x, slope=slope: slope * x, lambda x, claim=claim: claim, 1.0)
        check_close(verdict, abs(share) < 1, f"a claim that is off by {share} of what is allowed, for {slope:g} x")
scales = np.random.default_rng(29).choice([1.0, 1.001], 32)
judged = [is_right(np.sin, lambda x, scale=scale: scale * np.cos(x), 1.0) for scale in scales]
check_close(judged, [scale == 1.0 for scale in scales], "32 slopes of sin")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6 · Each value, and its derivative beside it (2 points, medium)
#
# The fourth way: automatic differentiation, by hand. Here is a program:
#
#     y = 1.0
#     for _ in range(rounds):
#         y = x * sin(y) + y
#
# Write it with a derivative beside each value: `dy` is the derivative of `y` with respect to `x`. What is `dy` before the
# first round? And keep in mind that both $x$ and $y$ depend on $x$. No difference quotients here, and no complex step: the tests
# ask for all digits, and with a real number.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "beside"}
def value_and_slope(x, rounds):
    """y after so many rounds, and its derivative with respect to x."""
    ### BEGIN SOLUTION
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy + dy
    return y, dy
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_beside", "points": 2}
# Stuck? Take one round on paper: differentiate x sin(y) by the product rule, with dy for y', and add dy.
check_close(value_and_slope(0.5, 0), [1, 0], "no rounds: y and dy")
check_close(value_and_slope(0.5, 1), [1 + 0.5 * math.sin(1), math.sin(1)], "1 round at 0.5: y and dy", tolerance=1e-13)
wanted = [1.915116484968269, 1.8931322038514513]
check_close(value_and_slope(0.5, 2), wanted, "2 rounds at 0.5: y and dy", tolerance=1e-13)
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh, within


def program(x, rounds):
    y = 1.0
    for _ in range(rounds):
        y = x * np.sin(y) + y
    return y


for rounds in (3, 5):
    check_close(
        value_and_slope(0.3, rounds),
        [program(0.3, rounds), program(0.3 + 1e-30j, rounds).imag / 1e-30],
        f"{rounds} rounds at 0.3: y and dy",
        tolerance=1e-13,
    )
check_own(called(value_and_slope, (0.5, 2), central, complex_step, mg), "value_and_slope")
far = [program(0.01, 40), program(0.01 + 1e-30j, 40).imag / 1e-30]
check_close(within(2000, value_and_slope, 0.01, 40), far, "40 rounds at 0.01: y and dy", tolerance=1e-11)


class Real(float):
    """A number that meets no imaginary one."""

    def __add__(self, other):
        return float.__add__(self, other) if isinstance(other, float | int) else float("nan")

    __radd__ = __add__


check_close(value_and_slope(Real(0.5), 1), [1 + 0.5 * math.sin(1), math.sin(1)], "1 round at a real 0.5: y and dy")
cases = fresh(lambda draw: (draw.numbers(1)[0] / 4, draw.size(0, 6)))
check_cases(answers(value_and_slope, cases), answers(solution.value_and_slope, cases), cases, tolerance=1e-11)
### END HIDDEN TESTS

# %% [markdown]
# Try it: `is_right(lambda x: value_and_slope(x, 9)[0], lambda x: value_and_slope(x, 9)[1], 0.3)`. A method that
# knows no rules agrees with rules that need no $h$.
#
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
