"""Uploaded tables: CSV, Parquet and Excel."""
