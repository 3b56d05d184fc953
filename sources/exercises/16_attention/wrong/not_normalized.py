# replaces: draw
# loses: 3
# hint: The odds do not add up to 1, and u ends at 1: some letters come too seldom or never.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds), u, side="right"))
