# replaces: draw
# loses: 3
# hint: You sorted the scores, and return a place in the sorted list. The pieces lie in the order of the letters.


def draw(scores, u, warmth=1.0, top=None):
    s = np.sort(scores / warmth)[::-1][:top]
    p = np.exp(s - s.max())
    return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))
