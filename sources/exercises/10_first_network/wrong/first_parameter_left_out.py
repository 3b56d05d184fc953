# replaces: step
# loses: 5
# hint: b is right, but w has not moved: is the first parameter left out?


def sgd_step(parameters, rate):
    for p in parameters[1:]:
        p.value = p.value - rate * p.grad
        p.zero_grad()
