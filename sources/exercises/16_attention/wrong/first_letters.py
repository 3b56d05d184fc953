# replaces: draw
# loses: 1
# hint: With top = 2 you kept the first two letters of the alphabet. Top are those with the largest scores,
#   wherever they stand.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[top:] = -np.inf
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
