# replaces: vjp
# loses: 3
# hint: Each a reaches more than its own v. What you return is the adjoint for r = 0.


def echo_vjp(adjoint, r):
    return adjoint
