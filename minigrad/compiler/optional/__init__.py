"""Optional reading: what is fast in special cases, and what a reader of the compiler can do without.

pool_early   max pooling before bias and activation, for convolutional networks
one_walk     with a single row: a product with a matrix and the matrix's change in one walk through memory
addresses    a program of hundreds of arrays takes them by address, from a table
"""
