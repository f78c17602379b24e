"""Models beside each other: the same tests on the same rows, and what each does otherwise than a baseline."""
