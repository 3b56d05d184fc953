# Exercise 08. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks

# %% [markdown]
# # Exercise 8 · From a tape to a program
#
# A tape says what was computed. You turn it into a program: forward lines, reverse lines. Then you cross out the lines that
# nobody needs, find out how long each number is needed, and write a program that allocates its memory once.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `forward_lines(tape)` | 2 |
# | Task 2 | `reverse_lines(tape)` | 4 |
# | Task 3 | `without_dead(lines, wanted)` | 3 |
# | Task 4 | `lives(lines)` | 2 |
# | Task 5 | `make_program(n)`, whose second call allocates nothing | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math
import re
import tracemalloc

import numpy as np

from minigrad_course import grading
from minigrad_course.grading import check_close
from minigrad_course.grading.checks import Mismatch

grading.live()

# %% [markdown]
# ## The tape, and the table
#
# A tape is a list of steps, in the order in which they ran. A step has the name that it makes, its operation, and its
# inputs: names, or numbers as text. The last step is the output.
#
# The table has for each operation its value and its partial derivatives, as text with places: `{a}` and `{b}` for the inputs, `{v}` for
# the value. Python's `format` fills them: `"{a} + {b}".format(a="x", b="y", v="v1")` gives `"x + y"`. A place that does not occur does no harm.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "table"}
TABLE = {
    "add": ("{a} + {b}", ["1", "1"]),
    "sub": ("{a} - {b}", ["1", "-1"]),
    "mul": ("{a} * {b}", ["{b}", "{a}"]),
    "div": ("{a} / {b}", ["1 / {b}", "-{v} / {b}"]),
    "sin": ("sin({a})", ["cos({a})"]),
    "exp": ("exp({a})", ["{v}"]),
    "tanh": ("tanh({a})", ["1 - {v} * {v}"]),
}

small = [("v1", "mul", ["x", "y"]), ("v2", "sin", ["v1"]), ("v3", "sub", ["v2", "y"])]  # sin(x y) - y


def run(lines, **numbers):
    """Run the lines with these numbers for the inputs: the value of each name that they wrote."""
    names = dict(numbers)
    exec("\n".join(lines), {"sin": math.sin, "cos": math.cos, "exp": math.exp, "tanh": math.tanh}, names)
    return {name: value for name, value in names.items() if name not in numbers}


def check_lines(got, expected, where):
    """The first line that is not as it should be."""
    if not isinstance(got, (list, tuple)) or not all(isinstance(line, str) for line in got):
        forgotten = " (is a `return` missing?)" if got is None else ""
        raise Mismatch(f"{where}: expected a list of lines, got {got!r:.60}{forgotten}")
    for number, (have, want) in enumerate(zip(got, expected), 1):
        if have != want:
            raise Mismatch(f"{where}, line {number}: expected {want!r}, got {have!r}")
    if len(got) != len(expected):
        raise Mismatch(f"{where}: expected {len(expected)} lines, got {len(got)}")


# %% [markdown]
# ## Task 1 · Down the tape (2 points, easy)
#
# One line for each step: `"v1 = x * y"`, then `"v2 = sin(v1)"`, and so on. Return them as a list.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "forward"}
def forward_lines(tape):
    """The steps as lines of Python."""
    ### BEGIN SOLUTION
    lines = []
    for name, operation, inputs in tape:
        expression, _ = TABLE[operation]
        lines.append(f"{name} = " + expression.format(**dict(zip("ab", inputs)), v=name))
    return lines
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_forward", "points": 2}
# Stuck? For one step: take the expression of its operation out of TABLE, put the first input
# for {a} and, if there is one, the second for {b}. In front of it the name and an equals sign.
check_lines(forward_lines(small), ["v1 = x * y", "v2 = sin(v1)", "v3 = v2 - y"], "sin(x y) - y")
other = [("p", "exp", ["t"]), ("q", "div", ["t", "p"]), ("r", "mul", ["2.0", "q"])]
check_lines(forward_lines(other), ["p = exp(t)", "q = t / p", "r = 2.0 * q"], "2 t / exp(t)")
### BEGIN HIDDEN TESTS
check_lines(forward_lines([("w", "tanh", ["x"])]), ["w = tanh(x)"], "tanh(x)")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · And up again (4 points, hard)
#
# The reverse lines, in the order in which they run. The first one is the seed: `"v3_bar = 1.0"`. Then the steps from the last to the
# first, and for each step one line for each input:
#
#     input_bar  +=  step_bar * (partial derivative)
#
# - Write `=` the first time that an adjoint is written, and `+=` after that.
# - Numbers have no adjoint: no line for an input such as `"2.0"`. (`"x".isidentifier()` is true, `"2.0".isidentifier()` is not.)
# - Put the partial derivative in brackets. Why is `v2_bar * 1 - v2 * v2` not what you want?
#
# The lines are run, not read: it does not matter how you write them, as long as the numbers come out.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "reverse"}
def reverse_lines(tape):
    """The lines that compute the adjoint of every name, after the forward lines have run."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    output = tape[-1][0]
    lines, written = [f"{output}_bar = 1.0"], set()  # seed
    for name, operation, inputs in reversed(tape):  # order
        for x, partial in zip(inputs, TABLE[operation][1]):  # go back
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")  # add up
                written.add(x)
    return lines
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_reverse", "points": 2}
# Stuck? Do the tape `small` by hand: the seed, then v3 = v2 - y, which passes 1 to v2 and -1 to
# y. Which step comes next, and what does its row of the table say?
chain = [("v1", "mul", ["x", "y"]), ("v2", "sin", ["v1"]), ("v3", "exp", ["v2"])]
values = run(forward_lines(chain) + reverse_lines(chain), x=0.5, y=3.0)
slope = math.exp(math.sin(1.5)) * math.cos(1.5)
adjoints_wanted = {
    "v3_bar": 1,
    "v2_bar": math.exp(math.sin(1.5)),
    "v1_bar": slope,
    "x_bar": 3 * slope,
    "y_bar": 0.5 * slope,
}
check_close(values, adjoints_wanted, "exp(sin(x y)) at (0.5, 3)")
curve = [("v1", "tanh", ["x"]), ("v2", "exp", ["v1"])]
values = run(forward_lines(curve) + reverse_lines(curve), x=0.5)
tanh_half = math.tanh(0.5)
check_close(
    values,
    {"v1_bar": math.exp(tanh_half), "x_bar": math.exp(tanh_half) * (1 - tanh_half * tanh_half)},
    "exp(tanh(x)) at 0.5",
)
### BEGIN HIDDEN TESTS
ratio = [("v1", "div", ["x", "y"]), ("v2", "sub", ["z", "v1"])]
values = run(forward_lines(ratio) + reverse_lines(ratio), x=3.0, y=2.0, z=5.0)
check_close(values, {"v1_bar": -1, "x_bar": -0.5, "y_bar": 0.75, "z_bar": 1}, "z - x / y at (3, 2, 5)")
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_shared", "points": 2}
# Stuck? A name that is used twice gets two lines. What must the second one say, so that the
# first one is not lost? And what about inputs that are numbers?
values = run(forward_lines(small) + reverse_lines(small), x=0.5, y=3.0)
check_close(
    values,
    {"v1_bar": math.cos(1.5), "x_bar": 3 * math.cos(1.5), "y_bar": 0.5 * math.cos(1.5) - 1},
    "sin(x y) - y at (0.5, 3)",
)
twice = [("v1", "mul", ["x", "x"]), ("v2", "mul", ["3.0", "v1"])]
check_close(run(forward_lines(twice) + reverse_lines(twice), x=5.0)["x_bar"], 30, "3 x x at 5, x_bar")
shared = [("a", "sin", ["x"]), ("b", "mul", ["a", "x"]), ("c", "mul", ["a", "b"])]
values = run(forward_lines(shared) + reverse_lines(shared), x=0.5)
s, c = math.sin(0.5), math.cos(0.5)
check_close(values, {"b_bar": s, "a_bar": s, "x_bar": s * s + s * c}, "x sin(x)² at 0.5, where a is used in b and in c")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import within

squares = [("s1", "mul", ["x", "x"]), *((f"s{k}", "mul", [f"s{k - 1}"] * 2) for k in range(2, 21))]
lines = within(20_000, reverse_lines, squares)
check_close(
    max(10_000, sum(map(len, lines))), 10_000, "letters for twenty squares in a row, of 10,000 that are allowed"
)
check_close(run(forward_lines(squares) + lines, x=1.0)["x_bar"], 2.0**20, "twenty squares in a row at 1, x_bar")
itself = [("v1", "div", ["x", "x"])]
check_close(run(forward_lines(itself) + reverse_lines(itself), x=4.0)["x_bar"], 0, "x / x at 4, x_bar")
for number in ("-1.5", "1e-3"):
    scaled = [("v1", "mul", ["x", number])]
    values = run(forward_lines(scaled) + reverse_lines(scaled), x=4.0)
    check_close(values, {"v1_bar": 1, "x_bar": float(number)}, f"{number} x at 4")
from minigrad_course.grading.cases import answers, check_cases, fresh


def tapes(draw):
    """A tape on which the output depends on every step, and numbers for its inputs."""
    x, y = ("x1", "y_2") if draw.sometimes("an input has a digit in its name") else ("x", "y")
    numbers, tape = dict(zip((x, y), draw.numbers(2))), []
    names = list("pqrstu") if draw.sometimes("the steps are not called v1, v2") else [f"v{k}" for k in range(1, 7)]
    if draw.sometimes("a name is a part of another"):
        numbers = {"yx": numbers[x], "x": numbers[y]}
        x, y, *names = "yx", "x", "yyx", "x1", "x11", "yx1", "y"
    for name in names[: draw.size(1, 5)]:
        a = tape[-1][0] if tape else x
        b = draw.choice([x, y])
        if draw.sometimes("a step is used twice") and len(tape) > 1:
            b = tape[-2][0]
        if draw.sometimes("a step takes the same name twice"):
            b = a
        if draw.sometimes("a number is an input"):
            b = "2.0"
        if draw.sometimes("a number with a sign or an exponent is an input"):
            b = draw.choice(["-1.5", "1e-3"])
        tape.append((name, draw.choice(["add", "sub", "mul"]), [a, b]))
    if draw.sometimes("a function is called"):
        tape.append(("out", draw.choice(["sin", "tanh"]), [tape[-1][0]]))
    return tape, {name: value / 4 for name, value in numbers.items()}


def adjoints(tape, numbers, forward=forward_lines, reverse=reverse_lines):
    """The adjoint of each name."""
    return run(forward(tape) + reverse(tape), **numbers)


cases = fresh(tapes)
check_cases(
    answers(adjoints, cases),
    answers(lambda tape, numbers: adjoints(tape, numbers, solution.forward_lines, solution.reverse_lines), cases),
    cases,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · Cross out (3 points, medium)
#
# A line is **dead** if none of the `wanted` names depends on what it writes. Return the lines that are left, in their order.
#
# Three helpers read a line for you. Try them:


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "reading"}
def writes(line):
    """The name to the left of = or +=."""
    return line.split()[0]


def reads(line):
    """The names to the right of it."""
    return set(re.findall(r"\b[a-z]\w*\b(?!\()", line.split("=", 1)[1]))


def adds(line):
    """Tell whether it says += and not =."""
    return line.split()[1] == "+="


print(writes("x_bar += v1_bar * (cos(x))"), reads("x_bar += v1_bar * (cos(x))"), adds("x_bar += v1_bar * (cos(x))"))

# %% [markdown]
# Go from the last line to the first, and keep a set of the names that are needed *below* the line you look at. At the start these are the
# wanted ones. Two questions to answer first:
#
# - A line is needed. Which names does it need in turn?
# - Above a line `v1 = ...`, is the old `v1` still needed? The line overwrites it, so no, unless the line itself reads it, as
#   `v1 = v1 * 2` does. And above a line `x_bar += ...`, is `x_bar`?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "dead"}
def without_dead(lines, wanted):
    """The lines that the wanted names depend on."""
    ### BEGIN SOLUTION
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            if not adds(line):
                needed.discard(writes(line))
            needed |= reads(line)
    return kept[::-1]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_dead", "points": 2}
# Stuck? Take the lines on paper, and the set `needed` beside them. Start at the bottom. What is
# in the set after each line?
lines = ["v1 = x * y", "v2 = sin(x)", "v3 = v2 * y", "v4 = v1 + x", "v5 = v3 * v3"]
check_close(len(without_dead(lines, ["v4"])), 2, "five lines, v4 is wanted: how many are left")
check_lines(without_dead(lines, ["v4"]), ["v1 = x * y", "v4 = v1 + x"], "five lines, v4 is wanted")
check_lines(without_dead(lines, ["v3", "v1"]), lines[:3], "five lines, v1 and v3 are wanted")
### BEGIN HIDDEN TESTS
check_lines(without_dead(lines, ["v5"]), ["v2 = sin(x)", "v3 = v2 * y", "v5 = v3 * v3"], "five lines, v5 is wanted")
check_lines(without_dead(lines, []), [], "five lines, nothing is wanted")
chain = [f"v{k} = v{k - 1} * x" for k in range(1, 300)]
check_lines(without_dead(chain, ["v1"]), chain[:1], "a chain of 299 lines, v1 is wanted")
from minigrad_course.grading.cases import within

woven = [f"{name}{k} = p{k - 1} * q{k - 1}" for k in range(1, 31) for name in "pq"]
check_lines(
    within(50_000, without_dead, woven, ["p30"]), woven[:-1], "thirty pairs of lines, each read by both of the next"
)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_dead_sums", "points": 1}
# Stuck? A line with += reads what it writes: the line that wrote it first is needed as well. A
# line with = does not: what was there before is overwritten.
sums = ["x_bar = a * 2", "x_bar += b * 3", "y_bar = a * b", "x_bar += y"]
check_lines(without_dead(sums, ["x_bar"]), [sums[0], sums[1], sums[3]], "a sum of three, x_bar is wanted")
itself = ["t = x * 2", "t = t * 3"]
check_lines(without_dead(itself, ["t"]), itself, "t is made from itself, t is wanted")
### BEGIN HIDDEN TESTS
again = ["t = x * 2", "u = t + 1", "t = y * 3", "w = t + y"]
check_lines(without_dead(again, ["w"]), again[2:], "t is written twice, w is wanted")
check_lines(without_dead(again, ["w", "u"]), again, "t is written twice, w and u are wanted")
same = ["t = x * 2", "u = t + 1", "t = x * 2"]
check_lines(without_dead(same, ["u"]), same[:2], "a line that occurs twice, u is wanted")
from minigrad_course.grading.cases import answers, check_cases, fresh


def programs(draw):
    """Lines that write and add to a few names, and a list of wanted ones."""
    names = list("pqrs") if draw.sometimes("the names are not t and u") else ["t", "u", "v1", "x_bar"]
    if draw.sometimes("a name is a part of another"):
        names = ["v1", "v10", "v1_bar", "v"]
    lines = [f"{names[0]} = x * 2"]
    for _ in range(draw.size(1, 6)):
        sign = "+=" if draw.sometimes("a line adds") else "="
        a = "2.0" if draw.sometimes("a number is an input") else draw.choice([*names, "x"])
        lines.append(f"{draw.choice(names)} {sign} {a} * {draw.choice([*names, 'x'])}")
    return lines, list(dict.fromkeys(draw.choice(names) for _ in range(2)))


cases = fresh(programs)
check_cases(answers(without_dead, cases), answers(solution.without_dead, cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# Now your own program, for the derivative of $\sin(xy) - y$ with respect to $x$ alone. Nothing to write: how many lines of it are left?

# %% tags=["raises-exception"]
everything = forward_lines(small) + reverse_lines(small)
print("\n".join(without_dead(everything, ["x_bar"])))

# %% [markdown]
# ## Task 4 · How long is it needed? (2 points, medium)
#
# Return a dict: for each name that the lines write, the pair (number of the line that writes it **first**, number of the line that reads **or** writes it
# **last**). Lines count from 0. Names that are only read, such as `x`, do not belong in it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "lives"}
def lives(lines):
    """From which line to which each written name is needed."""
    ### BEGIN SOLUTION
    spans = {}
    for number, line in enumerate(lines):
        spans.setdefault(writes(line), (number, number))
        for name in sorted(reads(line) | {writes(line)}):
            if name in spans:
                spans[name] = (spans[name][0], number)
    return spans
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_lives", "points": 2}
# Stuck? Two dicts, `first` and `last`. Go down the lines. Which of the two may be overwritten
# at every line, and which is set only once?
lines = ["v1 = x * y", "v2 = sin(v1)", "v1_bar = cos(v1)", "x_bar = v1_bar * y", "y_bar = v1_bar * x", "x_bar += y_bar"]
lives_wanted = {"v1": (0, 2), "v2": (1, 1), "v1_bar": (2, 4), "x_bar": (3, 5), "y_bar": (4, 5)}
check_close(lives(lines), lives_wanted, "six lines")
check_close(len(lives(lines)), 5, "six lines, how many names")
### BEGIN HIDDEN TESTS
again = ["t = x * 2", "u = t + 1", "t = y * 3"]
check_close(lives(again), {"t": (0, 2), "u": (1, 1)}, "t is written twice")
check_close(len(lives(["w = x * x"])), 1, "one line, how many names")
equal = ["t = x * 2", "t += y", "u = t + 1", "t += y"]
check_close(lives(equal), {"t": (0, 3), "u": (2, 2)}, "a line that occurs twice")
check_close(lives(["u = t + x", "t = u * 2"]), {"u": (0, 1), "t": (1, 1)}, "a name that is read before it is written")
parts = ["v1 = x * y", "v = v1 + x", "v10 = v * x", "v1_bar = v10 + y", "v1_bar += v10"]
check_close(lives(parts), {"v1": (0, 1), "v": (1, 2), "v10": (2, 4), "v1_bar": (3, 4)}, "names in other names")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5 · Memory, allocated once (3 points, hard)
#
# $$f(x, y) = \sum_i x_i \tanh(x_i\,y_i)$$
#
# With $t = \tanh(x\,y)$ the derivatives are $\bar x = t + x\,(1 - t^2)\,y$ and $\bar y = x\,(1 - t^2)\,x$.
#
# `make_program(n)` returns a function `program(x, y)` that returns `(x_bar, y_bar)` for arrays of `n` numbers. The arrays that it needs are made once, in
# `make_program`; a call makes no new one, not even for a moment. `np.multiply(a, b, out=c)`, `np.tanh(a, out=c)`, `np.subtract`, `np.add` write where they are
# told, also into one of their inputs.
#
# The third point: `make_program` itself makes **at most four** arrays. (Three are possible.) And leave `x` and `y` as they are: they belong to the caller.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "program"}
def make_program(n):
    """A function (x, y) -> (x_bar, y_bar) that owns its arrays."""
    ### BEGIN SOLUTION
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=t)
        np.tanh(t, out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(1.0, y_bar, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)  # x (1 - t²), which both need
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "counting"}
def gradients(make, x, y, calls=1):
    """Return what the program does for x and y, after so many calls, and what became of x and y."""
    x, y = np.array(x), np.array(y)
    program = make(len(x))
    for _ in range(calls):
        x_bar, y_bar = program(x, y)
    return {"x_bar": np.array(x_bar), "y_bar": np.array(y_bar), "x afterwards": x, "y afterwards": y}


def arrays_made(call, n):
    """Count the arrays of n numbers that a call allocates and that are there at the same time; a part counts as one."""
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return math.ceil(max(0, most - 4000) / (8 * n))


def arrays_of_first_call(make, n=20_000):
    """Count the new arrays of n numbers in the first call of the program, at the moment when they are most."""
    x, y = np.linspace(-1, 1, n), np.linspace(0, 2, n)
    program = make(n)
    return arrays_made(lambda: program(x, y), n)


def arrays_of_second_call(make, n=20_000):
    """Count those in the second call."""
    x, y = np.linspace(-1, 1, n), np.linspace(0, 2, n)
    program = make(n)
    program(x, y)
    return arrays_made(lambda: program(x, y), n)


def arrays_of_making(make, n=20_000):
    """Count the arrays of n numbers in make_program itself, at the moment when they are most."""
    return arrays_made(lambda: make(n), n)


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_numbers", "points": 1}
# Stuck? Forget `out=` for a moment and write the formulas; when the numbers are right, give one
# line after the other its `out=`. Which array is overwritten while it is still needed?
t = math.tanh(0.5)
want = {
    "x_bar": [t + 0.5 * (1 - t * t), 0],
    "y_bar": [0.25 * (1 - t * t), 4],
    "x afterwards": [0.5, 2],
    "y afterwards": [1, 0],
}
check_close(gradients(make_program, [0.5, 2.0], [1.0, 0.0]), want, "x = [0.5, 2], y = [1, 0]")
### BEGIN HIDDEN TESTS
t = math.tanh(-0.3)
want = {"x_bar": [t - 0.3 * (1 - t * t)], "y_bar": [0.09 * (1 - t * t)], "x afterwards": [-0.3], "y afterwards": [1]}
check_close(gradients(make_program, [-0.3], [1.0], calls=3), want, "x = [-0.3], y = [1], the third call")


def moved(make):
    """Return how far the results of a program move when another program is called."""
    one, other = make(1), make(1)
    bars = one(np.array([2.0]), np.array([0.5]))
    before = np.array(bars)
    other(np.array([3.0]), np.array([1.0]))
    return np.abs(np.array(bars) - before).ravel()


check_close(moved(make_program), [0, 0], "how far x_bar and y_bar move when another program is called")
from minigrad_course.grading.cases import answers, check_cases, fresh


def second_call(x, y, before, make=make_program):
    """Copies of what the program returns for x and y, called with other numbers before."""
    program = make(len(x))
    program(*before)
    return [np.array(bar) for bar in program(x, y)]


def points(draw):
    """x and y, and others."""
    n = draw.size(1, 4)
    x, y, *before = (draw.array(n) / 4 for _ in range(4))
    return x, y, before


cases = fresh(points)
check_cases(
    answers(second_call, cases),
    answers(lambda x, y, before: second_call(x, y, before, solution.make_program), cases),
    cases,
)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_allocates", "points": 1}
# Stuck? Each of + - * and each function makes a new array, unless it is told where to write.
# Does each of your lines have an `out=`?
check_close(gradients(make_program, [0.5], [2.0])["x_bar"], [1.1815684975697909], "x = [0.5], y = [2], x_bar")
check_close(arrays_of_second_call(make_program), 0, "new arrays at a time in the second call")
check_close(arrays_of_first_call(make_program), 0, "new arrays at a time in the first call")

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_few", "points": 1}
# Stuck? Draw the bars: from which line to which is each array needed? Two that do not overlap
# can be one. The results are arrays too, and before they hold a result they are free for
# something else.
check_close(gradients(make_program, [0.5], [0.0])["y_bar"], [0.25], "x = [0.5], y = [0], y_bar")
check_close(arrays_of_second_call(make_program), 0, "new arrays at a time in the second call")
check_close(max(4, arrays_of_making(make_program)), 4, "arrays made by make_program, of 4 that are allowed")

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try tapes that you have not seen: when all of these pass, the table
# says where the others run.
