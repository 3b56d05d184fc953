"""A factor inside the tanh of the loop that goes back by hand; class/minigrad_class/variation.py says how."""

from fractions import Fraction

from minigrad_class.variation import number

ANSWERS = ("bptt",)
PLAIN = Fraction(1)


def drawn(random):
    return Fraction(random.choice([4, 5, 8, 12, 15, 16, 20, 25, 30, 40]), 10)  # 2 and others, but not 1


def exercise(k):
    m = number(k)
    before, inside = ("", "w * x + u * states[-1]") if k == 1 else (f"{m} * ", f"{m} * (w * x + u * states[-1])")
    tex = "w\\,x_t + u\\,h_{t-1}" if k == 1 else f"{m}\\,(w\\,x_t + u\\,h_{{t-1}})"
    lesson = "as in the lesson" if k == 1 else f"as in the lesson, but with the factor {m} inside the tanh"
    share = "" if k == 1 else f" / {m}"  # so that the last test asks about the same states
    with_k = "" if k == 1 else f"{m}\\,"
    return [
        f"# One number of memory, {lesson}:\n",
        f"\\tanh({tex}), \\qquad h_0 = 0$$",
        f"$$\\bar a_t = {with_k}(1 - h_t^2)\\,\\bar h_t",
        f"np.tanh({inside})",
        f"inside = {before}(1 - states[t] ** 2) * adjoint  # go back\n",
        f'exact = {{"w": {before}slope * (32 * (1 - h1 * h1) - 3), "u": {before}slope * h1}}\n',
        f'bptt([4.0, -3.0], 0.1{share}, 8.0{share}), exact, "two steps with u = 8{share}, ',
    ]


def wrong(k):
    m = number(k)
    by = "" if k == 1 else f"{m} * "
    step = f"inside = {by}(1 - states[t] ** 2) * adjoint"
    hand = f"a = {by}(1 - states[t] ** 2) * h_bar\n"
    bracket = "The derivative of tanh is 1 - h²: first the square"
    new = (
        f'''
    ("bptt", 4, "{step}", "inside = (1 - states[t] ** 2) * adjoint",
     "The factor {m} inside the tanh is missing on the way back: w and u are multiplied by it, and so is the state."),'''
        if k != 1
        else ""
    )
    return [
        hand,
        f"a = {by}(1 - states[t] ** 2) * (h_bar + 1)\n",
        f"a = {by}(1 - states[t]) ** 2 * h_bar\n",
        bracket,
        hand,
        f'"{step}", "inside = {by}(1 - states[t - 1] ** 2) * adjoint"',
        f'"{step}", "inside = {by}(1 - np.tanh(states[t]) ** 2) * adjoint"',
        f'The state is the tanh already: its derivative is 1 - h²."),{new}',
    ]


def says(k):
    return f"back through tanh({number(k)} (w x + u h))"
