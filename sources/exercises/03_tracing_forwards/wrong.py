"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # blanks · Task 1 · Fill in the blanks
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 5, "C": 4, "D": 2, "E": 1, "F": 5, "G": 1}',
     "v1 = x * y: each factor's tangent is multiplied by the other factor, and y does not move. You added both factors, as if "
     "both tangents were 1."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -1.5}',
     "Only the denominator's part is there. v4, in the numerator, changes as well: its partial derivative is 1/x."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": 7, "F": 21, "G": 9}',
     "The row subtracts, so its tangent does, too: the minus belongs to the second tangent as well."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 2, "C": 4, "D": 2, "E": -2, "F": -6, "G": -4.5}',
     "In a product each tangent is multiplied by the OTHER factor. Here x has the tangent 1: by what is it "
     "multiplied?"),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": 0, "G": -1.5}',
     "A product's tangent has two terms, each a tangent times the OTHER value. You multiplied the two tangents with "
     "each other, or left the first term out because the second is 0."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -1.5}',
     "x stands in the denominator, and it changes, too: the second partial derivative of the quotient, times the "
     "tangent of x, is missing."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": 0}',
     "Both shares of row 5 are there, but the second was added. The partial derivative with respect to the "
     "denominator is negative."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 1, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     "The tangent of a product has two terms: each tangent times the other factor. The factor of the tangent of x is "
     "y, which is 3, not 1 or 2."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 2, "D": 2, "E": 1, "F": 3, "G": 0}',
     "x occurs twice in x * x, and both factors change. The product rule has a term for each."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 5, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     "Row 1 is a product, v1 = x * y. You added the two."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 6, "C": 4, "D": 2, "E": 2, "F": 6, "G": 1.5}',
     "That is the value, and the blank asks for the tangent. The tangent of a product is a sum of two terms, and one "
     "of them is zero here."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     'return {"A": 6, "B": 3, "C": 4, "D": -2, "E": -1, "F": -3, "G": -3}',
     "Row 3 is a difference of values: v1 minus v2, and not the other way round or a sum."),
    ("blanks", 3, 'return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}',
     "return [6, 3, 4, 2, -1, -3, -3]",
     'A dict was asked for, with a letter for each number: {"A": ..., "B": ...}.'),

    # pass · Task 2 · The whole column
    ("pass", 3, ..., """
     def forward_pass(tape, seed):
         tangent = dict(seed)
         for name, made_of in tape:
             if made_of:
                 tangent[name] = sum(partial * tangent.get(earlier, 0.0) for earlier, partial in made_of)
         return tangent
     """,
     "The inputs that are not in the seed are missing from your dict. EVERY row was asked for, and such an input has "
     "the tangent 0."),
    ("pass", 3, "tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)", """
     tangent[name] = (0.0 if made_of else seed.get(name, 1.0)) + sum(
         partial * tangent[earlier] for earlier, partial in made_of
     )
     """, "Inputs that are not in the seed got the tangent 1. They do not move in this pass: their tangent is 0."),
    ("pass", 3, ..., """
     def forward_pass(tape, seed):
         for name, parts in tape:
             if parts:
                 seed[name] = sum(p * seed[n] for n, p in parts)
             else:
                 seed.setdefault(name, 0.0)
         return seed
     """,
     "The tangents were written into the seed that the caller gave you, and the caller may use it again. Start a "
     "dict of your own."),
    ("pass", 3, "tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)", """
     tangent[name] = seed.get(name, 0.0)
     for earlier, partial in made_of:
         tangent[name] = partial * tangent[earlier]
     """,
     "Only the last pair of each row counts in your pass. v1 was made of x1 and of x2: add up their terms instead of "
     "replacing one by the other."),
    ("pass", 3, "tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)", """
     if not made_of:
         tangent[name] = seed.get(name, 0.0)
     else:
         tangent[name] = 1.0
         for n, p in made_of:
             tangent[name] *= p * tangent[n]
     """, "The terms of a row were multiplied. What comes from its two inputs adds up."),
    ("pass", 3, ..., """
     def forward_pass(tape, seed):
         tangent = dict(seed)
         for name, made_of in tape:
             if made_of:
                 tangent[name] = sum(partial * tangent[earlier] for earlier, partial in made_of)
         return tangent
     """,
     "x2 is not in the seed, so it is not in your dict either when v1 asks for it. An input that is not in the seed "
     "has the tangent 0: put it in."),
    ("pass", 3, "tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)", """
     partials = dict(made_of)
     tangent[name] = seed.get(name, 0.0) + sum(p * tangent[earlier] for earlier, p in partials.items())
     """,
     "A row may be made of the same value twice, as x * x is: two pairs with one name. If the second replaces the "
     "first (in a dict of pairs, say), half of the tangent is gone."),
    ("pass", 3, "return tangent", "return tangent[name]",
     "You return the tangent of the last row alone. Every row of the table has a tangent: return the whole dict."),
    ("pass", 3, ..., """
     def forward_pass(tape, seed):
         t = {name: seed.get(name, 0.0) for name, _ in tape}
         for name, parts in reversed(tape):
             for n, p in parts:
                 t[name] += p * t[n]
         return t
     """, "v2 asks for v1, and gets 0. Either you go up the tape, where v1 has no tangent yet; or you ask the seed, which knows "
     "only inputs. Go down, and ask your own dict: every row needs the rows above it."),

    ("pass", 3, ..., """
     def forward_pass(tape, seed):
         t = {}
         for name, parts in tape:
             t[name] = seed.get(name, 0.0) if name.startswith("x") else sum(p * t[n] for n, p in parts)
         return t
     """,
     "You tell the inputs by their name. An input may be called anything: it is in the seed, or made of nothing."),

    # columns · Task 3 · Column by column
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         rows = []
         for k in range(len(x)):
             outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
             for y in outputs:
                 rows.append([y.tangent if isinstance(y, Dual) else 0.0])
         return rows
     """,
     "The right numbers, all in one column. Each pass gives a column with a number for each output: row i takes "
     "entry i of each of them."),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         columns = []
         for k in range(len(x)):
             outputs = f([Dual(value, 1.0) for value in x])
             columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
         return [list(row) for row in zip(*columns)]
     """,
     "Every pass of yours moves all inputs at once, so each column is the sum of all columns. In pass k only input k "
     "has the tangent 1."),
    ("columns", 3, "outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])", """
     x[k] = Dual(x[k], 1.0)
     outputs = f(x)
     """,
     "The dual of the first pass is still in x in the second: then both inputs move. And x belongs to the caller. Make "
     "a new list for each pass."),
    ("columns", 3, "return [list(row) for row in zip(*columns, strict=True)]", "return columns",
     "It is the transpose: each of your inner lists is a column, the answer of one pass. The result should have a "
     "row for each output."),
    ("columns", 3, "(y, Dual) else 0.0 for y in outputs", "(y, Dual) else y for y in outputs",
     "A plain number among the outputs does not depend on any input, so its derivatives are 0. You put its value "
     "into the matrix."),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         def entry(j, k):
             y = f([Dual(value, float(i == k)) for i, value in enumerate(x)])[j]
             return y.tangent if isinstance(y, Dual) else 0.0

         outputs = len(f([Dual(value, 0.0) for value in x]))
         return [[entry(j, k) for k in range(len(x))] for j in range(outputs)]
     """,
     "You call f once for each entry of the matrix. One pass gives the derivatives of ALL outputs with respect to "
     "one input: keep the whole column."),
    ("columns", 3, """
         columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
     return [list(row) for row in zip(*columns, strict=True)]
     """, """
         columns.append([y.tangent for y in outputs])
     return [list(row) for row in zip(*columns)]
     """,
     "One of the outputs is a plain number, which has no tangent to read. It does not depend on any input: what is "
     "its derivative?"),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         cols = []
         for j in range(len(x)):
             y = f([Dual(v, v if i == j else 0.0) for i, v in enumerate(x)])
             cols.append([z.tangent if isinstance(z, Dual) else 0.0 for z in y])
         return [list(r) for r in zip(*cols)]
     """, "The seed of input k is its value. It is 1: how much does x grow when x grows by 1?"),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         n = len(f([Dual(v) for v in x]))
         J = [[0.0] * len(x)] * n
         for j in range(len(x)):
             y = f([Dual(v, float(i == j)) for i, v in enumerate(x)])
             for i, z in enumerate(y):
                 J[i][j] = z.tangent if isinstance(z, Dual) else 0.0
         return J
     """,
     "All rows are equal: [[0.0] * n] * m holds m times the SAME list, so each entry that you write shows in all of "
     "them. Make a new list for each row."),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         cols = []
         for j in range(len(x)):
             y = f([Dual(v, 1.0 if i == j else 0.0) for i, v in enumerate(x)])
             cols.append([z.tangent for z in y if isinstance(z, Dual)])
         return [list(r) for r in zip(*cols)]
     """,
     "An output that is a plain number is missing from your result. It does not depend on the inputs, and its row is "
     "full of zeros: the row must be there."),
    ("columns", 3, ..., """
     def jacobian_columns(f, x):
         columns = []
         for k in range(1, len(x) + 1):
             y = f([Dual(v, float(i == k)) for i, v in enumerate(x)])
             columns.append([getattr(o, "tangent", 0.0) for o in y])
         return [list(r) for r in zip(*columns)]
     """,
     "Your loop seeds inputs 1, 2, ... and never input 0: in Python the first has the number 0. The first column "
     "is the second one's."),

    # direction · Task 4 · One pass, any direction
    ("direction", 2, ..., """
     def along(f, x, u):
         outputs = f([Dual(value, 1.0) for value in x])
         return [y.tangent * sum(u) if isinstance(y, Dual) else 0.0 for y in outputs]
     """,
     "You move all inputs at once, with speed 1, and multiply by the sum of u. Each input has its own speed: u[k] "
     "is the tangent of input k."),
    ("direction", 2, ..., """
     def along(f, x, u):
         y = f([Dual(a + b, b) for a, b in zip(x, u)])
         return [z.tangent if isinstance(z, Dual) else 0.0 for z in y]
     """,
     "The values were moved along u, too. The derivative is taken at x: the direction belongs into the tangents "
     "alone."),
    ("direction", 2, ..., """
     def along(f, x, u):
         n = math.sqrt(sum(v * v for v in u))
         y = f([Dual(a, b / n) for a, b in zip(x, u)])
         return [z.tangent if isinstance(z, Dual) else 0.0 for z in y]
     """,
     "The direction was scaled to length 1. J u was asked for: a direction twice as long changes the outputs twice "
     "as fast."),
    ("direction", 2, ..., """
     def along(f, x, u):
         h = 1e-6
         high = f([value + h * speed for value, speed in zip(x, u)])
         low = f([value - h * speed for value, speed in zip(x, u)])
         return [(a - b) / (2 * h) for a, b in zip(high, low)]
     """,
     "Two calls, whatever the number of inputs: a difference quotient along u. That is only approximate. One call on "
     "dual numbers gives the same, exactly."),
    ("direction", 2, ..., """
     def along(f, x, u):
         product = None
         for k in range(len(x)):
             outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
             column = [u[k] * (y.tangent if isinstance(y, Dual) else 0.0) for y in outputs]
             product = column if product is None else [a + b for a, b in zip(product, column)]
         return product
     """,
     "Three calls for three inputs: you build the whole Jacobian, with a pass for each input. Put the direction into "
     "the seed, and one pass gives the product."),
    ("direction", 2, "outputs = f([Dual(value, speed) for value, speed in zip(x, u, strict=True)])",
     "outputs = f([Dual(value, 1.0) for value in x])",
     "You move every input with speed 1, whatever u says. The speed of input k is u[k]."),
    ("direction", 2, "tangent if isinstance(y, Dual) else 0.0 for", "tangent for",
     "One of the outputs is a plain number, which has no tangent to read. It does not depend on any input: what is "
     "its speed?"),
    ("direction", 2, "return [y.tangent if isinstance(y, Dual) else 0.0 for y in outputs]",
     "return sum(y.tangent if isinstance(y, Dual) else 0.0 for y in outputs)",
     "You added up the outputs. Each output has a speed of its own: return a list."),

    # seed · Task 5 · The seed that answers a question
    ("seed", 1, "return [1.0, 0.0, -2.0]", "return [1.0, -2.0, 0.0]",
     "Another edge moves with your seed: which of the three stands still, and which one shrinks? The order is x, y, z."),
    ("seed", 1, "return [1.0, 0.0, -2.0]", 'return {"x": 1.0, "y": 0.0, "z": -2.0}',
     "A list of three numbers was asked for: the tangents of x, y and z, in this order."),
    ("seed", 1, "return [1.0, 0.0, -2.0]", "return [1.0, 1.0, 1.0]",
     "A seed of ones asks how fast the volume changes if all edges grow by 1 per minute. How fast do they really "
     "change?"),
    ("seed", 1, "return [1.0, 0.0, -2.0]", "return [1.0, 0.0, 2.0]",
     "The edge z shrinks, and with your seed it grows. How does a seed say that something shrinks?"),
    ("seed", 1, "return [1.0, 0.0, -2.0]", "return [2.0, 3.0, 5.0]",
     "2, 3 and 5 are the lengths of the edges. A seed says how fast they change."),
    ("blanks", 3, ..., """
     def blanks():
         return {"A": 6, "B": 1.5, "C": -1.5, "D": 2, "E": 1.5, "F": 0.5, "G": 1}
     """,
     "You read the table upwards: 1.5 is the derivative of the result with respect to row 1. A tangent is the derivative "
     "of the row with respect to x, so it is made of the rows above."),
]
