"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong.py says how to add one."""

WRONG = [
    # softmax · Task 1 · Shares, with a mask
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         return (s == s.max(axis=1, keepdims=True)) * 1.0
     """, "The largest score of each row gets everything. A SOFTmax gives each its share."),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores[hidden] = -np.inf",
     "The shares are right, but the scores that the caller gave you are other ones afterwards. Work on a copy."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores / scores.max(axis=1, keepdims=True))
         e = np.exp(s)
         return e / e.sum(axis=1, keepdims=True)
     """, "The scores were DIVIDED by the largest. That changes the shares: subtract it."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         scores = np.where(hidden, -np.inf, scores)
         powers = np.exp(scores - scores.max(axis=0, keepdims=True))
         return powers / powers.sum(axis=0, keepdims=True)
     """, "The columns add up to 1, and not the rows. A query is a row: along which axis are its scores?"),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores = np.where(hidden, 0.0, scores)",
     "Hidden keys still get a share, as if their score were 0: and e to the 0 is 1. Which score has the power 0?"),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         with np.errstate(invalid="ignore", divide="ignore"):
             powers = np.where(hidden, 0, np.exp(scores - scores.max(axis=1, keepdims=True)))
             return powers / powers.sum(axis=1, keepdims=True)
     """,
     "A hidden score was the largest of its row, you subtracted that, and all others vanished. Which scores may you "
     "take the largest of?"),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         e = np.exp(s - s.max(axis=1, keepdims=True))
         return e / np.sqrt((e**2).sum(axis=1, keepdims=True))
     """, "The squares of each row add up to 1 in yours. The shares themselves should."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         z = s - s.max(axis=1, keepdims=True)
         return z - np.log(np.exp(z).sum(axis=1, keepdims=True))
     """,
     "Your numbers are the logarithms of the shares. The shares themselves were asked for: positive numbers with sum "
     "1."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         with np.errstate(invalid="ignore"):
             scores = np.where(hidden, scores, -np.inf)
             powers = np.exp(scores - scores.max(axis=1, keepdims=True))
             return powers / powers.sum(axis=1, keepdims=True)
     """,
     "With nothing hidden you hide everything: the mask is used the wrong way round. True means that a query must "
     "not look."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         powers = np.exp(scores - scores.max(axis=1, keepdims=True))
         return np.where(hidden, 0, powers / powers.sum(axis=1, keepdims=True))
     """,
     "The hidden ones are set to 0 only after dividing, so what is left of a row no longer adds up to 1. Hide before "
     "you add up."),
    ("softmax", 2, """
     scores = np.where(hidden, -np.inf, scores)
     powers = np.exp(scores - scores.max(axis=1, keepdims=True))
     """, """
     scores = np.where(hidden, -np.inf, scores - scores.mean(axis=1, keepdims=True))
     powers = np.exp(scores)
     """,
     "You subtract the mean of the row. A score that is far above it still gives an infinite power: subtract the "
     "largest."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         e = np.where(hidden, 0.0, np.exp(scores))
         return np.nan_to_num(e / e.sum(axis=1, keepdims=True))
     """,
     "inf / inf is nan, and you made zeros of it: the row of shares is empty. Subtract the largest score first, then "
     "nothing is infinite."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         scores = np.where(hidden, -np.inf, scores)
         return np.exp(scores - scores.max(axis=1, keepdims=True))
     """, "These are powers, and the largest of each row is 1. Shares add up to 1."),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores = np.where(hidden, -10.0, scores)",
     "Minus ten is not minus infinity: hidden keys still get a small share, and next to scores of -2000 a large one."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = scores - 1e2 * hidden
         e = np.exp(s - s.max(axis=1, keepdims=True))
         return e / e.sum(axis=1, keepdims=True)
     """, "A hidden score was lowered by a fixed number, and can still be the largest. Give it -inf, or the power 0."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         scores = np.where(hidden, -np.inf, scores)
         with np.errstate(invalid="ignore", divide="ignore"):
             powers = np.exp(scores - scores.max())
             return powers / powers.sum(axis=1, keepdims=True)
     """,
     "A row came out as no number. You subtracted the largest score of the whole matrix, and a row far below it "
     "vanished. Each row has a largest of its own."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         p = np.exp(s - s.max())
         return p / p.sum()
     """, "All entries together add up to 1. Each ROW does: a query shares out its own attention."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         with np.errstate(over="ignore", invalid="ignore"):
             powers = np.where(hidden, 0, np.exp(scores))
             return powers / powers.sum(axis=1, keepdims=True)
     """,
     "With scores near 1000 the powers are infinite, and infinite over infinite is no number. Subtract something "
     "from each row first."),
    ("softmax", 2, """
     scores = np.where(hidden, -np.inf, scores)
     powers = np.exp(scores - scores.max(axis=1, keepdims=True))
     """, """
     s = np.where(hidden, -np.inf, scores / np.sqrt(scores.shape[1]))
     powers = np.exp(s - s.max(axis=1, keepdims=True))
     """,
     "The scores were divided by a root. That has happened before: here the powers are of the scores as they are."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         e = np.exp(s - scores.min(axis=1, keepdims=True))
         return e / e.sum(axis=1, keepdims=True)
     """,
     "You subtracted the smallest score of the row, and the powers of the others can still be infinite. The largest "
     "power must be 1."),
    ("softmax", 2, "return powers / powers.sum(axis=1, keepdims=True)", "return powers / powers.sum()",
     "All numbers of the matrix together add up to 1. It is each row that must, by itself."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         scores = np.where(hidden, 0.0, scores)
         with np.errstate(invalid="ignore", divide="ignore"):
             return scores / scores.sum(axis=1, keepdims=True)
     """, "You divided the scores themselves by their sum. Shares are made of powers of e, which are always positive."),

    # head_back · Task 2 · One head, backwards
    ("head_back", 3, ..., """
     def head_back(Q, K, V, A, y_bar):
         a_bar = y_bar @ V.T
         s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))
         return {"Q": s_bar @ K / np.sqrt(Q.shape[1]), "K": s_bar.T @ Q / np.sqrt(K.shape[0]), "V": A.T @ y_bar}
     """,
     "Right where there are as many keys as columns. Both Q and K are divided by the root of d, the number of "
     "columns."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": a_bar.T @ y_bar}',
     "For the values you multiplied by the adjoint of A. Y = A V: on the way back to V the factor is A itself, "
     "transposed."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": a_bar}',
     "This is the adjoint of the shares. It goes on to the scores; the values get what the shares let through."),
    ("head_back", 3, "s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])",
     "s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "Q and K get too much, by a factor: the square root of d divided the scores on the way forward, and divides the "
     "adjoint on the way back."),
    ("head_back", 3, "/ np.sqrt(Q.shape[1])", "/ Q.shape[1]",
     "Q and K get too little: you divided by d, or by its root twice. The root divided once."),
    ("head_back", 3, 'K, "K": s_bar.T @ Q, "V"', 'K, "K": s_bar @ Q, "V"',
     "Q is right, K is not. S has a row for each query and a column for each key: which of the two must K's product "
     "run over?"),
    ("head_back", 3, "s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "s_bar = A * (a_bar + (A * a_bar).sum(axis=1, keepdims=True))",
     "The mean is added where it has to be taken off."),
    ("head_back", 3, "s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])",
     "s_bar = A * (a_bar - (A * a_bar).sum(axis=0, keepdims=True)) / np.sqrt(Q.shape[1])",
     "The weighted mean was taken down the columns. A softmax belongs to a row: all that it mixes is in that row."),
    ("head_back", 3, "(a_bar - (A * a_bar).sum(axis=1, keepdims=True))", "a_bar",
     "The mean is missing: a share can only grow at the cost of the others. Each row of s_bar must add up to 0; what "
     "does yours add up to?"),
    ("head_back", 3, "s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "s_bar = (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "You took the mean off, and did not multiply by the share. A score whose share is nearly 0 hardly matters."),
    ("head_back", 3, "(a_bar - (A * a_bar).sum(axis=1, keepdims=True))", "(1 - A) * a_bar",
     "You used a (1 - a), the slope of a sigmoid: that is how a share changes with its own score. It changes with "
     "the other scores of its row as well."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": (A == A.max(axis=1, keepdims=True)).T @ y_bar}',
     "Only the largest share of each row hands something back. All shares took part in the mean."),
    ("head_back", 3, "= A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "= A * (a_bar - a_bar.mean(axis=1, keepdims=True))",
     "The mean that is taken off is weighted by the shares. You took the plain mean of the row."),
    ("head_back", 3, 's_bar @ K, "K": s_bar.T @ Q', 's_bar.T @ Q, "K": s_bar @ K',
     "The adjoints of Q and K look exchanged: what you return as Q is the one of K."),
    ("head_back", 3, '"Q": s_bar @ K, "K": s_bar', '"Q": s_bar @ Q, "K": s_bar',
     "For Q you multiplied by Q. The derivative of a product with respect to one factor holds the other one."),
    ("head_back", 3, ..., """
     def head_back(Q, K, V, A, y_bar):
         A_bar = y_bar @ V.T
         S = A * (A_bar - (A * A_bar).sum(axis=1, keepdims=True))
         return {"Q": S @ K / np.sqrt(Q.shape[1]), "K": S.T @ Q, "V": A.T @ y_bar}
     """,
     "Q is right, and K is too large: S is divided by the root, so both have it. Divide once, in the adjoint of S."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A * y_bar}',
     "You multiplied shares and adjoints entry by entry. Y = A V is a product of matrices, and so is the way back."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": y_bar.copy()}',
     "The adjoint of Y is handed to V as it is. A position's value went into many rows of Y, each time with a share."),
    ("head_back", 3, """
     a_bar = y_bar @ V.T
     s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
     """, "s_bar = y_bar @ V.T / np.sqrt(Q.shape[1])",
     "You went from a_bar to Q and K as if A were S. Between them is the softmax, with a derivative of its own."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ V}',
     "You multiplied the shares by V. What comes back along that path is the adjoint of Y, in its place."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": -A.T @ y_bar}',
     "The adjoint of V has the opposite sign. The values are added up with positive shares."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A @ y_bar}',
     "For the values you multiplied by A, as on the way forward. On the way back a product is taken by the "
     "transposed factor."),
    ("head_back", 3, "a_bar = y_bar @ V.T", "a_bar = y_bar @ V",
     "The adjoint of A is y_bar times V, transposed. Yours is without the transpose, so the entries of different "
     "keys are mixed."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": y_bar.T @ A}',
     "The adjoint of V is your matrix transposed: rows and columns are exchanged. Which factor comes first?"),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar / np.sqrt(Q.shape[1])}',
     "The adjoint of V is too small by the square root of d. The root divides the scores; the values never met it."),
    ("head_back", 3, "/ np.sqrt(Q.shape[1])", "/ np.sqrt(V.shape[1])",
     "The root is of d, the number of columns of Q. You took the size of another array."),

    ("head_back", 4, ..., """
     def head_back(Q, K, V, A, y_bar):
         return true_adjoints(Q, K, V, A, y_bar)
     """,
     "The numbers are right, because the checker's own graph finds them. The task is to write the way back yourself, with "
     "NumPy alone."),
    ("head_back", 3, ..., """
     def head_back(Q, K, V, A, y_bar):
         v_bar, a_bar = A.T @ y_bar, y_bar @ V.T
         A *= a_bar - (A * a_bar).sum(axis=1, keepdims=True)
         A /= np.sqrt(Q.shape[1])
         return {"Q": A @ K, "K": A.T @ Q, "V": v_bar}
     """,
     "The adjoints are right, and afterwards the caller's A is gone: `*=` and `/=` write into it. Give the adjoint of S an "
     "array of its own."),

    # waves · Task 3 · Where am I?
    ("waves", 2, "rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)",
     "rows[:, 0::2] = rows[:, 1::2] = np.cos(angles)",
     "The even columns hold cosines too: row 0 is all 1. There should be a 0 in every second place."),
    ("waves", 2, "rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)",
     "rows[:, 0::2] = rows[:, 1::2] = np.sin(angles)",
     "The odd columns hold sines too: row 0 is all 0. There should be a 1 in every second place."),
    ("waves", 2, ..., """
     def waves(T, d):
         w = np.zeros((T, d))
         for t in range(T):
             for i in range(d // 2):
                 a = t / 1000 ** (2 * i / d)
                 w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
         return w
     """, "The second pair turns at the wrong speed: the number whose power you take is another one than 10000."),
    ("waves", 2, ".sin(angles), np.cos", ".cos(angles), np.sin",
     "Sine and cosine are exchanged: row 0 begins with 1. The even columns hold sines."),
    ("waves", 2, ..., """
     def waves(T, d):
         columns = np.arange(d)
         angles = np.arange(T)[:, None] / 10000.0 ** (columns / d)
         return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
     """,
     "Sine and cosine of a pair have different wavelengths in yours, as if the exponent counted columns. Both "
     "columns of a pair share one."),
    ("waves", 2, "(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2))",
     "The second pair hardly moves: the power is far too large. Is the exponent divided by d?"),
    ("waves", 2, ..., """
     def waves(T, d):
         w = np.zeros((T, d))
         for t in range(T):
             for i in range(d):
                 a = t / 10000 ** (2 * i / d)
                 w[t, i] = np.sin(a) if i % 2 == 0 else np.cos(a)
         return w
     """, "A pair of columns shares one angle: its sine and its cosine. In yours each column has an angle of its own."),
    ("waves", 2, "(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2) // d)",
     "All pairs turn equally fast. Is your exponent rounded down to 0?"),
    ("waves", 2, "angles = np.arange(T)[:, None]", "angles = np.arange(1, T + 1)[:, None]",
     "Your row 0 is what row 1 should be. Positions are counted from 0."),
    ("waves", 2, "(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2) / (d / 2))",
     "The second pair turns too slowly: the exponent is twice what it should be. Did you divide by d / 2, or double "
     "twice?"),
    ("waves", 2, """
     rows = np.empty((T, d))
     rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
     return rows
     """, "return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)",
     "All sines come first, then all cosines. In the formula they take turns, column by column."),
    ("waves", 2, ..., """
     def waves(T, d):
         w = np.zeros((T, d))
         for t in range(T):
             for i in range(d // 2):
                 a = np.radians(t / 10000 ** (2 * i / d))
                 w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
         return w
     """, "The angles went through a change of units. sin and cos take them as they are."),
    ("waves", 2, ..., """
     def waves(T, d):
         w = np.zeros((T, d))
         for t in range(T - 1):
             for i in range(d // 2):
                 a = t / 10000 ** (2 * i / d)
                 w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
         return w
     """, "The last row is empty: your loop ends one step too early. range(T) ends before T by itself."),
    ("waves", 2, "[:, None] / 10000.0 **", "[:, None] * 10000.0 **",
     "The second pair turns a hundred times faster than the first one, where it should be slower: t is divided by "
     "the power."),
    ("waves", 2, ..., """
     def waves(T, d):
         w = np.zeros((d, T))
         for t in range(T):
             for i in range(d // 2):
                 a = t / 10000 ** (2 * i / d)
                 w[2 * i, t], w[2 * i + 1, t] = np.sin(a), np.cos(a)
         return w
     """, "It is the transpose: a row for each position was asked for."),
    ("waves", 2, "(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2)[::-1] / d)",
     "The pairs come in the opposite order: the slowest one is first."),
    ("waves", 2, "0 ** (np.arange(0, d, 2) / d)", "0 ** (np.arange(d // 2) / d)",
     "The second pair turns too fast: the exponent is half of what it should be. It is 2 i / d."),

    # draw · Task 4 · The next letter
    ("draw", 3, """
     odds = np.exp(scores - scores.max())
     return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, "return int(np.argmax(scores))",
     "It is always the same letter, whatever u is. The largest score is the likeliest letter, and not the only one."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores[np.argsort(scores)[top:]] = -np.inf",
     "With top = 2 the letters with the smallest scores are left. Which end of the sorted scores did you keep?"),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = np.array(scores) / warmth
         order = np.argsort(s)
         if top is not None:
             order = order[-top:]
         p = np.exp(s[order] - s.max())
         return int(order[np.searchsorted(np.cumsum(p / p.sum()), u, side="right")])
     """,
     "Each letter comes as often as it should, but at other values of u: you laid the pieces on the line by size, "
     "the least likely first. They lie in the order of the letters."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         scores = np.array(scores) / warmth
         order = np.argsort(scores)[::-1][:top]
         odds = np.exp(scores[order] - scores.max())
         return int(order[np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right")])
     """,
     "Each letter comes as often as it should, but at other values of u: you laid the pieces on the line by size, "
     "the likeliest first. They lie in the order of the letters."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = scores / warmth
         p = np.exp(s - s.max())
         p /= p.sum()
         return int(np.random.default_rng(0).choice(len(p), p=p))
     """, "It is the same letter for every u: your function draws a random number of its own. u is that number."),
    ("draw", 3, """
     odds = np.exp(scores - scores.max())
     return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, """
     with np.errstate(over="ignore", invalid="ignore"):
         odds = np.exp(scores)
         return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, "With scores near 1000 the powers are infinite. Take the largest score off first."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores[top:] = -np.inf",
     "With top = 2 you kept the first two letters of the alphabet. Top are those with the largest scores, wherever "
     "they stand."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = scores / warmth
         if top is not None:
             s = np.where(s >= np.sort(s)[-top], s, -np.inf)
         p = np.exp(s - s.max())
         p /= p.sum()
         return int(np.searchsorted(np.cumsum(p), u, side="right")) - 1
     """, "Your letter is the one before the right one, and for the first piece that is -1. Do not take 1 off."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = np.sort(scores / warmth)[::-1][:top]
         p = np.exp(s - s.max())
         return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))
     """, "You sorted the scores, and return a place in the sorted list. The pieces lie in the order of the letters."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = scores / warmth
         if top is not None:
             s = np.where(s >= np.sort(s)[-top], s, -np.inf)
         p = np.exp(s - s.max())
         p /= p.sum()
         return int(np.argmin(np.abs(p - u)))
     """,
     "You choose the letter whose probability is nearest to u. u is a place on the line where the pieces lie one "
     "after the other."),
    ("draw", 1, 'return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))',
     'return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="left"))',
     "For u = 0 you return a letter that is not among the top: its piece has no length, and u lies at the end of it. "
     "Which is the first running sum that is larger than u?"),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = np.array(scores)
         if top is not None:
             s[np.argsort(s)[: len(s) - top - 1]] = -np.inf
         p = np.exp(s / warmth - (s / warmth).max())
         return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))
     """,
     "With top = 4 of four letters, all may be chosen, and in yours only some. How many of the sorted scores have to "
     "go?"),
    ("draw", 3, """
     odds = np.exp(scores - scores.max())
     return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, "return int(u * len(scores))",
     "Each letter comes equally often, whatever its score: you cut the line in equal pieces."),
    ("draw", 1, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         scores = np.array(scores) / warmth
         p = np.exp(scores - scores.max())
         p = p / p.sum()
         if top is not None:
             p[np.argsort(scores)[:-top]] = 0.0
         return min(int(np.searchsorted(np.cumsum(p), u, side="right")), len(p) - 1)
     """,
     "The probabilities of the letters that are left are what they were before, and do not add up to 1. What is "
     "missing went to the last letter. Cut first, divide then."),
    ("draw", 3, "(odds / odds.sum()),", "(odds),",
     "The odds do not add up to 1, and u ends at 1: some letters come too seldom or never."),
    ("draw", 3, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         scores = np.array(scores) / warmth
         odds = np.exp(scores - scores.max())
         shares = odds / odds.sum()
         if top is not None:
             shares[np.argsort(scores)[:-top]] = 0
         return int(np.searchsorted(np.cumsum(shares), u, side="right"))
     """,
     "The probabilities were cut after they had been divided by their sum: they no longer add up to 1, and for some "
     "u there is no letter. Cut first, divide then."),
    ("draw", 3, "odds = np.exp(scores - scores.max())", """
     scores = np.sort(scores)
     odds = np.exp(scores - scores.max())
     """, "The counts belong to the letters sorted by score. Return the number that the letter has in `scores`."),
    ("draw", 3, 'return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))',
     'return 1 + int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))',
     "Every letter is one too far: letter 0 never comes. u lies in the piece before the first running sum that is "
     "larger."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf",
     "scores[np.argsort(scores)[: len(scores) - top + 1]] = -np.inf",
     "One letter too few is left: with top = 4 one of the four is missing already. How many of them must go?"),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores[np.argsort(scores)[: -top - 1]] = -np.inf",
     "One letter too many is left: with top = 2 there are three. How many of the four must go?"),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "return int(np.argmax(scores))",
     "With top given, only the largest is ever drawn. Among the top letters u still decides."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores = scores[np.sort(np.argsort(scores)[-top:])]",
     "With top = 2 you count among the letters that are left. Return the number in the whole alphabet."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores = np.sort(scores)[-top:]",
     "You sort the scores when `top` is given, and return the place among the sorted ones. Which letter stood there "
     "before sorting?"),
    ("draw", 3, """
     odds = np.exp(scores - scores.max())
     return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, 'return int(np.searchsorted(np.cumsum(scores / scores.sum()), u, side="right"))',
     "Scores are no probabilities. They go through exp first, and then they are divided by the sum."),
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores[np.argsort(scores)[:-top]] = 0.0",
     "Letters outside the top get the score 0, and e to the 0 is 1: they still come. Which score never comes?"),
    ("draw", 1, """
     if top is not None:
         scores[np.argsort(scores)[:-top]] = -np.inf
     """, "", "With top = 2 all four letters still come. What happens to those that are not among the top?"),
    ("draw", 2, "scores = np.array(scores, float) / warmth", "scores = np.array(scores)",
     "With warmth 0.5 the counts are those without it. Where is warmth used? To divide the powers by it changes "
     "nothing, since their sum is divided too: it belongs before exp."),
    ("draw", 2, "scores = np.array(scores, float) / warmth", "scores = np.array(scores) * warmth",
     "With warmth 0.5 your letters become more alike, and they should become less so. The scores are divided by the "
     "warmth."),
    ("draw", 2, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = np.where(scores >= np.sort(scores)[-(top or len(scores))], scores, -np.inf)
         p = np.exp(s - s.max())
         p = p / p.sum() / warmth
         return int(np.searchsorted(np.cumsum(p), u, side="right"))
     """,
     "The probabilities were divided by the warmth, and no longer add up to 1. Divide the SCORES, before the powers."),
    ("draw", 2, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         p = np.exp(scores - scores.max())
         if top is not None:
             p = np.where(p >= np.sort(p)[-top], p, 0.0)
         p = p / p.sum()
         return int(np.searchsorted(np.cumsum(p), u * warmth, side="right"))
     """,
     "The scores were not divided by the warmth, u was multiplied by it. The warmth changes the probabilities, not "
     "the random number."),
    ("draw", 3, 'return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))', """
     shares = odds / odds.sum()
     return int(np.argmax(shares > u)) if (shares > u).any() else len(scores) - 1
     """,
     "You compare u with the probabilities themselves. On the line, letter 1 begins where letter 0 ends: compare "
     "with running sums."),
    ("draw", 2, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         scores /= warmth
         if top is not None:
             scores = np.where(scores < np.sort(scores)[-top], -np.inf, scores)
         odds = np.exp(scores - scores.max())
         return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """,
     "`scores /= warmth` divides the caller's scores: at the next letter they are divided once more. Make a new array."),
    ("draw", 2, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         scores = np.array(scores) / warmth
         if top is not None:
             scores[np.argsort(scores)[:-top]] = -np.inf
         odds = np.exp(scores - scores.max())
         p, total = odds / odds.sum(), 0.0
         for k in range(len(p)):
             total += p[k]
             if u < total:
                 return k
     """,
     "Your loop may end without a letter: rounded, the probabilities add up to a little less than 1, and u may lie above. "
     "What is to be returned then?"),
    ("draw", 1, ..., """
     def draw(scores, u, warmth=1.0, top=None):
         s = np.array(scores, float) / warmth
         if top and top > 1:
             s = np.where(s >= np.sort(s)[-top], s, -np.inf)
         p = np.exp(s - s.max())
         p = p / p.sum()
         return int(min(np.searchsorted(np.cumsum(p), u, side="right"), np.nonzero(p)[0][-1]))
     """,
     "With top = 1 all letters may come: your condition leaves out 1. Only None means that all may."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         powers = np.exp(scores) * np.logical_not(hidden)
         return powers / powers.sum(axis=1, keepdims=True)
     """,
     "With scores near 1000 the powers are infinite, and infinite over infinite is no number. Subtract something "
     "from each row first."),
    ("waves", 2, "10000.0 ** (np.arange(0, d, 2) / d)", "100.0 ** np.arange(d // 2)",
     "Right for d = 2 and 4. From pair to pair the angle is divided by 100 only where d is 4: what is it for your d?"),
    ("draw", 3, """
     odds = np.exp(scores - scores.max())
     return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
     """, """
     shares = np.exp(scores) / np.exp(scores).sum()
     return next((k for k in range(len(shares)) if u < shares[: k + 1].sum()), len(shares) - 1)
     """,
     "Large scores overflow: exp(1000) is infinite. Subtract the largest from all, as in task 1."),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores = np.where(hidden, -1e4, scores)",
     "Scores may be lower than the number that you put in for hidden ones: then these win. Which number is below all?"),
]
