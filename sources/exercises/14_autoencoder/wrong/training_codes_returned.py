# replaces: features
# loses: 1
# hint: The codes of the training pictures came back, whatever pictures were asked for.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (seen - seen.mean(axis=0)) / seen.std(axis=0)
