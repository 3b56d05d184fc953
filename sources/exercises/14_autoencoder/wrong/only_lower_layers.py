# replaces: head_start
# loses: 1
# hint: Only the lower layers are in your dict. The classifier's other arrays belong into it, too, as copies.


def head_start(classifier, autoencoder):
    new = {}
    for k, v in autoencoder.items():
        if k.startswith("encoder"):
            name = k.replace("encoder", "lower")
            if name not in classifier or classifier[name].shape != v.shape:
                raise ValueError(name)
            new[name] = v.copy()
    return new
