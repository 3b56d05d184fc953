# replaces: train
# loses: 3
# hint: All losses are right, but the parameters that train was given are as they were: you trained copies.
#   Whoever called train has the old weights still.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    parameters = [mg.Variable(p.value.copy()) for p in parameters]
    for _ in range(epochs):
        for rows in batches(len(x), size, rng):
            loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
            loss.backward()
            sgd_step(parameters, rate)
            losses.append(loss.value)
    return losses
