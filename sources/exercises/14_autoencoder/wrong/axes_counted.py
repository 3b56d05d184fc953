# replaces: head_start
# loses: 1
# hint: Encoders of other shapes were accepted: `ndim` is only the number of axes. Compare the shapes, axis by
#   axis.


def head_start(classifier, autoencoder):
    new = {k: v.copy() for k, v in classifier.items()}
    for k, v in autoencoder.items():
        if k.startswith("encoder."):
            target = "lower." + k[8:]
            if target not in new or new[target].ndim != v.ndim:
                raise ValueError(k)
            new[target] = v.copy()
    return new
