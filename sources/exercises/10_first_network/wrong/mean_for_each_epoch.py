# replaces: train
# loses: 3
# hint: You return one number for each epoch: four, and there are twenty batches. Does the line that keeps the loss
#   stand in the inner loop?


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        found = []
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            found.append(loss.value)
        losses.append(np.mean(found))
    return losses
