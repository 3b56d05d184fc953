"""The loops that compiled programs call, and what compiles them. Operations call some of them as well.

compiled     how kernels and programs are compiled, or stay plain Python
machine_code their compilation with numba, and what is written in LLVM's words; only where there is numba
kernels      sums, elementary functions, losses
tile         a tile of a product that stays in registers
panels       rows of a factor, copied side by side for it
products     products of matrices, made of tiles
convolution  convolutions, made of the same tiles; the only ones, for all modes
lines        lines of an image in vectors
pooling      windows of images
heads        attention, head by head
normal       the normal distribution
"""
