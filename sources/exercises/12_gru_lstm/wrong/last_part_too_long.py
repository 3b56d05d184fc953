# replaces: gradient
# loses: 3
# hint: The last part may be shorter than k: it ends with the loop.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0
    for start in reversed(range(0, loop.T, k)):
        states = [kept.pop(start)]
        end = start + k
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, share = loop.back(t, states.pop(), h_bar)
            total = total + share
    return total
