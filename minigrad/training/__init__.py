"""Training: optimizers, learning rates, epochs, and checkpoints of them."""
