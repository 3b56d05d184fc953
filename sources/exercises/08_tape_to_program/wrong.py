"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # forward · Task 1 · Down the tape
    ("forward", 6, ..., """
     def forward_lines(tape):
         return [f"{name} = {operation}({', '.join(inputs)})" for name, operation, inputs in tape]
     """, 'You wrote the name of the operation. TABLE says how it looks in Python: "{a} * {b}" for mul.'),
    ("forward", 4, ..., """
     def forward_lines(tape):
         lines = []
         for k, (name, operation, inputs) in enumerate(tape, 1):
             lines.append(f"v{k} = " + TABLE[operation][0].format(a=inputs[0], b=inputs[-1], v=name))
         return lines
     """,
     "You number the lines v1, v2, ... by yourself. Each step says what its result is called: later steps ask for it "
     "under that name."),
    ("forward", 6, '(zip("ab", inputs)), v=name', '(zip("ab", reversed(inputs))), v=name',
     "The inputs have changed places: {a} is the first one and {b} the second. For a product that makes no "
     "difference, for a difference it does."),
    ("forward", 2, 'f"{name} = " + expression', 'f"{name}=" + expression',
     "The lines differ in their spaces: one in front of the equals sign and one behind it."),
    ("forward", 6, ..., """
     def forward_lines(tape):
         return "\\n".join(
             f"{name} = " + TABLE[operation][0].format(**dict(zip("ab", inputs)), v=name) for name, operation, inputs in tape
         )
     """,
     "You return all lines as one text. A list of lines was asked for: lines that are to be crossed out one by one "
     "must be apart."),
    ("forward", 6, """
     expression, _ = TABLE[operation]
     lines.append(f"{name} = " + expression.format(**dict(zip("ab", inputs)), v=name))
     """, """
     _, expressions = TABLE[operation]
     lines.append(f"{name} = " + expressions[0].format(**dict(zip("ab", inputs)), v=name))
     """, "A row of TABLE is (value, partial derivatives). You took the second, where the first was wanted."),
    ("forward", 6, ..., """
     def forward_lines(tape):
         return [f"{name} = {TABLE[operation][0]}" for name, operation, inputs in tape]
     """, "The places {a} and {b} are still there: format() fills them."),
    ("forward", 6, "for name, operation, inputs in tape:", "for name, operation, inputs in reversed(tape):",
     "The forward lines follow the tape from its first step to its last."),

    # reverse · Task 2 · And up again
    ("reverse", 4, """
     output = tape[-1][0]
     lines, written = [f"{output}_bar = 1.0"], set()  # seed
     """, "lines, written = [], set()",
     "A line uses the adjoint of the output, and nobody has written it: the seed. The derivative of the output with "
     "respect to itself is 1."),
    ("reverse", 4, "(inputs, TABLE[operation][1]):", "(inputs, TABLE[operation][1][::-1]):",
     "The partial derivatives have changed places: the first one belongs to the first input."),
    ("reverse", 4, ..., """
     def reverse_lines(tape):
         lines, seen = [f"{tape[-1][0]}_bar = 1.0"], set()
         for n, op, ins in reversed(tape):
             for x, d in zip(ins, TABLE[op][1]):
                 if x.isidentifier():
                     lines.append(f"{x}_bar {'+=' if x in seen else '='} {n}_bar * ({d.format(a=ins[0], b=ins[-1], v=x)})")
                     seen.add(x)
         return lines
     """, "{v} in a partial derivative is the value of the STEP. You put in the input's name."),
    ("reverse", 4, 'lines, written = [f"{output}_bar = 1.0"], set()', 'lines, written = [f"{output}_bar = 0.0"], set()',
     "All adjoints are 0: the seed is 0. The derivative of the output with respect to itself is 1."),


    # dead · Task 3 · Cross out
    ("dead", 3, ..., """
     def without_dead(lines, wanted):
         needed = set(wanted)
         for line in lines:
             if writes(line) in needed:
                 needed |= reads(line)
         return [line for line in lines if writes(line) in needed]
     """,
     "You go from the top down. Whether a line is needed depends on what stands BELOW it: start at the last line."),
    ("dead", 3, """
     if writes(line) in needed:
         kept.append(line)
         if not adds(line):
             needed.discard(writes(line))
     """, """
     if writes(line) in needed or reads(line) & needed:
         kept.append(line)
     """, "You also keep lines that only READ a needed name. A line is needed for what it writes."),
    ("dead", 1, """
     if not adds(line):
         needed.discard(writes(line))
     """, "needed.discard(writes(line))",
     "A line with += adds to what is there, so the line that wrote it first is needed as well. You treat it like =, "
     "and the earlier shares of the sum are gone."),
    ("dead", 3, "needed |= reads(line)", "needed = reads(line)",
     "The set of needed names is replaced at each line. What was needed before is still needed: add to the set."),
    ("dead", 3, ..., """
     def without_dead(lines, wanted):
         read = set(wanted).union(*(reads(line) for line in lines))
         return [line for line in lines if writes(line) in read]
     """,
     "You keep every line that somebody reads. But the reader may be dead itself, and then so is the line: go from "
     "the bottom up, and ask only the lines that are kept."),
    ("dead", 3, "needed |= reads(line)", "",
     "Only the lines that write wanted names are left. A line that is kept needs what it reads: put these names into "
     "the set."),

    # lives · Task 4 · How long is it needed?
    ("lives", 2, "for number, line in enumerate(lines):", "for number, line in enumerate(lines, 1):",
     "You count the lines from 1. From 0 was asked for, as Python's enumerate does."),
    ("lives", 2, ..., """
     def lives(lines):
         spans = {}
         for number, line in enumerate(lines):
             for name in [writes(line), *reads(line)]:
                 spans[name] = (spans.get(name, (number, number))[0], number)
         return spans
     """,
     "x and y are in your dict. No line writes them: they come from outside, and need no memory of the program's own."),
    ("lives", 2, ..., """
     def lives(lines):
         spans = {}
         for number, line in enumerate(lines):
             first, _ = spans.get(writes(line), (number, number))
             spans[writes(line)] = (first, number)
         return spans
     """,
     "You look only at the lines that write a name. A number is needed until it is *read* for the last time, which "
     "is often much later."),
    ("lives", 2, "spans[name] = (spans[name][0], number)", "spans[name] = (number, number)",
     "Both numbers are the last line. The first number is the line that writes the name first: set it once, and keep "
     "it."),
    ("lives", 2, "spans[name] = (spans[name][0], number)", "spans[name] = (spans[name][0], number + 1)",
     "Every end is one line too late: the last line itself was asked for, not the one after it."),
    ("lives", 2, "for name in sorted(reads(line) | {writes(line)}):", "for name in reads(line):",
     "You look only at the lines that read. A name that is written later than it is read is needed until it is "
     "written."),

    # program · Task 5 · Memory, allocated once
    ("program", 3, "np.multiply(x, y, out=t)", """
     np.multiply(x, y, out=x)
     np.copyto(t, x)
     """,
     "x was overwritten, and y_bar still needs it. x and y belong to the caller: let `out=` name an array of your own."),
    ("program", 2, """
     t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

     def program(x, y):
     """, """
     def program(x, y):
         t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)
     """, "Every call makes the arrays anew. They should be made once, in make_program, outside `program`."),
    ("program", 2, ..., """
     def make_program(n):
         def program(x, y):
             t = np.tanh(x * y)
             v1_bar = x * (1 - t * t)
             return t + v1_bar * y, v1_bar * x

         return program
     """,
     "The numbers are right, but every operation makes a new array. Give each operation its `out=`, an array that "
     "make_program made."),
    ("program", 2, ..., """
     def make_program(n):
         t, u, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n), np.empty(n)

         def program(x, y):
             np.tanh(np.multiply(x, y, out=t), out=t)
             np.subtract(1.0, np.multiply(t, t, out=u), out=u)
             np.multiply(u, x, out=u)
             np.add(np.multiply(u, y, out=x_bar), t, out=x_bar)
             np.multiply(u, x, out=y_bar)
             return x_bar.copy(), y_bar.copy()

         return program
     """,
     "Two arrays are new in each call: are they copies of the results, or two expressions without `out=`? Return the "
     "arrays that make_program made."),
    ("program", 1, ..., """
     def make_program(n):
         product, t, squared, slope, v1_bar, part, x_bar, y_bar = (np.empty(n) for _ in range(8))

         def program(x, y):
             np.multiply(x, y, out=product)
             np.tanh(product, out=t)
             np.multiply(t, t, out=squared)
             np.subtract(1.0, squared, out=slope)
             np.multiply(slope, x, out=v1_bar)
             np.multiply(v1_bar, y, out=part)
             np.add(part, t, out=x_bar)
             np.multiply(v1_bar, x, out=y_bar)
             return x_bar, y_bar

         return program
     """,
     "Nothing is allocated in the calls, but every intermediate result has an array of its own. Draw the bars: which "
     "of them is read for the last time when the next one is written?"),
    ("program", 2, ..., """
     def make_program(n):
         t, u, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n), np.empty(n)

         def program(x, y):
             np.tanh(np.multiply(x, y, out=t), out=t)
             np.multiply(1 - t * t, x, out=u)
             np.multiply(u, y, out=x_bar)
             x_bar[...] = x_bar + t
             np.multiply(u, x, out=y_bar)
             return x_bar, y_bar

         return program
     """,
     "The numbers are right, but arrays are still made in each call: by an expression without `out=`, such as 1 - t "
     "* t, or by an np.empty inside `program`."),
    ("program", 2, """
     np.multiply(x, y, out=t)
     np.tanh(t, out=t)
     np.multiply(t, t, out=y_bar)
     np.subtract(1.0, y_bar, out=y_bar)
     np.multiply(y_bar, x, out=y_bar)  # x (1 - t²), which both need
     """, """
     np.tanh(np.multiply(x, y, out=t), out=t)
     np.subtract(1.0, np.multiply(t, t, out=t), out=t)
     np.multiply(t, x, out=y_bar)
     """,
     "t is overwritten by 1 - t², and then added as if it were still t. It is needed until it is added to x_bar: "
     "until then its array is taken."),
    ("program", 3, ..., """
     def make_program(n):
         a, b = np.empty(n), np.empty(n)

         def program(x, y):
             np.multiply(x, y, out=a)
             np.tanh(a, out=a)
             np.multiply(a, a, out=b)
             np.subtract(1, b, out=b)
             np.multiply(b, x, out=b)
             x_bar = np.multiply(b, y, out=b)
             np.add(a, x_bar, out=x_bar)
             y_bar = np.multiply(b, x, out=b)
             return x_bar, y_bar

         return program
     """,
     "Both results are one array: what you wrote last is in both. The two that are returned must be different arrays."),
    ("program", 1, ..., """
     def make_program(n):
         a, b = np.empty(n), np.empty(n)

         def program(x, y):
             np.multiply(x, y, out=a)
             np.tanh(a, out=a)
             np.multiply(a, a, out=b)
             np.subtract(1, b, out=b)
             np.multiply(b, x, out=b)
             np.multiply(b, x, out=x)
             np.multiply(b, y, out=b)
             np.add(a, b, out=a)
             return a, x

         return program
     """,
     "x holds something else after the call: a result was written into the caller's array. Write into arrays of your "
     "own only."),
    ("program", 1, ..., """
     def make_program(n):
         t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

         def program(x, y):
             np.tanh(np.multiply(x, y, out=t), out=t)
             np.multiply(t, t, out=y_bar)
             np.subtract(1.0, y_bar, out=y_bar)
             np.multiply(y_bar, x, out=y_bar)
             np.multiply(y_bar, y, out=x_bar)
             np.add(x_bar, t, out=x_bar)
             np.multiply(y_bar, x, out=y_bar)
             np.multiply(x, 0.0, out=x)
             return x_bar, y_bar

         return program
     """,
     "You save an array by writing into x or y. They belong to the caller; and your own second call computes with "
     "what is left of them."),
    ("program", 2, ..., """
     def make_program(n):
         t, xb, yb = np.empty(n), np.empty(n), np.empty(n)

         def program(x, y):
             np.multiply(x, y, out=t)
             np.tanh(t, out=t)
             np.multiply(t, t, out=t)
             np.subtract(1, t, out=xb)
             np.multiply(xb, x, out=xb)
             np.multiply(xb, x, out=yb)
             np.multiply(xb, y, out=xb)
             np.add(xb, t, out=xb)
             return xb, yb

         return program
     """,
     "The square of t was written over t, and x_bar needs t itself once more. Which array is free at that moment?"),
    ("program", 2, ..., """
     def make_program(n):
         t, s, yb = np.empty(n), np.empty(n), np.empty(n)

         def program(x, y):
             np.multiply(x, y, out=t)
             np.tanh(t, out=t)
             np.subtract(1, t * t, out=s)
             np.multiply(s, x, out=s)
             np.multiply(s, x, out=yb)
             np.multiply(s, y, out=s)
             np.add(s, t, out=s)
             return s, yb

         return program
     """,
     "All but one operation have their `out=`. A product written with * among the arguments makes a new array, too."),
    ("program", 1, ..., """
     def make_program(n):
         t, s, u, xb, yb = (np.empty(n) for _ in range(5))

         def program(x, y):
             np.multiply(x, y, out=t)
             np.tanh(t, out=t)
             np.multiply(t, t, out=s)
             np.subtract(1, s, out=s)
             np.multiply(x, s, out=u)
             np.multiply(u, y, out=xb)
             np.add(xb, t, out=xb)
             np.multiply(u, x, out=yb)
             return xb, yb

         return program
     """,
     "There are five arrays. Which one is no longer read when another is first written? These two can be one."),
    ("reverse", 2, "if x.isidentifier():", "if not x[0].isdigit():",
     "Digits and a point are not all that a number may consist of: -1.5 has a sign, 1e-3 an exponent."),
    ("lives", 2, ..., """
     def lives(lines):
         first, last = {}, {}
         for line in lines:
             for name in {writes(line)} | (reads(line) & first.keys()):
                 first.setdefault(name, lines.index(line))
                 last[name] = lines.index(line)
         return {name: (first[name], last[name]) for name in first}
     """,
     "The same line may occur twice, and `index` finds the first of them. Count the lines as you go."),
    ("lives", 2, ..., """
     def lives(lines):
         first, last = {}, {}
         for number, line in enumerate(lines):
             for name in reads(line) | {writes(line)}:
                 first.setdefault(name, number)
                 last[name] = number
         return {name: (first[name], last[name]) for name in map(writes, lines)}
     """,
     "A name may be read before it is written. Its life begins with the line that WRITES it first."),
    ("dead", 1, "return kept[::-1]", "return [line for line in lines if line in kept]",
     "The same line may occur twice, once needed and once dead: which of the two is meant cannot be told by its text."),
]
