"""Charts of a comparison."""
