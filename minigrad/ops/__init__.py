"""Array operations: those that no row of the derivative table can say. One small class each."""
