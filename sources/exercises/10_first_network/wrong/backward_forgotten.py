# replaces: train
# loses: 3
# hint: The weights never changed: all losses are those of the first weights. Either no step is made, or the
#   gradients are still 0 in it: they are until loss.backward().


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
