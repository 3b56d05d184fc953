# replaces: mode
# loses: 2
# hint: The prices are the same here. Then choose the one that needs no tape.


def cheaper(inputs, outputs, price):
    return "forward" if inputs < outputs * price else "reverse"
