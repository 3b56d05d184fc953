# replaces: step
# loses: 5
# hint: The step is the rate alone, whatever the gradient is.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - rate
        p.zero_grad()
