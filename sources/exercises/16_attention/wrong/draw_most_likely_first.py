# replaces: draw
# loses: 2
# hint: Each letter comes as often as it should, but at other values of u: you laid the pieces on the line by
#   size, the likeliest first. They lie in the order of the letters.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    order = np.argsort(scores)[::-1][:top]
    odds = np.exp(scores[order] - scores.max())
    return int(order[np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right")])
