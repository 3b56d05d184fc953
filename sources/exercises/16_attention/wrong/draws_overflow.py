# replaces: draw
# loses: 2
# hint: With scores near 1000 the powers are infinite. Take the largest score off first.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    with np.errstate(over="ignore", invalid="ignore"):
        odds = np.exp(scores)
        return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
