# replaces: features
# loses: 1
# hint: On the training pictures it is right. But other pictures are scaled by their own mean and size: then the
#   same picture has another code in other company.


def features(train_pictures, pictures, W, b):
    codes = sigmoid(pictures @ W.T + b)
    return (codes - codes.mean(axis=0)) / codes.std(axis=0)
