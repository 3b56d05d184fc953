# replaces: draw
# loses: 1
# hint: With top = 2 the letters with the smallest scores are left. Which end of the sorted scores did you keep?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[top:]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
