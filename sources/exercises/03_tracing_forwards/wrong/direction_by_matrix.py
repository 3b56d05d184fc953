# replaces: direction
# loses: 2
# hint: Three calls for three inputs: you build the whole Jacobian, with a pass for each input. Put the direction
#   into the seed, and one pass gives the product.


def along(f, x, u):
    product = None
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        column = [u[k] * (y.tangent if isinstance(y, Dual) else 0.0) for y in outputs]
        product = column if product is None else [a + b for a, b in zip(product, column)]
    return product
