"""Model selection under a fairness constraint (papers/faith.md, section 5.2): the most accurate model that passes."""
