# replaces: gradient
# loses: 2
# hint: Two paths lead from x to f, through p and through s. Your x̄ has only the share that came through p.


def gradient(x, y):
    p = x * y
    return y * y, p + y * x
