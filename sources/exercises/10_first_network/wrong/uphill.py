# replaces: step
# loses: 5
# hint: From 5 you went to 6. The gradient points uphill, and you followed it.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value + rate * p.grad
        p.zero_grad()
