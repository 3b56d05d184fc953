# replaces: train
# loses: 3
# hint: The first epoch is right, the second begins wrong. Your batches were made once, before the epochs: each epoch
#   wants a new order.


def train(x, y, parameters, rate, epochs, size, rng):
    losses, chosen = [], batches(len(x), size, rng)
    for _ in range(epochs):
        for rows in chosen:
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
