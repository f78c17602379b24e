"""The pages' part of the equalized odds test."""
