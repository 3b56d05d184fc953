"""From a graph to a program: linearize -> passes -> schedule -> memory -> emit.

What comes out is a readable program over a library of kernels.

values       what a program is made of: values, where they lie, equations
linearize    nodes become equations
draft        the equations while passes work on them
passes       small rewritings, each with a name, each of which can be left out: the pipeline
schedule     which equation must come before which
memory       which arrays lie in the same memory
emit         equations become text
outline      what occurs more than once in the text becomes a function
program      the text, the file, the machine code
optional     what is fast in special cases, and can be skipped by a reader
compiled     how kernels and programs are compiled
kernels      what a program calls: sums, elementary functions, losses
tile         a tile of a product that stays in registers
products     products of matrices, made of tiles
convolution  convolutions, made of the same tiles, and pooling
step         a training step: what it is given, looked at; whether it still fits its model
training     its programs, and the loop over batches around them
shards       a batch in parts
"""
