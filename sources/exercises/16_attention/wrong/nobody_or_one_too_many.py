# replaces: draw
# loses: 1
# hint: With top = 4 of four letters, all may be chosen, and in yours only some. How many of the sorted scores
#   have to go?


def draw(scores, u, warmth=1.0, top=None):
    s = np.array(scores)
    if top is not None:
        s[np.argsort(s)[: len(s) - top - 1]] = -np.inf
    p = np.exp(s / warmth - (s / warmth).max())
    return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))
