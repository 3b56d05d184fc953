"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # cell · Task 1 · The cell
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", """
     c *= sigmoid(zf)
     c += sigmoid(zi) * np.tanh(zg)
     """,
     "The old cell has changed: *= and += write into the caller's array, and the backward pass still needs it. Make "
     "a new one."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = sigmoid(zf) * c + sigmoid(zi) * sigmoid(zg)",
     "You took a sigmoid for g, so it can only be positive. g is a tanh; only the three gates are sigmoids."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)",
     "c = sigmoid(zf) * c + (1 - sigmoid(zf)) * np.tanh(zg)",
     "The new content is multiplied by 1 - f, as in a GRU. An LSTM has a gate of its own for it: i."),
    ("cell", 2, "c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)", "c = zf * c + zi * np.tanh(zg)",
     "The gates are the sums themselves. Each of them goes through a sigmoid first."),
    ("cell", 2, ..., """
     def lstm_cell(zi, zf, zo, zg, c):
         new = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
         return sigmoid(zo) * np.tanh(c), new
     """, "The state is made from the old cell. First compute the new cell, then the state from it."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return sigmoid(zo) * sigmoid(c), c",
     "The new cell is right. The state is o times its tanh, and you took its sigmoid."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return sigmoid(zo) * np.tanh(c)",
     "Two results were asked for: the new state h, and the new cell c."),
    ("cell", 2, "return sigmoid(zo) * np.tanh(c), c", "return np.tanh(sigmoid(zo) * c), c",
     "The gate o stands outside the tanh: h = o tanh(c). You took the tanh of the product."),

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
         c_bar = c_bar + h_bar * o * (1 - shown**2)
         return {"zi": c_bar * g, "zf": c_bar * c, "zg": c_bar * i, "zo": h_bar * shown, "c": c_bar * f}
     """,
     "You stop at the gate itself. Between the gate and its input there is a sigmoid, with the derivative i (1 - i)."),
    ("cell_back", 3, '"zo": h_bar * shown * o * (1 - o),', '"zo": c_bar * shown * o * (1 - o),',
     "The gate o occurs in h only, so its share comes from h_bar, and not from c_bar."),
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
    ("cell_back", 2, "(1 - shown**2)", "(1 - np.tanh(c) ** 2)",
     "zo is right, and the path from h through the tanh is not: its derivative belongs to the NEW cell, f c + i g. You "
     "took the old one there."),
    ("cell_back", 2, "c_bar = c_bar + h_bar * o * (1 - shown**2)",
     "c_bar = c_bar + h_bar * o * (1 - (f * c + i * g) ** 2)",
     "The derivative of tanh is 1 - tanh², and you squared the cell itself, without the tanh."),
    ("cell_back", 3, '"zg": c_bar * i * (1 - g**2),', '"zg": c_bar * i * g * (1 - g),',
     "g is a tanh, whose derivative is 1 - g². You took that of a sigmoid."),

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
    ("choose", 2, 'raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")',
     "return round(T**0.5)",
     "If nothing fits, your function returns something nevertheless (or nothing). A cap that cannot be kept is an "
     "error: raise a ValueError."),
    ("choose", 2, "if (-(-T // k) + k - 1) * state_bytes <= cap:", "if -(-T // k) + k - 1 <= round(cap / state_bytes):",
     "The cap is rounded up to whole states: a byte less than 20 states is room for 19."),
    ("choose", 3, "return k", "return k - 1",
     "Your k is one too small for the cap: what is compared and what is returned differ by one, or a checkpoint is "
     "not counted."),
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
    ("gradient", 2, "h_bar, total = np.ones_like(last), 0", "h_bar, total = np.zeros_like(last), 0",
     "Everything is 0: the adjoint starts with zeros, or only the share of step 0 comes back, whose state is 0. "
     "Start with ones, and add up all shares."),
    ("gradient", 3, "end = min(start + k, loop.T)", "end = start + k",
     "The last part may be shorter than k: it ends with the loop."),
    ("gradient", 2, """
     h_bar, share = loop.back(t, states.pop(), h_bar)  # go back
     total = total + share  # add up
     """, "h_bar, total = loop.back(t, states.pop(), h_bar)",
     "The shares do not add up: what comes back is the share of one step. If all is 0, it is that of step 0, whose "
     "state is 0, or the adjoint starts with zeros."),
    ("gradient", 2, "h_bar, total = np.ones_like(last), 0", "h_bar, total = last, 0",
     "The adjoint of the last state is an array of ones, because the loss is the sum of its entries. You started "
     "with something else."),
    ("choose", 5, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             if (-(-T // k) + k - 1) * state_bytes <= cap:
                 return k
             raise ValueError(f"k = {k} does not fit")
     """,
     "The ValueError comes as soon as k = 1 does not fit: `raise` stands inside the loop. Only after the last k is it "
     "known that none does."),
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
    ("choose", 3, ..., """
     def choose(T, state_bytes, cap):
         for k in range(1, T + 1):
             states = -(-T // k) + k - 1
             if states * state_bytes <= cap:
                 return states
         raise ValueError
     """,
     "You return how many states there are. The smallest k was asked for, the distance between two checkpoints."),
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
