# replaces: train
# loses: 3
# hint: Your losses are those of ALL images. Each batch is x[rows], with the labels y[rows].


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x, *parameters), y)
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
