# replaces: gradient
# loses: 3
# hint: You go back over the checkpoints' steps only. The steps between them have shares, too: compute their states
#   again.


def gradient(loop, cap):
    k = choose(loop.T, loop.first.nbytes, cap)
    last, kept = forward(loop, k)
    h_bar, total = np.ones_like(last), 0
    for t in reversed(sorted(kept)):
        h_bar, share = loop.back(t, kept[t], h_bar)
        total = total + share
    return total
