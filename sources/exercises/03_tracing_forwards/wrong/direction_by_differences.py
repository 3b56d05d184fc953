# replaces: direction
# loses: 2
# hint: Two calls, whatever the number of inputs: a difference quotient along u. That is only approximate. One call
#   on dual numbers gives the same, exactly.


def along(f, x, u):
    h = 1e-6
    high = f([value + h * speed for value, speed in zip(x, u)])
    low = f([value - h * speed for value, speed in zip(x, u)])
    return [(a - b) / (2 * h) for a, b in zip(high, low)]
