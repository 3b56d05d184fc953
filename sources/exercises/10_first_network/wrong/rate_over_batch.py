# replaces: train
# loses: 3
# hint: The steps are too small: cross_entropy is already a mean over the batch, so do not divide by its size again.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate / len(rows))
            losses.append(loss.value)
    return losses
