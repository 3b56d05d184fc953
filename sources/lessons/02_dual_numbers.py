# Lesson 02. What a reader has behind them: 01 (the four ways, the V of differences, a derivative beside each value), Python, the chain rule.
# Nothing here may need a graph or a backward pass; `mg.grad` appears once, as a teaser with its lesson named.

# %% [markdown]
# # 2 · Dual numbers: a number that carries its derivative
#
# **Before you read on.** One side of a rectangle is 4 cm long and grows by 3 cm a minute. The other is 5 cm long and grows by 2 cm a minute. How fast does the area grow at this moment?
#
# {guess: cm² a minute | area.tangent}

# %% [markdown]
# Keep your answer; the lesson comes back to it. Here is a function, and a wish:
#
# $$f(x) = x^2 + 3x \qquad\text{what is } f'(2)?$$
#
# You know the answer: $2\cdot2+3 = 7$. The wish is stranger: **call `f` once, on one special number, and read the 7 off the result.** No limit, no formula for $f'$, no second call. By the end you will have built that number, in about twenty lines, and run it through loops that it has never seen. You will also have measured for which functions it becomes expensive.
#
# *Time: about 40 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %%
def f(x):
    return x * x + 3 * x


f(2)

# %% [markdown]
# ## A derivative among the digits
#
# What will the digits of `f(2.00001)` be?

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
# The tiny step, $10^{-5}$, came out multiplied by 7. What follows comes from the square of the step, except the `1` at the very end, which is rounding. The next cell takes smaller and smaller steps, in exact decimal arithmetic. Which way do the 7 and the 1 move?

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
# The 7 is always there. When the step becomes ten times smaller, the second-order term moves two places to the right, the first-order term only one. Now move $x$, and read the slope off the digits. Which formula do the blue numbers follow?

# %%
import ipywidgets
from IPython.display import display

place = ipywidgets.IntSlider(2, min=0, max=9, description="x")
exponents = ipywidgets.IntSlider(5, min=2, max=8, description="10^-k, k")
ipywidgets.interactive(lambda x, k: display(painted([paint(x, k)])), x=place, k=exponents)

# %% [markdown]
# They follow $2x + 3$. But a `float` keeps about 16 digits. With a large step the second-order term is in the way, and with a small one there are no digits left: this is the V of [lesson 01](01_four_ways.ipynb). If only the second-order term vanished by itself, for a step of any size, the answer would be *exact*.
#
# So let us make it vanish. Invent a number $\varepsilon$ that is not zero, but whose square is:
#
# $$\varepsilon \neq 0, \qquad \varepsilon^2 = 0$$
#
# A **[dual number](glossary.ipynb#Dual-number)** is $a + b\,\varepsilon$. We call $a$ the *value*, or *[primal](glossary.ipynb#Primal)*, and $b$ the *[tangent](glossary.ipynb#Tangent)*. If that seems strange: so was $i^2 = -1$ once.
#
# ## Multiply two of them by hand
#
# $$(a + b\varepsilon)(c + d\varepsilon) = ac + (ad + bc)\,\varepsilon + bd\,\varepsilon^2$$
#
# The last term is zero. Look at the factor of $\varepsilon$: it is the **product rule**. We did not put it there. In a sum, values are added to values and tangents to tangents. That is all our `f` needs, and all that the rectangle needs:


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


area = Dual(4.0, 3.0) * Dual(5.0, 2.0)
print(area)
print(Dual(0.0, 1.0) * Dual(0.0, 1.0))

# %% [markdown]
# The area is 20 cm², and grows by $4\cdot2 + 3\cdot5 = 23$ a minute. Did you have 6? That is $3\cdot2$, the product of the two speeds: it is the term with $\varepsilon^2$. Did you have 29? That is how much the area grows in one whole minute, from 20 to $7\cdot7 = 49$: a difference with a large step, in which the 6 is still contained.
#
# The second line was $\varepsilon\cdot\varepsilon$: nothing is left. Now the wish. What will come out of `f` for $2 + 1\varepsilon$, for the tangent 0, and for the tangent 10?

# %%
print(f(Dual(2.0, 1.0)))
print(f(Dual(2.0, 0.0)))
print(f(Dual(2.0, 10.0)))

# %% [markdown]
# Wish granted: one call, and there is the 7 beside the 10. `f` does not know that it was differentiated. A number with the tangent 0 is a *constant*, and a tangent of another size is multiplied by the same slope.
#
# ## Teach it everything at once: the derivative table
#
# Our number knows `+` and `*`. It needs `/`, `sin`, `exp` and many more, but we need not redo the algebra for each. Apply any smooth function $g$ to a dual number. Only the first two terms of the Taylor series survive $\varepsilon^2 = 0$:
#
# $$g(a + b\,\varepsilon) = g(a) + g'(a)\,b\,\varepsilon$$
#
# So a dual number needs to know only $g'$, and that can be looked up in a **table of derivatives**, such as every calculus book has. minigrad has one. What would you write for `exp`, if you may use the value $v = e^a$ that has already been computed?

# %%
from IPython.display import Markdown

import minigrad as mg

table = "| operation | value v | ∂v/∂a | ∂v/∂b |\n|---|---|---|---|\n"
for name in ["add", "mul", "div", "exp", "log", "sin", "cos", "tanh", "sqrt"]:
    row = mg.rules.TABLE[name]
    partials = " | ".join(f"`{partial}`" for partial in row.partials)
    table += f"| {name} | `{row.expression}` | {partials} |{' |' * (2 - len(row.partials))}\n"
Markdown(table)

# %% [markdown]
# Each row contains what you know from calculus. For `div`, $\partial v/\partial b = -a/b^2$, which is $-v/b$.
#
# With two inputs, each may have a tangent. The tangent of the output is the sum over the inputs: *tangent of the input times partial derivative.* This is the whole of [forward mode](glossary.ipynb#Forward-mode), and it fits into one small function, which reads a row and applies it. We attach it to our class as well. You know $f(2)$ and $f'(2)$. What must $f/2$ give?


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


Dual.__truediv__ = lambda a, b: apply("div", a, b)
f(Dual(2.0, 1.0)) / 2

# %% [markdown]
# Rules compose, because a dual number comes out of each and goes into the next. That is the chain rule, and again we did not have to write it down.
#
# ## Your number in a loop
#
# Here is the loop of lesson 01, with the sine that our number understands. There, somebody had to write the second half of the line. Here there is no second half:


# %%
def three_rounds(y):
    for _ in range(3):
        y = y * apply("sin", y)
    return y


three_rounds(Dual(1.0, 1.0))

# %% [markdown]
# The value and the slope of lesson 01: 0.368 and 1.977. The next loop contains neither a square root nor a derivative. It finds $\sqrt a$ in the way of Heron of Alexandria, by averaging again and again. Calculus says $(\sqrt a)' = 1/(2\sqrt a)$. Will a loop that only adds and divides know that?
#
# {guess: yes, no | "yes" if abs(root.tangent - 1 / (2 * 2**0.5)) < 1e-12 else "no"}


# %%
def heron(a):
    guess = a
    for _ in range(6):
        guess = (guess + a / guess) / 2
    return guess


root = heron(Dual(2.0, 1.0))
print("by the loop:    ", root)
print("by the formulas:", 2**0.5, "and", 1 / (2 * 2**0.5))
assert abs(root.tangent - 1 / (2 * 2**0.5)) < 1e-12

# %% [markdown]
# The tangent went around the loop with the value. Forward mode differentiates the *steps that ran*, not the text of a formula. *This is a good place to stop for today.*
#
# ## The package's own
#
# minigrad's dual number is a grown-up version of yours: it has all rows of the table, arrays, and several tangents at once. NumPy's functions take it unchanged. When you only want the derivative, `mg.derivative` sets the tangent to 1 and returns the tangent of the result.

# %%
import numpy as np


def wave(x):
    return np.sin(x) * np.exp(x / 4)


print(wave(mg.Dual(0.0, 1.0)))
print(mg.derivative(wave, 0.0))

# %% [markdown]
# What *is* the second coordinate? Think of $x$ as a point that moves along a line, at speed 1. Then every number that is computed from it moves as well, and its tangent is its speed. Play the next picture, or go through it with the arrow keys. At which $x$ does the last line stand still?

# %%
mg.viz.animate_dual(f, 2.0, moves=[k / 4 for k in range(-14, 9)])

# %% [markdown]
# The arrow of `v1` grows as $x$ moves away from 0, that of `v2` stays as it is, and that of `f` is their sum. At $x = -1.5$ the two cancel.
#
# ## Two inputs: one direction per pass
#
# $$f(x, y) = 2x + x\,y^3 + \sin x \qquad\text{at } (3, 5)$$
#
# By hand: $\partial f/\partial x = 2 + y^3 + \cos x$ and $\partial f/\partial y = 3xy^2$. A tangent asks one question. To ask *"what if only x moves?"*, give $x$ the tangent 1 and $y$ the tangent 0. What comes out if both tangents are 1 at once, in the last line?
#
# {guess "Which tangent comes out when both tangents are 1?": | both.tangent}


# %%
def essay(x, y):
    return 2 * x + x * y**3 + np.sin(x)


both = essay(mg.Dual(3.0, 1.0), mg.Dual(5.0, 1.0))
print("x moves:   ", essay(mg.Dual(3.0, 1.0), mg.Dual(5.0, 0.0)))
print("y moves:   ", essay(mg.Dual(3.0, 0.0), mg.Dual(5.0, 1.0)))
print("both move: ", both)

# %% [markdown]
# They add up: it is the derivative in the direction $(1, 1)$. A good question, but you cannot take its answer apart again. To keep the two apart, give the number two tangents: $a + b_1\varepsilon_1 + b_2\varepsilon_2$, where every product of two $\varepsilon$ is zero. In minigrad a tangent may be a list, with an entry for each direction:

# %%
answer = essay(mg.Dual(3.0, [1.0, 0.0]), mg.Dual(5.0, [0.0, 1.0]))
assert (round(answer.value, 2), round(answer.tangent[0], 2), answer.tangent[1]) == (381.14, 126.01, 225)
print("value:  ", answer.value)
print("tangent:", answer.tangent)

# %% [markdown]
# One pass, the value computed once, both partial derivatives side by side.
#
# And how exact are they? Taylor's theorem says $g(a + h) = g(a) + g'(a)\,h + \tfrac{1}{2}g''(a)\,h^2 + \dots$ A finite difference has to live with the higher terms, and makes $h$ small. A dual number sets $h = b\,\varepsilon$. Every higher term has the factor $\varepsilon^2$: it is not small, it *is* zero. Here are the best of 97 central differences and the dual number, against the formula:

# %%
exact = 2 + 5**3 + np.cos(3.0)
steps = np.logspace(-1, -13, 97)
central = (essay(3 + steps, 5.0) - essay(3 - steps, 5.0)) / (2 * steps)
print(f"central differences: error {np.abs(central - exact).min():.0e} at best")
print(f"the dual number:     error {abs(answer.tangent[0] - exact):.0e}")
assert abs(answer.tangent[0] - exact) <= np.spacing(exact)

# %% [markdown]
# ## The cost: 784 inputs
#
# A picture of a digit in this course has $28 \times 28 = 784$ pixels. Take a function that says, in one number, how similar a picture is to an average 3. Ask: *which pixels would have to change?* That is one partial derivative for each of 784 inputs, so 784 passes, each with the tangent 1 at another pixel. The rows of the unit matrix are these directions.

# %%
from minigrad_course import data

digits = data.for_lesson()
average_three = digits.train_x[digits.train_y == 3].mean(axis=0).astype(float)
eight = digits.train_x[digits.train_y == 8][0].astype(float)
directions = np.eye(784)


def likeness(pixels):
    return np.exp(-np.sum((pixels - average_three) ** 2) / 50)


def one_pass_each(count):
    return [likeness(mg.Dual(eight, directions[k])).tangent for k in range(count)]


slopes = np.array(one_pass_each(784))
slopes.shape

# %% [markdown]
# As a picture, these slopes have the shape of a digit. Where do you expect that ink is missing, to turn this eight into a three?

# %%
from minigrad_course.viz import plots

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
# It works. The next cell measures what it costs, in three ways that take turns: one pass for each partial derivative, one pass with many tangents, and `mg.grad`, which runs *backwards*. [Lesson 04](04_tracing_backwards.ipynb) explains the last one.
#
# {guess "How many times as long as a plain call will 784 passes take, one for each pixel?": plain calls | passes / plain}

# %%
from minigrad_course.measure import in_turns

jobs = [lambda: likeness(eight), lambda: one_pass_each(784), lambda: likeness(mg.Dual(eight, directions))]
jobs.append(lambda: mg.grad(likeness)(eight))
plain, passes, together, backwards = 1e3 * np.median(in_turns(jobs, rounds=5), axis=0)
print(f"a plain call, no tangent:     {plain:8.3f} ms")
for way, time in [("784 passes", passes), ("one pass, 784 tangents", together), ("one pass backwards", backwards)]:
    print(f"{way:29} {time:8.3f} ms  = {time / plain:8.1f} plain calls")
print(f"largest difference: {np.abs(mg.grad(likeness)(eight) - slopes).max():.0e}")

# %% [markdown]
# Each of the 784 passes takes longer than a plain call, since at every step it looks up a rule and computes a tangent as well. Many tangents in one pass save the overhead of many calls, but not the work: 784 tangents are computed at every step. The pass backwards gives the same answers. It takes as long as many plain calls, too, because a plain call is six steps of NumPy, and what takes the time is keeping the record around them. In a program that looks nothing up, only the operations count.
#
# **Forward mode costs one pass for each input, whatever the number of outputs.** For a function of one input with many outputs that is ideal. For a network, with many weights and one number that says how wrong it is, it is the wrong way round.
#
# ## A derivative inside a derivative
#
# Now a trap that real programs have fallen into. Work this out by hand first, from the inside:
#
# $$\frac{d}{dx}\Bigl[\,x \cdot \frac{d}{dy}(x + y)\Big|_{y=1}\Bigr]_{x=1}$$

# %% [markdown]
# $x$ is constant in the inner derivative, which is therefore 1. What is left is $\frac{d}{dx}(x \cdot 1) = 1$. What does our class say?


# %%
def derivative(g, at):
    return g(Dual(at, 1.0)).tangent


def inner(x):
    return derivative(lambda y: x + y, 1.0)


print("the inner derivative:", inner(1.0))
print("all of it:           ", derivative(lambda x: x * inner(x), 1.0))
assert derivative(lambda x: x * inner(x), 1.0) == 2

# %% [markdown]
# **Two.** No error, no warning, a wrong number. Follow the inner call: $x$ arrives with a tangent, because the *outer* derivative is with respect to $x$. And $y$ gets one, because the *inner* derivative is with respect to $y$. Both belong to the same $\varepsilon$, so they are added up, and the inner derivative mistakes their sum for its own. This is **[perturbation confusion](glossary.ipynb#Perturbation-confusion)**.
#
# The cure: every derivative has an $\varepsilon$ of its own, told apart by a *tag*. A sum of two numbers with different tags is a dual number *inside* a dual number. Give $x$ the tag 1 and $y$ the tag 2. How much of the tangent of the sum belongs to $y$?

# %%
print("different tags:", mg.Dual(1.0, 1.0, tag=1) + mg.Dual(1.0, 1.0, tag=2))
print("the same tag:  ", mg.Dual(1.0, 1.0, tag=1) + mg.Dual(1.0, 1.0, tag=1))
print("with tags:     ", mg.derivative(lambda x: x * mg.derivative(lambda y: x + y, 1.0), 1.0))

# %% [markdown]
# With different tags the tangent is $y$'s own 1, and $x$'s tangent stays inside the value, untouched, until the outer derivative needs it. When nesting works, so do derivatives of derivatives:

# %%
f(mg.Dual(mg.Dual(2.0, 1.0, tag=1), 1.0, tag=2))

# %% [markdown]
# 10, 7, 7 and 2: the value, the slope, once for each $\varepsilon$, and $f''(2)$ with the product $\varepsilon_1\varepsilon_2$. That one is not zero here: only the squares of the two are. [Lesson 06](06_higher_derivatives.ipynb) has more of these.

# %% [markdown]
# ## In five lines
#
# 1. A dual number $a + b\,\varepsilon$ with $\varepsilon^2 = 0$ holds a value and a tangent: the rate at which the value changes. If the input's tangent is 1, that is the derivative.
# 2. Each operation computes both: the new tangent is the sum of tangent × partial derivative over the inputs, read from one table. The chain rule needs no code of its own.
# 3. The result is exact up to rounding. Taylor's higher terms are zero, not small, and there is no $h$.
# 4. One pass gives one derivative per tangent, so 784 inputs cost 784 passes or tangents. Many inputs and one output call for reverse mode.
# 5. Each derivative needs an $\varepsilon$ of its own; otherwise a nested derivative can be silently wrong, where the inner function uses the outer variable.
#
# ## Read on
#
# - The source: [minigrad/core/rules.py](../minigrad/core/rules.py) is the derivative table. In [minigrad/core/dual.py](../minigrad/core/dual.py), `Dual.lift` is our `apply`, with tags.
# - The essay *Automatic differentiation for machine learning in Julia* has the example at (3, 5).
# - R. E. Wengert, *A simple automatic derivative evaluation program* (1964): forward mode, in two pages.
# - J. M. Siskind, B. A. Pearlmutter, *Nesting forward-mode AD in a functional framework* (2008): perturbation confusion, and its cure.
#
# **Exercise:** [exercises/02_dual_numbers](../exercises/02_dual_numbers/02_dual_numbers.ipynb). You build a `Dual` with division, sine and exponential, without the package's table, and then one that does not confuse nested derivatives.
#
# **Next: [3 · Tracing forwards](03_tracing_forwards.ipynb)**, where the tangents are written down, line by line.
