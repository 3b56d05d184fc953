# replaces: gradient
# loses: 4
# hint: A gradient of 0 costs no memory and no time. Walk back over every step, from the last to the first: each adds its share.


def gradient(loop, cap):
    return np.zeros_like(loop.U)
