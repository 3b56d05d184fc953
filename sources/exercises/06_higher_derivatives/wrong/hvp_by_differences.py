# replaces: hvp
# loses: 12
# hint: That is a difference of two gradients: nearly right. Duals give the product exactly, in one call: point in
#   the values, direction in the tangents.


def hvp(gradient, point, direction):
    h = 1e-6
    a = np.array(gradient(*[p + h * d for p, d in zip(point, direction)]))
    b = np.array(gradient(*point))
    return list((a - b) / h)
