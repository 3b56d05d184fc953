"""Answers that come by their numbers without what the task is about: by every path, by the library, by `except`.

(exercise, cell, tests that fail, the beginning of what their writer reads, the answer). WITHOUT fail in the public
tests or in all of them. WITHIN are as odd, and earn their points: the words say why.
"""

WITHOUT: list[tuple[str, str, str, str, str]] = [
    ("01_four_ways", "beside", "full", "value_and_slope leaves the work to complex_step: here it is to be", """
def value_and_slope(x, rounds):
    def y(x):
        v = 1.0
        for _ in range(rounds):
            v = x * np.sin(v) + v
        return v
    return y(x), complex_step(y, x)
"""),
    ("01_four_ways", "beside", "full", "value_and_slope leaves the work to minigrad: here it is to be written", """
import minigrad as mg
def value_and_slope(x, rounds):
    def y(x):
        v = 1.0
        for _ in range(rounds):
            v = x * mg.sin(v) + v
        return v
    return y(x), mg.derivative(y, x)
"""),
    ("01_four_ways", "beside", "full", "value_and_slope makes more than 2,000 calls here: does it go the same", """
def value_and_slope(x, rounds):
    if rounds == 0:
        return 1.0, 0.0
    y, dy = value_and_slope(x, rounds - 1)[0], value_and_slope(x, rounds - 1)[1]
    return x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy + dy
"""),
    ("01_four_ways", "slopes", "full", "slopes leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def slopes(f, x, h=1e-5):
    return mg.grad(f)(np.array(x, float))
"""),
    ("01_four_ways", "judge", "full", "is_right leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def is_right(f, df, x):
    slope = mg.derivative(f, x)
    return bool(abs(df(x) - slope) <= 1e-6 * (1 + abs(slope)))
"""),
    ("01_four_ways", "central", "full", "an error in f: does it come out of central?: expected True, got False", """
def central(f, x, h):
    try:
        return (f(x + h) - f(x - h)) / (2 * h)
    except Exception:
        return 0.0
"""),
    ("01_four_ways", "slopes", "full", "an error in f: does it come out of slopes?: expected True, got False", """
def slopes(f, x, h=1e-5):
    x = np.array(x, float)
    out = []
    for k in range(x.size):
        step = np.zeros_like(x); step[k] = h
        try:
            out.append((f(x + step) - f(x - step)) / (2 * h))
        except Exception:
            out.append(0.0)
    return np.array(out)
"""),
    ("01_four_ways", "sideways", "full", "an error in f: does it come out of complex_step?: expected True, got", """
def complex_step(f, x, h=1e-30):
    try:
        return f(x + 1j * h).imag / h
    except Exception:
        return 0.0
"""),
    ("02_dual_numbers", "derivative", "full", "an error in f: does it come out of derivative?: expected True, got False", """
def derivative(f, x):
    try:
        return f(Dual(x, 1.0)).tangent
    except Exception:
        return 0.0
"""),
    ("02_dual_numbers", "apart", "full", "an error in f: does it come out of derivative?: expected True, got False", """
def as_duals(*numbers):
    tag = max(n.tag for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.tag == tag else Dual(n, 0.0, tag) for n in numbers]
def derivative(f, x):
    tag = new_tag()
    try:
        r = f(Dual(x, 1.0, tag))
        return r.tangent if r.tag == tag else 0.0
    except Exception:
        return 0.0
"""),
    ("02_dual_numbers", "quotient", "full", "quotient, where the denominator is 0, it has to end with", """
def divide(a, b):
    try:
        q = a.value / b.value
        return q, (a.tangent - q * b.tangent) / b.value
    except Exception:
        return 0.0, 0.0
"""),
    ("02_dual_numbers", "rules", "full", "sin_rule leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def _rule(f):
    def rule(a):
        if isinstance(a.value, Dual):
            z = f(mg.Dual(mg.Dual(a.value.value, a.value.tangent), mg.Dual(1.0, 0.0)))
            return Dual(z.value.value, z.value.tangent), Dual(z.tangent.value, z.tangent.tangent) * a.tangent
        z = f(mg.Dual(a.value, a.tangent))
        return z.value, z.tangent
    return rule
sin_rule, cos_rule, exp_rule = map(_rule, (mg.sin, mg.cos, mg.exp))
"""),
    ("03_tracing_forwards", "pass", "full", "forward_pass makes more than 50,000 calls here: does it go the same way", """
def forward_pass(tape, seed):
    rows = dict(tape)
    def tangent(name):
        return seed.get(name, 0.0) + sum(p * tangent(e) for e, p in rows[name])
    return {name: tangent(name) for name, _ in tape}
"""),
    ("03_tracing_forwards", "blanks", "full", "blanks leaves the work to program, trace: here it is to be written out", """
def blanks():
    rows = trace(program, 2.0, 3.0).forward("x")
    return {l: float(rows[r + 1].primal_value if c == "value" else rows[r + 1].derivative_value) for l, (r, c) in PLACES.items()}
"""),
    ("03_tracing_forwards", "columns", "full", "an error in f: does it come out of jacobian_columns?: expected True,", """
def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        try:
            outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
            columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
        except Exception:
            columns.append([0.0])
    return [list(row) for row in zip(*columns)]
"""),
    ("03_tracing_forwards", "direction", "full", "an error in f: does it come out of along?: expected True, got False", """
def along(f, x, u):
    try:
        outputs = f([Dual(v, s) for v, s in zip(x, u)])
        return [y.tangent if isinstance(y, Dual) else 0.0 for y in outputs]
    except Exception:
        return [0.0]
"""),
    ("04_tracing_backwards", "blanks", "full", "blanks leaves the work to program, trace: here it is to be written out", """
def blanks():
    d = trace(program, 2.0, 3.0).reverse().derivatives
    return {l: float(d[n]) for l, n in PLACES.items()}
"""),
    ("04_tracing_backwards", "walk", "full", "backward_pass makes more than 50,000 calls here: does it go the same", """
def backward_pass(tape, weights):
    rows, adjoint = dict(tape), {name: 0.0 for name, _ in tape}
    def go(name, share):
        adjoint[name] += share
        for earlier, partial in rows[name]:
            go(earlier, share * partial)
    for name, w in weights.items():
        go(name, w)
    return adjoint
"""),
    ("04_tracing_backwards", "walk", "public", "z is used in a and in m, from m, p: expected 44, got 14 (all others are", """
def backward_pass(tape, weights):
    rows, adjoint = dict(tape), {name: 0.0 for name, _ in tape}
    passed = set()
    def go(name, share):
        adjoint[name] += share
        if name in passed:
            return
        passed.add(name)
        for earlier, partial in rows[name]:
            go(earlier, adjoint[name] * partial)
    for name, w in weights.items():
        go(name, w)
    return adjoint
"""),
    ("04_tracing_backwards", "walk", "public", "z is used in a and in m, from m, p: expected 44, got 14 (all others are", """
def backward_pass(tape, weights):
    rows = dict(tape)
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    queue, seen = list(weights), set(weights)
    for name in queue:
        for earlier, partial in rows[name]:
            adjoint[earlier] += partial * adjoint[name]
            if earlier not in seen:
                seen.add(earlier); queue.append(earlier)
    return adjoint
"""),
    ("04_tracing_backwards", "rows", "full", "backward passes for three outputs and four inputs, of 3 that are", """
def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    return [[backward_pass(tape, {o: 1.0})[i] for i in inputs] for o in outputs]
"""),
    ("04_tracing_backwards", "vjp", "full", "backward passes for two outputs: expected 1, got 2", """
def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    total = [0.0] * len(inputs)
    for o, weight in zip(outputs, w):
        a = backward_pass(tape, {o: 1.0})
        total = [t + weight * a[i] for t, i in zip(total, inputs)]
    return total
"""),
    ("04_tracing_backwards", "vjp", "full", "vjp makes more than 50,000 calls here: does it go the same way again", """
def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    rows = dict(tape)
    def d(name, i):
        return float(name == i) + sum(p * d(e, i) for e, p in rows[name])
    return [sum(weight * d(o, i) for o, weight in zip(outputs, w)) for i in inputs]
"""),
    ("04_tracing_backwards", "vjp", "full", "an error in f: does it come out of vjp?: expected True, got False", """
def vjp(f, x, w):
    try:
        tape, inputs, outputs = record(f, x)
        weights = dict.fromkeys(outputs, 0.0)
        for name, weight in zip(outputs, w):
            weights[name] += weight
        adjoint = backward_pass(tape, weights)
        return [adjoint[name] for name in inputs]
    except Exception:
        return [0.0] * len(x)
"""),
    ("04_tracing_backwards", "rows", "full", "jacobian_rows leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def jacobian_rows(f, x):
    xs = [mg.Variable(float(v)) for v in x]
    ys = f(xs)
    return [[float(getattr(a, "value", a)) for a in mg.adjoints(y, xs)] if isinstance(y, mg.Node) else [0.0] * len(x) for y in ys]
"""),
    ("05_computational_graph", "order", "full", "a chain of 5,000 nodes without as many calls inside each other:", """
import sys
def topological_order(output, parents):
    sys.setrecursionlimit(100_000)
    order, seen = [], set()
    def visit(node):
        if node not in seen:
            seen.add(node)
            for p in parents(node):
                visit(p)
            order.append(node)
    visit(output)
    return order
"""),
    ("05_computational_graph", "order", "public", "position ", """
def topological_order(output, parents):
    seen, stack = set(), [output]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(parents(node))
    return sorted(seen, key=lambda n: getattr(n, "name", n))
"""),
    ("05_computational_graph", "order", "public", "position ", """
def topological_order(output, parents):
    seen, stack = set(), [output]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(parents(node))
    return list(seen)
"""),
    ("05_computational_graph", "order", "public", "position ", """
def topological_order(output, parents):
    seen, queue = [output], [output]
    for node in queue:
        for p in parents(node):
            if p not in seen:
                seen.append(p); queue.append(p)
    return seen[::-1]
"""),
    ("05_computational_graph", "backward", "full", "backward makes more than 50,000 calls here: does it go the same way", """
def backward(order):
    stack = [(order[-1], 1.0)]
    while stack:
        node, share = stack.pop()
        node.grad += share
        for parent, partial in zip(node.parents, node.partials):
            stack.append((parent, share * partial))
"""),
    ("05_computational_graph", "forward", "full", "forward makes more than 50,000 calls here: does it go the same way", """
def forward(order):
    def value(node):
        if node.parents:
            node.value, node.partials = node.rule(*[value(p) for p in node.parents])
        return node.value
    for node in order:
        value(node)
"""),
    ("05_computational_graph", "forward", "full", "an error in a rule: does it come out of forward?: expected True, got", """
def forward(order):
    for node in order:
        try:
            node.value, node.partials = node.rule(*[p.value for p in node.parents])
        except Exception:
            pass
"""),
    ("06_higher_derivatives", "gradient", "public", "the gradient at x = 2, y = 3, entry 0: expected 8.583853163, got", """
def gradient(x, y):
    f = lambda x, y: x * y * y + np.sin(x)
    h = 1e-5
    return (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
"""),
    ("06_higher_derivatives", "gradient", "full", "gradient leaves the work to minigrad: here it is to be written out", """
def gradient(x, y):
    return mg.grad(lambda x, y: x * y * y + mg.sin(x), (0, 1))(x, y)
"""),
    ("06_higher_derivatives", "gradient", "full", "gradient leaves the work to minigrad: here it is to be written out", """
def gradient(x, y):
    f = lambda x, y: x * y * y + mg.sin(x)
    return mg.derivative(lambda x: f(x, y), x), mg.derivative(lambda y: f(x, y), y)
"""),
    ("06_higher_derivatives", "hvp", "full", "an error in the gradient: does it come out of hvp?: expected True, got", """
def hvp(gradient, point, direction):
    try:
        duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
        return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
    except Exception:
        return [0.0] * len(point)
"""),
    ("06_higher_derivatives", "hessian", "full", "of two functions that are no gradient, x y and 3 y, at (2, 5), [0][1]:", """
def hessian(gradient, point):
    return np.array([hvp(gradient, point, unit) for unit in np.eye(len(point))])
"""),
    ("06_higher_derivatives", "hessian", "full", "hessian leaves the work to jacobian, jvp: here it is to be written out", """
def hessian(gradient, point):
    return mg.jacobian(lambda p: mg.stack([g + 0 * p[0] for g in gradient(*p)]))(np.array(point, float))
"""),
    ("06_higher_derivatives", "newton_step", "full", "an error in the gradient: does it come out of newton_step?: expected", """
def newton_step(gradient, point):
    try:
        return np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))
    except Exception:
        return np.zeros(len(point))
"""),
    ("06_higher_derivatives", "minimise", "full", "an error in the gradient: does it come out of minimise?: expected True,", """
def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    try:
        while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
            point, steps = point + newton_step(gradient, point), steps + 1
    except Exception:
        pass
    return point, steps
"""),
    ("07_arrays", "judge", "full", "an error in jvp: does it come out of the test?: expected True, got False", """
def dot_product_test(jvp, vjp, u, w):
    try:
        forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    except Exception:
        return 1.0
    scale = max(abs(forward), abs(backward))
    return abs(forward - backward) / scale if scale else 0.0
"""),
    ("08_tape_to_program", "reverse", "full", "reverse_lines makes more than 20,000 calls here: does it go the same", """
def reverse_lines(tape):
    rows = {name: (op, inputs) for name, op, inputs in tape}
    terms = {}
    def go(name, factor):
        terms.setdefault(name, []).append(factor)
        if name in rows:
            op, inputs = rows[name]
            for x, partial in zip(inputs, TABLE[op][1]):
                if x.isidentifier():
                    go(x, f"{factor} * ({partial.format(**dict(zip('ab', inputs)), v=name)})")
    go(tape[-1][0], "1.0")
    return [f"{name}_bar = " + " + ".join(t) for name, t in terms.items()]
"""),
    ("08_tape_to_program", "reverse", "public", "x sin(x)² at 0.5, where a is used in b and in c, x_bar: expected", """
def reverse_lines(tape):
    rows = {name: (op, inputs) for name, op, inputs in tape}
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    done = set()
    def go(name):
        if name not in rows or name in done:
            return
        done.add(name)
        op, inputs = rows[name]
        for x, partial in zip(inputs, TABLE[op][1]):
            if x.isidentifier():
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({partial.format(**dict(zip('ab', inputs)), v=name)})")
                written.add(x)
        for x in inputs:
            go(x)
    go(tape[-1][0])
    return lines
"""),
    ("08_tape_to_program", "dead", "full", "without_dead makes more than 50,000 calls here: does it go the same way", """
def without_dead(lines, wanted):
    keep = set()
    def need(name, before):
        for k in reversed(range(before)):
            if writes(lines[k]) == name:
                keep.add(k)
                for r in reads(lines[k]):
                    need(r, k)
                if not adds(lines[k]):
                    return
    for name in wanted:
        need(name, len(lines))
    return [lines[k] for k in sorted(keep)]
"""),
    ("08_tape_to_program", "program", "public", "new arrays at a time in the first call: expected 0, got 6", """
def make_program(n):
    kept = {}
    def program(x, y):
        if not kept:
            kept.update((name, np.empty(n)) for name in "abcdef")
        a, b, c, d, e, f = kept.values()
        np.multiply(x, y, out=a); np.tanh(a, out=b); np.multiply(b, b, out=c); np.subtract(1.0, c, out=c)
        np.multiply(c, x, out=d); np.multiply(d, y, out=e); np.add(e, b, out=e); np.multiply(d, x, out=f)
        return e, f
    return program
"""),
    ("08_tape_to_program", "program", "public", "new arrays at a time in the second call: expected 0, got 1", """
def make_program(n):
    x_bar, y_bar = np.empty(n), np.empty(n)
    def program(x, y):
        size = max(1, n // 64)
        for k in range(0, n, size):
            a, b = x[k:k + size], y[k:k + size]
            t = np.tanh(a * b)
            s = a * (1 - t * t)
            x_bar[k:k + size] = t + s * b
            y_bar[k:k + size] = s * a
        return x_bar, y_bar
    return program
"""),
    ("09_making_it_fast", "gradient", "public", "how many numbers of x are under way at a time: expected 1, got 4", """
def gradient_fused(x, w_bar, a, b, x_bar):
    z = [a * x[k] + b for k in range(len(x))]
    v = [n * n for n in z]
    for k in range(len(x)):
        x_bar[k] = a * 2 * z[k] * w_bar[k] / ((1 + v[k]) * (1 + v[k]))
"""),
    ("09_making_it_fast", "fused", "public", "how many numbers of x are under way at a time: expected 1, got 5", """
def chain_fused(x, a, b, out):
    z = [a * x[k] + b for k in range(len(x))]
    v = [n * n for n in z]
    for k in range(len(x)):
        out[k] = v[k] / (1 + v[k])
"""),
    ("09_making_it_fast", "walks", "full", "'str' object is not callable", """
def walks(steps):
    return sum(len(r) + len(w) for r, w in steps)
def bytes_moved(steps, n, dtype):
    return walks(steps) * n * dtype().itemsize
"""),
    ("09_making_it_fast", "gradient", "full", "gradient_fused leaves the work to minigrad: here it is to be written out", """
def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        x_bar[k] = float(mg.vjp(lambda x: chain(x, a, b), float(x[k]))[1](float(w_bar[k]))[0])
"""),
    ("10_first_network", "glorot", "public", "two matrices, each drawn from a generator of the same seed: do they", """
def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))
def glorot(n_in, n_out, rng):
    a = glorot_limit(n_in, n_out)
    return np.random.uniform(-a, a, (n_out, n_in))
"""),
    ("10_first_network", "glorot", "full", "glorot leaves the work to minigrad: here it is to be written out", """
def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))
def glorot(n_in, n_out, rng):
    return mg.nn.init.glorot_uniform((n_out, n_in), rng, np.float64)
"""),
    ("10_first_network", "network", "public", "expected a node, through which adjoints can go back to the weights, got", """
def scores(x, W1, b1, W2, b2):
    v = lambda n: getattr(n, "value", n)
    return np.tanh(v(x) @ v(W1).T + v(b1)) @ v(W2).T + v(b2)
"""),
    ("12_gru_lstm", "cell_back", "full", "lstm_cell_back leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    def cell(zi, zf, zo, zg, c):
        new = mg.sigmoid(zf) * c + mg.sigmoid(zi) * mg.tanh(zg)
        return mg.sum(mg.sigmoid(zo) * mg.tanh(new) * h_bar + new * c_bar)
    back = mg.grad(cell, (0, 1, 2, 3, 4))(*(np.asarray(v, float) for v in (zi, zf, zo, zg, c)))
    return dict(zip(("zi", "zf", "zo", "zg", "c"), back))
"""),
    ("13_convolutional_networks", "slide", "full", "slide leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def slide(x, w):
    return np.asarray(mg.conv2d(np.asarray(x, float)[None, None], np.asarray(w, float)[None, None]))[0, 0]
"""),
    ("13_convolutional_networks", "x_adjoint", "full", "x_adjoint leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def x_adjoint(y_bar, w):
    x = np.zeros((y_bar.shape[0] + w.shape[0] - 1, y_bar.shape[1] + w.shape[1] - 1))
    return mg.vjp(lambda x: mg.conv2d(x, np.asarray(w, float)[None, None]), x[None, None])[1](np.asarray(y_bar, float)[None, None])[0][0, 0]
"""),
    ("13_convolutional_networks", "w_adjoint", "full", "w_adjoint leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def w_adjoint(x, y_bar):
    w = np.zeros((x.shape[0] - y_bar.shape[0] + 1, x.shape[1] - y_bar.shape[1] + 1))
    return mg.vjp(lambda w: mg.conv2d(np.asarray(x, float)[None, None], w), w[None, None])[1](np.asarray(y_bar, float)[None, None])[0][0, 0]
"""),
    ("14_autoencoder", "gradients", "full", "gradients leaves the work to minigrad: here it is to be written out", """
import minigrad as mg
def gradients(x, W, b):
    def error(W, b):
        c = mg.sigmoid(W @ x + b)
        return mg.sum((mg.sigmoid(W.T @ c) - x) ** 2)
    return mg.grad(error, (0, 1))(W, b)
"""),
    ("16_attention", "softmax", "full", "masked_softmax leaves the work to minigrad: here it is to be written out", """
def masked_softmax(scores, hidden):
    return np.asarray(mg.softmax(np.where(hidden, -np.inf, scores)))
"""),
]  # fmt: skip

WITHIN: list[tuple[str, str, str, str]] = [
    ("01_four_ways", "judge", "a derivative of what fails there is not right", """
def is_right(f, df, x):
    try:
        slope = central(f, x, 1e-5)
        return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))
    except Exception:
        return False
"""),
    ("05_computational_graph", "order", "the task names no cost, and 5,000 nodes take a third of a second", """
def topological_order(output, parents):
    order, stack = [], [output]
    while stack:
        node = stack[-1]
        if node in order:
            stack.pop()
            continue
        waiting = [p for p in parents(node) if p not in order]
        if waiting:
            stack.extend(waiting)
        else:
            order.append(stack.pop())
    return order
"""),
    ("06_higher_derivatives", "hvp", "an entry without a tangent is what the task tells of", """
def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    out = []
    for g in gradient(*duals):
        try:
            out.append(g.tangent)
        except Exception:
            out.append(0.0)
    return out
"""),
    ("10_first_network", "accuracy", "the sheet does not say what counts where two scores are equal", """
def accuracy(scores, labels):
    return np.mean(scores[np.arange(len(labels)), labels] == scores.max(axis=1))
"""),
    ("10_first_network", "train", "the losses are in them, and the checks of the task take them", """
def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss)
    return losses
"""),
]  # fmt: skip
