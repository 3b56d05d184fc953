# replaces: gradient
# loses: 2
# hint: The adjoint of the last state is an array of ones, because the loss is the sum of its entries. You started
#   with something else.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = last, 0
    for start in reversed(range(0, loop.T, k)):
        states = [kept.pop(start)]
        end = min(start + k, loop.T)
        for t in range(start, end - 1):
            states.append(loop.step(t, states[-1]))
        for t in reversed(range(start, end)):
            h_bar, share = loop.back(t, states.pop(), h_bar)
            total = total + share
    return total
