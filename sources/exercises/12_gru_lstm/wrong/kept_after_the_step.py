# replaces: forward
# loses: 4
# hint: You keep the state after the step under the step's number. At step 0 it should be loop.first: first keep,
#   then step.


def forward(loop, k):
    h, kept = loop.first, {}
    for t in range(loop.T):
        h = loop.step(t, h)
        if t % k == 0:
            kept[t] = h
    return h, kept
