# replaces: head_start
# loses: 1
# hint: A matrix on its side was accepted: 5 × 3 has as many numbers as 3 × 5, and as many axes. Compare the
#   shapes themselves, axis by axis.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            target = name.replace("encoder.", "lower.", 1)
            if target not in new or new[target].size != array.size:
                raise ValueError(name)
            new[target] = array.copy()
    return new
