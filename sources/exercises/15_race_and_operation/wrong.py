"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # row · Task 1 · A row
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 / tanh(a)"',
     "Upside down: the derivative is sinh over cosh."),
    ("row", 2, "+ log1p(exp(-2 * abs(a)))", "+ log1p(exp(-abs(a)))",
     "At 1 the value is wrong, at 0 it is right: the exponent is -2 |a|, and not -|a|."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"', 'return "abs(a) - log(2)", "sign(a)"',
     "That is what ln cosh looks like far away from 0. Near 0 the middle term counts, too: at 0 the value is 0."),
    ("row", 2, "(a) + log1p(exp(-2 * abs(a)))", "(a) + log1p(exp(2 * abs(a)))",
     "exp of a positive number: too large for a float far away from 0. The exponent is -2 |a|."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     "log1p(u) is ln(1 + u). You left out the 1, or took the plain log."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - 2", "tanh(a)"',
     "At 0 everything is right but the last number: ln 2 was asked for, and not 2."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)"',
     "Two texts were asked for, the value and the partial derivative, separated by a comma."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - v * v"',
     "1 - v² is the derivative of tanh, whose value is v. Here v is ln cosh a: its derivative is sinh a / cosh a."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - tanh(a)"',
     "1 - tanh a is something else. The derivative of ln cosh a is sinh a over cosh a."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - tanh(a) ** 2"',
     "That is the second derivative. The first one is sinh a over cosh a, which has a name."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sign(a)"',
     "The sign is the derivative of |a| alone. The second term changes with a as well."),
    ("row", 2, 'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"',
     'return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sinh(a)"',
     "You differentiated cosh, and not its logarithm: the derivative of ln u is u'/u."),

    # value · Task 2 · The value
    ("value", 5, "out[0] = a[0]", "",
     "The first entry of out still holds what was there before, 7: write it, too."),
    ("value", 5, "out[0] = a[0]", "out[0] = r * a[0]",
     "The first entry has a factor r. It is no echo: it is a[0] itself."),
    ("value", 5, "return out", """
     return out[-1]
     """, "Only the last entry came back. The whole array `out` was asked for."),
    ("value", 2, "out[0] = a[0]", "out = np.array(a)",
     "out still holds what was in it before: `out = ...` gives the name to another array, and the caller looks at the one that was given."),
    ("value", 5, """
     return out
     """, "", "The values are in out, but None came back: return out."),
    ("value", 5, "out[k] = a[k] + r * out[k - 1]", "out[k] = a[k] + r**k * a[0]",
     "Only the first entry echoes in yours. Every entry does."),
    ("value", 5, "out[k] = a[k] + r * out[k - 1]", "out[k] = a[k] + r**k * out[k - 1]",
     "The echo of the echo is too weak: v of k - 1 has its own powers of r in it already. Multiply it by r once, "
     "whatever k is."),
    ("value", 5, "out[k] = a[k] + r * out[k - 1]", "out[k] = r * a[k] + out[k - 1]",
     "The factor r stands in the wrong place: it multiplies the echo, not the new entry."),
    ("value", 5, "out[k] = a[k] + r * out[k - 1]", "out[k] = r * (a[k] + out[k - 1])",
     "r multiplies the new entry, too. Only the echo gets weaker."),
    ("value", 5, "return out", """
     return a
     """, "You return a, the input. The result is in out."),
    ("value", 5, "out[k] = a[k] + r * out[k - 1]", "out[k] = (1 - r) * a[k] + r * out[k - 1]",
     "The new entry is multiplied by 1 - r, as in a moving average. In an echo it counts in full."),
    ("value", 2, """
     out[0] = a[0]
     for k in range(1, len(a)):
     """, "for k in range(len(a)):",
     "The first entry has an echo, too: for k = 0, out[k - 1] is the LAST entry of out. Nothing comes before the "
     "first."),

    # vjp · Task 3 · The way back
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return adjoint + r * echo(adjoint, r)",
     "v_k itself counts once, with the factor 1. In yours the adjoint is there, and once more in the echo, whose "
     "first term it is."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint[::-1, ::-1], r)[::-1, ::-1]",
     "You reverse two axes. Only the first one is time, and an adjoint may have no other."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint[::-1], 1 / r)[::-1]",
     "1/r undoes the factor. The adjoint is multiplied by r for each step, as the echo is."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return adjoint",
     "Each a reaches more than its own v. What you return is the adjoint for r = 0."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint, -r)",
     "You sent the adjoint through an echo with -r. The adjoint has the same r; only the direction changes."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return adjoint + r * adjoint[::-1]",
     "A mirror image of the adjoint was added. a_k reaches v_k and all that come after it, each weaker by r."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint, r)",
     "The adjoint went forward in time. But if only the last v counts, all entries before it have a share in it: it "
     "goes backwards."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint, 1 / r)",
     "Dividing by r does not turn the direction round: the echo still runs from the first entry to the last."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return echo(adjoint[::-1], r)[::-1] * r",
     "Everything has a factor r too many, or it is the only thing there: v_k itself counts with the factor 1, the "
     "next with r, and so on."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]", "return r * adjoint",
     "Everything has a factor r too many, or it is the only thing there: v_k itself counts with the factor 1, the "
     "next with r, and so on."),
    ("vjp", 3, "return echo(adjoint[::-1], r)[::-1]",
     "return echo_value(adjoint[::-1], r, np.empty_like(adjoint))[::-1]",
     "For arrays it is right, but a node does not get through echo_value, which fills an array. Use the operation "
     "`echo`."),

    # kernel · Task 4 · The kernel
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, out):
             for k in range(a.shape[0]):
                 out[k, 0] = a[k, 0]
                 for j in range(1, a.shape[1]):
                     out[k, j] = a[k, j] + r * out[k, j - 1]

         return kernel
     """,
     "Your echo goes along each row, from left to right. It should go down, from one row to the next: the first axis."),
    ("kernel", 2, "r * out[k - 1, j]", "r * out[k, j - 1]",
     "The echo comes from the entry to the left. It should come from the row above: the first axis is the one that the "
     "echo goes along."),
    ("kernel", 2, "return kernel", "return kernel(np.zeros((2, 2)), np.zeros((2, 2)))",
     "echo_kernel makes a function and has to return it. Is the `return` of the outer function missing, or does it "
     "return something else than the inner function?"),
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, out):
             return echo_value(a, r, out)

         return kernel
     """,
     "The numbers are right, but arrays were made on the way, by a function that works with whole rows. numba wants "
     "plain loops over single numbers here."),
    ("kernel", 2, """
     for j in range(a.shape[1]):
         out[0, j] = a[0, j]
     """, "",
     "The first row of out still holds what was there before: nobody writes it, and everything after it is an echo "
     "of that."),
    ("kernel", 2, """
         out[0, j] = a[0, j]
     for k in range(1, a.shape[0]):
         for j in range(a.shape[1]):
             out[k, j] = a[k, j] + r * out[k - 1, j]
     """, """
         v = 0.0
         for k in range(a.shape[0]):
             v = a[k, j] + 0.5 * v
             out[k, j] = v
     """, "Your kernel works with a fixed number in place of r. A function inside a function may use the r around it."),
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, out):
             echo_value(a.copy(), r, out)

         return kernel
     """, "The numbers are right, but arrays are made on the way. Write the loops out, with out[k, j] = ..."),
    ("kernel", 2, "out[k, j] = a[k, j] + r * out[k - 1, j]", """
     a[k, j] = a[k, j] + r * a[k - 1, j]
     out[k, j] = a[k, j]
     """, "The values are right, but a was changed on the way. Write into out alone."),
    ("kernel", 2, "for k in range(1, a.shape[0]):", "for k in range(1, a.shape[0] - 1):",
     "The last row still holds what was there before: range(1, n) ends before n by itself."),
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, out):
             for k in range(a.shape[0]):
                 for j in range(a.shape[0]):
                     out[k, j] = a[k, j] + (r * out[k - 1, j] if k else 0.0)

         return kernel
     """, "Your inner loop counts as many columns as there are ROWS: a.shape[1] is the number of columns."),
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, out):
             n = a.shape[0]
             for k in range(n - 1, -1, -1):
                 for j in range(a.shape[1]):
                     out[k, j] = a[k, j] + (r * out[k + 1, j] if k + 1 < n else 0.0)

         return kernel
     """, "Your echo runs from the last row up to the first. It goes down: row k needs row k - 1."),
    ("kernel", 2, ..., """
     def echo_kernel(r):
         def kernel(a, r, out):
             for k in range(a.shape[0]):
                 for j in range(a.shape[1]):
                     out[k, j] = a[k, j] + (r * out[k - 1, j] if k else 0.0)

         return kernel
     """, "kernel takes two things, a and out. r is known already: the function around it has it."),

    # looks · Task 5 · The test
    ("looks", 3, ..., """
     def looks_right(candidate):
         return True
     """, "You accept everything. What must a candidate fail for a False?"),
    ("looks", 3, ..., """
     def looks_right(candidate):
         try:
             mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, 0.8))), np.array([0.7, -1.3, 0.4, 2.1, -0.6]))
         except AssertionError:
             return False
         return True
     """,
     "A wrong echo was accepted whose vjp agrees with its values. A gradient check compares the derivative with the "
     "function as it is: compare the values, too."),
    ("looks", 3, "if not np.allclose(candidate(a, r), expected):",
     "if not np.allclose(candidate(a, r)[0], expected[0]):",
     "One right entry is enough for you, and the first has no echo at all. Compare all entries."),
    ("looks", 3, """
     if not np.allclose(candidate(a, r), expected):
         return False
     try:
         mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
     except AssertionError:
         return False
     return True
     """, "return np.allclose(candidate(a, r), expected)",
     "A wrong vjp was accepted. Its values are right, so the values cannot tell: mg.check_gradients can, "
     "and where it raises an AssertionError, the answer is False."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.zeros(4)
         try:
             mg.check_gradients(lambda a: candidate(a, -1.3), a)
         except AssertionError:
             return False
         return bool(np.allclose(candidate(a, -1.3), echo(a, -1.3)))
     """, "The echo of zeros is zero, whatever mistake is in it. Try numbers that are not 0, and all different."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.array([1.0, -2.0, 3.0, 0.5])
         mg.check_gradients(lambda a: candidate(a, -1.3), a)
         return bool(np.allclose(candidate(a, -1.3), echo(a, -1.3)))
     """, "check_gradients says no by an AssertionError, and yours leaves the function. Catch it, and return False."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.array([1.0, -2.0, 3.0, 0.5])
         try:
             mg.check_gradients(lambda a: candidate(a, -1.3), a)
         except AssertionError:
             return False
         return bool(np.allclose(candidate(a, -1.3), echo(a, -1.3), atol=10))
     """, "The values are compared, but so loosely that a wrong echo passes. What is right agrees to ten digits."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.array([1.0, -2.0, 3.0, 0.5])
         try:
             mg.check_gradients(lambda a: candidate(a, -1.3), a)
         except AssertionError:
             return False
         return candidate(a, -1.3) == echo(a, -1.3)
     """,
     "Comparing two arrays gives an array of answers, and == asks for every last bit. One True or False was asked "
     "for: np.allclose."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), -1.3
         try:
             mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
         except AssertionError:
             return False
     """, "A check that passes is silent, so your function ends without a verdict. Return True at the end."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), -1.3
         expected = a.copy()
         expected[1:] += r * a[:-1]
         return np.allclose(candidate(a, r), expected)
     """,
     "Your test rejects a right echo. Is the value that you compare with computed with the same r? Is it an echo of "
     "echoes? Are True and False in the right places?"),
    ("looks", 3, """
         return False
     return True
     """, """
         return True
     return False
     """,
     "Your test rejects a right echo. Is the value that you compare with computed with the same r? Is it an echo of "
     "echoes? Are True and False in the right places?"),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.array([1.0, 1.0, 1.0])
         try:
             mg.check_gradients(lambda a: candidate(a, 1.0), a)
         except AssertionError:
             return False
         return bool(np.allclose(candidate(a, 1.0), [1.0, 2.0, 3.0]))
     """,
     "What you compare does not show a weak echo: with r = 1 all its powers are 1, and the first entry has no echo "
     "at all. Choose another r, and compare all entries, all different."),
    ("looks", 3, ..., """
     def looks_right(candidate):
         a = np.array([0.7, -1.3, 0.4, 2.1, -0.6])
         try:
             mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, 0.0))), a)
         except AssertionError:
             return False
         return np.allclose(candidate(a, 0.0), a)
     """,
     "With r = 0, or with zeros only, there is no echo, and every mistake in it is multiplied by 0. Take an r that "
     "is neither 0 nor 1, and different numbers."),
    ("vjp", 3, ..., """
     def echo_vjp(adjoint, r):
         return adjoint + echo(adjoint[::-1], r)[::-1]
     """,
     "The adjoint itself is counted twice: its echo holds it already, with the factor 1."),
]
