# replaces: step
# loses: 5
# hint: Only one gradient was set back: zero_grad stands after the loop, where p is the last parameter.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - rate * p.grad
    p.zero_grad()
