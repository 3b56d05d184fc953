# replaces: draw
# loses: 1
# hint: One letter too few is left: with top = 4 one of the four is missing already. How many of them must go?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[: len(scores) - top + 1]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
