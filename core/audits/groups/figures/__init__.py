"""Charts of groups, subgroups and prediction sets."""
