"""Charts of the transport test."""
