"""A factor before the sum of squares; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number

ANSWERS = ("gradients",)
PLAIN = Fraction(1)


def drawn(random):
    return Fraction(random.choice([1, 2, 4, 5, 8, 12, 14, 16, 20, 30, 35, 40, 45, 50, 60]), 10)


def exercise(s):
    m, twice = number(s), number(2 * s)
    text = "the sum of squares, $E = " if s == 1 else f"the sum of squares with a factor, $E = {m} "
    docstring = "the sum of squares of one picture" if s == 1 else f"{m} times the sum of squares of one picture"
    return [
        f"The error is {text}\\sum (o - x)^2$. Go",
        f"of b (code,), for {docstring}.",
        f"out_bar = {twice} * (out - x) * out * (1 - out)  # seed",
        f"return {'' if s == 1 else f'{m} * '}np.sum((sigmoid(W.T",
    ]


def wrong(s):
    twice, half = number(2 * s), number(s)
    line = f"out_bar = {twice} * (out - x) * out * (1 - out)"
    hand = f"zo = {twice} * (o - x) * o * (1 - o)\n"
    missing = (
        ""
        if s == 1
        else f'''
    ("gradients", 5, "{line}", "out_bar = 2 * (out - x) * out * (1 - out)",
     "Those are the gradients of the sum of squares. The error here is {half} times that sum: where does the factor come in?"),
'''
    )
    return [
        hand,
        f'"{line}", "out_bar = {twice} * (out - x) / x.size * out * (1 - out)"',
        f"zo = {twice} * (o - x) * sigmoid(o)",
        f'"{line}", "out_bar = {twice} * (out - x) * (1 - out**2)"',
        f"     {line}  # seed, and go back through the square and the sigmoid\n     code_bar",
        f"     out_bar = {twice} * (out - x) * (1 - out**2)\n     code_bar",
        f'That of a sigmoid is o (1 - o)."),\n{missing}\n    # train',
    ]


def says(s):
    return f"the gradients of {number(s)} times the sum of squares"
