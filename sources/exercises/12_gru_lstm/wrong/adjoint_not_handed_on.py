# replaces: gradient
# loses: 2
# hint: Each part starts with an adjoint of ones again. Ones are right at the very end only; the other parts start
#   with the adjoint that the part after them gave.


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
