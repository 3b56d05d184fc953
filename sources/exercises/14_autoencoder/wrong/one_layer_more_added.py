# replaces: head_start
# loses: 1
# hint: Another shape is refused, but not a layer that the classifier does not have at all. Is there an array
#   of this name? Ask that before you ask for its shape.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            target = name.replace("encoder.", "lower.", 1)
            if target in new and new[target].shape != array.shape:
                raise ValueError(name)
            new[target] = array.copy()
    return new
