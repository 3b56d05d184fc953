# replaces: forward
# loses: 3
# hint: The last step was not taken: there are loop.T steps, 0 to T - 1.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T - 1):
        if t % k == 0:
            kept[t] = h
        h = loop.step(t, h)
    return h, kept
