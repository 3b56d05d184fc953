# replaces: beside
# loses: 2
# hint: Your dy is 0 and stays 0, as if x did not move. In x sin(y) the first factor changes with x as well, and
#   that gives sin(y).


def value_and_slope(x, rounds):
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, x * math.cos(y) * dy + dy
    return y, dy
