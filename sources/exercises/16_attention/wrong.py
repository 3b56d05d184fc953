"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # softmax · Task 1 · Shares, with a mask
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         s = np.where(hidden, -np.inf, scores)
         return (s == s.max(axis=1, keepdims=True)) * 1.0
     """, "The largest score of each row gets everything. A SOFTmax gives each its share."),
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
         s = np.where(hidden, -np.inf, scores)
         e = np.exp(s - s.max(axis=1, keepdims=True))
         return e / np.sqrt((e**2).sum(axis=1, keepdims=True))
     """, "The squares of each row add up to 1 in yours. The shares themselves should."),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores = np.where(hidden, -10.0, scores)",
     "Minus ten is not minus infinity: hidden keys still get a small share, and next to scores of -2000 a large one."),
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
    ("softmax", 2, "return powers / powers.sum(axis=1, keepdims=True)", "return powers / powers.sum()",
     "All numbers of the matrix together add up to 1. It is each row that must, by itself."),
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         scores = np.where(hidden, 0.0, scores)
         with np.errstate(invalid="ignore", divide="ignore"):
             return scores / scores.sum(axis=1, keepdims=True)
     """, "You divided the scores themselves by their sum. Shares are made of powers of e, which are always positive."),

    # head_back · Task 2 · One head, backwards
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": a_bar.T @ y_bar}',
     "For the values you multiplied by the adjoint of A. Y = A V: on the way back to V the factor is A itself, "
     "transposed."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": a_bar}',
     "This is the adjoint of the shares. It goes on to the scores; the values get what the shares let through."),
    ("head_back", 3, 'K, "K": s_bar.T @ Q, "V"', 'K, "K": s_bar @ Q, "V"',
     "Q is right, K is not. S has a row for each query and a column for each key: which of the two must K's product "
     "run over?"),
    ("head_back", 3, "(a_bar - (A * a_bar).sum(axis=1, keepdims=True))", "(1 - A) * a_bar",
     "You used a (1 - a), the slope of a sigmoid: that is how a share changes with its own score. It changes with "
     "the other scores of its row as well."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": (A == A.max(axis=1, keepdims=True)).T @ y_bar}',
     "Only the largest share of each row hands something back. All shares took part in the mean."),
    ("head_back", 3, "= A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))",
     "= A * (a_bar - a_bar.mean(axis=1, keepdims=True))",
     "The mean that is taken off is weighted by the shares. You took the plain mean of the row."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A * y_bar}',
     "You multiplied shares and adjoints entry by entry. Y = A V is a product of matrices, and so is the way back."),
    ("head_back", 1, 'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}',
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": y_bar.copy()}',
     "The adjoint of Y is handed to V as it is. A position's value went into many rows of Y, each time with a share."),
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
     'return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar / np.sqrt(Q.shape[1])}',
     "The adjoint of V is too small by the square root of d. The root divides the scores; the values never met it."),


    # waves · Task 3 · Where am I?
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
    ("waves", 2, "(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2)[::-1] / d)",
     "The pairs come in the opposite order: the slowest one is first."),
    ("waves", 2, "0 ** (np.arange(0, d, 2) / d)", "0 ** (np.arange(d // 2) / d)",
     "The second pair turns too fast: the exponent is half of what it should be. It is 2 i / d."),

    # draw · Task 4 · The next letter
    ("draw", 1, "scores[np.argsort(scores)[:-top]] = -np.inf", "scores[top:] = -np.inf",
     "With top = 2 you kept the first two letters of the alphabet. Top are those with the largest scores, wherever "
     "they stand."),
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
    ("softmax", 2, ..., """
     def masked_softmax(scores, hidden):
         powers = np.exp(scores) * np.logical_not(hidden)
         return powers / powers.sum(axis=1, keepdims=True)
     """,
     "With scores near 1000 the powers are infinite, and infinite over infinite is no number. Subtract something "
     "from each row first."),
    ("softmax", 2, "scores = np.where(hidden, -np.inf, scores)", "scores = np.where(hidden, -1e4, scores)",
     "Scores may be lower than the number that you put in for hidden ones: then these win. Which number is below all?"),
]
