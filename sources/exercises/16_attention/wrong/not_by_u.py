# replaces: draw
# loses: 3
# hint: Each letter comes equally often, whatever its score: you cut the line in equal pieces.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores[np.argsort(scores)[:-top]] = -np.inf
    return int(u * len(scores))
