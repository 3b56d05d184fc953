# replaces: beside
# loses: 2
# hint: dy of this round needs the y from before the round. Is y already changed when you compute dy?


def value_and_slope(x, rounds):
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y = x * math.sin(y) + y
        dy = math.sin(y) + x * math.cos(y) * dy + dy
    return y, dy
