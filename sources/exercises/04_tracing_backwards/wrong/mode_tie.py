# replaces: mode
# loses: 2
# hint: The prices are the same here. Then the one that needs no tape is to be taken.


def cheaper(inputs, outputs, walk):
    return "forward" if inputs < outputs * walk else "reverse"
