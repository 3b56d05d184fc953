"""Another number below the line of the chain; class/minigrad_class/variation.py says how."""

from minigrad_class.variation import times

ANSWERS = ("kept", "fused", "gradient")
PLAIN = 1


def drawn(random):
    return random.randint(2, 9)


def exercise(c):
    at = 2.0 - 0.25 * 3.0
    alone = "0.609756097560976" if c == PLAIN else f"{at * at} / {c + at * at}"
    return [
        f"w = \\frac{{v}}{{{c} + v}}$$\n",
        f"return v / ({c} + v)\n",
        f"`q` is ${c} + v$",
        f"which of $z$, $v$ and ${c} + v$ must",
        f"np.add(out, {c}, out=work)\n",
        f"    out[k] = v / ({c} + v)\n",
        f"check_close(out.numbers, [{alone}], ",
        f"\\frac{{{times(c, chr(92) + 'bar w', chr(92) + ',')}}}{{({c} + v)^2}} \\qquad",
        f"v_bar = {times(c, 'w_bar[k]')} / (({c} + v) * ({c} + v))\n",
    ]


def wrong(c):
    divided, share = f"v / ({c} + v)", f"{times(c, 'w_bar[k]')} / (({c} + v) * ({c} + v))"
    bar, chain = f"v_bar = {share}", f"a * {'2' if c == 1 else f'{2 * c}'} * z"
    missing = (
        ""
        if c == 1
        else f'''
    ("gradient", 3, "{bar}", "v_bar = w_bar[k] / (({c} + v) * ({c} + v))",
     "What stands above the line in the derivative of v / ({c} + v) is ({c} + v) - v, and not 1."),
'''
    )
    return [
        f"out[:] = {divided}\n",
        f"     np.add(out, {c}, out=work)\n",
        f'"np.divide(out, {c} + out, out=out)"',
        f"such as {c} + v, which",
        f"out = {divided}\n",
        f"out[k] = {divided}\n",
        f"out[k] = out[k] / ({c} + out[k])\n",
        f"out[k] = {divided}\n",
        f"out[:] = {divided}\n",
        f"out[k] = {divided}\n",
        f"out[k] = z[k] * z[k] / ({c} + z[k] * z[k])\n",
        f'"{bar}", "v_bar = {times(c, "w_bar[k]")} / ({c if c == 1 else c * c} + v * v)"',
        f"belongs to {c} + v as a whole: ({c} + v)², and not {'1' if c == 1 else f'{c}²'} + v².",
        f"x_bar[k] = a * {2 * c} * t * w_bar[k] / ({c} + v) ** 2",
        f"     {bar}\n     x_bar[k]",
        f'x_bar[k] = {chain} / (({c} + v) * ({c} + v))",',
        f'comes in as w_bar[k]: "\n     "multiply by it."),\n{missing}',
        f"         {bar}\n         x_bar[k]",
        f"x_bar[k] = 2 * a * z[k] * {times(c, 'w_bar[k]')} / ({c} + v[k]) ** 2\n",
        f'"np.add(out, {c}, out=work)", "np.add(out, {c} + 1e-10, out=work)"',
        f'"out[k] = {divided}", "out[k] = v / ({c} + v + 1e-10)"',
        f'"{bar}", "v_bar = {times(c, "w_bar[k]")} / (({c} + v) * ({c} + v + 1e-10))"',
        f"     np.add(out, {c}, out=out)\n",
    ]


def says(c):
    return f"the chain v / ({c} + v), and its gradient"
