"""Thresholds that several parts of the house share, each said once."""

FEWEST_ROWS = 30
"""Rows or people below which nothing is said of an average: neither of a table nor of a group in it."""

FEWEST_CLUSTERS = 10
"""Persons, households, templates or documents below which nothing is said where several rows belong to one."""

SMALL_GROUP = 10
"""A group with fewer rows may be a mistyped cell; a mean of one is not learned from it."""

DRAWS = 1_999
"""Bootstrap draws: with the observed sample 2,000, of which usual error rates are whole numbers."""

DOUBT = 0.05
"""Error rate of what speaks against a claim. It is not the claim's own: a doubt that came with a larger error rate
would take back there what is said at a smaller one."""

POWER = 0.8
"""The probability with which planning wants a violation to be found."""
