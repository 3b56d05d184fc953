"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # central · Task 1 · The central difference
    ("central", 4, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x) - f(x - h)) / h",
     "9.25 is what a backward difference gives: it ends at x. The central one goes from x - h to x + h."),
    ("central", 4, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x + h) - f(x)) / h",
     "15.25 is what a forward difference gives: it starts at x. The central difference starts at x - h."),
    ("central", 4, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x + h / 2) - f(x - h / 2)) / (2 * h)",
     "You went half as far in both directions, from x - h/2 to x + h/2, and divided by 2h. Which two points does the "
     "formula name?"),
    ("central", 4, "return (f(x + h) - f(x - h)) / (2 * h)",
     "return ((f(x + h) - f(x)) / h - (f(x) - f(x - h)) / h) / 2",
     "You took the difference of the two one-sided slopes, which is what the SECOND derivative is made of. The "
     "central slope is their mean."),
    ("central", 4, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x + h) - 2 * f(x) + f(x - h)) / h**2",
     "That is the formula of the SECOND derivative: f(x + h) - 2 f(x) + f(x - h), divided by h². For the slope, f(x) "
     "itself does not occur."),

    # sideways · Task 2 · The complex step
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return (f(x + 1j * h) - f(x)) / (1j * h)",
     "The result is a complex number: you took a difference quotient. The imaginary part of f(x + ih) is enough, "
     "without any subtraction."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return ((f(x + 1j * h) - f(x)) / h).real",
     "You took the difference to f(x), as for a difference quotient, and its real part. Here nothing is subtracted: "
     "f' stands in the imaginary part, multiplied by h."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return f(x + 1j * h).imag / (2 * h)",
     "Half of it: you divide by 2h, but only one step of size h was taken, and nothing was subtracted."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return f(x + 1j * h).imag",
     "That is almost 0: the imaginary part holds h f'(x), and with such a tiny h that is next to nothing. What is "
     "left to do?"),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return (f(x) + 1j * h).imag / h",
     "The imaginary step was added to the VALUE of f, and comes back as it went in. It has to go through f: into x."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return f(x + 1e-30j).imag / 1e-20",
     "The imaginary part is divided by another number than the h of the step. Both are the parameter h, so do not "
     "write either of them as a number."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return abs(f(x + 1j * h) - f(x)) / h",
     "You took the size of f(x + ih) - f(x). It is that of both parts together, and only the imaginary one belongs "
     "to f'(x): with a large h the real part shows. Nothing has to be subtracted."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return (f(x + h) - f(x)) / h",
     "The result is 0: f was called at points that are the same number to the computer, since x + 1e-30 rounds to x; "
     "or x was left out. Step along the imaginary axis, from x, by i h."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return f(x + 1j * h).imag * h",
     "You multiplied by h, which makes a tiny number tinier still. The imaginary part is h f'(x): what takes the h "
     "away?"),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return (f(x + 1j * h) - f(x - 1j * h)).imag / h",
     "Twice too large: you stepped to both sides, and between the two points there are 2 i h. One step is enough here: "
     "f(x + ih) holds the derivative, and nothing is subtracted."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return f(x + 1j).imag",
     "Your step is i itself, which is as large as 1: for x² that is exact, for sin it is far off. Step by i h, and "
     "divide by h."),

    # bound · Task 3 · Where the V has its lowest point
    ("bound", 1, "return h**2 / 6 * abs(f3) + eps * abs(f) / (2 * h)", "return abs(h**2 / 6 * f3 + eps * f / (2 * h))",
     "The bars stand around the whole sum. If f and f''' have opposite signs, the two parts cancel then. Each part "
     "needs its own."),
    ("bound", 1, "return h**2 / 6 * abs(f3) + eps * abs(f) / (2 * h)", "return h**2 / 6 * f3 + eps * f / (2 * h)",
     "The sign: an error bound is never negative. Where f or f''' is negative, its absolute value counts."),
    ("bound", 1, "return h**2 / 6 * abs(f3) + eps * abs(f) / (2 * h)",
     "return h**2 / 6 * abs(f3), eps * abs(f) / (2 * h)",
     "The two parts came separately. Add them up."),
    ("bound", 1, "return h**2 / 6 * abs(f3) + eps * abs(f) / (2 * h)",
     "return h / 2 * abs(f3) + eps * abs(f) / (2 * h)",
     "The truncation error is that of the forward difference, h / 2. Here the term with f'' cancels, and what is "
     "left goes with h²."),

    # best · Task 3 · Where the V has its lowest point
    ("best", 2, "return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3)", "return (3 * eps * f / (2 * f3)) ** (1 / 3)",
     "You take the root of a negative number, which is complex. Only the sizes of f and f''' count, not their signs."),
    ("best", 2, "return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3)", "return eps ** (1 / 3)",
     "The result is 1, whatever the numbers are: in Python 1 // 3 is 0. Or does your formula leave out f and f'''?"),
    ("best", 2, "return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3)",
     "return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 // 3)",
     "The result is 1, whatever the numbers are: in Python 1 // 3 is 0. Or does your formula leave out f and f'''?"),

    # slopes · Task 4 · A function of many numbers
    ("slopes", 2, ..., """
     def slopes(f, x, h=1e-5):
         return np.array([(f(x + h) - f(x - h)) / (2 * h) for _ in x])
     """, "You got the sum of both partial derivatives: x + h moves all entries at once. Move one at a time."),
    ("slopes", 2, "result[k] = (f(x + step) - f(x - step)) / (2 * h)", "result[k] = (f(x + step) - f(x)) / h",
     "Nearly right: you used a forward difference, whose error is of the size of h. Step to both sides, and divide "
     "by 2h."),
    ("slopes", 2, ..., """
     def slopes(f, x, h=1e-5):
         result = np.zeros(len(x))
         for k in range(len(x)):
             moved = np.array(x, float)
             moved[k] = x[k] * (1 + h)
             result[k] = (f(moved) - f(x)) / h
         return result
     """,
     "Your steps are x times h, and you divide by h: each entry is as many times too large as its x. Either take the "
     "same h everywhere, or divide by the step that was made."),
    ("slopes", 2, ..., """
     def slopes(f, x, h=1e-5):
         x = np.array(x, dtype=float)
         return np.array([[(f(x + h * e) - f(x - h * e)) / (2 * h)] for e in np.eye(x.size)])
     """, "The numbers are right, but they stand in a column: each is in a list of its own."),
    ("slopes", 2, "return result", "return sum(result)",
     "One number came back: the sum of the partial derivatives. Asked for is an array with one for each entry."),

    # judge · Task 5 · Is it right?
    ("judge", 2, ..., """
     def is_right(f, df, x):
         return abs(df(x) - central(f, x, 1e-5)) <= 1e-6
     """,
     "For derivatives of a few units your limit is fine. This one is near three million, and 0.000001 is less than "
     "its rounding error. Let the limit grow with the derivative."),
    ("judge", 2, ..., """
     def is_right(f, df, x):
         return df(x) == central(f, x, 1e-5)
     """,
     "You reject a derivative that is right. Do you ask for equality? A difference quotient is never exact: how far "
     "may the two be apart?"),
    ("judge", 2, "return abs(df(x) - slope)", "return abs(df - slope)",
     "df is a function: it has to be called at x to give a number."),
    ("judge", 2, "6 * (1 + abs(slope))", "6 * (1 + abs(f(x)))",
     "Your limit grows with the value of f. That of a function may be large where its slope is not: let the limit "
     "grow with the derivative."),
    ("judge", 2, "slope = central(f, x, 1e-5)", "slope = complex_step(f, x)",
     "The complex step is a good method, but not for |x|: there it says 0. (That is a hidden test.) The central "
     "difference works for any function."),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))",
     "return abs(df(x) - slope) <= 1e-6 * abs(slope)",
     "The derivative is 0 here, and your limit is 0 as well: 10⁻⁶ times the derivative allows nothing. What does the "
     "1 in the rule do?"),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))", "return abs(df(x) - slope)",
     "True or False was asked for, and you return a number: the distance itself. Compare it with what is allowed."),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))",
     "return slope - df(x) <= 1e-6 * (1 + abs(slope))",
     "You accept a derivative that is larger than it should be. Too large is as wrong as too small: where does an "
     "absolute value belong?"),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))",
     "return abs(df(x) - slope) <= 1e-2 * (1 + abs(slope))",
     "You accept a derivative that is wrong by a thousandth. A difference quotient is far more accurate than that: "
     "how much does your line allow, with Python's order of operations?"),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))",
     "return df(x) - slope <= 1e-6 * (1 + abs(slope))",
     "You accept a claim that is smaller than the derivative. Too small is as wrong as too large: where does an "
     "absolute value belong?"),

    # beside · Task 6 · Each value, and its derivative beside it
    ("beside", 2, ..., """
     def value_and_slope(x, rounds):
         def value(x):
             y = 1.0
             for _ in range(rounds):
                 y = x * math.sin(y) + y
             return y

         return value(x), (value(x + 1e-5) - value(x - 1e-5)) / 2e-5
     """,
     "The value is right, and the derivative has about ten right digits: it comes from a difference quotient. Carry "
     "the derivative along beside y instead, with no h at all."),
    ("beside", 2, "y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy + dy", """
     y = x * math.sin(y) + y
     dy = math.sin(y) + x * math.cos(y) * dy + dy
     """, "dy of this round needs the y from before the round. Is y already changed when you compute dy?"),
    ("beside", 2, "math.sin(y) + x * math.cos(y) * dy + dy", "x * math.cos(y) + 1",
     "You differentiated x sin(y) as if x were a number, and y the variable. Both depend on x: the product rule has "
     "two terms, and y' is dy."),
    ("beside", 2, "y, math.sin(y) + x *", "y, x *",
     "Your dy is 0 and stays 0, as if x did not move. In x sin(y) the first factor changes with x as well, and that "
     "gives sin(y)."),
    ("sideways", 2, "return f(x + 1j * h).imag / h", "return abs(f(x + 1j * h).imag) / h",
     "The size is right, and where a function falls its derivative is negative: an absolute value takes the sign away."),
    ("best", 2, "return (3 * eps * abs(f) / (2 * abs(f3))) ** (1 / 3)",
     "return np.cbrt(3 * eps * f / (2 * abs(f3)))",
     "A negative f gives you a negative h. Only the sizes of f and f''' count: both need their bars."),
    ("judge", 2, "return abs(df(x) - slope) <= 1e-6 * (1 + abs(slope))", "return np.isclose(df(x), slope)",
     "np.isclose allows something else, unless it is told: 10⁻⁵ of the number, and 10⁻⁸. Write the rule of the text."),
    ("slopes", 2, "result[k] = ", "result = ",
     "You return one number, the slope for the last entry: each round of the loop puts its own in place of the one "
     "before. Put slope k into place k."),
]
