# replaces: forward
# loses: 5
# hint: The keys of your dict count the parts: 0, 1, 2. They should be numbers of steps: 0, k, 2k.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t // k] = h
        h = loop.step(t, h)
    return h, kept
