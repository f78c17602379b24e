"""Charts of the gradient-flow test."""
