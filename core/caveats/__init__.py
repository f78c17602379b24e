"""What can speak against a claim, for all tests."""
