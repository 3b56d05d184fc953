# replaces: gradient
# loses: 1
# hint: The gradient is right, but more states stay alive than the cap allows. Compute only one part again, go back
#   over it, and discard its states before the next.


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
