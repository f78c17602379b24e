"""The table of model formats. A new one adds its file and its line here."""
