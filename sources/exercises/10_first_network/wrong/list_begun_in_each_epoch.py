# replaces: train
# loses: 3
# hint: Only the losses of the last epoch came back: the list begins anew in each epoch. Begin it once, before the
#   loops.


def train(x, y, parameters, rate, epochs, size, rng):
    for _ in range(epochs):
        losses = []
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(mg.Constant(x[rows]), *parameters), y[rows])
            losses.append(float(loss.value))
            loss.backward()
            sgd_step(parameters, rate)
    return losses
