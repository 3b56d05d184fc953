# replaces: forward
# loses: 2
# hint: There is a state too many in your dict: the last one is not before a step. It is returned by itself.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t] = h
        h = loop.step(t, h)
    kept[loop.T] = h
    return h, kept
