"""The results page."""
