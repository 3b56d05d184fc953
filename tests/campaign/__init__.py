"""The campaign: one table of operations, thousands of gradients, and wrong gradients planted to see them caught."""
