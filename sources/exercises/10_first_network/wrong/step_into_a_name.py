# replaces: step
# loses: 5
# hint: Nothing changed, or it failed: `p = ...` gives the name p to something else. Put the new number into
#   p.value.


def sgd_step(parameters, rate):
    for p in parameters:
        value = p.value - rate * p.grad
        p.zero_grad()
