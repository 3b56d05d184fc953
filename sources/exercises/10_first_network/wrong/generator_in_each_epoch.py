# replaces: train
# loses: 3
# hint: The batches come from a generator of your own, and not from `rng`, so their order is another one.


def train(x, y, parameters, rate, epochs, size, rng):
    losses = []
    for e in range(epochs):
        for rows in batches(len(x), size, np.random.default_rng(e)):
            loss = mg.nn.cross_entropy(scores(mg.Constant(x[rows]), *parameters), y[rows])
            losses.append(float(loss.value))
            loss.backward()
            sgd_step(parameters, rate)
    return losses
