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
# **What is $f'(1)$, and how sure can you be of it?**
#
# There are four ways to find out: by hand, numerically, symbolically, automatically. You will apply all four to the same program, and see each of the first three fail. By the end you can predict how many correct digits a numerical derivative has, and say where the others went.
#
# *Time: about 45 minutes{first run}. Run each cell with Shift+Enter, after you have written down what you expect.*

# %% [markdown]
# ## With a ruler
#
# Here is the graph of $f$. How steep is it at the dot? Hold a ruler against the curve there, and write down a number.
#
# {guess: | forward(f, 1.0, 1e-6)}

# %%
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
# Each line is a product of the result before it and its sine. Take a pencil and write down $a'$, $b'$ and $c'$, by the product rule and the chain rule.
#
# Here is a solution that somebody typed in. Is the number close to the one from your ruler?


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
# It looks reasonable: a ruler gives something between 1.5 and 2.5. There is no error and no warning. Whether it is right, a formula does not tell you. We need a check that does not use any rules of calculus.
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
# The numbers settle down, but not at the result of `by_hand`. So that result is **wrong**, by less than your ruler can show. Which factor got lost?


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
# The product rule gives $(a \sin a)' = (\sin a + a\cos a)\,a'$, and somebody forgot the second $a$. A derivative by hand is exact and fast, *if* it has no slip in it, and nothing warns you of one.
#
# The finite difference needed no pencil. Its numbers got closer with each smaller $h$. So: **make $h$ tiny, and be done?**
#
# ## How small is small?
#
# To look closely, take a function that we know well: $\sin x$ at $x = 1$. Its slope is $\cos 1$, known to all digits of a `float`. Which of these six steps will come closest? And what will the last line say?
#
# {guess "Which of the six will be closest?": 1e-02, 1e-05, 1e-08, 1e-11, 1e-14, 1e-17 | closest}

# %%
truth = np.cos(1.0)
print(f"exact: {truth:.15f}\n")
tried = {}
for h in (1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 1e-17):
    slope = forward(np.sin, 1.0, h)
    tried[f"{h:.0e}"] = abs(slope - truth)
    print(f"h = {h:.0e}   {slope:.15f}   error {abs(slope - truth):.0e}")
closest = min(tried, key=tried.get)

# %% [markdown]
# It gets better, and better, and then worse again. With the smallest step, the slope of the sine is **0**.
#
# Look at the curve through a microscope: everything is drawn in units of $h$, so the true slope, dashed, always looks the same. The line between the two dots is what `forward` measures. What do you expect to see in the third window?


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
# How large is each error? Taylor's theorem gives the value at $x + h$:
#
# $$f(x+h) = f(x) + f'(x)\,h + \tfrac12 f''(x)\,h^2 + \dots \qquad\text{so}\qquad \frac{f(x+h) - f(x)}{h} = f'(x) + \underbrace{\tfrac12 f''(x)\,h}_{\text{error}} + \dots$$
#
# This is the [truncation error](glossary.ipynb#Truncation-error): the series was cut off. If $h$ is divided by ten, so is the error.
#
# For the other error, watch the subtraction. $\sin 1$ and $\sin(1+h)$ agree in their first digits, which cancel. The difference, on the right, is all that the quotient gets. How many digits does it have when $h = 10^{-12}$?

# %%
for k in range(2, 17, 2):
    texts = [f"{np.sin(1.0 + step):.16f}" for step in (0.0, 10.0**-k)]
    before, after = (int(text.replace(".", "")) for text in texts)
    print(f"h = 1e-{k:02d}   {texts[1]} - {texts[0]}: {after - before} in the last place")

# %% [markdown]
# This is **cancellation**. The subtraction itself is exact. But each sine was rounded before, to the nearest number that a `float` can hold, and this [rounding error](glossary.ipynb#Rounding-error) remains when the leading digits cancel.
#
# The gap between 1 and the next number is called [machine epsilon](glossary.ipynb#Machine-epsilon), $\epsilon$. Rounding moves a value by half a gap at most, relative to its size. There are two values, so the difference is off by up to $\epsilon\,|f|$. The sum $x + h$ is rounded as well; for the sine at 1 this bound has room for that. Then it is divided by $h$:
#
# $$\text{rounding error of the quotient} \;\approx\; \frac{\epsilon\,|f(x)|}{h}$$
#
# ## The V
#
# One error grows with $h$, the other with $1/h$. Sketch both on logarithmic axes: error upwards, $h$ to the right. Which way does each of them slope, and where is the best $h$? The cell tries 361 steps. The thin black line is the sum of the two formulas above.

# %%
steps = np.logspace(0, -18, 361)


def errors(way, number=np.float64):
    """The distance of `way` from cos 1, for each step length, when all is computed in this kind of number."""
    slopes = [way(np.sin, number(1), number(h)) for h in steps]
    return np.abs(np.array(slopes, float) - truth)


eps = np.finfo(float).eps
expected = np.sin(1.0) * (steps / 2 + eps / steps)  # for the sine at 1, where f = |f''| = sin 1
figure, axes = plots.canvas(7, 3.8)
axes.loglog(steps, errors(forward), color=plots.VERMILLION, lw=1)
axes.loglog(steps, expected, color=plots.BLACK, lw=1)
axes.set(xlabel="h", ylabel="error", title="Forward difference of sin at 1", ylim=(1e-12, 10))
plots.label(axes, 3e-4, 5e-7, "the curve bends", plots.VERMILLION)
plots.label(axes, 1e-18, 3e-7, "the digits run out", plots.VERMILLION)
assert (errors(forward)[steps < 1e-16] == truth).all()
assert (errors(forward) < 1.125 * expected).all()
plots.show(
    figure,
    "A V on logarithmic axes. On the right the error falls with h, in a smooth line. Near h = 1e-08 it turns. On "
    "the left it rises while h shrinks, in a ragged line, until it levels off where x + h rounds to x.",
)

# %% [markdown]
# Rounding is ragged: now and then the rounding errors of the two sines happen to cancel, and some $h$ gets lucky. Rely on the black line. On the far left, `1.0 + 1e-17` is `1.0`, so difference and quotient are 0.
#
# Which $h$ is best? A sum is smallest where its derivative is zero, here with respect to $h$:
#
# $$\frac{d}{dh}\Bigl(\frac{h}{2}\,|f''| + \frac{\epsilon\,|f|}{h}\Bigr) = \frac{|f''|}{2} - \frac{\epsilon\,|f|}{h^2} = 0 \qquad\Longrightarrow\qquad h_\text{best} = \sqrt{2\,\epsilon\,\frac{|f|}{|f''|}}, \qquad \text{error} = \sqrt{2\,\epsilon\,|f|\,|f''|}$$
#
# The square root decides. If $\epsilon$ is $10^{-16}$, the error is about $10^{-8}$: **luck apart, a forward difference loses about half of the digits, at least.**

# %%
best_h = np.sqrt(2 * eps * np.sin(1) / np.sin(1))
near = np.abs(np.log10(steps / best_h)) < 0.5  # half a decade to either side
print(f"epsilon: {eps:.1e}, its square root: {np.sqrt(eps):.1e}")
print(f"by the formula: best h {best_h:.1e}, error up to {expected[near].max():.1e} around it")
print(f"measured there: error between {errors(forward)[near].min():.0e} and {errors(forward)[near].max():.1e}")
assert (errors(forward)[near] < 1.01 * expected[near]).all()

# %% [markdown]
# *This is a good place to stop for today.*
#
# ## Look both ways, or sideways
#
# Can we do better with the same numbers? Step to the left as well, and measure from there to the right:
#
# $$f'(x) \approx \frac{f(x+h) - f(x-h)}{2h}$$
#
# Write down Taylor's series for $f(x+h)$ and for $f(x-h)$, and subtract. What becomes of the error when $h$ is halved?


# %%
def central(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


print("h         forward     central")
for h in (0.1, 0.05, 0.025, 0.0125):
    print(f"{h:<7} {abs(forward(np.sin, 1.0, h) - truth):.1e}     {abs(central(np.sin, 1.0, h) - truth):.1e}")

# %% [markdown]
# The forward error halves, the central error falls to a *quarter*. The terms with $h^2$ are the same on both sides and cancel; $\tfrac16 f'''(x)\,h^2$ is the first that remains. The truncation error of the [central difference](glossary.ipynb#Central-difference) becomes small sooner, so its best $h$ is larger.
#
# We can even do without the subtraction. Step into the complex plane, by $h$ times $i$. Taylor's theorem holds there, too, for functions built from sums, products, sines and the like:
#
# $$f(x + ih) = f(x) + i\,h\,f'(x) - \tfrac12 h^2 f''(x) - \tfrac{i}{6}\,h^3 f'''(x) + \dots$$
#
# $f(x)$ is in the real part, and the derivative is in the imaginary part:
#
# $$f'(x) \approx \frac{\operatorname{Im} f(x + ih)}{h}, \qquad \text{error } \tfrac16 f'''(x)\,h^2$$
#
# This is the [complex step](glossary.ipynb#Complex-step). It subtracts nothing, so $h$ may be absurdly small. What will $h = 10^{-200}$ give?


# %%
def complex_step(f, x, h):
    return np.imag(f(x + 1j * h)) / h


print("exact:", truth)
for h in (1e-2, 1e-8, 1e-200):
    print(f"h = {h:.0e}: {complex_step(np.sin, 1.0, h)}")

# %% [markdown]
# With a small $h$ it is correct to the last digit or so. Here are all three ways in one picture, with two kinds of numbers. With `float32`, as networks use it, $\epsilon$ is about $10^{-7}$. Where will the bottom of each V be?

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
# At its best, a forward difference keeps about half of the digits, a central one two thirds, because its truncation error shrinks with $h^2$, and the complex step all of them. In the exercise you derive the two thirds.
#
# Now move $h$ yourself. On the left is the microscope; on the right, your place on the V. Switch to `float32`: at which $h$ do you see stairs?

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
# The complex step looks unbeatable. Try it on $|x|$, at $x = -2$, where the slope is $-1$.

# %%
print("central:     ", central(np.abs, -2.0, 1e-5))
print("complex step:", complex_step(np.abs, -2.0, 1e-20))
assert complex_step(np.abs, -2.0, 1e-20) == 0

# %% [markdown]
# **0**, without an error and without a warning. For complex numbers `abs` means something else, the distance from 0, which is always real. The complex step needs a program that treats complex numbers as formulas do: no `abs`, no `max`, no comparison.
#
# And all numerical ways call the program at least once for each input: for a picture of 784 pixels, a forward difference takes 785 calls.
#
# ## The third way: symbolically
#
# A computer can do what you did with the pencil, without slips. [SymPy](https://docs.sympy.org) applies the rules to formulas. So we call the program with a *symbol* in place of a number, and with SymPy's sine. Here are one round and two:

# %%
import sympy

x = sympy.Symbol("x")
for rounds in (1, 2):
    print(sympy.diff(f(x, rounds, sympy.sin), x))

# %% [markdown]
# Exact, and the first is easy to read. Nine rounds of the loop do 18 operations, 2 in each. How many are in the formula of the derivative? The cell may take a moment, which is part of the answer.
#
# {guess "How many operations does the derivative of nine rounds have?": operations | int(swell[-1])}

# %%
print("rounds  program  formula of f  formula of f'  with names")
swell = []
for rounds in range(1, 10):
    value = f(x, rounds, sympy.sin)
    derivative = sympy.diff(value, x)
    names, [rest] = sympy.cse(derivative)  # see below
    shared = sum(sympy.count_ops(piece) for _, piece in names) + sympy.count_ops(rest)
    swell.append(sympy.count_ops(derivative))
    print(f"{rounds:6} {2 * rounds:8} {sympy.count_ops(value):13,} {swell[-1]:14,} {shared:11}")
assert (np.array(swell[1:]) > 2 * np.array(swell[:-1])).all()

# %% [markdown]
# This is [expression swell](glossary.ipynb#Expression-swell). The program stores $y$ under a name and uses it twice. A formula has no names: it must write $y$ out *in both places*, and inside each of them again in both. Each round makes the formula more than twice as long.
#
# Give names to the pieces that occur again and again, and the last column is what remains. Here are the first names for three rounds:

# %%
formula = sympy.diff(f(x, 3, sympy.sin), x)
for name, piece in sympy.cse(formula)[0][:6]:
    print(name, "=", piece)

# %% [markdown]
# You know these lines: $x_1$ is your $a$, and $x_3$ is your $b$. With names the result is short again, but it is not a formula any more. It is a **program**, line by line, like the one we started from.
#
# Symbols have a strength: a formula can be evaluated to as many digits as you like. Thirty digits will be our reference. They have a weakness, too. The next program makes a decision along the way. Its slope at 1 is 2, at 5 it is 6. What is it at the symbol $x$?


# %% tags=["raises-exception"]
def bends_once(x):
    return x * x if x < 3 else 6 * x - 9


reference = sympy.N(formula.subs(x, 1), 30)
print(reference)
sympy.diff(bends_once(x), x)

# %% [markdown]
# Whether $x$ is less than 3, a symbol does not know. A program with `if` or `while` is not one formula, and has to be rewritten before symbols can be used.
#
# ## The fourth way: automatically
#
# Go back to your pencil. You did not write one long formula. You wrote $a$ and $a'$, then computed $b$ and $b'$ from them, then $c$ and $c'$: **each value, with its derivative beside it.** The computer can do the same while the loop runs. The line in the loop gets a second half:


# %%
def f_and_slope(x, rounds=3):
    y, dy = x, 1.0  # x moves by 1 when x moves by 1
    for _ in range(rounds):
        y, dy = y * np.sin(y), (np.sin(y) + y * np.cos(y)) * dy
    return y, dy


print(*f_and_slope(1.0))
assert abs(f_and_slope(1.0)[1] - float(reference)) < 4 * np.finfo(float).eps

# %% [markdown]
# Compare with the reference. There is no $h$ to choose, and no long formula: numbers are used as soon as they are known, under their names, and then forgotten. How many operations does it take for nine rounds?
#
# {guess: operations | operations}

# %%
y, dy = sympy.symbols("y dy")
each_round = sympy.count_ops(y * sympy.sin(y)) + sympy.count_ops((sympy.sin(y) + y * sympy.cos(y)) * dy)
operations = 9 * each_round
print(f"with the derivative beside it, nine rounds: {operations} operations")
print(f"the formula of the derivative:              {swell[-1]:,} operations")

# %% [markdown]
# Still, *somebody* wrote the second half of that line. The last step is to let the computer do it: it knows the derivative of `sin` and the rule for `*`, and applies them at each operation that the program runs. This is **automatic differentiation**. In minigrad it is one call, which takes the program as it is, with loops and branches:

# %%
import minigrad as mg

print("f at 1:         ", mg.derivative(f, 1.0))
print("bends_once at 1:", mg.derivative(bends_once, 1.0))
print("bends_once at 5:", mg.derivative(bends_once, 5.0))
assert abs(mg.derivative(f, 1.0) - float(reference)) < 4 * np.finfo(float).eps

# %% [markdown]
# ## All four, side by side
#
# Here is each way at its best, at $x = 1$, against the 30-digit reference. Which will be the fastest, and which the most accurate? The ways take turns, so that whatever else the computer does disturbs all of them.

# %%
from time import perf_counter

half, third = np.sqrt(eps), np.cbrt(eps)  # a rule-of-thumb h for each difference
from_formula = sympy.lambdify(x, formula, "numpy")
ways = {
    "by hand": lambda: by_hand(1.0),
    "numerical: forward": lambda: forward(f, 1.0, half),
    "numerical: central": lambda: central(f, 1.0, third),
    "numerical: complex step": lambda: complex_step(f, 1.0, 1e-20),
    "symbolic": lambda: from_formula(1.0),
    "automatic, two halves of a line": lambda: f_and_slope(1.0)[1],
    "automatic, mg.derivative": lambda: mg.derivative(f, 1.0),
}
times = {name: [] for name in ways}
for _ in range(15):
    for name, way in ways.items():
        start = perf_counter()
        for _ in range(200):
            way()
        times[name].append((perf_counter() - start) / 200 * 1e6)
print(f"{'':34}error    microseconds: median (fastest to slowest)")
for name, way in ways.items():
    error = abs(float(sympy.Float(float(way()), 30) - reference))
    print(f"{name:34}{error:.0e}  {np.median(times[name]):8.2f} ({min(times[name]):.2f} to {max(times[name]):.2f})")

# %% [markdown]
# Where the ranges of two rows overlap, do not call one of them faster. `mg.derivative` is exact up to rounding, and it is slow *here*: on single numbers, most of its time goes into looking up what to do. On arrays that matters much less, and lessons 08 and 09 turn it into a program that looks up nothing.
#
# | | you need | what can go wrong |
# |---|---|---|
# | by hand | a pencil, and time | slips, which nothing reports |
# | numerical | a program to call | differences lose half or a third of the digits, or all of them with a bad $h$; the complex step fails at `abs`; one or two calls for each input |
# | symbolic | a formula | it swells; no `while`, and an `if` has to become a piecewise formula |
# | automatic | the program itself | on single numbers it is slow, until it is compiled |
#
# None of the four is useless. The reference was symbolic. The slip was found numerically, and that is common practice: an automatic derivative is *checked* by differences, which do not use its rules.

# %% [markdown]
# ## In five lines
#
# 1. By hand: exact and fast, if there is no slip. Nothing tells you whether there is one.
# 2. A difference quotient has two errors: truncation, when $h$ is too large and the curve bends, and rounding, when $h$ is too small and the digits run out. On logarithmic axes their sum is a V.
# 3. The best $h$ is where the derivative of the sum of both errors is zero. Forward differences keep about half of the digits, central ones two thirds. The complex step, where a program allows it, keeps them all.
# 4. Symbolic differentiation gives exact formulas, which swell; with names for their common pieces they turn into programs.
# 5. Automatic differentiation runs the program, and computes the derivative of each value beside it: exact up to rounding, no formula, no $h$.
#
# ## Read on
#
# - The source: [minigrad_course/check.py](../minigrad_course/check.py) checks our own derivatives by differences and the complex step.
# - W. Squire, G. Trapp, *Using complex variables to estimate derivatives of real functions* (1998): the complex step, in three pages.
# - A. G. Baydin, B. A. Pearlmutter, A. A. Radul, J. M. Siskind, *Automatic differentiation in machine learning: a survey* (2018, [arXiv:1502.05767](https://arxiv.org/abs/1502.05767)): the four ways, and expression swell.
# - S. Laue, *On the equivalence of automatic and symbolic differentiation* (2019, [arXiv:1904.02990](https://arxiv.org/abs/1904.02990)): expression swell disappears when common pieces get names.
#
# **Exercise:** [exercises/01_four_ways](../exercises/01_four_ways/01_four_ways.ipynb). Differences, the best $h$ of the central one, wrong derivatives to catch, and a derivative that you carry through a loop.
#
# **Next: [2 · Dual numbers](02_dual_numbers.ipynb)**, where the computer writes the second half of the line: with a number whose square is not $-1$, but $0$.
