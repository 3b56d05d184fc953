# replaces: head_start
# loses: 3
# hint: The decoder's arrays were to go somewhere, too. They are not used: only names that begin with encoder count.


def head_start(classifier, autoencoder):
    new = {k: v.copy() for k, v in classifier.items()}
    for k, v in autoencoder.items():
        name = k.replace("encoder", "lower").replace("decoder", "top")
        if name not in new or new[name].shape != v.shape:
            raise ValueError(name)
        new[name] = v.copy()
    return new
