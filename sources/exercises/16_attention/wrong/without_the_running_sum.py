# replaces: draw
# loses: 3
# hint: You compare u with the probabilities themselves. On the line, letter 1 begins where letter 0 ends: compare
#   with running sums.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    odds = np.exp(scores - scores.max())
    shares = odds / odds.sum()
    return int(np.argmax(shares > u)) if (shares > u).any() else len(scores) - 1
