"""Step 1: table and roles."""
