"""Loops: a step repeated over time as one node (`scan`), and a function of one example applied to many (`vmap`)."""
