# replaces: train
# loses: 3
# hint: The labels do not belong to the rows: both x and y have to be indexed by the batch's row numbers.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[: len(rows)])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
