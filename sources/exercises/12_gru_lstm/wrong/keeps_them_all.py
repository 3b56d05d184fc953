# replaces: forward
# loses: 3
# hint: Your dict has every step. Only those whose number is a multiple of k are checkpoints.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        kept[t] = h
        h = loop.step(t, h)
    return h, kept
