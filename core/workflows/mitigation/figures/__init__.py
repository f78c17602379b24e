"""Charts of a mitigation."""
