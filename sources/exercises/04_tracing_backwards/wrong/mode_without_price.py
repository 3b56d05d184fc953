# replaces: mode
# loses: 2
# hint: You compare the numbers of passes, as if they cost the same. Here a backward pass costs more than a forward
#   pass: multiply.


def cheaper(inputs, outputs, price):
    return "forward" if inputs <= outputs else "reverse"
