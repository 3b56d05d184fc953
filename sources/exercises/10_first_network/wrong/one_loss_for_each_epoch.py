# replaces: train
# loses: 3
# hint: You return one number for each epoch: four, and there are twenty batches. Does the line that keeps the loss
#   stand in the inner loop?


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for k, rows in enumerate(batches(len(x), size, rng)):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            if k == 0:
                losses.append(loss.value)
    return losses
