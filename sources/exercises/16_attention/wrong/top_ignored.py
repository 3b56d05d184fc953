# replaces: draw
# loses: 1
# hint: With top = 2 all four letters still come. What happens to those that are not among the top?


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
