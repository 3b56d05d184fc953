# The glossary. Lessons link to its headings: glossary.ipynb#Adjoint. One to three sentences a term, in the field's words.

# %% [markdown]
# # Glossary
#
# The words of this course, as the field uses them, and the lesson that introduces each.

# %% [markdown]
# ## Accumulate
# To add to what is there already (`+=`) instead of replacing it. A node that is used twice receives two shares of its [adjoint](#Adjoint), which are added up. Lesson 05.
#
# ## Adjoint
# The derivative of the output with respect to an intermediate value $v$, written $\bar v$: how much the output changes with $v$. Reverse mode computes the adjoints, from the output back to the inputs. Lesson 04.
#
# ## Attention
# A mean of *values*, weighted by the softmax of how well their *keys* match a *query*. Each position of a sequence may take from each other in one operation. Lesson 16.
#
# ## Autoencoder
# A network that copies its input through a small number of values, the *code*. Its target is its input, so it needs no labels. Lesson 14.
#
# ## Automatic differentiation
# A derivative computed by running the program: each operation's rule is applied as it runs, to numbers. Exact to rounding, without a formula and without a step. Lesson 01.
#
# ## Backpropagation through time
# Reverse mode on a [recurrent network](#Recurrent-network) written out over its time steps. The gradient of a shared weight is the sum of the shares of all steps. Lesson 11.
#
# ## Batch
# A few examples, drawn at random, whose mean loss is used in place of that of all. Lesson 10.
#
# ## Broadcasting
# NumPy's rule by which a small array is used as if it were copied along the axes that it lacks, or along which its size is 1. Its adjoint is a sum over those axes. Lesson 07.
#
# ## Cache line
# The piece of memory that a processor fetches at a time, usually 64 bytes: 16 neighbouring float32. To use one number of it costs as much as to use all. Lesson 09b.
#
# ## Causal mask
# What keeps a position from looking at later ones: their scores are $-\infty$ before the softmax, so their shares are 0, and so are the derivatives with respect to them. Lesson 16.
#
# ## Central difference
# $(f(x+h) - f(x-h)) / 2h$: a [finite difference](#Finite-difference) that takes a step to both sides. Its [truncation error](#Truncation-error) shrinks with $h^2$. Lesson 01.
#
# ## Checkpointing
# To keep only some values of the forward pass, and compute the others again in the backward pass: less memory for more time. With the state before every $\sqrt T$-th of $T$ steps, about $2\sqrt T$ states are held. Lesson 12.
#
# ## Complex step
# $\operatorname{Im} f(x + ih) / h$: a derivative without a subtraction, so that $h$ may be as small as you like. For functions that treat complex numbers as their formula does. Lesson 01.
#
# ## Computational graph
# The steps of a computation as nodes, with an edge from each value to the steps that use it. It has no cycles, so there is a [topological order](#Topological-order). Lesson 05.
#
# ## Confusion matrix
# A table that counts how many examples of class $i$ (row) were taken for class $j$ (column). Lesson 10.
#
# ## Convolution
# A filter laid on each place of a picture in turn: multiply, add up, move on by one pixel. Mathematicians call this a correlation; their convolution rotates the filter by half a turn. Lesson 13.
#
# ## Cotangent
# A vector of weights on the outputs, which [reverse mode](#Reverse-mode) carries back to the inputs. The adjoint of a value is the cotangent that arrives there. Lesson 04.
#
# ## Cross-entropy
# $-\log$ of the probability that a network gives to the right class: 0 if it is right and certain. Computed from the scores in one piece with softmax, so that large scores do not overflow. Lesson 07.
#
# ## Curvature
# How fast the slope changes along a direction $d$ of length 1: the second derivative $d^\top H d$, with the [Hessian](#Hessian) $H$. Lesson 06.
#
# ## Dead code
# Lines of a program that no result depends on. They are found from the last line to the first. Lesson 08.
#
# ## Deep equilibrium
# A layer whose value is a [fixed point](#Fixed-point) of its own equation, as if it were applied infinitely often. Its adjoint is the solution of a linear system, so its rounds need not be kept. Lesson 17.
#
# ## Diamond
# Two paths through a graph from one node to another, because a value is used twice. The shares of the adjoint along both add up. Lesson 05.
#
# ## Dot-product test
# For any tangent $u$ and cotangent $w$: $\langle w, Ju\rangle = \langle J^\top w, u\rangle$. A jvp and a vjp of the same function must agree in this number, whatever the function. Lesson 07.
#
# ## Dual number
# $a + b\,\varepsilon$ with $\varepsilon^2 = 0$: a value $a$ (the [primal](#Primal)) and a [tangent](#Tangent) $b$ that is computed along with it. Lesson 02.
#
# ## Embedding
# A table with a row of numbers for each symbol, which are learned like any weights: letters, words, or places. Lesson 16.
#
# ## Epoch
# One pass over all examples of the training set. Lesson 10.
#
# ## Expression swell
# A derivative written as one formula repeats the pieces that a program would keep under a name, and can grow exponentially. Lesson 01.
#
# ## Feature map
# The output of one filter of a [convolution](#Convolution) at all places of a picture, as a picture. Lesson 13.
#
# ## Finite difference
# A slope from values of the function at points a step $h$ apart, such as $(f(x+h) - f(x)) / h$. Lesson 01.
#
# ## Fixed point
# A value that a function returns unchanged: $x = g(x)$. Lesson 17.
#
# ## Forward mode
# Automatic differentiation along with the computation: each value has a [tangent](#Tangent). One pass for each direction of the inputs. Lessons 02 and 03.
#
# ## Forward over reverse
# [Forward mode](#Forward-mode) through a [reverse](#Reverse-mode) pass: dual numbers go into the gradient, and out of it come second derivatives in one direction. Lesson 06.
#
# ## Fuse
# To do several steps as one: in one operation where separate steps lose digits or overflow (lesson 07), in one loop where separate loops would walk over memory several times (lessons 08 and 09).
#
# ## Gate
# A sigmoid whose value, between 0 and 1, multiplies another one: how much of it gets through is learned. Lesson 12.
#
# ## Glorot's rule
# First weights with mean 0 and variance $2/(n_{in}+n_{out})$, so that signals and adjoints keep their size from layer to layer. Lesson 10.
#
# ## Gradient
# The vector of the partial derivatives of one number with respect to all its inputs. Lesson 05.
#
# ## Gradient clipping
# To limit the gradient before a step: each entry (by value), or the length of the whole (by norm), which keeps its direction. Lesson 11.
#
# ## Gradient descent
# Steps against the [gradient](#Gradient), each as long as the gradient times a number that you choose (the learning rate). Lesson 06.
#
# ## GRU
# Gated recurrent unit: a recurrent layer whose update gate mixes the old state and new content. Lesson 12.
#
# ## Hessian
# The matrix of second partial derivatives of one number. Lesson 06.
#
# ## Hessian-vector product
# $H d$ for a direction $d$: how the gradient changes when the inputs move along $d$. It costs about two gradients, whatever the size of the [Hessian](#Hessian). Lesson 06.
#
# ## Hidden state
# What a [recurrent network](#Recurrent-network) passes on from one time step to the next: its memory. Lesson 11.
#
# ## im2col
# To copy the pixels of each window into one row of a matrix, so that a [convolution](#Convolution) becomes one product of matrices. Lesson 13b.
#
# ## Implicit differentiation
# The derivative of the solution of an equation $F(x, a) = 0$ from the equation itself: $dx/da = -F_a / F_x$, or, with many unknowns, from a linear system. Lesson 17.
#
# ## Jacobian
# The matrix of all partial derivatives of several outputs (rows) with respect to several inputs (columns). Forward mode fills it by columns, reverse mode by rows. Lessons 03 and 04.
#
# ## Just-in-time compilation
# Making machine code when a function is first called, for the types that it is called with (numba's `njit`). It costs time once, and pays after enough calls. Lesson 09.
#
# ## jvp
# Jacobian-vector product $J u$: the derivative of the outputs in the direction $u$ of the inputs. What one pass of forward mode gives. Lesson 03.
#
# ## Kernel of an operation
# The plain loop that fills an operation's `out`, in the part of Python that numba compiles, so that a compiled program can call it. Lesson 15.
#
# ## Layer normalization
# Each position by itself: its numbers less their mean, divided by their standard deviation, times a weight and plus a bias that are learned. Lesson 16.
#
# ## Learning rate
# The factor $\eta$ in $w \leftarrow w - \eta\,\bar w$: how long a step is. Lesson 10.
#
# ## Lifetime
# From where a value is first written to where it is last read. Two values whose lifetimes do not overlap can share memory. Lesson 08.
#
# ## Linear scan
# Assigning memory to values in the order of their first use: each gets the first place that is free by then. Lesson 08.
#
# ## Logits
# The scores of the classes before [softmax](#Softmax) turns them into probabilities. They may have any size and sign. Lesson 07.
#
# ## LSTM
# Long short-term memory: a recurrent layer with a cell that is added to, not overwritten. Gates decide what gets in, what stays and what is shown. Lesson 12.
#
# ## Machine epsilon
# The gap between 1 and the next number that the computer can hold: $2^{-52}$ for `float64`, $2^{-23}$ for `float32`. Lesson 01.
#
# ## Map
# Doing the same to each entry of an array. Its [Jacobian](#Jacobian) is diagonal. Lesson 07.
#
# ## Max pooling
# To keep only the largest number of each window. Its adjoint goes to the entry that was the largest. Lesson 13.
#
# ## Median
# The number in the middle when all are sorted. One bad round hardly changes it, while it would change the mean. Lesson 15.
#
# ## Module
# A layer or a network: variables with names, and a function that computes its output from its input. Lesson 10.
#
# ## Newton's method
# Steps to the lowest point of the parabola with the same value, slope and curvature: solve $H s = -\nabla f$ and go by $s$. Near a minimum each step about doubles the number of right digits. Lesson 06.
#
# ## Node
# One box of a [computational graph](#Computational-graph): a constant (data), a variable (which we differentiate with respect to) or an operator (the result of an operation on other nodes). Lesson 05.
#
# ## Pass
# A rewriting of a program by the compiler that keeps what it computes and changes how. Lesson 08. (Also: one run of forward or reverse mode.)
#
# ## Perturbation confusion
# The mistake of taking the tangent of an outer derivative for that of an inner one, because both have the same $\varepsilon$. Avoided by a tag for each derivative. Lesson 02.
#
# ## Pretraining
# To start a network from weights that were learned on another task, such as copying unlabelled pictures. Lesson 14.
#
# ## Primal
# The value itself, as opposed to its derivative. Lesson 02.
#
# ## Recurrent network
# A network that applies the same small function at each time step, to the input of the step and to its own last [state](#Hidden-state). Lesson 11.
#
# ## Reduce
# Making one number out of many, such as a sum. The adjoint of a sum is a copy to every entry. Lesson 07.
#
# ## Residual connection
# To add a layer's output to its input, $x \leftarrow x + f(x)$: the adjoint comes back through the sum undiminished, besides its way through $f$. Lesson 16.
#
# ## Reverse mode
# Automatic differentiation after the computation: it is run and recorded, then the [adjoints](#Adjoint) are computed from its end to its beginning. One pass for each output. Lesson 04.
#
# ## Ridge regression
# Least squares with a penalty on the squares of the weights, which keeps them small. Lesson 17.
#
# ## Root
# A place where a function is 0. Lesson 17.
#
# ## Rounding error
# What is lost when a number is replaced by the nearest one that the computer can hold: half a [machine epsilon](#Machine-epsilon) at most, relative to the number. Lesson 01.
#
# ## Seed
# The derivative that a pass starts from: the tangent 1 at one input (forward), the adjoint 1 at one output (reverse). Lessons 03 and 04.
#
# ## Shard
# A part of a batch that one thread works on, with arrays of its own; the gradients of all shards are added up. Lesson 09b.
#
# ## Softmax
# $p_k = e^{z_k} / \sum_m e^{z_m}$: probabilities out of [logits](#Logits). It does not change when the same number is added to all logits. Lesson 07.
#
# ## Source transformation
# Differentiating a program by writing another program: text in, text out. Lesson 08.
#
# ## Spectral radius
# The largest absolute value among the eigenvalues of a square matrix. It determines how fast many multiplications by the matrix stretch or shrink a vector. Lesson 11.
#
# ## Stochastic gradient descent
# [Gradient descent](#Gradient-descent) in which each step uses the gradient of one random [batch](#Batch). SGD for short. Lesson 10.
#
# ## Symbolic differentiation
# The rules of calculus applied to a formula, with a formula as the result. Lesson 01.
#
# ## Tangent
# The derivative of a value in the direction that was chosen at the inputs, written $\dot v$. Forward mode computes the tangents. Lesson 02.
#
# ## Tape
# The record of a computation, step by step, which reverse mode goes through backwards. Lesson 08.
#
# ## Taylor polynomial
# The polynomial that has the same value, slope, curvature and so on as a function at one point, up to some order. Lesson 06.
#
# ## Test set
# Examples that are kept apart and never learned from. Only they show how a network does on what it has not seen. Lesson 10.
#
# ## Tied weights
# One matrix used in two places, such as an autoencoder's encoder and, transposed, its decoder. Its gradient is the sum of the shares of both uses. Lesson 14.
#
# ## Topological order
# An order of the nodes of a graph in which each comes after everything that it was computed from. Lesson 05.
#
# ## Trace
# The list of the elementary steps that a computation went through for the inputs it was given: loops unrolled, branches taken. Lesson 03.
#
# ## Truncated backpropagation through time
# [Backpropagation through time](#Backpropagation-through-time) over pieces of a long sequence: the state is passed on from piece to piece, the adjoint is not passed back. Lesson 11.
#
# ## Truncation error
# What is lost when a series is cut off: here, the curvature that a straight line does not have. Lesson 01.
#
# ## Vanishing gradient
# An adjoint that shrinks by a factor at each step back, until the early steps of a sequence, or the early layers of a deep network, learn almost nothing. The opposite is an exploding gradient. Lesson 11.
#
# ## View
# Another way to look at the numbers of an array: where to begin, how far to step. A slice is a view; it shares its numbers, where a copy has its own. Lesson 09b.
#
# ## vjp
# Vector-Jacobian product $w^\top J$: how a weighted sum of the outputs depends on each input. What one pass of reverse mode gives. Lesson 04.
