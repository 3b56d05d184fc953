# replaces: forward
# loses: 4
# hint: Some steps are taken twice: loop.step is called once for what you keep, and once more. Keep h itself, the
#   state before the step.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        if t % k == 0:
            kept[t] = loop.step(t, h)
        h = loop.step(t, h)
    return h, kept
