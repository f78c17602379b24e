"""Hugging Face text classifiers, as a zip of the saved folder."""
