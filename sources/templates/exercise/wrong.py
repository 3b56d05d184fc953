"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # forward · Task 1 · A task in a few words
    ("forward", 2, "return (f(x + h) - f(x)) / h", "return (f(x) - f(x - h)) / h",
     "Your two points are x - h and x. The task asks for the slope to the right of x."),
    ("forward", 2, "return (f(x + h) - f(x)) / h", "return f(x + h) - f(x)",
     "You return how far f rises. A slope says how far it rises for each unit to the right: what is missing is the "
     "distance."),
    ("forward", 2, "return (f(x + h) - f(x)) / h", "return (f(x) - f(x + h)) / h",
     "The sign is wrong: x² rises at 3, and your slope falls. Which of the two values comes first?"),

    # central · Task 2 · Another one, with points for each part
    ("central", 3, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x + h) - f(x - h)) / h",
     "Twice too large: from x - h to x + h it is farther than from x to x + h. How far?"),
    ("central", 1, "return (f(x + h) - f(x - h)) / (2 * h)", "return (f(x + h) - f(x)) / h",
     "That is the forward difference again: nearly right for a small step, and visibly wrong for 0.5. The left point "
     "is x - h."),
]
