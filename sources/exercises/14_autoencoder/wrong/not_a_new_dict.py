# replaces: head_start
# loses: 1
# hint: The classifier itself was changed. A new dict was asked for, with copies of all arrays.


def head_start(classifier, autoencoder):
    new = classifier
    for name, array in autoencoder.items():
        if not name.startswith("encoder."):
            continue
        target = name.replace("encoder.", "lower.", 1)
        if target not in new or new[target].shape != array.shape:
            raise ValueError(f"{name} of shape {array.shape} does not fit into the classifier")
        new[target] = array.copy()
    return new
