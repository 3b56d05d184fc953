# replaces: forward
# loses: 4
# hint: The first checkpoint is right, the others are one step late: first keep, then step.


def forward(loop, k):
    h, kept = loop.first, {0: loop.first}
    for t in range(loop.T):
        h = loop.step(t, h)
        if t and t % k == 0:
            kept[t] = h
    return h, kept
