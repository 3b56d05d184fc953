# replaces: draw
# loses: 3
# hint: The counts belong to the letters sorted by score. Return the number that the letter has in `scores`.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    scores = np.sort(scores)
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
