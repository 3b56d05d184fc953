# replaces: forward
# loses: 6
# hint: Steps 0, k, 2k, ... were asked for: those with remainder 0. Yours are others.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 1:
            kept[t] = h
        h = loop.step(t, h)
    return h, kept
