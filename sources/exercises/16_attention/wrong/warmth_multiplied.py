# replaces: draw
# loses: 2
# hint: With warmth 0.5 your letters become more alike, and they should become less so. The scores are divided by
#   the warmth.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) * warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
