# replaces: gradient
# loses: 2
# hint: Everything is 0: the adjoint starts with zeros, or only the share of step 0 comes back, whose state is 0.
#   Start with ones, and add up all shares.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.zeros_like(last), 0
    for start in reversed(range(0, loop.T, k)):
        states = [kept.pop(start)]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, share = loop.back(t, states.pop(), h_bar)
            total = total + share
    return total
    ### END SOLUTION
