# Lesson 02. What a reader has behind them: 01 (the four ways, the V of differences, a derivative beside each value), Python, the chain rule.
# Nothing here may need a graph or a reverse pass; `mg.grad` appears once, as a teaser with its lesson named.

# %% [markdown]
# # 2 · Dual numbers: a number that carries its derivative
#
# Here is a function and a wish.
#
# $$f(x) = x^2 + 3x \qquad\text{what is } f'(2)?$$
#
# You know the answer: $2\cdot2+3 = 7$. The wish is stranger: **call `f` once, on one special number, and read the 7 off the result.** No
# limit, no formula for $f'$, no second call. By the end of this lesson you will have built that number, in about twenty lines. It will differentiate functions that it has never seen. You will also have measured for which functions it becomes expensive.
#
# *Time: about 45 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %%
def f(x):
    return x * x + 3 * x


f(2)

# %% [markdown]
# ## A derivative among the digits
#
# Before you run the next cell: what will the last digits of `f(2.00001)` be? Write your guess down.

# %%
f(2.00001)

# %% [markdown]
# Read it in three parts:
#
# | part | digits | what it is |
# |---|---|---|
# | the value | `10.0000` | $f(2)$ |
# | the first-order term | `7` in the fifth place | $f'(2)$ times $10^{-5}$ |
# | the second-order term | `1` in the tenth place | $f''(2)/2$ times $(10^{-5})^2$ |
#
# (The last `1`, far to the right, is the computer's rounding.)
#
# We added a tiny step, $10^{-5}$, to the 2. It came out multiplied by 7. What follows comes from the square of the step.
#
# Was that luck? The next cell takes smaller and smaller steps, in exact decimal arithmetic, and colours the digits. Which way do the 7 and
# the 1 move when the step shrinks?

# %%
from decimal import Decimal

from IPython.display import HTML


def paint(x, k):
    """One row: f at x + 10^-k, its digits coloured."""
    digits = f"{f(x + Decimal(10) ** -k):.{2 * k}f}"
    value_and_first, second = digits[:-k], digits[-k:]
    first = str(int((Decimal(value_and_first) - f(x)) * 10**k))  # what came on top of f(x)
    value = value_and_first[: -len(first)]
    row = f"<tr><td>{x} + 10<sup>−{k}</sup></td><td style='text-align:left'><code>{value}"
    row += f"<b style='background:#56B4E9;color:#000'>{first}</b>"
    return row + f"<span style='background:#E69F00;color:#000'>{second}</span></code></td></tr>"


def painted(rows):
    words = "f(x): the value, then the <b style='background:#56B4E9;color:#000'>first-order</b> term (blue), "
    words += "then the <span style='background:#E69F00;color:#000'>second-order</span> term (orange)"
    return HTML(f"<table><tr><th>x</th><th style='text-align:left'>{words}</th></tr>{''.join(rows)}</table>")


painted(paint(2, k) for k in range(2, 9))

# %% [markdown]
# The 7 is always there. When the step becomes ten times smaller, the second-order term moves two places to the right, the first-order term
# only one.
#
# And at other points than 2? Move $x$, and read the slope off the digits: which formula do the blue numbers follow? (It is $2x + 3$. If you
# see no slider, run the cell in JupyterLab.)

# %%
import ipywidgets
from IPython.display import display

place = ipywidgets.IntSlider(2, min=0, max=9, description="x")
exponents = ipywidgets.IntSlider(5, min=2, max=8, description="10^-k, k")
ipywidgets.interactive(lambda x, k: display(painted([paint(x, k)])), x=place, k=exponents)

# %% [markdown]
# So take a step so tiny that the second-order term drops off the end of the number! A `float` keeps about 16 digits. Guess what these four
# lines print. Where would you read off the derivative?

# %%
print(f(2 + 1e-5))
print(f(2 + 1e-8))
print(f(2 + 1e-14))
print(f(2 + 1e-16))

# %% [markdown]
# The second-order term disappeared, but rounding came in its place. As the 7 nears the last digit, rounding eats more and more of it, until
# nothing is left. This is the dilemma of every [finite difference](glossary.ipynb#Finite-difference), the V of [lesson
# 01](01_four_ways.ipynb): with a large step the second-order term disturbs, with a small one there are no digits left.
#
# If only the second-order term vanished by itself, for a step of any size, the answer would be *exact*.
#
# So let us make it vanish. Invent a number $\varepsilon$ that is not zero, but whose square is:
#
# $$\varepsilon \neq 0, \qquad \varepsilon^2 = 0$$
#
# A **[dual number](glossary.ipynb#Dual-number)** is $a + b\,\varepsilon$. We call $a$ the *value* (books also say
# *[primal](glossary.ipynb#Primal)*) and $b$ the *[tangent](glossary.ipynb#Tangent)*. (Strange? So was $i^2 = -1$ once, and the complex step
# of lesson 01 uses it, with an error of order $h^2$. Clifford wrote about dual numbers in 1873.)

# %% [markdown]
# ## Multiply two of them by hand
#
# $$(a + b\varepsilon)(c + d\varepsilon) = ac + (ad + bc)\,\varepsilon + bd\,\varepsilon^2$$
#
# The last term is zero. Look at the factor of $\varepsilon$: it is the **product rule**. We did not put it there.
#
# Addition is easier still: values are added to values, tangents to tangents. That is all our function `f` needs. Here is the whole invention:


# %%
class Dual:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.value * other.tangent + self.tangent * other.value)

    __radd__, __rmul__ = __add__, __mul__

    def __repr__(self):
        return f"{self.value} + {self.tangent}ε"


Dual(0.0, 1.0) * Dual(0.0, 1.0)

# %% [markdown]
# That was $\varepsilon\cdot\varepsilon$: nothing is left. Now the wish. The input is $2 + 1\varepsilon$: the number 2, with the tangent 1.
# What will come out?

# %%
f(Dual(2.0, 1.0))

# %% [markdown]
# Wish granted: one call, and there is the 7 beside the 10, with nothing left over. `f` is the same function as above: it does not know that
# it was differentiated.
#
# ## Break it
#
# What does `f(Dual(2.0, 0.0))` give, and why is that right? (Which question does a tangent of 0 ask?) And a tangent of 10?

# %%
print(f(Dual(2.0, 0.0)))
print(f(Dual(2.0, 10.0)))

# %% [markdown]
# A number with the tangent 0 is a *constant*. A tangent of another size is multiplied by the same slope.
#
# The next cell fails. Read the last line of the error, then say in one sentence what is missing:

# %% tags=["raises-exception"]
f(Dual(2.0, 1.0)) / 2

# %% [markdown]
# ## Teach it everything at once: the derivative table
#
# Our number knows `+` and `*`, and nothing else. It needs `/`, `sin`, `exp`, and many more. Must we redo the algebra for each?
#
# No. Apply any smooth function $g$ to a dual number. Only the first two terms of the Taylor series survive $\varepsilon^2 = 0$:
#
# $$g(a + b\,\varepsilon) = g(a) + g'(a)\,b\,\varepsilon$$
#
# So a dual number needs to know only $g'$, and that can be looked up in a **table of derivatives**, such as every calculus book has. minigrad
# has one such table. Here are some of its rows. Before you run the cell: what would you write for `exp`, if you may use the value $v = e^a$
# that has already been computed?

# %%
from IPython.display import Markdown

import minigrad as mg
from minigrad_course.says import says

table = "| operation | value v | ∂v/∂a | ∂v/∂b |\n|---|---|---|---|\n"
for name in ["add", "mul", "div", "exp", "log", "sin", "cos", "tanh", "sqrt"]:
    row = mg.rules.TABLE[name]
    partials = " | ".join(f"`{partial}`" for partial in row.partials)
    table += f"| {name} | `{row.expression}` | {partials} |{' |' * (2 - len(row.partials))}\n"
Markdown(table)

# %% [markdown]
# Each row contains what you know from calculus. The letter `v` is the value itself, used again where that saves work. (Check `div`:
# $\partial v/\partial b = -a/b^2 = -v/b$.)
#
# With two inputs, each may have a tangent. The tangent of the output is the sum over the inputs: *tangent of the input times partial
# derivative.* This is the whole of [forward mode](glossary.ipynb#Forward-mode), and it fits into one small function. It reads a row and
# applies it:


# %%
def apply(name, *inputs):
    row = mg.rules.TABLE[name]
    inputs = [x if isinstance(x, Dual) else Dual(x) for x in inputs]
    values = [x.value for x in inputs]
    v = row(*values)
    tangent = 0.0
    for x, partial in zip(inputs, row.partial_functions, strict=True):
        tangent += x.tangent * partial(v, *values)
    return Dual(v, tangent)


apply("sin", Dual(0.0, 1.0))

# %% [markdown]
# Sine at 0 has the value 0 and the slope 1. Now the cell that failed. We attach the row `div` to our class, and try again. You know $f(2) = 10$ and $f'(2) = 7$. What must $f/2$ give?

# %%
Dual.__truediv__ = lambda a, b: apply("div", a, b)

f(Dual(2.0, 1.0)) / 2

# %% [markdown]
# Rules compose, because a dual number comes out of each and goes into the next. That is the chain rule, and again we did not have to write it down.
# By hand: what is the derivative of $e^{\sin x}$ at $x = 0$?
#
# {guess: | apply("exp", apply("sin", Dual(0.0, 1.0))).tangent}

# %%
apply("exp", apply("sin", Dual(0.0, 1.0)))

# %% [markdown]
# ## The package's own
#
# minigrad's dual number is a grown-up version of ours: it has all rows of the table, arrays, and several tangents at once. It is printed in
# the same way.

# %%
x = mg.Dual(2.0, 1.0)
y = f(x)
print(y, "   value:", y.value, "   tangent:", y.tangent)

# %% [markdown]
# What *is* the second coordinate? Think of $x$ as a point that moves along a line, at speed 1. Then every number that is computed from it moves
# as well, and its tangent is its speed. Play the next picture, or go through it with the arrow keys. At which $x$ does the last line stand still?

# %%
mg.viz.animate_dual(f, 2.0, moves=[k / 4 for k in range(-14, 9)])

# %% [markdown]
# The arrow of `v1` grows as $x$ moves away from 0, that of `v2` stays as it is, and that of `v3` is their sum. At $x = -1.5$ the two cancel.
#
# When you only want the derivative, `mg.derivative` sets the tangent to 1 and returns the tangent of the result.
#
# Functions that it has never seen may contain loops. Here is one without any formula. It finds $\sqrt a$ in the way of Heron of Alexandria, by
# averaging until nothing changes any more. Calculus says $(\sqrt a)' = 1/(2\sqrt a)$. Will a `while` loop that only adds and divides know
# that?
#
# {guess: yes, no | "yes" if abs(mg.derivative(heron, 2.0) - 1 / (2 * 2**0.5)) < 1e-6 else "no"}


# %%
def heron(a):
    guess, before = a, 0.0
    while abs(guess - before) > 1e-12:
        guess, before = (guess + a / guess) / 2, guess
    return guess


slope = 1 / (2 * 2**0.5)
says("by the loop:     {}", mg.derivative(heron, 2.0), when=lambda by_loop: abs(by_loop - slope) < 1e-12)
print("by the formula: ", slope)

# %% [markdown]
# The tangent went around the loop with the value. Forward mode differentiates the *steps that ran*, not the text of a formula.
#
# ## NumPy's functions take them too
#
# You should not have to rewrite working code. Functions built from NumPy's accept dual numbers unchanged. What is the slope of
# $\sin(x)\,e^{x/4}$ at 0? (Use the product rule, in your head.)

# %%
import numpy as np


def wave(x):
    return np.sin(x) * np.exp(x / 4)


wave(mg.Dual(0.0, 1.0))

# %% [markdown]
# Do you remember the loop at the end of lesson 01? Its line had a second half, and somebody who knew the rules had to write it:
#
# `y, dy = y * np.sin(y), (np.sin(y) + y * np.cos(y)) * dy`
#
# Here it is again with the first half only; the second comes from the rows `mul` and `sin` of the table. What should come out at 1?


# %%
def three_rounds(x):
    y = x
    for _ in range(3):
        y = y * np.sin(y)
    return y


y, dy = 1.0, 1.0
for _ in range(3):
    y, dy = y * np.sin(y), (np.sin(y) + y * np.cos(y)) * dy
print("both halves written:  ", y, dy)
print("the second by itself: ", three_rounds(mg.Dual(1.0, 1.0)))

# %% [markdown]
# The functions of Python's `math` are another matter: they insist on a plain `float`, which cannot hold a tangent. An error is better than a
# derivative that is silently lost:

# %% tags=["raises-exception"]
import math

math.sin(mg.Dual(0.0, 1.0))

# %% [markdown]
# A value and a slope make a tangent line. The lines in the next picture need nothing but three calls of `wave`, each on a dual number.

# %%
from minigrad_course.viz import plots


def draw_tangent(axes, at, colour):
    y = wave(mg.Dual(at, 1.0))  # one call: the point and the slope
    near = np.array([at - 1.2, at + 1.2])
    axes.plot(near, y.value + y.tangent * (near - at), color=colour)
    axes.plot(at, y.value, "o", color=colour)
    side = -0.15 if y.tangent > 0 else 0.15  # where the line leaves room
    align = "right" if side < 0 else "left"
    plots.label(axes, at + side, y.value + 0.3, f"slope {y.tangent:.2f}", colour, ha=align)


grid = np.linspace(-4, 6, 400)
figure, axes = plots.canvas(7.5, 3.6)
axes.plot(grid, wave(grid), color=plots.GREY)
for at, colour in [(-2.5, plots.BLUE), (1.0, plots.VERMILLION), (4.0, plots.GREEN)]:
    draw_tangent(axes, at, colour)
axes.set(xlabel="x", ylim=(-4, 4.2), title="sin(x) exp(x/4), and what three dual numbers say")
plots.show(
    figure,
    "A growing wave with three tangent lines; each touches the curve at its dot, "
    "and is labelled with the slope that the dual number carried.",
)

# %% [markdown]
# Drag the point yourself. Where is the tangent zero? (Where $\tan x = -4$: near $-1.33$, $1.82$ and $4.96$. If you see no slider below, run
# the cell in JupyterLab.)


# %%
def explore(at):
    figure, axes = plots.canvas(7.5, 3.2)
    axes.plot(grid, wave(grid), color=plots.GREY)
    draw_tangent(axes, at, plots.BLUE)
    axes.set(xlabel="x", ylim=(-4, 4.2))
    plots.show(figure, f"wave({at:.1f} + 1ε) = {wave(mg.Dual(at, 1.0))}")


ipywidgets.interactive(explore, at=ipywidgets.FloatSlider(1.0, min=-4, max=5, step=0.1, description="x"))

# %% [markdown]
# ## Two inputs: one direction per pass
#
# The essay that this lesson follows (*Automatic differentiation for machine learning in Julia*; E in the papers below) has this example:
#
# $$f(x, y) = 2x + x\,y^3 + \sin x \qquad\text{at } (3, 5)$$
#
# By hand: $\partial f/\partial x = 2 + y^3 + \cos x$ and $\partial f/\partial y = 3xy^2$. Work out both at $(3, 5)$ before you go on.
#
# A tangent asks one question. To ask *"what if only x moves?"*, give $x$ the tangent 1 and $y$ the tangent 0. Then the other way round.


# %%
def essay(x, y):
    return 2 * x + x * y**3 + np.sin(x)


print("x moves:", essay(mg.Dual(3.0, 1.0), mg.Dual(5.0, 0.0)))
print("y moves:", essay(mg.Dual(3.0, 0.0), mg.Dual(5.0, 1.0)))

# %% [markdown]
# The essay gives 381.14 for the value, and 126.01 and 225 for the partial derivatives. Two questions took two passes, and the value was
# computed twice.
#
# What if both tangents are 1 at once, $b_1 = 1$ and $b_2 = 1$? Predict the single number that comes out.
#
# {guess: | essay(mg.Dual(3.0, 1.0), mg.Dual(5.0, 1.0)).tangent}

# %%
essay(mg.Dual(3.0, 1.0), mg.Dual(5.0, 1.0))

# %% [markdown]
# They add up: you asked *"what if x and y move together?"*, the derivative in the direction $(1, 1)$. A good question, but you cannot take its answer apart again.
#
# To keep the two apart, give the number two tangents: $a + b_1\varepsilon_1 + b_2\varepsilon_2$. Here every product of two $\varepsilon$ is
# zero, $\varepsilon_1\varepsilon_2$ as well. In minigrad a tangent may be a list, with an entry for each direction. The first direction
# moves $x$, the second moves $y$:

# %%
answer = essay(mg.Dual(3.0, [1.0, 0.0]), mg.Dual(5.0, [0.0, 1.0]))
assert (round(answer.value, 2), round(answer.tangent[0], 2), answer.tangent[1]) == (381.14, 126.01, 225)
print("value:  ", answer.value)
print("tangent:", answer.tangent)

# %% [markdown]
# One pass, the value computed once, both partial derivatives side by side.
#
# ## Why it is exact
#
# Taylor's theorem says what a function does to $a + h$:
#
# $$g(a + h) = g(a) + g'(a)\,h + \underbrace{\tfrac{1}{2}g''(a)\,h^2 + \tfrac{1}{6}g'''(a)\,h^3 + \dots}_{\text{the higher terms}}$$
#
# A finite difference has to live with the higher terms, and makes $h$ small. A dual number sets $h = b\,\varepsilon$. Every higher term has
# the factor $\varepsilon^2$, so it *is* zero. It is not small, it is zero. There is no $h$ to choose.
#
# Let us check that. We know $\partial f/\partial x$ at $(3, 5)$ from a formula. How close do [central
# differences](glossary.ipynb#Central-difference) come, for every $h$ from $10^{-1}$ to $10^{-13}$? You know the shape by now. Sketch where
# the dual number's error lies.

# %%
exact = 2 + 5**3 + np.cos(3.0)
steps = np.logspace(-1, -13, 97)
central = (essay(3 + steps, 5.0) - essay(3 - steps, 5.0)) / (2 * steps)
central_error = np.abs(central - exact) / exact
dual_error = abs(answer.tangent[0] - exact) / exact
last_digit = np.spacing(exact) / exact

figure, axes = plots.canvas(7.5, 4)
axes.loglog(steps, central_error, color=plots.VERMILLION)
axes.axhline(max(dual_error, last_digit), color=plots.BLUE)
axes.set(xlabel="h", ylabel="relative error", title="Error of ∂f/∂x at (3, 5)", ylim=(1e-17, 1e-1))
plots.label(axes, 3e-10, 1e-4, "central difference", plots.VERMILLION)
plots.label(axes, 1e-13, 1.4e-17, "dual number: exact up to rounding, without any h", plots.BLUE)
plots.show(
    figure,
    "From right to left, as h shrinks, the error of the central difference falls, turns and rises: "
    "a V. The dual number is a flat line below all of it.",
)
typical = [np.median(central_error[max(0, k - 2) : k + 3]) for k in range(len(steps))]  # a lucky h does not count
best = int(np.argmin(typical))
print(f"central difference, best h:  error {typical[best]:.0e}, typical of steps around h = {steps[best]:.0e}")
says("dual number:                 error {:.0e}", dual_error, when=lambda e: e <= 2 * last_digit < min(typical))
print(f"one step in the last digit of a float: {last_digit:.0e}")

# %% [markdown]
# On the right of the V the [truncation error](glossary.ipynb#Truncation-error) dominates, on the left the [rounding
# error](glossary.ipynb#Rounding-error). The dual number has no truncation and no cancellation, only the rounding of ordinary arithmetic, like any computed number.
#
# ## A whole curve from one pass
#
# `mg.Dual` takes arrays: then each entry has its own tangent. (A number as tangent counts for every entry; an array of the value's shape is one direction; an extra leading axis holds one direction per entry.) Here are all numbers from −10 to 10 in steps of 0.01. To be sure that
# it is *one pass*, the function counts its calls.

# %%
calls = 0


def squared(x):
    global calls
    calls += 1
    return x**2


numbers = np.linspace(-10, 10, 2001)
curve = squared(mg.Dual(numbers, 1.0))
print("calls:", calls, "  values:", curve.value.size, "  derivatives:", curve.tangent.size)

# %% [markdown]
# What do you expect to see when value and tangent are plotted over x?

# %%
figure, axes = plots.canvas(7.5, 3.8)
axes.plot(numbers, curve.value, color=plots.BLUE)
axes.plot(numbers, curve.tangent, color=plots.VERMILLION)
plots.label(axes, -7.2, 58, "value: x²", plots.BLUE)
plots.label(axes, 4.2, -2, "tangent: its derivative", plots.VERMILLION)
axes.set(xlabel="x", title="One call on a dual number that holds an array")
plots.show(
    figure,
    "A parabola, the values, and a straight line through the origin that climbs from −20 to 20, "
    "the tangents: x² and 2x from one pass.",
)
says(
    "largest distance between the tangent and 2x: {}",
    np.abs(curve.tangent - 2 * numbers).max(),
    when=lambda d: d < 1e-14,
)

# %% [markdown]
# Each $x$ had its own output, so one tangent was enough for all 2,001 questions. That changes when many inputs feed into *one* output.
# ## The cost: 784 inputs
#
# A picture of a digit in this course has $28 \times 28 = 784$ pixels. Take a function that says, in one number, how similar a picture is to
# an average 3. Ask: *which pixels would have to change?* That is one partial derivative for each of 784 inputs.

# %%
from minigrad_course import data

digits = data.for_lesson()
average_three = digits.train_x[digits.train_y == 3].mean(axis=0).astype(float)
eight = digits.train_x[digits.train_y == 8][0].astype(float)


def likeness(pixels):
    return np.exp(-np.sum((pixels - average_three) ** 2) / 50)


print("an eight:", likeness(eight), "  the average three itself:", likeness(average_three))

# %% [markdown]
# A tangent of 1 at one pixel gives one partial derivative. So we need 784 passes, each with the 1 at another pixel. The rows of the unit
# matrix `np.eye(784)` are these directions.

# %%
directions = np.eye(784)


def one_pass_each(count):
    return [likeness(mg.Dual(eight, directions[k])).tangent for k in range(count)]


slopes = np.array(one_pass_each(784))
slopes.shape

# %% [markdown]
# As a picture, these slopes have the shape of a digit. Where do you expect that ink is missing, to turn this eight into a three? Where is
# there too much?

# %%
figure, axes = plots.canvas(8, 2.9, columns=3)
limit = np.abs(slopes).max()
for ax, image, title, look in [
    (axes[0], eight, "an eight", {"cmap": "gray_r"}),
    (axes[1], average_three, "the average three", {"cmap": "gray_r"}),
    (axes[2], slopes, "784 partial derivatives", {"cmap": plots.signed(), "vmin": -limit, "vmax": limit}),
]:
    ax.imshow(image.reshape(28, 28), **look)
    ax.set(title=title, xticks=[], yticks=[])
plots.show(
    figure,
    "An eight, an average three, and the slopes pixel by pixel: orange where more ink would make "
    "the eight look more like the three, blue where less ink would.",
)

# %% [markdown]
# It works. What did it cost? One pass takes a certain time. How will the time grow with the *number of partial derivatives*? Sketch the
# curve.
#
# The cell measures three ways. They take turns for several rounds, and the median counts:
#
# - one pass for each partial derivative,
# - one pass with many tangents,
# - a third way, `mg.grad`, that we cannot explain yet. It runs *backwards*, and lessons [04](04_tracing_backwards.ipynb) and [05](05_computational_graph.ipynb) are about it.
#
# {guess "How many plain calls will 784 passes take, one for each pixel?": plain calls | passes[-1] / plain}

# %%
from minigrad_course.measure import in_turns

counts = [1, 98, 196, 294, 392, 490, 588, 686, 784]
jobs = [lambda n=n: one_pass_each(n) for n in counts]
jobs += [lambda n=n: likeness(mg.Dual(eight, directions[:n])) for n in counts]
jobs += [lambda: likeness(eight), lambda: mg.grad(likeness)(eight)]
*took, plain, backwards = 1e3 * np.median(in_turns(jobs, rounds=5), axis=0)
passes, together = took[: len(counts)], took[len(counts) :]

one = passes[-1] / 784
print(f"a plain call, no tangent:             {plain:8.3f} ms")
print(f"one pass with one tangent:            {one:8.3f} ms, a 784th of all of them")
for way, time in [("each", passes[-1]), ("with 784 tangents", together[-1]), ("backwards", backwards)]:
    print(f"all 784, one pass {way:18}  {time:8.3f} ms  = {time / plain:8.1f} times a plain call")

# %%
figure, axes = plots.canvas(7.5, 4)
axes.plot(counts, passes, "o-", color=plots.VERMILLION)
axes.plot(counts, together, "s-", color=plots.BLUE)
axes.axhline(backwards, color=plots.GREEN)
top = passes[-1]
plots.label(axes, 420, 0.72 * top, "one pass each", plots.VERMILLION, ha="right")
plots.label(axes, 640, together[-2] + 0.07 * top, "one pass, many tangents", plots.BLUE, ha="right")
plots.label(axes, 784, backwards - 0.06 * top, "one pass backwards, all 784", plots.GREEN, ha="right")
axes.set(xlabel="partial derivatives asked for", ylabel="milliseconds", ylim=(-0.1 * top, 1.1 * top))
axes.set_title("Forward mode pays for each input")
plots.show(
    figure,
    "Time grows with the number of partial derivatives, steadily: steeply for separate passes, less so "
    "for many tangents. The backward pass is a flat line near zero.",
)

# %% [markdown]
# Why is even the pass backwards so many plain calls long, when lesson 00 promised a few times as many operations? Because a plain call is six steps of NumPy, three of them on 784 numbers, and what takes the time is keeping the record around them. On large arrays, or in a program that looks nothing up (lesson 08), only the operations count.
#
# Many tangents in one pass save the overhead of many calls, but not the work: 784 tangents are computed at every step. A network with 100,000
# weights would need 100,000 of them.
#
# **Forward mode costs one pass for each input, whatever the number of outputs.** For a function of one input with many outputs that is ideal.
# For a network, with many weights and one loss, it is the wrong way round. Does the backward pass give the same answers?

# %%
says("largest difference: {:.0e}", np.abs(mg.grad(likeness)(eight) - slopes).max(), when=lambda d: d < 1e-12)

# %% [markdown]
# ## A derivative inside a derivative
#
# Now a trap that real programs have fallen into. Work this out by hand first, from the inside:
#
# $$\frac{d}{dx}\Bigl[\,x \cdot \frac{d}{dy}(x + y)\Big|_{y=1}\Bigr]_{x=1}$$
#
# The inner derivative asks how $x + y$ changes with $y$. $x$ is constant there, so the answer is 1. What is left is
# $\frac{d}{dx}(x \cdot 1) = 1$.
#
# Our hand-built number can do the inner part:


# %%
def derivative(g, at):
    return g(Dual(at, 1.0)).tangent


def inner(x):
    return derivative(lambda y: x + y, 1.0)


inner(1.0)

# %% [markdown]
# Right. Now the whole question. Nothing new is needed: a call inside a call. The answer is 1. What does our class say?

# %%
derivative(lambda x: x * inner(x), 1.0)

# %% [markdown]
# **Two.** No error, no warning, a wrong number. What happened? Follow the inner call: $x$ arrives with a tangent, because the *outer*
# derivative is with respect to $x$. And $y$ gets one, because the *inner* derivative is with respect to $y$.

# %%
x = Dual(1.0, 1.0)  # the tangent of the outer derivative
y = Dual(1.0, 1.0)  # the tangent of the inner derivative
assert derivative(lambda x: x * inner(x), 1.0) == 2  # and not 1
x + y

# %% [markdown]
# Both tangents belong to the same $\varepsilon$, so they are added up, and the inner derivative mistakes their sum for its own. This mistake has
# a name: **[perturbation confusion](glossary.ipynb#Perturbation-confusion)**.
#
# The cure: every derivative has an $\varepsilon$ of its own, told apart by a *tag*. For the inner derivative, a number with the outer
# $\varepsilon$ is a constant. The package uses a new tag for each derivative. (Tags are numbers, and the inner derivative starts later, so it
# has the higher one.)

# %%
mg.derivative(lambda x: x * mg.derivative(lambda y: x + y, 1.0), 1.0)

# %% [markdown]
# Here are the tags by hand. With two different tags, a sum becomes a dual number *inside* a dual number. Read the tangent of `x + y`: how
# much of it belongs to $y$?

# %%
x = mg.Dual(1.0, 1.0, tag=1)  # outer
y = mg.Dual(1.0, 1.0, tag=2)  # inner
print("different tags:", x + y)
print("the same tag:  ", mg.Dual(1.0, 1.0, tag=1) + mg.Dual(1.0, 1.0, tag=1))

# %% [markdown]
# A dual number inside a dual number prints both parts with their own $\varepsilon$. With different tags, the tangent of the sum is just $y$'s own 1, and $x$'s tangent stays inside the value, untouched, until the outer
# derivative needs it.
# ## Derivatives of derivatives
#
# When nesting works, so does the derivative of a derivative. Put a dual number inside a dual number, and call `f` once. You know $f(2)$,
# $f'(2)$ and $f''(2)$. Where will they appear?

# %%
f(mg.Dual(mg.Dual(2.0, 1.0, tag=1), 1.0, tag=2))

# %% [markdown]
# 10, 7, 7 and 2: the value, the slope (twice, once for each $\varepsilon$), and $f''(2)$ with the product $\varepsilon_1\varepsilon_2$,
# which is not zero here: only the squares of the two are. Each further derivative doubles the number of numbers; [lesson
# 06](06_higher_derivatives.ipynb) has better ways. For now, nest as deep as you like. What are the next four derivatives of the sine?


# %%
def prime(g):
    return lambda x: mg.derivative(g, x)


g = np.sin
for order in range(5):
    print(f"derivative {order} of sin at 0.5: {g(0.5):+.6f}")
    assert np.isclose(g(0.5), np.sin(0.5 + order * np.pi / 2))
    g = prime(g)

# %% [markdown]
# After four we are back at the sine.
#
# ## In five lines
#
# 1. A dual number $a + b\,\varepsilon$ with $\varepsilon^2 = 0$ holds a value and a tangent: the rate at which the value changes. With the seed 1 that is the derivative.
# 2. Each operation computes both: the new tangent is the sum of tangent × partial derivative over the inputs, read from one table. The chain rule needs no code of its own.
# 3. The result is exact up to rounding. Taylor's higher terms are zero, not small, and there is no $h$.
# 4. One pass gives one derivative per tangent, so 784 inputs cost 784 passes (or tangents). Many inputs and one output call for reverse mode.
# 5. Each derivative needs an $\varepsilon$ of its own; otherwise a nested derivative can be silently wrong, where the inner function uses the outer variable.
#
# ## The source
#
# You can read it all now:
#
# - [minigrad/core/rules.py](../minigrad/core/rules.py): the derivative table. Find `div`, `tanh`, and a row you did not expect.
# - [minigrad/core/dual.py](../minigrad/core/dual.py): `Dual.lift` is our `apply`, with tags. `jvp` and `derivative` make the tags.
#
# ## The papers
#
# - E: the essay *Automatic differentiation for machine learning in Julia*: the example at (3, 5), and the plot of $x^2$ with its derivative.
# - R. E. Wengert, *A simple automatic derivative evaluation program* (1964): forward mode, in two pages.
# - J. M. Siskind, B. A. Pearlmutter, *Nesting forward-mode AD in a functional framework* (2008): perturbation confusion, and its cure.
# - J. Revels, M. Lubin, T. Papamarkou, *Forward-Mode Automatic Differentiation in Julia* (2016, [arXiv:1607.07892](https://arxiv.org/abs/1607.07892)): many tangents in one pass.
#
# ## Your turn
#
# Exercise: [exercises/02_dual_numbers](../exercises/02_dual_numbers/02_dual_numbers.ipynb). You build a `Dual` with division, sine and exponential, without the package's table,
# and then one that does not confuse nested derivatives. You see your points as you go; in a terminal, `minigrad grade 02` runs it from top to bottom.
#
# **Next: [3 · Tracing forwards](03_tracing_forwards.ipynb)**, where the tangents are written down, line by line.
