# replaces: head_start
# loses: 1
# hint: An autoencoder of another width was accepted, or refused by another error than a ValueError. Check the
#   shapes here; otherwise the error comes much later, in some product.


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            new[name.replace("encoder.", "lower.", 1)] = array.copy()
    return new
