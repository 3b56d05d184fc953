# replaces: step
# loses: 5
# hint: The step was multiplied by the value itself. What is taken off is the rate times the gradient, and nothing
#   else.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value * (1 - rate * p.grad)
        p.zero_grad()
