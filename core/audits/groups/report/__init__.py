"""How groups, subgroups and prediction sets are reported."""
