"""Folders of Parquet files, and large ones, of up to 10^9 rows: read where they lie, counted in passes."""
