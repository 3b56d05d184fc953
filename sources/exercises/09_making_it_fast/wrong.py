"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # walks · Task 1 · What a program costs before it runs
    ("walks", 2, "dtype(dtype).itemsize", "dtype(dtype).itemsize * 8",
     "Eight times too much: those are bits. itemsize is in bytes."),
    ("walks", 2, "return walks(steps) * n * np.dtype(dtype).itemsize", "return walks(steps) * n * 8",
     "You took 8 bytes for every number, as in float64. The dtype says how many it is here: np.dtype(dtype).itemsize."),
    ("walks", 2, "return walks(steps) * n * np.dtype(dtype).itemsize", "return walks(steps) * n * 4",
     "You took 4 bytes for every number, as in float32. The dtype says how many it is here: np.dtype(dtype).itemsize."),
    ("walks", 2, ..., '''
     def walks(steps):
         """Count the walks over a whole array that the steps make together."""
         return sum(len(reads) + len(writes) for reads, writes in steps)


     def bytes_moved(steps, n, dtype):
         """Count the bytes that are read and written, with arrays of n numbers of this dtype."""
         return len(steps) * n * np.dtype(dtype).itemsize
     ''',
     "walks is right, but bytes_moved counts the steps. Each walk over n numbers moves n times the size of a number."),
    ("walks", 2, "return sum(len(reads) + len(writes) for reads, writes in steps)",
     'return len(set("".join(reads + writes for reads, writes in steps)))',
     "You counted each array once. But an array that three steps use is read three times: it does not stay in the "
     "processor from one step to the next."),
    ("walks", 2, "return sum(len(reads) + len(writes) for reads, writes in steps)", "return len(steps)",
     "You counted steps. A step goes over each array that it names: this one reads four and writes three."),
    ("walks", 2, "(reads) + len(writes) for reads, writes", "(set(r + w)) for r, w",
     "A step that reads and writes the same array walks over it twice. A set counts the letter only once."),
    ("walks", 2, "return sum(len(reads) + len(writes) for reads, writes in steps)", "return 2 * len(steps)",
     "You count two walks for each step. A step may read or write several arrays: each letter is a walk."),

    # kept · Task 2 · Keep the arrays
    ("kept", 3, ..., """
     def chain_kept(x, a, b, out, work):
         z = a * x + b
         v = z * z
         out[:] = v / (1 + v)
     """,
     "The result is right, but each operation still makes an array, and the last line only copies into out. Each "
     "operation needs an out= of its own."),
    ("kept", 3, """
     np.multiply(x, a, out=out)
     np.add(out, b, out=out)
     np.multiply(out, out, out=out)
     """, """
     np.multiply(x, a, out=x)
     np.add(x, b, out=x)
     np.multiply(x, x, out=out)
     """,
     "x has changed: you used the input as work space. Somebody else may still need it; that is what `work` is for."),
    ("kept", 3, """
     np.add(out, 1, out=work)
     np.divide(out, work, out=out)
     """, "np.divide(out, 1 + out, out=out)",
     "The result is right, but one array is still made: an expression such as 1 + v, which has no out=. There is "
     "`work` for it."),
    ("kept", 3, ..., """
     def chain_kept(x, a, b, out, work):
         z = a * x + b
         v = z * z
         out = v / (1 + v)
         return out
     """,
     "out still holds the old numbers: does a line say `out = ...`? That gives the name out to a new array, and the "
     "caller's array stays as it was. Write into it with out=."),
    ("kept", 3, """
     np.multiply(x, a, out=out)
     np.add(out, b, out=out)
     """, """
     np.add(x, b, out=out)
     np.multiply(out, a, out=out)
     """, "b was added before the multiplication: that is a (x + b)."),

    # fused · Task 3 · Fuse it
    ("fused", 3, ..., """
     def chain_fused(x, a, b, out):
         for k in range(len(x)):
             z = a * x[k] + b
         for k in range(len(x)):
             v = z * z
             out[k] = v / (1 + v)
     """,
     "z is that of the last number everywhere: the first loop leaves only that. What one number needs belongs into "
     "one round of one loop."),
    ("fused", 3, ..., """
     def chain_fused(x, a, b, out):
         for k in range(len(x)):
             out[k] = a * x[k] + b
             out[k] = out[k] * out[k]
             out[k] = out[k] / (1 + out[k])
     """,
     "out was read, or written more than once. Keep what is needed in between in a plain variable: it stays in a "
     "register of the processor."),
    ("fused", 3, """
     z = a * x[k] + b
     v = z * z
     """, "v = (a * x[k] + b) * (a * x[k] + b)",
     "x[k] is read from its array every time it occurs in your formula. Read it once, into a variable."),
    ("fused", 3, ..., """
     def chain_fused(x, a, b, out):
         for k in range(len(x)):
             z = a * x[k] + b
             out[k] = z * z
         for k in range(len(x)):
             v = out[k]
             out[k] = v / (1 + v)
     """,
     "out[k] is written, fetched again, and written once more: by a second loop, or by a second line. Keep what comes in "
     "between in a plain variable, v, and write out[k] when it is done."),
    ("fused", 3, ..., """
     def chain_fused(x, a, b, out):
         z = a * x + b
         v = z * z
         out[:] = v / (1 + v)
     """,
     "That computes with whole arrays, and the test gives you arrays that only know single entries. Write one loop "
     "over k."),

    ("fused", 3, """
     for k in range(len(x)):
         z = a * x[k] + b
         v = z * z
         out[k] = v / (1 + v)
     """, """
     z = [a * x[k] + b for k in range(len(x))]
     for k in range(len(x)):
         out[k] = z[k] * z[k] / (1 + z[k] * z[k])
     """,
     "Your list keeps a z for every number: one more array, written and read again. Take one number from x to its place in "
     "out before you touch the next one."),

    # gradient · Task 4 · Forward and backward
    ("gradient", 3, "x_bar[k] = a * 2 * z * v_bar", "x_bar[k] = -a * 2 * z * v_bar",
     "The sign of every entry is the opposite. No minus sign occurs in the three formulas."),
    ("gradient", 3, "v_bar = w_bar[k] / ((1 + v) * (1 + v))", "v_bar = w_bar[k] / (1 + v * v)",
     "The square belongs to 1 + v as a whole: (1 + v)², and not 1 + v²."),
    ("gradient", 3, ..., """
     def gradient_fused(x, w_bar, a, b, x_bar):
         for k in range(len(x)):
             t = x[k]
             v = (a * t + b) ** 2
             x_bar[k] = a * 2 * t * w_bar[k] / (1 + v) ** 2
     """, "The derivative of z² with respect to z is 2 z. You took 2 x, and z is a x + b."),
    ("gradient", 3, """
     v_bar = w_bar[k] / ((1 + v) * (1 + v))
     x_bar[k] = a * 2 * z * v_bar
     """, "x_bar[k] = a * 2 * z / ((1 + v) * (1 + v))",
     "The derivative is right for w_bar = 1. But each number has an adjoint of its own, which comes in as w_bar[k]: "
     "multiply by it."),

    ("gradient", 3, """
     for k in range(len(x)):
         z = a * x[k] + b
         v = z * z
         v_bar = w_bar[k] / ((1 + v) * (1 + v))
         x_bar[k] = a * 2 * z * v_bar
     """, """
     z = [a * x[k] + b for k in range(len(x))]
     v = [number * number for number in z]
     for k in range(len(x)):
         x_bar[k] = 2 * a * z[k] * w_bar[k] / (1 + v[k]) ** 2
     """,
     "The lists z and v are the two arrays that this task does without. Compute both again from x[k], in the same round in "
     "which x_bar[k] is written."),

    # pays · Task 5 · When does it pay?
    ("pays", 2, """
     if after >= before:
         return math.inf
     """, "",
     "If a call is not faster afterwards, no number of calls will make up for the seconds of compiling. What should "
     "come out then?"),
    ("pays", 2, "return math.floor(compiling / (before - after)) + 1", """
     return math.floor(compiling / before - after) + 1
     ### END SOLUTION
     """, "Python divides first: compiling / before, and only then takes after away. Where do brackets belong?"),
    ("pays", 2, "if after >= before:", "if after > before:",
     "If a call takes as long as before, compiling never pays off either, and the division would be by 0."),
    ("pays", 2, "return math.floor(compiling / (before - after)) + 1", "return math.floor(compiling / before) + 1",
     "You count as if a call took no time afterwards. How much does one call save?"),
    ("pays", 2, "return math.inf", "return -1",
     "Where it never pays off, math.inf was asked for, and you return another number."),
    ("pays", 2, "return math.inf", "return None",
     "None is not the answer: where it never pays off, math.inf was asked for."),
    ("pays", 2, "return math.floor(compiling / (before - after)) + 1", "return compiling / (before - after)",
     "A number of calls is whole. And for exactly this many both totals would be equal: which is the next whole "
     "number?"),
    ("pays", 2, ..., """
     def pays_after(compiling, before, after):
         if after > before:
             return math.inf
         return math.floor((compiling + after) / before) + 1
     """,
     "You compare with ONE call afterwards, whatever N is. N calls take N times `after`: both totals grow with N."),
    ("pays", 2, "return math.floor(compiling / (before - after)) + 1", "return round(compiling / (before - after)) + 1",
     "round() goes to the nearest whole number, which may be the one below or above. Which one do you need?"),
    ("pays", 2, "return math.floor(compiling / (before - after)) + 1", "return math.ceil(compiling / (before - after))",
     "With a whole result, rounding up is one call too few: there both totals are equal, and equal is not faster."),
    ("pays", 2, "if after >= before:", "if before == after:",
     "If a call takes longer after compiling than before, it never pays: there is no such number of calls. You ask "
     "that only for equal times."),
    ("pays", 2, "if after >= before:", "if after > before or np.isclose(before, after):",
     "Times may be as small as a nanosecond: what is close to equal is not equal. Compare them exactly."),
    ("kept", 3, "np.add(out, 1, out=work)", "np.add(out, 1 + 1e-10, out=work)",
     "Your numbers are off in the tenth digit: what you add to the denominator to be safe changes them all. It is "
     "never 0, since v is a square."),
    ("fused", 3, "out[k] = v / (1 + v)", "out[k] = v / (1 + v + 1e-10)",
     "Your numbers are off in the tenth digit: what you add to the denominator to be safe changes them all. It is "
     "never 0, since v is a square."),
    ("gradient", 3, "v_bar = w_bar[k] / ((1 + v) * (1 + v))", "v_bar = w_bar[k] / ((1 + v) * (1 + v + 1e-10))",
     "Your numbers are off in the tenth digit: what you add to the denominator to be safe changes them all. It is "
     "never 0, since v is a square."),
    ("kept", 3, ..., """
     def chain_kept(x, a, b, out, work):
         np.multiply(x, a, out=work)
         np.add(work, b, out=work)
         np.multiply(work, work, out=out)
         np.add(out, 1, out=out)
         np.divide(work, out, out=out)
     """,
     "Above the line stands z, not v: when you divide, v is gone, since the denominator was written over it."),
    ("walks", 2, ..., """
     def walks(steps):
         return sum(len(side) for step in steps for side in step)


     def bytes_moved(steps, n, dtype):
         return len(set("".join(reads + writes for reads, writes in steps))) * n * np.dtype(dtype).itemsize
     """,
     "You counted how many arrays there are: that is the memory they occupy. Bytes move at every walk, and an array that "
     "is used three times is walked over three times."),
]
