# replaces: draw
# loses: 1
# hint: The probabilities of the letters that are left are what they were before, and do not add up to 1. What
#   is missing went to the last letter. Cut first, divide then.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    p = np.exp(scores - scores.max())
    p = p / p.sum()
    if top is not None:
        p[np.argsort(scores)[:-top]] = 0.0
    return min(int(np.searchsorted(np.cumsum(p), u, side="right")), len(p) - 1)
