# replaces: head_start
# loses: 1
# hint: An encoder for more pixels was accepted: `len` of an array is only its number of rows. Compare whole
#   shapes.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            target = name.replace("encoder.", "lower.", 1)
            if target not in new or len(new[target]) != len(array):
                raise ValueError(name)
            new[target] = array.copy()
    return new
