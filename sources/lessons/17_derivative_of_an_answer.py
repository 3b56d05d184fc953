# Lesson 17. What a reader has behind them: Newton's method (06), arrays (07), layers (10), an operation of one's own (15).

# %% [markdown]
# # 17 · The derivative of an answer
#
# A program looks for a number: it tries, corrects, tries again, and stops when the number is good enough. The number depends on what the program was given. **How does an answer change with the question?**
#
# Reverse mode could go back through every try. But an answer does not remember how it was found. All that it has to do is to satisfy its equation.
#
# By the end you will have
#
# - differentiated a root without differentiating the method that found it;
# - seen what the derivative of a stopped loop is worth, and where no derivative exists;
# - learned hundreds of numbers through the solution of a system of equations;
# - trained a layer that is an equation, in constant memory.
#
# *Time: about 32 minutes{first run}.* **Small**: pictures of 14 × 14 pixels. **Full**: of 28 × 28, and 784 numbers to learn.

# %% [markdown]
# **Before you read on.** $x^3 + x = 10$ has one solution, $x = 2$. The 10 becomes 10.13. By about how much does the solution grow? A pencil will do, and nothing needs to be solved again.
#
# {guess "By about how much does the solution of x³ + x = 10 grow, if the 10 becomes 10.13?": | grows}

# %%
import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.core.operation import Operation, stored
from minigrad_course.says import says
from minigrad_course.viz import plots

full = mg.data.size() == "full"
print(f"Size: {mg.data.size()}. The other one: open the course by `minigrad lab --size {'small' if full else 'full'}`.")

# %% [markdown]
# ## Back through the steps
#
# In [lesson 06](06_higher_derivatives.ipynb) Newton's method looked for a level place: each step divided a slope by its curvature. The same method finds a [root](glossary.ipynb#Root), where $F(x, a) = x^3 + x - a$ is 0: each step divides the height by its slope, $x \leftarrow x - F / F_x$, with $F_x = \partial F/\partial x = 3x^2 + 1$.
#
# The steps are made of operations that minigrad knows. So they can be recorded, with $a = 10$ as the variable, and a backward pass goes through all of them.


# %%
def F(x, a):
    return x**3 + x - a


def newton(a, steps, x=1.0):
    for _ in range(steps):
        x = x - F(x, a) / (3 * x**2 + 1)
    return x


for steps in range(1, 7):
    a = mg.Variable(10.0, name="a")
    x = newton(a, steps)
    x.backward()
    through = len(mg.Graph(x).nodes)
    print(f"{steps} steps: x = {x.value:.12f}   dx/da = {a.grad:.12f}   {through} nodes")

# %% [markdown]
# The derivative, 0.0769..., settles along with $x$. The graph grows with every step: nodes to keep, and to go back through. Is all that needed?
#
# ## Back through the equation
#
# At the solution $F(x, a) = 0$. Move $a$ a little, and the solution moves so that $F$ *stays* 0. To first order:
#
# $$F_x\, dx + F_a\, da = 0 \qquad\Rightarrow\qquad \frac{dx}{da} = -\frac{F_a}{F_x}$$
#
# No step of any method occurs in it. This is [implicit differentiation](glossary.ipynb#Implicit-differentiation). Both partial derivatives come from one backward pass through $F$, at the solution.
#
# {guess "The graph of all six steps has as many nodes as the last line says. How many does the graph of F have?": nodes | once}

# %%
x, a = mg.Variable(x.value, name="x"), mg.Variable(10.0, name="a")
left = F(x, a)
left.backward()
once = len(mg.Graph(left).nodes)
implicit = -a.grad / x.grad
grows = 0.13 * implicit
print(f"F_x = {x.grad:g}, F_a = {a.grad:g}, dx/da = {implicit:.12f}, {once} nodes instead of {through}")
says("x grows by {:.5f}, to first order {:.2g}", newton(10.13, 8) - 2, grows, when=lambda x, y: abs(x - y) < 1e-4)
assert once < through / 5

# %% [markdown]
# $F_x = 13$, so $x$ grows by about $0.13 / 13$. Who answered 0.026 let $x$ grow by the same percentage as 10 does; who answered 0.0108 divided by 12, and forgot that the second $x$ grows as well.
#
# In reverse mode $\bar x$ arrives, and $\bar a$ is asked for. With the four words that you know:
#
# - **seed** $F$, not with 1 but with $\lambda = -\bar x / F_x$;
# - take the operations of $F$ in **order**, last one first;
# - **go back** through them to $a$;
# - **add up** where the equation uses $a$ twice.
#
# Here are all solutions at once: a curve. Its tangent is the derivative.

# %%
figure, axes = plots.canvas(7, 3.4)
heights = np.linspace(0, 3, 200)
axes.plot(heights**3 + heights, heights, color=plots.BLUE)
plots.label(axes, 24.5, 2.45, "x³ + x = a", plots.BLUE)
near = np.array([-9.0, 14.0])
axes.plot(10 + near, 2 + implicit * near, "--", color=plots.VERMILLION, lw=1.5)
for steps in range(4):
    axes.plot(10, newton(10.0, steps), "o", color=plots.GREY, ms=5)
    if steps < 3:
        plots.label(axes, 9.6, newton(10.0, steps), f"after {steps}", plots.GREY, ha="right", va="center")
axes.plot(10, 2, "o", color=plots.VERMILLION)
axes.set(xlabel="a", ylabel="x", ylim=(0, 3.2), title="The solution as a function of the right side")
plots.show(
    figure,
    f"The solutions of x³ + x = a. Newton's steps, grey, move along one vertical line; the tangent, dashed, has the slope {implicit:.3f}.",
)

# %% [markdown]
# ## Break it: a double root
#
# $x^3 - 3x = a$ has up to three solutions. Follow the largest as $a$ falls: at $a = 2$ it is 2, at $a = -2$ it is 1. There the slope $F_x = 3x^2 - 3$ is 0, and the formula divides by it. What will be printed at $-2$: an error, infinity, or a number?


# %%
def largest(a, steps=60, x=2.0):
    for _ in range(steps):
        x = x - (x * x * x - 3 * x - a) / (3 * x * x - 3)
    return x


by_equation, by_steps = {}, {}
for a in (2.0, -1.9, -1.999, -1.99999, -2.0):
    x = largest(a)
    by_equation[a], by_steps[a] = 1 / (3 * x * x - 3), mg.derivative(largest, a)
    print(f"a = {a:8}: x = {x:.9f}   equation {by_equation[a]:16.6f}   through the steps {by_steps[a]:16.6f}")
assert 9.9 < by_equation[-1.99999] / by_equation[-1.999] < 10.1
assert max(abs(by_equation[-2.0]), abs(by_steps[-2.0])) > 1e5

# %% [markdown]
# **A number, and no error.** Rounding keeps $x$ a little off 1, and the formula divides by what is left. The lines above it show what happens: from $-1.999$ to $-1.99999$ the distance to $-2$ is divided by 100, and the derivative is multiplied by 10, the root of that. It has no limit. To the left of $-2$ this root is gone. Going back through the steps is no better. So look at $F_x$ before you divide by it.

# %%
figure, axes = plots.canvas(7, 3.2)
heights = np.linspace(-2.2, 2.2, 300)
axes.plot(heights**3 - 3 * heights, heights, color=plots.GREY, lw=1.5)
upper = heights[heights >= 1]
axes.plot(upper**3 - 3 * upper, upper, color=plots.BLUE, lw=3)
axes.axvline(-2, color=plots.VERMILLION, ls="--", lw=1)
axes.plot(-2, 1, "o", color=plots.VERMILLION)
plots.label(axes, -1.7, 0.75, "two roots meet", plots.VERMILLION)
plots.label(axes, 0.5, 2.1, "the root followed", plots.BLUE, ha="right")
axes.set(xlabel="a", ylabel="x", xlim=(-4.5, 4.5), title="x³ − 3x = a: at a double root the tangent is vertical")
plots.show(figure, "In blue the root followed above. It ends where its tangent is vertical: no slope there.")

# %% [markdown]
# ## The trap: stopped early
#
# Press the cosine key of a calculator, set to radians, again and again: the number settles where $x = \cos x$. That is a [fixed point](glossary.ipynb#Fixed-point), $x = g(x, a)$, here with $g = \cos(a x)$ and $a = 1$. With $F = x - g$ the formula reads
#
# $$\frac{dx}{da} = \frac{g_a}{1 - g_x} = (1 + g_x + g_x^2 + \dots)\, g_a$$
#
# The sum on the right is what reverse mode does when it goes back through the rounds: each round back multiplies by a slope once more, near the answer by $g_x$, and adds a term. The equation has the whole sum in one division.
#
# Near the answer each round multiplies the error of $x$ by about $|g_x|$. Suppose that we stop after 16 rounds. Which derivative is nearer to the truth: the one through the 16 rounds, or the formula's, at the same $x$?
#
# {guess "Which derivative is nearer to the true one after 16 rounds?": through the rounds, by the equation | nearer}


# %%
def rounds(a, k, x=1.0):
    for _ in range(k):
        x = mg.cos(a * x)
    return x


def by_formula(x, a=1.0):
    return -x * np.sin(a * x) / (1 + a * np.sin(a * x))


answer = float(rounds(1.0, 200))  # float64: it has settled
truth = by_formula(answer)
counts = range(1, 61)
off = {"x": [], "through the rounds": [], "by the equation": []}
for k in counts:
    x = float(rounds(1.0, k))
    off["x"].append(abs(x - answer))
    off["through the rounds"].append(abs(mg.derivative(lambda a, k=k: rounds(a, k), 1.0) - truth))
    off["by the equation"].append(abs(by_formula(x) - truth))
at_16 = {name: values[15] for name, values in off.items()}
nearer = min(("through the rounds", "by the equation"), key=at_16.get)
for name, error in at_16.items():
    print(f"after 16 rounds, {name:18}: off by {error:.1e}")
print(f"the sum with the answer's slope, cut off after 16 terms: off by {abs(np.sin(answer) ** 16 * truth):.1e}")
central = (rounds(1 + 1e-6, 16) - rounds(1 - 1e-6, 16)) / 2e-6
print(f"through 16 rounds {mg.derivative(lambda a: rounds(a, 16), 1.0):.8f}, by a central difference {central:.8f}")
print(f"one step of Newton's method, from the root: {mg.derivative(lambda a: newton(a, 1, 2.0), 10.0):.12f}")

# %%
figure, axes = plots.canvas(7, 3.4)
for (name, errors), colour in zip(off.items(), (plots.GREY, plots.VERMILLION, plots.BLUE), strict=True):
    axes.semilogy(counts, errors, color=colour, ls="--" if name == "x" else "-")
for name, k, height, colour in (
    ("through the rounds", 30, 30, plots.VERMILLION),
    ("by the equation", 3, 0.002, plots.BLUE),
    ("x itself, dashed", 33, 0.008, plots.GREY),
):
    here = off[name if name in off else "x"][k - 1]
    plots.label(axes, k, here * height, name, colour, va="center")
axes.set(xlabel="rounds", title="How far off, against the limit in float64")
ratios = np.divide(off["through the rounds"], off["by the equation"])[:40]
plots.show(
    figure,
    f"Both derivatives arrive. The one through the rounds is behind by a factor that grows: {ratios[9]:.0f} after 10 rounds, {ratios[39]:.0f} after 40.",
)
assert 1 < ratios[9] < ratios[15] < ratios[29] < ratios[39]

# %% [markdown]
# The derivative through 16 rounds is not *wrong*: a central difference agrees. It is the derivative of 16 rounds. That its sum is cut off accounts for little. But each round has its slopes at the $x$ of its time. Those of round $j$ are off by a multiple of $|g_x|^j$, and the $k - j$ rounds after it multiply by $|g_x|^{k-j}$: all $k$ rounds err by a multiple of $|g_x|^k$, as $x$ does once. Hence a factor that grows with $k$. The formula errs only once, by a multiple of how far off $x$ is.
#
# Newton's method is milder: at the solution a step forgets where it came from, and one recorded step is enough: the last line printed 1/13.
#
# *This is a good place to stop and rest.*
#
# ## Many unknowns: solve with the transpose
#
# With $n$ unknowns $F_x$ is a matrix, and to divide by it is to solve. Take the system $A x = b$ itself. Move $A$ and $b$:
#
# $$dA\, x + A\, dx = db \qquad\Rightarrow\qquad dx = A^{-1}(db - dA\, x)$$
#
# An adjoint goes the other way, through the transpose. So **seed** a second system with $\bar x$ and solve it; its solution is $\bar b$, and $\bar A$ is made of both solutions:
#
# $$A^{\mathsf T}\, \bar b = \bar x \qquad\qquad \bar A = -\bar b\, x^{\mathsf T}$$
#
# minigrad's `mg.linalg.solve` has this rule. Beside it we put what it saves: elimination as school teaches it, recorded number by number.
#
# {guess "How many nodes does elimination with 12 unknowns take?": nodes | nodes[12]}


# %%
def eliminate(A, b):
    """x with A x = b, number by number; A and b are lists of nodes."""
    A, b, n = [row[:] for row in A], b[:], len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            for j in range(k + 1, n):
                A[i][j] = A[i][j] - factor * A[k][j]
            b[i] = b[i] - factor * b[k]
    x = [None] * n
    for k in reversed(range(n)):
        x[k] = (b[k] - sum(A[k][j] * x[j] for j in range(k + 1, n))) / A[k][k]
    return x


rng = np.random.default_rng(0)
nodes = {}
for n in (3, 6, 12):
    M, right = rng.standard_normal((n, n)) + n * np.eye(n), rng.standard_normal(n)
    A, b = [[mg.Variable(m) for m in row] for row in M.tolist()], [mg.Variable(r) for r in right.tolist()]
    total = sum(eliminate(A, b))
    total.backward()
    A_whole, b_whole = mg.Variable(M), mg.Variable(right)
    x = mg.linalg.solve(A_whole, b_whole)
    mg.sum(x).backward()
    apart = np.abs(A_whole.grad - [[entry.grad for entry in row] for row in A]).max()
    solves = [node for node in mg.Graph(x).nodes if getattr(getattr(node, "op", None), "name", "") == "solve"]
    nodes[n] = len(mg.Graph(total).nodes)
    print(
        f"{n:2} unknowns: {nodes[n]:4} nodes by elimination, {len(solves)} solve; adjoints of A differ by {apart:.0e}"
    )
    assert apart < 1e-12

# %% [markdown]
# For large $n$ the nodes grow with its cube, and all of them would be kept. The rule keeps $A$ and $x$, and solves once more.
#
# **Break it.** Forget the transpose: solve with $A$ instead. Here the formula meets two matrices, one of them symmetric. In which case does a check against the truth notice?

# %%
for name, M in (("symmetric", np.array([[4.0, 1.0], [1.0, 3.0]])), ("any other", np.array([[4.0, 1.0], [-2.0, 3.0]]))):
    b = mg.Variable(np.array([1.0, 2.0]))
    x_bar = np.array([1.0, 10.0])
    mg.sum(mg.linalg.solve(M, b) * x_bar).backward()
    forgot = np.linalg.solve(M, x_bar)
    print(f"{name}: the truth {b.grad.round(3)}, without the transpose {forgot.round(3)}")
    assert np.allclose(b.grad, forgot) is (name == "symmetric")

# %% [markdown]
# A test with a symmetric matrix sees nothing. The matrices of least squares, of energies and all Hessians are symmetric.
#
# ## A penalty for each pixel
#
# Something to learn through a solution. A linear classifier of digits has weights $W$ that solve
#
# $$(X^{\mathsf T} X + D)\, W = X^{\mathsf T} Y$$
#
# where $X$ holds pictures, a row each, and $Y$ a target for each class. Without $D$ it is least squares. $D$ is diagonal and positive: a **penalty** on the weights of each pixel. This is [ridge regression](glossary.ipynb#Ridge-regression). A large penalty keeps the weights of its pixel near 0.
#
# How large should it be? One penalty for all can be chosen by trying: solve for ten values, and see which does best on *other* pictures. With one for each pixel, there are too many to try. But the loss on the other pictures depends on $W$, and $W$ is an answer.

# %%
digits = mg.data.for_lesson()
side, few = (28, 2000) if full else (14, 400)


def prepared(pictures):
    pixels = pictures.reshape(-1, side, 28 // side, side, 28 // side)
    return pixels.mean(axis=(2, 4)).reshape(len(pictures), -1).astype(np.float64)


X, Y = prepared(digits.train_x), np.eye(10)[digits.train_y] - 0.1
test_X, test_Y = prepared(digits.test_x), np.eye(10)[digits.test_y] - 0.1
fit, other = slice(0, few), slice(few, 2 * few)
gram, cross, unit = X[fit].T @ X[fit], X[fit].T @ Y[fit], np.eye(side * side)


def weights(s):
    return mg.linalg.solve(gram + unit * mg.exp(s), cross)


def loss(s, X=X[other], Y=Y[other]):
    return mg.mean((X @ weights(s) - Y) ** 2)


def learned(s, updates):
    s, optimizer = mg.Variable(s), mg.optim.Adam(0.1)
    for _ in range(updates):
        loss(s).backward()
        optimizer.step([s])
        s.zero_grad()
    return s.value


tried = min(range(-4, 6), key=lambda s: float(loss(np.full(side * side, float(s)))))
best_of_one = np.full(side * side, float(tried))
s = learned(best_of_one, 40)
for name, penalties in (("the best single one", best_of_one), ("one for each pixel", s)):
    score = (test_X @ weights(penalties)).argmax(axis=1) == digits.test_y
    print(
        f"{name}: loss on the other pictures {loss(penalties):.4f}, on test pictures "
        f"{loss(penalties, test_X, test_Y):.4f}, right {score.mean():.1%}"
    )
assert loss(s) < loss(best_of_one)

# %%
figure, axes = plots.canvas(8, 3.4, columns=2)
axes[0].imshow(X[fit].mean(axis=0).reshape(side, side), cmap="gray_r")
change = (s - best_of_one).reshape(side, side)
limit = np.abs(change).max()
drawn = axes[1].imshow(change, cmap=plots.signed(), vmin=-limit, vmax=limit)
figure.colorbar(drawn, ax=axes[1], label="change of log penalty")
axes[0].set_title("Mean picture")
axes[1].set_title("What was learned")
plots.bare(*axes)
assert np.array_equal(s == best_of_one, ~X[fit].any(axis=0))
plots.show(
    figure,
    f"Of {side * side} penalties {np.sum(s < best_of_one)} fell (blue): their pixels may speak louder. {np.sum(s > best_of_one)} rose (orange). The others belong to pixels without ink in the pictures that were fitted.",
)

# %% [markdown]
# Forty updates took forty solves and forty more with the transpose, for any number of penalties. Careful: so many penalties can learn the *other* pictures by heart. That is why the loss on test pictures stands beside theirs.
#
# ## A layer that is an equation
#
# A layer applied again and again, with the same weights, may settle: $z = \tanh(z W + c)$, where $c = x U + b$ is made of the input. A [deep equilibrium](glossary.ipynb#Deep-equilibrium) layer *is* that fixed point: as if it had infinitely many layers. Its adjoint needs one system for each example. With $d = 1 - z^2$, the slope of $\tanh$:
#
# $$u\,(I - \operatorname{diag}(d)\, W^{\mathsf T}) = \bar z \qquad \bar c = d\, u \qquad \bar W = z^{\mathsf T} \bar c$$
#
# In lesson 15 you wrote an operation. This one looks for its value by any loop that it likes, and its `vjp` knows nothing of the loop.


# %%
class Equilibrium(Operation):
    """z with z = tanh(z W + c), a row for each example."""

    name = "equilibrium"

    def value(self, W, c, out=None):
        z, self.rounds, apart = np.zeros_like(c), 0, np.inf
        while apart > 1e-12:
            z, before = np.tanh(z @ W + c), z
            self.rounds, apart = self.rounds + 1, np.abs(z - before).max()
            if self.rounds > 1000:
                raise ValueError("it has not settled in 1000 rounds: there is no answer yet to differentiate")
        return stored(z, out)

    def vjp(self, i, adjoint, z, W, c):
        c_bar = (1 - z * z) * self.solved(adjoint, z, W)
        return z.T @ c_bar if i == 0 else c_bar

    def jvp(self, i, tangent, z, W, c):
        return self.solved((1 - z * z) * (z @ tangent if i == 0 else tangent), z, W, transposed=True)

    def solved(self, rows, z, W, transposed=False):
        system = np.eye(len(W)) - W * mg.expand_dims(1 - z * z, 1)  # a matrix for each example
        system = mg.swapaxes(system, 1, 2) if transposed else system
        return mg.linalg.solve(system, mg.expand_dims(rows, 2))[:, :, 0]


def unrolled(W, c, rounds):
    z = mg.tanh(c)
    for _ in range(rounds - 1):
        z = mg.tanh(z @ W + c)
    return z


rng = np.random.default_rng(0)
W0, c0, w_bar = rng.standard_normal((6, 6)) / 5, rng.standard_normal((50, 6)), rng.standard_normal((50, 6))
layer, grads = Equilibrium(), {}
for name, f in (("equation", layer), ("unrolled", lambda W, c: unrolled(W, c, layer.rounds))):
    W, c = mg.Variable(W0), mg.Variable(c0)
    y = mg.sum(f(W, c) * w_bar)
    y.backward()
    grads[name] = W.grad
    held = mg.Graph(y).nodes
    print(f"{name}: {len(held):3} nodes, {sum(8 * node.size for node in held):7,} bytes in them")
apart = np.abs(grads["equation"] - grads["unrolled"]).max()
says("{} rounds to settle; adjoints of W differ by {:.0e}", layer.rounds, apart, when=lambda _, off: off < 1e-9)

# %% [markdown]
# Now put it into a network and train it, on the two moons of lesson 05. With large weights it need not settle. So the norm of $W$, the root of the sum of its squares, is kept at 0.9 or below: each round then multiplies the distance of two states by 0.9 or less, as the slope of $\tanh$ is at most 1. How many rounds it takes is printed for the first update and for the last.


# %%
class Deep(nn.Module):
    """Two coordinates, an equilibrium of 6 units, one number."""

    def __init__(self, rng=0):
        rng = np.random.default_rng(rng)
        self.inside, self.outside = (nn.Linear(*size, rng=rng, dtype=np.float64) for size in ((2, 6), (6, 1)))
        self.W = mg.Variable(rng.standard_normal((6, 6)) / 5)

    def forward(self, x):
        W = self.W * (0.9 / mg.maximum(mg.linalg.norm(self.W), 0.9))
        return self.outside(layer(W, self.inside(x)))


moon = np.arange(200) % 2
angle = rng.uniform(0, np.pi, 200)
across = np.where(moon, np.cos(angle), 1 - np.cos(angle)) + 0.1 * rng.standard_normal(200)
up = np.where(moon, np.sin(angle), 0.5 - np.sin(angle)) + 0.1 * rng.standard_normal(200)
points, sign = np.stack([across, up], axis=1), (2.0 * moon - 1)[:, None]
model = Deep()
optimizer = mg.optim.Adam(0.03)
for update in range(1, 151):
    wrong = mg.mean(mg.log(1 + mg.exp(-sign * model(points))))
    if update in (1, 150):
        print(f"update {update:3}: loss {wrong.value:.3f}, {layer.rounds} rounds, {len(mg.Graph(wrong).nodes)} nodes")
    wrong.backward()
    optimizer.step(model.parameters())
    model.zero_grad()
share = float((model(points).value * sign > 0).mean())
says("{:.0%} of the points are on the right side", share, when=lambda share: share > 0.95)

# %% [markdown]
# More rounds at the end, and no more nodes to keep.

# %% [markdown]
# ## In five lines
#
# 1. An answer satisfies an equation, and its derivative follows from that: $dx/da = -F_a / F_x$, whatever method found it.
# 2. In reverse mode: seed the equation with $\lambda = -\bar x / F_x$, and go back through it once. With many unknowns, solve with the transpose.
# 3. Going back through the rounds gives the derivative of the rounds. If these were stopped early, it is farther off than the formula at the same place.
# 4. Where roots meet, $F_x = 0$ and there is no derivative; what is printed may be just a large number.
# 5. Penalties, fixed points, layers: whatever is a solution can be learned through.
#
# ## Your turn
#
# Exercise: [exercises/17_derivative_of_an_answer](../exercises/17_derivative_of_an_answer/17_derivative_of_an_answer.ipynb). A root, a fixed point and a system of equations, forward and backward.
#
# This was the last lesson. [The map](00_start.ipynb) shows what you have not done yet.

# %% [markdown]
# ## Further
#
# **The derivative of the derivative.** The rule of `solve` is written with operations, and `solve` is one of them. The rule of our layer is, too. So both have second derivatives:

# %%
print(mg.check_gradients(lambda s: mg.sum(mg.linalg.solve(np.eye(3) * 2 + s, np.ones(3))), W0[:3, :3], order=2))
print(mg.check_gradients(lambda W, c: mg.sum(layer(W, c) ** 2), W0, c0[:2], order=2))

# %% [markdown]
# ### Read it now
#
# - [minigrad/like_numpy/linalg.py](../minigrad/like_numpy/linalg.py): `Solve`, with its rule in both directions.
# - [minigrad/core/operation.py](../minigrad/core/operation.py): what an operation has to say of itself.
#
# ### The papers
#
# - B. Christianson, *Reverse accumulation and attractive fixed points* (1994): the adjoint of a fixed point is a fixed point.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 15: derivatives of iterations.
# - M. B. Giles, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation* (2008): systems, inverses, determinants.
# - S. Bai, J. Z. Kolter, V. Koltun, *Deep equilibrium models* (2019, [arXiv:1909.01377](https://arxiv.org/abs/1909.01377)): the layer.
# - M. Blondel and others, *Efficient and modular implicit differentiation* (2022, [arXiv:2105.15183](https://arxiv.org/abs/2105.15183)): one function for all of these.
