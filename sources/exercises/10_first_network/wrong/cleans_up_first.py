# replaces: step
# loses: 5
# hint: Nothing changed: the gradients were 0 when you used them. First the step, then zero_grad.


def sgd_step(parameters, rate):
    for p in parameters:
        p.zero_grad()
        p.value = p.value - rate * p.grad
