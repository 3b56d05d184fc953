# replaces: hessian
# loses: 9
# hint: The columns were added up, so that one row is left. Keep them apart: a matrix has n rows of n numbers.


def hessian(gradient, point):
    columns = [hvp(gradient, point, unit) for unit in np.eye(len(point))]
    return np.array(columns).sum(axis=0)
