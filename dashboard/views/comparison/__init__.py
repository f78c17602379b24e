"""The page of models compared."""
