"""The table of data sources. A new one adds its file and its line here."""
