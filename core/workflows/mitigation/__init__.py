"""Models that give up accuracy for equalized odds, to see what that costs (papers/fair-dummies.md, section 2)."""
