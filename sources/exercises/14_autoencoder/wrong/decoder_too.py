# replaces: head_start
# loses: 1
# hint: There is an array too many: the decoder's. A classifier has no use for it.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        target = name.replace("encoder.", "lower.", 1)
        if name.startswith("encoder.") and (target not in new or new[target].shape != array.shape):
            raise ValueError(name)
        new[target] = array.copy()
    return new
