"""A preprocessing that is filled from a table, for the command line."""

import tempfile
from pathlib import Path

from core.api.bringing import kept
from core.base.files import FileStore
from core.models.declared import encoding_bytes
from core.models.prepared import filled_from
from core.sources.upload.uploaded import UploadedTable


def fill_from_table(table: Path, features: tuple[str, ...], numbers: str, out: Path) -> tuple[str, ...]:
    """Write the preprocessing that is learned from a table; returns the names of its encoded columns, in order.

    Raises:
        EvenhandError: The table cannot be read, a column is missing, or a cell of it is empty.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        frame = UploadedTable(file=kept(table, files)).load(files)
    encoder = filled_from(frame, features, raw=numbers == "raw")
    out.write_bytes(encoding_bytes(encoder))
    return encoder.names
