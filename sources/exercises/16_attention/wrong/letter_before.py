# replaces: draw
# loses: 3
# hint: Your letter is the one before the right one, and for the first piece that is -1. Do not take 1 off.


def draw(scores, u, warmth=1.0, top=None):
    s = scores / warmth
    if top is not None:
        s = np.where(s >= np.sort(s)[-top], s, -np.inf)
    p = np.exp(s - s.max())
    p /= p.sum()
    return int(np.searchsorted(np.cumsum(p), u, side="right")) - 1
