# replaces: head_start
# loses: 1
# hint: `assert` raises an AssertionError, and can be switched off. A ValueError was asked for: if ...: raise
#   ValueError(...).


def head_start(classifier, autoencoder):
    new = {k: v.copy() for k, v in classifier.items()}
    for k, v in autoencoder.items():
        if k.startswith("encoder"):
            name = k.replace("encoder", "lower")
            assert name in new
            assert new[name].shape == v.shape
            new[name] = v.copy()
    return new
