"""A result as slides: what a presenter may change of them, the files, and the slides themselves."""
