# replaces: train
# loses: 3
# hint: Only the first batch of each epoch takes part: four losses in all. Each batch has its turn.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        rows = batches(len(x), size, rng)[0]
        loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
        loss.backward()
        sgd_step(parameters, rate)
        losses.append(loss.value)
    return losses
