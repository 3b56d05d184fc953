# replaces: train
# loses: 3
# hint: All is right in the first epoch, and in the second your steps are smaller: the rate was divided. It is
#   the same in all epochs.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for epoch in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate / (epoch + 1))
            losses.append(loss.value)
    return losses
