# Exercise NN. Wrong answers, with the hints they earn, are in wrong.py. Build: make notebooks
# A whole exercise that passes all checks, to be copied (docs/authors.md). Replace its tasks one by one by your own, and
# see that `python -m minigrad_course.grading.review NN` has nothing to say.

# %% [markdown]
# # Exercise NN · TITLE
#
# One paragraph: what the lesson showed, and what the learner builds here. The question first.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `forward_difference(f, x, h)` | 2 |
# | Task 2 | `central_difference(f, x, h)` | 3 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math

from minigrad_course import grading
from minigrad_course.grading import check_close, partial

grading.live()

# %% [markdown]
# ## Task 1 · A task in a few words (2 points, easy)
#
# Say what to write, in one or two sentences, with the formula. And what to predict before the test is run.
#
# $$f'(x) \approx \frac{f(x + h) - f(x)}{h}$$
#
# How far off is that for $f(x) = x^2$ at $x = 3$, with $h = 0.5$?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "forward"}
def forward_difference(f, x, h):
    """The slope of f between x and x + h."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x)) / h
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_forward", "points": 2}
# Stuck? Advice for every mistake that no wrong answer foresees. Here: draw the two points, and the line through
# them. How far does it rise, and over which distance?
check_close(forward_difference(lambda x: x * x, 3.0, 0.5), 6.5, "x² between 3 and 3.5")
### BEGIN HIDDEN TESTS
check_close(forward_difference(lambda x: 2 * x + 1, -1.0, 0.25), 2, "2 x + 1 between -1 and -0.75")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2 · Another one, with points for each part (3 points, easy)
#
# Look as far to the left as to the right:
#
# $$f'(x) \approx \frac{f(x + h) - f(x - h)}{2\,h}$$
#
# For which functions is that exact, however large $h$ is?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "central"}
def central_difference(f, x, h):
    """The slope of f between x - h and x + h."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x - h)) / (2 * h)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_central", "points": 3}
# Stuck? The two points are not h apart. How far are they?
partial(
    (1, lambda: check_close(central_difference(lambda x: x * x, 3.0, 0.5), 6, "x² between 2.5 and 3.5")),
    (2, lambda: check_close(central_difference(math.sin, 0.0, 1e-3), 1, "sin around 0", tolerance=1e-6)),
)

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try numbers that you have not seen: when all of these pass, the table
# says where the others run.
