"""Checks of a table, its model and its predictions."""
