# replaces: head_start
# loses: 2
# hint: Only arrays of the autoencoder are in your dict. It begins with copies of ALL arrays of the classifier.


def head_start(classifier, autoencoder):
    return {name.replace("encoder.", "lower."): array.copy() for name, array in autoencoder.items()}
