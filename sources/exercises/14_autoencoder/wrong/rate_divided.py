# replaces: train
# loses: 1
# hint: The rate was divided by the number of pictures. There is one step for each picture, with the whole rate.


def train(pictures, W, b, rate, order):
    for r in order:
        gw, gb = gradients(pictures[r], W, b)
        W, b = W - rate / len(order) * gw, b - rate / len(order) * gb
    return W, b
