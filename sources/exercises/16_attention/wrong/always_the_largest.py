# replaces: draw
# loses: 3
# hint: It is always the same letter, whatever u is. The largest score is the likeliest letter, and not the only
#   one.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    return int(np.argmax(scores))
