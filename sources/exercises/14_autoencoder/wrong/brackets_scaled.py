# replaces: features
# loses: 2
# hint: You scale what goes into the sigmoid. The code is what comes out of it.


def features(train_pictures, pictures, W, b):
    seen = train_pictures @ W.T + b
    return (pictures @ W.T + b - seen.mean(axis=0)) / seen.std(axis=0)
