# replaces: beside
# loses: 2
# hint: Your dy starts with 1. y is 1.0 at first, whatever x is: what is the derivative of a constant?


def value_and_slope(x, rounds):
    y, dy = 1.0, 1.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy + dy
    return y, dy
