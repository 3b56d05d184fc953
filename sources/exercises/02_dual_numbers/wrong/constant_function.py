# replaces: derivative
# loses: 1
# hint: A function that ignores its argument returns a plain number, and a plain number has no tangent to
#   read. What is its derivative?


def derivative(f, x):
    return f(Dual(x, 1.0)).tangent
