# replaces: forward
# loses: 6
# hint: The last state comes first, then the dict.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t] = h
        h = loop.step(t, h)
    return kept, h
