# replaces: draw
# loses: 3
# hint: Each letter comes as often as it should, but at other values of u: you laid the pieces on the line by
#   size, the least likely first. They lie in the order of the letters.


def draw(scores, u, warmth=1.0, top=None):
    s = np.array(scores) / warmth
    order = np.argsort(s)
    if top is not None:
        order = order[-top:]
    p = np.exp(s[order] - s.max())
    return int(order[np.searchsorted(np.cumsum(p / p.sum()), u, side="right")])
