# replaces: gradient
# loses: 2
# hint: You return the share of one step. The gradient of a weight that is used at every step is the sum of all
#   shares.


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
