# replaces: head_start
# loses: 2
# hint: The reader's lower layers are still its own: the encoder's arrays have gone into the dict under their old
#   names, where no reader looks for them.


def head_start(reader, copier):
    new = {name: array.copy() for name, array in reader.items()}
    for name, array in copier.items():
        if name.startswith("encoder."):
            new[name] = array.copy()
    return new
