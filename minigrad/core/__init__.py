"""The heart: a table of derivatives, dual numbers, and nodes that remember; both modes of differentiation."""
