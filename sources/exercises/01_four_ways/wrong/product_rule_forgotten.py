# replaces: beside
# loses: 2
# hint: You differentiated x sin(y) as if x were a number, and y the variable. Both depend on x: the product
#   rule has two terms, and y' is dy.


def value_and_slope(x, rounds):
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, x * math.cos(y) + 1
    return y, dy
