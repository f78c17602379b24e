"""Charts of the text sensitivity test."""
