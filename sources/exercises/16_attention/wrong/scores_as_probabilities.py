# replaces: draw
# loses: 3
# hint: Scores are no probabilities. They go through exp first, and then they are divided by the sum.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    return int(np.searchsorted(np.cumsum(scores / scores.sum()), u, side="right"))
