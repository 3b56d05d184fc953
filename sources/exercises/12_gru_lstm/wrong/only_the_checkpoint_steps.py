# replaces: forward
# loses: 3
# hint: Only the steps 0, k, 2k, ... are taken. Every step has to be taken; only the KEEPING happens at every k-th.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(0, loop.T, k):
        kept[t] = h
        h = loop.step(t, h)
    return h, kept
