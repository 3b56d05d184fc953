# Exercise 02. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 2 · A number with a tangent
#
# In the lesson a tangent went with a number through `+` and `*`, and came out as the derivative. Here you write the
# rules for the rest of arithmetic, and then you meet the one place where two tangents can be mistaken for each other.
#
# You write rules of one or two lines. Twelve points.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `+` and `-` | 1 |
# | Task 2 | `*` | 2 |
# | Task 3 | `/` and powers | 3 |
# | Task 4 | `sin`, `cos`, `exp` | 2 |
# | Task 5 | `derivative(f, x)`, and all of it together | 2 |
# | Task 6 | two tangents, kept apart | 2 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import itertools
import math

from minigrad_course import grading
from minigrad_course.grading import Mismatch, check_close

grading.live()

# %% [markdown]
# ## What is given
#
# A `Dual` is $v + t\,\varepsilon$: a value and a tangent, with $\varepsilon^2 = 0$. Python calls `__mul__` when it
# meets a `*`; ours asks a *rule* what to do. A rule takes duals and returns two numbers: the
# value and the tangent of the result. The rules are yours.
#
# A plain number has no tangent, so `as_duals` gives it the tangent 0. (Each dual also has a `tag`. It is 1 until
# Task 6, where you will need it.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "dual"}
class Dual:
    def __init__(self, value, tangent=0.0, tag=1):
        self.value, self.tangent, self.tag = value, tangent, tag

    def __add__(self, other):
        return apply(add, self, other)

    def __radd__(self, other):
        return apply(add, other, self)

    def __sub__(self, other):
        return apply(subtract, self, other)

    def __rsub__(self, other):
        return apply(subtract, other, self)

    def __mul__(self, other):
        return apply(multiply, self, other)

    def __rmul__(self, other):
        return apply(multiply, other, self)

    def __truediv__(self, other):
        return apply(divide, self, other)

    def __rtruediv__(self, other):
        return apply(divide, other, self)

    def __neg__(self):
        return apply(subtract, 0, self)

    def __pow__(self, n):
        return apply(lambda a: power(a, n), self)

    def __repr__(self):
        return f"({self.value} + {self.tangent}ε)"


def as_duals(*numbers):
    """The numbers as duals; a plain one has the tangent 0."""
    return [n if isinstance(n, Dual) else Dual(n, 0.0) for n in numbers]


def apply(rule, *numbers):
    """Ask a rule for value and tangent, and make a dual of them."""
    duals = as_duals(*numbers)
    value, tangent = rule(*duals)
    return Dual(value, tangent, duals[0].tag)


def parts(z):
    """Both parts of a dual by name, for the checks to compare."""
    return {"value": z.value, "tangent": z.tangent}


def arguments_of(derivative, x):
    """Describe what `derivative` calls its function with, once for each call."""
    seen = []

    def f(z):
        seen.append("a Dual" if isinstance(z, Dual) else f"a {type(z).__name__}")
        return z * z

    derivative(f, x)
    return seen


def check_arguments(seen, where):
    """One call, on a dual number."""
    if len(seen) != 1:
        raise Mismatch(f"{where}: expected one call of f, got {len(seen)} calls")
    if seen != ["a Dual"]:
        raise Mismatch(f"{where}: expected f to be called on a Dual, got {seen[0]}")


# %% [markdown]
# ## Task 1 · Add and subtract (1 point, easy)
#
# $$(a + a'\varepsilon) + (b + b'\varepsilon) = \;?$$
#
# Collect what stands in front of $\varepsilon$. Then the same with a minus. `a.value` is $a$, `a.tangent` is $a'$.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "sums"}
def add(a, b):
    """a + b: its value, and its tangent."""
    ### BEGIN SOLUTION
    return a.value + b.value, a.tangent + b.tangent
    ### END SOLUTION


def subtract(a, b):
    """a - b: its value, and its tangent."""
    ### BEGIN SOLUTION
    return a.value - b.value, a.tangent - b.tangent
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_sums", "points": 1}
# Stuck? Write the two duals under each other and add column by column, as with x and y in a vector.
check_close(parts(Dual(3.0, 1.0) + Dual(4.0, 2.0)), {"value": 7, "tangent": 3}, "(3 + 1ε) + (4 + 2ε)")
check_close(parts(Dual(3.0, 1.0) - Dual(4.0, 2.0)), {"value": -1, "tangent": -1}, "(3 + 1ε) - (4 + 2ε)")
check_close(parts(10 - Dual(3.0, 1.0)), {"value": 7, "tangent": -1}, "10 - (3 + 1ε)")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh

check_close(parts(Dual(0.5, -2.0) + 1), {"value": 1.5, "tangent": -2}, "(0.5 - 2ε) + 1")
check_close(parts(Dual(0.5, -2.0) - Dual(0.25, 3.0)), {"value": 0.25, "tangent": -5}, "(0.5 - 2ε) - (0.25 + 3ε)")
check_close(parts(Dual(0.5, 4.0) - Dual(0.75, 1.5)), {"value": -0.25, "tangent": 2.5}, "(0.5 + 4ε) - (0.75 + 1.5ε)")


def sum_and_difference(a, a_tangent, b, b_tangent):
    a, b = Dual(a, a_tangent), Dual(b, b_tangent)
    return [parts(z) for z in (a + b, a - b, a + 2, 2 - b)]


def right_sums(a, a_tangent, b, b_tangent):
    values = (a + b, a_tangent + b_tangent), (a - b, a_tangent - b_tangent), (a + 2, a_tangent), (2 - b, -b_tangent)
    return [{"value": value, "tangent": tangent} for value, tangent in values]


cases = fresh(lambda draw: tuple(draw.numbers(4)))
check_cases(answers(sum_and_difference, cases), answers(right_sums, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Multiply (2 points, easy)
#
# $$(a + a'\varepsilon)(b + b'\varepsilon) = ab + (\,?\,)\,\varepsilon + a'b'\,\varepsilon^2$$
#
# The last term vanishes, because $\varepsilon^2 = 0$. Predict the tangent of $(3 + 5\varepsilon)(4 +
# 2\varepsilon)$ before you run the test.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "product"}
def multiply(a, b):
    """a * b: its value, and its tangent."""
    ### BEGIN SOLUTION
    return a.value * b.value, a.value * b.tangent + a.tangent * b.value
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_product", "points": 2}
# Stuck? Multiply the brackets out on paper: four products. Which of them have exactly one ε?
check_close(parts(Dual(3.0, 5.0) * Dual(4.0, 2.0)), {"value": 12, "tangent": 26}, "(3 + 5ε)(4 + 2ε)")
check_close(parts(5 * Dual(3.0, 1.0)), {"value": 15, "tangent": 5}, "5 (3 + 1ε)")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(multiply, (Dual(3.0, 5.0), Dual(4.0, 2.0)), mg), "multiply")
x = Dual(2.0, 1.0)
check_close(parts(x * x * x), {"value": 8, "tangent": 12}, "x x x at x = 2 + 1ε")
check_close(parts(Dual(-3.0, 0.5) * Dual(0.0, 2.0)), {"value": 0, "tangent": -6}, "(-3 + 0.5ε)(0 + 2ε)")


def product(a, a_tangent, b, b_tangent):
    a, b = Dual(a, a_tangent), Dual(b, b_tangent)
    return [parts(z) for z in (a * b, b * a, a * 3, a * a)]


def right_product(a, a_tangent, b, b_tangent):
    ab = {"value": a * b, "tangent": a * b_tangent + a_tangent * b}
    return [ab, ab, {"value": a * 3, "tangent": a_tangent * 3}, {"value": a * a, "tangent": 2 * a * a_tangent}]


cases = fresh(lambda draw: tuple(draw.numbers(4)))
check_cases(answers(product, cases), answers(right_product, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Divide, and raise to a power (3 points, medium)
#
# Division is multiplication in reverse: which $q + q'\varepsilon$ gives $a + a'\varepsilon$ when it is
# multiplied by $b + b'\varepsilon$? Compare what stands in front of $\varepsilon$ on both sides, and solve for
# $q'$. (What you find is the quotient rule; you need not remember it.)
#
# In `power(a, n)` the exponent is a plain number, and need not be whole: $x^{-1}$ and $x^{1/2}$ are powers too.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "quotient"}
def divide(a, b):
    """a / b: its value, and its tangent."""
    ### BEGIN SOLUTION
    quotient = a.value / b.value
    return quotient, (a.tangent - quotient * b.tangent) / b.value
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_quotient", "points": 2}
# Stuck? q b = a. In front of ε that reads q b' + q' b = a'. Solve for q'.
check_close(parts(Dual(9.0, 2.0) / Dual(4.0, 3.0)), {"value": 2.25, "tangent": -1.1875}, "(9 + 2ε) / (4 + 3ε)")
check_close(parts(Dual(6.0, 1.0) / 2), {"value": 3, "tangent": 0.5}, "(6 + 1ε) / 2")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(divide, (Dual(3.0, 5.0), Dual(4.0, 2.0)), mg), "divide")
check_close(parts(1 / Dual(4.0, 1.0)), {"value": 0.25, "tangent": -0.0625}, "1 / (4 + 1ε)")
x = Dual(3.0, 1.0)
check_close(parts(x / x), {"value": 1, "tangent": 0}, "x / x at x = 3 + 1ε")


def fractions(draw):
    """Value and tangent of a, and of a b that is seldom 0."""
    a, a_tangent, b_tangent = draw.numbers(3)
    b = 0.0 if draw.sometimes("the denominator is 0") else draw.randint(3, 40) / 10
    return a, a_tangent, -b if draw.sometimes("the denominator is negative") else b, b_tangent


def quotient(a, a_tangent, b, b_tangent):
    a, b = Dual(a, a_tangent), Dual(b, b_tangent)
    return [parts(z) for z in (a / b, a / 4, 4 / b, b / b)]


def right_quotient(a, a_tangent, b, b_tangent):
    values = a / b, a / 4, 4 / b, 1
    tangents = a_tangent / b - a * b_tangent / (b * b), a_tangent / 4, -4 * b_tangent / (b * b), 0
    return [{"value": value, "tangent": tangent} for value, tangent in zip(values, tangents)]


cases = fresh(fractions)
check_cases(answers(quotient, cases), answers(right_quotient, cases), cases)
### END HIDDEN TESTS


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "power"}
def power(a, n):
    """a ** n for a plain number n: its value, and its tangent."""
    ### BEGIN SOLUTION
    return a.value**n, n * a.value ** (n - 1) * a.tangent
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_power", "points": 1}
# Stuck? Write the cube as a product of three equal duals and collect what has one ε. Then put n for 3.
check_close(parts(Dual(2.0, 1.25) ** 3), {"value": 8, "tangent": 15}, "(2 + 1.25ε)³")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(power, (Dual(3.0, 5.0), 2), mg), "power")
check_close(parts(Dual(4.0, 1.0) ** -1), {"value": 0.25, "tangent": -0.0625}, "(4 + 1ε)⁻¹")
check_close(parts(Dual(9.0, 2.0) ** 0.5), {"value": 3, "tangent": 1 / 3}, "√(9 + 2ε)")
check_close(parts(Dual(0.0, 3.0) ** 2), {"value": 0, "tangent": 0}, "(0 + 3ε)²")


def powers(draw):
    """Value and tangent of a, and an exponent."""
    value, tangent, n = draw.randint(3, 40) / 10, draw.randint(3, 40) / 10, draw.randint(2, 5)
    if draw.sometimes("the exponent is negative"):
        n = -draw.randint(1, 3)
    if draw.sometimes("the exponent is no whole number"):
        n = draw.choice([0.5, 1.5])
    if draw.sometimes("the exponent is 0 or 1"):
        n = draw.randint(0, 1)
    if draw.sometimes("the value is 0, and the exponent 2 or more"):
        value, n = 0.0, draw.randint(2, 4)
    if draw.sometimes("the value is negative, and the exponent 2 or more"):
        value, n = -value, draw.randint(2, 4)
    return value, -tangent if draw.sometimes("the tangent is negative") else tangent, n


def nth_power(value, tangent, n):
    return parts(Dual(value, tangent) ** n)


def right_power(value, tangent, n):
    return {"value": value**n, "tangent": n * value ** (n - 1) * tangent}


cases = fresh(powers)
check_cases(answers(nth_power, cases), answers(right_power, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Functions (2 points, easy)
#
# Taylor's theorem says what a function does to a small step, and here the step is so small that everything after
# the second term is *exactly* gone:
#
# $$f(a + a'\varepsilon) = f(a) + f'(a)\,a'\,\varepsilon$$
#
# Write the rules for `sin`, `cos` and `exp`. Apply the functions `sin`, `cos` and `exp` of the next cell to `a.value`:
# they take plain numbers and duals. (Why duals, when `a.value` is a number? You will see after Task 5.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "functions"}
def sin(x):
    return apply(sin_rule, x) if isinstance(x, Dual) else math.sin(x)


def cos(x):
    return apply(cos_rule, x) if isinstance(x, Dual) else math.cos(x)


def exp(x):
    return apply(exp_rule, x) if isinstance(x, Dual) else math.exp(x)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "rules"}
def sin_rule(a):
    """sin(a): its value, and its tangent."""
    ### BEGIN SOLUTION
    return sin(a.value), cos(a.value) * a.tangent
    ### END SOLUTION


def cos_rule(a):
    """cos(a): its value, and its tangent."""
    ### BEGIN SOLUTION
    return cos(a.value), -sin(a.value) * a.tangent
    ### END SOLUTION


def exp_rule(a):
    """exp(a): its value, and its tangent."""
    ### BEGIN SOLUTION
    return exp(a.value), exp(a.value) * a.tangent
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_functions", "points": 2}
# Stuck? The tangent of f(a) is f'(a) times the tangent of a. Which of the two factors
# is missing, or has the wrong sign?
check_close(parts(sin(Dual(0.5, 2.0))), {"value": math.sin(0.5), "tangent": 2 * math.cos(0.5)}, "sin(0.5 + 2ε)")
check_close(parts(cos(Dual(0.5, 2.0))), {"value": math.cos(0.5), "tangent": -2 * math.sin(0.5)}, "cos(0.5 + 2ε)")
check_close(parts(exp(Dual(0.5, 2.0))), {"value": math.exp(0.5), "tangent": 2 * math.exp(0.5)}, "exp(0.5 + 2ε)")
### BEGIN HIDDEN TESTS
import minigrad as mg
from minigrad_course.grading.cases import answers, called, check_cases, check_own, fresh

check_own(called(sin_rule, (Dual(0.5, 2.0),), mg), "sin_rule")
check_own(called(cos_rule, (Dual(0.5, 2.0),), mg), "cos_rule")
check_own(called(exp_rule, (Dual(0.5, 2.0),), mg), "exp_rule")
check_close(parts(sin(Dual(2.0, -3.0))), {"value": math.sin(2), "tangent": -3 * math.cos(2)}, "sin(2 - 3ε)")
inside = exp(cos(Dual(1.5, 1.0)))
check_close(inside.tangent, -math.sin(1.5) * math.exp(math.cos(1.5)), "exp(cos(1.5 + 1ε)), tangent")


def three_functions(value, tangent):
    a = Dual(value, tangent)
    return {"sin": parts(sin(a)), "cos": parts(cos(a)), "exp": parts(exp(a))}


def right_functions(a, tangent):
    rules = {"sin": (math.sin(a), math.cos(a)), "cos": (math.cos(a), -math.sin(a)), "exp": (math.exp(a), math.exp(a))}
    return {name: {"value": value, "tangent": slope * tangent} for name, (value, slope) in rules.items()}


cases = fresh(lambda draw: tuple(draw.numbers(2)))
check_cases(answers(three_functions, cases), answers(right_functions, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · The derivative, from one call (2 points, easy)
#
# `derivative(f, x)`: call `f` **once**, on one special number, and read the derivative off the result. Which
# tangent must that number have? And what if `f` ignores its argument and returns a plain 4?
#
# (The test looks at what `f` was called with.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "derivative"}
def derivative(f, x):
    """The derivative of f at x."""
    ### BEGIN SOLUTION
    result = f(Dual(x, 1.0))
    return result.tangent if isinstance(result, Dual) else 0.0
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_derivative", "points": 1}
# Stuck? What is the derivative of x with respect to x? That is its tangent. And which part
# of the result is the answer?
check_close(derivative(lambda x: x * x + 3 * x, 2.0), 7, "d/dx (x² + 3x) at 2", tolerance=1e-15)
check_arguments(arguments_of(derivative, 2.0), "derivative(f, 2.0)")
check_close(derivative(lambda x: 4.0, 2.0), 0, "d/dx 4")
### BEGIN HIDDEN TESTS
check_close(derivative(lambda x: x, -5.0), 1, "d/dx x")
check_close(derivative(lambda x: 4, 2.0), 0, "d/dx 4, which comes as a whole number")
check_close(derivative(lambda x: x * x + 3 * x, 0.0), 3, "d/dx (x² + 3x) at 0")
check_close(derivative(lambda x: x + x + 1, 2.0), 2, "d/dx (x + x + 1)")
from minigrad_course.grading.cases import fails, passes_on

check_close(passes_on(derivative, fails, 2.0), True, "an error in f: does it come out of derivative?")
### END HIDDEN TESTS

# %% [markdown]
# And all of it at once, on a function that you can check with a pencil:
#
# $$f(x, y) = 2x + x\,y^3 + \sin x \qquad\text{at } x = 3,\; y = 5$$
#
# By hand: $\partial f/\partial x = 2 + y^3 + \cos x$ and $\partial f/\partial y = 3\,x\,y^2$. Two questions, so
# two calls: in each of them one of the two has the tangent 1.

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_together", "points": 1}
# Stuck? If a test above fails, fix it first. If all of them pass: which rule is used here with something that they do not try?
check_close(derivative(lambda x: 2 * x + x * 5.0**3 + sin(x), 3.0), 2 + 125 + math.cos(3), "∂f/∂x at (3, 5)")
check_close(derivative(lambda y: 2 * 3.0 + 3.0 * y**3 + sin(3.0), 5.0), 225, "∂f/∂y at (3, 5)")
check_close(derivative(lambda x: exp(0 - x * x) / x, 1.0), -3 * math.exp(-1), "d/dx exp(-x²)/x at 1")
check_close(derivative(lambda x: derivative(sin, x), 0.5), -math.sin(0.5), "the second derivative of sin at 0.5")
check_close(derivative(lambda x: derivative(exp, x), 0.5), math.exp(0.5), "the second derivative of exp at 0.5")
### BEGIN HIDDEN TESTS
check_close(derivative(lambda x: derivative(cos, x), 0.5), -math.cos(0.5), "the second derivative of cos at 0.5")
check_close(derivative(lambda x: derivative(lambda y: 1 / y, x), 2.0), 0.25, "the second derivative of 1/x at 2")
check_close(derivative(lambda x: derivative(lambda y: y**3, x), 2.0), 12, "the second derivative of x³ at 2")
### END HIDDEN TESTS

# %% [markdown]
# ## A bonus
#
# What is this? Predict the number, then run the cell.

# %% tags=["raises-exception"]
derivative(lambda x: derivative(lambda y: y**3, x), 2.0)

# %% [markdown]
# The second derivative of $x^3$ at 2, and you wrote nothing for it. The value of a dual was itself a dual, and your
# rules did not have to know.
#
# ## Task 6 · Which tangent belongs to whom? (2 points, hard)
#
# One more, by hand first:
#
# $$\frac{d}{dx}\left[\,x \cdot \frac{d}{dy}(x + y)\,\right] \quad\text{at } x = 1,\; y = 1$$
#
# The inner derivative is 1, whatever $x$ is. So the bracket is $x \cdot 1$, and its derivative is **1**. And what do
# your functions say?

# %% tags=["raises-exception"]
derivative(lambda x: x * derivative(lambda y: x + y, 1.0), 1.0)

# %% [markdown]
# **2.** No error, no warning: a wrong number, and every rule above is right.
#
# What happened? In the inner `x + y` both have a tangent. That of `y` is a derivative with respect to $y$, and that of
# `x` is one with respect to $x$; but both stand in front of the same $\varepsilon$, and `add` adds them up. We need
# $\varepsilon_1$ and $\varepsilon_2$, and in the inner derivative $x$ is a constant.
#
# That is what the `tag` is for, as in the lesson. `new_tag()` gives a new number each time, larger than all before. Write
# `as_duals` and `derivative` once more (copy them down, and extend them):
#
# - `derivative` gives a new tag to its special number. The inner derivative is called later, so its tag is larger.
# - `as_duals` finds the largest tag among the numbers. What is not a dual *with that tag*, whether plain number or
#   dual, is a constant there: wrap it into a dual with that tag and the tangent 0.
# - And if what `f` returns is a dual with another tag? Then it does not depend on *our* number at all.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "tags"}
new_tag = itertools.count(1).__next__


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "apart"}
# as_duals and derivative once more: each derivative with a tag of its own.
### BEGIN SOLUTION
def as_duals(*numbers):
    tag = max(n.tag for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.tag == tag else Dual(n, 0.0, tag) for n in numbers]


def derivative(f, x):
    tag = new_tag()
    result = f(Dual(x, 1.0, tag))
    return result.tangent if isinstance(result, Dual) and result.tag == tag else 0.0


### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_nested", "points": 2}
# Stuck? Write x + y in the inner function with ε₁ and ε₂. Which of the two may the
# inner derivative read?
check_close(derivative(lambda x: x * derivative(lambda y: x + y, 1.0), 1.0), 1, "d/dx [x d/dy (x + y)] at 1, 1")
check_close(derivative(lambda x: derivative(lambda y: y * y * y, x), 2.0), 12, "the second derivative of x³ at 2")
### BEGIN HIDDEN TESTS
check_close(derivative(lambda x: x * derivative(lambda y: x * y, 2.0), 3.0), 6, "d/dx [x d/dy (x y)] at 3, 2")
check_close(derivative(lambda x: x * derivative(lambda y: x, 2.0), 3.0), 0, "d/dx [x d/dy x] at 3, 2")
check_close(derivative(lambda x: 2 * x + derivative(lambda y: 7, 2.0), 3.0), 2, "d/dx [2 x + d/dy 7] at 3, 2")
third = derivative(lambda x: derivative(lambda y: derivative(lambda z: z * z * z, y), x), 0.5)
check_close(third, 6, "the third derivative of x³")
from minigrad_course.grading.cases import fails, passes_on

check_close(passes_on(derivative, fails, 2.0), True, "an error in f: does it come out of derivative?")
### END HIDDEN TESTS

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
