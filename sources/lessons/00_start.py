# Lesson 00. The door: nobody who opens it has seen JupyterLab, this package, or an automatic derivative.
# The map below names every lesson of the course; tests/test_lesson_links.py keeps it in step with sources/lessons.

# %% [markdown]
# # Start here
#
# How does a program learn to read handwriting? It holds thousands of numbers, and it changes each of them a little, in the direction that helps, again and again.
#
# But *which* direction helps? That is a question about derivatives: thousands of them, of one number, at every step. Nobody works them out by hand. The program computes them itself, up to rounding, and all of them together take only a few times as many operations as running the program once.
#
# **How is that possible?** This course answers the question by building the thing, from the chain rule up to networks that train. You need Python, a little NumPy, and first-year calculus: the chain rule and Taylor's theorem. Matrices come in with lesson 03.
#
# In this lesson you train a network and draw digits for it to read, see whether your computer is ready, take a derivative with one call, and get your first feedback.
#
# *Time: about 25 minutes.*

# %% [markdown]
# ## First, train something
#
# Click on the cell below and press **Shift+Enter**. Some seconds later a network has looked at 1,297 handwritten digits, six times each. It holds 25,450 numbers, its weights. After each batch, of fifty pictures at most, it has changed those that had a part in its answers a little.

# %%
import minigrad as mg
from minigrad_course import data

digits = data.digits()
network = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=1), mg.nn.ReLU(), mg.nn.Linear(32, 10, rng=2))
history = mg.fit(network, digits, 6, 50, mg.optim.SGD(0.3), rng=1, progress=False)

right = (network(digits.test_x).value.argmax(axis=1) == digits.test_y).mean()
print(f"of {len(digits.test_y)} digits that it has never seen, it reads {right:.0%}")

# %% [markdown]
# Run the next cell, and draw a digit on the left with mouse or finger. Watch the bars while you draw. Then look at the picture on the right: what does it show?

# %%
from minigrad_course.project.digit_pad import DigitPad

shown = [(digits.test_y == k).argmax() for k in range(10)]
w, b, u, c = (parameter.value for parameter in network.parameters())
DigitPad([w.T, b, u.T, c], digits.test_x[shown], digits.test_y[shown])

# %% [markdown]
# The picture on the right shows **derivatives**: 784 of them, one for each pixel, all from a single pass. A little more ink where it is orange, and the network is surer of its answer; where it is blue, less sure. The speckle near the edges comes from weights that training never changed, because no digit that it was trained on has ink there.
#
# Now use them. Press *Somebody else's digit* until a 3 appears, and click on the bar of the 8: the picture shows which pixels would speak for an 8. Then press *More ink on orange*. How often, until the network reads an 8? Would you read one?
#
# That is what training does as well, with the weights in place of the pixels: follow the derivatives, a little at a time. By [lesson 05](05_computational_graph.ipynb) you will know how one pass finds them all, and [in a project of your own](../project/project.ipynb) you write the program that does.

# %% [markdown]
# ## A notebook is a row of cells
#
# Below is a cell with a bit of Python. Click on it and press **Shift+Enter**: it runs, its result appears below it, and the next cell is selected.

# %%
6 * 7

# %% [markdown]
# You need to know only four things:
#
# - **A cell is yours.** Change it, run it again. Nothing breaks that a restart does not fix.
# - **Cells share one memory, the kernel.** A name that one cell defines is available in all cells that run *later*. So run them from top to bottom.
# - **Before each result, guess it.** A wrong guess teaches more than a right answer that you only read. Some guesses have a field: run the folded cell, write a number or pick an answer, and it is shown beside the result. It stays on this computer; to skip a guess, run on.
# - **Lost?** *Kernel → Restart Kernel…* forgets everything and starts again. *Run → Run All Above Selected Cell* brings you back to where you were.
#
# Try the second point. What will the next cell say? Run it, and then run it *again*:

# %%
try:
    runs = runs + 1
except NameError:
    runs = 1
print("this cell ran", runs, "time" + "s" * (runs != 1))

# %% [markdown]
# ## Is your computer ready? Ask the doctor
#
# The next cell checks what the course needs, line by line. **Fine** means that there is nothing to do. **Note** means that the course runs, but something optional is missing. Where a line begins with **fix**, run the command that it names, restart the kernel, and ask again. The doctor itself installs nothing.

# %%
from minigrad_course import doctor

doctor.show()

# %% [markdown]
# ## One call, one derivative
#
# Here is a function whose derivative you could work out with the product rule: $f(x) = x \sin x$. Do it on paper, or just guess from the formula: is $f$ rising or falling at $x = 2$?

# %%
import numpy as np


def f(x):
    return x * np.sin(x)


print("mg.derivative:", mg.derivative(f, 2.0))

# %% [markdown]
# A small positive slope: still rising, but only just. The product rule says $f'(x) = \sin x + x \cos x$. Does it agree?

# %%
print("your formula: ", np.sin(2.0) + 2.0 * np.cos(2.0))

# %% [markdown]
# Nobody gave minigrad that formula. It called `f` *once*, and tried no points nearby. How that works is the subject of [lesson 02](02_dual_numbers.ipynb).
#
# There is a second way. It records the computation as a *graph*, and goes through it backwards. Run the cell, then follow the arrows from `x`: which of the boxes use it?

# %%
x = mg.Variable(2.0, name="x")
y = f(x)
y.backward()
mg.draw(y)

# %% [markdown]
# Each box shows what was computed, and its value; [lesson 04](04_tracing_backwards.ipynb) explains the line *adjoint*. Both `sin` and the product use `x`, so $y$ depends on $x$ along two paths, and the derivative is the sum over both. It is stored in `x`:

# %%
x.grad

# %% [markdown]
# [Lesson 05](05_computational_graph.ipynb) builds this backward way. It is what trains a network.
#
# ## A taste of being graded
#
# Each lesson from 01 to 17 comes with an exercise. You write a few lines, and a *check* tells you at once whether they are right, and if not, where they differ from what is expected. Here is a task: *the derivative of $x^2$.* And here is an answer, in which somebody forgot the $x$. What would you like to be told? Run both cells.


# %%
def slope(x):
    return 2


# %% tags=["raises-exception"]
from minigrad_course.grading import check_close

check_close(slope(3.0), 6.0, "the slope of x² at 3")
print("passed")

# %% [markdown]
# One line: what was checked, what was expected, what came out. Mend `slope` in the first of the two cells, and run both again until the check passes.
#
# The check looks at one point only. Can you find a *wrong* answer that passes?

# %% [markdown]
# `return 6` does, and so does `return x + 3`. That is why exercises have hidden tests as well. In an exercise the checks carry **points**, and common mistakes earn a **hint**. On a computer, `minigrad grade 02` in a terminal runs your saved exercise from top to bottom and prints a table of its points. There is no account and no server: nobody else sees it.
#
# ## Two sizes, one switch
#
# | | data | a lesson takes |
# |---|---|---|
# | **small** (the default) | a small set of real handwriting, inside this package | seconds to a minute |
# | **full** | MNIST: 60,000 + 10,000 digits, downloaded once | minutes |
#
# The switch is set when the course is opened, for all lessons: `minigrad lab --size full`, or in a clone `make lab SIZE=full`. Which size are you using? And could you read these pictures, which the networks of this course learn to read?

# %%
from minigrad_course.viz import plots

digits = data.for_lesson()
figure, axes = plots.canvas(9, 1.3, columns=10)
for label in range(10):
    first = digits.train_x[digits.train_y == label][0]
    axes[label].imshow(first.reshape(28, 28), cmap="gray_r")
    axes[label].set_title(label)
    axes[label].axis("off")
plots.show(figure, "Ten handwritten digits, from 0 to 9: the first of each in the training set.")

# %% [markdown]
# ## The map of the course
#
# Scalars before arrays, forward before backward, graph before program, program before speed, speed before networks. Click a title to go there.
# A word that is new to you is explained in the [glossary](glossary.ipynb).
#
# <div style="display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px">
# <div style="width:130px;min-width:130px;padding:6px 0"><b>Derivatives</b><br>of one function, exactly</div>
# <div style="display:flex;flex:1 1 0;flex-wrap:wrap;gap:8px;min-width:194px">
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>00</b> <a href="00_start.ipynb"><b>Start</b></a><br>you are here</div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>01</b> <a href="01_four_ways.ipynb"><b>Four ways to differentiate</b></a><br>by hand, numerical, symbolic, automatic<br><a href="../exercises/01_four_ways/01_four_ways.ipynb">exercise 01</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>02</b> <a href="02_dual_numbers.ipynb"><b>Dual numbers</b></a><br>a number that carries its derivative<br><a href="../exercises/02_dual_numbers/02_dual_numbers.ipynb">exercise 02</a></div>
# </div></div>
# <div style="display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px">
# <div style="width:130px;min-width:130px;padding:6px 0"><b>Two directions</b><br>forward and backward</div>
# <div style="display:flex;flex:1 1 0;flex-wrap:wrap;gap:8px;min-width:194px">
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>03</b> <a href="03_tracing_forwards.ipynb"><b>Tracing forwards</b></a><br>one column of the Jacobian at a time<br><a href="../exercises/03_tracing_forwards/03_tracing_forwards.ipynb">exercise 03</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>04</b> <a href="04_tracing_backwards.ipynb"><b>Tracing backwards</b></a><br>one row at a time<br><a href="../exercises/04_tracing_backwards/04_tracing_backwards.ipynb">exercise 04</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>05</b> <a href="05_computational_graph.ipynb"><b>The computational graph</b></a><br>write the backward pass yourself<br><a href="../exercises/05_computational_graph/05_computational_graph.ipynb">exercise 05</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>06</b> <a href="06_higher_derivatives.ipynb"><b>Higher derivatives</b></a><br>curvature in one direction, for about two gradients<br><a href="../exercises/06_higher_derivatives/06_higher_derivatives.ipynb">exercise 06</a></div>
# </div></div>
# <div style="display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px">
# <div style="width:130px;min-width:130px;padding:6px 0"><b>A fast program</b><br>from a graph</div>
# <div style="display:flex;flex:1 1 0;flex-wrap:wrap;gap:8px;min-width:194px">
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>07</b> <a href="07_arrays.ipynb"><b>Arrays</b></a><br>broadcasting, sums, matrix products<br><a href="../exercises/07_arrays/07_arrays.ipynb">exercise 07</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>08</b> <a href="08_tape_to_program.ipynb"><b>From tape to program</b></a><br>the graph becomes code to read<br><a href="../exercises/08_tape_to_program/08_tape_to_program.ipynb">exercise 08</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>09</b> <a href="09_making_it_fast.ipynb"><b>Making it fast</b></a><br>each trick measured; optional: <a href="09b_closer_to_the_machine.ipynb">closer to the machine</a><br><a href="../exercises/09_making_it_fast/09_making_it_fast.ipynb">exercise 09</a></div>
# </div></div>
# <div style="display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px">
# <div style="width:130px;min-width:130px;padding:6px 0"><b>Networks</b><br>that train</div>
# <div style="display:flex;flex:1 1 0;flex-wrap:wrap;gap:8px;min-width:194px">
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>10</b> <a href="10_first_network.ipynb"><b>A first network</b></a><br>digits, with two layers<br><a href="../exercises/10_first_network/10_first_network.ipynb">exercise 10</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>11</b> <a href="11_recurrent_networks.ipynb"><b>Recurrent networks</b></a><br>the papers’ network (in the full size, on MNIST); optional: <a href="11b_papers_tables.ipynb">their tables</a><br><a href="../exercises/11_recurrent_networks/11_recurrent_networks.ipynb">exercise 11</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>12</b> <a href="12_gru_lstm.ipynb"><b>GRU, LSTM, time series</b></a><br>memory against time<br><a href="../exercises/12_gru_lstm/12_gru_lstm.ipynb">exercise 12</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>13</b> <a href="13_convolutional_networks.ipynb"><b>Convolutional networks</b></a><br>a kernel slides over a digit; optional: <a href="13b_three_ways_to_convolve.ipynb">three ways</a><br><a href="../exercises/13_convolutional_networks/13_convolutional_networks.ipynb">exercise 13</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>14</b> <a href="14_autoencoder.ipynb"><b>Autoencoder</b></a><br>784 numbers squeezed into a few<br><a href="../exercises/14_autoencoder/14_autoencoder.ipynb">exercise 14</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>15</b> <a href="15_race_and_operation.ipynb"><b>The race, and your own operation</b></a><br>beside PyTorch and JAX<br><a href="../exercises/15_race_and_operation/15_race_and_operation.ipynb">exercise 15</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>16</b> <a href="16_attention.ipynb"><b>Attention</b></a><br>a small GPT that you can read<br><a href="../exercises/16_attention/16_attention.ipynb">exercise 16</a></div>
# <div style="width:170px;padding:6px 10px;border:2px solid #0072B2;border-radius:8px"><b>17</b> <a href="17_derivative_of_an_answer.ipynb"><b>The derivative of an answer</b></a><br>through an equation, not through its solver<br><a href="../exercises/17_derivative_of_an_answer/17_derivative_of_an_answer.ipynb">exercise 17</a></div>
# </div></div>
# <div style="display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px">
# <div style="width:130px;min-width:130px;padding:6px 0"><b>Beside all that</b><br>from lesson 05 on</div>
# <div style="display:flex;flex:1 1 0;flex-wrap:wrap;gap:8px;min-width:194px">
# <div style="width:360px;padding:6px 10px;border:2px solid #D55E00;border-radius:8px"><b>The project</b> <a href="../project/project.ipynb"><b>Your own engine</b></a><br>a single file of your own that starts as two numbers with a memory and ends as a recurrent network that trains; tested by hundreds of random graphs</div>
# <div style="width:170px;padding:6px 10px;border:2px solid #D55E00;border-radius:8px"><a href="puzzles.ipynb"><b>Gradient puzzles</b></a><br>twelve rules to write, in any order; from lesson 04 on</div>
# </div></div>

# %% [markdown]
# ## Where you are
#
# Come back here now and then. The next cell shows the points that you have earned so far, and what to do next. They are kept on this computer or, in a browser tab, by the browser.

# %%
from minigrad_course import grading

grading.overview()

# %% [markdown]
# ## In five lines
#
# 1. Shift+Enter runs a cell; run them from top to bottom, and guess before you run.
# 2. A derivative says which way to go, for each of 784 pixels or 25,450 weights.
# 3. `mg.derivative(f, x)` differentiates a program by running it; `mg.draw(y)` shows how `y` was computed.
# 4. Exercises give points, feedback and hints: live in the notebook, and by `minigrad grade`.
# 5. Small by default, full with `--size full`; `doctor.show()` tells you what this computer lacks.
#
# You can read the code that you ran: [minigrad_course/doctor.py](../minigrad_course/doctor.py) checks your computer, [minigrad_course/grading/checks.py](../minigrad_course/grading/checks.py) compares answers.
#
# **Next: [1 · Four ways to differentiate](01_four_ways.ipynb).**
