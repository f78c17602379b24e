"""The fair-dummies test in a report."""
