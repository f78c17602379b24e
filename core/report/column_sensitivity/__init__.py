"""The sensitivity audit of models that read tables in a report."""
