# replaces: train
# loses: 3
# hint: The list ends after the first epoch: does `return` stand inside a loop?


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
        return losses
