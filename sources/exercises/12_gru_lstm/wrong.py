"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong.py says how to add one."""

WRONG = [
    # cell · Task 1 · The cell
    ("cell", 2, ..., """
     def lstm_cell(zi, zf, zo, zg, c):
         i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
         new = f * (c + i * g)
         return o * np.tanh(new), new
     """,
     "The forget gate multiplies the new content as well: you put brackets around the sum. It belongs to the old "
     "cell alone."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", """
     c *= sigmoid(zf)
     c += sigmoid(zi) * np.tanh(zg)
     """,
     "The old cell has changed: *= and += write into the caller's array, and the backward pass still needs it. Make "
     "a new one."),
    ("cell", 2, ..., """
     def lstm_cell(zi, zf, zo, zg, c):
         c = sigmoid(zf) * c + sigmoid(zo) * np.tanh(zg)
         return sigmoid(zi) * np.tanh(c), c
     """,
     "Two gates have changed places: in yours o decides what is taken in, and i what is shown. Which one stands "
     "beside g?"),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return sigmoid(zo) * c, c",
     "The cell is right. But the state is made from it without the tanh: h = o tanh(c)."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = sigmoid(zf) * c + sigmoid(zi) * sigmoid(zg)",
     "You took a sigmoid for g, so it can only be positive. g is a tanh; only the three gates are sigmoids."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)",
     "c = sigmoid(zf) * c + (1 - sigmoid(zf)) * np.tanh(zg)",
     "The new content is multiplied by 1 - f, as in a GRU. An LSTM has a gate of its own for it: i."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = sigmoid(zf) * c * sigmoid(zi) * np.tanh(zg)",
     "The cell ADDS: f c plus i g. You multiplied all four."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = zf * c + zi * np.tanh(zg)",
     "The gates are the sums themselves. Each of them goes through a sigmoid first."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = sigmoid(zi) * c + sigmoid(zf) * np.tanh(zg)",
     "The two gates have changed places: i multiplies the old cell in yours. Which of the two decides what is kept?"),
    ("cell", 2, ..., """
     def lstm_cell(zi, zf, zo, zg, c):
         new = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
         return sigmoid(zo) * np.tanh(c), new
     """, "The state is made from the old cell. First compute the new cell, then the state from it."),
    ("cell", 2, "def lstm_cell(zi, zf, zo, zg, c):", "def lstm_cell(zi, zf, zg, zo, c):",
     "o and g have changed places: the arguments come in the order zi, zf, zo, zg."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return c, sigmoid(zo) * np.tanh(c)",
     "The two results have changed places: the new state h comes first, then the new cell c."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return sigmoid(zo) * sigmoid(c), c",
     "The new cell is right. The state is o times its tanh, and you took its sigmoid."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return sigmoid(zo) * np.tanh(c)",
     "Two results were asked for: the new state h, and the new cell c."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return np.tanh(sigmoid(zo) * c), c",
     "The gate o stands outside the tanh: h = o tanh(c). You took the tanh of the product."),
    ("cell", 2, ..., """
     def lstm_cell(zi, zf, zo, zg, c):
         i, f, o = sigmoid(zi), sigmoid(zf), sigmoid(zo)
         g = np.tanh(zg)
         c_new = (1 - f) * c + i * g
         return o * np.tanh(c_new), c_new
     """,
     "The old cell is multiplied by 1 - f. f says how much of it is kept: f c."),

    # cell_back · Task 2 · And back
    ("cell_back", 3, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
         shown = np.tanh(f * c + i * g)
         both = c_bar + h_bar
         c_bar = both * o * (1 - shown**2)
         return {"zi": c_bar * g * i * (1 - i), "zf": c_bar * c * f * (1 - f), "zo": h_bar * shown * o * (1 - o), "zg": c_bar * i * (1 - g**2), "c": c_bar * f}
     """,
     "c_bar arrives at the new cell itself. It does not pass through o and tanh, as h_bar does: add the two after "
     "that."),
    ("cell_back", 3, '"c": c_bar * f,', '"c": c_bar * f * (1 - f),',
     "f (1 - f) belongs to the way from zf to the gate f. The old cell is multiplied by the gate itself: f."),
    ("cell_back", 3, '"zi": c_bar * g * i * (1 - i),', '"zi": c_bar * i * (1 - i),',
     "i multiplies g in the cell, so the share of zi has the factor g. And the share of zg has i."),
    ("cell_back", 3, """
     "zo": h_bar * shown * o * (1 - o),
     "zg": c_bar * i * (1 - g**2),
     "c": c_bar * f,
     """, """
     "zg": c_bar * i * (1 - g**2),
     "zo": h_bar * shown * o * (1 - o),
     "c": c_bar,
     """, "The gates are right; the old cell gets the whole adjoint. How much of the old cell is in the new one?"),
    ("cell_back", 2, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
         new = f * c + i * g
         total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
         return {
             "zi": total * g * i * (1 - i),
             "zf": total * c * f * (1 - f),
             "zo": h_bar * new * o * (1 - o),
             "zg": total * i * (1 - g**2),
             "c": total * f,
         }
     """, "zo gets h_bar times what o was multiplied by: the TANH of the new cell. You took the cell itself."),
    ("cell_back", 3, '"zf": c_bar * c * f * (1 - f),', '"zf": c_bar * f * (1 - f),',
     "f multiplies the old cell, so the share of zf has the factor c."),
    ("cell_back", 3, '"zf": c_bar * c * f * (1 - f),', '"zf": c_bar * (f * c + i * g) * f * (1 - f),',
     "f multiplies the OLD cell. In the share of zf you took another one."),
    ("cell_back", 3, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
         shown = np.tanh(f * c + i * g)
         c_bar = h_bar * o * (1 - shown**2)
         return {
             "zi": c_bar * g * i * (1 - i),
             "zf": c_bar * c * f * (1 - f),
             "zg": c_bar * i * (1 - g**2),
             "zo": h_bar * shown * o * (1 - o),
             "c": c_bar * f,
         }
     """,
     "With h_bar = 0 you give 0 everywhere: c_bar, from the next step, is lost. The new cell is used twice: add both "
     "shares."),
    ("cell_back", 3, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
         shown = np.tanh(f * c + i * g)
         c_bar = c_bar + h_bar * o * (1 - shown**2)
         return {"zi": c_bar * g, "zf": c_bar * c, "zg": c_bar * i, "zo": h_bar * shown, "c": c_bar * f}
     """,
     "You stop at the gate itself. Between the gate and its input there is a sigmoid, with the derivative i (1 - i)."),
    ("cell_back", 3, '"zo": h_bar * shown * o * (1 - o),', '"zo": c_bar * shown * o * (1 - o),',
     "The gate o occurs in h only, so its share comes from h_bar, and not from c_bar."),
    ("cell_back", 2, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
         new = f * c + i * g
         total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
         return {
             "zi": total * g * i * (1 - i),
             "zf": total * c * f * (1 - f),
             "zo": h_bar * np.tanh(new) * o * (1 - o),
             "zg": total * i * (1 - g**2),
             "c": c_bar * f,
         }
     """,
     "The old cell got only what came from the next step. It goes through f into the new cell, so it gets the new "
     "cell's WHOLE adjoint, times f."),
    ("cell_back", 3, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
         new = f * c + i * g
         total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
         return {
             "zi": total * i * i * (1 - i),
             "zf": total * c * f * (1 - f),
             "zo": h_bar * np.tanh(new) * o * (1 - o),
             "zg": total * g * (1 - g**2),
             "c": total * f,
         }
     """,
     "In i g each factor gets the OTHER one: the adjoint of i has g in it, and that of g has i. You took each one's "
     "own."),
    ("cell_back", 2, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
         t = np.tanh(c)
         whole = c_bar + h_bar * o * (1 - t * t)
         return {
             "zi": whole * g * i * (1 - i),
             "zf": whole * c * f * (1 - f),
             "zo": h_bar * t * o * (1 - o),
             "zg": whole * i * (1 - g * g),
             "c": whole * f,
         }
     """, "The tanh on the way to h was that of the NEW cell. You took the tanh of the old one."),
    ("cell_back", 3, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
         new = f * c + i * g
         total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
         return {
             "zi": total * g * zi * (1 - zi),
             "zf": total * c * zf * (1 - zf),
             "zo": h_bar * np.tanh(new) * zo * (1 - zo),
             "zg": total * i * (1 - zg**2),
             "c": total * f,
         }
     """, "The derivative of a sigmoid is s (1 - s), with s the sigmoid's VALUE. You put in the sum z itself."),
    ("cell_back", 2, "(1 - shown**2)", "(1 - np.tanh(c) ** 2)",
     "zo is right, and the path from h through the tanh is not: its derivative belongs to the NEW cell, f c + i g. You "
     "took the old one there."),
    ("cell_back", 2, "c_bar = c_bar + h_bar * o * (1 - shown**2)",
     "c_bar = c_bar + h_bar * o * (1 - (f * c + i * g) ** 2)",
     "The derivative of tanh is 1 - tanh², and you squared the cell itself, without the tanh."),
    ("cell_back", 2, ..., """
     def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
         i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
         shown = np.tanh(f * c + i * g)
         return {
             "zi": c_bar * g * i * (1 - i),
             "zf": c_bar * c * f * (1 - f),
             "zg": c_bar * i * (1 - g**2),
             "zo": h_bar * shown * o * (1 - o),
             "c": c_bar * f,
         }
     """,
     "Right as long as h_bar is 0. But the state is made from the new cell as well: h_bar comes back to it through o "
     "and the derivative of tanh."),
    ("cell_back", 3, '"zg": c_bar * i * (1 - g**2),', '"zg": c_bar * i * g * (1 - g),',
     "g is a tanh, whose derivative is 1 - g². You took that of a sigmoid."),
    ("cell_back", 2, "c_bar = c_bar + h_bar * o * (1 - shown**2)", "c_bar = c_bar + h_bar * o",
     "h = o tanh(c): on the way from h to the cell, the derivative of tanh is missing."),
    ("cell_back", 3, ..., """
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
             "c": whole * f + c_bar,
         }
     """,
     "c_bar is counted twice for the old cell: it reaches the old cell only through the new one, with the factor "
     "f."),

    # forward · Task 3 · Forwards, with checkpoints
    ("forward", 4, "h = loop.step(t, h)", "h = loop.step(t, loop.first)",
     "Every step starts from loop.first. A step starts from the state that the one before it made."),
    ("forward", 2, ..., """
     def forward(loop, k):
         h, kept = loop.first, {0: loop.first}
         for t in range(loop.T):
             h = loop.step(t, h)
             if (t + 1) % k == 0:
                 kept[t + 1] = h
         return h, kept
     """,
     "There is one state too many: the one after the last step, which is the end and no checkpoint. It is the state "
     "BEFORE step T, and there is no step T."),
    ("forward", 6, "return h, kept", "return kept, h",
     "The last state comes first, then the dict."),
    ("forward", 3, """
     if t % k == 0:
         kept[t] = h
     """, "kept[t] = h", "Your dict has every step. Only those whose number is a multiple of k are checkpoints."),
    ("forward", 4, """
     if t % k == 0:
         kept[t] = h
     h = loop.step(t, h)
     """, """
     h = loop.step(t, h)
     if t % k == 0:
         kept[t] = h
     """,
     "You keep the state after the step under the step's number. At step 0 it should be loop.first: first keep, then "
     "step."),
    ("forward", 5, ..., """
     def forward(loop, k):
         h, kept = loop.first, []
         for t in range(loop.T):
             if t % k == 0:
                 kept.append(h)
             h = loop.step(t, h)
         return h, kept
     """, "A dict was asked for, with the number of the step for each state. You return a list."),
    ("forward", 4, ..., """
     def forward(loop, k):
         h, kept = loop.first, {0: loop.first}
         for t in range(loop.T):
             h = loop.step(t, h)
             if t and t % k == 0:
                 kept[t] = h
         return h, kept
     """, "The first checkpoint is right, the others are one step late: first keep, then step."),
    ("forward", 3, "for t in range(loop.T):", "for t in range(loop.T - 1):",
     "The last step was not taken: there are loop.T steps, 0 to T - 1."),
    ("forward", 5, "kept[t] = h", "kept[t // k] = h",
     "The keys of your dict count the parts: 0, 1, 2. They should be numbers of steps: 0, k, 2k."),
    ("forward", 6, "if t % k == 0:", "if t % k == 1:",
     "Steps 0, k, 2k, ... were asked for: those with remainder 0. Yours are others."),
    ("forward", 2, "return h, kept", """
     kept[loop.T] = h
     return h, kept
     """, "There is a state too many in your dict: the last one is not before a step. It is returned by itself."),
    ("forward", 3, """
     for t in range(loop.T):
         if t % k == 0:
             kept[t] = h
     """, """
     for t in range(0, loop.T, k):
         kept[t] = h
     """,
     "Only the steps 0, k, 2k, ... are taken. Every step has to be taken; only the KEEPING happens at every k-th."),
    ("forward", 4, "kept[t] = h", "kept[t] = loop.step(t, h)",
     "Some steps are taken twice: loop.step is called once for what you keep, and once more. Keep h itself, the "
     "state before the step."),
    ("forward", 3, ..., """
     def forward(loop, k):
         h, kept = np.zeros(6), {}
         for t in range(loop.T):
             if t % k == 0:
                 kept[t] = h
             h = loop.step(t, h)
         return h, kept
     """,
     "Your first state has 6 numbers, whatever the loop's have. The state before step 0 is loop.first."),
    ("forward", 1, """
     h, kept = loop.first, {}
     for t in range(loop.T):
         if t % k == 0:
             kept[t] = h
         h = loop.step(t, h)
     return h, kept
     """, """
     states = [loop.first]
     for t in range(loop.T):
         states.append(loop.step(t, states[-1]))
     return states[-1], {t: states[t] for t in range(0, loop.T, k)}
     """,
     "Your forward keeps all states in a list until it returns, and with them more than the cap allows. Only the "
     "checkpoints may stay alive on the way."),
    ("forward", 4, "kept[t] = h", "kept[t] = h.copy()",
     "loop.back got numbers in an array that the loop did not make: a copy (h.copy(), np.array(h)), or something "
     "computed (-h). A copy holds memory of its own. Which array did loop.step return?"),

    # choose · Task 4 · Which k?
    ("choose", 2, ..., """
     def choose(T, state_bytes, cap):
         k = max(1, round(T**0.5))
         if (-(-T // k) + k - 1) * state_bytes > cap:
             raise ValueError("no k fits")
         return k
     """,
     "The square root holds the fewest states. But the smallest k that fits was asked for, because with it the "
     "fewest steps are computed again."),
    ("choose", 3, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             if -(-T // k) * state_bytes <= cap:
                 return k
         raise ValueError("no k fits")
     """,
     "You count the checkpoints, but not the k - 1 states that are computed again between two of them. They are held "
     "at the same time."),
    ("choose", 5, """
     raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
     """, """
         else:
             raise ValueError("none")
     """, "You give up at the first k that does not fit. Larger ones may: raise the error after the loop."),
    ("choose", 2, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T):
             if (-(-T // k) + k - 1) * state_bytes <= cap:
                 return k
         raise ValueError("none")
     """, "For one step your loop finds nothing: range(1, T) ends before T. The largest k is T itself."),
    ("choose", 2, "for k in range(1, T + 1):", "for k in range(T, 0, -1):",
     "You return the number of parts, T / k rounded up, or the largest k that fits. The smallest k was asked for."),
    ("choose", 6, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (-(-T // k) + k - 1) * state_bytes < cap:",
     "States that fill the cap exactly do fit: <=, not <."),
    ("choose", 2, 'raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")',
     "return round(T**0.5)",
     "If nothing fits, your function returns something nevertheless (or nothing). A cap that cannot be kept is an "
     "error: raise a ValueError."),
    ("choose", 2, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (T / k + k - 1) * state_bytes <= cap:",
     "T / k need not be whole, and checkpoints are: round up."),
    ("choose", 2, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if -(-T // k) + k - 1 <= round(cap / state_bytes):",
     "The cap is rounded up to whole states: a byte less than 20 states is room for 19."),
    ("choose", 3, "return k", "return k - 1",
     "Your k is one too small for the cap: what is compared and what is returned differ by one, or a checkpoint is "
     "not counted."),
    ("choose", 6, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (-(-T // k) + k) * state_bytes <= cap:",
     "You count one state too many: the first state of a part is its checkpoint, so only k - 1 are computed again."),
    ("choose", 5, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             if (T // k + k) * state_bytes <= cap:
                 return k
         raise ValueError
     """,
     "With k = 1 you count 101 states for 100 steps. Count again: T / k checkpoints, rounded up, and k - 1 states."),
    ("choose", 2, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             if (T // k + k - 1) * state_bytes <= cap:
                 return k
         raise ValueError("no k fits")
     """,
     "Your k is one too small for the cap: is T / k rounded up, for the last, shorter part? 10 steps with k = 3: how "
     "many checkpoints are there?"),
    ("choose", 3, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (-(-T // k) - k + 1) * state_bytes <= cap:",
     "The k - 1 states were subtracted. They are held in addition to the checkpoints."),
    ("choose", 3, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if (-(-T // k) + k - 1) <= cap:",
     "The cap is in bytes. How many bytes do so many states take?"),

    # gradient · Task 5 · The gradient under a cap
    ("gradient", 2, """
     h_bar, total = np.ones_like(last), 0
     for start in reversed(range(0, loop.T, k)):
         states = [kept.pop(start)]
     """, """
     total = 0
     for start in reversed(range(0, loop.T, k)):
         h_bar, states = np.ones_like(last), [kept.pop(start)]
     """,
     "The adjoint starts as ones again, for each part or each step. Ones are right at the very end only; after that, "
     "loop.back gives the next one."),
    ("gradient", 2, "h_bar, total = np.ones_like(last), 0", "h_bar, total = np.zeros_like(last), 0",
     "Everything is 0: the adjoint starts with zeros, or only the share of step 0 comes back, whose state is 0. "
     "Start with ones, and add up all shares."),
    ("gradient", 1, ..., """
     def gradient(loop, cap):
         k = choose(loop.T, loop.first.nbytes, cap)
         last, kept = forward(loop, k)
         h_bar, total = np.ones_like(last), 0
         for t in reversed(range(loop.T)):
             h = kept[t // k * k]
             for s in range(t // k * k, t):
                 h = loop.step(s, h)
             h_bar, share = loop.back(t, h, h_bar)
             total = total + share
             if t % k == 0:
                 del kept[t], h
         return total
     """,
     "The gradient is right, but you compute the states of a part again for each single step. Once for the whole "
     "part is enough: keep them in a list while you go back over it."),
    ("gradient", 1, "states.append(loop.step(t, states[-1]))", "states.append(loop.step(t, states[0]))",
     "Within a part every state is computed from the checkpoint. Each step starts from the state that the one before "
     "it made."),
    ("gradient", 1, """
     last, kept = forward(loop, k)
     h_bar, total = np.ones_like(last), 0
     for start in reversed(range(0, loop.T, k)):
         states = [kept.pop(start)]
     """, """
     h_bar, total = np.ones_like(loop.first), 0
     for start in reversed(range(0, loop.T, k)):
         h = loop.first
         for t in range(start):
             h = loop.step(t, h)
         states = [h]
     """,
     "You begin at step 0 for each part. The checkpoints are there so that this is not needed: each part begins at "
     "its own."),
    ("gradient", 1, ..., """
     def gradient(loop, cap):
         choose(loop.T, loop.first.nbytes, cap)
         states = [loop.first]
         for t in range(loop.T):
             states.append(loop.step(t, states[-1]))
         h_bar, total = np.ones(len(loop.first)), 0
         for t in reversed(range(loop.T)):
             h_bar, share = loop.back(t, states[t], h_bar)
             total = total + share
         return total
     """,
     "The gradient is right, but more states stay alive than the cap allows. Compute only one part again, go back "
     "over it, and discard its states before the next."),
    ("gradient", 4, ..., """
     def gradient(loop, cap):
         k = choose(loop.T, loop.first.nbytes, cap)
         last, kept = forward(loop, k)
         h_bar, total = np.ones_like(last), 0
         start = max(kept)
         states = [kept.pop(start)]
         for t in range(start, loop.T - 1):
             states.append(loop.step(t, states[-1]))
         for t in reversed(range(start, loop.T)):
             h_bar, share = loop.back(t, states.pop(), h_bar)
             total = total + share
         return total
     """,
     "You go back over the last part and stop. Before it comes another part, whose states are computed again from "
     "its own checkpoint, and so on down to step 0."),
    ("gradient", 3, "end = min(start + k, loop.T)", "end = start + k",
     "The last part may be shorter than k: it ends with the loop."),
    ("gradient", 2, "for t in range(start, end - 1):", "for t in range(start, end):",
     "loop.back got a state that is not the one BEFORE its step: is there one state too many in the list, or is it "
     "taken one place too late?"),
    ("gradient", 3, ..., """
     def gradient(loop, cap):
         k = choose(loop.T, loop.first.nbytes, cap)
         last, kept = forward(loop, k)
         h_bar, total = np.ones_like(last), 0
         for t in reversed(sorted(kept)):
             h_bar, share = loop.back(t, kept[t], h_bar)
             total = total + share
         return total
     """,
     "You go back over the checkpoints' steps only. The steps between them have shares, too: compute their states "
     "again."),
    ("gradient", 2, "for start in reversed(range(0, loop.T, k)):", "for start in range(0, loop.T, k):",
     "You take the parts from the first to the last. The adjoint arrives at the end of the loop, so start with the "
     "last part."),
    ("gradient", 2, """
     h_bar, share = loop.back(t, states.pop(), h_bar)
     total = total + share
     """, "h_bar, total = loop.back(t, states.pop(), h_bar)",
     "The shares do not add up: what comes back is the share of one step. If all is 0, it is that of step 0, whose "
     "state is 0, or the adjoint starts with zeros."),
    ("gradient", 1, "k = choose(loop.T, loop.first.nbytes, cap)", "k = choose(loop.T, 8, cap)",
     "The size of a state is loop.first.nbytes: it has several numbers."),
    ("gradient", 2, "h_bar, total = np.ones_like(last), 0", "h_bar, total = last, 0",
     "The adjoint of the last state is an array of ones, because the loss is the sum of its entries. You started "
     "with something else."),
    ("gradient", 1, "for t in reversed(range(start, end)):", "for t in range(start, end):",
     "Within a part, too, go from the last step to the first."),
    ("gradient", 1, ..., """
     def gradient(loop, cap):
         k = choose(loop.T, loop.first.nbytes, cap)
         h, kept = forward(loop, k)
         h_bar, total = np.ones(len(loop.first)), 0.0
         del h
         for start in sorted(kept, reverse=True):
             states = [kept.pop(start)]
             for t in range(start, min(start + k, loop.T) - 1):
                 states.append(loop.step(t, states[-1]))
             for t in range(start, min(start + k, loop.T)):
                 h_bar, share = loop.back(t, states[t - start], h_bar)
                 total = total + share
         return total
     """,
     "Within a part you go forwards. The last step of a part is the first to go back over."),
    ("choose", 5, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             if (-(-T // k) + k - 1) * state_bytes <= cap:
                 return k
             raise ValueError(f"k = {k} does not fit")
     """,
     "The ValueError comes as soon as k = 1 does not fit: `raise` stands inside the loop. Only after the last k is it "
     "known that none does."),
    ("forward", 4, ..., """
     def forward(loop, k):
         h = loop.first
         kept = {0: h}
         for t in range(1, loop.T):
             if t % k == 0:
                 kept[t] = h
             h = loop.step(t, h)
         return h, kept
     """,
     "Step 0 is never made: your loop begins at 1. The state before step 0 is loop.first, and step 0 starts from "
     "it."),
    ("forward", 4, ..., """
     def forward(loop, k):
         h = loop.first
         kept = {0: h}
         for t in range(1, loop.T):
             h = loop.step(t, h)
             if t % k == 0:
                 kept[t] = h
         return h, kept
     """,
     "Step 0 is left out, and the states are kept after their steps: loop.first is the state before step 0, and "
     "each kept state stands before its step."),
    ("forward", 5, ..., """
     def forward(loop, k):
         h = loop.first
         kept = {}
         for t in range(loop.T):
             if (loop.T - 1 - t) % k == 0:
                 kept[t] = h
             h = loop.step(t, h)
         return h, kept
     """,
     "The states are kept from the end: steps T - 1, T - 1 - k, and so on. The steps 0, k, 2k, ... were asked for."),
    ("forward", 6, ..., """
     def forward(loop, k):
         h = loop.first
         kept = {}
         for t in range(loop.T):
             if t == k:
                 kept[t] = h
             h = loop.step(t, h)
         return h, kept
     """,
     "Only the k-th state is kept, once. Every k-th was asked for, the one before step 0 included."),
    ("choose", 3, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             states = -(-T // k) + k - 1
             if states * state_bytes <= cap:
                 return states
         raise ValueError
     """,
     "You return how many states there are. The smallest k was asked for, the distance between two checkpoints."),
    ("gradient", 2, ..., """
     def gradient(loop, cap):
         k = choose(loop.T, loop.first.nbytes, cap)
         last, kept = forward(loop, k)
         h_bar, total = np.ones_like(last), 0
         for start in reversed(range(0, loop.T, k)):
             states = [kept.pop(start)]
             end = min(start + k, loop.T)
             for t in range(start, end - 1):
                 states.append(loop.step(t, states[-1]))
             for t in reversed(range(start, end)):
                 h_bar, share = loop.back(t, states.pop(), h_bar)
                 total = total + share
         return total / loop.T
     """,
     "The mean of the shares comes out. The gradient is their sum."),
    ("forward", 6, ..., """
     def forward(loop, k):
         h, kept = loop.first, {}
         for t in range(loop.T):
             if t > 0 and t % k == 0:
                 kept[t] = h
             h = loop.step(t, h)
         return h, kept
     """,
     "The state before step 0 is not kept: 0 is a multiple of k as well."),
]
