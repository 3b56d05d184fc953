# replaces: forward
# loses: 2
# hint: There is one state too many: the one after the last step, which is the end and no checkpoint. It is
#   the state BEFORE step T, and there is no step T.


def forward(loop, k):
    h, kept = loop.first, {0: loop.first}
    for t in range(loop.T):
        h = loop.step(t, h)
        if (t + 1) % k == 0:
            kept[t + 1] = h
    return h, kept
