"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # glorot · Task 1 · Initial weights
    ("glorot", 2, "return rng.uniform(-limit, limit, (n_out, n_in))", "return rng.uniform(-limit, limit, n_out * n_in)",
     "The numbers are in one long row. A matrix was asked for: the shape is a pair, (n_out, n_in)."),
    ("glorot", 2, """
     limit = glorot_limit(n_in, n_out)
     return rng.uniform(-limit, limit, (n_out, n_in))
     """, "return rng.uniform(size=(n_out, n_in)) * glorot_limit(n_in, n_out) - glorot_limit(n_in, n_out) / 2",
     "The weights go from -a/2 to a/2: the width of the interval is 2 a, not a. The variance is a quarter of what "
     "was asked for."),
    ("glorot", 2, "return np.sqrt(6 / (n_in + n_out))", "return 2 / (n_in + n_out)",
     "That is the variance of the rule itself. Set a² / 3 equal to it and solve for a."),
    ("glorot", 2, "return np.sqrt(6 / (n_in + n_out))", "return np.sqrt(2 / (3 * (n_in + n_out)))",
     "The 3 is on the wrong side: a² / 3 is the variance, so a² is three times the variance, and not a third of it."),
    ("glorot", 2, "return np.sqrt(6 / (n_in + n_out))", "return np.sqrt(3 / (n_in + n_out))",
     "The 3 of a²/3 is there, but not the 2 of the rule: a² / 3 = 2 / (n_in + n_out)."),
    ("glorot", 2, "return rng.uniform(-limit, limit, (n_out, n_in))",
     "return rng.normal(0, limit / np.sqrt(3), (n_out, n_in))",
     "The variance is right, but the distribution is another one: a normal distribution has no limit. Uniform was "
     "asked for."),
    ("glorot", 2, """
     limit = glorot_limit(n_in, n_out)
     return rng.uniform(-limit, limit, (n_out, n_in))
     """, "return rng.normal(0.0, glorot_limit(n_in, n_out), (n_out, n_in))",
     "That is a normal distribution, with the limit as its standard deviation. Uniform between -a and a was asked "
     "for."),
    ("glorot", 2, """
     limit = glorot_limit(n_in, n_out)
     return rng.uniform(-limit, limit, (n_out, n_in))
     """, "return rng.uniform(0, glorot_limit(n_in, n_out), (n_out, n_in))",
     "All your weights are positive. The distribution should have mean 0: where does it begin?"),
    ("glorot", 2, """
     limit = glorot_limit(n_in, n_out)
     return rng.uniform(-limit, limit, (n_out, n_in))
     """, """
     rng = np.random.default_rng(0)
     a = glorot_limit(n_in, n_out)
     return rng.uniform(-a, a, (n_out, n_in))
     """,
     "Two draws gave the same numbers: your function makes a generator of its own. Draw from the rng that you are "
     "given."),
    ("glorot", 2, "return rng.uniform(-limit, limit, (n_out, n_in))",
     "return np.random.uniform(-limit, limit, (n_out, n_in))",
     "You draw from NumPy's own generator and not from `rng`. Then nobody can draw the same weights again, not even with the "
     "same seed."),
    ("glorot", 2, "return np.sqrt(6 / (n_in + n_out))", "return np.sqrt(6) / (n_in + n_out)",
     "The root goes over the whole fraction: you took that of 6 alone."),
    ("glorot", 2, "return np.sqrt(6 / (n_in + n_out))", "return np.sqrt(2 / (n_in + n_out))",
     "You took the standard deviation, the root of 2 / (n_in + n_out), for the limit. A uniform distribution reaches "
     "further than its standard deviation: a² / 3 is its variance."),

    # batches · Task 2 · Every row once, in a new order
    ("batches", 5, ..., """
     def batches(n, size, rng):
         return [rng.permutation(n)[i : i + size] for i in range(0, n, size)]
     """,
     "Some rows come twice and others never: each batch is cut from a permutation of its own. In an epoch every row "
     "has one turn: draw ONE permutation, and cut that."),
    ("batches", 5, ..., """
     def batches(n, size, rng):
         return np.array_split(rng.permutation(n), size)
     """, "You cut the order into `size` pieces. `size` is the number of rows in each piece."),
    ("batches", 5, "return [order[k : k + size] for k in range(0, n, size)]",
     "return np.array_split(order, -(-n // size))",
     "You cut into equal parts. The pieces are to be of `size` rows, only the last one smaller."),
    ("batches", 5, "[k : k + size] for k in range(0, n, size)", "[k * size : (k + 1) * size] for k in range(n // size)",
     "Ten rows in batches of four: you made two full batches, and two rows are left out. The last batch may be "
     "smaller."),
    ("batches", 5, ..., """
     def batches(n, size, rng):
         return [np.arange(k, min(k + size, n)) for k in range(0, n, size)]
     """, "Your batches hold every row once, but always in the order 0, 1, 2, ... Where is the permutation?"),
    ("batches", 5, "order = rng.permutation(n)", "order = np.random.default_rng(0).permutation(n)",
     "The order is random, but not drawn from the generator that you were given. With one of your own, made from a "
     "fixed seed inside, each epoch would have the same order."),
    ("batches", 5, ..., """
     def batches(n, size, rng):
         return list(rng.permutation(n).reshape(-1, size))
     """,
     "reshape needs batches of equal size. 10 rows do not fill batches of 4: cut with slices, and let the last be "
     "smaller."),
    ("batches", 5, "order = rng.permutation(n)", """
     order = np.arange(n)
     np.random.default_rng(99).shuffle(order)
     """, "The right row numbers, but another order: it was not drawn from `rng`, or not as one permutation."),
    ("batches", 5, "return [order[k : k + size] for k in range(0, n, size)]",
     "return [order[k : k + size] for k in range(n)]",
     "There is a batch for each row: your pieces begin at 0, 1, 2, ... They should begin size apart."),

    # network · Task 3 · The network
    ("network", 5, ..., """
     def scores(x, W1, b1, W2, b2):
         hidden = x @ W1.T + b1
         return mg.tanh(hidden @ W2.T + b2)
     """,
     "The tanh stands around the scores, and the hidden layer has none. It is the other way round: H has the tanh, "
     "S has not."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", "return (mg.tanh(x @ W1.T) + b1) @ W2.T + b2",
     "The bias of the hidden layer was added after the tanh. It belongs inside: it shifts the input of the tanh."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", "return W2 @ mg.tanh(W1 @ x.T + b1) + b2",
     "W @ x wants an image in each COLUMN. Here images are rows, so x stands first: x times the transpose of W."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", """
     return mg.tanh(x @ W1.T + b1)
     ### END SOLUTION
     """, "That is the hidden layer. The second layer is missing: the scores are H W2ᵀ + b2."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", "return mg.tanh(x @ W1 + b1) @ W2.T + b2",
     "W1 has a row for each unit, and x a row for each image. For x @ W1.T the inner sizes agree."),
    ("network", 5, ..., '''
     def scores(x, W1, b1, W2, b2):
         """The scores, (images, digits)."""
         ### BEGIN SOLUTION
         return mg.relu(x @ W1.T + b1) @ W2.T + b2
         ### END SOLUTION
     ''', "You used another function than tanh in the hidden layer."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", "return mg.softmax(mg.tanh(x @ W1.T + b1) @ W2.T + b2)",
     "The scores went through a softmax. cross_entropy does that itself, from the scores as they are."),
    ("network", 5, "return mg.tanh(x @ W1.T + b1) @ W2.T + b2", "return mg.tanh(mg.tanh(x @ W1.T + b1) @ W2.T + b2)",
     "The scores went through a tanh as well, so none can be above 1. Only the hidden layer has one; scores may be "
     "as large as they like."),

    # step · Task 4 · One step
    ("step", 5, ..., """
     def sgd_step(parameters, rate):
         for p in parameters:
             p.value = p.value - rate * p.grad
         parameters[0].zero_grad()
     """,
     "The first parameter is right. The others add up from step to step: each has a gradient to be set back."),
    ("step", 5, "p.value = p.value - rate * p.grad", "p.value = -rate * p.grad",
     "The new value is the step alone. The old value belongs to it: w - rate * gradient."),
    ("step", 5, "p.value = p.value - rate * p.grad", "p.value = p.value * (1 - rate * p.grad)",
     "The step was multiplied by the value itself. What is taken off is the rate times the gradient, and nothing "
     "else."),
    ("step", 5, "p.value = p.value - rate * p.grad", "p.value = p.value * rate * p.grad",
     "You multiplied the value by the step. What is taken OFF is the rate times the gradient. That w stays at 5 is "
     "chance: look at b, too."),

    # train · Task 5 · The training
    ("train", 3, "(scores(x[rows], *parameters), y[rows])", "(scores(x, *parameters), y)",
     "Your losses are those of ALL images. Each batch is x[rows], with the labels y[rows]."),
    ("train", 3, ..., """
     def train(x, y, parameters, rate, epochs, size, rng):
         losses = []
         for _ in range(epochs):
             rows = batches(len(x), size, rng)[0]
             loss = mg.nn.cross_entropy(scores(x[rows], *parameters), y[rows])
             loss.backward()
             sgd_step(parameters, rate)
             losses.append(loss.value)
         return losses
     """, "Only the first batch of each epoch takes part: four losses in all. Each batch has its turn."),
    ("train", 3, ..., """
     def train(x, y, parameters, rate, epochs, size, rng):
         losses = []
         for e in range(epochs):
             for rows in batches(len(x), size, np.random.default_rng(e)):
                 loss = mg.nn.cross_entropy(scores(mg.Constant(x[rows]), *parameters), y[rows])
                 losses.append(float(loss.value))
                 loss.backward()
                 sgd_step(parameters, rate)
         return losses
     """, "The batches come from a generator of your own, and not from `rng`, so their order is another one."),
    ("train", 3, """
     losses = []
     for _ in range(epochs):
         for rows in batches(len(x), size, rng):
     """, """
     losses, chosen = [], batches(len(x), size, rng)
     for _ in range(epochs):
         for rows in chosen:
     """,
     "The first epoch is right, the second begins wrong: each epoch needs a new order. Do you make the batches once, "
     "before the epochs?"),
    ("train", 3, "(scores(x[rows], *parameters), y[rows])", "(scores(x[rows], *parameters), y[: len(rows)])",
     "The labels do not belong to the rows: both x and y have to be indexed by the batch's row numbers."),
    ("train", 3, "sgd_step(parameters, rate)", "sgd_step(parameters, rate / len(rows))",
     "The steps are too small: cross_entropy is already a mean over the batch, so do not divide by its size again."),
    ("train", 3, """
             sgd_step(parameters, rate)
             losses.append(loss.value)
     return losses
     """, """
             losses.append(loss.value)
         sgd_step(parameters, rate)
     return losses
     """,
     "The second loss was computed with the first weights: no step was made in between. A step belongs to each batch."),
    ("train", 3, "losses = []", """
     losses = []
     parameters = [mg.Variable(p.value.copy()) for p in parameters]
     """,
     "All losses are right, but the parameters that train was given are as they were: you trained copies. Whoever "
     "called train has the old weights still."),

    # accuracy · Task 6 · Is it any good?
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)",
     "return np.mean(np.argmax(scores, axis=0) == labels)",
     "axis=0 looks down the columns and gives a row number for each digit. Each ROW has a largest score: axis=1."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)", "return np.mean(scores.argmax() == labels)",
     "These are not the places in each row: argmax without an axis gives one for the whole array, axis=0 one for each "
     "column. Look along each row: axis=1."),
    ("accuracy", 1, "scores.argmax(axis=1) == labels",
     "[scores[:, label].argmax() == row for row, label in enumerate(labels)]",
     "You looked for the largest score in each column, that is, for the image that is most like a 0. Each row is an "
     "image: look along the row."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)", "return np.mean(scores.max(axis=1) == labels)",
     "max gives the largest score. Where it stands was asked for: argmax."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)",
     "return 100 * np.mean(scores.argmax(axis=1) == labels)",
     "A fraction from 0 to 1 was asked for. You return percent."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)", "return scores.argmax(axis=1) == labels",
     "You return for each row whether it is right. The fraction of all rows was asked for: a mean."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)",
     "return np.mean(scores.max(axis=1).round() == labels)",
     "You compare the largest SCORE with the label. The label is a place, a column number: where in its row does the "
     "largest score stand?"),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)",
     "return np.mean(scores.argmin(axis=1) == labels)",
     "You looked for the smallest score. The prediction is the place of the largest: argmax."),
    ("accuracy", 1, "return np.mean(scores.argmax(axis=1) == labels)",
     "return np.sum(scores.argmax(axis=1) == labels) / 5",
     "You divide by 5, whatever number of rows comes. What says how many there are?"),
    ("accuracy", 1, ..., """
     def accuracy(scores, labels):
         return np.mean(scores.argmax(axis=0) == labels[:3])
     """,
     "Axis 0 goes down a column: it asks which image has the largest score for a digit. For each image, look "
     "along its row: axis=1."),
    ("batches", 5, "[order[k : k + size] for k in range(0, n, size)]",
     "[order[max(k - size, 0) : k] for k in range(n, 0, -size)]",
     "The rows are in the order of the permutation, but you cut from its end. The first batch is its first piece."),
    ("step", 5, """
     p.value = p.value - rate * p.grad
     p.zero_grad()
     """, """
     p = p - rate * p.grad
     p.zero_grad()
     """,
     "`p = p - ...` makes a new node and calls it p: the parameter stays as it was. Set what is in it, p.value."),
    ("batches", 5, ..., """
     def batches(n, size, rng):
         order = rng.permutation(n) + 1
         return [order[k : k + size] for k in range(0, n, size)]
     """,
     "Row numbers go from 0 to n - 1, as places in an array do. Yours begin with 1."),
    ("batches", 5, ..., """
     def batches(n, size, rng):
         return [rng.choice(n, min(size, n - k), replace=False) for k in range(0, n, size)]
     """,
     "The rows of each batch are drawn by themselves, so that a row may come twice. Draw one order of all rows, "
     "and cut it."),
    ("network", 2, ..., """
     def scores(x, W1, b1, W2, b2):
         return mg.tanh(x @ W1.T - b1) @ W2.T - b2
     """,
     "The biases are subtracted. Both are added, after the product."),
    ("network", 5, ..., """
     def scores(x, W1, b1, W2, b2):
         return (mg.tanh(x) @ W1.T + b1) @ W2.T + b2
     """,
     "The tanh stands around the input alone. It belongs around the whole first layer, product and bias."),
    ("network", 5, ..., """
     def scores(x, W1, b1, W2, b2):
         return mg.tanh(x @ W1.T) @ W2.T
     """,
     "Neither layer has its bias in the end: is `+ b1`, and `+ b2`, there?"),
    ("step", 5, ..., """
     def sgd_step(parameters, rate):
         for p in parameters:
             p.value = p.value - rate * p.grad / len(parameters)
             p.zero_grad()
     """,
     "The step is divided by the number of parameters. Each of them is moved by the rate times its own gradient."),
    ("accuracy", 1, ..., """
     def accuracy(scores, labels):
         return sum(row[label] > 0 for row, label in zip(scores, labels)) / len(labels)
     """,
     "You ask whether the score at the label is positive. A row is right if it is the largest of its row."),
    ("accuracy", 1, ..., """
     def accuracy(scores, labels):
         return np.sum(scores.argmax(axis=1) == labels) / scores.shape[1]
     """,
     "You divide by the number of columns, the digits. The fraction is one of all rows."),
    ("train", 3, "sgd_step(parameters, rate)", "sgd_step(parameters, rate * len(rows) / size)",
     "The last batch of an epoch is smaller, and after it your numbers are off: its step was made smaller, too. The loss "
     "is a mean already: each step has the same rate."),
    ("step", 2, "p.value = p.value - rate * p.grad",
     "p.value = p.value - rate * p.grad if np.abs(p.grad).max() > 1e-3 else p.value",
     "A small gradient makes a small step, and not none. Near the bottom all gradients are small: leave none out."),
]
