# replaces: draw
# loses: 1
# hint: With top given, only the largest is ever drawn. Among the top letters u still decides.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        return int(np.argmax(scores))
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
