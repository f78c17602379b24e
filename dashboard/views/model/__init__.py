"""Step 2: model or predictions."""
