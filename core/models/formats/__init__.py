"""Model files, one package a format."""
