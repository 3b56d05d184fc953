# replaces: train
# loses: 3
# hint: Your first loss was computed after the step, or with other rows or labels. Compute the loss of a batch
#   before its step, from x[rows] and y[rows].


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows]).backward()
            sgd_step(parameters, rate)
            losses.append(mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows]).value)
    return losses
