# replaces: train
# loses: 3
# hint: All your losses are right, but an epoch is missing.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs - 1):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
