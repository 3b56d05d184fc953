"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # gradient · Task 1 · A gradient, written by hand
    ("gradient", 2, ..., """
     def gradient(x, y):
         p = x * y
         p_bar = p
         return p_bar * y + np.cos(x), y + p_bar * x
     """,
     "In f = p y + s each factor gets the OTHER factor: p̄ is not p. Change p by 1 and look by how much p y grows."),
    ("gradient", 2, ..., """
     def gradient(x, y):
         p = x * y
         return y * y + math.cos(x), p + y * x
     """,
     "Numbers are fine, but math.cos does not take a dual number: it insists on a float. NumPy's functions take "
     "duals."),

    # hvp · Task 2 · Forward over reverse
    ("hvp", 4, ..., """
     def hvp(gradient, point, direction):
         total = [0.0] * len(point)
         for k in range(len(point)):
             duals = [mg.Dual(p, d if i == k else 0.0) for i, (p, d) in enumerate(zip(point, direction))]
             slopes = gradient(*duals)
             total = [t + (g.tangent if isinstance(g, mg.Dual) else 0.0) for t, g in zip(total, slopes)]
         return total
     """,
     "The product is right, but you call the gradient once for each input and add up. All tangents can go through "
     "one call together."),
    ("hvp", 12, ..., """
     def hvp(gradient, point, direction):
         h = 1e-6
         a = np.array(gradient(*[p + h * d for p, d in zip(point, direction)]))
         b = np.array(gradient(*point))
         return list((a - b) / h)
     """,
     "That is a difference of two gradients: nearly right. Duals give the product exactly, in one call: point in the "
     "values, direction in the tangents."),
    ("hvp", 7, "isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)",
     "isinstance(g, mg.Dual) else g for g in gradient(*duals)",
     "The entry 2.0 of the gradient is a constant, and you return it as it is. How it CHANGES was asked for."),
    ("hvp", 12, ..., """
     def hvp(gradient, point, direction):
         g = gradient(*[mg.Dual(p, 1.0) for p in point])
         return [(a.tangent if isinstance(a, mg.Dual) else 0.0) * d for a, d in zip(g, direction)]
     """,
     "The tangents were all 1, and the direction came in afterwards, entry by entry. It must go IN: it says how fast "
     "each input moves."),
    ("hvp", 3, ..., """
     def hvp(gradient, point, direction):
         d = np.array(direction, float)
         d = d / np.linalg.norm(d)
         return [getattr(g, "tangent", 0.0) for g in gradient(*[mg.Dual(p, q) for p, q in zip(point, d)])]
     """, "You made the direction a unit vector first. The product with the direction as it is was asked for."),
    ("hvp", 12, "return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]",
     "return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(duals)]",
     "A gradient takes the numbers one by one, gradient(x, y), and you gave it one list. A star in front of the list "
     "takes it apart."),
    ("hvp", 7, "tangent if isinstance(g, mg.Dual) else 0.0 for", "tangent for",
     "One entry of this gradient is the plain number 2.0, which has no tangent to read. It is a constant: by how "
     "much does it change?"),
    ("hvp", 12, ..., """
     def hvp(gradient, point, direction):
         out = []
         for i in range(len(point)):
             z = [mg.Dual(p, direction[i] if j == i else 0.0) for j, p in enumerate(point)]
             out.append(gradient(*z)[i].tangent)
         return out
     """,
     "Each input moves alone, and you keep only its own entry. All inputs move at the same time, in one call, and "
     "all entries of the gradient answer."),
    ("hvp", 12, "duals = [mg.Dual(p, d) for p, d in zip(point, direction)]", "duals = [mg.Dual(p, 1.0) for p in point]",
     "Every tangent is 1, whatever the direction is: you asked how the gradient changes when all inputs change "
     "alike. Where does the direction come in?"),
    ("hvp", 12, "return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]",
     "return sum(g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals))",
     "You added up the entries. How each entry of the gradient changes was asked for: return a list."),
    ("hvp", 12, ..., """
     def hvp(gradient, point, direction):
         tangents = [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*map(mg.Dual, point, direction))]
         return [t * d for t, d in zip(tangents, direction)]
     """, "The tangents are the product already. You multiplied them by the direction once more."),
    ("hvp", 12, "tangent if isinstance(g, mg.Dual) else 0.0", "value if isinstance(g, mg.Dual) else g",
     "That is the gradient itself, the values. How it changes is in the tangents."),

    # hessian · Task 3 · Column by column
    ("hessian", 9, ..., """
     def hessian(gradient, point):
         n = len(point)
         H = np.zeros((n, n))
         for j in range(n):
             H[:, n - 1 - j] = hvp(gradient, point, np.eye(n)[j])
         return H
     """, "The columns stand in reverse order: the first product is that with (1, 0, 0), and gives column 0."),
    ("hessian", 9, ..., """
     def hessian(gradient, point):
         n = len(point)
         return np.diag([hvp(gradient, point, np.eye(n)[k])[k] for k in range(n)])
     """,
     "Only the diagonal is filled in. The product with one unit direction is a whole column: how EVERY entry of the "
     "gradient changes."),
    ("hessian", 9, "columns = [hvp(gradient, point, unit) for unit in np.eye(len(point))]", """
     n = len(point)
     e = [0.0] * n
     columns = []
     for i in range(n):
         e[i] = 1.0
         columns.append(hvp(gradient, point, e))
     """,
     "The first column is right; in the next one the first input still moves. Each column needs a direction with a "
     "single 1: set the others back to 0."),
    ("hessian", 9, ..., """
     def hessian(gradient, point):
         return np.array([hvp(gradient, point, [1.0, 0.0]), hvp(gradient, point, [0.0, 1.0])]).T
     """,
     "Your directions have two entries, and this gradient takes three inputs. How many directions are there, and how "
     "long is each?"),
    ("hessian", 9, ..., """
     def hessian(gradient, point):
         return [hvp(gradient, point, np.ones(len(point))) for _ in point]
     """,
     "You asked for one direction only, with all inputs moving at once, so each of your rows is the sum of all "
     "columns. One unit direction after the other gives one column after the other."),
    ("hessian", 9, ..., """
     def hessian(gradient, point):
         n = len(point)
         return np.array([hvp(gradient, point, np.ones(n)) for _ in range(n)]).T
     """,
     "All your columns are alike: each product used the direction (1, 1, ...), in which all inputs change at once. "
     "For column j only input j may change."),
    ("hessian", 9, "return np.array(columns).T", "return np.array(columns).sum(axis=0)",
     "The columns were added up, so that one row is left. Keep them apart: a matrix has n rows of n numbers."),

    # newton_step · Task 4 · To the bottom of the parabola
    ("newton_step", 5, "return np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))",
     "return -np.array(gradient(*point)) / np.diag(hessian(gradient, point))",
     "You divide each slope by its own curvature. With one input that is right. Here changing x also changes the "
     "slope along y: the equations belong together."),
    ("newton_step", 5, "return np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))",
     "return -np.array(hessian(gradient, point)) @ np.array(gradient(*point))",
     "You multiplied the gradient by H. But the larger the curvature, the SHORTER the step must be: solve H s = - "
     "gradient for s."),
    ("newton_step", 5, "array(gradient(*point))", "array(point)",
     "You solved for the point instead of the gradient. The equation is: gradient + H s = 0."),
    ("newton_step", 5, "return np.linalg.solve", "return np.array(point) + np.linalg.solve",
     "That is the point that the step leads to, not the step. How far is it from the given point to there?"),

    # minimise · Task 5 · Beat gradient descent
    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         point = np.array(point)
         for _ in range(10):
             point = point + newton_step(gradient, point)
         return point, 10
     """,
     "It takes ten steps, even if it has arrived after one. Look at the gradient before each step: is it short "
     "enough already?"),
    ("minimise", 2, """
     point, steps = np.array(point), 0
     while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
     """, """
     point, steps = np.array(point), 1
     while np.linalg.norm(gradient(*point)) >= tolerance:
     """, "One step too many is counted: how many have you taken before the first one?"),
    ("minimise", 2, """
     while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
         point, steps = point + newton_step(gradient, point), steps + 1
     """, """
     for _ in range(100):
         if np.linalg.norm(gradient(*point)) < tolerance:
             break
         point = point + newton_step(gradient, point)
     """, "The point is right, but no steps are counted: steps stays 0."),
    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         point, steps = np.array(point, float), 0
         while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
             point = point + 0.5 * newton_step(gradient, point)
             steps += 1
         return point, steps
     """,
     "You take half of each step, so every step leaves half of the way. Newton's step leads to the bottom of a bowl "
     "at once."),
    ("minimise", 2, ", steps = point + newton_step(gradient, point)", ", steps = point - newton_step(gradient, point)",
     "The result is far from the bottom: the step was subtracted. newton_step already has the minus sign; gradient "
     "descent's has not."),
    ("minimise", 2, "(gradient(*point)) >= tolerance and steps <", "(gradient(*point)) <= tolerance and steps <",
     "It stays where it started: your loop runs while the gradient is SHORT. It should run while it is too long."),
    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         point, steps = np.array(point), 0
         while True:
             point, steps = point + newton_step(gradient, point), steps + 1
             if np.linalg.norm(gradient(*point)) < tolerance:
                 return point, steps
     """, "Started at the bottom, it still takes a step. When should it look at the gradient for the first time?"),
    ("minimise", 2, """
     while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
         point, steps = point + newton_step(gradient, point), steps + 1
     """, """
     step = np.ones(len(point))
     while np.linalg.norm(step) >= tolerance and steps < 100:
         step = newton_step(gradient, point)
         point, steps = point + step, steps + 1
     """,
     "You stop when the last STEP was short, so there is a step of length 0 at the end, and one even from the bottom. Look at "
     "the length of the gradient, before each step."),
    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         steps = 0
         while sum(gradient(*point)) >= tolerance and steps < 100:
             point = np.array(point) + newton_step(gradient, point)
             steps += 1
         return point, steps
     """,
     "You add up the entries of the gradient: negative ones make that small, or hide the others. Its LENGTH must be "
     "small: np.linalg.norm."),

    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         point, steps = np.array(point, float), 0
         while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
             point, steps = point + 0.001 * newton_step(gradient, point), steps + 1
         return point, steps
     """,
     "Each step is only a small part of Newton's. The rate belongs to gradient descent: a Newton step is taken "
     "whole."),
    ("minimise", 2, ..., """
     def minimise(gradient, point, tolerance=1e-6):
         point, steps = np.array(point, float), 0
         while abs(gradient(*point)[0]) >= tolerance and steps < 100:
             point, steps = point + newton_step(gradient, point), steps + 1
         return point, steps
     """,
     "You look at one entry of the gradient. It can be 0 where the others are not: what is asked for is the "
     "length of all of it."),

    # safe_step · Task 6 · Never uphill
    ("safe_step", 2, """
     smallest = np.linalg.eigvalsh(H)[0]
     if smallest <= 0:
         H = H + (1 - smallest) * np.eye(len(H))
     """, "H = H + (1 - np.linalg.eigvalsh(H)[0]) * np.eye(len(H))",
     "You raise the diagonal everywhere. In the bowl all curvatures are positive, so µ is 0 there, and the step is "
     "Newton's own."),
    ("safe_step", 2, """
     smallest = np.linalg.eigvalsh(H)[0]
     if smallest <= 0:
         H = H + (1 - smallest) * np.eye(len(H))
     """, "H = H + max(0.0, 1 - np.linalg.eigvalsh(H)[0]) * np.eye(len(H))",
     "A curvature of 0.25 is small, but positive: the parabola opens upwards and has a bottom. For which curvatures "
     "does the rule ask for a µ?"),
    ("safe_step", 2, "smallest = np.linalg.eigvalsh(H)[0]", "smallest = np.diag(H).min()",
     "You looked only at the diagonal of H. Here it says 1 and 1, and yet the function bends down in a direction "
     "between the axes: the curvatures are the eigenvalues of the whole H."),
    ("safe_step", 2, ..., """
     def safe_step(gradient, point):
         values, vectors = np.linalg.eigh(np.array(hessian(gradient, point)))
         values[values <= 0] = 1.0
         return -vectors @ ((vectors.T @ np.array(gradient(*point))) / values)
     """,
     "You replaced each curvature that is not positive by 1, and left the others. The remedy adds the same µ to "
     "EVERY curvature, those that were positive included."),
    ("safe_step", 2, "H = H + (1 - smallest) * np.eye(len(H))", "H[0, 0] += 1 - smallest",
     "Only a part of the diagonal was raised, or more than the diagonal. µ goes to every entry of the diagonal and "
     "nowhere else: then every curvature grows by µ."),
    ("safe_step", 2, ..., """
     def safe_step(gradient, point):
         step = newton_step(gradient, point)
         return -step if np.linalg.eigvalsh(hessian(gradient, point))[0] <= 0 else step
     """,
     "Turned round it goes downhill, but its length comes from a parabola that opens downwards. Raise the curvature "
     "to 1 first, then solve."),
    ("safe_step", 2, ..., """
     def safe_step(gradient, point):
         if np.linalg.eigvalsh(np.array(hessian(gradient, point)))[0] <= 0:
             return -np.array(gradient(*point))
         return newton_step(gradient, point)
     """,
     "Where a curvature is negative you take the plain gradient step. The rule is another one: raise the diagonal, "
     "and solve as before."),
    ("safe_step", 2, "H = H + (1 - smallest) * np.eye(len(H))", "H = H + (1e-3 - smallest) * np.eye(len(H))",
     "The smallest curvature became hardly larger than 0, and the step enormous. Choose µ so that it becomes 1."),
    ("safe_step", 2, "smallest = np.linalg.eigvalsh(H)[0]", "smallest = np.linalg.eigvalsh(H)[-1]",
     "You looked at the largest curvature. One negative curvature is enough to lead uphill: the smallest decides."),
    ("safe_step", 2, "H = H + (1 - smallest) * np.eye(len(H))", "H = H + (-smallest) * np.eye(len(H))",
     "Your µ makes the smallest curvature 0, so there is still no bottom. It should become 1."),
    ("safe_step", 2, ..., """
     def safe_step(gradient, point):
         H = np.array(hessian(gradient, point))
         w, V = np.linalg.eigh(H)
         return -V @ (V.T @ np.array(gradient(*point)) / np.abs(w))
     """,
     "You took the size of each curvature. Then it goes downhill, but the steps are others than those asked for: add "
     "the same µ to all curvatures, so that the smallest becomes 1."),
    ("safe_step", 2, "if smallest <= 0:", "if smallest < 0:",
     "A curvature of exactly 0 has no bottom either: the rule asks for µ where the smallest curvature is 0 or "
     "negative."),
    ("gradient", 2, "s_bar * np.cos(x)", "s_bar * -np.sin(x)",
     "-sin is the derivative of the cosine, or the second one of the sine. f has sin x: what does it pass on?"),
    ("minimise", 2, """
     while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
     """, """
     length = np.linalg.norm(gradient(*point))
     while length >= tolerance and steps < 100:
     """,
     "All 100 steps are taken: the gradient whose length you compare is that of the start. Ask for it anew at each "
     "point."),
    ("hessian", 2, "return np.array(columns).T", "return np.array(columns).T.astype(np.asarray(point).dtype)",
     "The point consists of whole numbers, and so does your matrix: it was made with the type of the point, and has no "
     "room for decimals."),
    ("safe_step", 2, "if smallest <= 0:", "if smallest <= 1e-3:",
     "A curvature of 0.0001 is small, and positive all the same: the step is Newton's own there."),
    ("newton_step", 5, "return np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))",
     "return -(1 / np.array(hessian(gradient, point))) @ np.array(gradient(*point))",
     "With one input that is right. But the inverse of a matrix is not made of 1 divided by its entries: solve "
     "H s = - gradient."),
]
