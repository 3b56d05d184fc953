# replaces: step
# loses: 5
# hint: The step is the whole gradient. It should be multiplied by the rate.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - p.grad
        p.zero_grad()
