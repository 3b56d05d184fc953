"""From a graph to a program: linearize -> passes -> schedule -> memory -> emit.

What comes out is a readable program over a library of kernels.

values       what a program is made of: values, where they lie, equations
linearize    nodes become equations
ir           the equations while passes work on them
passes       small rewritings, each with a name, each of which can be left out: the pipeline
schedule     which equation must come before which
memory       which arrays lie in the same memory
emit         equations become lines (text), with expressions (rows of the derivative table) and names
origins      which layer and step a line belongs to: the headings
outline      what occurs more than once in the text becomes a function
program      all of these in turn, for one graph; the text as a whole, and the file that it is in
optional     what is fast in special cases, and can be skipped by a reader
function     any graph as a function of its leaves
step         a training step: what it is given, looked at; whether it still fits its model
build        its nodes, their program, and the loop over batches
training     its programs as they run, with their arrays
shards       a batch in parts, on threads that wait for each other
tables       what a compiled step says about itself, as tables
"""
