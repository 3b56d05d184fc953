# replaces: gradient
# loses: 1
# hint: The gradient is right, but your states stay alive: more than the cap allows. Compute only one part again,
#   walk back over it, and let its states go before the next.


def gradient(loop, cap):
    choose(loop.T, loop.first.nbytes, cap)
    states = [loop.first]
    for t in range(loop.T):
        states.append(loop.step(t, states[-1]))
    h_bar, total = np.ones(len(loop.first)), 0
    for t in reversed(range(loop.T)):
        h_bar, share = loop.back(t, states[t], h_bar)
        total = total + share
    return total
