"""My own engine: numbers that remember how they were computed, and so can be differentiated.

A node has four attributes, and everything around it (the checks, the pictures, the tables) needs no more:

    value     the number or array that it holds
    op        the name of the operation that made it; "" for an input
    inputs    the nodes that it was made from
    grad      the derivative that has been added up so far; 0.0 at first
"""

import numpy as np

# ── Milestone 1 · Numbers that remember ──────────────────────────────────────────────────────────────────────────────

VALUE = {  # what each operation computes
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "**": lambda a, n: a**n,  # n is a plain number
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
}


def apply(op, *inputs, **options):
    """One operation. Among its inputs is a node: so is the result. All are plain numbers: so is the result."""
    for kind in (Node, Dual):
        if any(isinstance(x, kind) for x in inputs):
            return kind.of(op, [x if isinstance(x, kind) else kind(x) for x in inputs], options)
    return VALUE[op](*inputs, **options)


class Arithmetic:
    """Sends + - * / ** to apply; also where a plain number stands on the left, as in 2 * x."""

    __array_ufunc__ = None  # NumPy asks us, where an array or a NumPy number stands on the left

    def __add__(a, b):
        return apply("+", a, b)

    def __radd__(a, b):
        return apply("+", b, a)

    def __sub__(a, b):
        return apply("-", a, b)

    def __rsub__(a, b):
        return apply("-", b, a)

    def __mul__(a, b):
        return apply("*", a, b)

    def __rmul__(a, b):
        return apply("*", b, a)

    def __truediv__(a, b):
        return apply("/", a, b)

    def __rtruediv__(a, b):
        return apply("/", b, a)

    def __neg__(a):
        return apply("neg", a)

    def __pow__(a, n):
        return apply("**", a, n=n)

    def __matmul__(a, b):
        return apply("@", a, b)

    def __rmatmul__(a, b):
        return apply("@", b, a)


class Node(Arithmetic):
    """A value that remembers the operation that made it, and that operation's inputs."""

    def __init__(self, value, op="", inputs=(), options=None):
        self.value, self.op, self.inputs, self.options = value, op, inputs, options or {}
        self.grad = 0.0

    @staticmethod
    def of(op, inputs, options):
        """The node that `op` makes of other nodes."""
        return Node(VALUE[op](*[x.value for x in inputs], **options), op, inputs, options)


def sin(a):
    return apply("sin", a)


def cos(a):
    return apply("cos", a)


def exp(a):
    return apply("exp", a)


def log(a):
    return apply("log", a)


def tanh(a):
    return apply("tanh", a)


# ── Milestone 2 · Backward ───────────────────────────────────────────────────────────────────────────────────────────

PULL = {  # the adjoint g of the value v: how much of it goes to each input
    "+": lambda g, v, a, b: (g, g),
    "-": lambda g, v, a, b: (g, -g),
    "*": lambda g, v, a, b: (g * b, g * a),
    "/": lambda g, v, a, b: (g / b, -(g * v / b)),
    "neg": lambda g, v, a: (-g,),
    "**": lambda g, v, a, n: (g * n * a ** (n - 1),),
    "sin": lambda g, v, a: (g * cos(a),),
    "cos": lambda g, v, a: (-(g * sin(a)),),
    "exp": lambda g, v, a: (g * v,),
    "log": lambda g, v, a: (g / a,),
    "tanh": lambda g, v, a: (g * (1 - v * v),),
}


def order(*outputs):
    """Every node that the outputs need, each once, and each after its inputs."""
    nodes, seen, stack = [], set(), [(node, False) for node in outputs]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            nodes.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((x, False) for x in node.inputs)
    return nodes


def backward(output, seed=1.0):
    """Add to the grad of every node the derivative of `output` with respect to it (times the seed)."""
    seed = seed * np.ones(np.shape(output.value))
    adjoint = {output: seed}  # seed: of this pass alone, as grad may hold more
    for node in reversed(order(output)):  # order
        g = adjoint.pop(node)
        node.grad = node.grad + g
        for x, share in zip(node.inputs, pull(node, g)):  # go back
            share = unbroadcast(share, np.shape(x.value))
            adjoint[x] = adjoint[x] + share if x in adjoint else share  # add up


def pull(node, g):
    """The shares of the adjoint g that go to the inputs of a node."""
    if not node.op:
        return ()
    return PULL[node.op](g, node.value, *[x.value for x in node.inputs], **node.options)


def zero_grad(output):
    """Forget what was added up, in every node that `output` needs."""
    for node in order(output):
        node.grad = 0.0


# ── Milestone 3 · Dual numbers, and one mode checks the other ────────────────────────────────────────────────────────

PUSH = {  # the tangents da, db of the inputs: which tangent the value gets
    "+": lambda a, b, da, db: da + db,
    "-": lambda a, b, da, db: da - db,
    "*": lambda a, b, da, db: da * b + a * db,
    "/": lambda a, b, da, db: (da * b - a * db) / (b * b),
    "neg": lambda a, da: -da,
    "**": lambda a, da, n: n * a ** (n - 1) * da,
    "sin": lambda a, da: cos(a) * da,
    "cos": lambda a, da: -sin(a) * da,
    "exp": lambda a, da: exp(a) * da,
    "log": lambda a, da: da / a,
    "tanh": lambda a, da: (1 - tanh(a) ** 2) * da,
}


class Dual(Arithmetic):
    """A value and its tangent, a + b·ε with ε² = 0: the derivative travels along with the value."""

    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    @staticmethod
    def of(op, inputs, options):
        """The dual number that `op` makes of others."""
        values, tangents = [x.value for x in inputs], [x.tangent for x in inputs]
        tangents = [dx + np.zeros(np.shape(x)) for x, dx in zip(values, tangents)]
        return Dual(VALUE[op](*values, **options), PUSH[op](*values, *tangents, **options))


def derivative(f, x):
    """f'(x), by one dual number."""
    y = f(Dual(x, 1.0))
    return y.tangent if isinstance(y, Dual) else 0.0  # f may not depend on x at all


def check(f, *values):
    """The distance of the two modes: the largest difference among the derivatives of f at some numbers."""
    nodes = [Node(x) for x in values]
    backward(f(*nodes))
    forward = [f(*[Dual(x, float(i == k)) for i, x in enumerate(values)]).tangent for k in range(len(values))]
    return max(abs(node.grad - tangent) for node, tangent in zip(nodes, forward))


# ── Milestone 4 · Arrays ─────────────────────────────────────────────────────────────────────────────────────────────


def sum(a, axis=None):
    """The sum of all entries, or along one axis."""
    return apply("sum", a, axis=axis)


def reshape(a, shape):
    """The same entries in another shape."""
    return apply("reshape", a, shape=shape)


def shape_of(x):
    """The shape of what a node or a dual number holds, or of x itself."""
    return np.shape(getattr(x, "value", x))


def spread(g, shape, axis):
    """The adjoint of a sum: each entry gets what its sum has."""
    return (g if axis is None else reshape(g, squeezed(shape, axis))) + np.zeros(shape)


def squeezed(shape, axis):
    """A shape with 1 in the place of one axis."""
    return tuple(1 if k == axis % len(shape) else size for k, size in enumerate(shape))


def unbroadcast(share, shape):
    """Give an adjoint the shape of its input: what was copied on the way forward is added up on the way back."""
    while len(shape_of(share)) > len(shape):
        share = sum(share, axis=0)
    for axis, size in enumerate(shape):
        if size == 1 != shape_of(share)[axis]:
            share = reshape(sum(share, axis), squeezed(shape_of(share), axis))
    return share


VALUE |= {
    "sum": lambda a, axis: np.sum(a, axis=axis),
    "reshape": lambda a, shape: np.reshape(a, shape),
}
PULL |= {
    "sum": lambda g, v, a, axis: (spread(g, shape_of(a), axis),),
    "reshape": lambda g, v, a, shape: (reshape(g, shape_of(a)),),
}
PUSH |= {
    "sum": lambda a, da, axis: np.sum(da, axis=axis),
    "reshape": lambda a, da, shape: np.reshape(da, shape),
}


# ── Milestone 5 · Matrix products and relu ───────────────────────────────────────────────────────────────────────────


def transpose(a):
    """Rows become columns."""
    return apply("transpose", a)


def relu(a):
    """The larger of a and 0."""
    return apply("relu", a)


def step(a):
    """1 where a is above 0, and 0 elsewhere: the slope of relu."""
    return apply("step", a)


VALUE |= {
    "@": lambda a, b: a @ b,
    "transpose": lambda a: np.transpose(a),
    "relu": lambda a: np.maximum(a, 0.0),
    "step": lambda a: 1.0 * (a > 0),
}
PULL |= {
    "@": lambda g, v, a, b: (g @ transpose(b), transpose(a) @ g),
    "transpose": lambda g, v, a: (transpose(g),),
    "relu": lambda g, v, a: (g * step(a),),
    "step": lambda g, v, a: (0.0 * g,),
}
PUSH |= {
    "@": lambda a, b, da, db: da @ b + a @ db,
    "transpose": lambda a, da: np.transpose(da),
    "relu": lambda a, da: step(a) * da,
    "step": lambda a, da: 0.0 * da,
}


# ── Milestone 6 · Softmax and cross-entropy ──────────────────────────────────────────────────────────────────────────


def highest(a):
    """The largest entry of each row, as a column."""
    return apply("highest", a)


VALUE["highest"] = lambda a: np.max(a, axis=1, keepdims=True)
PULL["highest"] = lambda g, v, a: (0.0 * a,)  # a constant: it is added and taken away again, so it cancels
PUSH["highest"] = lambda a, da: 0.0 * np.max(a, axis=1, keepdims=True)


def cross_entropy(logits, labels):
    """The mean of -log softmax(logits)[label] over the rows; no exponential overflows."""
    classes = shape_of(logits)[1]
    return cross_entropy_of(logits, np.eye(classes)[labels])


def cross_entropy_of(logits, wanted):
    """The same, with a 1 in each row of `wanted` at its label."""
    logits = logits - highest(logits)
    return sum(log(sum(exp(logits), axis=1)) - sum(logits * wanted, axis=1)) / len(wanted)


# ── Milestone 7 · A network that reads digits ────────────────────────────────────────────────────────────────────────


def glorot(rng, inputs, outputs):
    """A matrix of weights, small enough and large enough for signals to pass in both directions."""
    bound = np.sqrt(6 / (inputs + outputs))
    return Node(rng.uniform(-bound, bound, (inputs, outputs)))


class Linear:
    """x @ weight + bias."""

    def __init__(self, inputs, outputs, rng):
        self.weight, self.bias = glorot(rng, inputs, outputs), Node(np.zeros(outputs))
        self.parameters = [self.weight, self.bias]

    def __call__(self, x):
        return x @ self.weight + self.bias


class SGD:
    """Gradient descent: each parameter takes a step against its gradient, which is then forgotten."""

    def __init__(self, parameters, rate):
        self.parameters, self.rate = parameters, rate

    def step(self):
        for p in self.parameters:
            p.value = p.value - self.rate * p.grad
            p.grad = 0.0


def fit(network, optimizer, x, y, epochs, batch, rng):
    """Train; the loss of each step. Every epoch goes through all rows once, in a new order."""
    losses = []
    for _ in range(epochs):
        shuffled = rng.permutation(len(x))
        for k in range(0, len(x), batch):
            rows = shuffled[k : k + batch]
            loss = cross_entropy(network(x[rows]), y[rows])
            backward(loss)
            optimizer.step()
            losses.append(float(loss.value))
    return losses


# ── Milestone 8 · A recurrent cell, and the loop over time ───────────────────────────────────────────────────────────


class Recurrent:
    """The state after a list of inputs, one for each time: h = tanh(x @ w_x + h @ w_h + b), from h = 0 on."""

    def __init__(self, inputs, hidden, rng):
        self.w_x, self.w_h, self.b = glorot(rng, inputs, hidden), glorot(rng, hidden, hidden), Node(np.zeros(hidden))
        self.parameters = [self.w_x, self.w_h, self.b]

    def __call__(self, xs):
        h = np.zeros((shape_of(xs[0])[0], len(self.b.value)))
        for x in xs:
            h = tanh(x @ self.w_x + h @ self.w_h + self.b)
        return h


# ── Choice 9 · Convolution ───────────────────────────────────────────────────────────────────────────────────────────


def conv2d(x, kernel):
    """Slide a kernel (out, in, k, l) over pictures (n, in, height, width), inside their borders."""
    return apply("conv2d", x, kernel)


def windows(x, height, width):
    """All windows of that size: (n, in, rows, columns, height, width). A view: nothing is copied."""
    return np.lib.stride_tricks.sliding_window_view(x, (height, width), axis=(2, 3))


def convolve(x, kernel):
    return np.einsum("nirckl,oikl->norc", windows(x, *kernel.shape[2:]), kernel, optimize=True)


def conv2d_pull(g, v, x, kernel):
    """To the kernel: each window, weighted by its adjoint. To x: the kernel turned round slides over g."""
    height, width = kernel.shape[2:]
    to_kernel = np.einsum("nirckl,norc->oikl", windows(x, height, width), g, optimize=True)
    around = np.pad(g, ((0, 0), (0, 0), (height - 1, height - 1), (width - 1, width - 1)))
    return convolve(around, kernel[:, :, ::-1, ::-1].swapaxes(0, 1)), to_kernel


VALUE["conv2d"] = convolve
PULL["conv2d"] = conv2d_pull
PUSH["conv2d"] = lambda x, kernel, dx, dk: convolve(dx, kernel) + convolve(x, dk)


# ── Choice 10 · Second derivatives ───────────────────────────────────────────────────────────────────────────────────


def adjoints(output, inputs):
    """The derivatives of `output` as nodes, which can be differentiated again: the rules, applied to nodes."""
    adjoint = {output: Node(np.ones(np.shape(output.value)))}
    for node in reversed(order(output)):
        if node.op:
            for x, share in zip(node.inputs, PULL[node.op](adjoint[node], node, *node.inputs, **node.options)):
                share = unbroadcast(share, np.shape(x.value))
                adjoint[x] = adjoint[x] + share if x in adjoint else share
    return [adjoint.get(x, Node(np.zeros(np.shape(x.value)))) for x in inputs]


# ── Choice 11 · Momentum and Adam ────────────────────────────────────────────────────────────────────────────────────


class Momentum(SGD):
    """A heavy ball: it keeps some of its speed."""

    def __init__(self, parameters, rate, keep=0.9):
        super().__init__(parameters, rate)
        self.keep, self.speeds = keep, [0.0 * p.value for p in parameters]

    def step(self):
        for k, p in enumerate(self.parameters):
            self.speeds[k] = self.keep * self.speeds[k] + p.grad
            p.value = p.value - self.rate * self.speeds[k]
            p.grad = 0.0


class Adam(SGD):
    """Each entry takes steps of about the same size: its mean gradient, by the size that its gradients have."""

    def __init__(self, parameters, rate, keep=0.9, keep_square=0.999, tiny=1e-8):
        super().__init__(parameters, rate)
        self.keep, self.keep_square, self.tiny, self.steps = keep, keep_square, tiny, 0
        self.means, self.squares = [0.0 * p.value for p in parameters], [0.0 * p.value for p in parameters]

    def step(self):
        self.steps += 1
        for k, p in enumerate(self.parameters):
            self.means[k] = self.keep * self.means[k] + (1 - self.keep) * p.grad
            self.squares[k] = self.keep_square * self.squares[k] + (1 - self.keep_square) * p.grad**2
            mean = self.means[k] / (1 - self.keep**self.steps)  # the first ones are too small: they began at 0
            square = self.squares[k] / (1 - self.keep_square**self.steps)
            p.value = p.value - self.rate * mean / (np.sqrt(square) + self.tiny)
            p.grad = 0.0


# ── Choice 12 · Checkpoints ──────────────────────────────────────────────────────────────────────────────────────────


def checkpoint(f, *inputs):
    """f(*inputs) as one node, which forgets what lies between, and computes it again on the way back."""
    return apply("checkpoint", *inputs, f=f)


def checkpoint_pull(g, v, *values, f):
    nodes = [Node(x) for x in values]
    backward(f(*nodes), g)
    return [node.grad for node in nodes]


VALUE["checkpoint"] = lambda *values, f: f(*[Node(x) for x in values]).value
PULL["checkpoint"] = checkpoint_pull


# ── Choice 13 · The backward pass, written out as a program ──────────────────────────────────────────────────────────

KERNELS = '''
import numpy as np

def highest(a):
    out = np.empty((a.shape[0], 1))
    for i in range(a.shape[0]):
        out[i, 0] = a[i].max()
    return out
'''


TEXT = {name: f"{{0}} {name} {{1}}" for name in ("+", "-", "*", "/", "@")}  # the operations once more, as source code
TEXT |= {name: f"np.{name}({{0}})" for name in ("sin", "cos", "exp", "log", "tanh", "transpose")}
TEXT |= {
    "neg": "-{0}",
    "**": "{0} ** {n}",
    "sum": "np.sum({0}, {axis})",
    "reshape": "np.reshape({0}, {shape})",
    "relu": "np.maximum({0}, 0.0)",
    "step": "1.0 * ({0} > 0.0)",
    "highest": "highest({0})",
}


def program(outputs, inputs):
    """The Python source of a function `run` from the values of `inputs` to those of `outputs`."""
    names, lines = {x: f"x{k}" for k, x in enumerate(inputs)}, []
    for node in order(*outputs):
        if node not in names:
            names[node] = f"v{len(names)}"
            lines.append(f"    {names[node]} = {line(node, names)}")
    arguments, results = (", ".join(names[x] for x in nodes) for nodes in (inputs, outputs))
    return "\n".join([KERNELS, f"def run({arguments}):", *lines, f"    return {results},\n"])


def line(node, names):
    """Name what computes a node: its operation, or the numbers that it holds."""
    if node.op:
        return TEXT[node.op].format(*[names[x] for x in node.inputs], **node.options).replace(", None)", ")")
    if not np.any(node.value):
        return f"np.zeros({np.shape(node.value)})"
    return f"np.array({np.asarray(node.value, float).tolist()})"
