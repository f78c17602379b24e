"""The page of fairer models."""
