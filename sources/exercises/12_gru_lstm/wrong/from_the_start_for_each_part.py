# replaces: gradient
# loses: 1
# hint: You begin at step 0 for each part. The checkpoints are there so that this is not needed: each part
#   begins at its own.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    h_bar, total = np.ones_like(loop.first), 0
    for start in reversed(range(0, loop.T, k)):
        h = loop.first
        for t in range(start):
            h = loop.step(t, h)
        states = [h]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, share = loop.back(t, states.pop(), h_bar)
            total = total + share
    return total
