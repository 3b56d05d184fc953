# replaces: draw
# loses: 3
# hint: Every letter is one too far: letter 0 never comes. u lies in the piece before the first running sum that
#   is larger.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return 1 + int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
