# replaces: forward
# loses: 4
# hint: Every step starts from loop.first. A step starts from the state that the one before it made.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t] = h
        h = loop.step(t, loop.first)
    return h, kept
