"""Another function to be differentiated by hand; class/minigrad_class/variation.py says how."""

from typing import NamedTuple

ANSWERS = ("gradient",)
OTHER = {"sin": "cos", "cos": "sin"}  # the derivative, which has a minus for the cosine
WORD = {"sin": "sine", "cos": "cosine"}


class Parameters(NamedTuple):
    """f(x, y) = a p y + b s, with p = x y and s = sin x or cos x."""

    a: int
    b: int
    wave: str


PLAIN = Parameters(1, 1, "sin")


def drawn(random):
    return Parameters(random.randint(2, 6), random.randint(2, 6), random.choice(["sin", "cos"]))


def times(factor, text):
    return text if factor == 1 else f"{factor} * {text}"


def beside(factor, text):
    return text if factor == 1 else f"{factor} {text}"


def slope(p, module, x, factor):
    """The share of s in the derivative by x, as Python, its sign included."""
    return f"{'-' if p.wave == 'cos' else '+'} {times(factor, f'{module}.{OTHER[p.wave]}({x})')}"


def exercise(p):
    a, b, wave = p
    at_0 = 9 * a + (b if wave == "sin" else 0)
    far = f"{0.25 * a:g} + {times(b, f'math.{OTHER[wave]}(1.5)')}"  # at -1.5, where the sine turns its sign
    tex = "" if a == 1 else f"{a}\\,"
    return [
        f"f(x, y) = {tex}p\\,y + {'' if b == 1 else f'{b}' + chr(92) + ','}s \\qquad",
        f"s = \\{wave} x$$\n",
        f"{'`+`, `*`' if wave == 'sin' else '`+`, `-`, `*`'}, and `np.{OTHER[wave]}` instead of `math.{OTHER[wave]}`. You",
        f"derivatives of {beside(a, 'x y')} · y + {beside(b, wave)} x with",
        f"    p_bar, s_bar = {times(a, 'y')}, {float(b)}  # seed: the result's adjoint is 1; go back through the sum and the product\n"
        f"    x_bar = p_bar * y {'+' if wave == 'sin' else '-'} s_bar * np.{OTHER[wave]}(x)  # go back, in order, and add up\n"
        f"    y_bar = {times(a, 'p')} + p_bar * x  # add up\n",
        f"# Stuck? f = {beside(a, 'p y')} + {beside(b, 's')} passes {beside(a, 'y')} to p, {beside(a, 'p')} to y, and {b} to s.",
        f"s = {wave} x what s has.",
        f'[{9 * a} {slope(p, "math", "2.0", b)}, {12 * a}], "the gradient at x = 2',
        f'[{at_0}, 0], "the gradient at x = 0',
        f'[{9 * a} {slope(p, "math", "2.0", b)}, {12 * a}], "the values, when',
        f'[{far}, {-1.5 * a:g}], "the gradient at x = -1.5',
    ]


def wrong(p):
    a, b, wave = p
    y, p_, yy = times(a, "y"), times(a, "p"), times(a, "y * y")
    by_x, x_y = slope(p, "np", "x", b), times(a, "y * x")
    return [
        f"p_bar = {p_}\n         return p_bar * y {by_x}, {y} + p_bar * x\n",
        f"In f = {beside(a, 'p y')} + {beside(b, 's')} each",
        f"how much {beside(a, 'p y')} grows.",
        f"return {yy} {slope(p, 'math', 'x', b)}, {p_} + {x_y}\n",
        f"but math.{OTHER[wave]} does",
        f'"s_bar * np.{OTHER[wave]}(x)", "s_bar * {"-" if wave == "sin" else ""}np.{wave}(x)"',
        f"-{wave} is the derivative of {'the cosine' if wave == 'sin' else 'minus the sine'}, or the second one of the {WORD[wave]}. f has {wave} x: what",
    ]


def says(p):
    return f"the gradient of {p.a} x y² + {p.b} {p.wave} x" if p != PLAIN else ""
