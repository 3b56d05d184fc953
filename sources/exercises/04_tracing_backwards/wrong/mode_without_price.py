# replaces: mode
# loses: 2
# hint: You compare the numbers of passes and walks, as if they cost the same. Here a walk costs more
#   than a pass: multiply.


def cheaper(inputs, outputs, walk):
    return "forward" if inputs <= outputs else "reverse"
