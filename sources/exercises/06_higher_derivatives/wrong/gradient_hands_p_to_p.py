# replaces: gradient
# loses: 2
# hint: In f = p y + s each factor gets the OTHER factor: p̄ is not p. Change p by 1 and look by how much p y grows.


def gradient(x, y):
    p = x * y
    p_bar = p
    return p_bar * y + np.cos(x), y + p_bar * x
