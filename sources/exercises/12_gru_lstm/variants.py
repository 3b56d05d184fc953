"""Another cell: what is new comes in with a factor; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number, times

ANSWERS = ("cell", "cell_back")
PLAIN = Fraction(1)


def drawn(random):
    return Fraction(random.choice([-8, -6, -5, -4, -3, -2, -1, 3, 4, 5, 6, 8]), 2)


def plus(a, text):
    """A term of a sum, with the factor a before it."""
    size = "" if abs(a) == 1 else f"{number(abs(a))} * "
    return f"{'-' if a < 0 else '+'} {size}{text}"


def tex(a):
    return f"{'-' if a < 0 else '+'} {'' if abs(a) == 1 else number(abs(a)) + chr(92) + ','}i\\,g"


def words(a):
    return f"{'-' if a < 0 else '+'} {'' if abs(a) == 1 else number(abs(a)) + ' '}i g"


def exercise(a):
    taken, python = plus(a, "sigmoid(zi) * np.tanh(zg)"), plus(a, "i * g")
    return [
        f"What is left{'' if a == 1 else ', in a cell that is not quite that of the lesson'}:\n",
        f"c_t = f\\,c_{{t-1}} {tex(a)} \\qquad",
        f"    c = sigmoid(zf) * c {taken}\n",
        f"check_close(c_new, sigmoid(1.0) * 2.0 {plus(a, 'sigmoid(0.5) * np.tanh(-0.4)')}, ",
        f"check_close(h_new, sigmoid(0.2) * np.tanh(sigmoid(1.0) * 2.0 {plus(a, 'sigmoid(0.5) * np.tanh(-0.4)')}), ",
        f"    shown = np.tanh(f * c {python})\n",
        f'"zi": {times(a, "c_bar * g * i * (1 - i)")},\n',
        f'"zg": {times(a, "c_bar * i * (1 - g**2)")},\n',
        f"        new = sigmoid(zf) * c {taken}\n",
        f"so only f c {words(a)} is left: ",
    ]


def wrong(a):
    taken, python = plus(a, "sigmoid(zi) * np.tanh(zg)"), plus(a, "i * g")
    line = f"c = sigmoid(zf) * c {taken}"
    new, shown = f"new = f * c {python}\n", f"shown = np.tanh(f * c {python})\n"

    def back(whole, zg="i * (1 - g**2)"):
        return [f'"zi": {times(a, f"{whole} * g * i * (1 - i)")},\n', f'"zg": {times(a, f"{whole} * {zg}")},\n']

    zi, zg = times(a, "c_bar * g * i * (1 - i)"), times(a, "c_bar * i * (1 - g**2)")
    missing = (
        ""
        if a == 1
        else f'''
    ("cell", 2, "{line}", "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)",
     "That is the cell of the lesson. Here it is another one: what stands before i g?"),
'''
    )
    return [
        f'"{line}", """\n     c *= sigmoid(zf)\n     c {taken[0]}= {taken[2:]}\n',
        f"{taken[0]}= write",
        f'"{line}", "c = sigmoid(zf) * c {plus(a, "sigmoid(zi) * sigmoid(zg)")}"',
        f'"{line}",\n     "c = sigmoid(zf) * c {plus(a, "(1 - sigmoid(zf)) * np.tanh(zg)")}"',
        f'"{line}", "c = zf * c {plus(a, "zi * np.tanh(zg)")}"',
        f"new = sigmoid(zf) * c {taken}\n",
        f'First compute the new cell, then the state from it."),\n{missing}',
        shown,
        f'{{"zi": {zi}, "zf"',
        f'"zg": {zg}, "c": c_bar * f}}\n',
        f'"zo": h_bar * shown * o * (1 - o),\n     "zg": {zg},\n     "c": c_bar * f,\n',
        f'"zg": {zg},\n     "zo": h_bar * shown * o * (1 - o),\n     "c": c_bar,\n',
        new,
        *back("total"),
        f"c_bar * (f * c {python}) * f",
        shown,
        f'{{"zi": {times(a, "c_bar * g")}, "zf": c_bar * c, "zg": {times(a, "c_bar * i")}, "zo"',
        *back("whole", zg="i * (1 - g * g)"),
        f"to the NEW cell, f c {words(a)}. You",
        f"(1 - (f * c {python}) ** 2)",
        f"'\"zg\": {zg},', '\"zg\": {times(a, 'c_bar * i * g * (1 - g)')},'",
    ]


def says(a):
    return f"the cell f c {words(a)}, and its way back"
