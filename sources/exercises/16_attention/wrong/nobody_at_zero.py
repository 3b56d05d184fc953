# replaces: draw
# loses: 1
# hint: For u = 0 you return a letter that is not among the top: its piece has no length, and u lies at the end of
#   it. Which is the first running sum that is larger than u?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="left"))
