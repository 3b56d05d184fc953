# replaces: gradient
# loses: 1
# hint: The gradient is right, but you compute the states of a part again for each single step. Once for the whole
#   part is enough: keep them in a list while you go back over it.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0
    for t in reversed(range(loop.T)):
        h = kept[t // k * k]
        for s in range(t // k * k, t):
            h = loop.step(s, h)
        h_bar, share = loop.back(t, h, h_bar)
        total = total + share
        if t % k == 0:
            del kept[t], h
    return total
