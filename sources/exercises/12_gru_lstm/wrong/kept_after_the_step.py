# replaces: forward
# loses: 4
# hint: You keep the state after the step under the step's number. At step 0 that should be loop.first: keep
#   first, then step.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        h = loop.step(t, h)
        if t % k == 0:
            kept[t] = h
    return h, kept
