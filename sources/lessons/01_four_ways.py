# Lesson 01. What a reader has behind them: lesson 00, Python, the chain rule, Taylor's theorem as calculus teaches it.
# Dual numbers come in 02: here automatic differentiation is two lines written by hand, and one call that is not explained yet.

# %% [markdown]
# # 1 · Four ways to differentiate
#
# Here is a small program. It takes a number and goes through a loop three times.

# %%
import numpy as np


def f(x, rounds=3, sin=np.sin):
    y = x
    for _ in range(rounds):
        y = y * sin(y)
    return y


print(f(1.0))

# %% [markdown]
# **How fast does the result change with $x$?** In other words: what is $f'(1)$, and how sure can you be of it?
#
# There are four ways to find out: by hand, numerically, symbolically, automatically. In this lesson all four are applied to the same
# program. You will see each of them succeed, and each of the first three fail. By the end you will be able to predict how many correct
# digits a numerical derivative will have, and to explain where the others went. You will have seen a formula with tens of thousands of
# operations, and a derivative that is exact up to rounding, from one more line in a loop.
#
# *Time: about 45 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*
#
# Start with a ruler. Here is the graph of $f$. How steep is it at the dot? Hold a ruler against the curve there, and write down a number.
#
# {guess: | forward(f, 1.0, 1e-6)}

# %%
from minigrad_course.says import says
from minigrad_course.viz import plots

grid = np.linspace(0, 2, 400)
figure, axes = plots.canvas(5.5, 3.4)
axes.plot(grid, f(grid), color=plots.BLUE)
axes.plot(1, f(1.0), "o", color=plots.VERMILLION)
axes.set(xlabel="x", ylabel="f(x)", xticks=np.arange(0, 2.1, 0.25), yticks=np.arange(0, 1.9, 0.25))
plots.show(figure, "The graph of f from 0 to 2: flat at first, then rising, with a dot at x = 1.")

# %% [markdown]
# ## The first way: by hand
#
# Call the results of the three rounds $a$, $b$ and $c$:
#
# $$a = x \sin x, \qquad b = a \sin a, \qquad c = b \sin b = f(x)$$
#
# Each line is a product of the result before it and its sine. So use the product rule and the chain rule: take a pencil, and write
# down $a'$, $b'$ and $c'$. (Really do it. It is worth it.)
#
# Here is a solution that somebody typed in. Is the number close to the one from your ruler? (A ruler gives something between 1.5 and 2.5.)


# %%
def by_hand(x):
    a = x * np.sin(x)
    b = a * np.sin(a)
    da = np.sin(x) + x * np.cos(x)
    db = (np.sin(a) + np.cos(a)) * da
    dc = (np.sin(b) + b * np.cos(b)) * db
    return dc


print(by_hand(1.0))

# %% [markdown]
# It looks reasonable. There is no error and no warning. But is it right? A formula does not tell you. We need a check that does not use any
# rules of calculus.
#
# ## The second way: numerically
#
# Take a step of length $h$ to the right, and see how far the function went up:
#
# $$f'(x) \approx \frac{f(x+h) - f(x)}{h}$$
#
# This is the [forward difference](glossary.ipynb#Finite-difference). It only calls the program, twice. Will it agree with the cell above?


# %%
def forward(f, x, h):
    return (f(x + h) - f(x)) / h


for h in (0.1, 0.01, 0.001, 0.0001):
    print(f"h = {h:<7} {forward(f, 1.0, h):.6f}")

# %% [markdown]
# The numbers settle down, but not at the result of `by_hand`. So that result is **wrong**, by less than your ruler can show. Find the
# mistake in the cell above before you read on; it is a factor that is easy to lose.
#
# The product rule gives $(a \sin a)' = (\sin a + a\cos a)\,a'$. Somebody forgot the second $a$:


# %%
def by_hand(x):
    a = x * np.sin(x)
    b = a * np.sin(a)
    da = np.sin(x) + x * np.cos(x)
    db = (np.sin(a) + a * np.cos(a)) * da
    dc = (np.sin(b) + b * np.cos(b)) * db
    return dc


print(by_hand(1.0))

# %% [markdown]
# That is the first way in a nutshell. A derivative by hand is exact and fast, *if* it has no slip in it, and nothing warns you of one. For
# three lines you can do it. For a network of ten thousand lines that changes every week?
#
# The finite difference needed no pencil. Its numbers were not exact, but they got closer with each smaller $h$. So: **make $h$ tiny, and be
# done?**
#
# ## How small is small?
#
# To look closely, take a function that we know well: $\sin x$ at $x = 1$. Its slope is $\cos 1$, about 0.540, and we know it to all digits.
# (This is an example of a thesis that the course follows: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*.)
#
# Before you run the cell: which of these six will be closest? And what will the last line say?
#
# {guess "Which of the six will be closest?": 1e-02, 1e-05, 1e-08, 1e-11, 1e-14, 1e-17 | f"{min((1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-17), key=lambda h: abs(forward(np.sin, 1.0, h) - truth)):.0e}"}

# %%
truth = np.cos(1.0)
print(f"exact: {truth:.15f}\n")
for h in (1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-17):
    slope = forward(np.sin, 1.0, h)
    print(f"h = {h:.0e}   {slope:.15f}   error {abs(slope - truth):.0e}")

# %% [markdown]
# It gets better, and better, and then worse again. With the smallest step, the slope of the sine is **0**.
#
# Two effects are at work. Look at the curve through a microscope. Each of the next pictures shows the sine around $x = 1$ in a window of size
# $h$. Everything is drawn in units of $h$, so the true slope (dashed) always looks the same. The line between the two dots is what `forward`
# measures. What do you expect to see in the third window?


# %%
def zoom(axes, h, x):
    """The sine around x, in units of h, with the two points and the slope that `forward` sees."""
    x, h = np.asarray(x), x.dtype.type(h)  # all in the precision of x
    t = np.linspace(-1.2, 1.2, 961).astype(x.dtype)
    axes.plot(t, (np.sin(x + t * h) - np.sin(x)) / h, color=plots.GREY)
    axes.plot(t, truth * t, "--", color=plots.BLACK, lw=1)
    axes.plot([0, 1], [0, forward(np.sin, x, h)], "o-", color=plots.VERMILLION)
    axes.set(title=f"h = {h:.2g}", xlabel="(x − 1) / h", ylim=(-1.3, 1.3))


figure, axes = plots.canvas(9, 3.2, columns=3, sharey=True)
for ax, h in zip(axes, (1, 1e-5, 5e-16), strict=True):
    zoom(ax, h, np.float64(1))
axes[0].set_ylabel("(sin x − sin 1) / h")
plots.show(
    figure,
    "The sine in three windows. h = 1: it bends away from the dashed line of the true slope. h = 1e-05: all lines "
    "are one. h = 5e-16: the curve is a staircase, and the secant joins two of its stairs.",
)

# %% [markdown]
# - **$h$ too large: the curve bends.** The second dot does not lie on the tangent.
# - **$h$ too small: the curve is a staircase.** A `float` has about 16 digits, and there is nothing between two neighbouring numbers. The secant measures the stairs.
#
# Now let us put numbers on both.
#
# ### The curve bends
#
# Taylor's theorem gives the value at $x + h$:
#
# $$f(x+h) = f(x) + f'(x)\,h + \tfrac12 f''(x)\,h^2 + \dots \qquad\text{so}\qquad \frac{f(x+h) - f(x)}{h} = f'(x) + \underbrace{\tfrac12 f''(x)\,h}_{\text{error}} + \dots$$
#
# This is the [truncation error](glossary.ipynb#Truncation-error): the series was cut off. It shrinks with $h$. If $h$ is divided by ten, so
# is the error.
#
# ### The digits run out
#
# Watch the subtraction. $\sin 1$ and $\sin(1+h)$ agree in their first digits, which cancel. What is left is all the information that the quotient gets. How many digits does the difference have, the column on the right, when $h = 10^{-12}$?
#
# {guess: digits of the difference | len(str(difference(12)))}

# %%
from IPython.display import HTML


def digits(k):
    """sin(1) and sin(1 + 10^-k), as they are printed."""
    return f"{np.sin(1.0):.16f}", f"{np.sin(1.0 + 10.0**-k):.16f}"


def difference(k):
    """Their difference, counted in the last place that is printed."""
    here, moved = (int(text.replace(".", "")) for text in digits(k))
    return moved - here


rows = ""
for k in range(2, 17, 2):
    here, moved = digits(k)
    same = next((i for i in range(18) if here[i] != moved[i]), 18)
    rows += f"<tr><td>10<sup>−{k}</sup></td><td><code>{moved[:same]}<b>{moved[same:]}</b></code></td>"
    rows += f"<td style='text-align:right'><code>{difference(k)}</code></td></tr>"
HTML(f"<table><tr><th>h</th><th>sin(1 + h)</th><th>minus sin 1</th></tr>{rows}</table>")

# %% [markdown]
# This is **cancellation**. The subtraction itself is exact. But each sine was rounded before, to the nearest number that a `float` can hold,
# and this [rounding error](glossary.ipynb#Rounding-error) remains when the leading digits cancel.
#
# How large is it? The gap between 1 and the next number is called [machine epsilon](glossary.ipynb#Machine-epsilon). Rounding moves a value
# by half a gap at most, relative to its size. There are two values, so the difference is off by up to $\epsilon\,|f|$. Then it is divided by
# $h$:
#
# $$\text{rounding error of the quotient} \;\approx\; \frac{\epsilon\,|f(x)|}{h}$$
#
# This error is large when $h$ is *small*.

# %%
for number in (np.float64, np.float32):
    print(f"{number.__name__}: epsilon = {np.finfo(number).eps:.1e}")

# %% [markdown]
# ## The V
#
# One error grows with $h$, the other with $1/h$. On logarithmic axes both are straight lines. Sketch them: error upwards, $h$ to the right.
# Which way does each of them slope? Where is the best $h$?
#
# The cell tries 361 step lengths. The thin black line is the sum of the two formulas above.
#
# {guess: | best_h}

# %%
steps = np.logspace(0, -18, 361)


def errors(way, number=np.float64):
    """The distance of `way` from cos 1, for each step length, when all is computed in this kind of number."""
    slopes = [way(np.sin, number(1), number(h)) for h in steps]
    return np.abs(np.array(slopes, float) - truth)


def expected(number=np.float64):
    """Truncation error plus rounding error, for the sine at 1, where f = |f''| = sin 1."""
    return np.sin(1.0) * (steps / 2 + np.finfo(number).eps / steps)


figure, axes = plots.canvas(7, 3.8)
axes.loglog(steps, errors(forward), color=plots.VERMILLION, lw=1)
axes.loglog(steps, expected(), color=plots.BLACK, lw=1)
axes.set(xlabel="h", ylabel="error", title="Forward difference of sin at 1", ylim=(1e-12, 10))
plots.label(axes, 3e-4, 5e-7, "the curve bends", plots.VERMILLION)
plots.label(axes, 1e-18, 3e-7, "the digits run out", plots.VERMILLION)
assert (errors(forward)[steps < 1e-16] == truth).all()
plots.show(
    figure,
    "A V on logarithmic axes. On the right the error falls with h, in a smooth line. Near h = 1e-08 it turns. On "
    "the left it rises while h shrinks, in a ragged line, until it levels off where x + h rounds to x.",
)

# %% [markdown]
# Rounding is ragged: now and then the rounding errors of the two sines happen to cancel, and some $h$ gets lucky. You cannot plan for luck. The black line is what you can rely on, except at the right-hand end, where $h$ is so large that later terms matter.

# %%
above = (errors(forward) / expected()).max()
says("the error is at most {:.3f} times what the black line says", above, when=lambda above: above < 1.125)

# %% [markdown]
#
# On the far left, where $h < 10^{-16}$, the error is as large as the truth: `1.0 + 1e-17` is `1.0`, so the difference is 0, and so is the
# quotient.
#
# ### The best $h$
#
# A sum is smallest where its derivative is zero. Here the derivative is taken with respect to $h$:
#
# $$\frac{d}{dh}\Bigl(\frac{h}{2}\,|f''| + \frac{\epsilon\,|f|}{h}\Bigr) = \frac{|f''|}{2} - \frac{\epsilon\,|f|}{h^2} = 0 \qquad\Longrightarrow\qquad h_\text{best} = \sqrt{2\,\epsilon\,\frac{|f|}{|f''|}}, \qquad \text{error} = \sqrt{2\,\epsilon\,|f|\,|f''|}$$
#
# (For this pair, $h$ and $1/h$, the two errors happen to be equal at the best $h$. With other powers of $h$ they are not: you will see that
# in the exercise.)
#
# The square root decides everything. If $\epsilon$ is $10^{-16}$, the error is about $10^{-8}$: **with this quotient at least about half of the digits are lost, whichever $h$ you take.** Does the plot agree?

# %%
eps = np.finfo(float).eps
best_h = np.sqrt(2 * eps * np.sin(1) / np.sin(1))
best_error = np.sqrt(2 * eps * np.sin(1) * np.sin(1))
near = np.abs(np.log10(steps / best_h)) < 0.5  # the steps around the best one
print(f"by the formula:     best h {best_h:.1e}, error up to {best_error:.1e}")
print(f"for h up to half a decade to either side, by the formula: error up to {expected()[near].max():.1e}")
print(f"measured there: error between {errors(forward)[near].min():.0e} and {errors(forward)[near].max():.1e}")
assert (errors(forward)[near] < 1.01 * expected()[near]).all()

# %% [markdown]
# ### The step that was really taken
#
# One rounding is easy to overlook: the computer rounds $x + h$ as well. So the step that it takes is not exactly $h$. At $x = 1$ that
# hardly matters. What about $\sin$ at 100, where the gaps between neighbouring numbers are larger? Or $\log$ near 1, where the value is
# small, but $x$ is not?
#
# There is a simple cure: divide by the step that was really taken, $(x + h) - x$, which a `float` can hold exactly. Predict the right column:


# %%
def forward_taken(f, x, h):
    right = x + h
    return (f(right) - f(x)) / (right - x)


print("the largest error, in units of truncation plus rounding, for h from 1e-5 to 1e-11:\n")
print("              divided by h    divided by the step taken")
for name, g, x, slope, bend in [
    ("sin at 1", np.sin, 1.0, np.cos(1.0), np.sin(1.0)),
    ("sin at 100", np.sin, 100.0, np.cos(100.0), np.sin(100.0)),
    ("log at 1.01", np.log, 1.01, 1 / 1.01, 1 / 1.01**2),
]:
    worst = []
    for way in (forward, forward_taken):
        tried = np.logspace(-5, -11, 200)
        promised = tried * abs(bend) / 2 + eps * abs(g(x)) / tried
        worst.append(max(abs(way(g, x, h) - slope) / bound for h, bound in zip(tried, promised, strict=True)))
    print(f"{name:12}  {worst[0]:12.1f}    {worst[1]:12.1f}")
    assert worst[1] < 1.01

# %% [markdown]
# With the step that was taken, our two formulas are a bound that holds at all three points. (Without it there is a third error, up to $\epsilon\,|x f'(x)| / 2h$.)

# %% [markdown]
# ## Look both ways
#
# Can we do better with the same floating-point precision? Take a step to the left as well, and measure from there to the right:
#
# $$f'(x) \approx \frac{f(x+h) - f(x-h)}{2h}$$
#
# Here are both with a huge step, $h = 1$. Which of the two lines is nearly parallel to the dashed one? Why?


# %%
def central(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


figure, axes = plots.canvas(5, 3.4)
zoom(axes, 1, np.float64(1))
left, right = np.sin([0, 2]) - np.sin(1)
axes.plot([-1, 1], [left, right], "s-", color=plots.BLUE)
plots.label(axes, 0.62, 0.18, "forward", plots.VERMILLION)
plots.label(axes, -0.55, -0.95, "central", plots.BLUE)
plots.show(figure, "The forward secant is much flatter than the true slope; the central one is nearly parallel to it.")

# %% [markdown]
# The errors on the two sides nearly cancel. Write down Taylor's series for $f(x+h)$ and for $f(x-h)$, and subtract. Which terms cancel? Which
# error term remains?

# %%
print("h         forward     central")
halved = (0.1, 0.05, 0.025, 0.0125)
for h in halved:
    print(f"{h:<7} {abs(forward(np.sin, 1.0, h) - truth):.1e}     {abs(central(np.sin, 1.0, h) - truth):.1e}")
for way, part in ((forward, 1 / 2), (central, 1 / 4)):
    left = max(abs(way(np.sin, 1.0, h / 2) - truth) / abs(way(np.sin, 1.0, h) - truth) for h in halved)
    says(
        "{}: half of h leaves {:.2f} of the error",
        way.__name__,
        left,
        when=lambda _, left, part=part: abs(left - part) < 0.01,
    )

# %% [markdown]
# Halve $h$: the forward error halves, the central error falls to a *quarter*. The terms with $h^2$ are the same on both sides and cancel;
# $\tfrac16 f'''(x)\,h^2$ is what remains. The truncation error of the [central difference](glossary.ipynb#Central-difference) becomes small
# sooner, so its best $h$ is larger, where rounding matters less.
#
# ## Step sideways
#
# And can we get rid of cancellation altogether? It came from the subtraction. A derivative without a subtraction sounds impossible. Here is
# one.
#
# Step into the complex plane, by $h$ times $i$, with $i^2 = -1$. Taylor's theorem holds there, too, for functions that are built from sums, products, sines and the like:
#
# $$f(x + ih) = f(x) + i\,h\,f'(x) - \tfrac12 h^2 f''(x) - \tfrac{i}{6}\,h^3 f'''(x) + \dots$$
#
# Separate the terms with $i$ from those without. $f(x)$ is in the real part. The derivative is in the imaginary part:
#
# $$f'(x) \approx \frac{\operatorname{Im} f(x + ih)}{h}, \qquad \text{error } \tfrac16 f'''(x)\,h^2$$
#
# The quotient subtracts nothing, so it cancels nothing (what `f` itself subtracts is another matter), and $h$ may be absurdly small. This
# is the [complex step](glossary.ipynb#Complex-step). What will $h = 10^{-200}$ give?


# %%
def complex_step(f, x, h):
    return np.imag(f(x + 1j * h)) / h


print("exact:", truth)
for h in (1e-2, 1e-8, 1e-200):
    print(f"h = {h:.0e}: {complex_step(np.sin, 1.0, h)}")

# %% [markdown]
# With a small $h$ it is correct to the last digit or so. The first line has the truncation error, as a central difference with that $h$
# would. Now all three in one picture, with both kinds of numbers. With `float32`, as networks use it, $\epsilon$ is about $10^{-7}$. Before
# you look: where is the bottom of each V, and how many digits does a forward difference keep in `float32`?

# %%
WAYS = {forward: plots.VERMILLION, central: plots.BLUE, complex_step: plots.GREEN}


def draw_v(axes, number):
    floor = np.finfo(number).eps / 2  # the result is rounded too, so nothing can be closer
    for k, (way, colour) in enumerate(WAYS.items()):
        axes.loglog(steps, np.maximum(errors(way, number), floor), color=colour, lw=1)
        plots.label(axes, 0.04, 0.36 - 0.09 * k, way.__name__.replace("_", " "), colour, transform=axes.transAxes)
    axes.set(title=number.__name__, xlabel="h", ylim=(1e-17, 10))


figure, axes = plots.canvas(9, 4, columns=2, sharey=True)
for ax, number in zip(axes, (np.float64, np.float32), strict=True):
    draw_v(ax, number)
axes[0].set_ylabel("error")
plots.show(
    figure,
    "Error against h, twice. float64: forward turns near h = 1e-8, central near 1e-5, at a smaller error, the complex step "
    "falls to the last digit and stays there. float32: the same picture, moved up and to the right.",
)

# %% [markdown]
# Where $h$ is large, on the right of each picture, the central difference and the complex step are one line: they have the same truncation error, $h^2/6$ times $|f'''|$. Only one of them rises again.
#
# How many digits does each way keep, if you choose the best $h$? A lucky step does not count: the cell takes the median error over a third of
# a decade on both sides of the best step. Beside it stands a rule of thumb: half of the digits of $\epsilon$, two thirds, all.

# %%
from IPython.display import Markdown

lines = "| | " + " | ".join(number.__name__ for number in (np.float64, np.float32)) + " |\n|---|---|---|\n"
for way, power in zip(WAYS, (1 / 2, 2 / 3, 1), strict=True):
    cells = []
    for number in (np.float64, np.float32):
        rule = -power * np.log10(np.finfo(number).eps)
        error = np.maximum(errors(way, number), np.finfo(number).eps / 2)
        typical = [np.median(error[max(0, k - 7) : k + 8]) for k in range(len(error))]
        best = int(np.argmin(typical))
        cells.append(f"{-np.log10(typical[best]):.1f} digits, at h ≈ {steps[best]:.0e} (rule: {rule:.1f})")
        assert rule < -np.log10(typical[best]) < rule + 1.5
    lines += f"| {way.__name__} | " + " | ".join(cells) + " |\n"
Markdown(lines)

# %% [markdown]
# Where do the rules come from? Half of the digits: the error is about $\sqrt{\epsilon}$. Two thirds: $\epsilon^{2/3}$, since the truncation
# error is proportional to $h^2$ there (you will derive it in the exercise). All: there is no subtraction. The rules leave out the factors of
# $f$ and its derivatives, and they are about the worst case, so a typical step does somewhat better.
#
# Now move $h$ yourself. On the left is the microscope; on the right, your place on the V. Switch to `float32`: at which $h$ do you see stairs? (If you see no slider below, run the cell in JupyterLab; the two pictures above say the same.)

# %%
import ipywidgets


def explore(log10_h, number):
    number, h = getattr(np, number), 10.0**log10_h
    figure, axes = plots.canvas(9, 3.6, columns=2)
    zoom(axes[0], h, number(1))
    draw_v(axes[1], number)
    axes[1].axvline(h, color=plots.BLACK, lw=1)
    values = [f"{way.__name__} {way(np.sin, number(1), number(h)):.10f}" for way in WAYS]
    plots.show(figure, f"h = {h:.1e}: " + ", ".join(values) + f"; exact {truth:.10f}.")


slider = ipywidgets.FloatSlider(-1, min=-17, max=0, step=0.25, description="log10 h", continuous_update=False)
kinds = ipywidgets.ToggleButtons(options=["float64", "float32"], description="numbers")
ipywidgets.interactive(explore, log10_h=slider, number=kinds)

# %% [markdown]
# ## Break it
#
# The complex step looks unbeatable. Try it on a function as simple as $|x|$, at $x = -2$. The slope there is $-1$.

# %%
print("central:     ", central(np.abs, -2.0, 1e-5))
print("complex step:", complex_step(np.abs, -2.0, 1e-20))
assert complex_step(np.abs, -2.0, 1e-20) == 0

# %% [markdown]
# **0**, without an error and without a warning. For complex numbers `abs` means something else, the distance from 0, which is always real.
# The complex step needs a program that treats complex numbers as formulas do: no `abs`, no `max`, no comparison, no `float` that drops the
# imaginary part. Look for these before you trust it.
#
# There is one more cost, for all numerical ways. A function of *one* number takes one or two extra calls. With a picture of 784 pixels as
# the input, a forward difference takes 785 calls, a central one 1,568, and the complex step 784. Lesson 02 measures 784 passes of its own
# kind.
#
# ## The third way: symbolically
#
# A computer can do what you did with the pencil, without slips. [SymPy](https://docs.sympy.org) takes formulas apart and applies the rules to
# each piece. So first our program has to become a formula: we call it with a *symbol* in place of a number, and with SymPy's sine. One round
# is $x \sin x$.

# %%
import sympy

x = sympy.Symbol("x")
sympy.diff(f(x, 1, sympy.sin), x)

# %% [markdown]
# Exact, and readable. Now two rounds:

# %%
sympy.diff(f(x, 2, sympy.sin), x)

# %% [markdown]
# The program has three rounds. The derivative for one round has 4 operations: $\sin$, $\cos$, a product, a sum. Count those for two rounds
# (roughly). How many will there be for three?

# %%
formula = sympy.diff(f(x, 3, sympy.sin), x)
print(formula, end="\n\n")
for rounds in (1, 2, 3):
    print(f"rounds: {rounds}   operations: {sympy.count_ops(sympy.diff(f(x, rounds, sympy.sin), x))}")

# %% [markdown]
# And for nine rounds of the loop? The program then does 18 operations, 2 in each round. Guess the number for the derivative, then run the
# cell. It may take a moment, which is part of the answer.
#
# {guess "How many operations does the derivative of nine rounds have?": operations | int(swell[-1][3])}

# %%
from time import perf_counter

swell = []
for rounds in range(1, 10):
    start = perf_counter()
    value = f(x, rounds, sympy.sin)
    derivative = sympy.diff(value, x)
    names, [rest] = sympy.cse(derivative)  # for the picture below
    shared = sum(sympy.count_ops(piece) for _, piece in names) + sympy.count_ops(rest)
    swell.append([rounds, 2 * rounds, sympy.count_ops(value), sympy.count_ops(derivative), shared])
print(f"the last round took {perf_counter() - start:.2f} s\n")
print("rounds  program  formula of f   times   formula of f'   times")
for k, (rounds, program, value, derivative, _) in enumerate(swell):
    before = swell[k - 1] if k else swell[0]
    text = (
        f"{rounds:6} {program:8,} {value:13,} {value / before[2]:7.2f} {derivative:15,} {derivative / before[3]:7.2f}"
    )
    print(text if k else text.replace("1.00", "    "))
growth = np.array(swell[1:])[:, 2:4] / np.array(swell[:-1])[:, 2:4]
assert (growth[:, 0] >= 2).all()
assert (growth[:, 1] > growth[:, 0]).all()

# %% [markdown]
# This is [expression swell](glossary.ipynb#Expression-swell). The program stores $y$ under a name and uses it twice. A formula has no names:
# it must write $y$ out *in both places*, and inside each of them again in both. Each round makes the formula of $f$ at least twice as long,
# and the formula of $f'$ grows faster still (the columns *times*).
#
# So is symbolic differentiation hopeless? No. Give names to the pieces that occur again and again (in SymPy this is called `cse`, for common
# subexpressions):

# %%
for name, piece in sympy.cse(formula)[0][:6]:
    print(name, "=", piece)
print("...")

# %% [markdown]
# You know these lines: $x_1$ is your $a$, and $x_3$ is your $b$. With names the result is short again, but it is not a formula any more. It
# is a **program**, line by line, like the one we started from. Keep this in mind.

# %%
swell = np.array(swell)
figure, axes = plots.canvas(7, 3.8)
lines = [
    (3, "formula of f′", plots.VERMILLION), (2, "formula of f", plots.BLUE),
    (4, "formula of f′, with names", plots.GREEN), (1, "the program", plots.GREY),
]  # fmt: skip
for column, text, colour in lines:
    axes.semilogy(swell[:, 0], swell[:, column], "o-", color=colour, ms=4)
    plots.label(axes, 9.2, swell[-1, column], text, colour, va="center")
axes.set(xlabel="rounds of the loop", ylabel="operations", xlim=(0.7, 12.8), xticks=range(1, 10))
plots.show(
    figure,
    "Operations against rounds, logarithmic. The formula of f climbs along a straight line, so it grows "
    "exponentially; that of its derivative climbs more steeply. The program and the formula with names stay small.",
)

# %% [markdown]
# Symbols have a strength: a formula can be evaluated to as many digits as you like. Here are 30 of our derivative. They will be the reference
# at the end.

# %%
judge = sympy.N(formula.subs(x, 1), 30)
judge

# %% [markdown]
# And a weakness. This program makes a decision along the way, as programs do. Its slope at 1 is 2, at 5 it is 6. What is it at the symbol
# $x$?


# %% tags=["raises-exception"]
def bends_once(x):
    return x * x if x < 3 else 6 * x - 9


sympy.diff(bends_once(x), x)

# %% [markdown]
# Is $x$ less than 3? A symbol does not know. A program with `if` or `while` is not one formula, and has to be rewritten before symbols can be used.
#
# ## The fourth way: automatically
#
# Go back to your pencil. You did not write one long formula. You wrote $a$ and $a'$, then computed $b$ and $b'$ from them, then $c$ and $c'$:
# **each value, with its derivative beside it.** The computer can do the same while the loop runs. The line in the loop gets a second half:


# %%
def f_and_slope(x, rounds=3):
    y, dy = x, 1.0  # x moves by 1 when x moves by 1
    for _ in range(rounds):
        y, dy = y * np.sin(y), (np.sin(y) + y * np.cos(y)) * dy
    return y, dy


print(*f_and_slope(1.0))
assert abs(f_and_slope(1.0)[1] - float(judge)) < 4 * np.finfo(float).eps

# %% [markdown]
# Compare with the reference. There is no $h$ to choose, and the method subtracts nothing. There is no long formula: numbers are used as soon as they are
# known, under their names, and then forgotten. How many operations does it take for nine rounds?
#
# {guess: operations | 9 * each_round}

# %%
y, dy = sympy.symbols("y dy")
each_round = sympy.count_ops(y * sympy.sin(y)) + sympy.count_ops((sympy.sin(y) + y * sympy.cos(y)) * dy)
print(f"with the derivative beside it, nine rounds: {9 * each_round} operations")
print(f"the formula of the derivative:              {swell[-1, 3]:,} operations")

# %% [markdown]
# Still, *somebody* wrote the second half of that line. The last step is to let the computer do it: it knows the derivative of `sin` and the
# rule for `*`, and applies them at each operation that the program runs. This is **automatic differentiation**. In minigrad it is one call.
# It takes the program as it is, with loops and branches:

# %%
import minigrad as mg

print("f at 1:         ", mg.derivative(f, 1.0))
print("bends_once at 1:", mg.derivative(bends_once, 1.0))
print("bends_once at 5:", mg.derivative(bends_once, 5.0))
assert abs(mg.derivative(f, 1.0) - float(judge)) < 4 * np.finfo(float).eps

# %% [markdown]
# Nobody gave it a formula or chose an $h$. How does the computer write the second half of the line? That is the subject of lesson 02, and the
# idea is a close relative of the complex step: a number whose square is not $-1$, but $0$.
#
# ## All four, side by side
#
# Back to the program with three rounds. Here is each method at its best, at $x = 1$, against the 30-digit reference. Which will be the
# fastest? Which one the most accurate?

# %%
half, third = np.sqrt(np.finfo(float).eps), np.cbrt(np.finfo(float).eps)  # a rule-of-thumb h for each difference
from_formula = sympy.lambdify(x, formula, "numpy")
ways = {
    "by hand": lambda g: by_hand(1.0),
    "numerical: forward": lambda g: forward(g, 1.0, half),
    "numerical: central": lambda g: central(g, 1.0, third),
    "numerical: complex step": lambda g: complex_step(g, 1.0, 1e-20),
    "symbolic": lambda g: from_formula(1.0),
    "automatic, two halves of a line": lambda g: f_and_slope(1.0)[1],
    "automatic, mg.derivative": lambda g: mg.derivative(g, 1.0),
}

# %% [markdown]
# For each of them: the error, how often it calls the program, and the time. The ways take turns, so that whatever else the computer does meanwhile disturbs all of them; the table has the median, the fastest
# and the slowest round.


# %%
def calls_of_f(way):
    seen = []
    way(lambda x: (seen.append(x), f(x))[1])
    return len(seen)


def microseconds(jobs, rounds=15, number=200):
    """Microseconds of a call of each job, one row for each round; the jobs take turns."""
    times = []
    for _ in range(rounds + 1):  # the first round only warms up
        times.append([])
        for job in jobs:
            start = perf_counter()
            for _ in range(number):
                job()
            times[-1].append((perf_counter() - start) / number * 1e6)
    return np.array(times[1:])


times = microseconds([lambda way=way: way(f) for way in ways.values()])
text = "| way | error | calls of f | microseconds: median (fastest to slowest) |\n|---|---|---|---|\n"
for (name, way), rounds in zip(ways.items(), times.T, strict=True):
    error = abs(float(sympy.Float(float(way(f)), 30) - judge))
    spread = f"{np.median(rounds):.2f} ({rounds.min():.2f} to {rounds.max():.2f})"
    text += f"| {name} | {error:.0e} | {calls_of_f(way) or '–'} | {spread} |\n"
first = np.argmin(np.median(times, axis=0))
level = [name for name, rounds in zip(ways, times.T, strict=True) if rounds.min() <= times[:, first].max()]
slowest = list(ways)[np.argmax(np.median(times, axis=0))]
text += f"\nNot told apart at the top: *{', '.join(level)}*. The slowest by the medians: *{slowest}*."
Markdown(text)

# %% [markdown]
# Read the table with care: where the ranges of two rows overlap, do not call one of them faster. `mg.derivative` is exact up to rounding with one call of `f`, and it is slow *here*: on single numbers, most of its time goes into looking up what to do. On arrays that matters much
# less, and lessons 08 and 09 turn it into a program that looks up nothing.
#
# | | you need | what can go wrong |
# |---|---|---|
# | by hand | a pencil, and time | slips, which nothing reports |
# | numerical | a program to call | about half or a third of the digits are lost, all of them with a bad $h$; one or two calls for each input |
# | symbolic | a formula | it swells; no `while`, and an `if` has to become a piecewise formula |
# | automatic | the program itself | on single numbers it is slow, until it is compiled |
#
# None of the four is useless. The reference was symbolic. The slip was found numerically, and that is common practice: an automatic
# derivative is *checked* by differences, which do not use its rules. minigrad has one call for that. It takes differences at several $h$
# and combines them, so that they are more accurate than our `central`. (You will learn what *reverse* means in lesson 04. It takes the
# slope along three random directions, which for a single number are three steps of different lengths; a line that does not apply to this
# function says so.)

# %%
print(mg.check_gradients(f, 1.0))

# %% [markdown]
# ## In five lines
#
# 1. By hand: exact and fast, if there is no slip. Nothing tells you whether there is one.
# 2. A difference quotient has two errors: truncation ($h$ too large: the curve bends) and rounding ($h$ too small: the digits run out). On logarithmic axes their sum is a V.
# 3. The best $h$ is where the derivative of the sum of both errors is zero. Forward differences keep about half of the digits, central ones two thirds. The complex step, where a program allows it, keeps them all, because its quotient subtracts nothing.
# 4. Symbolic differentiation gives exact formulas, which swell; with names for their common pieces they turn into programs.
# 5. Automatic differentiation runs the program, and computes the derivative of each value beside it: exact up to rounding, no formula, no $h$.
#
# ## The source
#
# - [minigrad_course/check.py](../minigrad_course/check.py): differences and the complex step, which check our own derivatives. See which $h$ it takes, and what it does about `abs`.
# - [minigrad/core/rules.py](../minigrad/core/rules.py): the rules that `mg.derivative` applies, one line each. You will read it in lesson 02.
#
# ## The papers
#
# - D: Nicolaisen, *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: its Figure 4 shows forward differences that miss a slope of about 0.540, with $h$ too large and with $h$ too small.
# - W. Squire, G. Trapp, *Using complex variables to estimate derivatives of real functions* (1998): the complex step, in three pages.
# - A. G. Baydin, B. A. Pearlmutter, A. A. Radul, J. M. Siskind, *Automatic differentiation in machine learning: a survey* (2018, [arXiv:1502.05767](https://arxiv.org/abs/1502.05767)): the four ways, and expression swell.
# - S. Laue, *On the equivalence of automatic and symbolic differentiation* (2019, [arXiv:1904.02990](https://arxiv.org/abs/1904.02990)): expression swell disappears when common pieces get names.
#
# ## Your turn
#
# Exercise: [exercises/01_four_ways](../exercises/01_four_ways/01_four_ways.ipynb). You write differences and the complex step, find the best $h$ of the central difference with a pencil, catch wrong derivatives, and carry a derivative through a loop. You see your points as you go; in a terminal, `minigrad grade 01` runs it from top to bottom.
#
# **Next: [2 · Dual numbers](02_dual_numbers.ipynb)**, where the computer writes the second half of the line.
