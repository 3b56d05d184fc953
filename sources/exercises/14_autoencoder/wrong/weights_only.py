# replaces: head_start
# loses: 1
# hint: The weights have moved, and the biases are still the classifier's own. All arrays of the encoder are copied.


def head_start(classifier, autoencoder):
    new = {k: v.copy() for k, v in classifier.items()}
    for k, v in autoencoder.items():
        if k.startswith("encoder") and k.endswith("weight"):
            name = k.replace("encoder", "lower")
            if name not in new or new[name].shape != v.shape:
                raise ValueError(name)
            new[name] = v.copy()
    return new
