"""The page of model selection."""
