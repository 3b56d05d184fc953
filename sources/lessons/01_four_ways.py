# Lesson 01. What a reader has behind them: lesson 00, Python, the chain rule, Taylor's theorem as calculus teaches it.
# Dual numbers come in 02: here automatic differentiation is two lines written by hand, and one call that is not explained yet.

# %% [markdown]
# # 1 · Four ways to differentiate
#
# Here is a small program. It takes a number, and goes through a loop three times.

# %%
import numpy as np


def f(x, rounds=3, sin=np.sin):
    y = x
    for _ in range(rounds):
        y = y * sin(y)
    return y


print(f(1.0))

# %% [markdown]
# **How fast does the result change when $x$ does?** In other words: what is $f'(1)$, and how sure can you be of it?
#
# There are four ways to find out: by hand, numerically, symbolically, automatically. In this lesson all four get the same program, and you will see each of them succeed and each of the first
# three fail. By the end you can say *in advance* how many digits a numerical derivative will have, and where they go. You will have seen a formula with tens of thousands of operations in it, and
# a derivative that is right to the last digit or so, from one line of Python in a loop.
#
# *Time: about 45 minutes. Run each cell with Shift+Enter, after you have written down what you expect.*
#
# Begin with a ruler. Here is the graph of $f$. How steep is it at the dot? Write down a number.

# %%
from minigrad.viz import plots

grid = np.linspace(0, 2, 400)
figure, axes = plots.canvas(5.5, 3.4)
axes.plot(grid, f(grid), color=plots.BLUE)
axes.plot(1, f(1.0), "o", color=plots.VERMILLION)
axes.set(xlabel="x", ylabel="f(x)", xticks=np.arange(0, 2.1, 0.25), yticks=np.arange(0, 1.9, 0.25))
plots.show(figure, "The graph of f from 0 to 2: flat at first, then rising, with a dot at x = 1.")

# %% [markdown]
# ## The first way: by hand
#
# Call what comes out of the rounds $a$, $b$ and $c$:
#
# $$a = x \sin x, \qquad b = a \sin a, \qquad c = b \sin b = f(x)$$
#
# Each line is a product, and all but the first have something inside. So: product rule and chain rule. Take a pencil, and write down $a'$, $b'$ and $c'$. (Really. It takes two minutes.)
#
# Somebody has done it already, and typed it in. Is the number near the one from your ruler?


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
# It looks reasonable. No error, no warning. But is it right? A formula does not say so itself. We need a witness who knows nothing about rules.
#
# ## The second way: numerically
#
# The witness walks a step of length $h$ to the right, and looks how far it went up:
#
# $$f'(x) \approx \frac{f(x+h) - f(x)}{h}$$
#
# This is the [forward difference](glossary.ipynb#Finite-difference). It calls the program twice, and asks no questions. Will it agree with the cell above?


# %%
def forward(f, x, h):
    return (f(x + h) - f(x)) / h


for h in (0.1, 0.01, 0.001, 0.0001):
    print(f"h = {h:<7} {forward(f, 1.0, h):.6f}")

# %% [markdown]
# The numbers settle down, and not at the number of `by_hand`. So that one is **wrong**, by less than your ruler could see. Find the mistake in the cell above before you read on;
# it is a factor that anybody can lose.
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
# That is the first way in a nutshell. A derivative by hand is exact and fast, *if* there is no slip in it, and nothing tells you. For three lines it takes two minutes. For a network of
# ten thousand lines, which changes every week?
#
# The witness needed no pencil at all. Its numbers were not exact, but they came nearer with each smaller $h$. So: **make $h$ tiny, and be done?**
#
# ## How small is small?
#
# To look closely, take a function that hides nothing: $\sin x$ at $x = 1$. Its slope is $\cos 1$, about 0.540, and we know it to all digits. (It is the example of thesis D, see below.)
#
# Before you run the cell: which of these six will be nearest? And what will the last line say?

# %%
truth = np.cos(1.0)
print(f"the truth: {truth:.15f}\n")
for h in (1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-17):
    slope = forward(np.sin, 1.0, h)
    print(f"h = {h:.0e}   {slope:.15f}   error {abs(slope - truth):.0e}")

# %% [markdown]
# Better, better, and then worse again. With the smallest step, the slope of the sine is **0**.
#
# Two forces are at work. Look at the curve through a microscope. Each of the next pictures shows the sine around $x = 1$, in a window of the size $h$: everything is drawn in units of $h$,
# so the true slope (dashed) always looks the same. The line between the two dots is what `forward` measures. What do you expect to see in the third window?


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
# - **$h$ too large: the curve bends.** The second dot is not where the tangent goes.
# - **$h$ too small: the curve is a staircase.** A `float` has some 16 digits, and between neighbours there is nothing. The secant measures the stairs.
#
# Now each of them as a number.
#
# ### The curve bends
#
# Taylor's theorem says what is at $x + h$:
#
# $$f(x+h) = f(x) + f'(x)\,h + \tfrac12 f''(x)\,h^2 + \dots \qquad\text{so}\qquad \frac{f(x+h) - f(x)}{h} = f'(x) + \underbrace{\tfrac12 f''(x)\,h}_{\text{error}} + \dots$$
#
# This is the [truncation error](glossary.ipynb#Truncation-error): the series was cut off. It shrinks with $h$. If $h$ is divided by ten, what happens to it?
#
# ### The digits run out
#
# Watch the subtraction. $\sin 1$ and $\sin(1+h)$ agree in their first digits: these cancel. What is left (blue) is all that the quotient has to live on.
# How many blue digits are there when $h = 10^{-12}$?

# %%
from IPython.display import HTML

rows = ""
for k in range(2, 17, 2):
    here, there = f"{np.sin(1.0):.16f}", f"{np.sin(1.0 + 10.0**-k):.16f}"
    same = next((i for i in range(18) if here[i] != there[i]), 18)
    rows += f"<tr><td>10<sup>−{k}</sup></td><td><code>{there[:same]}"
    rows += f"<b style='background:#56B4E9;color:#000'>{there[same:]}</b></code></td></tr>"
HTML(f"<table><tr><th>h</th><th>sin(1 + h), and what is new in it (blue)</th></tr>{rows}</table>")

# %% [markdown]
# This is **cancellation**. Nothing is wrong with the subtraction: it is exact. But each sine was rounded before, to the nearest number that a `float` can hold, and this
# [rounding error](glossary.ipynb#Rounding-error) stays behind when the good digits cancel.
#
# How large is it? The gap between 1 and the next number has a name, [machine epsilon](glossary.ipynb#Machine-epsilon). Rounding moves a value by half a gap at most, relative to its size. Two values, two halves: the difference is off by up to
# $\epsilon\,|f|$. Then it is divided by $h$:
#
# $$\text{rounding error of the quotient} \;\approx\; \frac{\epsilon\,|f(x)|}{h}$$
#
# A *small* $h$ makes this one large.

# %%
for number in (np.float64, np.float32):
    print(f"{number.__name__}: epsilon = {np.finfo(number).eps:.1e}")

# %% [markdown]
# ## The V
#
# One error grows with $h$, the other with $1/h$. On logarithmic axes both are straight lines. Sketch them: error upwards, $h$ to the right. Which way does each lean? Where is the best $h$?
#
# The cell tries 361 step lengths. The thin black line is the sum of the two formulas above.

# %%
steps = np.logspace(0, -18, 361)


def errors(way, number=np.float64):
    """How far `way` is from cos 1, for each step length, when all is computed in this kind of number."""
    slopes = [way(np.sin, number(1), number(h)) for h in steps]
    return np.abs(np.array(slopes, float) - truth)


def expected(number=np.float64):
    """Bending plus rounding, for the sine at 1, where f = |f''| = sin 1."""
    return np.sin(1.0) * (steps / 2 + np.finfo(number).eps / steps)


figure, axes = plots.canvas(7, 3.8)
axes.loglog(steps, errors(forward), color=plots.VERMILLION, lw=1)
axes.loglog(steps, expected(), color=plots.BLACK, lw=1)
axes.set(xlabel="h", ylabel="error", title="Forward difference of sin at 1", ylim=(1e-12, 10))
plots.label(axes, 3e-4, 5e-7, "the curve bends", plots.VERMILLION)
plots.label(axes, 1e-18, 3e-7, "the digits run out", plots.VERMILLION)
plots.show(
    figure,
    "A V on logarithmic axes. On the right the error falls with h, in a smooth line. Near h = 1e-08 it turns. On "
    "the left it rises while h shrinks, in a ragged line, up to a flat stretch where h is lost altogether.",
)

# %% [markdown]
# Rounding is ragged: now and then the rounding errors of the two sines happen to cancel, and a lucky $h$ shines. You cannot plan for luck. The black line is what you can count on.
#
# On the far left, where $h < 10^{-16}$, the error is as large as the truth. Why? (What is `1.0 + 1e-17`?)
#
# ### The best $h$
#
# The sum of a falling and a rising part is smallest where the two are equal:
#
# $$\frac{h}{2}\,|f''| = \frac{\epsilon\,|f|}{h} \qquad\Longrightarrow\qquad h_\text{best} = \sqrt{2\,\epsilon\,\frac{|f|}{|f''|}}, \qquad \text{error} = \sqrt{2\,\epsilon\,|f|\,|f''|}$$
#
# The root decides everything. If $\epsilon$ is $10^{-16}$, the error is about $10^{-8}$: **half of the digits are lost, whatever you do.** Does the plot agree?

# %%
eps = np.finfo(float).eps
best_h = np.sqrt(2 * eps * np.sin(1) / np.sin(1))
best_error = np.sqrt(2 * eps * np.sin(1) * np.sin(1))
near = np.abs(np.log10(steps / best_h)) < 0.5  # the steps around the best one
print(f"by the formula:     best h {best_h:.1e}, error up to {best_error:.1e}")
print(f"measured around it: error between {errors(forward)[near].min():.0e} and {errors(forward)[near].max():.0e}")

# %% [markdown]
# ## Look both ways
#
# Can one do better with the same digits? Step to the left as well, and measure from there to the right:
#
# $$f'(x) \approx \frac{f(x+h) - f(x-h)}{2h}$$
#
# Here are both, with a huge step, $h = 1$. Which of the two lines is nearly parallel to the dashed one? Why could that be?


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
# The bend to the right and the bend to the left nearly cancel. Write Taylor's series for $f(x+h)$ and for $f(x-h)$, and subtract. Which terms go? What is the first error that stays?

# %%
print("h         forward     central")
for h in (0.1, 0.05, 0.025, 0.0125):
    print(f"{h:<7} {abs(forward(np.sin, 1.0, h) - truth):.1e}     {abs(central(np.sin, 1.0, h) - truth):.1e}")

# %% [markdown]
# Halve $h$: the forward error halves, the central error falls to a *quarter*. The terms with $h^2$ are alike on both sides and cancel; $\tfrac16 f'''(x)\,h^2$ is what stays.
# The [central difference](glossary.ipynb#Central-difference) leaves bending sooner, so it can stop at a larger $h$, where rounding is smaller.
#
# ## Step sideways
#
# And can one be rid of rounding? It came from the subtraction. A derivative without a subtraction sounds impossible. Here is one.
#
# Step into the complex plane: $h$ times $i$, with $i^2 = -1$. Taylor's theorem holds there too:
#
# $$f(x + ih) = f(x) + i\,h\,f'(x) - \tfrac12 h^2 f''(x) - \tfrac{i}{6}\,h^3 f'''(x) + \dots$$
#
# Sort by what has an $i$ and what has none. $f(x)$ stays in the real part. The derivative is alone in the imaginary part:
#
# $$f'(x) \approx \frac{\operatorname{Im} f(x + ih)}{h}, \qquad \text{error } \tfrac16 f'''(x)\,h^2$$
#
# Nothing is subtracted, so nothing cancels, and $h$ may be absurdly small. This is the [complex step](glossary.ipynb#Complex-step). What will $h = 10^{-200}$ give?


# %%
def complex_step(f, x, h):
    return np.imag(f(x + 1j * h)) / h


print("truth:", truth)
for h in (1e-2, 1e-8, 1e-200):
    print(f"h = {h:.0e}: {complex_step(np.sin, 1.0, h)}")

# %% [markdown]
# Right to the last digit or so. All three in one picture now, in both kinds of numbers. With `float32`, as networks use it, $\epsilon$ is about $10^{-7}$.
# Before you look: where is the bottom of each V, and how many digits does `float32` leave to a forward difference?

# %%
WAYS = {forward: plots.VERMILLION, central: plots.BLUE, complex_step: plots.GREEN}


def draw_v(axes, number):
    floor = np.finfo(number).eps / 2  # the result is rounded too: nothing can be nearer
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
    "Error against h, twice. float64: forward turns near h = 1e-8, central near 1e-5 and lower, the complex step "
    "falls to the last digit and stays there. float32: the same picture, moved up and to the right.",
)

# %% [markdown]
# On the right, central difference and complex step are one line: the same bending, $h^2/6$. Only one of them turns.
#
# How many digits does each way keep, if you choose the best $h$? Luck does not count: the cell takes the median error over a third of a decade on both sides of the best step.

# %%
from IPython.display import Markdown

lines = "| | " + " | ".join(number.__name__ for number in (np.float64, np.float32)) + " |\n|---|---|---|\n"
for way in WAYS:
    cells = []
    for number in (np.float64, np.float32):
        error = np.maximum(errors(way, number), np.finfo(number).eps / 2)
        typical = [np.median(error[max(0, k - 7) : k + 8]) for k in range(len(error))]
        best = int(np.argmin(typical))
        cells.append(f"{-np.log10(typical[best]):.0f} digits, at h ≈ {steps[best]:.0e}")
    lines += f"| {way.__name__} | " + " | ".join(cells) + " |\n"
Markdown(lines)

# %% [markdown]
# Rules of thumb, and where they come from. Half of the digits: $\sqrt{\epsilon}$. Two thirds: $\epsilon^{2/3}$, since bending is $h^2$ there (do the sum yourself; it is in the exercise). All: no subtraction.
# (For the complex step any small $h$ will do; the table names the first of many.)
#
# Now move $h$ yourself. Left, the microscope; right, where you are on the V. Switch to `float32`: at which $h$ do you see stairs?
# (If you see no slider below, run the cell in JupyterLab; the two pictures above say the same.)

# %%
import ipywidgets


def explore(log10_h, number):
    number, h = getattr(np, number), 10.0**log10_h
    figure, axes = plots.canvas(9, 3.6, columns=2)
    zoom(axes[0], h, number(1))
    draw_v(axes[1], number)
    axes[1].axvline(h, color=plots.BLACK, lw=1)
    found = [f"{way.__name__} {way(np.sin, number(1), number(h)):.10f}" for way in WAYS]
    plots.show(figure, f"h = {h:.1e}: " + ", ".join(found) + f"; the truth {truth:.10f}.")


slider = ipywidgets.FloatSlider(-1, min=-17, max=0, step=0.25, description="log10 h", continuous_update=False)
kinds = ipywidgets.ToggleButtons(options=["float64", "float32"], description="numbers")
ipywidgets.interactive(explore, log10_h=slider, number=kinds)

# %% [markdown]
# ## Break it
#
# The complex step looks unbeatable. Try it on a function that is as simple as can be: $|x|$ at $x = -2$. The slope there is $-1$.

# %%
print("central:     ", central(np.abs, -2.0, 1e-5))
print("complex step:", complex_step(np.abs, -2.0, 1e-20))

# %% [markdown]
# **0**, without an error and without a warning. For complex numbers `abs` means something else, a distance, and that is always real. The complex step wants a program that treats complex
# numbers as formulas do: no `abs`, no `max`, no comparison, no `float` that drops the imaginary part. Look for one of these before you trust it.
#
# One more price, for all numerical ways. A function of *one* number needs one or two calls more. Of how many calls would you need the slopes, if a picture with 784 pixels went in?
# Each pixel asks its own question. Lesson 02 measures that.
#
# ## The third way: symbolically
#
# A computer can do what you did with the pencil, and without slips. [SymPy](https://docs.sympy.org) takes formulas apart and applies the rules to each piece. So first our program has to
# become a formula: it gets a *symbol* in place of a number, and the symbol's own sine. One round is $x \sin x$.

# %%
import sympy

x = sympy.Symbol("x")
sympy.diff(f(x, 1, sympy.sin), x)

# %% [markdown]
# Exact, and readable. Two rounds:

# %%
sympy.diff(f(x, 2, sympy.sin), x)

# %% [markdown]
# The promise was three rounds. The derivative for one round has 4 operations: $\sin$, $\cos$, a product, a sum. Count those of two rounds (roughly). How many will there be for three?

# %%
formula = sympy.diff(f(x, 3, sympy.sin), x)
print(formula, end="\n\n")
for rounds in (1, 2, 3):
    print(f"rounds: {rounds}   operations: {sympy.count_ops(sympy.diff(f(x, rounds, sympy.sin), x))}")

# %% [markdown]
# And for nine rounds of the loop? The program does 18 operations then, 2 in each round. Guess the number for the derivative, then run the cell. It takes a moment, and that is a part of the answer.

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
print("rounds  program  formula of f  formula of f'")
for rounds, program, value, derivative, _ in swell:
    print(f"{rounds:6} {program:8,} {value:13,} {derivative:14,}")

# %% [markdown]
# This is [expression swell](glossary.ipynb#Expression-swell). The program keeps $y$ under its name and uses it twice. A formula has no names: it must write $y$ out *at both places*, and
# again at both places inside of each. That is twice as long with each round, and the derivative grows faster still.
#
# So is symbolic differentiation hopeless? No. Give names to the pieces that occur again and again (SymPy calls that `cse`, common subexpressions):

# %%
for name, piece in sympy.cse(formula)[0][:6]:
    print(name, "=", piece)
print("...")

# %% [markdown]
# These lines you know: $x_1$ is your $a$, and $x_3$ is your $b$. With names the formula is short again, but it is no formula any more. It is a **program**, line by line, like the one we came from.
# Keep this in mind for a moment.

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
    "Operations against rounds, logarithmic. The formulas of f and its derivative climb in straight lines, so they "
    "grow exponentially. The program and the formula with names bend over and stay small.",
)

# %% [markdown]
# What symbols are good for: a formula can be evaluated to as many digits as you like. Here are 30 of our derivative. They will be the judge at the end.

# %%
judge = sympy.N(formula.subs(x, 1), 30)
judge

# %% [markdown]
# And what they cannot do. This program asks a question on its way, as programs do. Its slope at 1 is 2, at 5 it is 6. What is it at the symbol $x$?


# %% tags=["raises-exception"]
def bends_once(x):
    return x * x if x < 3 else 6 * x - 9


sympy.diff(bends_once(x), x)

# %% [markdown]
# Is $x$ less than 3? A symbol does not know. A program with `if` or `while` is not one formula, and has to be rewritten before symbols can go through it.
#
# ## The fourth way: automatically
#
# Go back to your pencil. You did not write one long formula. You wrote $a$ and $a'$, then $b$ and $b'$ from them, then $c$ and $c'$: **each value, and its derivative beside it.** The computer can do the same
# while the loop runs. The line in the loop gets a second half:


# %%
def f_and_slope(x, rounds=3):
    y, dy = x, 1.0  # x moves by 1 when x moves by 1
    for _ in range(rounds):
        y, dy = y * np.sin(y), (np.sin(y) + y * np.cos(y)) * dy
    return y, dy


print(*f_and_slope(1.0))

# %% [markdown]
# Compare with the judge. No $h$, so nothing to choose and nothing to cancel. No long formula: the numbers are used as soon as they are there, under their names, and forgotten. How many operations does it take for nine rounds?

# %%
y, dy = sympy.symbols("y dy")
each_round = sympy.count_ops(y * sympy.sin(y)) + sympy.count_ops((sympy.sin(y) + y * sympy.cos(y)) * dy)
print(f"with the derivative beside it, nine rounds: {9 * each_round} operations")
print(f"the formula of the derivative:              {swell[-1, 3]} operations")

# %% [markdown]
# Still, *somebody* wrote the second half of that line. The last step is to have it written by the computer: it knows the derivative of `sin` and the rule for `*`, and applies
# them at each operation that the program runs. This is **automatic differentiation**. In minigrad it is one call.
# It takes the program as it is, loops, questions and all:

# %%
import minigrad as mg

print("f at 1:         ", mg.derivative(f, 1.0))
print("bends_once at 1:", mg.derivative(bends_once, 1.0))
print("bends_once at 5:", mg.derivative(bends_once, 5.0))

# %% [markdown]
# Nobody told it the formula, nobody chose an $h$. How does the computer come to write the second half of the line? That is lesson 02, and the idea is a close relative of the complex step: a number that squares not to $-1$, but to $0$.
#
# ## All four, side by side
#
# Back to the program with three rounds. Each way at its best, at $x = 1$, against the judge's 30 digits. Which will be the fastest? Which one the most exact?

# %%
from timeit import repeat

third = np.cbrt(np.finfo(float).eps)  # a good h for central differences, by the rule of thumb
from_formula = sympy.lambdify(x, formula, "numpy")
ways = {
    "by hand": lambda g: by_hand(1.0),
    "numerical: forward": lambda g: forward(g, 1.0, np.sqrt(np.finfo(float).eps)),
    "numerical: central": lambda g: central(g, 1.0, third),
    "numerical: complex step": lambda g: complex_step(g, 1.0, 1e-20),
    "symbolic": lambda g: from_formula(1.0),
    "automatic, two halves of a line": lambda g: f_and_slope(1.0)[1],
    "automatic, mg.derivative": lambda g: mg.derivative(g, 1.0),
}

# %% [markdown]
# For each of them: the error, how often it calls the program, and the time (the fastest of several rounds).


# %%
def calls_of_f(way):
    seen = []
    way(lambda x: (seen.append(x), f(x))[1])
    return len(seen)


text = "| way | error | calls of f | microseconds |\n|---|---|---|---|\n"
for name, way in ways.items():
    error = abs(float(sympy.Float(float(way(f)), 30) - judge))
    micro = min(repeat(lambda way=way: way(f), number=200, repeat=5)) / 200 * 1e6
    text += f"| {name} | {error:.0e} | {calls_of_f(way) or '–'} | {micro:.0f} |\n"
Markdown(text)

# %% [markdown]
# Read it with care. `mg.derivative` is exact with one call, and it is the slowest *here*: on single numbers, most of its time goes into looking up what to do. On arrays that hardly counts, and
# lessons 08 and 09 turn it into a program that does not look up anything.
#
# | | you need | what can go wrong |
# |---|---|---|
# | by hand | a pencil, and time | slips, in silence |
# | numerical | a program to call | half or a third of the digits is lost, all with a bad $h$; one or two calls for each input |
# | symbolic | a formula | it swells; no `if`, no `while` |
# | automatic | the program itself | that is what this course is about |
#
# None of the four is useless. The judge was symbolic. The slip was found numerically, and so it is done in earnest: an automatic derivative is *checked* by differences, which know nothing of its rules.
# minigrad has that as one call. It takes differences at several $h$ and combines them, so that its witness is better than our `central`. (What *reverse* means you will learn in lesson 04.)

# %%
print(mg.check_gradients(f, 1.0))

# %% [markdown]
# ## In five lines
#
# 1. By hand: exact and fast, if there is no slip. Nothing says whether there is one.
# 2. A difference quotient has two errors: the curve bends ($h$ too large), the digits run out ($h$ too small). On logarithmic axes that is a V.
# 3. The best $h$ is where both are equal. Forward differences keep half of the digits, central ones two thirds. The complex step keeps all, since it subtracts nothing, where a program allows it.
# 4. Symbols give exact formulas, which swell; with names for what they share they turn into programs.
# 5. Automatic differentiation runs the program, and computes for each value its derivative beside it: exact to rounding, no formula, no $h$.
#
# ## The source
#
# - [minigrad/check.py](../minigrad/check.py): differences and the complex step, as the witnesses of our own derivatives. Look which $h$ it takes, and what it does about `abs`.
# - [minigrad/rules.py](../minigrad/rules.py): the rules that `mg.derivative` applies, one line each. You will read it in lesson 02.
#
# ## The papers
#
# - D: *Using Automatic differentiation to find gradients for recurrent neural networks in Futhark*: its figure 4 shows forward differences that miss a slope of about 0.540, with $h$ too large and with $h$ too small.
# - W. Squire, G. Trapp, *Using complex variables to estimate derivatives of real functions* (1998): the complex step, in three pages.
# - A. G. Baydin, B. A. Pearlmutter, A. A. Radul, J. M. Siskind, *Automatic differentiation in machine learning: a survey* (2018, [arXiv:1502.05767](https://arxiv.org/abs/1502.05767)): the four ways, and expression swell.
# - S. Laue, *On the equivalence of automatic and symbolic differentiation* (2019, [arXiv:1904.02990](https://arxiv.org/abs/1904.02990)): swell is a matter of names.
#
# ## Your turn
#
# Exercise: [exercises/01_four_ways](../exercises/01_four_ways/01_four_ways.ipynb). You write differences and the complex step, find the best $h$ of the central difference with a pencil, catch wrong derivatives,
# and carry a derivative through a loop. Points show up as you go; in a terminal, `minigrad grade 01` runs it from top to bottom.
#
# **Next: [2 · Dual numbers](02_dual_numbers.ipynb)**, where the second half of the line writes itself.
