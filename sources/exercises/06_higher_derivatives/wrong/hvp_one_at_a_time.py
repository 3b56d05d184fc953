# replaces: hvp
# loses: 12
# hint: Each input moves alone, and you keep only its own entry. All inputs move at the same time, in one call, and
#   all entries of the gradient answer.


def hvp(gradient, point, direction):
    out = []
    for i in range(len(point)):
        z = [mg.Dual(p, direction[i] if j == i else 0.0) for j, p in enumerate(point)]
        out.append(gradient(*z)[i].tangent)
    return out
