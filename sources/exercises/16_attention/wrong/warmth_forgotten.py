# replaces: draw
# loses: 2
# hint: With warmth 0.5 the counts are those without it. Where is warmth used? To divide the powers by it changes
#   nothing, since their sum is divided too: it belongs before exp.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores)
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
