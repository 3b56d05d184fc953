"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # by_value · Task 1 · Clip by value
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.clip(g.ravel(), -limit, limit) for g in gradients]",
     "The numbers are right, but an array that came in as a matrix came out as one long row. Keep the shapes."),
    ("by_value", 2, "clip(g, -limit, limit)", "clip(g, 0, limit)",
     "Negative entries became 0: your lower limit is 0. It is -limit."),
    ("by_value", 2, "(g, -limit, limit) for g in gradients", "(g, -limit, limit, out=g) for g in gradients",
     "The result is right, but the arrays that you were given have changed as well. New ones were asked for."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.minimum(g, limit) for g in gradients]",
     "You limit what is too large, but not what is too negative: -4 is below -1."),
    ("by_value", 2, "np.clip(g, -limit, limit)", "np.maximum(g, -limit)",
     "What is too large passes: you limit only from below."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.minimum(np.abs(g), limit) for g in gradients]",
     "-0.5 came out positive: you limited the absolute values and lost the signs."),
    ("by_value", 2, ".clip(g, -limit, limit)", ".where(np.abs(g) > limit, limit, g)",
     "An entry below -limit became +limit: the sign is lost. Cut on both sides, each at its own end."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [limit * np.sign(g) for g in gradients]",
     "Entries within the limits have changed as well: -0.5 stays -0.5."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [limit * np.tanh(g / limit) for g in gradients]",
     "Your limit is a smooth one, and changes every entry. Entries between -limit and limit stay exactly as they are."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [g if np.abs(g).max() <= limit else np.clip(g, -limit, limit) for g in gradients]",
     "Where nothing has to be clipped, you hand back the very arrays that you were given. Whoever changes the result "
     "changes the gradients, too: new arrays were asked for, also there."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [g * (np.abs(g) <= limit) for g in gradients]",
     "Entries beyond the limit became 0. They should become the limit, with their sign."),

    # by_norm · Task 2 · Clip by norm
    ("by_norm", 3, """
     factor = min(1.0, limit / norm) if norm > 0 else 1.0
     return [factor * g for g in gradients]
     """, "return [g * limit / norm if norm > 0 else g for g in gradients]",
     "A short gradient was made longer. Clipping only ever shortens: small gradients near a minimum must stay small."),
    ("by_norm", 3, """
     factor = min(1.0, limit / norm) if norm > 0 else 1.0
     return [factor * g for g in gradients]
     """, "return [np.clip(g, -limit, limit) if norm > limit else g.copy() for g in gradients]",
     "Each entry was cut at the limit, as in Task 1: that changes the direction. One factor for all of them."),
    ("by_norm", 3, "return [factor * g for g in gradients]", "return [np.clip(g, -factor, factor) for g in gradients]",
     "The entries were clipped one by one, which changes the direction. Multiply all of them by one factor."),
    ("by_norm", 3, """
     factor = min(1.0, limit / norm) if norm > 0 else 1.0
     return [factor * g for g in gradients]
     """, "return [g * (norm / limit) if norm > limit else g.copy() for g in gradients]",
     "The factor is upside down: the gradients grew. A norm of 5 that should become 1 needs the factor 1/5."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         n = max(np.abs(g).max() for g in gradients)
         return [g * limit / n if n > limit else g.copy() for g in gradients]
     """,
     "You divided by the largest entry. The norm of the whole gradient is longer: the root of the sum of all squares."),
    ("by_norm", 3, "min(1.0, limit / norm) if", "min(1.0, 1.0 / norm) if",
     "Right for the limit 1, but `limit` does not occur in your factor."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         norm = sum(np.sum(g**2) for g in gradients)
         return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
     """, "You divided by 25, and the norm is 5: a root is missing."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         clipped = []
         for g in gradients:
             norm = np.linalg.norm(g)
             clipped.append(g * min(1.0, limit / norm) if norm > 0 else g)
         return clipped
     """,
     "You used a norm for each array. The gradient is one vector, made of all arrays together: one norm, one factor."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         norm = sum(np.linalg.norm(g) for g in gradients)
         return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
     """, "You added the norms of the arrays, 3 + 4. Add the squares of all entries, then take one root."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         n = sum(np.sum(np.abs(g)) for g in gradients)
         return [g * limit / n if n > limit else g.copy() for g in gradients]
     """, "You added the sizes of the entries. The 2-norm is the root of the sum of their squares."),

    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         n = max(np.linalg.norm(g) for g in gradients)
         return [g * limit / n if n > limit else g.copy() for g in gradients]
     """,
     "You divided by the norm of the longest array. The squares of all arrays belong under one root."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         n = np.sqrt(np.mean([(g**2).sum() for g in gradients]))
         return [g * limit / n if n > limit else g.copy() for g in gradients]
     """,
     "You took the mean of the squares over the arrays. The norm is the root of their sum."),

    # bptt · Task 3 · Back through time, by hand
    ("bptt", 4, """
     by_u += inside * states[t - 1]
     adjoint = u * inside
     """, """
     adjoint = u * inside
     by_u += adjoint * states[t - 1]
     """,
     "The share of u holds one factor u too many: it was multiplied by u before it was added, as only the adjoint of the "
     "state before should be."),
    ("bptt", 4, "adjoint = u * inside", "adjoint += u * inside",
     "The adjoint of a state adds up over the steps in yours. Each state is used only once here, by the next step: "
     "its adjoint is set, not added to."),
    ("bptt", 4, "adjoint = u * inside", "",
     "Every step of yours uses the adjoint 1 of the last state. It changes from step to step."),
    ("bptt", 4, "adjoint = u * inside", "adjoint *= u * inside",
     "The old adjoint is in `inside` already, and you multiply by it once more."),
    ("bptt", 4, 'return {"w": by_w, "u": by_u}', "return (by_w, by_u)",
     'A dict was asked for, with the entries "w" and "u".'),
    ("bptt", 4, "by_w += inside * xs[t - 1]", "by_w += inside * xs[t - 2]",
     "The input of step t is xs[t - 1]: there is one more state than there are inputs."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         states = forward(xs, w, u)
         h_bar, W, U = 1.0, 0.0, 0.0
         for t in reversed(range(1, len(xs) + 1)):
             a = (1 - states[t] ** 2) * h_bar
             W += a * xs[-t]
             U += a * states[t - 1]
             h_bar = u * a
         return {"w": W, "u": U}
     """,
     "Going back, you take the inputs from the wrong end: xs[-t] at step t is the first input at the last step. Step "
     "t had the input xs[t - 1]."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         states = forward(xs, w, u)
         h_bar, W, U = 0.0, 0.0, 0.0
         for t in range(len(xs), 0, -1):
             a = (1 - states[t] ** 2) * (h_bar + 1)
             W += a * xs[t - 1]
             U += a * states[t - 1]
             h_bar = u * a
         return {"w": W, "u": U}
     """,
     "You add the adjoint 1 in every step. Only the last state is the output: 1 is where h_bar starts, and after "
     "that comes what is passed back."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         states = forward(xs, w, u)
         h_bar, W, U = 1.0, 0.0, 0.0
         for t in range(len(xs), 0, -1):
             a = (1 - states[t]) ** 2 * h_bar
             W += a * xs[t - 1]
             U += a * states[t - 1]
             h_bar = u * a
         return {"w": W, "u": U}
     """,
     "You squared the bracket, (1 - h)². The derivative of tanh is 1 - h²: first the square, then the difference."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         states = forward(xs, w, u)
         h_bar = 1.0
         for t in range(len(xs), 0, -1):
             a = (1 - states[t] ** 2) * h_bar
             W = a * xs[t - 1]
             U = a * states[t - 1]
             h_bar = u * a
         return {"w": W, "u": U}
     """,
     "Only the share of one step is left: each step has a share, and = overwrites those before. Start with 0 and add."),
    ("bptt", 4, "inside = (1 - states[t] ** 2) * adjoint", "inside = (1 - states[t - 1] ** 2) * adjoint",
     "You took the slope of tanh from the state before the step. 1 - h² belongs to the state that the step made."),
    ("bptt", 4, "by_w, by_u, adjoint = 0.0, 0.0, 1.0", "by_w, by_u, adjoint = 0.0, 0.0, states[-1]",
     "The adjoint of the last state is 1, because it is the output. You started with the state itself."),
    ("bptt", 4, "inside = (1 - states[t] ** 2) * adjoint", "inside = (1 - np.tanh(states[t]) ** 2) * adjoint",
     "You applied tanh once more. The state is the tanh already: its derivative is 1 - h²."),

    # truncated · Task 4 · Truncated
    ("truncated", 3, """
     loss.backward()
     """, """
         loss.backward()
     """,
     "backward is called at every step, and the early losses are counted again each time. Call it once, on the whole "
     "loss."),
    ("truncated", 3, "if t % k == 0:", "if (t + 1) % k == 0:",
     "Your pieces are cut at the wrong steps. Steps count from 0 here: with k = 3, the cuts come before step 0 and "
     "step 3."),
    ("truncated", 3, "if t % k == 0:", "if t == k:",
     "Only one cut is made, at step k. There is one before step 0, k, 2k, ...: which steps are these?"),
    ("truncated", 3, "loss = loss + (h - y) ** 2", "loss = (h - y) ** 2",
     "You went back from the last step's loss alone. There is a loss at every step: add them up."),
    ("truncated", 3, "h = mg.stop_gradient(h)", "loss = mg.stop_gradient(loss)",
     "The loss was cut, and with it what the steps before have added. Cut the state h."),
    ("truncated", 3, "if t % k == 0:", "if t % k == 1 % k and t > 1:",
     "Your pieces are cut at the wrong steps. Steps count from 0 here: with k = 3, the cuts come before step 0 and "
     "step 3."),
    ("truncated", 3, "h = mg.stop_gradient(h)", "h = 0.0",
     "Each of your pieces begins with an empty memory. Only the adjoint is cut: the value of the state goes on."),
    ("truncated", 3, "if t % k == 0:", "if t >= k:",
     "From step k on you cut before EVERY step. A piece has k steps: before which steps does a new one begin?"),
    ("truncated", 3, """
     if t % k == 0:
         h = mg.stop_gradient(h)
     h = mg.tanh(w * x + u * h)
     """, """
     h = mg.tanh(w * x + u * h)
     if (t + 1) % k == 0:
         h = mg.stop_gradient(h)
     """,
     "The last loss of each piece passes nothing back: its state was cut before the loss was added. Cut before the NEXT "
     "step."),
    ("by_norm", 3, "factor = min(1.0, limit / norm) if norm > 0 else 1.0",
     "factor = min(1.0, limit / (norm + 1e-6))",
     "Nearly right: something is added to the norm, against a division by 0. Small gradients come out too small then: "
     "treat a norm of 0 by itself."),
]
