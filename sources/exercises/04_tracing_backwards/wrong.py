"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # blanks · Task 1 · Fill in the adjoint column
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -1.5, "F": 4}',
     "You have the share from row 5 alone. x is also used in row 1, and twice in row 2: all four shares add up."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 2, "B": 6, "C": 6, "D": -6, "E": -7.5, "F": 16}',
     "Row 5 passes on its adjoint times 1/x, and x is 2. You multiplied by x instead of dividing."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 1 / 3, "B": 1, "C": 1, "D": -1, "E": -2.5, "F": 8 / 3}',
     "v5 = v4 / x: the partial derivative with respect to the numerator is 1 over the DENOMINATOR. By what does row "
     "5 divide?"),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": 4.5, "F": 3}',
     "That is one share of several. x is used in rows 1, 2 and 5, and all of their shares add up."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": 1.5, "E": 9, "F": 4}',
     "Row 3 subtracts v2. If v2 grows, the result gets smaller: with which sign does row 3 pass on its adjoint to v2?"),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1, "C": 1, "D": -1, "E": -2.5, "F": 3}',
     "v4 = v3 * y: the share of v3 is the adjoint of v4 times the OTHER factor, y."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 0.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     "The adjoint of v4 came through unchanged, but v4 = v3 * y: there is a partial derivative on the way."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -1.5, "F": 4}',
     "Rows 1 and 2 are in your sum. But x is the denominator in row 5, too, and gets a share from there: a negative "
     "one."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": 0, "F": 4}',
     "Three rows use x, and one of them uses it twice: x * x passes on two shares."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 1, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     "You multiplied by the value 2 or by the row's own value. Row 5 divides by x: the partial derivative with "
     "respect to v4 is 1/x."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 3, "D": -1.5, "E": -3, "F": 4}',
     "Row 3 passes its adjoint on to v1 times 1: a difference has the partial derivatives 1 and -1. No value comes "
     "in."),
    ("blanks", 3, 'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}',
     'return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 3}',
     "y is used in row 1 and in row 4. You have the share of one of them."),

    # walk · Task 2 · The whole column
    ("walk", 3, "return adjoint", """
         if made_of:
             adjoint[name] = 0.0
     return adjoint
     """,
     "A row that has passed on what it has is set to 0, and its adjoint is lost. It passes on a share of it, and "
     "keeps it: the adjoint of EVERY row was asked for."),
    ("walk", 8, "for name, made_of in reversed(tape):", "for name, made_of in tape:",
     "You go down the tape. A row passes on what it has, and the rows at the top have not received anything yet. "
     "Which row is the first whose adjoint is complete?"),
    ("walk", 3, ..., """
     def backward_pass(tape, weights):
         bar = {name: weights.get(name, 0.0) for name, _ in tape}
         for name, parts in tape[::-1]:
             for n, p in parts:
                 bar[n] += p * bar[name]
         return {name: bar[name] for name, parts in tape if not parts}
     """, "Only the inputs are in your dict. The adjoint of EVERY row was asked for."),
    ("walk", 8, ..., """
     def backward_pass(tape, weights):
         adjoint = dict(weights)
         for name, made_of in reversed(tape):
             for earlier, partial in made_of:
                 if name in adjoint:
                     adjoint[earlier] = adjoint.get(earlier, 0.0) + partial * adjoint[name]
         return adjoint
     """, "Rows that received nothing are not in your dict. Their adjoint is 0, and that is an answer as well."),
    ("walk", 8, "adjoint[earlier] += partial * adjoint[name]", "adjoint[earlier] = partial * adjoint[name]",
     "The shares do not add up: a share that arrives replaces the one before, so that x1 keeps only the last. x1 is "
     "used four times."),
    ("walk", 6, "weights.get(name, 0.0)", "1.0 if name in weights else 0.0",
     "Every output starts with 1 in your pass, whatever its weight is. The weights say what each output starts with."),
    ("walk", 6, "for name, made_of in reversed(tape):", "for name, made_of in sorted(tape, reverse=True):",
     "You sort the rows by name. With names such as v1 to v8 that happens to be the order of the tape; in general "
     "the names say nothing about the order. Go through the tape itself, from its end."),
    ("walk", 8, "adjoint[earlier] += partial * adjoint[name]", "adjoint[name] += partial * adjoint[earlier]",
     "The share goes to the wrong row: a row passes on to the rows that it was made of, and keeps what it has."),

    # vjp · Task 3 · `vjp`
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, {outputs[0]: w[0]})
         return [adjoint[name] for name in inputs]
     """, "Only the first output takes part. Every output starts with its own weight."),
    ("vjp", 3, "weights[name] += weight", "weights[name] += 1.0",
     "Every output starts with 1 in your pass, whatever its weight is. The weights say what each output starts with."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, {outputs[0]: 1.0})
         return [adjoint[name] for name in inputs]
     """,
     "You start from the first output alone. The weights say how much each output counts, all in one backward pass."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, _ = record(f, x)
         names = [name for name, _ in tape][-len(w) :]
         adjoint = backward_pass(tape, dict(zip(names, w)))
         return [adjoint[name] for name in inputs]
     """,
     "The last rows of the tape need not be the outputs: an output may stand further up, as `a` does here. record() "
     "gives you their names."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, w)
         return [adjoint[name] for name in inputs]
     """, "backward_pass wants a dict, from names of outputs to weights. You gave it the list w."),
    ("vjp", 3, "return [adjoint[name] for name in inputs]", "return adjoint",
     "The adjoints of all rows came back. Asked for is a list with those of the inputs: record() gives you their "
     "names."),
    ("vjp", 3, "return [adjoint[name] for name in inputs]",
     "return [adjoint[name] * value for name, value in zip(inputs, x)]",
     "Each adjoint was multiplied by the value of its input once more. The adjoint is the derivative already."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, dict(zip(outputs, w)))
         return [adjoint[name] for name in inputs]
     """,
     "A value that is returned twice has two weights, and in yours only one of them counts. How much does "
     "such a value count in all?"),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, dict(zip(reversed(outputs), w)))
         return [adjoint[name] for name in inputs]
     """, "The weights go with the wrong outputs: the first weight belongs to the first output."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, dict.fromkeys(outputs, 1.0))
         return [adjoint[name] * weight for name, weight in zip(inputs, w)]
     """,
     "The weights w belong to the outputs: they are where the backward pass starts. You started with 1 at all "
     "outputs, and multiplied the inputs' adjoints by w afterwards."),

    # rows · Task 4 · Row by row
    ("rows", 2, "(tape, {name: 1.0}) for name in outputs", "(tape, dict.fromkeys(outputs, 1.0)) for _ in outputs",
     "Each of your backward passes starts with 1 at all outputs, so every row is the sum of all rows. A row belongs "
     "to one output."),
    ("rows", 2, ..., """
     def jacobian_rows(f, x):
         m = len(record(f, x)[2])
         return [vjp(f, x, [float(i == k) for i in range(m)]) for k in range(m)]
     """,
     "f runs once more for each row: vjp records it anew every time. Record once, and use backward_pass on that tape "
     "for each output."),
    ("rows", 2, ..., """
     def jacobian_rows(f, x):
         tape, inputs, outputs = record(f, x)
         return [[backward_pass(tape, {name: 1.0})] for name in outputs]
     """, "Each row should be a list of numbers: the adjoints of the inputs. You return the dict of all adjoints."),
    ("rows", 2, "return [[adjoint[name] for name in inputs] for adjoint in passes]",
     "return [[adjoint[name] for adjoint in passes] for name in inputs]",
     "It is the transpose: the outer list has an entry for each input. Asked for is a list of rows, one for each "
     "output."),

    # mode · Task 5 · Which mode?
    ("mode", 2, 'return "forward" if inputs <= outputs * price else "reverse"', "return min(inputs, outputs * price)",
     'A word was asked for, "forward" or "reverse". You return the price.'),
    ("mode", 2, "inputs <= outputs * price else", "inputs * price <= outputs else",
     "You multiplied the wrong number by the price: a backward pass is needed for each OUTPUT."),
    ("mode", 2, 'return "forward" if inputs <= outputs * price else "reverse"',
     'return "reverse" if inputs <= outputs * price else "forward"',
     "A network has many inputs and one output, and you chose a pass for each input. Which mode needs a pass for "
     "each input, and which one for each output?"),
    ("mode", 2, "if inputs <= outputs *", "if inputs < outputs *",
     "The prices are the same here. Then choose the one that needs no tape."),
    ("mode", 2, 'return "forward" if inputs <= outputs * price else "reverse"', """
     if inputs < outputs * price:
         return "forward"
     if inputs > outputs * price:
         return "reverse"
     """,
     "Nothing is returned where both modes cost the same: neither of your conditions holds there. The text says which "
     "one to choose."),
    ("mode", 2, "outputs * price else", "outputs else",
     "You compare the numbers of passes, as if they cost the same. Here a backward pass costs more than a forward "
     "pass: multiply."),
    ("mode", 2, ..., """
     def cheaper(inputs, outputs, price):
         return "forward" if inputs <= 1 + outputs * price else "reverse"
     """,
     "You counted the run that records the tape. It is left out here: compare the passes alone."),
    ("mode", 2, "outputs * price", "outputs + price",
     "You add the price once. Each of the backward passes costs as much: one for each output."),
    ("rows", 2, "passes = [backward_pass(tape, {name: 1.0}) for name in outputs]",
     "passes = {name: backward_pass(tape, {name: 1.0}) for name in outputs}.values()",
     "A value that is returned twice has two rows. In a dict (or a set) of names it stands once."),
    ("mode", 2, "inputs <= outputs * price", "inputs // outputs <= price",
     "// cuts off what is behind the point: 3 // 2 is 1. Compare the two prices themselves, without a division."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         rows = [backward_pass(tape, {name: 1.0}) for name in outputs]
         return [sum(row[name] * weight for name, weight in zip(inputs, w)) for row in rows]
     """,
     "You computed J w: the weights met the inputs. In w J they belong to the outputs: each output starts with its own "
     "weight, and one pass adds up what arrives."),
    ("vjp", 3, ..., """
     def vjp(f, x, w):
         tape, inputs, outputs = record(f, x)
         adjoint = backward_pass(tape, dict.fromkeys(outputs, 1.0))
         return [adjoint[name] * sum(w) for name in inputs]
     """,
     "The sum of the weights multiplies everything, as if all outputs counted alike. Each output starts with its own "
     "weight."),
]
