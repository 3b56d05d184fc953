# replaces: train
# loses: 1
# hint: b's gradient was computed with the new W. Compute both gradients first, then move both.


def train(pictures, W, b, rate, order):
    for row in order:
        W = W - rate * gradients(pictures[row], W, b)[0]
        b = b - rate * gradients(pictures[row], W, b)[1]
    return W, b
