# replaces: step
# loses: 5
# hint: Nothing moved. You cleared the gradients before you used them.


def sgd_step(parameters, rate):
    for p in parameters:
        p.zero_grad()
        p.value = p.value - rate * p.grad
