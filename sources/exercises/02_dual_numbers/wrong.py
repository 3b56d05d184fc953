"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # sums · Task 1 · Add and subtract
    ("sums", 5, "return a.value + b.value, a.tangent + b.tangent",
     "return a.value + b.value, a.value * b.tangent + a.tangent * b.value",
     "That is the product rule. A sum is simpler: what stands in front of ε is added, as the values are."),
    ("sums", 5, ..., """
     def add(a, b):
         return a.value + b.value, (a.tangent + b.tangent) / 2


     def subtract(a, b):
         return a.value - b.value, (a.tangent - b.tangent) / 2
     """, "You took the mean of the tangents. Two changes at the same time add up, they are not averaged."),
    ("sums", 5, "return a.value + b.value, a.tangent + b.tangent",
     "return Dual(a.value + b.value, a.tangent + b.tangent)",
     "A rule returns two numbers, the value and the tangent, separated by a comma. You return a Dual: `apply` makes "
     "that."),

    # product · Task 2 · Multiply
    ("product", 6, "a.value * b.tangent + a.tangent * b.value", "2 * a.value * b.tangent",
     "One of the two terms came twice, and the other is missing: in one of them it is a that moves, in the other b."),
    ("product", 6, "return a.value * b.value, a.value * b.tangent + a.tangent * b.value",
     "return a.value * b.value, 0.0",
     "The product of the values is right, but the tangent is 0. Four products appear when you expand the brackets: "
     "which of them have exactly one ε?"),
    ("product", 6, "b.tangent + a.tangent * b.value", "a.tangent + b.value * b.tangent",
     "Each tangent is multiplied by the value of its own number. In a product, each is multiplied by the OTHER "
     "factor."),
    ("product", 6, "value * b.tangent + a.tangent * b.value", "tangent * b.tangent",
     "You multiply the tangents. In a product, a' b' stands in front of ε², and ε² is 0. Which terms have exactly "
     "one ε?"),
    ("product", 6, "value * b.tangent + a.tangent * b.value", "tangent * b.value - a.value * b.tangent",
     "The two terms of a product's derivative are added. A minus belongs to the quotient rule."),
    ("product", 6, "+ a.tangent * b.value", "+ a.tangent * b.value + a.tangent * b.tangent",
     "The term a' b' is one too many: it stands in front of ε², which is 0."),
    ("product", 6, "a.value * b.tangent + a.tangent * b.value", "(a.value + b.value) * (a.tangent + b.tangent)",
     "You multiplied sums. Expand the brackets: a b' and a' b are the two terms with one ε."),

    # quotient · Task 3 · Divide, and raise to a power
    ("quotient", 3, ..., """
     def divide(a, b):
         return a.value / b.value, -a.value * b.tangent / b.value**2
     """,
     "Only the denominator moves in your tangent. The numerator has a tangent as well: its share is a' b, over b "
     "squared."),
    ("quotient", 2, ..., """
     def divide(a, b):
         return a.value / b.value, a.tangent * b.value - a.value * b.tangent / b.value**2
     """,
     "Python divides only the last term by the square. The whole difference is divided: where do brackets belong?"),
    ("quotient", 3, "return quotient, (a.tangent - quotient * b.tangent) / b.value",
     "return quotient, a.tangent / b.tangent",
     "You divided the tangents. A quotient's derivative needs the quotient rule: solve q b' + q' b = a' for q'."),
    ("quotient", 3, ..., """
     def divide(a, b):
         return a.value / b.value, a.tangent / b.tangent if b.tangent else a.tangent / b.value
     """, "You divided the tangents. A quotient's derivative needs the quotient rule: solve q b' + q' b = a' for q'."),

    # power · Task 3 · Divide, and raise to a power
    ("power", 1, ..., """
     def power(a, n):
         v = a.value**n
         return v, n * v / a.value * a.tangent
     """,
     "The formula divides by the value, and the value may be 0: x² has a derivative there, too. Write n times the next "
     "lower power."),
    ("power", 2, "n * a.value ** (n - 1)", "(n - 1) * a.value**n",
     "The exponent was lowered in the wrong place: the factor in front is n, and the new exponent is n - 1."),
    ("power", 1, ..., """
     def power(a, n):
         value, tangent = 1.0, 0.0
         for _ in range(n):
             value, tangent = value * a.value, value * a.tangent + tangent * a.value
         return value, tangent
     """,
     "Multiplying n times works for n = 3, but range() cannot count to -1 or 0.5. The rule for xⁿ holds for all of "
     "them."),
    ("power", 2, "return a.value**n, n * a.value ** (n - 1) * a.tangent", "return a.value**n, a.tangent**n",
     "You raised the tangent to a power. The power belongs to the value: n a^(n-1), times the tangent."),
    ("power", 2, "return a.value**n, n * a.value ** (n - 1) * a.tangent",
     "return a.value**n, (n * a.tangent) ** (n - 1)",
     "The tangent went into the power. It stands outside, as a factor: f'(a) times a'."),
    ("power", 2, "value ** (n - 1) * a.tangent", "tangent ** (n - 1) * a.value",
     "The power is taken of the tangent. What is raised to n - 1 is the VALUE of a; the tangent is one plain factor, "
     "by the chain rule."),
    ("power", 1, ..., """
     def power(a, n):
         n = int(n)
         return a.value**n, n * a.value ** (n - 1) * a.tangent
     """,
     "int() cuts the exponent: √x became the power 0. An exponent need not be whole: use n as it is."),

    # rules · Task 4 · Functions
    ("rules", 2, "return cos(a.value), -sin(a.value) * a.tangent",
     "return cos(a.value), -sin(a.value * a.tangent)",
     "The tangent went into the sine. It stands outside, as a factor: f'(a) times a', with the derivative at a's "
     "value alone."),
    ("rules", 3, "return cos(a.value), -sin(a.value) * a.tangent", "return cos(a.value), -sin(a.tangent) * a.value",
     "In the rule for cos, value and tangent have changed places: the sine belongs to the value."),
    ("rules", 3, "return sin(a.value), cos(a.value) * a.tangent", "return sin(a.value), cos(a.tangent)",
     "You took the cosine of the tangent. It belongs to the value: f'(a) a', so cos of a's value, times a's tangent."),
    ("rules", 3, "return exp(a.value), exp(a.value) * a.tangent", "return exp(a.value), exp(a.tangent)",
     "You took exp of the tangent. It belongs to the value: exp(a) a'."),
    ("rules", 3, "return exp(a.value), exp(a.value) * a.tangent", "return exp(a), exp(a) * a.tangent",
     "Your rule calls exp on the dual itself, and exp asks your rule: round and round. What is in a.value?"),
    ("rules", 3, "return sin(a.value), cos(a.value) * a.tangent", "return sin(a.value), -cos(a.value) * a.tangent",
     "The sign is the opposite: the derivative of sin is + cos, that of cos is - sin."),

    # derivative · Task 5 · The derivative, from one call
    ("derivative", 2, ..., """
     def derivative(f, x):
         result = f(x + 1e-30j)
         return result.imag / 1e-30 if isinstance(result, complex) else 0.0
     """,
     "You call f on a complex number. That works as well, but here the Dual should do it: one Dual, with the right "
     "tangent."),
    ("derivative", 2, ..., """
     def derivative(f, x):
         h = 1e-5
         high, low = f(x + h), f(x - h)
         return (high - low) / (2 * h)
     """,
     "You approximate: f was called with plain numbers, or more than once. Make one Dual, with the right tangent, "
     "and call f on that."),
    ("derivative", 1, ..., """
     def derivative(f, x):
         return f(Dual(x, 1.0)).tangent
     """,
     "A function that ignores its argument returns a plain number, and a plain number has no tangent to read. What "
     "is its derivative?"),
    ("derivative", 2, ".tangent if isinstance", ".tangent / result.value if isinstance",
     "You divided by the value. The tangent alone is the derivative."),
    ("derivative", 1, "(result, Dual) else 0.0", "(result, Dual) else result",
     "f is the constant 4, and you return 4. Its derivative was asked for: how much does a constant change?"),
    ("derivative", 2, "return result.tangent if isinstance(result, Dual) else 0.0", "return result",
     "You return the whole Dual. The derivative is one of its two parts."),
    ("derivative", 2, "return result.tangent if isinstance", "return result.value if isinstance",
     "10 is f(2), not its derivative. Either you read the value of the result, or value and tangent changed places "
     "when you made the Dual."),
    ("derivative", 2, "result = f(Dual(x, 1.0))", "result = f(Dual(x, x))",
     "Everything is x times too large: the tangent of x is 1, and not x."),
    ("derivative", 2, "result = f(Dual(x, 1.0))", "result = f(Dual(x))",
     "The special number had the tangent 0, or none at all: it was a constant, and constants have the derivative 0. "
     "What is the derivative of x with respect to x?"),

    # apart · Task 6 · Which tangent belongs to whom?
    ("apart", 2, "tag = max(n.tag for n in numbers if isinstance(n, Dual))",
     "tag = min(n.tag for n in numbers if isinstance(n, Dual))",
     "The inner derivative came out as 0. Three things do that: as_duals chose the smallest tag instead of the "
     "largest, so that y became a constant; or it wraps constants without the tag (Dual's third argument), so that "
     "the result has another one; or f is called on a dual without the new tag."),
    ("apart", 2, "(n, 0.0, tag) for n in", "(n, 0.0) for n in",
     "The inner derivative came out as 0. Three things do that: as_duals chose the smallest tag instead of the "
     "largest, so that y became a constant; or it wraps constants without the tag (Dual's third argument), so that "
     "the result has another one; or f is called on a dual without the new tag."),
]
