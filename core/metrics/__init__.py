"""The table of fair metrics. A new one adds its file and its line here."""
