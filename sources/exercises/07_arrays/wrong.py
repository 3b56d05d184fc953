"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # unbroadcast · Task 1 · The adjoint of copies is their sum
    ("unbroadcast", 5, ..., """
     def unbroadcast(adjoint, shape):
         return np.broadcast_to(adjoint, shape)
     """, "You broadcast once more. The adjoint has already the large shape: sums lead back to the small one."),
    ("unbroadcast", 3, ..., """
     def unbroadcast(adjoint, shape):
         while adjoint.ndim > len(shape):
             adjoint = adjoint.sum(axis=0)
         return adjoint.reshape(-1)[: int(np.prod(shape))].reshape(shape)
     """,
     "You cut off what is too much. Every copy counts: what was copied along an axis has to be summed over it, and "
     "not left out."),
    ("unbroadcast", 7, ..., """
     def unbroadcast(adjoint, shape):
         return adjoint.sum(axis=0).reshape(shape)
     """,
     "You sum over the first axis whatever happened, and press the rest into the shape. Ask each axis: was it "
     "missing, or of size 1, or neither?"),
    ("unbroadcast", 5, ..., """
     def unbroadcast(adjoint, shape):
         while adjoint.ndim > len(shape):
             adjoint = adjoint[0]
         for k, size in enumerate(shape):
             if size == 1:
                 adjoint = np.take(adjoint, [0], axis=k)
         return adjoint
     """,
     "You keep the adjoint of one copy and forget the others. The shape is right, but the contributions of all "
     "copies have to be added."),
    ("unbroadcast", 5, ..., """
     def unbroadcast(adjoint, shape):
         while adjoint.ndim > len(shape):
             adjoint = adjoint.max(axis=0)
         for k, n in enumerate(shape):
             if n == 1:
                 adjoint = adjoint.max(axis=k, keepdims=True)
         return adjoint
     """,
     "You take the largest of what came back to the copies. Each copy changes the result by itself, so all their "
     "contributions add up."),
    ("unbroadcast", 3, ..., """
     def unbroadcast(adjoint, shape):
         while adjoint.ndim > len(shape):
             adjoint = adjoint.sum(axis=0)
         for k in reversed(range(len(shape))):
             if shape[k] == 1:
                 adjoint = adjoint.sum(axis=k)
         return adjoint
     """,
     "The sum over an axis of size 1 is right, but the axis is gone: a (4, 1) comes back as a (4,). The adjoint must "
     "have the shape of the input. What does `keepdims` do?"),
    ("unbroadcast", 3, ..., """
     def unbroadcast(adjoint, shape):
         for k in range(adjoint.ndim - len(shape)):
             adjoint = adjoint.sum(axis=k, keepdims=True)
         for k, n in enumerate(shape):
             if n == 1:
                 adjoint = adjoint.sum(axis=k, keepdims=True)
         return adjoint
     """,
     "The sums are right, but an axis that was missing on the left is still there, with size 1. It must go; only "
     "axes of size 1 keep their place."),
    ("unbroadcast", 4, ..., """
     def unbroadcast(adjoint, shape):
         while adjoint.ndim > len(shape):
             adjoint = adjoint.sum(axis=-1)
         stretched = tuple(k for k, size in enumerate(shape) if size == 1)
         return adjoint.sum(axis=stretched, keepdims=True)
     """,
     "You sum over the last axes. Shapes are compared from the right, so the axes that a smaller array lacks are the "
     "first ones: a (3,) in a (4, 3) is a row, copied downwards."),
    ("unbroadcast", 5, ..., """
     def unbroadcast(adjoint, shape):
         return adjoint.reshape(shape)
     """,
     "A reshape only rearranges entries, and here there are more of them than `shape` has room for. The entries that "
     "belong to one original have to be added up."),
    ("unbroadcast", 5, ..., """
     def unbroadcast(adjoint, shape):
         if adjoint.shape != tuple(shape):
             return adjoint.sum() * np.ones(shape)
         return adjoint
     """,
     "Every entry of your result is the sum of ALL entries. Only the axes that were copied along are summed, one "
     "after the other."),

    # matmul · Task 2 · The product of matrices
    ("matmul", 4, "B_bar = np.swapaxes(A, -1, -2) @ C_bar", "B_bar = np.swapaxes(C_bar, -1, -2) @ A",
     "One of the adjoints is the transpose of what it should be: (C_barᵀ A) is the transpose of (Aᵀ C_bar). B_bar "
     "has the shape of B."),
    ("matmul", 3, ..., """
     def matmul_vjp(C_bar, A, B):
         At, Bt = np.swapaxes(A, -1, -2), np.swapaxes(B, -1, -2)
         return unbroadcast(C_bar @ Bt, A.shape), unbroadcast(C_bar @ At, B.shape) if C_bar.shape[-1] == At.shape[
             -2
         ] else unbroadcast(At @ C_bar, B.shape)
     """,
     "B stands on the right of A, so its adjoint has A's transpose on the LEFT of C_bar. With square matrices both "
     "orders have the right shape, and only one has the right numbers."),
    ("matmul", 4, "A_bar = C_bar @ np.swapaxes(B, -1, -2)", "A_bar = C_bar * np.swapaxes(B, -1, -2)",
     "* multiplies entry by entry. The adjoints are products of matrices: @."),
    ("matmul", 4, ..., """
     def matmul_vjp(C_bar, A, B):
         return C_bar @ B, A @ C_bar
     """,
     "Where is the transpose? A_bar is C_bar times the transpose of B: C_bar has B's columns, and A_bar has B's "
     "rows. Write the shapes under the product, and see which inner sizes agree."),
    ("matmul", 1, "return unbroadcast(A_bar, A.shape), unbroadcast(B_bar, B.shape)", """
     while A_bar.ndim > A.ndim:
         A_bar = A_bar.mean(axis=0)
     while B_bar.ndim > B.ndim:
         B_bar = B_bar.mean(axis=0)
     return A_bar, B_bar
     """, "You took the mean over the stack. The same matrix was used several times: its shares add up."),
    ("matmul", 1, ..., """
     def matmul_vjp(C_bar, A, B):
         return C_bar @ np.swapaxes(B, -1, -2), np.swapaxes(A, -1, -2) @ C_bar
     """,
     "One adjoint came back for each matrix of the stack, but there is only one B: it was used three times, as if "
     "copied. What is the adjoint of something copied? You wrote that in Task 1."),
    ("matmul", 4, ..., """
     def matmul_vjp(C_bar, A, B):
         return C_bar * B, A * C_bar
     """, "* multiplies entry by entry. The adjoints of a product of matrices are products of matrices, too: @."),
    ("matmul", 4, ..., """
     def matmul_vjp(C_bar, A, B):
         return np.swapaxes(B, -1, -2) @ C_bar, C_bar @ np.swapaxes(A, -1, -2)
     """,
     "The inner sizes do not agree: the factors are in the wrong order, or a transpose is missing. B stands on the "
     "right in A @ B, so its transpose stands on the right in A_bar; A's transpose stands on the left in B_bar."),
    ("matmul", 4, ..., """
     def matmul_vjp(C_bar, A, B):
         A_bar = unbroadcast(C_bar @ np.swapaxes(B, -1, -2), A.shape)
         B_bar = unbroadcast(np.swapaxes(A, -1, -2) @ C_bar, B.shape)
         return B_bar, A_bar
     """,
     "Both adjoints are right, but in the wrong order: A_bar is asked for first. An adjoint has the shape of what it "
     "belongs to, which tells you which is which."),
    ("matmul", 4, ..., """
     def matmul_vjp(C_bar, A, B):
         return C_bar @ B.T, (A.T @ C_bar) * B
     """,
     "A_bar is right. B_bar was multiplied by B itself at the end: an adjoint of B has A and C_bar in it, and "
     "nothing else."),
    ("matmul", 1, ..., """
     def matmul_vjp(C_bar, A, B):
         return unbroadcast(C_bar @ B.T, A.shape), unbroadcast(A.T @ C_bar, B.shape)
     """,
     "For matrices this is right. Of a stack, .T reverses all axes, the one that counts the matrices, too. Swap the "
     "last two only: np.swapaxes(A, -1, -2)."),

    # judge · Task 3 · The dot-product test
    ("judge", 2, """
     scale = max(abs(forward), abs(backward))
     return abs(forward - backward) / scale if scale else 0.0
     """, "return abs(forward - backward) / (abs(forward) + abs(backward)) if forward or backward else 0.0",
     "You divided by the sum of the two sizes. The LARGER of the two was asked for."),
    ("judge", 2, "(w * jvp(u)), np.sum(vjp(w) * u)", "(w * jvp(w)), np.sum(vjp(u) * u)",
     "u and w have changed places: jvp takes u, the direction of the input, and its result is multiplied by w."),
    ("judge", 2, "(w * jvp(u)), np.sum(vjp(w) * u)", "(w @ jvp(u)), np.sum(vjp(w) @ u)",
     "@ of two matrices is another product. Here entries meet entries: multiply them with *, and sum over all."),
    ("judge", 2, ", np.sum(vjp(w) * u)", ", np.sum(vjp(u) * w)",
     "jvp takes u, and vjp takes w. You gave one of them the other's vector."),
    ("judge", 2, "return abs(forward - backward) / scale if scale else 0.0", "return abs(forward - backward) / scale",
     "Both numbers are 0, and 0 / 0 is nan. The text says what should come out then."),
    ("judge", 2, "scale = max(abs(forward), abs(backward))", "scale = max(forward, backward)",
     "Both numbers are negative here. The larger of their ABSOLUTE values was asked for, and you took the larger of "
     "the numbers."),
    ("judge", 2, "return abs(forward - backward)", "return (forward - backward)",
     "How far two numbers are apart has no sign: the absolute value of the difference is missing."),
    ("judge", 2, ..., """
     def dot_product_test(jvp, vjp, u, w):
         a, b = np.linalg.norm(jvp(u)), np.linalg.norm(vjp(w))
         return abs(a - b) / max(a, b) if max(a, b) else 0.0
     """,
     "You compare the lengths of J u and of the vjp. Two products are to be compared: w with jvp(u), and vjp(w) with "
     "u."),

    # loss · Task 4 · A loss that does not overflow
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         m = logits.max(axis=1)
         total = 0.0
         for i in range(len(labels)):
             total = np.log(np.sum(np.exp(logits[i] - m[i]))) - (logits[i, labels[i]] - m[i])
         return total / len(labels)
     """,
     "Only the last row is in your sum: total is set anew in each round. Add the rows up, and divide then."),
    ("loss", 2, "right = shifted[np.arange(len(labels)), labels]", "right = shifted[:, labels]",
     "[:, labels] picks these columns in EVERY row. One logit for each row was wanted: row numbers and labels "
     "together, [np.arange(n), labels]."),
    ("loss", 2, "shifted = logits - logits.max(axis=1, keepdims=True)", "shifted = logits - logits.max()",
     "You subtract the largest logit of the whole batch. In a row whose own logits are much smaller, all "
     "exponentials are 0 then. Each row has its own largest: axis=1."),
    ("loss", 2, "shifted = logits - logits.max(axis=1, keepdims=True)", "shifted = logits",
     "The loss is infinite: exp of 10000 is too large for a float. The largest logit of each row is not subtracted "
     "before exp, or not the largest one. What would the largest power be then?"),
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         powers = np.exp(logits - logits.max(axis=1, keepdims=True))
         probabilities = powers / powers.sum(axis=1, keepdims=True)
         return np.mean(-np.log(probabilities[np.arange(len(labels)), labels]))
     """,
     "Nothing overflows any more, but the probability of the label rounds to 0, and its logarithm is infinite. Do "
     "not compute the probability: take the log of the sum, minus the label's shifted logit."),
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         e = np.exp(logits - logits.max(axis=1, keepdims=True))
         p = e / e.sum(axis=1, keepdims=True)
         return -np.mean(np.log(p[np.arange(len(labels)), labels] + 1e-12))
     """,
     "The probability was kept away from 0 by a tiny number, so no loss can be larger than its logarithm. Do not "
     "compute the probability: the log of the sum, minus the label's shifted logit."),
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         powers = np.exp(logits)
         probabilities = powers / powers.sum(axis=1, keepdims=True)
         return -np.mean(np.log(probabilities[np.arange(len(labels)), labels]))
     """,
     "exp(10000) is infinite, and so is what follows. Subtract the largest logit of each row from the whole row "
     "first: softmax does not change when all logits change by the same amount."),
    ("loss", 2, "(np.log(np.exp(shifted).sum(axis=1)) - right)", "(np.log(np.exp(shifted).sum(axis=0)) - right)",
     "The sum goes down the columns, over the pictures. A row is a picture: sum along it, axis=1."),

    # slope · Task 5 · Prediction minus truth
    ("slope", 3, "softmax[np.arange(len(labels)), labels] -= 1", "softmax[labels] -= 1",
     "labels stand where row numbers belong, and there are fewer rows than classes. One entry of each row: the row "
     "numbers first, then the labels, [np.arange(n), labels]."),
    ("slope", 3, "softmax[np.arange(len(labels)), labels] -= 1", "softmax[:, labels] -= 1",
     "The difference is taken in too many entries: [:, labels] picks these columns in *every* row. One entry for "
     "each row: row numbers and labels together, [np.arange(n), labels]."),
    ("slope", 3, ..., """
     def cross_entropy_vjp(adjoint, logits, labels):
         p = np.exp(logits - logits.max(axis=1, keepdims=True))
         p /= p.sum(axis=1, keepdims=True)
         p[np.arange(len(labels)), labels] -= 1
         return adjoint * p / logits.shape[1]
     """, "You divided by the number of classes. The loss is a mean over the ROWS: how many are there?"),
    ("slope", 3, "softmax[np.arange(len(labels)), labels] -= 1", "softmax[np.arange(len(labels)), labels] = -1",
     "At the label stands -1 alone: you put -1 there instead of subtracting 1 from what the softmax gave."),
    ("slope", 2, "powers = np.exp(logits - logits.max(axis=1, keepdims=True))", """
     logits -= logits.max(axis=1, keepdims=True)
     powers = np.exp(logits)
     """, "The result is right, but -= has changed the caller's logits. Make a new array."),
    ("slope", 3, "return adjoint * softmax / len(labels)", "return adjoint * softmax / softmax.size",
     "Too small: you divided by the number of all entries. The loss is a mean over the rows only."),
    ("slope", 3, ..., """
     def cross_entropy_vjp(adjoint, logits, labels):
         p = np.exp(logits - logits.max(axis=1, keepdims=True))
         p /= p.sum(axis=1, keepdims=True)
         return adjoint * (p - 1) / len(labels)
     """, "1 was taken off every entry. Only the entry of the right class of each row loses 1."),
    ("slope", 3, "softmax = powers / powers.sum(axis=1, keepdims=True)", "softmax = powers / powers.sum()",
     "Each row of a softmax adds up to 1. Yours add up to 1 over the whole batch: sum along each row, axis=1."),
    ("slope", 3, ..., """
     def cross_entropy_vjp(adjoint, logits, labels):
         powers = np.exp(logits)
         softmax = powers / powers.sum(axis=1, keepdims=True)
         truth = np.eye(logits.shape[1])[labels]
         return adjoint * (softmax - truth) / len(labels)
     """,
     "The softmax inside still overflows: infinity divided by infinity is not a number. Subtract the largest logit "
     "of each row here too."),
    ("slope", 3, """
     softmax[np.arange(len(labels)), labels] -= 1
     return adjoint * softmax / len(labels)
     """, """
     truth = np.eye(logits.shape[1])[labels]
     return adjoint * (truth - softmax) / len(labels)
     """,
     "The sign is the opposite: it is softmax minus truth. Going *against* the gradient must raise the label's "
     "logit, so its entry is negative."),

    # what the library does in the place of the answers
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         import minigrad as mg
         return mg.softmax_cross_entropy(logits, labels)
     """,
     "minigrad's own loss does the work. The number is right, and the task is to write the formula above in NumPy."),
    ("slope", 2, ..., """
     def cross_entropy_vjp(adjoint, logits, labels):
         import minigrad as mg
         return adjoint * mg.grad(lambda z: mg.softmax_cross_entropy(z, labels))(logits)
     """,
     "minigrad differentiates its own loss for you. The numbers are right, and the task is to write them down in NumPy: "
     "the softmax, minus 1 at the label."),
    ("unbroadcast", 2, ..., """
     def unbroadcast(adjoint, shape):
         return adjoint.reshape(-1, *shape).sum(axis=0)
     """,
     "Whole copies one behind the other: that is how missing axes on the left were copied. Along an axis of size 1 the "
     "copies of an entry lie elsewhere: sum over that axis itself."),
    ("matmul", 1, "np.swapaxes(A, -1, -2) @ C_bar", "(np.swapaxes(C_bar, -1, -2) @ A if A.ndim > 2 else A.T @ C_bar)",
     "In a stack B_bar is transposed: as for single matrices, A, transposed, stands on the left of C_bar."),
    ("slope", 3, """
     softmax[np.arange(len(labels)), labels] -= 1
     return adjoint * softmax / len(labels)
     """, """
     softmax = adjoint * softmax / len(labels)
     softmax[np.arange(len(labels)), labels] -= 1
     return softmax
     """,
     "One row is right, two are not: the 1 at the label is part of the mean, too. Subtract it first, divide and "
     "multiply then."),
    ("unbroadcast", 1, "adjoint = adjoint.sum(axis=tuple(range(missing)))",
     "adjoint = adjoint.sum(axis=tuple(k for k in range(missing) if adjoint.shape[k] > 1))",
     "An axis that was missing goes, also where its size is 1: the result has as many axes as `shape`."),
    ("judge", 2, "/ scale if scale else 0.0", "/ (scale + 1)",
     "The denominator is larger than the larger number: was something added, against a division by 0? Small numbers "
     "look equal then. Treat the case of two zeros by itself."),
    ("judge", 2, "if scale else 0.0", "if scale > 1e-9 else 0.0",
     "Small numbers are no zeros. Return 0 where both are exactly 0, and divide everywhere else."),
    ("loss", 2, ..., """
     def cross_entropy(logits, labels):
         powers = np.exp(logits - logits.max(axis=1, keepdims=True))
         shares = powers / powers.sum(axis=1, keepdims=True)
         return np.mean(-np.log(shares[np.arange(len(labels)), labels] + 1e-15))
     """,
     "A small number inside the logarithm hides its zeros, and with them the large losses. The logarithm of a quotient is "
     "a difference: log of the sum, minus the logit."),
]
