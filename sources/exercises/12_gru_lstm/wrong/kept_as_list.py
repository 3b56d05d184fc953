# replaces: forward
# loses: 5
# hint: A dict was asked for, with the number of the step for each state. You return a list.


def forward(loop, k):
    h, kept = loop.first, []
    for t in range(loop.T):
        if t % k == 0:
            kept.append(h)
        h = loop.step(t, h)
    return h, kept
