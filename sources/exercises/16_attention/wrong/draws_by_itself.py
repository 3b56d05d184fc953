# replaces: draw
# loses: 3
# hint: It is the same letter for every u: your function draws a random number of its own. u is that number.


def draw(scores, u, warmth=1.0, top=None):
    s = scores / warmth
    p = np.exp(s - s.max())
    p /= p.sum()
    return int(np.random.default_rng(0).choice(len(p), p=p))
