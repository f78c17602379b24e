"""scikit-learn estimators, as skops files."""
