# replaces: head_start
# loses: 1
# hint: The new dict shares its arrays with the copier or the reader: who trains one of them changes the other.
#   Copy each array.


def head_start(reader, copier):
    new = dict(reader)
    for name, array in copier.items():
        if name.startswith("encoder."):
            target = name.replace("encoder.", "lower.", 1)
            if target not in new or new[target].shape != array.shape:
                raise ValueError(name)
            new[target] = array
    return new
