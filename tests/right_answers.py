"""Answers that are right, and unlike the solution: learners with another background write such.

Each has a name and words for its way, then the exercise, the cell and the source. Most were written from the notebook
alone, by somebody who had not looked at the solution. test_grading_hints.py wants every point for each.
"""

RIGHT = {
    "is_right: np.isclose, which gives a bool of NumPy": ("01_four_ways", "judge", '''
def is_right(f, df, x):
    h = 6e-6 * max(1, abs(x))
    return np.isclose(df(x), (f(x + h) - f(x - h)) / (2 * h), rtol=1e-6, atol=1e-6)
'''),
    "slopes: a stack of steps, for any shape": ("01_four_ways", "slopes", '''
def slopes(f, x, h=1e-5):
    steps = h * np.eye(x.size).reshape(-1, *x.shape)
    return np.fromiter(((f(x + s) - f(x - s)) / (2 * h) for s in steps), float).reshape(x.shape)
'''),
    "sin_rule, cos_rule, exp_rule: made by one function, and lists": ("02_dual_numbers", "rules", '''
def chain(f, slope):
    return lambda a: [f(a.value), slope(a.value) * a.tangent]

sin_rule, cos_rule, exp_rule = chain(sin, cos), chain(cos, lambda v: -sin(v)), chain(exp, exp)
'''),
    "as_duals, derivative: a tuple, getattr and a walrus": ("02_dual_numbers", "apart", '''
def as_duals(*numbers):
    newest = max((n.tag for n in numbers if isinstance(n, Dual)), default=0)
    return tuple(n if getattr(n, "tag", None) == newest else Dual(n, 0, newest) for n in numbers)

def derivative(f, x):
    y = f(Dual(x, 1, tag := new_tag()))
    return y.tangent if getattr(y, "tag", None) == tag else 0
'''),
    "forward_pass: a linear system": ("03_tracing_forwards", "pass", '''
import numpy as np

def forward_pass(tape, seed):
    place = {name: k for k, (name, _) in enumerate(tape)}
    system = np.eye(len(tape))
    for name, made_of in tape:
        for parent, partial in made_of:
            system[place[name], place[parent]] -= partial
    return dict(zip(place, np.linalg.solve(system, [seed.get(name, 0.0) for name in place])))
'''),
    "jacobian_columns: columns turned by zip": ("03_tracing_forwards", "columns", '''
import numpy as np

def jacobian_columns(f, x):
    return [*zip(*([getattr(y, "tangent", 0) for y in f([*map(Dual, x, e)])] for e in np.eye(len(x))))]
'''),
    "seed: an array": ("03_tracing_forwards", "seed", '''
import numpy as np

def seed():
    return np.array([1.0, 0.0, -2.0])
'''),
    "backward_pass: each row asks its children": ("04_tracing_backwards", "walk", '''
import functools

def backward_pass(tape, weights):
    children = {name: [] for name, _ in tape}
    for child, made_of in tape:
        for name, partial in made_of:
            children[name].append((child, partial))

    @functools.cache
    def adjoint(name):
        return weights.get(name, 0) + sum(partial * adjoint(child) for child, partial in children[name])

    return {name: adjoint(name) for name, _ in reversed(tape)}
'''),
    "vjp: one more row on the tape": ("04_tracing_backwards", "vjp", '''
def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    total = object()
    tape.append((total, list(zip(outputs, w))))
    return [*map(backward_pass(tape, {total: 1}).get, inputs)]
'''),
    "topological_order: graphlib": ("05_computational_graph", "order", '''
from graphlib import TopologicalSorter

def topological_order(output, parents):
    graph, todo = {}, [output]
    while todo:
        if (node := todo.pop()) not in graph:
            graph[node] = list(parents(node))
            todo += graph[node]
    return list(TopologicalSorter(graph).static_order())
'''),
    "backward: grads put aside, and added later": ("05_computational_graph", "backward", '''
def backward(order):
    before = [node.grad for node in order]
    zero_grad(order)
    order[-1].grad = 1
    for node in order[::-1]:
        for parent, partial in zip(node.parents, node.partials):
            parent.grad += node.grad * partial
    for node, grad in zip(order, before):
        node.grad += grad

def zero_grad(order):
    for node in order:
        node.grad = 0
'''),
    "minimise: by recursion": ("06_higher_derivatives", "minimise", '''
def minimise(gradient, point, tolerance=1e-6, patience=100):
    if not patience or np.linalg.norm(gradient(*point)) < tolerance:
        return point, 0
    end, steps = minimise(gradient, np.add(point, newton_step(gradient, point)), tolerance, patience - 1)
    return end, steps + 1
'''),
    "safe_step: along the axes of the parabola": ("06_higher_derivatives", "safe_step", '''
def safe_step(gradient, point):
    curvatures, axes = np.linalg.eigh(hessian(gradient, point))
    if curvatures[0] <= 0:
        curvatures = curvatures - curvatures[0] + 1
    return -axes @ (axes.T @ gradient(*point) / curvatures)
'''),
    "gradient: a generator": ("06_higher_derivatives", "gradient", '''
def gradient(x, y):
    yield y ** 2 + np.cos(x)
    yield y * x + x * y
'''),
    "unbroadcast: einsum with numbered axes": ("07_arrays", "unbroadcast", '''
def unbroadcast(adjoint, shape):
    first = np.ndim(adjoint) - len(shape)
    kept = [first + k for k, size in enumerate(shape) if size != 1]
    return np.einsum(adjoint, range(np.ndim(adjoint)), kept).reshape(shape)
'''),
    "cross_entropy_vjp: softmax from all differences": ("07_arrays", "slope", '''
def cross_entropy_vjp(adjoint, logits, labels):
    with np.errstate(over="ignore"):
        softmax = 1 / np.exp(logits[:, None, :] - logits[:, :, None]).sum(axis=2)
    return adjoint * (softmax - np.eye(logits.shape[1])[labels]) / len(labels)
'''),
    "cross_entropy_vjp: a list of rows": ("07_arrays", "slope", '''
def cross_entropy_vjp(adjoint, logits, labels):
    def of(row, label):
        powers = np.exp(row - row.max())
        return adjoint / len(logits) * (powers / powers.sum() - np.eye(len(row))[label])
    return [*map(of, logits, labels)]
'''),
    "reverse_lines: one line for each name": ("08_tape_to_program", "reverse", '''
def reverse_lines(tape):
    shares = {}
    for name, operation, inputs in tape:
        shares.setdefault(name, [])
        for which, partial in zip(inputs, TABLE[operation][1]):
            if which.isidentifier():
                partial = partial.format(a=inputs[0], b=inputs[-1], v=name)
                shares.setdefault(which, []).append(f"{name}_bar * ({partial})")
    shares[tape[-1][0]] = ["1.0"]
    made = [name for name, *_ in reversed(tape)]
    names = made + [name for name in shares if name not in made]
    return [f"{name}_bar = {' + '.join(shares[name] or ['0.0'])}" for name in names]
'''),
    "make_program: a class with __call__, and one block of memory": ("08_tape_to_program", "program", '''
class make_program:
    def __init__(self, n):
        self.block = np.empty((3, n))

    def __call__(self, x, y):
        t, u, v = self.block
        np.tanh(np.multiply(x, y, out=t), out=t)
        np.multiply(np.subtract(1, np.square(t, out=u), out=u), x, out=u)
        np.add(np.multiply(u, y, out=v), t, out=v)
        return v, np.multiply(u, x, out=u)
'''),
    "without_dead: a tuple": ("08_tape_to_program", "dead", '''
def without_dead(lines, wanted):
    alive, left = set(wanted), ()
    for line in reversed(lines):
        if writes(line) in alive:
            left = (line, *left)
            alive = (alive if adds(line) else alive - {writes(line)}) | reads(line)
    return left
'''),
    "without_dead: by recursion": ("08_tape_to_program", "dead", '''
def without_dead(lines, wanted):
    if not lines:
        return []
    *above, line = lines
    wanted = set(wanted)
    if writes(line) not in wanted:
        return without_dead(above, wanted)
    if not adds(line):
        wanted.discard(writes(line))
    return [*without_dead(above, wanted | reads(line)), line]
'''),
    "gradient_fused: zip in place of x[k]": ("09_making_it_fast", "gradient", '''
def gradient_fused(x, w_bar, a, b, x_bar):
    for k, (number, bar) in enumerate(zip(x, w_bar)):
        z = a * number + b
        x_bar[k] = 2 * a * z * bar / (1 + z * z) ** 2
'''),
    "pays_after: fractions": ("09_making_it_fast", "pays", '''
from fractions import Fraction

def pays_after(compiling, before, after):
    gain = Fraction(before) - Fraction(after)
    return Fraction(compiling) // gain + 1 if gain > 0 else math.inf
'''),
    "scores: a column for each image": ("10_first_network", "network", '''
def scores(x, W1, b1, W2, b2):
    hidden = mg.tanh((W1 @ x.T).T + b1)
    return (W2 @ hidden.T).T + b2
'''),
    "accuracy: without NumPy": ("10_first_network", "accuracy", '''
def accuracy(scores, labels):
    places = [max(range(len(row)), key=row.__getitem__) for row in scores]
    return sum(map(lambda place, label: place == label, places, labels)) / len(places)
'''),
    "train: an array of losses": ("10_first_network", "train", '''
def train(x, y, parameters, rate, epochs, size, rng):
    def one(rows):
        loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
        loss.backward()
        sgd_step(parameters, rate)
        return loss.value
    return np.fromiter((one(rows) for _ in range(epochs) for rows in batches(len(x), size, rng)), float)
'''),
    "sgd_step: p.grad = None, as in PyTorch": ("10_first_network", "step", '''
def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - rate * p.grad
        p.grad = None
'''),
    "sgd_step: p.grad = 0": ("10_first_network", "step", '''
def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - rate * p.grad
        p.grad = 0 * p.value
'''),
    "clip_by_norm: math.hypot": ("11_recurrent_networks", "by_norm", '''
import math

def clip_by_norm(gradients, limit):
    norm = math.hypot(*(number for array in gradients for number in array.flat))
    return [array * (limit / norm if norm > limit else 1) for array in gradients]
'''),
    "bptt: running products": ("11_recurrent_networks", "bptt", '''
def bptt(xs, w, u):
    states = np.array(forward(xs, w, u))
    slopes = 1 - states[1:] ** 2
    a_bar = slopes * np.cumprod([1, *u * slopes[:0:-1]])[::-1]
    return dict(w=a_bar @ xs, u=a_bar @ states[:-1])
'''),
    "lstm_cell_back: tanh and cosh in place of the gates": ("12_gru_lstm", "cell_back", '''
def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, o = (0.5 + 0.5 * np.tanh(0.5 * np.asarray(z)) for z in (zi, zf, zo))
    h = np.tanh(f * c + i * np.tanh(zg))
    new = c_bar + h_bar * o * (1 - h) * (1 + h)
    values = new * np.tanh(zg) * i * (1 - i), new * c * f * (1 - f), h_bar * h * o * (1 - o), new * i / np.cosh(zg) ** 2
    return dict(zip(["zi", "zf", "zo", "zg", "c"], [*values, new * f]))
'''),
    "choose: min, which refuses by itself": ("12_gru_lstm", "choose", '''
def choose(T, state_bytes, cap):
    return min(k for k in range(1, T + 1) if (-(-T // k) + k - 1) * state_bytes <= cap)
'''),
    "x_adjoint: by the Fourier transform": ("13_convolutional_networks", "x_adjoint", '''
def x_adjoint(y_bar, w):
    size = [m + n - 1 for m, n in zip(y_bar.shape, w.shape)]
    return np.fft.irfft2(np.fft.rfft2(y_bar, size) * np.fft.rfft2(w, size), size)
'''),
    "pool_adjoint: no loop": ("13_convolutional_networks", "pool_adjoint", '''
def pool_adjoint(x, y_bar):
    r, q = y_bar.shape
    squares = x[: 2 * r, : 2 * q].reshape(r, 2, q, 2).swapaxes(1, 2).reshape(r, q, 4)
    shares = y_bar[..., None] * np.eye(4)[squares.argmax(axis=2)]
    x_bar = np.zeros(x.shape)
    x_bar[: 2 * r, : 2 * q] = shares.reshape(r, q, 2, 2).swapaxes(1, 2).reshape(2 * r, 2 * q)
    return x_bar
'''),
    "gradients: both shares in one product": ("14_autoencoder", "gradients", '''
def gradients(x, W, b):
    c, o = copy(x, W, b)
    decoder = 2 * (o - x) * o * (1 - o)
    encoder = W @ decoder * c * (1 - c)
    return np.column_stack([c, encoder]) @ [decoder, x], encoder
'''),
    "head_start: deepcopy": ("14_autoencoder", "head_start", '''
from copy import deepcopy

def head_start(classifier, autoencoder):
    new = {n.replace("encoder", "lower", 1): a for n, a in autoencoder.items() if n.startswith("encoder")}
    if any(name not in classifier or classifier[name].shape != new[name].shape for name in new):
        raise ValueError("does not fit")
    return deepcopy(classifier | new)
'''),
    "echo_value: itertools.accumulate": ("15_race_and_operation", "value", '''
from itertools import accumulate

def echo_value(a, r, out):
    out[...] = list(accumulate(a, lambda v, entry: entry + r * v))
    return out
'''),
    "looks_right: the whole Jacobian, both ways": ("15_race_and_operation", "looks", '''
def looks_right(candidate):
    for r in (0, 1, -1, 0.5, -0.7, 2.5):
        for n in (1, 2, 3, 6):
            J = np.array([[float(r) ** (k - j) if k >= j else 0 for j in range(n)] for k in range(n)])
            a = np.cos(np.arange(n) + 1.0)
            f = lambda a: candidate(a, r)
            v, back = mg.vjp(f, a)
            forwards = [mg.jvp(f, a, e)[1] for e in np.eye(n)]
            backwards = [back(e)[0] for e in np.eye(n)]
            if not (np.allclose(v, J @ a) and np.allclose(forwards, J.T) and np.allclose(backwards, J)):
                return False
    return True
'''),
    "head_back: the derivatives of softmax as matrices": ("16_attention", "head_back", '''
def head_back(Q, K, V, A, y_bar):
    D = np.einsum("ij,jk->ijk", A, np.eye(len(K))) - np.einsum("ij,ik->ijk", A, A)
    s_bar = np.einsum("ijk,im,jm->ik", D, y_bar, V) * Q.shape[1] ** -0.5
    return dict(V=A.T @ y_bar, Q=s_bar @ K, K=s_bar.T @ Q)
'''),
    "waves: complex numbers that turn": ("16_attention", "waves", '''
def waves(T, d):
    z = np.exp(1j * np.outer(np.arange(T), 10000.0 ** (-np.arange(0, d, 2) / d)))
    return np.stack([z.imag, z.real], axis=2).reshape(T, d)
'''),
    "waves: lists in a list": ("16_attention", "waves", '''
import math

def waves(T, d):
    return [[(math.sin, math.cos)[j % 2](t / 10000 ** (j // 2 * 2 / d)) for j in range(d)] for t in range(T)]
'''),
}  # fmt: skip
