# replaces: draw
# loses: 1
# hint: The probabilities were cut after they had been divided by their sum: they no longer add up to 1, and for
#   some u there is no letter. Cut first, divide then.


def draw(scores, u, warmth=1.0, top=None):
    scores = np.array(scores) / warmth
    odds = np.exp(scores - scores.max())
    shares = odds / odds.sum()
    if top is not None:
        shares[np.argsort(scores)[:-top]] = 0
    return int(np.searchsorted(np.cumsum(shares), u, side="right"))
