# replaces: beside
# loses: 2
# hint: dy starts with 1 in your loop. y is 1.0 then, whatever x is: by how much does a constant change?


def value_and_slope(x, rounds):
    y, dy = 1.0, 1.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy + dy
    return y, dy
