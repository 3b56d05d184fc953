# replaces: step
# loses: 5
# hint: The new value is the step alone. The old value belongs to it: w - rate * gradient.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = -rate * p.grad
        p.zero_grad()
