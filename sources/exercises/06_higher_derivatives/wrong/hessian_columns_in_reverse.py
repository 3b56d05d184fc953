# replaces: hessian
# loses: 9
# hint: The columns stand in reverse order: the first product is that with (1, 0, 0), and gives column 0.


def hessian(gradient, point):
    n = len(point)
    return [hvp(gradient, point, [float(i == n - 1 - j) for i in range(n)]) for j in range(n)]
