# replaces: best
# loses: 2
# hint: f and f''' have changed places: a large f, with much to round, calls for a larger h. Which of the two stands
#   above the line?


def best_h(f, f3, eps):
    return (3 * eps * abs(f3) / (2 * abs(f))) ** (1 / 3)
