# replaces: train
# loses: 3
# hint: The second loss was computed with the first weights: no step was made in between. A step belongs to each
#   batch.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            losses.append(loss.value)
        sgd_step(parameters, rate)
    return losses
