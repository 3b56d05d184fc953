# replaces: draw
# loses: 3
# hint: You choose the letter whose probability is nearest to u. u is a place on the line where the pieces lie one
#   after the other.


def draw(scores, u, warmth=1.0, top=None):
    s = scores / warmth
    if top is not None:
        s = np.where(s >= np.sort(s)[-top], s, -np.inf)
    p = np.exp(s - s.max())
    p /= p.sum()
    return int(np.argmin(np.abs(p - u)))
