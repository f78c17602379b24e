"""Step 5: review and run."""
