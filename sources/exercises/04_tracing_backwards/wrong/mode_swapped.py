# replaces: mode
# loses: 2
# hint: A network has many inputs and one output, and you chose a pass for each input. Which side does
#   forward mode count, and which side does reverse mode count?


def cheaper(inputs, outputs, walk):
    return "reverse" if inputs <= outputs * walk else "forward"
