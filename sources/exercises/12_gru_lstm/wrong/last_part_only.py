# replaces: gradient
# loses: 4
# hint: You go back over the last part and stop. Before it comes another part, whose states are computed again from
#   its own checkpoint, and so on down to step 0.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0
    start = max(kept)
    states = [kept.pop(start)]
    for t in range(start, loop.T - 1):
        states.append(loop.step(t, states[-1]))
    for t in reversed(range(start, loop.T)):
        h_bar, share = loop.back(t, states.pop(), h_bar)
        total = total + share
    return total
