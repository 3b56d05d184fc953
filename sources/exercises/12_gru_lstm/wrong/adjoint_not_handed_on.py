# replaces: gradient
# loses: 2
# hint: The adjoint starts as ones again, for each part or each step. Ones are right at the very end only; after
#   that, loop.back gives the next one.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    total = 0
    for start in reversed(range(0, loop.T, k)):
        h_bar, states = np.ones_like(last), [kept.pop(start)]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, share = loop.back(t, states.pop(), h_bar)
            total = total + share
    return total
