"""Optional reading: optimisations for special cases, which a reader of the compiler can skip.

pool_early   max pooling before bias and activation, for convolutional networks
one_walk     with a single row: a product with a matrix and the matrix's change in one walk through memory
"""
