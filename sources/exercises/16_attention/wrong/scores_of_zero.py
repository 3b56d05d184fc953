# replaces: draw
# loses: 1
# hint: Letters outside the top get the score 0, and e to the 0 is 1: they still come. Which score never comes?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = 0.0
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
