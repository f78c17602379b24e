"""Charts of a selection."""
