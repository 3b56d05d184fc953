# replaces: step
# loses: 5
# hint: You multiplied the value by the step. What is taken OFF is the rate times the gradient. That w stays
#   at 5 is chance: look at b, too.


def sgd_step(parameters, rate):
    """Move each parameter against its gradient, and leave the gradients at 0."""
    ### BEGIN SOLUTION
    for p in parameters:
        p.value = p.value * rate * p.grad
        p.zero_grad()
    ### END SOLUTION
