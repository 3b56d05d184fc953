# replaces: draw
# loses: 1
# hint: With top = 2 you count among the letters that are left. Return the number in the whole alphabet.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    if top is not None:
        scores = scores[np.sort(np.argsort(scores)[-top:])]
    odds = np.exp(scores - scores.max())
    return int(np.searchsorted(np.cumsum(odds / odds.sum()), u, side="right"))
