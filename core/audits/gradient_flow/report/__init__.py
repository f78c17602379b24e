"""The gradient-flow test in a report."""
