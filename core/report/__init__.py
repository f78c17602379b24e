"""One report model, written as HTML and JSON."""
