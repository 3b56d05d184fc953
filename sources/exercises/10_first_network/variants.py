"""Another constant in Glorot's rule; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number

ANSWERS = ("glorot",)
PLAIN = 2


def drawn(random):
    return random.randint(3, 16)


def spread(k):
    """The tolerance of the variance of the weights that are drawn: it grows with the variance."""
    return f"{k / 20_000:.5f}".rstrip("0")


def exercise(k):
    fifth = "0.2" if k == PLAIN else f"np.sqrt({number(Fraction(k, 50))})"
    return [
        f"Glorot's rule{'' if k == PLAIN else f', with {k} in place of its 2'}: weights uniform",
        f"\\frac{{{k}}}{{n_{{in}} + n_{{out}}}}$$\n",
        f"return np.sqrt({3 * k} / (n_in + n_out))",
        f"(5, 3), np.sqrt({number(Fraction(3 * k, 8))}), ",
        f"(100, 50), {fifth}, ",
        f'["variance"], {number(Fraction(k, 500))}, "300 inputs, 200 outputs: variance", tolerance={spread(k)})',
        f'["largest"], np.sqrt({3 * k} / 500), ',
        f"(784, 64), np.sqrt({3 * k} / 848), ",
        f'["variance"], {k} / 520, "20 inputs, 500 outputs: variance", {"1e-4" if k == PLAIN else spread(k)}\n',
    ]


def wrong(k):
    right = f"return np.sqrt({3 * k} / (n_in + n_out))"
    return [
        right,
        f"return {k} / (n_in + n_out)",
        right,
        f"np.sqrt({k} / (3 * (n_in + n_out)))",
        right,
        f"not the {k} of the rule: a² / 3 = {k} / (n_in",
        right,
        f"np.sqrt({3 * k}) / (n_in + n_out)",
        f"that of {3 * k} alone.",
        right,
        f"np.sqrt({k} / (n_in + n_out))",
        f"the root of {k} / (n_in + n_out), for",
    ]


def says(k):
    return f"weights of the variance {k} / (inputs + outputs)"
