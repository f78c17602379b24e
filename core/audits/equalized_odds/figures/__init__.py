"""Charts of the equalized odds test."""
