# replaces: beside
# loses: 2
# hint: The value is right, and the derivative has about ten right digits: it comes from a difference quotient.
#   Carry the derivative along beside y instead, with no h at all.


def value_and_slope(x, rounds):
    def value(x):
        y = 1.0
        for _ in range(rounds):
            y = x * math.sin(y) + y
        return y

    return value(x), (value(x + 1e-5) - value(x - 1e-5)) / 2e-5
