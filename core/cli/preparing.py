"""How a model file reads rows, as the command line is told: numbers, the whole preprocessing, one label of several."""

import tempfile
from pathlib import Path
from typing import Any

from core.base.errors import SettingsError, SourceError
from core.base.files import FileStore
from core.cli.asked import Asked
from core.language.phrases import quoted
from core.models import MODEL_FORMATS
from core.models.declared import encoding_bytes, read_encoding
from core.models.prepared import filled_from
from core.sources.upload.uploaded import UploadedTable

_NUMBERS, _ENCODING, _LABEL = "--numbers", "--encoding", "--audited-label"


def declared(asked: Asked, kind: str) -> dict[str, Any]:
    """The fields of a model file that say how it reads rows.

    Raises:
        SettingsError: An option is given that means nothing for this kind of file.
        SourceError: The file of the preprocessing cannot be read.
        ModelError: It declares no preprocessing.
    """
    fields = MODEL_FORMATS[kind].model_fields
    given: dict[str, Any] = {}
    for option, field, value in ((_NUMBERS, "numbers", asked.numbers), (_LABEL, "label", asked.audited_label)):
        if value and field not in fields:
            raise SettingsError(
                f"{quoted(Path(asked.model or '').name)} is no file for which this can be said.",
                where=option,
                advice=f"Leave {option} out.",
            )
        if value:
            given[field] = value
    if asked.encoding is not None:
        try:
            content = asked.encoding.read_bytes()
        except OSError as error:
            raise SourceError(
                "The file of the preprocessing cannot be read.",
                where=str(asked.encoding),
                advice="Check its name and whether you may read it.",
            ) from error
        given["encoder"] = read_encoding(content, asked.encoding.name)
    return given


def fill_from_table(table: Path, features: tuple[str, ...], numbers: str, out: Path) -> tuple[str, ...]:
    """Write the preprocessing that is learned from a table; returns the names of its encoded columns, in order.

    Raises:
        EvenhandError: The table cannot be read, a column is missing, or a cell of it is empty.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        try:
            source = UploadedTable(file=files.put(table.read_bytes(), table.name))
        except OSError as error:
            raise SourceError(
                "The file cannot be read.", where=str(table), advice="Check its name and whether you may read it."
            ) from error
        frame = source.load(files)
    encoder = filled_from(frame, features, raw=numbers == "raw")
    out.write_bytes(encoding_bytes(encoder))
    return encoder.names
