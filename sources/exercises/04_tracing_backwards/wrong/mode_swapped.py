# replaces: mode
# loses: 2
# hint: A network has many inputs and one output, and you chose a pass for each input. Which mode needs a pass for
#   each input, and which one for each output?


def cheaper(inputs, outputs, price):
    return "reverse" if inputs <= outputs * price else "forward"
