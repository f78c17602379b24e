"""Step 4: who is similar."""
