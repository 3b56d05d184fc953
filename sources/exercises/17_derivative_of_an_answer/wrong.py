"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # root · Task 1 · A root
    ("root", 2, "-F_a(x, a) / slope", "F_a(x, a) / slope",
     "The sign is missing: what F gains by a it must lose by x, so that it stays 0."),
    ("root", 2, "-F_a(x, a) / slope", "-F_a(x, a) * slope",
     "You multiply by F_x. The steeper F is along x, the less x has to move: divide."),
    ("root", 2, "-F_a(x, a) / slope", "-slope / F_a(x, a)",
     "That is da/dx, the other way round. What is to be divided by what?"),
    ("root", 2, "None if slope == 0 else -F_a(x, a) / slope", "-F_a(x, a) / slope",
     "At a double root F_x is 0, and you divide by it. Look at it first."),
    ("root", 2, "-F_a(x, a) / slope", "-1 / slope",
     "You took F_a to be -1, which it is for x² - a. It is a function of x and a."),
    ("root", 2, "if slope == 0", "if slope <= 0",
     "Where F falls as x grows its slope is negative. That is no double root."),
    ("root", 2, "None if slope == 0", "0.0 if slope == 0",
     "No number is right at a double root: 0 would mean that the root stays where it is. Which value says that there is none?"),

    # settled · Task 2 · A fixed point
    ("settled", 3, ..., """
     def settled_back(to_x, to_a, x_bar):
         return to_a(x_bar)
     """, "This goes back through the last round only. The x in it depends on a as well: that is what u adds up."),
    ("settled", 3, "u, before = x_bar + to_x(u), u", "u, before = to_x(u), u",
     "Your u fades away: each round forgets the seed. In u = x_bar + u ∂g/∂x, x_bar is added in every round."),
    ("settled", 3, "u, before = x_bar + to_x(u), u", "u, before = u + to_x(u), u",
     "You add to the u before, which holds earlier terms already, and so count these again. To what is to_x(u) added?"),
    ("settled", 3, ..., """
     def settled_back(to_x, to_a, x_bar):
         u = x_bar
         for _ in range(50):
             u = x_bar + to_x(u)
         return to_a(u)
     """, "A fixed number of rounds stops too early where it settles slowly. When does u no longer change?"),
    ("settled", 3, "return to_a(u)", "return u",
     "This is u, the adjoint that arrives at g. From there it goes on to a."),
    ("settled", 3, "u, before = x_bar + to_x(u), u", "u, before = x_bar - to_x(u), u",
     "The signs of your terms alternate. In u = x_bar + u ∂g/∂x all are added."),
    ("settled", 3, ..., """
     def settled_back(to_x, to_a, x_bar):
         u, before = x_bar.copy(), np.zeros_like(x_bar)
         while np.abs(u - before).max() > 1e-13:
             before = u
             u += to_x(u)
         return to_a(u)
     """, "u += changes the array that both names stand for, so u and before never differ. Make a new one in each round."),
    ("settled", 3, "u, before = x_bar + to_x(u), u", "u, before = to_x(x_bar + u), u",
     "One term is missing, the first: x_bar goes on to a as it is, too, and not only through to_x."),

    # solve · Task 3 · A system of equations
    ("solve", 3, "np.linalg.solve(A.T, x_bar)", "np.linalg.solve(A, x_bar)",
     "You solve with A. Going back, rows and columns change places: an adjoint goes through the transpose."),
    ("solve", 3, "np.linalg.solve(A.T, x_bar)", "A.T @ x_bar",
     "You multiply by the transposed matrix. x came from solving a system, not from a product, and so does b_bar."),
    ("solve", 3, "np.linalg.solve(A.T, x_bar)", "np.linalg.solve(A.T, np.ones(len(x)))",
     "The adjoint that arrives is not used: the seed is x_bar, and not 1."),
    ("solve", 2, "-np.outer(b_bar, x)", "np.outer(b_bar, x)",
     "The sign of A's adjoint is wrong. In dx = solve(A, db - dA x), which sign does dA have?"),
    ("solve", 2, "-np.outer(b_bar, x)", "-np.outer(x, b_bar)",
     "A's adjoint is transposed. Row i of A belongs to equation i, and so to entry i of b_bar."),
    ("solve", 2, "-np.outer(b_bar, x)", "-np.outer(x_bar, x)",
     "You took x_bar itself. A change of A acts like a change of b: what is the adjoint of b?"),
    ("solve", 2, "-np.outer(b_bar, x)", "-b_bar * x",
     "Each entry of A has an adjoint, for each pair of an equation and an unknown: a matrix, and not a vector."),
    ("solve", 2, "-np.outer(b_bar, x)", "-b_bar @ x.T",
     "@ of two vectors is one number, and .T changes no vector. A's adjoint has an entry for each pair: a column times "
     "a row."),

    # penalty · Task 4 · Penalties
    ("penalty", 3, "-u * w * np.exp(s)", "u * w * np.exp(s)",
     "The sign: in Task 3, where does the adjoint of a matrix get its minus?"),
    ("penalty", 3, "-u * w * np.exp(s)", "-u * w",
     "This is the adjoint of d. One step is left: d is the exponential of s."),
    ("penalty", 3, "-u * w * np.exp(s)", "-w_bar * w * np.exp(s)",
     "w_bar went straight to the matrix. First a system has to be solved with it, as in Task 3."),
    ("penalty", 3, "-u * w * np.exp(s)", "-u * np.exp(s)",
     "The weights themselves are missing: the adjoint of the matrix is made of both solutions."),
    ("penalty", 3, "matrix = X.T @ X + np.diag(np.exp(s))", "matrix = X.T @ X + np.diag(s)",
     "s holds logarithms. Which numbers stand on the diagonal?"),
    ("penalty", 3, "-u * w * np.exp(s)", "-np.outer(u, w) @ np.exp(s)",
     "The matrix's whole adjoint was used. D is diagonal: which of its entries depend on s?"),
    ("penalty", 3, "X.T @ X + np.diag(np.exp(s))", "X.T @ X",
     "The penalties are missing from the matrix with which you solve."),
    ("penalty", 3, "np.diag(np.exp(s))", "np.exp(s)",
     "A vector is added to every row of the matrix. D has it on its diagonal, and 0 elsewhere."),
]
