"""Guards: what is checked before and after a step, so that nothing goes wrong without a word."""
