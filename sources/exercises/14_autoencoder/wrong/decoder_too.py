# replaces: head_start
# loses: 1
# hint: There is an array too many: the decoder's. A reader has no use for it.


def head_start(reader, copier):
    new = {name: array.copy() for name, array in reader.items()}
    for name, array in copier.items():
        target = name.replace("encoder.", "lower.", 1)
        if target in new and new[target].shape != array.shape:
            raise ValueError(name)
        new[target] = array.copy()
    return new
