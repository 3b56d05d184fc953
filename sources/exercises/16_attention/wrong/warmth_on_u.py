# replaces: draw
# loses: 2
# hint: The scores were not divided by the warmth, u was multiplied by it. The warmth changes the probabilities, not
#   the random number.


def draw(scores, u, warmth=1.0, top=None):
    p = np.exp(scores - scores.max())
    if top is not None:
        p = np.where(p >= np.sort(p)[-top], p, 0.0)
    p = p / p.sum()
    return int(np.searchsorted(np.cumsum(p), u * warmth, side="right"))
