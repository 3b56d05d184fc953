"""A factor inside the cosine of the row; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number, times

ANSWERS = ("row",)
PLAIN = Fraction(1)


def drawn(random):
    return Fraction(random.choice([3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18]), 2)


def tex(k, text):
    return text if k == 1 else f"{number(k)}{text}" if text[0] == "|" else f"{number(k)}\\,{text}"


def outer(k):
    """The size of what stands in the cosine, as text of the row."""
    return times(k, "abs(a)")


def decay(k, size="abs(a)"):
    return f"exp(-{number(2 * k)} * {size})"


def value(k):
    return f"{outer(k)} + log1p({decay(k)}) - log(2)"


def slope(k):
    return times(k, f"tanh({times(k, 'a')})")


def exercise(k):
    square = "a^2/2" if k == 1 else f"{number(k * k / 2)}\\,a^2"
    inside = "a" if k == 1 else f"({tex(k, 'a')})"
    cosh = f"\\ln\\cosh {inside}"
    far = 1000 * k
    size = "|a|" if k == 1 else f"{number(k)} |a|"
    return [
        f"# ${cosh}$ is a smooth loss: like ${square}$ near 0, and like ${tex(k, '|a|')} - \\ln 2$ far away. "
        f"But $\\cosh {number(far)}$ is too",
        f"$${cosh} = {tex(k, '|a|')} + \\ln\\bigl(1 + e^{{-{number(2 * k)}|a|}}\\bigr) - \\ln 2$$",
        f"Differentiate ${cosh}$, where",
        f'return "{value(k)}", "{slope(k)}"\n',
        f"with abs(a) for |a|. The derivative of ln(u) is u'/u, with u = cosh {'a' if k == 1 else f'({number(k)} a)'}.",
        f"log_cosh(1.0), math.log(math.cosh({number(k)})), ",
        f"log_cosh(-1000.0), {number(far)} - math.log(2), ",
        f"mg.derivative(log_cosh, 1.0), {times(k, f'math.tanh({number(k)})')}, ",
        f"mg.derivative(log_cosh, -1000.0), -{number(k)}, ",
        f"mg.derivative(log_cosh, -0.3), {times(k, f'math.tanh(-{number(Fraction(3, 10) * k)})')}, ",
        f"(log_cosh))(0.5), {'' if k == 1 else f'{number(k * k)} * ('}1 - math.tanh({number(k / 2)}) ** 2"
        f"{'' if k == 1 else ')'}, ",
    ]


def wrong(k):
    v, d, a = value(k), slope(k), times(k, "a")
    line = f'\'return "{v}", "{d}"\''
    size, log, sign, two = outer(k), f"log1p({decay(k)})", times(k, "sign(a)"), number(2 * k)
    ka = "a" if k == 1 else f"({number(k)} a)"
    cosh, by, in_words = f"ln cosh {ka}", "" if k == 1 else f"{number(k)} * ", "" if k == 1 else f"{number(k)} "

    def factor(text):
        """A derivative with the factor, in brackets where it has one."""
        return text if k == 1 else f"{number(k)} * ({text})"

    def both(text, slope):
        return f'{line},\n     \'return "{text}", "{slope}"\''

    squared = "1 - tanh(a) ** 2" if k == 1 else f"{number(k * k)} * (1 - tanh({a}) ** 2)"
    missing = f"""
    ("row", 2, {line}, 'return "{v}", "tanh({a})"',
     "The derivative of what stands in the cosine, {number(k)}, is missing: think of the chain rule."),
"""
    return [
        both(v, f"{'1' if k == 1 else number(k)} / tanh({a})"),
        f"is sinh over cosh{'' if k == 1 else f', times {number(k)}'}.",
        f'"+ {log}", "+ log1p(exp(-{by}abs(a)))"',
        f"the exponent is -{two} |a|, and not -{in_words}|a|.",
        f'{line}, \'return "{size} - log(2)", "{sign}"\'',
        f'"(a) + {log}", "(a) + log1p(exp({two} * abs(a)))"',
        f"The exponent is -{two} |a|.",
        both(f"{size} + log({decay(k)}) - log(2)", d),
        both(f"{size} + {log} - 2", d),
        f"{line},\n     'return \"{v}\"'",
        both(v, factor("1 - v * v")),
        f"Here v is {cosh}: its derivative is {in_words}sinh {ka} / cosh {ka}.",
        both(v, factor(f"1 - tanh({a})")),
        f"1 - tanh {ka} is something else. The derivative of {cosh} is {in_words}sinh {ka} over cosh {ka}.",
        both(v, squared),
        f"The first one is {in_words}sinh {ka} over cosh {ka}, which",
        both(v, sign),
        f"the derivative of {in_words}|a| alone.",
        both(v, f"{by}sinh({a})"),
        f"the derivative of ln u is u'/u.\"),\n{'' if k == 1 else missing}",
    ]


def says(k):
    return f"a row for ln cosh {number(k)} a"
