# replaces: seed
# loses: 1
# hint: A list of three numbers was asked for: the tangents of x, y and z, in this order.


def seed():
    return {"x": 1.0, "y": 0.0, "z": -2.0}
