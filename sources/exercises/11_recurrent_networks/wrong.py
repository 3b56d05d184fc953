"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong.py says how to add one."""

WRONG = [
    # by_value · Task 1 · Clip by value
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return np.clip(np.concatenate([np.ravel(g) for g in gradients]), -limit, limit)",
     "All gradients came back as one long array. A list was asked for, with an array of its own shape for each."),
    ("by_value", 2, "(g, -limit, limit) for g", "(g, -1.0, 1.0) for g",
     "Right for the limit 1, but `limit` does not occur in your answer."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return np.clip(gradients[0], -limit, limit)",
     "A list with one array for each gradient was asked for. Only one array came back: does `return` stand inside a "
     "loop?"),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.clip(g.ravel(), -limit, limit) for g in gradients]",
     "The numbers are right, but an array that came in as a matrix came out as one long row. Keep the shapes."),
    ("by_value", 2, "clip(g, -limit, limit)", "clip(g, 0, limit)",
     "Negative entries became 0: your lower limit is 0. It is -limit."),
    ("by_value", 2, "(g, -limit, limit) for g in gradients", "(g, -limit, limit, out=g) for g in gradients",
     "The result is right, but the arrays that you were given have changed as well. New ones were asked for."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.maximum(np.minimum(g, -limit), limit) for g in gradients]",
     "Everything is the limit now: the smaller of g and -limit is never above -limit. Which of minimum and maximum "
     "belongs to which end?"),
    ("by_value", 2, "(g, -limit, limit) for", "(g, limit, -limit) for",
     "np.clip takes the lower limit first, then the upper one."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]", """
     for g in gradients:
         return [np.clip(g, -limit, limit)]
     """, "Only one array came back: `return` stands inside the loop. Collect all of them in a list first."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]",
     "return [np.minimum(g, limit) for g in gradients]",
     "You limit what is too large, but not what is too negative: -4 is below -1."),
    ("by_value", 2, "np.clip(g, -limit, limit)", "np.maximum(g, -limit)",
     "What is too large passes: you limit only from below."),
    ("by_value", 2, "return [np.clip(g, -limit, limit) for g in gradients]", """
     out = []
     for g in gradients:
         m = np.abs(g).max()
         out.append(g * limit / m if m > limit else g.copy())
     return out
     """,
     "You scaled the whole array, so small entries changed as well. Clipping by value only touches the entries "
     "beyond the limit."),
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
    ("by_norm", 3, "(1.0, limit / norm) if norm", "(1.0, norm / limit) if norm",
     "The factor is upside down: to get from norm 5 to norm 1, divide by 5."),
    ("by_norm", 3, "norm = np.sqrt(sum(np.sum(g**2) for g in gradients))",
     "norm = np.sqrt(sum(np.max(np.abs(g)) ** 2 for g in gradients))",
     "You took the largest entry for the length. The norm is the root of the sum of ALL squares."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         n = max(np.abs(g).max() for g in gradients)
         return [g * limit / n if n > limit else g.copy() for g in gradients]
     """,
     "You divided by the largest entry. The norm of the whole gradient is longer: the root of the sum of all squares."),
    ("by_norm", 3, "min(1.0, limit / norm) if", "min(1.0, 1.0 / norm) if",
     "Right for the limit 1, but `limit` does not occur in your factor."),
    ("by_norm", 3, "norm = np.sqrt(sum(np.sum(g**2) for g in gradients))",
     "norm = np.sqrt(sum(np.mean(g**2) for g in gradients))",
     "The norm is the root of the SUM of the squares. You took their mean."),
    ("by_norm", 3, "factor = min(1.0, limit / norm)", "factor = max(1.0, limit / norm)",
     "The factor is never below 1 in yours, so nothing is shortened. Which of 1 and limit / norm is to be taken, the "
     "smaller or the larger?"),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         norm = sum(np.sum(g**2) for g in gradients)
         return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
     """, "You divided by 25, and the norm is 5: a root is missing."),
    ("by_norm", 3, """
     factor = min(1.0, limit / norm) if norm > 0 else 1.0
     return [factor * g for g in gradients]
     """, """
     if norm > limit:
         for g in gradients:
             g *= limit / norm
     return gradients
     """,
     "The numbers are right, but the arrays that you were given have changed, too: *= writes into the array itself. "
     "Return new ones."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         norm = np.linalg.norm(gradients[0])
         return [g * min(1.0, limit / norm) if norm else g.copy() for g in gradients]
     """,
     "You measured the first array only. The gradient is one vector, made of all arrays: their squares all belong "
     "under the root."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         clipped = []
         for g in gradients:
             norm = np.linalg.norm(g)
             clipped.append(g * min(1.0, limit / norm) if norm > 0 else g)
         return clipped
     """,
     "You used a norm for each array. The gradient is one vector, made of all arrays together: one norm, one factor."),
    ("by_norm", 3, """
     factor = min(1.0, limit / norm) if norm > 0 else 1.0
     return [factor * g for g in gradients]
     """, """
     if norm <= limit:
         return gradients
     return [limit / norm * g for g in gradients]
     """,
     "Where nothing has to be clipped, you hand back the very arrays that you were given. Whoever changes the result "
     "changes the gradients, too: new arrays were asked for, also there."),
    ("by_norm", 3, ..., """
     def clip_by_norm(gradients, limit):
         square = sum((g**2).sum() for g in gradients)
         if square <= limit:
             return [g.copy() for g in gradients]
         return [g * limit / np.sqrt(square) for g in gradients]
     """,
     "You compare the SQUARE of the norm with the limit. Where the limit is 1 that is the same; with 4.5, a vector "
     "of norm 3 was made longer."),
    ("by_norm", 3, "norm = np.sqrt(sum(np.sum(g**2) for g in gradients))",
     "norm = np.sqrt(sum(np.sum(g) ** 2 for g in gradients))",
     "You squared the sum. First square each entry, then add up."),
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
         norm = np.sqrt(sum(np.linalg.norm(g, 2) ** 2 for g in gradients))
         return [g * min(1.0, limit / norm) if norm > 0 else g.copy() for g in gradients]
     """,
     "Your norm is right for vectors. Of a matrix, np.linalg.norm(g, 2) is another one, the largest singular value. What "
     "is asked for: the root of the sum of the squares of all entries."),
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
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         return slopes(xs, w, u)
     """,
     "The numbers are right, because the checker's own differences find them. The task is the loop backwards: it needs "
     "one run, whatever the number of parameters."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         W, U = mg.Variable(w), mg.Variable(u)
         h = 0.0
         for x in xs:
             h = mg.tanh(W * x + U * h)
         h.backward()
         return {"w": W.grad, "u": U.grad}
     """,
     "minigrad goes back for you. The numbers are right, and the task is to write that way yourself: no graph, a loop over "
     "numbers, from the last state to the first."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         h = 1e-5
         last = lambda w, u: forward(xs, w, u)[-1]
         return {"w": (last(w + h, u) - last(w - h, u)) / (2 * h), "u": (last(w, u + h) - last(w, u - h)) / (2 * h)}
     """,
     "Nearly right: differences have errors of their own, which grow where the states bend. The way back is exact, and "
     "needs one run for both derivatives."),
    ("bptt", 4, "adjoint = u * inside", "adjoint += u * inside",
     "The adjoint of a state adds up over the steps in yours. Each state is used only once here, by the next step: "
     "its adjoint is set, not added to."),
    ("bptt", 4, "adjoint = u * inside", "",
     "Every step of yours uses the adjoint 1 of the last state. It changes from step to step."),
    ("bptt", 4, "adjoint = u * inside", "adjoint *= u * inside",
     "The old adjoint is in `inside` already, and you multiply by it once more."),
    ("bptt", 4, 'return {"w": by_w, "u": by_u}', "return (by_w, by_u)",
     'A dict was asked for, with the entries "w" and "u".'),
    ("bptt", 4, "for t in range(len(xs), 0, -1):", "for t in range(1, len(xs) + 1):",
     "You went from the first step to the last. The adjoint that is known is the last state's: begin there."),
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
    ("bptt", 4, "for t in range(len(xs), 0, -1):", "for t in range(len(xs) - 1, 0, -1):",
     "Everything is 0: either the adjoint starts with 0, where it should start with 1, or the loop leaves the last "
     "step out."),
    ("bptt", 4, ..., """
     def bptt(xs, w, u):
         states = forward(xs, w, u)
         inside = 1 - states[-1] ** 2
         return {"w": inside * xs[-1], "u": inside * states[-2]}
     """, "You have the share of the last step, and nothing from before. w was used in every step: the shares add up."),
    ("bptt", 4, """
     inside = (1 - states[t] ** 2) * adjoint
     by_w += inside * xs[t - 1]
     by_u += inside * states[t - 1]
     adjoint = u * inside
     """, """
     by_w += adjoint * xs[t - 1]
     by_u += adjoint * states[t - 1]
     adjoint = u * adjoint
     """,
     "The derivative of tanh, 1 - h², is missing: you went from the state straight to what stands inside the tanh."),
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
    ("bptt", 4, "for t in range(len(xs), 0, -1):", "for t in range(len(xs), 1, -1):",
     "Everything is 0: either the adjoint starts with 0, where it should start with 1, or the loop leaves a step "
     "out: range(a, b, -1) ends before b."),
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
    ("bptt", 4, """
     by_w += inside * xs[t - 1]
     by_u += inside * states[t - 1]
     """, """
     by_w += inside * states[t - 1]
     by_u += inside * xs[t - 1]
     """, "The shares of w and u have changed places: w multiplies the input, u the state before."),
    ("bptt", 4, "inside = (1 - states[t] ** 2) * adjoint", "inside = (1 - states[t - 1] ** 2) * adjoint",
     "You took the slope of tanh from the state before the step. 1 - h² belongs to the state that the step made."),
    ("bptt", 4, "by_w, by_u, adjoint = 0.0, 0.0, 1.0", "by_w, by_u, adjoint = 0.0, 0.0, states[-1]",
     "The adjoint of the last state is 1, because it is the output. You started with the state itself."),
    ("bptt", 4, "by_w, by_u, adjoint = 0.0, 0.0, 1.0", "by_w, by_u, adjoint = 0.0, 0.0, 0.0",
     "Everything is 0: either the adjoint starts with 0, where it should start with 1, or the loop leaves the last "
     "step out."),
    ("bptt", 4, "by_u += inside * states[t - 1]", "by_u += inside * states[t]",
     "For u you took the state after the step. In step t, u multiplies the state before it; in step 1 that is h_0 = "
     "0."),
    ("bptt", 4, "by_w += inside * xs[t - 1]", "by_w += inside * states[t - 1]",
     "w's share was taken with the state before the step, which belongs to u. What is w multiplied by in the forward "
     "pass?"),
    ("bptt", 4, "inside = (1 - states[t] ** 2) * adjoint", "inside = (1 - np.tanh(states[t]) ** 2) * adjoint",
     "You applied tanh once more. The state is the tanh already: its derivative is 1 - h²."),
    ("bptt", 4, "adjoint = u * inside", "adjoint = inside",
     "On the way from one state to the one before, the adjoint is multiplied by u. You passed it on as it is."),
    ("bptt", 4, "adjoint = u * inside", "adjoint = w * inside",
     "Between two states stands u, and not w: in u h, the derivative with respect to h is u."),

    # truncated · Task 4 · Truncated
    ("truncated", 3, ..., """
     def truncated(xs, targets, w, u, k):
         u = mg.Variable(u)
         h, loss = 0.0, 0.0
         for t, (x, y) in enumerate(zip(xs, targets)):
             h = mg.tanh(w * x + u * h)
             loss = loss + (h - y) ** 2
             if t % k == k - 1:
                 loss.backward()
                 h, loss = mg.stop_gradient(h), 0.0
         return u.grad
     """,
     "Pieces that are full are right. Where the last one is shorter, its loss is never sent back. One backward at "
     "the end, of the whole loss, misses none."),
    ("truncated", 3, ..., """
     def truncated(xs, targets, w, u, k):
         u = mg.Variable(u)
         h, loss = 0.0, 0.0
         for t, (x, y) in enumerate(zip(xs, targets)):
             if t % k == 0:
                 h = mg.stop_gradient(h)
             h = mg.tanh(w * x + u * h)
             loss = loss + mg.abs(h - y)
         loss.backward()
         return u.grad
     """, "Your loss is another one: the sum of the SQUARES of h - y was asked for."),
    ("truncated", 3, """
     loss.backward()
     """, """
         loss.backward()
     """,
     "backward is called at every step, and the early losses are counted again each time. Call it once, on the whole "
     "loss."),
    ("truncated", 3, ..., """
     def truncated(xs, targets, w, u, k):
         u = mg.Variable(u)
         h, loss = 0.0, 0.0
         for t, (x, y) in enumerate(zip(xs, targets)):
             if t % k == 0:
                 h = mg.stop_gradient(h)
             h = mg.tanh(w * x + u * h)
             loss = loss + (h - y) ** 2
             if (t + 1) % k == 0 or t == len(xs) - 1:
                 loss.backward()
         return u.grad
     """,
     "The loss was sent back at the end of each piece, with all earlier steps in it again. One backward at the end "
     "is enough: the cuts do the rest."),
    ("truncated", 3, """
     if t % k == 0:
         h = mg.stop_gradient(h)
     h = mg.tanh(w * x + u * h)
     """, """
     h = mg.tanh(w * x + u * h)
     if t % k == 0:
         h = mg.stop_gradient(h)
     """,
     "The loss of the first step of each piece gives u nothing: the step itself was cut, or u in it. Cut only the state "
     "that comes from the step before, before u meets it."),
    ("truncated", 3, "if t % k == 0:", "if True:",
     "The state is cut before EVERY step. With k = 6 nothing is cut after the beginning: when does the condition "
     "hold?"),
    ("truncated", 3, "if t % k == 0:", "if (t + 1) % k == 0:",
     "Your pieces are cut at the wrong steps. Steps count from 0 here: with k = 3, the cuts come before step 0 and "
     "step 3."),
    ("truncated", 3, "if t % k == 0:", "if t == k:",
     "Only one cut is made, at step k. There is one before step 0, k, 2k, ...: which steps are these?"),
    ("truncated", 3, "loss = loss + (h - y) ** 2", "loss = (h - y) ** 2",
     "You went back from the last step's loss alone. There is a loss at every step: add them up."),
    ("truncated", 3, """
     for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
         if t % k == 0:
             h = mg.stop_gradient(h)
     """, """
     for t, (x, y) in enumerate(zip(xs, targets)):
         if t % k == 0:
             h = mg.stop_gradient(h)
             loss = mg.stop_gradient(loss)
     """,
     "The loss was cut as well, so the earlier pieces do not count at all. Only the state is cut: each piece keeps "
     "its own losses."),
    ("truncated", 3, "h = mg.stop_gradient(h)", "loss = mg.stop_gradient(loss)",
     "The loss was cut, and with it what the steps before have added. Cut the state h."),
    ("truncated", 3, "loss = loss + (h - y) ** 2", "loss = loss + (h - y)",
     "The loss is a sum of SQUARES of the differences, and yours is a sum of the differences."),
    ("truncated", 3, "return u.grad", "return u.grad / len(xs)",
     "Too small by the number of steps: the loss is a sum, not a mean."),
    ("truncated", 3, "loss.backward()", "",
     "The gradient is 0 as long as nobody has called backward on the loss."),
    ("truncated", 3, "if t % k == 0:", "if t % k == 1 % k and t > 1:",
     "Your pieces are cut at the wrong steps. Steps count from 0 here: with k = 3, the cuts come before step 0 and "
     "step 3."),
    ("truncated", 3, "h = mg.stop_gradient(h)", "mg.stop_gradient(h)",
     "With pieces of 3 you get the same as with one piece of 6: nothing was cut. stop_gradient returns what you "
     "need; it does not change h itself."),
    ("truncated", 3, "h = mg.stop_gradient(h)", "h = 0.0",
     "Each of your pieces begins with an empty memory. Only the adjoint is cut: the value of the state goes on."),
    ("truncated", 3, "h = mg.tanh(w * x + u * h)", "h = w * x + u * h",
     "The tanh is missing in h = tanh(w x + u h)."),
    ("truncated", 3, "return u.grad", "return u",
     "You return u, the variable. Its gradient was asked for."),
    ("truncated", 3, ..., """
     def truncated(xs, targets, w, u, k):
         u = mg.Variable(u)
         h, loss = 0.0, 0.0
         for t in range(len(xs)):
             if t % k == 0:
                 h = mg.stop_gradient(h)
             h = mg.tanh(w * xs[t] + mg.stop_gradient(u) * h)
             loss = loss + (h - targets[t]) ** 2
         loss.backward()
         return u.grad
     """,
     "Everything is 0: u itself goes through stop_gradient, so nothing comes back to it. Cut the state h, and "
     "leave u alone."),
    ("truncated", 3, "if t % k == 0:", "if t >= k:",
     "From step k on you cut before EVERY step. A piece has k steps: before which steps does a new one begin?"),
    ("bptt", 4, "adjoint = u * inside", "adjoint = u * adjoint",
     "One step is right, two are not: on the way to the state before, the adjoint goes back through tanh AND u. Which of "
     "the two did yours leave out?"),
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
