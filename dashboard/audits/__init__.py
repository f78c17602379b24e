"""One room a test: its part of setup, review and results."""
