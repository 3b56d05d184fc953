# replaces: draw
# loses: 1
# hint: You sort the scores when `top` is given, and return the place among the sorted ones. Which letter
#   stood there before sorting?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores = np.sort(scores)[-top:]
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
