# Lesson 06. What a reader has behind them: dual numbers (02), jvp and vjp (03, 04), the graph (05).
# Arrays come in lesson 07: a point is a plain row of numbers here, taken entry by entry. Gradient descent is explained where it is needed.

# %% [markdown]
# # 6 · Higher derivatives: how far may you step?
#
# You stand on a hillside, in fog. The gradient tells you which way is down. It says so at your feet, and nowhere else. **How far may you step before that is no longer true?**
#
# That depends on how the ground bends. How it bends is the slope of the slope: a second derivative. With one input it is one number. With
# 10,000 inputs it is a matrix with a hundred million entries. So the second question is: **how do you use a matrix that you cannot even
# store?**
#
# By the end you will have reached the bottom of a valley in a handful of steps, where gradient descent takes thousands. And you will have
# measured what it costs to ask how a function bends: about two gradients, whatever the number of inputs.
#
# *Time: about 40 minutes{first run}.*

# %% [markdown]
# **Before you read on.** You walk down into a valley, and note the slope of the ground every metre. Here it is $-12$; a metre farther on it is
# $-9$. If the slope goes on changing like that, how many metres is it from here to the bottom?
#
# {guess "How many metres is it to the bottom?": metres | metres}

# %%
import math
import time
from decimal import Decimal

import numpy as np

import minigrad as mg
from minigrad_course.measure import in_turns
from minigrad_course.says import says
from minigrad_course.viz import plots
from minigrad_course.viz.pictures_of_curvature import tiles, valley

# %% [markdown]
# ## The higher terms
#
# In [lesson 02](02_dual_numbers.ipynb) we added a tiny step to the input and read the derivative off the digits. The higher terms behind it
# were in the way, and we made them vanish. Let us look at them again, with $x^3$ at 2 and a step of $10^{-3}$, in exact decimal numbers.
# Which four numbers do you see?

# %%
(2 + Decimal("0.001")) ** 3

# %% [markdown]
# `8`, `012`, `006`, `001`. The value is 8, the derivative is $3 \cdot 2^2 = 12$. And the 6? The second derivative of $x^3$ is $6x = 12$, and
# the third is 6. So the last two are $\tfrac{1}{2} f''$ and $\tfrac{1}{6} f'''$. That is Taylor's series, digit by digit:
#
# $$f(a + h) = f(a) + f'(a)\,h + \tfrac{1}{2} f''(a)\,h^2 + \tfrac{1}{6} f'''(a)\,h^3 + \dots$$
#
# A dual number keeps the first two terms. To keep more, you need no new class: a derivative is a function, so it has a derivative.
# `mg.derivative` gives each level an $\varepsilon$ of its own, so that they cannot be confused. Here is the growing wave of lesson 02 again. Its
# value and slope at 1 are both about 1, and its next top is near 1.8. Is the second derivative at 1 positive or negative?


# %%
def wave(x):
    return np.sin(x) * np.exp(x / 4)


def prime(g):
    return lambda x: mg.derivative(g, x)


print("value:            ", wave(1.0))
print("slope:            ", prime(wave)(1.0))
print("second derivative:", prime(prime(wave))(1.0))

# %% [markdown]
# Negative: the slope decreases as you go to the right, until it is 0 at the top. The second derivative says how the slope *changes*. That is
# [curvature](glossary.ipynb#Curvature): negative bends down, as at a hilltop; positive bends up, as in a valley.
#
# With $n$ derivatives at one point we can build the polynomial that shares all of them, the [Taylor
# polynomial](glossary.ipynb#Taylor-polynomial). The first is the tangent line. The second is a parabola that touches $f$ *and bends* as it
# does.


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
plots.show(
    figure,
    "Taylor polynomials at x = 1: to the right of the dot each order stays on the wave farther than the one before.",
)

# %% [markdown]
# All four use the wave at *one point only*. They describe it near that point, but they do not tell you how far "near" reaches. Keep that in mind
# for the end of this lesson. Almost all uses of higher derivatives need only **two**. So from here on: two.
#
# ## From curvature to steps
#
# Back to the fog. You know value, slope and curvature where you stand, so you know a parabola. If it opens upwards, it has a lowest point:
#
# $$f(x + s) \approx f + f' s + \tfrac{1}{2} f'' s^2 \qquad\Rightarrow\qquad f' + f'' s = 0 \qquad\Rightarrow\qquad s = -\frac{f'}{f''}$$

# %%
slope, curvature = -12.0, -9.0 - -12.0  # of the valley at the beginning: the slope grows by 3 with each metre
metres = -slope / curvature
print(f"{metres:g} metres to the bottom of the parabola")

# %% [markdown]
# Who answered 12 went as far as the slope says, and would be on the other side, where the slope is $+24$.
#
# Jump to the lowest point, look again, jump again. That is [Newton's method](glossary.ipynb#Newton's-method): the slope says in which direction,
# and the curvature says how far. On the wave we start at $x = 4.3$. Watch the slope.
#
# {guess "How many jumps does it take until the slope is within 1e-15 of 0?": jumps | next(k for k, x in enumerate(path) if abs(prime(wave)(x)) < 1e-15)}

# %%
x, path = 4.3, []
for jump in range(6):
    slope, curvature = prime(wave)(x), prime(prime(wave))(x)
    path.append(x)
    print(f"after {jump} jumps: x = {x:.15f}   slope = {slope:+.1e}")
    x = x - slope / curvature
assert abs(slope) < 1e-14

# %% [markdown]
# Look at the exponents of the last lines: each is about twice the one before. **Near the bottom, the number of right digits about
# doubles with every jump.** Here are the first two jumps:

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
assert curvature < 0 < 1e-14 - abs(slope)  # it arrived at a top

# %% [markdown]
# **Up, to the top.** The method looks for a flat place, and a hilltop is flat. Where the curvature is negative, the parabola opens downwards
# and its "lowest" point is its highest. No error was raised. The sign of the curvature would have warned us.
#
# ## Many inputs: the slope of a slope, in every direction
#
# With two inputs there are two slopes, and each changes in two directions. Four second derivatives, in a square: the [Hessian](glossary.ipynb#Hessian).
#
# $$H = \begin{pmatrix} \partial^2 f/\partial x\,\partial x & \partial^2 f/\partial x\,\partial y \\ \partial^2 f/\partial y\,\partial x & \partial^2 f/\partial y\,\partial y \end{pmatrix}$$
#
# Take the rectangle of lesson 05: $f = a\,b$ with $a = x\,y$ and $b = a + x$. There you put the lines of its backward pass in order. Here they
# are once more, as a function:


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
# Send in $x = 2 + 1\varepsilon$, and $y = 3$ with the tangent 0. What will the tangents of the result mean? By hand: $f = x^2 y^2 + x^2 y$, so
# $\partial f/\partial x = 2xy^2 + 2xy$ and $\partial f/\partial y = 2x^2y + x^2$. Work out how the two change with $x$.

# %%
gradient(mg.Dual(2.0, 1.0), mg.Dual(3.0, 0.0))

# %% [markdown]
# $2y^2 + 2y = 24$ and $4xy + 2x = 28$: the first **column** of the Hessian, as the tangent of the gradient. This is called [forward over
# reverse](glossary.ipynb#Forward-over-reverse): reverse mode writes a program for the gradient, and forward mode goes through that program.
#
# You need not write the program by hand. `mg.grad` makes the gradient of a function, and `mg.jvp` sends dual numbers through it. From now on a
# point is a row of numbers:


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
# Two passes, two columns. The backward pass through a backward pass, with which lesson 05 ended, gives a row:

# %%
x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
a = x * y
x_bar, y_bar = mg.adjoints(a * (a + x), [x, y])
x_bar.backward()
print("first row, by reverse over reverse:", x.grad, y.grad)
whole = mg.hessian(diamond)(point).tolist()
says("the whole Hessian: {}", whole, when=lambda H: H == [[24, 28], [28, 8]])

# %% [markdown]
# The first row and the first column are the same numbers: **the Hessian is symmetric**, wherever the second derivatives are continuous.
#
# Watch a larger Hessian being filled in, drawn with a tile for each entry. This function has six inputs, and each is combined only with its neighbours. `v[1:]` is the row without its
# first number, `v[:-1]` the row without its last.
#
# $$f(v) = (v_1 - v_0^2)^2 + (v_2 - v_1^2)^2 + \dots + (v_5 - v_4^2)^2$$
#
# Before you run the cell: **which of the 36 tiles must be 0?**


# %%
def neighbours(v):
    return mg.sum((v[1:] - v[:-1] ** 2) ** 2)


def product(f, at, direction):
    """The Hessian of f, times a direction: forward mode through the gradient."""
    return mg.jvp(mg.grad(f), (at,), (direction,))[1]


v = np.array([1.0, -1.0, 2.0, 0.5, 1.0, -2.0])
unit = np.eye(6)  # row k is the direction in which only input k moves
columns = np.array([product(neighbours, v, unit[k]) for k in range(6)]).T
near = np.abs(np.subtract.outer(range(6), range(6))) <= 1  # the diagonal and its two neighbours
assert np.array_equal(columns != 0, near)


def after(passes):
    return np.where(np.arange(6) < passes, columns, np.nan)


tiles(
    {"after 1 pass": after(1), "after 3": after(3), "after 6": after(6)},
    "A Hessian of six inputs, a column for each pass. Only the diagonal and its two neighbours are not zero.",
)

# %% [markdown]
# Six passes, and 20 of the 36 numbers are zeros. This is a good place to stop for today.
#
# ## One direction is often enough
#
# What does one pass in *any* direction $d$ mean? With $d$ as the tangent of the input, the tangent of the gradient says how the gradient
# changes when you move along $d$:
#
# $$\nabla f(x + h\,d) = \nabla f(x) + h\;H d + \dots$$
#
# That is the [Hessian-vector product](glossary.ipynb#Hessian-vector-product) $H d$: the matrix times a vector, **without the matrix**.
# `mg.hvp` computes it in one call. In the fog it answers: *if I walk in this direction, how does the ground bend?* For a direction of
# length 1, that curvature is the number $d \cdot H d$.

# %%
downhill = -mg.grad(neighbours)(v)
d = downhill / np.linalg.norm(downhill)
print("our product:", product(neighbours, v, d).round(4))
print("mg.hvp:     ", mg.hvp(neighbours, v, d).round(4))
print("H times d:  ", (columns @ d).round(4))
print("curvature downhill:", d @ mg.hvp(neighbours, v, d))

# %% [markdown]
# A bowl has directions of its own. Here is a bowl, seen from above. From its bottom we look along three directions $d$, black, each with its
# $H d$, coloured and drawn at a fifth of its length:

# %%
bowl = np.array([[5.0, 3.0], [3.0, 5.0]])  # its Hessian
curvatures, axes_of_bowl = np.linalg.eigh(bowl)  # the axes are columns
looks = {"an axis": axes_of_bowl[:, 0], "the other axis": axes_of_bowl[:, 1], "between": np.array([1.0, 0.0])}
places, colours = [(0.8, -0.75), (1.15, 1.15), (1.05, 0.5)], [plots.BLUE, plots.VERMILLION, plots.GREEN]

figure, axes = plots.canvas(6.0, 4.2)
east, north = np.meshgrid(np.linspace(-1.3, 2.4, 80), np.linspace(-1.3, 1.4, 80))
heights = (5 * east**2 + 6 * east * north + 5 * north**2) / 2
axes.contour(east, north, heights, levels=[0.5, 1, 2, 4], colors=plots.GREY, linewidths=1)
for (name, d), place, colour in zip(looks.items(), places, colours, strict=True):
    d = d * np.sign(d[0])
    axes.arrow(0, 0, *(bowl @ d / 5), color=colour, width=0.04, alpha=0.7, length_includes_head=True)
    axes.arrow(0, 0, *d, color=plots.BLACK, width=0.005, head_width=0.06, length_includes_head=True)
    plots.label(axes, *place, f"{name}: curvature {d @ bowl @ d:.0f}", plots.INK.get(colour, colour))
axes.set_aspect("equal")
plots.show(figure, "A bowl from above: along its two axes H d has the direction of d, and between them it has another.")

# %% [markdown]
# Along the two axes of the ellipses, $H d$ points where $d$ points: $H d = \lambda d$. Such directions are called eigenvectors, and $\lambda$,
# the curvature along them, is the eigenvalue. They are at right angles to each other, and all other directions have curvatures in between. Every
# symmetric matrix has such axes, as many as there are inputs. If an eigenvalue is negative, the ground bends down along its axis.
#
# ## What it costs
#
# One gradient costs a few evaluations, whatever the number of inputs. Forward mode through it multiplies that by a small factor. And the whole
# Hessian takes a pass for each input. Draw three curves over the number of inputs: gradient, product, Hessian.

# %%
sizes = [10, 30, 100, 300, 1_000, 3_000, 10_000]
points = [np.linspace(-1.0, 1.0, n) for n in sizes]
directions = [np.cos(np.arange(n)) for n in sizes]


def milliseconds(*jobs):
    """The median for each of the jobs, which take turns, in milliseconds of the processor."""
    return 1e3 * np.median(in_turns(jobs, 9, budget=0.5, clock=time.process_time), axis=0)


by_gradient, by_product = np.transpose([
    milliseconds(lambda p=p: mg.grad(neighbours)(p), lambda p=p, d=d: mg.hvp(neighbours, p, d))
    for p, d in zip(points, directions, strict=True)
])  # fmt: skip
by_table = [milliseconds(lambda p=p: mg.hessian(neighbours)(p))[0] for p in points[:4]]

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
often = f"A product takes as long as {ratio.min():.1f} to {ratio.max():.1f} gradients"
plots.show(
    figure,
    f"{often}, for 10 inputs up to 10,000. The whole Hessian takes longer and longer as the number of inputs grows.",
)

# %% [markdown]
# **About two gradients**, whatever the number of inputs. And how many bytes does it take? At 10,000 inputs the whole Hessian has $10^8$ numbers of 8 bytes: 800 MB.

# %%
many, d = points[-1], directions[-1]

# %%
# %%measure
mg.hvp(neighbours, many, d)

# %% [markdown]
# Divide the bytes allocated by the 80,000 of one row of 10,000 numbers: that is about thirty rows, and it is as many with a million inputs. The matrix was never
# computed.
#
# ## Steps in a valley
#
# Now let us take steps. The simplest way is [gradient descent](glossary.ipynb#Gradient-descent): a step against the gradient, as long as the
# gradient times a number $\eta$ that you choose.
#
# $$x \leftarrow x - \eta\,\nabla f(x)$$
#
# Our valley is a famous one (Rosenbrock, 1960): shaped like a banana, with steep walls and an almost level floor. Its lowest point is at
# $(1, 1)$.


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
print(f"at the start: height {banana(start):.3g}")
for rate in (0.01, 0.001):
    last = descend(banana, start, rate, 5)[-1]
    print(f"rate {rate}: after 5 steps at {last}, height {banana(last):.3g}")
    assert (banana(last) > banana(start)) == (rate == 0.01)

# %% [markdown]
# From height 24, one of them left the valley and went far up. Which rate is too large? **The curvature tells.** Along an axis with the curvature
# $\lambda$ the ground is a parabola, and a step takes you from $s$ to $s - \eta \lambda s = (1 - \eta\lambda)\,s$. For $\eta\lambda > 2$ you end
# up farther away than you were, on the other side: as after the 12 metres.
#
# So we need the largest curvature. With the product that is easy: multiply a direction by $H$ again and again. Every product stretches the part
# of it along each axis by the curvature of that axis, so the axis with the largest curvature, up or down, wins.


# %%
def largest_curvature(f, at, products=60):
    d = np.cos(3.0 * np.arange(len(at)))  # any that is not at a right angle to the axis that wins
    for _ in range(products):
        d = mg.hvp(f, at, d)
        length = np.linalg.norm(d)
        d = d / length
    return length  # for a negative curvature, its absolute value


by_products = largest_curvature(banana, start)
print("largest curvature at the start:", by_products)
print("from the whole Hessian:        ", np.linalg.eigvalsh(mg.hessian(banana)(start)).max())
says("a rate must be below            {:.6f}", 2 / by_products, when=lambda rate: 0.001 < rate < 0.01)
for end in ([-1.0, 1.0], [1.0, 1.0]):
    floor, wall = np.linalg.eigvalsh(mg.hessian(banana)(np.array(end)))
    says(
        "at {}: across the valley {:.0f}, along its floor {:.2f}",
        end,
        wall,
        floor,
        when=lambda _, w, f: 0.35 < f < 0.45,
    )

# %% [markdown]
# So at the start 0.01 was too large, and 0.001 is allowed. But the *floor* of the valley is nearly level: a rate that is small enough for the walls is far too
# small there.
#
# Newton's method has no rate. With many inputs, the lowest point of the parabola is where its gradient is 0: solve $H s = -\nabla f$, and
# step by $s$. Along each axis the slope is divided by the curvature of that axis, so the level floor gets a long step.
#
# {guess "Gradient descent gets 2,000 steps, Newton 7. Which ends up lower?": gradient descent, Newton | min(paths, key=lambda name: banana(paths[name][-1]))}


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
caption = "Gradient descent drops to the floor of the valley at once, and then moves slowly along it. "
caption += "Newton gets to the bottom in seven jumps, one of them far up the wall."
assert banana(paths["Newton"][-1]) < 1e-10 < 0.01 < banana(paths["gradient descent"][-1])
assert banana(paths["Newton"][2]) > banana(start) > banana(paths["Newton"][1])  # the second jump went up
valley(banana, paths, (-1.7, 1.7, -3.4, 2.2), caption)

# %% [markdown]
# Newton arrived. Gradient descent is still on its way. But look at the second jump: it went *up*, far up the wall, because a parabola fitted
# on this side does not describe the bend ahead. From there the next jump came back.
#
# ## Where it fails
#
# Here is a saddle: a pass between two hills, with a valley on either side. The start is a little off the pass. Where should a method that looks for minima go? Where will Newton go?


# %%
def saddle(p):
    x, y = p[0], p[1]
    return x**4 / 4 - x**2 / 2 + y**2 / 2


here = np.array([0.3, 0.5])
ends = {"gradient descent": descend(saddle, here, 0.3, 30)[-1], "Newton": newton(saddle, here, 6)[-1]}
for name, end in ends.items():
    print(f"{name:17s} ends at {end.round(4) + 0.0}, height {saddle(end):+.4f}")
slope, step = mg.grad(saddle)(here), newton(saddle, here, 1)[1] - here
print("slope times Newton's first step:", slope @ step)
print("curvatures here:", np.linalg.eigvalsh(mg.hessian(saddle)(here)))
print(
    f"height at the start {saddle(here):+.4f}, after one step {saddle(here + step):+.4f}, at the pass {saddle(np.zeros(2)):+.4f}"
)
assert (here + step)[0] ** 2 < here[0] ** 2  # along x it goes towards the pass, which is uphill
assert slope @ step < 0
assert np.allclose(ends["Newton"], 0)

# %% [markdown]
# **Newton went to the pass, uphill along $x$, and stayed there.** It is flat there. One curvature is negative, and along its axis Newton goes up,
# as it did on the wave. In the first step the height falls all the same, because along $y$ it loses more than that. The signs of the
# curvatures would have warned us here as well.
#
# The usual cures: use $|\lambda|$ in place of $\lambda$; or add a constant to the diagonal of $H$, large enough to make all curvatures positive.
# In the exercise you will build one.
#
# Why doesn't everybody train networks like this? The loss of a network has many saddles, its gradient is computed on a few examples at a time
# and is noisy, and to solve for a step without the matrix takes many products. So gradient descent and its variants are used there. But the products are used: to find how large
# a rate may be, and to study the curvature of a network's loss.

# %% [markdown]
# ## In five lines
#
# 1. A derivative is a function, so it has a derivative. Taylor's terms after the second contain the higher ones: $f''/2$, $f'''/6$, ...
# 2. The Hessian is the matrix of second derivatives. It is symmetric, and one pass of dual numbers through the gradient gives a column: forward over reverse.
# 3. One pass in any direction gives $H d$ without the matrix, at the cost of about two gradients, whatever the number of inputs.
# 4. Curvature says how far you may step: gradient descent diverges above a rate of $2/\lambda$, with the largest curvature $\lambda$; Newton's method jumps to the lowest point of the fitted parabola.
# 5. Newton's method looks for flat places, whether minima, maxima or saddles. Where a curvature is negative it has to be modified.
#
# ## Your turn
#
# Exercise: [exercises/06_higher_derivatives](../exercises/06_higher_derivatives/06_higher_derivatives.ipynb). You write the gradient of a small function, send dual numbers through it, and build a Newton's method that beats gradient descent and does not climb hills.
#
# [Your own engine](../project/project.ipynb): second derivatives are one of its choices, milestone 10.
#
# **Next: [7 · Arrays](07_arrays.ipynb).** So far a node held one number, or a row of them that was treated entry by entry. Next come matrices, and what happens to
# adjoints when shapes differ.

# %% [markdown]
# ## Further

# %% [markdown]
# **More derivatives, and a worse fit.** Here is another smooth function, $1/(1 + x^2)$, with its derivatives at 0. Which order fits best at
# $x = 1.3$?


# %%
def hill(x):
    return 1 / (1 + x * x)


print("the hill itself at 1.3:", hill(1.3))
orders = {n: sum(c * 1.3**k for k, c in enumerate(taylor(hill, 0.0, n))) for n in (2, 4, 6, 8)}
for order, value in orders.items():
    print(f"order {order}: {value:.2f}")
assert list(orders.values()) == sorted(orders.values(), key=lambda value: abs(value - hill(1.3)))

# %% [markdown]
# Each is worse than the one before. The series is $1 - x^2 + x^4 - x^6 + \dots$, and beyond $|x| = 1$ its terms grow.
#
# **Several columns in one pass.** Most of the Hessian of `neighbours` is zeros. Columns 0 and 3 have no nonzero row in common. So both
# directions can go in one pass: their results cannot mix. Three passes give everything, with 6,000 inputs as well.

# %%
together = [product(neighbours, v, unit[k] + unit[k + 3]) for k in range(3)]
rebuilt = np.zeros((6, 6))
for row in range(6):
    for column in range(max(0, row - 1), min(6, row + 2)):  # the tiles that are not zero
        rebuilt[row, column] = together[column % 3][row]

says("three passes, and the Hessian is complete: {}", np.array_equal(rebuilt, columns), when=bool)

# %% [markdown]
# **A hundred inputs, without the Hessian.** A rubber rope is fixed at both ends and hangs. Neighbouring points are connected by a spring that
# gets stiffer the more it is stretched, and every point has weight. The rope takes the shape with the lowest energy, which is a function of a
# hundred heights.

# %%
n = 100


def spring(stretch):
    return stretch**2 / 2 + stretch**4 / 4


def energy(v):
    ends = spring(n * v[0]) + spring(n * v[-1])
    return (mg.sum(spring(n * (v[1:] - v[:-1]))) + ends + 20 * mg.sum(v)) / n


# %% [markdown]
# Newton needs the solution of $H s = -\nabla f$. There are methods that solve such equations **using nothing but products $H d$**, where all
# curvatures are positive. Those of the rope are: every spring pulls back. The best known, *conjugate gradients*, is in SciPy. We give it our
# product and no matrix. Newton starts with a level rope.

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
counts = products, n * (len(shapes) - 1), 3 * (len(shapes) - 1)
says(
    "{} products in all; the whole Hessian at each step would take {}\nand with the three passes from above, since only "
    "neighbours are connected: {}",
    *counts,
    when=lambda ours, all_columns, three: 10 * three < ours < all_columns,
)

# %% [markdown]
# To compare fairly: a product costs about two gradients. So gradient descent gets two gradients for each of Newton's products. Its rate must
# be below $2/\lambda$, and we even tell it the $\lambda$ at the solution. What does its rope look like?

# %%
stiff = largest_curvature(energy, shape)
crawl = descend(energy, np.zeros(n), 1 / stiff, 2 * products)

last = len(shapes) - 1
soft = np.linalg.eigvalsh(mg.hessian(energy)(shape))[0]  # for this alone, the whole Hessian
says("largest curvature: {:.0f}, {:,.0f} times the smallest", stiff, stiff / soft, when=lambda _, times: times > 2_000)
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
plots.show(figure, "Newton's rope first goes too far down, and comes back. The other rope has hardly begun to sag.")

# %% [markdown]
# A hundred inputs, nine steps, and Newton never computed the Hessian. How much that saves depends on the function: this rope's
# largest curvature is thousands of times its smallest, so a step takes many products, and whoever knows where the zeros are needs far
# fewer. Where neither the zeros are known nor the matrix can be stored, products are all that is left.
#
# **The source.**
#
# - [minigrad/core/functional.py](../minigrad/core/functional.py): `hvp` and `hessian`, each in a few lines.
# - [minigrad/core/graph.py](../minigrad/core/graph.py): `tangents` is forward mode through a graph; `hvp` uses it on the graph of the gradient.
# - [minigrad/core/rules.py](../minigrad/core/rules.py): the partial derivatives are written in the same operations as everything else. That is why they can be differentiated once more.
#
# **The papers.**
#
# - E: the essay *Automatic differentiation for machine learning in Julia*: dual numbers by Taylor's theorem, of which this lesson keeps more terms.
# - B. A. Pearlmutter, *Fast exact multiplication by the Hessian* (1994): the product, at about the cost of a gradient.
# - A. R. Curtis, M. J. D. Powell, J. K. Reid, *On the estimation of sparse Jacobian matrices* (1974): several columns in one pass.
# - J. Nocedal, S. J. Wright, *Numerical Optimization* (2006), chapters 3 and 7: Newton's method, its cures, and how to do it with products only.
# - H. H. Rosenbrock, *An automatic method for finding the greatest or least value of a function* (1960): the banana.
