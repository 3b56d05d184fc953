"""The playground's examples: a name, a title, a question, a function, and the mode that it is shown in."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """One entry of the playground's list. name: for the address."""

    name: str
    title: str
    question: str
    source: str
    mode: str = "reverse"


EXAMPLES = [
    Example(
        "essay",
        "A sum of three terms",
        "Three shares arrive at x and add up to its adjoint. Guess them, then step: which is the largest?",
        """\
def f(x=3.0, y=5.0):
    return 2 * x + x * y**3 + mg.sin(x)
""",
    ),
    Example(
        "loop",
        "A loop",
        "The loop makes four turns. Why does the walk back make four, in the other order?",
        """\
def f(x1=3.0, x2=4.0, n: int = 4):
    a = b = 0
    for _ in range(n):
        a += x1 * x2
        b += x1 + x2
    return a, b
""",
    ),
    Example(
        "diamond",
        "A diamond",
        "y goes two ways, a short one and a long one. Switch on “no topological order”: which number becomes wrong?",
        """\
def f(x=0.5):
    y = x * x
    return y * mg.sin(mg.exp(y))
""",
    ),
    Example(
        "cube",
        "One input, used three times",
        "x * x * x passes three shares to x. Which rule of the walk back adds them up?",
        """\
def cube(x=2.0):
    return x * x * x
""",
    ),
    Example(
        "neuron",
        "A neuron and its loss",
        "The weight is too small. In which direction does its derivative say that it should move?",
        """\
def loss(w=0.5, b=0.1, x=2.0, wanted=1.0):
    y = mg.tanh(w * x + b)
    return (y - wanted) ** 2
""",
    ),
    Example(
        "vanishing",
        "A vanishing chain",
        "Each sigmoid passes on at most a quarter. After eight of them, how much is left?",
        """\
def chain(x=0.5, n: int = 8):
    for _ in range(n):
        x = mg.sigmoid(x)
    return x
""",
    ),
    Example(
        "chaos",
        "An exploding chain",
        "The logistic map. How does the derivative grow with each turn? Move x by a thousandth and compare.",
        """\
def chaos(x=0.3, r=3.9, n: int = 8):
    for _ in range(n):
        x = r * x * (1 - x)
    return x
""",
    ),
    Example(
        "newton",
        "Newton's method",
        "The derivative of an algorithm: does it come out as that of the square root, 1 / (2 * root)?",
        """\
def root(a=2.0, n: int = 5):
    x = a
    for _ in range(n):
        x = (x + a / x) / 2
    return x
""",
    ),
    Example(
        "dual",
        "A dual number by hand",
        "The second result is computed by rules that you can read. Which entry of the Jacobian must it be equal to?",
        """\
def f(x=1.5):
    v, dv = x, 1.0             # a value and its tangent
    v, dv = v * v, 2 * v * dv  # the square
    v, dv = mg.sin(v), mg.cos(v) * dv
    return v, dv
""",
        "forward",
    ),
    Example(
        "branch",
        "A branch",
        "What is the derivative left of 0, and right of it? And at 0?",
        """\
def relu(x=0.5):
    if x > 0:
        return x
    return 0.1 * x
""",
    ),
    Example(
        "polar",
        "Polar coordinates",
        "Two inputs, two results. What is the determinant of the Jacobian?",
        """\
def polar(r=2.0, angle=0.7):
    x = r * mg.cos(angle)
    y = r * mg.sin(angle)
    return x, y
""",
    ),
    Example(
        "horner",
        "A polynomial by Horner's rule",
        "Every coefficient is an input here. What are the derivatives by them?",
        """\
def polynomial(x=2.0, c=[1.0, -3.0, 0.5, 2.0]):
    y = 0
    for k in range(4):
        y = y * x + c[k]
    return y
""",
    ),
    Example(
        "softmax",
        "Softmax and cross-entropy",
        "The right class is number 2. Which score must go up, and what do all derivatives add up to?",
        """\
def loss(scores=[1.0, 2.0, 0.5]):
    e = mg.exp(scores)
    p = e / mg.sum(e)
    return -mg.log(p[2])
""",
    ),
    Example(
        "rnn",
        "A tiny recurrent network",
        "One weight, used in three steps. Which step's share is the largest?",
        """\
def loss(w=0.9, u=0.5, xs=[1.0, -0.5, 0.8]):
    h = 0
    for t in range(3):
        h = mg.tanh(w * h + u * xs[t])
    return (h - 1) ** 2
""",
    ),
    Example(
        "attention",
        "Attention, one query",
        "Which key does the query look at? Follow how its derivative goes through both products.",
        """\
def attend(q=[1.0, 0.5], keys=[[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]], values=[1.0, 2.0, 3.0]):
    scores = keys @ q
    e = mg.exp(scores)
    return mg.sum(e / mg.sum(e) * values)
""",
    ),
    Example(
        "convolution",
        "A convolution",
        "The filter has two entries, the signal five. Which entries of the signal have a part in the first result?",
        """\
def f(signal=[1.0, 3.0, 2.0, 5.0, 4.0], filter=[0.5, -0.5]):
    y = filter[0] * signal[:4] + filter[1] * signal[1:]
    return mg.sum(y * y)
""",
    ),
    Example(
        "likelihood",
        "A Gaussian's likelihood",
        "At which mean does the derivative by it change its sign? Move the slider.",
        """\
def fit(mean=1.0, sigma=2.0, data=[1.2, 2.9, 2.1]):
    z = (data - mean) / sigma
    return mg.sum(z * z) / 2 + 3 * mg.log(sigma)
""",
    ),
    Example(
        "ball",
        "A ball, in Euler's steps",
        "How much farther does it fly if it is thrown a little faster? And a little steeper?",
        """\
def thrown(speed=10.0, angle=0.8, n: int = 6):
    x, y, dt = 0, 0, 0.2
    vx, vy = speed * mg.cos(angle), speed * mg.sin(angle)
    for _ in range(n):
        x, y = x + dt * vx, y + dt * vy
        vy = vy - 9.81 * dt
    return x, y
""",
    ),
    Example(
        "integral",
        "An integral by trapezoids",
        "The derivative of an integral by its upper end is the integrand there. How near is it with three trapezoids?",
        """\
def integral(end=2.0, n: int = 3):
    h = end / n
    total = 0
    for k in range(n):
        left, right = k * h, (k + 1) * h
        total += h * (left**2 + right**2) / 2
    return total
""",
    ),
    Example(
        "quadratic",
        "A quadratic form",
        "A is not symmetric. Is the gradient 2 A x, or something else?",
        """\
def form(x=[1.0, 2.0], A=[[2.0, 1.0], [0.0, 3.0]]):
    return x @ (A @ x)
""",
    ),
]
