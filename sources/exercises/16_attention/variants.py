"""Another base for the waves; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number

ANSWERS = ("waves",)
PLAIN = 10  # the base is its fourth power, so that its root, the second wave of four columns, is an integer


def drawn(random):
    return random.randint(5, 20)


def exercise(q):
    eighth = ", ".join(f"np.{wave}({number(Fraction(8, q**k))})" for k in (2, 3) for wave in ("sin", "cos"))
    return [
        f"waves of many lengths{'' if q == PLAIN else '; ours have others'}. The pair",
        f"(t / {q**4}^{{2i/d}}\\big) \\qquad",
        f"(t / {q**4}^{{2i/d}}\\big) \\qquad t",
        f"/ {float(q**4)} ** (np.arange",
        f"the second t / {q**2}. Write",
        f"np.sin(t / {q**2}), np.cos(t / {q**2})]",
        f'[{eighth}], "row 8',
    ]


def wrong(q):
    return [
        f"a = t / {q**3} ** (2",
        f"is another one than {q**4}.",
        f"[:, None] / {float(q**4)} ** (columns",
        f"a = t / {q**4} ** (2",
        f"radians(t / {q**4} ** (2",
        f"a = t / {q**4} ** (2",
    ]


def says(q):
    return f"waves with the base {q**4:,}"
