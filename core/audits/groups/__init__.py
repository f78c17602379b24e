"""Group fairness: how decisions and errors differ between groups, subgroups and prediction sets."""
