"""Optimal transport over a finite space, and inference for its value (papers/faith.md); arrays only."""
