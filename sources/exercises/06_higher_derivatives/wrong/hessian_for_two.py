# replaces: hessian
# loses: 9
# hint: Your directions have two entries, and this gradient takes three inputs. How many directions are there, and
#   how long is each?


def hessian(gradient, point):
    return np.array([hvp(gradient, point, [1.0, 0.0]), hvp(gradient, point, [0.0, 1.0])]).T
