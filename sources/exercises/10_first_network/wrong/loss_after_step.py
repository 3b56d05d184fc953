# replaces: train
# loses: 3
# hint: Your first loss belongs to weights that have made their step already. Write the loss down as it was when the
#   batch came in.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows]).backward()
            sgd_step(parameters, rate)
            losses.append(mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows]).value)
    return losses
