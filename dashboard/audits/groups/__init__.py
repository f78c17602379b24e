"""The pages' part of groups, subgroups and prediction sets."""
