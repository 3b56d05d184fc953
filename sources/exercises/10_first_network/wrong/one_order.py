# replaces: train
# loses: 3
# hint: The first epoch is right, the second begins wrong: each epoch needs a new order. Do you make the batches
#   once, before the epochs?


def train(x, y, parameters, rate, epochs, size, rng):
    losses, chosen = [], batches(len(x), size, rng)
    for _ in range(epochs):
        for rows in chosen:
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
