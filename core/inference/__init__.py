"""Statistics on arrays: nothing here knows of a model, a table or a page."""
