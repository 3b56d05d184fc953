# replaces: head_start
# loses: 2
# hint: The classifier's lower layers are unchanged: the encoder's arrays are in the dict under their old names,
#   `encoder...`. What are they called in the classifier?


def head_start(classifier, autoencoder):
    new = {name: array.copy() for name, array in classifier.items()}
    for name, array in autoencoder.items():
        if name.startswith("encoder."):
            new[name] = array.copy()
    return new
