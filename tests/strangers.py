"""Wrong answers to each exercise by people who had not seen its table: (answer, old, new, words), as in a wrong.py.

The words are part of what the writer reads: a hint for nearly the same lines, the small slip that ends alike, an error
in words, what the number looks like. Where there are none, the test's advice is all that helps. Most answers that end
with the very lines of one in the table are left out: it says what becomes of them.
"""

from typing import Any

ANSWERS: dict[str, list[tuple[str, Any, str, str]]] = {
    "01_four_ways": [
        ("judge", ..., """
         def is_right(f, df, x):
             d = (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
             return abs(d - df(x)) / abs(d) < 1e-6
         """, "The derivative is 0 here, and your limit is 0 as"),
        ("best", "(3 * eps", "(eps", "The same comes out with one factor of a product left out"),
        ("bound", "/ (2 * h)", "* (2 * h)", "The same comes out with * in place of /"),
        ("bound", "h**2 / 6 * abs(f3)", "h**3 / 6 * abs(f3)", "The same comes out with another number in the formula"),
        ("judge", "abs(df(x) - slope) <=", "abs(df(x) - slope) >=", "The same comes out with a condition turned round"),
        ("beside", "return y, dy", "return dy", "the number is the last of them"),
        ("slopes", "result[k] = ", "result[0] = ", "The same comes out with the same entry in every round"),
        ("sideways", ..., """
         def complex_step(f, x, h=1e-30):
             h = 1e-5
             return f(x + 1j * h).imag / h
         """, ""),
        ("bound", ..., """
         def bound(h, f, f3, eps):
             return h**2 / 6 * f3 + eps * abs(f) / (2 * h)
         """, "The same comes out with `abs` left out. Check that first, though other"),
        ("best", ..., """
         def best_h(f, f3, eps):
             return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3) * 2 ** (2 / 3)
         """, "In each of the first 3 checks your number is 1.587 times"),
        ("best", ..., """
         def best_h(f, f3, eps):
             return (3 * eps * abs(f) / (2 * abs(f3))) ** 1 / 3
         """, "The same comes out with brackets left out"),
    ],
    "02_dual_numbers": [
        ("sums", "a.tangent - b.tangent", "abs(a.tangent - b.tangent)", ""),
        ("power", "n * a.value ** (n - 1) * a.tangent", "n * a.tangent ** (n - 1)", ""),
        ("apart", "Dual(x, 1.0, tag)", "Dual(x, 1.0)", "The inner derivative came out as 0. Three things do"),
        ("derivative", "tangent if isinstance(result, Dual) else 0.0", "value if isinstance(result, Dual) else result",
         "10 is f(2), not its derivative. Either you read"),
        ("power", ..., """
         def power(a, n):
             v, t = 1.0, 0.0
             for _ in range(int(n)):
                 v, t = v * a.value, t * a.value + v * a.tangent
             return v, t
         """, "Multiplying n times works for n = 3, but range()"),
        ("rules", ..., """
         def sin_rule(a):
             return sin(a.value), cos(a.tangent)
         def cos_rule(a):
             return cos(a.value), -sin(a.tangent)
         def exp_rule(a):
             return exp(a.value), exp(a.tangent)
         """, "You took the cosine of the tangent. It belongs to"),
        ("power", "return a.value**n,", "return n * a.value,",
         "The same comes out with a multiplication in place of a power"),
        ("quotient", "quotient = a.value / b.value", "quotient = b.value / a.value",
         "The same comes out with a fraction upside down"),
        ("sums", "return a.value - b.value, a.tangent - b.tangent", "return a.value - b.value, b.tangent",
         "The same comes out with one term of a sum or difference left out"),
        ("rules", "return cos(a.value), -sin(a.value) * a.tangent", "return sin(a.value), -sin(a.value) * a.tangent",
         "The same comes out with `sin` where another function belongs"),
        ("sums", "return a.value + b.value, a.tangent + b.tangent", "return a.value + b.value",
         "One thing came where several were to be"),
        ("derivative", "f(Dual(x, 1.0))", "f(Dual(x + 1.0, 1.0))", ""),
        ("rules", "exp(a.value) * a.tangent", "exp(a.value) + a.tangent", "all others are right"),
        ("quotient", ..., """
         def divide(a, b):
             q = a.value // b.value
             return q, (a.tangent - q * b.tangent) / b.value
         """, "The same comes out with / and // exchanged. Check that first, though other"),
    ],
    "03_tracing_forwards": [
        ("direction", ..., """
         def along(f, x, u):
             outputs = f([Dual(v, 1.0) for v in x])
             return [getattr(y, "tangent", 0.0) * a for y, a in zip(outputs, u)]
         """, "You move every input with speed 1, whatever u"),
        ("columns", ..., """
         def jacobian_columns(f, x):
             outputs = f([Dual(value, 1.0) for value in x])
             return [[y.tangent if isinstance(y, Dual) else 0.0] * len(x) for y in outputs]
         """, "Every pass of yours moves all inputs at once, so"),
        ("pass", "    return tangent", "        return tangent",
         "`return` stands inside of `for name, made_of in tape`"),
        ("pass", "partial * tangent[earlier] for", "partial for",
         "The same comes out with one factor of a product left out"),
        ("columns", "Dual(value, float(i == k))", "Dual(float(i == k), value)",
         "The same comes out with the two arguments of a function"),
        ("pass", "tangent[name] = seed.get(name, 0.0) + sum", "tangent[name] = seed.get(name, 0.0) - sum",
         "The same comes out with + and - exchanged"),
        ("pass", "seed.get(name, 0.0)", "seed[name]", "The dict has no entry 'v1'. Was it never put"),
        ("blanks", '"F": -3', '"F": 6', "that is the value"),
        ("direction", "Dual(value, speed)", "Dual(value, -speed)", "the sign of every entry is the opposite"),
        ("blanks", '"C": 4', '"C": 1', ""),
        ("blanks", ..., """
         def blanks():
             return {"A": 6, "B": 3, "C": 2, "D": 2, "E": 1, "F": 3, "G": 0}
         """, "x occurs twice in x * x, and both factors change."),
        ("pass", ..., """
         def forward_pass(tape, seed):
             t = {}
             for name, made_of in tape:
                 if made_of:
                     t[name] = sum(p * t.get(e, seed.get(e, 0.0)) for e, p in made_of)
             return t
         """, ""),
        ("columns", ..., """
         def jacobian_columns(f, x):
             J = None
             for k in range(len(x)):
                 y = f([Dual(v, float(i == k)) for i, v in enumerate(x)])
                 if J is None:
                     J = [[0.0] * len(x)] * len(y)
                 for i in range(len(y)):
                     J[i][k] = getattr(y[i], "tangent", 0.0)
             return J
         """, "All rows are equal: [[0.0] * n] * m holds m times"),
        ("direction", ..., """
         def along(f, x, u):
             y = f([Dual(v * s, s) for v, s in zip(x, u)])
             return [getattr(o, "tangent", 0.0) for o in y]
         """, ""),
        ("direction", ..., """
         def along(f, x, u):
             return [getattr(o, "value", o) for o in f([Dual(v, s) for v, s in zip(x, u)])]
         """, "The same comes out with `.value` where another attribute belongs. Check"),
        ("seed", ..., """
         def seed():
             return [3.0, 3.0, 3.0]
         """, ""),
    ],
    "04_tracing_backwards": [
        ("walk", "{name: weights.get(name, 0.0) for name, _ in tape}",
         "weights\n    for name, _ in tape:\n        adjoint.setdefault(name, 0.0)",
         "What was handed to your function has changed"),
        ("mode", "if inputs <= outputs *", "if outputs <= inputs *",
         "A network has many inputs and one output, and you"),
        ("rows", "{name: 1.0}", "{name: 0.0}", "The same comes out with 0.0 in place of another number"),
        ("walk", "weights.get(name, 0.0)", "weights.get(name, 1.0)",
         "The same comes out with 1.0 in place of another number"),
        ("walk", ..., """
         def backward_pass(tape, weights):
             adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
             for name, made_of in tape[::-1]:
                 for earlier, partial in made_of:
                     adjoint[earlier] += partial
             return adjoint
         """, "The same comes out with one factor of a product left out"),
        ("walk", "weights.get(name, 0.0)", "weights[name]", "The dict has no entry 'x1'. Was it never put"),
        ("walk", "reversed(tape)", "reversed(tape[:-1])", "when a loop leaves the first one out"),
        ("vjp", "return [adjoint[name] for name in inputs]", "return sum(adjoint[name] for name in inputs)",
         "the number is their sum"),
        ("blanks", '"F": 4', '"F": 7', ""),
        ("blanks", ..., """
         def blanks():
             return {"A": 0.5, "B": 1.5, "C": 1.5, "D": 1.5, "E": 9, "F": 4}
         """, "Row 3 subtracts v2. If v2 grows, the result gets"),
        ("blanks", ..., """
         def blanks():
             return {"A": 0.5, "B": 1, "C": 1, "D": -1, "E": -2.5, "F": 3}
         """, "v4 = v3 * y: the share of v3 is the adjoint of v4"),
        ("walk", ..., """
         def backward_pass(tape, weights):
             adj = {name: weights.get(name, 0.0) for name, _ in tape}
             for name, made_of in tape:
                 for e, p in made_of:
                     adj[e] += adj[name] * p
             return adj
         """, "You go down the tape. A row passes on what it has,"),
        ("rows", ..., """
         def jacobian_rows(f, x):
             tape, inputs, outputs = record(f, x)
             J = []
             for o in sorted(set(outputs)):
                 adj = backward_pass(tape, {o: 1.0})
                 J.append([adj[n] for n in inputs])
             return J
         """, "A value that is returned twice has two rows"),
        ("mode", ..., """
         def cheaper(inputs, outputs, price):
             return inputs <= outputs * price
         """, ""),
    ],
    "05_computational_graph": [
        ("zero_grad", "node.grad = 0.0", """
         for parent in node.parents:
             parent.grad = 0.0
         """, "One node is left out: c, the last one, still"),
        ("zero_grad", "node.grad = 0.0", "node.grad = 1.0", "The same comes out with 1.0 in place of another number"),
        ("backward", "share[parent] += ", "share[parent] -= ", "The same comes out with += and -= exchanged"),
        ("zero_grad", ..., '''
         def zero_grad(order):
             """Set the grad of every node back to 0."""
             order.grad = 0.0
         ''', "Something of type list has no `.grad`. Can"),
        ("backward", "    share[order[-1]] = 1.0", "    share[order[-1]] = 2.0",
         "every entry is twice what is expected"),
        ("forward", ..., """
         def forward(order):
             for node in order:
                 if node.rule is not None:
                     values = [p.value for p in node.parents]
                     node.value = node.rule(*values)[0]
                     node.partials = tuple(reversed(values))
         """, "wrong as well: y.grad"),
        ("order", "return order", "return len(order)", ""),
        ("order", ..., """
         def topological_order(output, parents):
             order = []
             def visit(n):
                 for p in parents(n):
                     visit(p)
                 order.append(n)
             visit(output)
             return order
         """, "Node a is in the list twice. It has two children,"),
        ("order", ..., """
         def topological_order(output, parents):
             order, seen = [], set()
             stack = [(output, False)]
             while stack:
                 n, ready = stack.pop()
                 if ready:
                     order.insert(0, n)
                 elif n not in seen:
                     seen.add(n)
                     stack.append((n, True))
                     for p in parents(n):
                         stack.append((p, False))
             return order
         """, "The same comes out with the order of the result turned round"),
        ("backward", ..., """
         def backward(order):
             share = {n: 0.0 for n in order}
             share[order[-1]] = 1.0
             for n in reversed(order):
                 n.grad += share[n]
                 for p, d in zip(n.parents, n.partials):
                     share[p] += n.value * d
         """, ""),
        ("forward", ..., """
         def forward(order):
             for n in order:
                 if n.parents:
                     n.value, n.partials = n.rule(*n.parents)
         """, "You hand the rule the parents themselves. It"),
        ("forward", ..., """
         def forward(order):
             old = {n: n.value for n in order}
             for n in order:
                 if n.parents:
                     n.value, n.partials = n.rule(*[old[p] for p in n.parents])
         """, "The value of c is new, that of d is not as it"),
        ("order", ..., """
         def topological_order(output, parents):
             order, seen = [], set()

             def visit(node):
                 if node in seen:
                     return
                 seen.add(node)
                 for parent in parents(node):
                     visit(parent)
                 order.append(node)

             visit(output)
             return order
         """, "Your function calls itself once for each node"),
        ("zero_grad", ..., """
         def zero_grad(order):
             gradients = [node.grad for node in order]
             for g in gradients:
                 g = 0.0
         """, "No line reads the `g` that `g = 0.0` sets"),
        ("zero_grad", ..., """
         def zero_grad(order):
             for node in order:
                 node.grad == 0.0
         """, "`node.grad == 0.0` compares, and nothing is set"),
    ],
    "06_higher_derivatives": [
        ("hessian", "np.eye(len(point))", "np.eye(len(point))[::-1]", "The columns stand in reverse order: the first"),
        ("safe_step", "H = H + (1", "H = H - (1", "The same comes out with + and - exchanged. Check"),
        ("safe_step", "if smallest <= 0:", "if smallest > 0:", "The same comes out with a condition turned round"),
        ("gradient", "y_bar = p + p_bar * x", "y_bar = p - p_bar * x", "The same comes out with + and - exchanged"),
        ("hvp", "zip(point, direction)", "zip(direction, direction)",
         "No line of your `hvp` looks at `point`"),
        ("gradient", "return x_bar, y_bar", "return x_bar", "No line reads the `y_bar` that"),
        ("minimise", ">= tolerance", "> 0.1", "nearly right, but not exactly: is it computed approximately,"),
        ("hvp", "g.tangent if", "g.tangent + g.value if", ""),
        ("minimise", "steps < 100", "steps < 3", ""),
        ("minimise", ..., """
         def minimise(gradient, point, tolerance=1e-6):
             point, steps = np.array(point, float), 1
             while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
                 point = point + newton_step(gradient, point)
                 steps += 1
             return point, steps
         """, "The same comes out with 1 in place of another number. Check that first,"),
        ("safe_step", ..., """
         def safe_step(gradient, point):
             H = np.array(hessian(gradient, point), float)
             if np.linalg.eigvalsh(H)[0] <= 0:
                 H = H + np.eye(len(point))
             return np.linalg.solve(H, -np.array(gradient(*point), float))
         """, "The same comes out with one factor of a product left out, or with one term"),
    ],
    "07_arrays": [
        ("loss", "shifted = logits - logits", "shifted = logits\n    shifted -= logits", "Work on a copy."),
        ("loss", "return np.mean", "return -np.mean",
         "The same comes out with the two sides of a difference exchanged"),
        ("unbroadcast", "range(missing)", "range(missing + 1)", "The same comes out when a loop goes one step too far"),
        ("judge", "np.sum(w * jvp(u))", "np.sum(jvp(u))", "The same comes out with one factor of a product left out"),
        ("judge", "if scale else 0.0", "if scale else 1.0", ""),
        ("slope", "softmax[np.arange(len(labels)), labels]", "softmax[labels, np.arange(len(labels))]",
         "the row numbers first, then the labels"),
        ("slope", "-= 1", "-= 0.5", "all other entries are right"),
        ("matmul", "A_bar = C_bar @", "A_bar = -C_bar @", "the sign of every entry is the opposite"),
        ("loss", "- right)", "- right.sum())", ""),
        ("unbroadcast", ..., """
         def unbroadcast(adjoint, shape):
             for k, n in enumerate(shape):
                 if n == 1:
                     adjoint = adjoint.sum(axis=k, keepdims=True)
             while adjoint.ndim > len(shape):
                 adjoint = adjoint.sum(axis=0)
             return adjoint
         """, ""),
        ("matmul", ..., """
         def matmul_vjp(C_bar, A, B):
             return A.T @ C_bar, C_bar @ B.T
         """, "Both adjoints are right, but in the wrong order:"),
        ("judge", ..., """
         def dot_product_test(jvp, vjp, u, w):
             a, b = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
             scale = max(abs(a), abs(b))
             return (a - b) / scale if scale else 0.0
         """, "How far two numbers are apart has no sign: the"),
        ("loss", ..., """
         def cross_entropy(logits, labels):
             z = logits
             return np.mean(np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(labels)), labels])
         """, "The loss is infinite: exp of 10000"),
        ("slope", ..., """
         def cross_entropy_vjp(adjoint, logits, labels):
             z = logits.copy()
             z[np.arange(len(labels)), labels] -= 1
             e = np.exp(z - z.max(axis=1, keepdims=True))
             return adjoint * e / e.sum(axis=1, keepdims=True) / len(labels)
         """, ""),
    ],
    "08_tape_to_program": [
        ("dead", "needed |= reads(line)", "needed &= reads(line)", "The same comes out with `reversed` left out"),
        ("program", "        return x_bar, y_bar", "        return x_bar",
         "The same comes out when only the first result is returned"),
        ("forward", "TABLE[operation]", "TABLE[name]", "The dict has no entry 'v1'. Was it never put"),
        ("reverse", '= 1.0"]', '= 2.0"]', "every entry is twice what is expected"),
        ("lives", "(number, number))", "(0, number))", "the other entry is right"),
        ("dead", "return kept[::-1]", "return sorted(kept)", ""),
        ("reverse", "x.isidentifier()", 'not x.replace(".", "").isdigit()',
         "-1.5 has a sign, 1e-3 an exponent"),
        ("reverse", "if x in written", "if x in written and not x.startswith('v')", "where a step is used twice"),
        ("program", ..., """
         def make_program(n):
             bars = np.empty((2, n))
             done = []
             def program(x, y):
                 if not done:
                     t = np.tanh(x * y)
                     bars[:] = t + x * (1 - t * t) * y, x * (1 - t * t) * x
                     done.append(True)
                 return bars
             return program
         """, "smallest input that fails"),
        ("forward", ..., """
         def forward_lines(tape):
             lines = []
             for name, op, i in tape:
                 b = i[1] if len(i) > 1 else ""
                 lines.append(f"{name}={TABLE[op][0].format(a=i[0], b=b)}")
             return lines
         """, "The lines differ in their spaces: one in front of"),
        ("forward", ..., """
         def forward_lines(tape):
             lines = []
             for name, op, i in tape:
                 lines.append(f"{name} = " + TABLE[op][0].format(a=i[-1], b=i[0], v=name))
             return lines
         """, "The inputs have changed places: {a} is the first"),
        ("reverse", ..., """
         def reverse_lines(tape):
             lines, written = ["SEED_bar = 1.0".replace("SEED", tape[-1][0])], {tape[-1][0]}
             for name, op, inputs in reversed(tape):
                 for k, x in enumerate(inputs):
                     if not x.isidentifier():
                         continue
                     d = TABLE[op][1][k].format(a=inputs[0], b=inputs[-1], v=inputs[0])
                     sign = "+=" if x in written else "="
                     written.add(x)
                     lines.append(f"{x}_bar {sign} {name}_bar * ({d})")
             return lines
         """, "{v} in a partial derivative is the value of the"),
        ("program", ..., """
         def make_program(n):
             t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)
             def program(x, y):
                 np.multiply(x, y, out=t)
                 np.tanh(t, out=t)
                 np.multiply(t, t, out=y_bar)
                 np.subtract(1, y_bar, out=y_bar)
                 np.multiply(y_bar, x, out=y_bar)
                 np.multiply(y_bar, y, out=x_bar)
                 np.add(x_bar, t, out=x_bar)
                 return x_bar, y_bar
             return program
         """, "The same comes out with one line (or one case) left out"),
    ],
    "09_making_it_fast": [
        ("kept", "np.multiply(x, a, out=out)", "out = x * a", "`out = x * a` gives the name to something else"),
        ("gradient", "a * 2 * z * v_bar", "a * 2 * x[k] * v_bar", "The derivative of z² with respect to z is 2 z."),
        ("kept", ..., """
         def chain_kept(x, a, b, out, work):
             work[:] = a * x + b
             np.multiply(work, work, out=out)
             np.add(out, 1, out=work)
             np.divide(out, work, out=out)
         """, "new arrays of the size of x in one call: expected 0, got 2 Write one line for each operation"),
        ("fused", "(1 + v)", "(1 - v)", "The same comes out with + and - exchanged"),
        ("fused", "out[k] = ", "out[k] += ", "The same comes out with += in place of ="),
        ("gradient", "w_bar[k] / ", "w_bar[k] * ", "The same comes out with * in place of /"),
        ("kept", "np.add(out, b, out=out)", "", "The same comes out with one line (or one case) left out"),
        ("fused", "range(len(x))", "range(len(x) + 1)", "An index runs past the end: n entries have"),
        ("pays", ") + 1", ") + 2", ""),
        ("fused", ..., """
         def chain_fused(x, a, b, out):
             for k in range(len(x)):
                 z = a * x[k] + b
                 out[k] = z * z
         """, "The same comes out with a division left out, or with one term of a sum or"),
        ("gradient", ..., """
         def gradient_fused(x, w_bar, a, b, x_bar):
             for k in range(len(x)):
                 z = a * x[k] + b
                 v = z * z
                 v_bar = w_bar[k] / (1 + v) ** 2
                 x_bar[k] = a * 2 * z * v_bar + b
         """, ""),
        ("kept", ..., """
         def chain_kept(x, a, b, out, work):
             np.multiply(x, a, out=out)
             np.add(out, b, out=out)
             np.multiply(out, out, out=out)
             np.add(out, 1, out=work)
             out = out / work
             return out
         """, "`out = out / work` gives the name to something else"),
    ],
    "10_first_network": [
        ("train", "            losses.append(loss.value)", "        losses.append(loss.value)",
         "when the last line of a loop stands after it"),
        ("network", "@ W2.T + b2", "* W2.T + b2", "The same comes out with * in place of @"),
        ("network", "x @ W1.T + b1", "x @ W1.T - b1", "The same comes out with + and - exchanged"),
        ("train", "range(epochs)", "range(epochs + 1)", "The same comes out when a loop goes one step too far"),
        ("batches", "order[k : k + size]", "order[k : k + size - 1]",
         "The same comes out with a slice that ends one place too early"),
        ("batches", "order[k : k + size]", "k", "No line reads the `order` that `order = rng"),
        ("train", "losses.append(loss.value)", "losses = [loss.value]", "a list that is made anew in every round"),
        ("glorot", "np.sqrt(6", "np.sqrt(12", "1.414 (the square root of 2) times"),
        ("batches", ..., """
         def batches(n, size, rng):
             order = rng.permutation(n)
             return [rng.choice(n, size) for k in range(0, n, size)]
         """, "No line reads the `order` that `order = rng"),
        ("step", ..., """
         def sgd_step(parameters, rate):
             for p in parameters:
                 p.value = p.value - p.grad / rate
                 p.zero_grad()
         """, ""),
        ("accuracy", ..., """
         def accuracy(scores, labels):
             return np.mean(scores[np.arange(len(labels)), labels])
         """, ""),
        ("batches", ..., """
         def batches(n, size, rng):
             epoch = []
             left = n
             while left > 0:
                 epoch.append(rng.choice(n, min(size, left)))
                 left -= size
             return epoch
         """, "0 is there 3 times, and 3 is missing"),
        ("network", ..., """
         def scores(x, W1, b1, W2, b2):
             H = mg.tanh(x @ W1.T + b1)
             S = H @ W2 + b2
             return S
         """, "The same comes out with `.T` left out"),
    ],
    "11_recurrent_networks": [
        ("by_norm", ..., """
         def clip_by_norm(gradients, limit):
             n = np.sqrt(sum(np.sum(g**2) for g in gradients))
             return [g * limit / n for g in gradients]
         """, "A short gradient was made longer. Clipping only"),
        ("by_norm", ..., """
         def clip_by_norm(gradients, limit):
             n = np.sqrt(sum(np.sum(g**2) for g in gradients))
             return [g / n if n > limit else g.copy() for g in gradients]
         """, "Right for the limit 1, but `limit` does not occur"),
        ("by_norm", ..., """
         def clip_by_norm(gradients, limit):
             n = np.sqrt(sum(np.sum(g**2) for g in gradients))
             return [g * limit / n**2 if n > limit else g.copy() for g in gradients]
         """, "You divided by 25, and the norm is 5: a root is"),
        ("truncated", "t % k == 0", "t % k != 0", "The same comes out with a condition turned round"),
        ("truncated", "w * x + u * h", "w * x + u", "The same comes out with one factor of a product left out"),
        ("bptt", "(1 - states[t] ** 2)", "(1 + states[t] ** 2)", "The same comes out with + and - exchanged"),
        ("bptt", "by_w += inside * xs[t - 1]", "by_w -= inside * xs[t - 1]",
         "The same comes out with += and -= exchanged"),
        ("by_norm", "    return [factor * g for g in gradients]", "    return factor",
         "An index runs past the end: n entries have"),
        ("by_norm", "[factor * g for", "[factor + g for", "The same comes out with + in place of *"),
        ("by_value", "np.clip(g, -limit, limit)", "g / limit", ""),
        ("truncated", "w * x + u * h", "u * x + w * h", ""),
        ("by_norm", ..., """
         def clip_by_norm(gradients, limit):
             g2 = clip_by_value(gradients, limit)
             n = np.sqrt(sum((g**2).sum() for g in g2))
             return [g * limit / n if n > limit else g for g in g2]
         """, ""),
        ("truncated", ..., """
         def truncated(xs, targets, w, u, k):
             u = mg.Variable(u)
             h, loss = 0.0, 0.0
             for t in range(len(xs)):
                 if t % k == 0:
                     h = mg.stop_gradient(h)
                 h = mg.tanh(w * xs[t] + u * h)
                 loss = loss + (h + targets[t]) ** 2
             loss.backward()
             return u.grad
         """, "The same comes out with + and - exchanged. Check that first, though other"),
        ("bptt", ..., """
         def bptt(xs, w, u):
             states = forward(xs, w, u)
             w_bar = u_bar = 0.0
             h_bar = 1.0
             for t in reversed(range(len(xs))):
                 a_bar = (1 - states[t + 1] ** 2) * h_bar
                 w_bar += a_bar * xs[t]
                 u_bar += a_bar * states[t + 1]
                 h_bar = u * a_bar
             return {"w": w_bar, "u": u_bar}
         """, "with an index that is one too large"),
        ("truncated", ..., """
         def truncated(xs, targets, w, u, k):
             u = mg.Variable(u)
             h, loss = 0.0, 0.0
             step = 0
             for x, target in zip(xs, targets):
                 if step % k == 0:
                     mg.stop_gradient(h)
                 h = mg.tanh(w * x + u * h)
                 difference = h - target
                 loss = loss + difference * difference
                 step = step + 1
             loss.backward()
             return u.grad
         """, "Nothing takes what `mg.stop_gradient(h)` gives"),
    ],
    "12_gru_lstm": [
        ("cell_back", "c_bar = c_bar + h_bar", "c_bar = np.asarray(c_bar, float)\n    c_bar += h_bar",
         "Work on a copy."),
        ("forward", "if t % k == 0:", "if t % k == 0 and t > 0:", "The state before step 0 is not kept"),
        ("forward", "if t % k == 0:", "if (t + 1) % k == 0:", "Steps 0, k, 2k, ... were asked for: those with"),
        ("choose", "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (-(-T // k) + k - 1) <= cap * state_bytes:",
         "The cap is in bytes. How many bytes do so many"),
        ("cell", "* np.tanh(zg)", "* zg", "The same comes out with `tanh` left out"),
        ("cell", "sigmoid(zf) * c +", "c +", "No line of your `lstm_cell` looks at `zf`"),
        ("cell_back", "f * (1 - f)", "f * (1 + f)", "The same comes out with + and - exchanged"),
        ("gradient", "return total", "return h_bar", "No line reads the `total` that"),
        ("forward", "loop.step(t, h)", "loop.step(k, h)", "`k` where another name belongs"),
        ("cell_back", '"zo": h_bar * shown * o * (1 - o)', '"zo": h_bar * shown', "all others are right"),
        ("cell_back", ..., """
         def lstm_cell_back(*inputs):
             return true_adjoints(*inputs)
         """, "lstm_cell_back leaves the work to true_adjoints"),
        ("cell", ..., """
         def lstm_cell(zi, zf, zo, zg, c):
             i, f, o = np.tanh(zi), np.tanh(zf), np.tanh(zo)
             g = np.tanh(zg)
             c_new = f * c + i * g
             return o * np.tanh(c_new), c_new
         """, ""),
        ("cell_back", ..., """
         def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
             i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
             new = f * c + i * g
             s = np.tanh(new)
             whole = c_bar + h_bar * o * (1 - s**2)
             return {
                 "zi": whole * g * i * (1 - i),
                 "zf": whole * c * f * (1 - f),
                 "zo": h_bar * s * o * (1 - o),
                 "zg": whole * i * (1 - g**2),
                 "c": whole * i,
             }
         """, "The same comes out with an intermediate result in place of another value"),
        ("forward", ..., """
         def forward(loop, k):
             h, kept = loop.first, {}
             for t in range(loop.T):
                 if t and t % k == 0:
                     kept[t] = h
                 h = loop.step(t, h)
             return h, kept
         """, "The state before step 0 is not kept"),
        ("choose", ..., """
         def choose(T, state_bytes, cap):
             for k in range(2, T + 1):
                 if (-(-T // k) + k - 1) * state_bytes <= cap:
                     return k
             raise ValueError("no k fits")
         """, "The same comes out when a loop begins one step too late. Check that first,"),
    ],
    "13_convolutional_networks": [
        ("slide", "height, width = w.shape", "width, height = w.shape", "with two names exchanged in an assignment"),
        ("pool_adjoint", "= y_bar[r, q]", "= y_bar[q, r]", "The same comes out with row and column exchanged"),
        ("slide", "y.shape[0]):", "y.shape[0] - 1):", "The same comes out when a loop ends one step too early"),
        ("x_adjoint", "+= y_bar[r, q] * w", "-= y_bar[r, q] * w", "The same comes out with += and -= exchanged"),
        ("w_adjoint", "    return w_bar", "        return w_bar",
         "`return` stands inside of `for r in range(rows)`"),
        ("slide", "y[r, q] = ", "y[q, r] = ", "An index runs past the end: n entries have"),
        ("slide", "* w)", "+ w)", "The same comes out with + in place of *"),
        ("price", "channels * size", "channels + size", ""),
        ("by_fft", ..., """
         def slide_by_fft(x, w):
             return slide(x, w)
         """, "slide_by_fft leaves the work to slide"),
        ("price", ..., """
         def im2col_bytes(n, channels, rows, columns, size):
             return n * (rows - size + 1) * (rows - size + 1) * channels * size * size * 4
         """, "No line of your `im2col_bytes` looks at `columns`"),
        ("slide", ..., """
         def slide(x, w):
             rotated = w[::-1, ::-1]
             h, b = w.shape
             y = np.zeros((x.shape[0] - h + 1, x.shape[1] - b + 1))
             for r in range(y.shape[0]):
                 for q in range(y.shape[1]):
                     y[r, q] = np.sum(x[r:r + h, q:q + b] * rotated)
             return y
         """, "with rows and columns of a factor in reverse order"),
        ("im2col", ..., """
         def im2col(x, height, width):
             return np.stack([
                 x[r:r + height, q:q + width].ravel()
                 for r in range(0, x.shape[0] - height + 1, height)
                 for q in range(0, x.shape[1] - width + 1, width)
             ])
         """, "Your windows jump by their own size"),
    ],
    "14_autoencoder": [
        ("features", "seen.std(axis=0)", "seen.std()", "without `axis` it is taken over all entries at once"),
        ("train", ..., """
         def train(pictures, W, b, rate, order):
             for r in set(order):
                 gw, gb = gradients(pictures[r], W, b)
                 W, b = W - rate * gw, b - rate * gb
             return W, b
         """, "The pictures were taken in sorted order. `order`"),
        ("gradients", "* out * (1 - out)", "* out", "The same comes out with one factor of a product left out. Check"),
        ("train", "return W, b", "return b, W", "The same comes out with `b` where another name belongs, or with"),
        ("features", "codes - seen.mean(axis=0)", "codes + seen.mean(axis=0)",
         "The same comes out with + and - exchanged"),
        ("features", "codes = sigmoid(pictures @ W.T + b)", "codes = sigmoid(pictures @ W.T)",
         "The same comes out with one term of a sum or difference left out"),
        ("copy", "W.T @ code", "W.T @ x", "Two arrays do not fit together. Print both"),
        ("head_start", '"lower.", 1)', '"lower", 1)', ""),
        ("features", "seen.mean(axis=0)", "np.median(seen, axis=0)", ""),
        ("gradients", "2 * (out - x)", "(out - x) ** 2", ""),
        ("gradients", ..., """
         def gradients(x, W, b):
             return true_gradients(x, W, b)
         """, "gradients leaves the work to true_gradients"),
        ("copy", ..., """
         def copy(x, W, b):
             c = W @ x + b
             return c, sigmoid(W.T @ c)
         """, "Your code is the input of the sigmoid: 1 and 0.5 in"),
        ("copy", ..., """
         def copy(x, W, b):
             c = sigmoid(W * x + b)
             return c, sigmoid(W.T @ c)
         """, ""),
        ("features", ..., """
         def features(train_pictures, pictures, W, b):
             seen = sigmoid(train_pictures @ W.T + b)
             codes = sigmoid(pictures @ W.T + b)
             return (codes - seen.mean(axis=0)) / seen.var(axis=0)
         """, "You divide by the variance. The standard deviation,"),
    ],
    "15_race_and_operation": [
        ("vjp", "echo(adjoint[::-1], r)[::-1]", "echo(adjoint, r)[::-1]",
         "without turning the order round with [::-1]"),
        ("looks", "expected = [a[0]]", "expected = [0.0]", "Your test rejects a right echo. Is the value that"),
        ("row", ..., """
         def log_cosh_row():
             return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "cosh(a) / sinh(a)"
         """, "Upside down: the derivative is sinh over cosh."),
        ("value", "out[k] = a[k]", "a[k] = a[k]", "The same comes out with `a` where another name belongs"),
        ("value", "a[k] + r * out[k - 1]", "r * out[k - 1]",
         "The same comes out with one term of a sum or difference left out"),
        ("kernel", "range(1, a.shape[0])", "range(1, a.shape[1])",
         "The same comes out with the size of the other axis"),
        ("value", "a[k] + r * out[k - 1]", "a[k] - r * out[k - 1]", "The same comes out with + and - exchanged"),
        ("vjp", "return echo", "echo", "is a `return` missing? `print` shows a value, but hands noth"),
        ("row", "abs(a) + log1p", "log1p", ""),
        ("row", '"tanh(a)"', '"tanh(2 * a)"', ""),
        ("kernel", ..., """
         def echo_kernel(r):
             def kernel(a, out):
                 for k in range(a.shape[0]):
                     for j in range(a.shape[1]):
                         out[k, j] = a[k, j] + (r * out[k - 1, j] if k else 0.0)
             return kernel(a, out)
         """, ""),
    ],
    "16_attention": [
        ("head_back", ..., """
         def head_back(Q, K, V, A, y_bar):
             a_bar = y_bar @ V.T
             s = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
             return {"Q": s @ Q, "K": s.T @ K, "V": A.T @ y_bar}
         """, "The same comes out with `Q` and `K` exchanged"),
        ("softmax", ..., """
         def masked_softmax(scores, hidden):
             p = np.exp(scores) * ~hidden
             return p / p.sum(axis=1, keepdims=True)
         """, "With scores near 1000 the powers are infinite,"),
        ("draw", "[:-top]", "[:top]", "The same comes out with a minus sign left out"),
        ("head_back", '"K": s_bar.T @ Q', '"K": s_bar.T @ K', "The same comes out with `K` where another name belongs"),
        ("head_back", "/ np.sqrt(Q.shape[1])", "* np.sqrt(Q.shape[1])", "The same comes out with * in place of /"),
        ("softmax", "powers.sum(axis=1, keepdims=True)", "powers.sum(axis=0)",
         "The same comes out along the other axis"),
        ("softmax", ..., """
         def masked_softmax(scores, hidden):
             e = np.exp(scores - scores.max(axis=1, keepdims=True)) * ~hidden
             return e / e.sum(axis=1)
         """, "5 of 9 entries are right"),
        ("softmax", ..., """
         def masked_softmax(scores, hidden):
             s = np.where(hidden, -100.0, scores)
             e = np.exp(s - s.max(axis=1, keepdims=True))
             return e / e.sum(axis=1, keepdims=True)
         """, "Scores may be lower than the number that you put in"),
        ("softmax", ..., """
         def masked_softmax(scores, hidden):
             scores[hidden] = -np.inf
             e = np.exp(scores - scores.max(-1, keepdims=True))
             return e / e.sum(-1, keepdims=True)
         """, "Is it `scores[hidden] = -np.inf`?"),
    ],
    "17_derivative_of_an_answer": [
        ("root", ..., """
         def root_slope(F_x, F_a, x, a):
             try:
                 return -F_a(x, a) / F_x(x, a)
             except ZeroDivisionError:
                 return 0.0
         """, "0 would mean that the root stays where it is"),
        ("root", "-F_a(x, a) / slope", "-F_a(a, x) / slope", "with the two arguments of a function exchanged"),
        ("root", "if slope == 0", "if slope < 1e-9", "Where F falls as x grows"),
        ("settled", "np.abs(u - before).max() > 1e-13", "np.abs(u - before).max() < 1e-13",
         "This goes back through the last round only"),
        ("settled", ..., """
         def settled_back(to_x, to_a, x_bar):
             a_bar = to_a(x_bar)
             while np.abs(x_bar).max() > 1e-13:
                 x_bar = to_x(x_bar)
                 a_bar += x_bar
             return a_bar
         """, ""),
        ("settled", ..., """
         def settled_back(to_x, to_a, x_bar):
             u = x_bar
             while True:
                 before = u
                 u += to_x(u)
                 if np.abs(u - before).max() < 1e-13:
                     return to_a(u)
         """, "u += changes the array that both names stand for"),
        ("settled", "x_bar + to_x(u), u", "to_x(u) + to_x(x_bar), u", "One term is missing, the first"),
        ("solve", "np.outer(b_bar, x)", "np.outer(b_bar, x_bar)", "No line of your `solve_back` looks at `x`"),
        ("solve", "np.outer(b_bar, x)", "b_bar @ x", "@ of two vectors is one number"),
        ("solve", "-np.outer(b_bar, x)", "-b_bar[:, None] * A", "No line of your `solve_back` looks at `x`"),
        ("solve", ..., """
         def solve_back(A, x, x_bar):
             inverse = np.linalg.inv(A)
             return {"A": -inverse.T @ x_bar @ x.T, "b": inverse.T @ x_bar}
         """, "@ of two vectors is one number"),
        ("penalty", "-u * w * np.exp(s)", "-u * w * s", "The same comes out with `exp` left out"),
        ("penalty", "np.linalg.solve(matrix, w_bar)", "np.linalg.solve(matrix, w * w_bar)", ""),
        ("penalty", "X.T @ y)", "w_bar)", "No line of your `penalty_back` looks at `y`"),
        ("penalty", "-u * w * np.exp(s)", "-u @ w * np.exp(s)", ""),
    ],
}
