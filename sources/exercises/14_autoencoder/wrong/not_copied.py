# replaces: head_start
# loses: 1
# hint: The new dict shares arrays with one of the two: training one of them changes the other. Copy each array.


def head_start(classifier, autoencoder):
    new = dict(classifier)
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            target = name.replace("encoder.", "lower.", 1)
            if target not in new or new[target].shape != array.shape:
                raise ValueError(name)
            new[target] = array
    return new
