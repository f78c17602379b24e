"""The sensitivity audit of text classifiers in a report."""
