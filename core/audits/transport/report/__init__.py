"""The transport test (FaiTH) in a report."""
