# replaces: draw
# loses: 2
# hint: The probabilities were divided by the warmth, and no longer add up to 1. Divide the SCORES, before the
#   powers.


def draw(scores, u, warmth=1.0, top=None):
    s = np.where(scores >= np.sort(scores)[-(top or len(scores))], scores, -np.inf)
    p = np.exp(s - s.max())
    p = p / p.sum() / warmth
    return int(np.searchsorted(np.cumsum(p), u, side="right"))
