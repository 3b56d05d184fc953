# replaces: features
# loses: 1
# hint: On the training pictures it is right. But other pictures are scaled by their own mean and standard
#   deviation: then the code of a picture depends on which others are in the set.


def features(train_pictures, pictures, W, b):
    codes = sigmoid(pictures @ W.T + b)
    return (codes - codes.mean(axis=0)) / codes.std(axis=0)
