# replaces: step
# loses: 5
# hint: The first step is right, the second is too long: it used the sum of both gradients. `backward` adds to what
#   is there.


def sgd_step(parameters, rate):
    for p in parameters:
        p.value = p.value - rate * p.grad
