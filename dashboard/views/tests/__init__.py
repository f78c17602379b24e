"""Step 3: which tests."""
