# replaces: gradient
# loses: 2
# hint: The shares do not add up: what comes back is the share of one step. If all is 0, it is that of step 0, whose
#   state is 0, or the adjoint starts with zeros.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0
    for start in reversed(range(0, loop.T, k)):
        states = [kept.pop(start)]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, total = loop.back(t, states.pop(), h_bar)
    return total
