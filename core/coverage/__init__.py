"""Prediction sets with the same coverage in every group (papers/fair-dummies.md, section 5)."""
