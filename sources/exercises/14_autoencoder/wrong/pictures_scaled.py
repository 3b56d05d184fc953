# replaces: features
# loses: 2
# hint: You scaled the pictures, and not their codes. First the codes, then mean and deviation.


def features(train_pictures, pictures, W, b):
    p = (pictures - train_pictures.mean(axis=0)) / train_pictures.std(axis=0)
    return sigmoid(p @ W.T + b)
