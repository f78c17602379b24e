"""Recurrent text classifiers, as a zip."""
