# replaces: mode
# loses: 2
# hint: You multiplied the wrong number by the price: a backward pass is needed for each OUTPUT.


def cheaper(inputs, outputs, price):
    return "forward" if inputs * price <= outputs else "reverse"
