# replaces: train
# loses: 1
# hint: One step was made, with the mean of the pictures. One step for each picture was asked for.


def train(pictures, W, b, rate, order):
    mean = np.mean([pictures[r] for r in order], axis=0)
    gw, gb = gradients(mean, W, b)
    return W - rate * gw, b - rate * gb
