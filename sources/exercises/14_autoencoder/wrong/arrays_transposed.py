# replaces: head_start
# loses: 1
# hint: The encoder's arrays were transposed. They fit as they are.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if not name.startswith("encoder."):
            continue
        target = name.replace("encoder.", "lower.", 1)
        if target not in new or new[target].shape != array.shape:
            raise ValueError(f"{name} of shape {array.shape} does not fit into the classifier")
        new[target] = array.T.copy()
    return new
