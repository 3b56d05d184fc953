# replaces: network
# loses: 5
# hint: The bias of the hidden layer was added after the tanh. It belongs inside: it shifts the input of the tanh.


def scores(x, W1, b1, W2, b2):
    return (mg.tanh(x @ W1.T) + b1) @ W2.T + b2
