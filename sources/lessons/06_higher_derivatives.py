# Lesson 06. What a reader has behind them: dual numbers (02), jvp and vjp (03, 04), the graph (05).
# Arrays come in lesson 07: a point is a plain row of numbers here, taken entry by entry. Gradient descent is explained where it is needed.

# %% [markdown]
# # 6 · Higher derivatives: how far may you step?
#
# You stand on a hillside, in fog. The gradient tells you which way is down. It says so at your feet, and nowhere else. **How far may you step before that is no longer true?**
#
# That depends on how the ground bends. A bend is the slope of the slope: a second derivative. With one input it is one number. With 10,000 inputs it is a table of
# a hundred million. So the second question is: **how do you use a table that you cannot even store?**
#
# By the end you will have reached, in a handful of steps, the bottom of a valley in which the gradient alone walks for thousands. You will have done it for a hundred inputs
# without ever making the table. And you will have measured what it costs to ask how a function bends: about two gradients, whatever the number of inputs.
#
# *Time: about 55 minutes. Write down what you expect before you run a cell.*

# %%
import math
import time
from decimal import Decimal

import numpy as np

import minigrad as mg
from minigrad.viz import plots
from minigrad.viz.pictures_of_curvature import tiles, valley

# %% [markdown]
# ## The noise was the answer
#
# In [lesson 02](02_dual_numbers.ipynb) we sent a tiny passenger through a function and read the derivative off the digits. What came behind it we called *noise*, and forbade it.
# Let us look at that noise again, with $x^3$ at 2 and a passenger of $10^{-3}$, in exact decimal numbers. Which four numbers do you see?

# %%
(2 + Decimal("0.001")) ** 3

# %% [markdown]
# `8`, `012`, `006`, `001`. The value is 8, the derivative is $3 \cdot 2^2 = 12$. And the 6? The second derivative of $x^3$ is $6x = 12$, and the third is 6. So behind each other stand
#
# $$f = 8 \qquad f' = 12 \qquad \tfrac{1}{2} f'' = 6 \qquad \tfrac{1}{6} f''' = 1$$
#
# That is Taylor's series, digit by digit:
#
# $$f(a + h) = f(a) + f'(a)\,h + \tfrac{1}{2} f''(a)\,h^2 + \tfrac{1}{6} f'''(a)\,h^3 + \dots$$
#
# A dual number keeps the first two terms, because $\varepsilon^2 = 0$. **Let us forbid less.** Say $\varepsilon^4 = 0$, and keep four. Such a number is a row of coefficients. Two of them
# are multiplied like polynomials, and what would be $\varepsilon^4$ or higher falls off the end:


# %%
class Series:
    def __init__(self, *coefficients):
        self.c = coefficients

    def __mul__(self, other):
        n = len(self.c)
        return Series(*(sum(self.c[i] * other.c[k - i] for i in range(k + 1)) for k in range(n)))

    def __repr__(self):
        return " + ".join(f"{c:g}ε^{k}" if k else f"{c:g}" for k, c in enumerate(self.c))


x = Series(2, 1, 0, 0)  # the number 2, with a passenger of size 1
x * x * x

# %% [markdown]
# All derivatives of $x^3$ at once, in one pass, and exact. To read $f^{(k)}$ off, multiply coefficient $k$ by $k!$: why?
#
# This is *Taylor mode*. We will not need it beyond this cell, because there is another way that needs no new class at all.
#
# ## The derivative of a derivative
#
# A derivative is a function. So it has a derivative. `mg.derivative` gives each level an $\varepsilon$ of its own (lesson 02), so that they cannot be confused.
# Here is the growing wave of lesson 02 again. Before you run the cell: its value and slope at 1 are both about 1. The wave's top is near 1.8. Is the second derivative at 1 positive or negative?


# %%
def wave(x):
    return np.sin(x) * np.exp(x / 4)


def prime(g):
    return lambda x: mg.derivative(g, x)


print("value:            ", wave(1.0))
print("slope:            ", prime(wave)(1.0))
print("second derivative:", prime(prime(wave))(1.0))

# %% [markdown]
# Negative: the slope gets less as you walk on, until it is 0 at the top. The second derivative says how the slope *changes*. That is [curvature](glossary.ipynb#Curvature): negative bends down, like a hilltop;
# positive bends up, like a valley.
#
# ## Curves that hug a curve
#
# With $n$ derivatives at one point we can build the polynomial that has all of them, the [Taylor polynomial](glossary.ipynb#Taylor-polynomial). The first is the tangent line. The second is the parabola that
# touches *and bends* as $f$ does. Sketch the wave, put your finger on $x = 1$, and draw where you think the orders 1, 2, 4 and 8 will leave the curve.


# %%
def taylor(f, at, order):
    """The coefficients of f at a point: f, f', f''/2, f'''/6, ..."""
    coefficients = []
    for k in range(order + 1):
        coefficients.append(f(at) / math.factorial(k))
        f = prime(f)
    return coefficients


grid = np.linspace(-4, 6, 400)


def hug(axes, f, at, order, colour):
    c = taylor(f, at, order)
    axes.plot(grid, sum(c[k] * (grid - at) ** k for k in range(order + 1)), color=colour)


# %%
figure, axes = plots.canvas(8, 3.8)
axes.plot(grid, wave(grid), color=plots.GREY, linewidth=5, alpha=0.5)
colours = {1: plots.VERMILLION, 2: plots.ORANGE, 4: plots.GREEN, 8: plots.BLUE}
places = {1: (2.0, 3.2), 2: (3.7, 1.5), 4: (-2.2, 3.2), 8: (-4.1, -0.9)}
for order, colour in colours.items():
    hug(axes, wave, 1.0, order, colour)
    plots.label(axes, *places[order], f"order {order}", plots.INK.get(colour, colour))
axes.plot(1, wave(1.0), "o", color=plots.BLACK)
axes.set(xlabel="x", ylim=(-4, 4), title="the wave (grey), and what is known of it at the dot")
plots.show(figure, "Taylor polynomials at x = 1: the higher the order, the farther they stay on the wave.")

# %% [markdown]
# All four know the wave at *one point only*. Drag the point, and the order. Where does order 2 fit worst? (No sliders below? Run the cell in JupyterLab; the picture above says the same.)

# %%
import ipywidgets


def explore(at, order):
    figure, axes = plots.canvas(8, 3.2)
    axes.plot(grid, wave(grid), color=plots.GREY, linewidth=5, alpha=0.5)
    hug(axes, wave, at, order, plots.BLUE)
    axes.plot(at, wave(at), "o", color=plots.BLACK)
    axes.set(xlabel="x", ylim=(-4, 4))
    plots.show(figure, f"order {order} at {at:.1f}: {', '.join(f'{c:.3f}' for c in taylor(wave, at, order))}")


ipywidgets.interactive(
    explore,
    at=ipywidgets.FloatSlider(1.0, min=-4, max=6, step=0.1, description="point", continuous_update=False),
    order=ipywidgets.IntSlider(2, min=0, max=7, description="order", continuous_update=False),
)

# %% [markdown]
# ### Break it
#
# More derivatives, better fit? Try another smooth, harmless hill: $1/(1 + x^2)$, around 0. **Which order will fit best at $x = 1.3$: 2, 6 or 8?**


# %%
def hill(x):
    return 1 / (1 + x * x)


print("the hill itself at 1.3:", hill(1.3))
for order in (2, 4, 6, 8):
    print(f"order {order}:", sum(c * 1.3**k for k, c in enumerate(taylor(hill, 0.0, order))))

# %% [markdown]
# Each is worse than the one before. (The series is $1 - x^2 + x^4 - x^6 + \dots$. Beyond $|x| = 1$ its terms grow.) **Derivatives know a point and its neighbourhood, and not more.** How large the neighbourhood is, they do not say. Keep that in mind
# for the end of this lesson.
#
# And there is a price. Each level of nesting makes numbers of numbers. How does the time for one derivative grow with its order?

# %%
g = wave
for order in range(9):
    began = time.perf_counter()
    g(1.0)
    print(f"order {order}: {1e3 * (time.perf_counter() - began):7.2f} ms")
    g = prime(g)

# %% [markdown]
# It doubles and more with each level. (Jumps in between are the computer's own.) For high orders Taylor mode is the better way. But almost all that people do with higher derivatives they do with **two**. So from here on: two.
#
# ## From bends to steps
#
# Back to the fog. You know value, slope and curvature at your feet, so you know a parabola. If it bends up, it has a bottom:
#
# $$f(x + s) \approx f + f' s + \tfrac{1}{2} f'' s^2 \qquad\Rightarrow\qquad f' + f'' s = 0 \qquad\Rightarrow\qquad s = -\frac{f'}{f''}$$
#
# Jump there, look again, jump again. That is [Newton's method](glossary.ipynb#Newton's-method). The slope says which way, and the curvature says how far.
# We start at $x = 4.3$. Watch the slope: how many jumps until it is 0 to 15 digits?

# %%
x, path = 4.3, []
for jump in range(6):
    slope, curvature = prime(wave)(x), prime(prime(wave))(x)
    path.append(x)
    print(f"after {jump} jumps: x = {x:.15f}   slope = {slope:+.1e}")
    x = x - slope / curvature

# %% [markdown]
# Look at the exponents of the last lines: each is about twice the one before. **The number of right digits doubles with every jump.** A picture of the first two jumps:

# %%
figure, axes = plots.canvas(8, 3.6)
axes.plot(grid, wave(grid), color=plots.GREY, linewidth=5, alpha=0.5)
for k, colour in enumerate([plots.VERMILLION, plots.BLUE]):
    hug(axes, wave, path[k], 2, colour)
    c, s = taylor(wave, path[k], 2), path[k + 1] - path[k]
    axes.plot(path[k], wave(path[k]), "o", color=colour)
    axes.plot(path[k + 1], c[0] + c[1] * s + c[2] * s**2, "v", color=colour)
axes.set(xlabel="x", xlim=(2, 6), ylim=(-4.5, 2), title="fitted at the dot, lowest at the triangle")
plots.show(figure, "Newton's method: a parabola is fitted, and the next one where its bottom lies.")

# %% [markdown]
# ### Break it
#
# Now start at 2.5. That is *right of the top* at 1.8, on the slope that leads down into the same valley. Where will Newton's method go?

# %%
x = 2.5
for _ in range(5):
    slope, curvature = prime(wave)(x), prime(prime(wave))(x)
    print(f"x = {x:.6f}   height = {wave(x):+.6f}   slope = {slope:+.1e}   curvature = {curvature:+.2f}")
    x = x - slope / curvature

# %% [markdown]
# **Up, to the top.** The method asks for a flat place, and a hilltop is flat. Where the curvature is negative, the parabola opens downwards and its "bottom" is a top. Nothing complained.
# The sign of the curvature would have warned us. We will need that warning once more.
#
# ## Many inputs: the slope of a slope, in every direction
#
# With two inputs there are two slopes, and each changes in two directions. Four second derivatives, in a square: the [Hessian](glossary.ipynb#Hessian).
#
# $$H = \begin{pmatrix} \partial^2 f/\partial x\,\partial x & \partial^2 f/\partial x\,\partial y \\ \partial^2 f/\partial y\,\partial x & \partial^2 f/\partial y\,\partial y \end{pmatrix}$$
#
# Take the diamond of lesson 05: $f = a\,b$ with $a = x\,y$ and $b = a + x$. There you wrote its walk back by hand, line by line. Here are those lines once more, as a function:


# %%
def gradient(x, y):
    a = x * y
    b = a + x
    a_bar = b  # f = a * b, with the seed 1
    b_bar = a
    a_bar = a_bar + b_bar  # b = a + x
    x_bar = b_bar
    x_bar = x_bar + a_bar * y  # a = x * y
    y_bar = a_bar * x
    return x_bar, y_bar


gradient(2.0, 3.0)

# %% [markdown]
# 48 and 28, as in lesson 05. Now look at this function as if you had never seen it. It takes numbers, multiplies and adds, and returns numbers. **A dual number can go through it.**
#
# Send $x = 2 + 1\varepsilon$, and $y = 3$ without a passenger. What will the passengers of the result mean? By hand: $f = x^2 y^2 + x^2 y$, so $\partial f/\partial x = 2xy^2 + 2xy$.
# Work out how that changes with $x$, and how $\partial f/\partial y = 2x^2y + x^2$ does.

# %%
gradient(mg.Dual(2.0, 1.0), mg.Dual(3.0, 0.0))

# %% [markdown]
# $2y^2 + 2y = 24$ and $4xy + 2x = 28$: the first **column** of the Hessian, riding on the gradient. This trick has a name, [forward over reverse](glossary.ipynb#Forward-over-reverse):
#
# 1. **Reverse** mode writes a program for the gradient.
# 2. **Forward** mode goes through that program.
#
# You need not write the program by hand. `mg.grad` makes the gradient of a function, and `mg.jvp` (lesson 03) sends a passenger through it. From now on a point is a row of numbers:


# %%
def diamond(p):
    x, y = p[0], p[1]
    a = x * y
    return a * (a + x)


point = np.array([2.0, 3.0])
for direction in ([1.0, 0.0], [0.0, 1.0]):
    slopes, change = mg.jvp(mg.grad(diamond), (point,), (np.array(direction),))
    print(f"gradient {slopes}, and how it changes along {direction}: {change}")

# %% [markdown]
# Two passes, two columns. And other ways lead to the same numbers. Lesson 05 ended with a walk back through a walk back (reverse over reverse):

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
a = x * y
x_bar, y_bar = mg.adjoints(a * (a + x), [x, y])
x_bar.backward()
print("first row, by reverse over reverse:", x.grad, y.grad)
print("the whole table:", mg.hessian(diamond)(point).tolist())

# %% [markdown]
# A row there, a column here, and they are the same numbers: **the table is symmetric.** Whether you move $x$ first and then $y$, or the other way round, you end up at the same place.
#
# ## Tiles
#
# Watch a larger one fill in. This function has six inputs, and each meets only its neighbour:
#
# $$f(v) = (v_1 - v_0^2)^2 + (v_2 - v_1^2)^2 + \dots + (v_5 - v_4^2)^2$$
#
# (`v[1:]` is the row without its first number, `v[:-1]` the row without its last.) Before you run the cell: **which of the 36 tiles must be 0?**


# %%
def neighbours(v):
    return mg.sum((v[1:] - v[:-1] ** 2) ** 2)


def product(f, at, direction):
    """The Hessian of f, times a direction: a passenger through the gradient."""
    return mg.jvp(mg.grad(f), (at,), (direction,))[1]


v = np.array([1.0, -1.0, 2.0, 0.0, 1.0, -2.0])
unit = np.eye(6)  # row k is the direction in which only input k moves
columns = np.array([product(neighbours, v, unit[k]) for k in range(6)]).T


def after(passes):
    return np.where(np.arange(6) < passes, columns, np.nan)


tiles(
    {"after 1 pass": after(1), "after 3": after(3), "after 6": after(6)},
    "A Hessian of six inputs, a column for each pass. Only the diagonal and its two neighbours are not zero.",
)

# %% [markdown]
# The same with a slider. (No slider below? The three moments above are from the same row.)

# %%
ipywidgets.interactive(
    lambda passes: tiles({f"after {passes}": after(passes)}, f"{passes} of 6 columns.", limit=50),
    passes=ipywidgets.IntSlider(1, min=0, max=6, description="passes", continuous_update=False),
)

# %% [markdown]
# Six passes, and most of what they brought is zeros. Could fewer passes have done it? Look at columns 0 and 3: they have no row in common. So **send both passengers at once**: their answers cannot mix.
#
# Which inputs can go together, so that *three* passes get everything?

# %%
together = [product(neighbours, v, unit[k] + unit[k + 3]) for k in range(3)]
rebuilt = np.zeros((6, 6))
for row in range(6):
    for column in range(max(0, row - 1), min(6, row + 2)):  # the tiles that are not zero
        rebuilt[row, column] = together[column % 3][row]

print("three passes, and the table is complete:", np.array_equal(rebuilt, columns))

# %% [markdown]
# With 6,000 inputs it would be three passes as well. Whoever knows where the zeros are need not pay for them.
#
# ## One direction is often enough
#
# What does one pass in *any* direction $d$ mean? The passenger $d$ goes through the gradient, so out comes how the gradient changes when you walk along $d$:
#
# $$\nabla f(x + h\,d) = \nabla f(x) + h\;H d + \dots$$
#
# That is the [Hessian-vector product](glossary.ipynb#Hessian-vector-product) $H d$: the table times a row of numbers, **without the table**. `mg.hvp` computes it, in one call and a little faster than our `product`.
# It answers the question of the fog: *if I walk this way, how will the ground bend?* That is the number $d \cdot H d$.

# %%
downhill = -mg.grad(neighbours)(v)
d = downhill / np.linalg.norm(downhill)
print("our product:", product(neighbours, v, d).round(4))
print("mg.hvp:     ", mg.hvp(neighbours, v, d).round(4))
print("table times d:", (columns @ d).round(4))
print("curvature downhill:", d @ mg.hvp(neighbours, v, d))

# %% [markdown]
# ## What it costs
#
# One gradient costs a few evaluations, whatever the number of inputs (lesson 04). Forward mode through it costs a small factor more. And the whole table is a pass for each input. Draw three curves in your head, over the number of inputs:
# gradient, product, table. Which of them will lie close together?


# %%
def seconds(work, *arguments, runs=9):
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - began)
    return float(np.median(times))


sizes = [10, 30, 100, 300, 1_000, 3_000, 10_000]
points = [np.linspace(-1.0, 1.0, n) for n in sizes]
walks = [np.cos(np.arange(n)) for n in sizes]
by_gradient = [1e3 * seconds(mg.grad(neighbours), p) for p in points]
by_product = [1e3 * seconds(mg.hvp, neighbours, p, d) for p, d in zip(points, walks, strict=True)]
by_table = [1e3 * seconds(mg.hessian(neighbours), p, runs=1) for p in points[:4]]

# %%
figure, axes = plots.canvas(8, 3.8)
for name, times, mark, colour in [
    ("the whole Hessian", by_table, "^-", plots.VERMILLION),
    ("product", by_product, "o-", plots.BLUE),
    ("gradient", by_gradient, "s-", plots.GREEN),
]:
    axes.loglog(sizes[: len(times)], times, mark, color=colour)
    plots.label(axes, 1.2 * sizes[len(times) - 1], times[-1], name, colour, va="center")
axes.set(xlabel="number of inputs", ylabel="milliseconds", xlim=(8, 60_000))
ratio = np.array(by_product) / np.array(by_gradient)
often = f"A product costs as much as {ratio.min():.1f} to {ratio.max():.1f} gradients"
plots.show(figure, f"{often}, for 10 inputs and for 10,000. The whole Hessian grows away.")

# %% [markdown]
# **About two gradients.** And bytes? At 10,000 inputs the whole table has $10^8$ numbers of 8 bytes: 800 MB. How many bytes does the product allocate?

# %%
many, d = points[-1], walks[-1]

# %%
# %%measure
mg.hvp(neighbours, many, d)

# %% [markdown]
# A few dozen rows of 10,000 numbers (80,000 bytes each). Nobody made a table.
#
# ## Steps in a valley
#
# Time to walk. The plain way is [gradient descent](glossary.ipynb#Gradient-descent): a step against the gradient, and its length is the gradient times a number $\eta$ that you choose.
#
# $$x \leftarrow x - \eta\,\nabla f(x)$$
#
# Our valley is a famous one (Rosenbrock, 1960): a banana with steep walls and an almost level floor. Its lowest point is at $(1, 1)$.


# %%
def banana(p):
    x, y = p[0], p[1]
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def descend(f, start, rate, steps):
    slope, points = mg.grad(f), [start]
    for _ in range(steps):
        points.append(points[-1] - rate * slope(points[-1]))
    return points


start = np.array([-1.2, 1.0])
for rate in (0.01, 0.001):
    last = descend(banana, start, rate, 5)[-1]
    print(f"rate {rate}: after 5 steps at {last}, height {banana(last):.3g}")

# %% [markdown]
# From height 24, one of them was thrown out of the valley, up a mountain. Which rate is too large? **The curvature knows.** Along a direction with curvature $\lambda$ the ground is a parabola, and a step takes you
# from $s$ to $s - \eta \lambda s = (1 - \eta\lambda)\,s$. For $\eta\lambda > 2$ you end up farther away than you were, on the other side.
#
# So we need the largest curvature. With the product that is easy: multiply a direction by $H$ again and again. The direction that bends most wins. (Every product stretches each part by its own curvature.)


# %%
def largest_curvature(f, at, products=60):
    d = np.cos(3.0 * np.arange(len(at)))  # any direction that favours nothing
    for _ in range(products):
        d = mg.hvp(f, at, d)
        length = np.linalg.norm(d)
        d = d / length
    return length


by_products = largest_curvature(banana, start)
print("largest curvature at the start:", by_products)
print("from the whole table:          ", np.linalg.eigvalsh(mg.hessian(banana)(start)).max())
print("a rate must be below           ", 2 / by_products)

# %% [markdown]
# So 0.01 was too large, and 0.001 is allowed. But now the *floor* of the valley is nearly level, with a curvature around 0.4. A rate that suits the walls is a crawl on the floor.
#
# Newton's method has no rate. In many dimensions the bottom of the parabola is where the gradient would be 0: solve $H s = -\nabla f$, and jump by $s$. The steep directions get short steps and the level ones long steps, each by its own curvature.
#
# Gradient descent gets 2,000 steps, Newton 7. Who gets farther down?


# %%
def newton(f, start, steps):
    slope, bend, points = mg.grad(f), mg.hessian(f), [start]
    for _ in range(steps):
        p = points[-1]
        points.append(p + np.linalg.solve(bend(p), -slope(p)))
    return points


paths = {"gradient descent": descend(banana, start, 0.001, 2000), "Newton": newton(banana, start, 7)}
for name, points in paths.items():
    print(f"{name:17s}{len(points) - 1:5d} steps, height {banana(points[-1]):.1e}, at {points[-1]}")

# %%
said = "Gradient descent falls to the floor of the valley at once, and then creeps along it. "
said += "Newton crosses the valley in seven jumps, one of them far up the wall."
valley(banana, paths, (-1.7, 1.7, -3.4, 2.2), said)

# %% [markdown]
# Newton arrived. Gradient descent is still on its way. But look at the second jump: it went *up*, far up the wall, because a parabola fitted on this side knows nothing of the bend ahead. From there the next jump came back.
#
# ## Where it fails
#
# Here is a saddle: a pass between two hills, with a valley on either side. The start is a little off the pass. Where should one go? Where will Newton go?


# %%
def saddle(p):
    x, y = p[0], p[1]
    return x**4 / 4 - x**2 / 2 + y**2 / 2


here = np.array([0.3, 0.5])
ends = {"gradient descent": descend(saddle, here, 0.3, 30)[-1], "Newton": newton(saddle, here, 6)[-1]}
for name, end in ends.items():
    print(f"{name:17s} ends at {end.round(4) + 0.0}, height {saddle(end):+.4f}")
slope, step = mg.grad(saddle)(here), newton(saddle, here, 1)[1] - here
print("slope along Newton's first step:", slope @ step)
print("curvatures here:", np.linalg.eigvalsh(mg.hessian(saddle)(here)))

# %% [markdown]
# **Newton climbed onto the pass and stayed.** It is flat there. One curvature is negative, and along that direction Newton goes up, as it did on the wave. The slope along the step cannot always tell: here it is negative all the same.
# What tells is the sign of the curvatures.
#
# The usual cures: use $|\lambda|$ in the place of $\lambda$; or add a constant to the diagonal of $H$, large enough to make all curvatures positive; or halve the step until it goes down. In the exercise you will build one.
#
# ## A hundred inputs, and no table
#
# Now the promise. A rope of rubber is fixed at both ends and hangs. Between neighbouring points acts a spring that gets stiffer the more it is stretched, and everything has weight. The rope's shape is
# the lowest point of its energy: a function of a hundred heights.


# %%
n = 100


def spring(stretch):
    return stretch**2 / 2 + stretch**4 / 4


def energy(v):
    ends = spring(n * v[0]) + spring(n * v[-1])
    return (mg.sum(spring(n * (v[1:] - v[:-1]))) + ends + 20 * mg.sum(v)) / n


# %% [markdown]
# Newton needs the solution of $H s = -\nabla f$. There are methods that solve such equations **by nothing but products $H d$**. The best known, *conjugate gradients*, is in SciPy. We hand it our product and no table.
# It starts with a level rope. How many steps will it take?

# %%
from scipy.sparse.linalg import LinearOperator, cg

slope = mg.grad(energy)
shape, shapes, products = np.zeros(n), [np.zeros(n)], 0


def times_hessian(d):
    global products
    products += 1
    return mg.hvp(energy, shape, d)


while np.linalg.norm(slope(shape)) > 1e-8:
    step, _ = cg(LinearOperator((n, n), matvec=times_hessian), -slope(shape), rtol=1e-4)
    shape = shape + step
    shapes.append(shape)
    left = np.linalg.norm(slope(shape))
    print(f"step {len(shapes) - 1}: energy {energy(shape):10.6f}   gradient {left:.1e}")
print(products, "products in all")

# %% [markdown]
# A fair race: a product costs about two gradients. So gradient descent gets two gradients for each of Newton's products. Its rate must be below $2/\lambda$, and we even tell it the $\lambda$ of the
# shape that it is looking for. How does its rope hang?

# %%
stiff = largest_curvature(energy, shape)
crawl = descend(energy, np.zeros(n), 1 / stiff, 2 * products)

last = len(shapes) - 1
print(f"largest curvature: {stiff:.0f}")
print(f"Newton, {last} steps:               energy {energy(shape):.4f}")
print(f"gradient descent, {len(crawl) - 1:,} steps: energy {energy(crawl[-1]):.4f}")

# %%
figure, axes = plots.canvas(8, 3.8)
colours = {1: plots.SKY, 3: plots.BLUE, last: plots.BLACK}
ropes = {f"Newton, step {k}": (shapes[k], colour) for k, colour in colours.items()}
ropes[f"gradient descent, step {len(crawl) - 1:,}"] = (crawl[-1], plots.VERMILLION)
for name, (rope, colour) in ropes.items():
    axes.plot(np.arange(n + 2), [0, *rope, 0], "--" if "gradient" in name else "-", color=colour)
    plots.label(axes, n / 2, rope.min() + 0.05, name, plots.INK.get(colour, colour), ha="center", va="bottom")
axes.set(xlabel="point of the rope", ylabel="height", title="a rope of 100 points between two nails")
plots.show(figure, "Newton's rope shoots too far down, and comes back. The other one is still high up.")

# %% [markdown]
# The promise is kept: a hundred inputs, a handful of steps, and a Hessian that nobody ever saw.
#
# Why does not everybody train networks like this? A network's valley has saddles all over, its gradient is computed on a few examples at a time and is noisy, and a step costs many products. So gradient descent and its relatives rule there (lesson 10).
# But the products are used: to find how large a rate may be, and to look at how a network's landscape bends.
#
# ## In five lines
#
# 1. A derivative is a function, so it has a derivative. The "noise" behind a dual number's tangent holds the higher ones: $f''/2$, $f'''/6$, ...
# 2. The Hessian is the table of second derivatives. It is symmetric, and one pass of dual numbers through the gradient fills a column: forward over reverse.
# 3. One pass in any direction gives $H d$ without the table, for about two gradients, whatever the number of inputs.
# 4. Curvature says how far you may step: gradient descent goes astray above a rate of $2/\lambda$; Newton's method jumps to the bottom of the fitted parabola.
# 5. Newton looks for flat places, be they bottoms, tops or saddles. Where a curvature is negative it needs a cure.
#
# ## The source
#
# - [minigrad/functional.py](../minigrad/functional.py): read it now. `hvp` and `hessian`, each in a few lines.
# - [minigrad/graph.py](../minigrad/graph.py): `tangents` is forward mode through a graph; `hvp` uses it on the graph of the gradient.
# - [minigrad/rules.py](../minigrad/rules.py): the partial derivatives are written in the same operations as everything else. That is why they can be differentiated once more.
#
# ## The papers
#
# - E: *Automatic differentiation for machine learning in Julia*: dual numbers by Taylor's theorem, of which this lesson keeps more terms.
# - B. A. Pearlmutter, *Fast exact multiplication by the Hessian* (1994): the product, for the price of two gradients.
# - A. R. Curtis, M. J. D. Powell, J. K. Reid, *On the estimation of sparse Jacobian matrices* (1974): several columns in one pass.
# - J. Nocedal, S. J. Wright, *Numerical Optimization* (2006), chapters 3 and 7: Newton's method, its cures, and how to do it with products only.
# - H. H. Rosenbrock, *An automatic method for finding the greatest or least value of a function* (1960): the banana.
#
# ## Your turn
#
# Exercise: [exercises/06_higher_derivatives](../exercises/06_higher_derivatives/06_higher_derivatives.ipynb). You write the gradient of a small function, send passengers through it, and build a Newton's method that beats gradient descent and
# does not climb hills. In a terminal, `minigrad grade 06` runs it from top to bottom.
#
# Next: lesson 07, [arrays](07_arrays.ipynb). So far a node held one number, or a row of them that was treated entry by entry. Next come matrices, and what happens to adjoints when shapes differ.
