# replaces: vjp
# loses: 3
# hint: Each a reaches more than its own v: it sounds on. What you return is the derivative for r = 0.


def echo_vjp(adjoint, r):
    return adjoint
