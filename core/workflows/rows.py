"""Rows that no model has seen, as a table that anybody can audit again."""

import io

from core.data.dataset import Dataset
from core.files import FileStore
from core.sources.upload.uploaded import UploadedTable


def as_table(rows: Dataset, files: FileStore, name: str) -> UploadedTable:
    """Rows as a Parquet file in ``files``."""
    stream = io.BytesIO()
    rows.frame.reset_index(drop=True).to_parquet(stream, index=False)
    return UploadedTable(file=files.put(stream.getvalue(), name))
