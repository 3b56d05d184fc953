# replaces: softmax
# loses: 2
# hint: Your numbers are the logarithms of the shares. The shares themselves were asked for: positive numbers with
#   sum 1.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores)
    z = s - s.max(axis=1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=1, keepdims=True))
