"""Another function for the program that owns its arrays; class/minigrad_class/variation.py says how."""

ANSWERS = ("program",)
PLAIN = 0


def drawn(random):
    return random.randint(2, 9)


def exercise(c):
    tex, plus = ("\\tanh(x_i\\,y_i)", "") if c == PLAIN else (f"\\bigl({c} + \\tanh(x_i\\,y_i)\\bigr)", f"{c} + ")
    return [
        f"\\sum_i x_i {tex}$$",
        f"the derivatives are $\\bar x = {plus}t + x",
        f"        np.add(x_bar, t, out=x_bar)\n{added(c, 8)}",
        f'"x_bar": [{plus}t + 0.5 * (1 - t * t), {c}],\n',
        f'"x_bar": [{plus}t - 0.3 * (1 - t * t)], ',
        f'["x_bar"], [{plus}1.1815684975697909], ',
    ]


def added(c, indent, name="x_bar"):
    """The line that adds the number."""
    return "" if c == PLAIN else f"{' ' * indent}np.add({name}, {c}, out={name})\n"


def wrong(c):
    def line(text, name="x_bar"):
        return f"             {text}\n{added(c, 13, name)}"

    plus = "" if c == PLAIN else f"{c} + "
    missing = (
        ""
        if c == PLAIN
        else f"""
    ("program", 2, "np.add(x_bar, {c}, out=x_bar)", "",
     "x_bar is {c} too small: what stands beside the tanh is multiplied by x as well."),
"""
    )
    return [
        f"return {plus}t + v1_bar * y, v1_bar * x\n",
        line("np.add(np.multiply(u, y, out=x_bar), t, out=x_bar)"),
        line("np.add(part, t, out=x_bar)"),
        line("x_bar[...] = x_bar + t"),
        line("np.add(a, x_bar, out=x_bar)"),
        line("np.add(a, b, out=a)", "a"),
        f"             np.multiply(y_bar, y, out=x_bar)\n{line('np.add(x_bar, t, out=x_bar)')}",
        line("np.add(xb, t, out=xb)", "xb"),
        line("np.add(s, t, out=s)", "s"),
        f"             np.multiply(u, y, out=xb)\n{line('np.add(xb, t, out=xb)', 'xb')}",
        f'These two can be one."),\n{missing}',
    ]


def says(c):
    return f"the program of the sum of x ({c} + tanh(x y))"
