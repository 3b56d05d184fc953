"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # copy · Task 1 · Encode and decode
    ("copy", 7, "sigmoid(W.T @ code)", "sigmoid(W.T @ code + b.mean())",
     "The code is right, and the copy has something of b in it. The decoder has no bias."),
    ("copy", 7, "return code, sigmoid(W.T @ code)", "return code, sigmoid(W.T @ (code + b))",
     "b was added in the decoder, too. The decoder has no bias: W transposed times the code, then the sigmoid."),
    ("copy", 7, "code = sigmoid(W @ x + b)", "code = sigmoid(W @ x) + b",
     "b was added after the sigmoid. It belongs inside."),
    ("copy", 7, "code = sigmoid(W @ x + b)", "code = W @ x + b",
     "Your code is the input of the sigmoid: 1 and 0.5 in the example. Each of the two layers has a sigmoid, the "
     "encoder's, too."),
    ("copy", 8, "return code, sigmoid(W.T @ code)", "return sigmoid(W.T @ code)",
     "Two results were asked for: the code, and the copy."),
    ("copy", 7, ..., """
     def copy(x, W, b):
         z = W @ x + b
         return sigmoid(z), sigmoid(W.T @ z)
     """, "The decoder got W x + b. It gets the code, after its sigmoid."),
    ("copy", 8, "return code, sigmoid(W.T @ code)", "return code, sigmoid(W @ code)",
     "W leads from pixels to the code. The way back needs its transpose."),
    ("copy", 7, "return code, sigmoid(W.T @ code)", "return code, sigmoid(np.linalg.pinv(W) @ code)",
     "You went back by an inverse of W. The decoder uses the transpose: it need not undo the encoder, it learns to."),
    ("copy", 8, "code = sigmoid(W @ x + b)", "code = sigmoid(np.sum(W * x, axis=0) + b)",
     "W x sums over the pixels, a number for each entry of the code. Your sum goes the other way, and leaves a "
     "number for each pixel."),
    ("copy", 7, ..., """
     def copy(x, W, b):
         code = np.tanh(W @ x + b)
         return code, np.tanh(W.T @ code)
     """,
     "You used another function than the sigmoid: numbers from -1 to 1 come out of a tanh, from 0 to 1 of a sigmoid."),
    ("copy", 7, "return code, sigmoid(W.T @ code)", "return code, np.tanh(W.T @ code)",
     "The code is right. The decoder ends in a sigmoid as well, and yours in a tanh."),

    # gradients · Task 2 · Two shares
    ("gradients", 5, "(W @ out_bar) * code * (1 - code)", "(W @ out_bar) * (1 - code**2)",
     "1 - c² is the derivative of tanh. The encoder ends in a sigmoid: c (1 - c)."),
    ("gradients", 3, "(code_bar, x), code_bar", "(code_bar, x), code_bar.sum()",
     "The entries of b's adjoint were added up. There is one for each number of the code."),
    ("gradients", 3, ..., """
     def gradients(x, W, b):
         c, o = copy(x, W, b)
         zo = 2 * (o - x) * o * (1 - o)
         c_bar = W @ zo
         zc = c_bar * c * (1 - c)
         return np.outer(c_bar, zo) + np.outer(zc, x), zc
     """,
     "The decoder computes W transposed times c. So its share of W has the CODE in it, and not the code's adjoint."),
    ("gradients", 3, "(code, out_bar) + np.outer(code_bar, x), code_bar", "(code, out_bar), code_bar",
     "The adjoint of b is right, that of W has the decoder's share only. W was used a second time, in the encoder: "
     "add the share from there."),
    ("gradients", 5, "out_bar = 2 * (out - x) * out * (1 - out)", "out_bar = 2 * (out - x) / x.size * out * (1 - out)",
     "Too small, by the number of pixels: the error is the SUM of the squares, and not their mean."),
    ("gradients", 6, "outer(code, out_bar)", "outer(out_bar, code)",
     "The decoder's share has the wrong shape, or is transposed: W is (code, pixels), so the code is the column and "
     "the pixels are the row."),
    ("gradients", 3, "np.outer(code, out_bar) + np.outer(code_bar, x)",
     "(np.outer(code, out_bar) + np.outer(code_bar, x)) / 2",
     "Half of what it should be: you took the mean of the two shares. Shares add up."),
    ("gradients", 5, ..., """
     def gradients(x, W, b):
         c, o = copy(x, W, b)
         zo = 2 * (o - x) * sigmoid(o) * (1 - sigmoid(o))
         zc = (W @ zo) * sigmoid(c) * (1 - sigmoid(c))
         return np.outer(c, zo) + np.outer(zc, x), zc
     """,
     "The sigmoid was applied again: o and c have been through it already. Its derivative, from its value s, is s (1 "
     "- s)."),
    ("gradients", 3, ".outer(code, out_bar)", ".outer(code * (1 - code), out_bar)",
     "The decoder's share was multiplied by the slope of the encoder's sigmoid, which lies on another path. The code "
     "itself was multiplied by W there: code times adjoint, and nothing else."),
    ("gradients", 5, "out_bar = 2 * (out - x) * out * (1 - out)", "out_bar = 2 * (out - x) * (1 - out**2)",
     "1 - o² is the derivative of a tanh. That of a sigmoid is o (1 - o)."),
    ("gradients", 5, """
     out_bar = 2 * (out - x) * out * (1 - out)  # seed, and go back through the square and the sigmoid
     code_bar = (W @ out_bar) * code * (1 - code)  # go back, in order
     """, """
     out_bar = 2 * (out - x) * (1 - out**2)
     code_bar = (W @ out_bar) * (1 - code**2)
     """, "1 - o² is the derivative of a tanh. That of a sigmoid is o (1 - o)."),

    # train · Task 3 · One picture at a time
    ("train", 1, """
     for row in order:
         W_bar, b_bar = gradients(pictures[row], W, b)
     """, """
     first = W, b
     for row in order:
         W_bar, b_bar = gradients(pictures[row], *first)
     """,
     "All your gradients are computed with the initial weights. One picture at a time means: the second picture "
     "meets the weights that the first one has changed."),
    ("train", 1, "W, b = W - rate * W_bar, b - rate * b_bar", """
     W -= rate * W_bar
     b -= rate * b_bar
     """,
     "The new weights are right, but those that you were given have changed with them: -= writes into the array "
     "itself. Make new ones."),
    ("train", 1, ..., """
     def train(pictures, W, b, rate, order):
         mean = np.mean([pictures[r] for r in order], axis=0)
         gw, gb = gradients(mean, W, b)
         return W - rate * gw, b - rate * gb
     """, "One step was made, with the mean of the pictures. One step for each picture was asked for."),
    ("train", 1, "for row in order:", "for row in range(len(order)):",
     "You take the pictures from the first to the last, whatever `order` says."),
    ("train", 1, "for row in order:", "for row in sorted(order):",
     "The pictures were taken in sorted order. `order` says which one comes first."),
    ("train", 1, "rate * W_bar, b - rate *", "rate / len(order) * W_bar, b - rate / len(order) *",
     "The rate was divided by the number of pictures. There is one step for each picture, with the whole rate."),
    ("train", 1, """
     W_bar, b_bar = gradients(pictures[row], W, b)
     W, b = W - rate * W_bar, b - rate * b_bar
     """, """
     W = W - rate * gradients(pictures[row], W, b)[0]
     b = b - rate * gradients(pictures[row], W, b)[1]
     """, "b's gradient was computed with the new W. Compute both gradients first, then move both."),
    ("train", 1, "W, b = W - rate * W_bar, b - rate * b_bar", "W, b = -rate * W_bar, -rate * b_bar",
     "The new weights are the steps alone. The old weights belong to them: W - rate * gradient."),
    ("train", 1, "W, b = W - rate * W_bar, b - rate * b_bar", "W, b = W + rate * W_bar, b + rate * b_bar",
     "Your weights move in the direction of the gradient, where the error grows. Go against it."),

    # head_start · Task 4 · A head start
    ("head_start", 1, 'raise ValueError(f"{name} of shape {array.shape} does not fit into the classifier")',
     'raise KeyError(f"{name} of shape {array.shape} does not fit into the classifier")',
     "An autoencoder of another width was accepted, or refused by another error than a ValueError. Check the shapes "
     "here; otherwise the error comes much later, in some product."),
    ("head_start", 1, "new[target] = array.copy()", "new[target] = array.T.copy()",
     "The encoder's arrays were transposed. They fit as they are."),
    ("head_start", 3, ..., """
     def head_start(classifier, autoencoder):
         new = {k: v.copy() for k, v in classifier.items()}
         for k, v in autoencoder.items():
             name = k.replace("encoder", "lower").replace("decoder", "top")
             if name not in new or new[name].shape != v.shape:
                 raise ValueError(name)
             new[name] = v.copy()
         return new
     """,
     "The decoder's arrays were to go somewhere, too. They are not used: only names that begin with encoder count."),
    ("head_start", 1, """
     if not name.startswith("encoder."):
         continue
     target = name.replace("encoder.", "lower.", 1)
     if target not in new or new[target].shape != array.shape:
         raise ValueError(f"{name} of shape {array.shape} does not fit into the classifier")
     """, """
     target = name.replace("encoder.", "lower.", 1)
     if name.startswith("encoder.") and (target not in new or new[target].shape != array.shape):
         raise ValueError(name)
     """, "There is an array too many: the decoder's. A classifier has no use for it."),
    ("head_start", 2, ..., """
     def head_start(classifier, autoencoder):
         return {name.replace("encoder.", "lower."): array.copy() for name, array in autoencoder.items()}
     """, "Only arrays of the autoencoder are in your dict. It begins with copies of ALL arrays of the classifier."),
    ("head_start", 1, "new[target] = array.copy()", "new[target] = array",
     "The new dict shares arrays with one of the two: training one of them changes the other. Copy each array."),
    ("head_start", 2, ..., """
     def head_start(classifier, autoencoder):
         new = {name: array.copy() for name, array in classifier.items()}
         for name, array in autoencoder.items():
             if name.startswith("encoder."):
                 new[name] = array.copy()
         return new
     """,
     "The classifier's lower layers are unchanged: the encoder's arrays are in the dict under their old names, "
     "`encoder...`. What are they called in the classifier?"),
    ("head_start", 1, "new = {name: array.copy() for name, array in classifier.items()}", "new = classifier",
     "The classifier itself was changed. A new dict was asked for, with copies of all arrays."),
    ("head_start", 1, ..., """
     def head_start(classifier, autoencoder):
         new = dict(classifier)
         for name, array in autoencoder.items():
             if name.startswith("encoder."):
                 target = name.replace("encoder.", "lower.", 1)
                 if target not in new or new[target].shape != array.shape:
                     raise ValueError(name)
                 new[target] = array
         return new
     """, "The new dict shares arrays with one of the two: training one of them changes the other. Copy each array."),
    ("head_start", 1, ..., """
     def head_start(classifier, autoencoder):
         new = {}
         for k, v in autoencoder.items():
             if k.startswith("encoder"):
                 name = k.replace("encoder", "lower")
                 if name not in classifier or classifier[name].shape != v.shape:
                     raise ValueError(name)
                 new[name] = v.copy()
         return new
     """, "Only the lower layers are in your dict. The classifier's other arrays belong into it, too, as copies."),
    ("head_start", 2, "return new", "return list(new.values())",
     "A dict was asked for: arrays by name. You return the arrays alone."),

    # features · Task 5 · Features
    ("features", 2, "return (codes - seen.mean(axis=0)) / seen.std(axis=0)",
     "return (codes - seen.mean(axis=1, keepdims=True)) / seen.std(axis=1, keepdims=True)",
     "The mean goes along each picture's code. It should go down the rows, over the pictures: axis 0."),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
         return (codes - seen.min(axis=0)) / (seen.max(axis=0) - seen.min(axis=0))
     """, "You scaled to the range from 0 to 1. Asked for is: minus the mean, divided by the standard deviation."),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         seen = train_pictures @ W.T + b
         return (pictures @ W.T + b - seen.mean(axis=0)) / seen.std(axis=0)
     """, "You scale what goes into the sigmoid. The code is what comes out of it."),
    ("features", 2, "return (codes - seen.mean(axis=0)) / seen.std(axis=0)",
     "return (codes - seen.mean(axis=0)) / seen.std(axis=0, ddof=1)",
     "Nearly right: you divide by n - 1 inside the standard deviation (ddof=1). NumPy's plain std divides by n."),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
         d = codes - seen.mean(axis=0)
         return d / np.linalg.norm(d, axis=1, keepdims=True)
     """,
     "Each row was divided by its length. Each number of the code has a standard deviation of its own, over the "
     "training pictures."),
    ("features", 1, "seen = sigmoid(train_pictures @ W.T + b)",
     "seen = sigmoid(np.concatenate([train_pictures, pictures]) @ W.T + b)",
     "Mean and deviation come from the codes of both sets together. What is tested must not have a part in that: "
     "those of the training pictures only."),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
         return (codes - seen.mean(axis=0)) / (seen.std(axis=0) + 1e-3)
     """,
     "Something was added to the standard deviation, so everything is a bit too small. Divide by the deviation "
     "itself."),
    ("features", 2, """
     codes = sigmoid(pictures @ W.T + b)
     return (codes - seen.mean(axis=0)) / seen.std(axis=0)
     """, "return (sigmoid(pictures @ W.T + b) - seen.mean()) / seen.std()",
     "You take one mean over everything. Each number of the code has its own: the mean goes down the rows, axis 0."),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         p = (pictures - train_pictures.mean(axis=0)) / train_pictures.std(axis=0)
         return sigmoid(p @ W.T + b)
     """, "You scaled the pictures, and not their codes. First the codes, then mean and deviation."),
    ("features", 2, "return (codes - seen.mean(axis=0)) / seen.std(axis=0)",
     "return (codes - seen.mean(axis=0)) / (seen.max(axis=0) - seen.min(axis=0))",
     "You divided by the range, the largest minus the smallest code. The standard deviation was asked for."),
    ("features", 2, "return (codes - seen.mean(axis=0)) / seen.std(axis=0)",
     "return (codes - seen.mean(axis=0)) / seen.var(axis=0)",
     "You divide by the variance. The standard deviation, its root, was asked for."),
    ("train", 1, ..., """
     def train(pictures, W, b, rate, order):
         bars = [gradients(pictures[row], W, b) for row in order]
         return W - rate * np.mean([W_bar for W_bar, _ in bars], axis=0), b - rate * np.mean([e for _, e in bars], axis=0)
     """,
     "You made one step with the mean of all gradients. Here each picture has a step of its own, and the next gradient "
     "is taken with the weights that it leaves."),
    ("gradients", 4, "return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar",
     "return [np.outer(code, out_bar), np.outer(code_bar, x)], code_bar",
     "Both shares of W are there, one beside the other. It is one W, used twice: what becomes of its two shares?"),
    ("features", 2, ..., """
     def features(train_pictures, pictures, W, b):
         seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
         return (codes - np.mean(seen, axis=0)) / np.std(seen)
     """,
     "One standard deviation for all numbers of the code: without `axis` it is taken over all entries at once. "
     "Each number of the code has its own."),
]
