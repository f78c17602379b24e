"""Tables and models as people bring them: files, DataFrames, and objects of this process."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from core.api.choices import Choices
from core.api.folder import brought_folder, is_read_where_it_lies
from core.base.errors import DataError, ModelError, SettingsError, SourceError
from core.base.files import FileRef, FileStore
from core.base.settings import Settings
from core.contracts.model import AbstractModelSource
from core.data.cells import as_text, is_number_column
from core.data.encoder import Encoder
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.models import MODEL_FORMATS, ModelSource
from core.models.declared import read_encoding
from core.models.in_memory import ObjectInMemory
from core.models.sniff import recognise
from core.records.repeat import record_bytes
from core.report.statement import Statement, read_statement
from core.sources import SOURCES
from core.sources.folder.table import FolderTable
from core.sources.upload.uploaded import UploadedTable
from core.wall.trust import trust

_OF_A_TABLE = ("separator", "encoding", "decimal", "sheet", "missing_marks")
_OF_TRANSFORMERS = ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")


@dataclass(frozen=True)
class ModelFile:
    """A model file with what only its format lets one choose; made by :func:`load_model`.

    Attributes:
        path: The file.
        format: What it is, judged by its content.
        choices: Settings of this format, by name.
    """

    path: Path
    format: str
    choices: Mapping[str, Any] = field(default_factory=dict)


def kept(path: Path, files: FileStore) -> FileRef:
    """A file of the caller's, put among the audit's.

    Raises:
        SourceError: It cannot be read.
    """
    with _reading(path):
        return files.put(path.read_bytes(), path.name)


@contextmanager
def _reading(path: Path, what: str = "The file cannot be read.") -> Iterator[None]:
    """Say that a file cannot be read where it cannot.

    Raises:
        SourceError: It cannot.
    """
    try:
        yield
    except OSError as error:
        raise SourceError(what, where=str(path), advice="Check its name and whether you may read it.") from error


def owned_files() -> FileStore:
    """A place for the files of one audit, which goes when nobody holds it."""
    folder = tempfile.mkdtemp(prefix="evenhand-")
    files = FileStore(Path(folder))
    weakref.finalize(files, shutil.rmtree, folder, ignore_errors=True)
    return files


def trust_files(files: Iterable[str | os.PathLike[str]]) -> None:
    """Let model files be opened where the system has no wall.

    Raises:
        SourceError: One cannot be read.
    """
    for file in map(Path, files):
        with _reading(file):
            trust(file)


def stated_in(statement: str | os.PathLike[str] | Statement | None) -> Statement | None:
    """What people state, from a JSON file unless it is a statement already; None where nothing is given.

    Raises:
        EvenhandError: The file cannot be read, or is no statement.
    """
    if statement is None or isinstance(statement, Statement):
        return statement
    return read_statement(record_bytes(Path(statement)))


def encoder_of(path: Path) -> Encoder:
    """The preprocessing that a JSON file declares.

    Raises:
        SourceError: The file cannot be read.
        ModelError: It declares no preprocessing.
    """
    with _reading(path, "The file of the preprocessing cannot be read."):
        return read_encoding(path.read_bytes(), path.name)


def table_file(table: Path, chosen: Choices, files: FileStore) -> UploadedTable | FolderTable:
    """A table in a file, or in a folder of Parquet files.

    Raises:
        EvenhandError: It cannot be read.
    """
    if is_read_where_it_lies(table, chosen):
        return brought_folder(table, chosen, files)
    return UploadedTable(file=kept(table, files), **{name: getattr(chosen, name) for name in _OF_A_TABLE})


def brought_table(table: object, chosen: Choices, files: FileStore) -> UploadedTable | FolderTable:
    """A table: a file, the name of a built-in one, or a DataFrame, which becomes a Parquet file.

    Raises:
        EvenhandError: It is none of these, or cannot be kept as a table.
    """
    if isinstance(table, str | os.PathLike):
        path = Path(table)
        if str(table) not in SOURCES or path.exists():
            return table_file(path, chosen, files)
        table = built_in(str(table), files)
    return kept_table(table, chosen, files)


def kept_table(table: object, chosen: Choices, files: FileStore) -> UploadedTable:
    """A DataFrame as a Parquet file.

    Raises:
        EvenhandError: It cannot be kept as a table.
    """
    frame = as_frame(table)
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    return UploadedTable(file=files.put(stream.getvalue(), "table.parquet"), **_chosen_of_a_table(chosen))


def _chosen_of_a_table(chosen: Choices) -> dict[str, Any]:
    return {name: getattr(chosen, name) for name in _OF_A_TABLE if name in chosen.model_fields_set}


def built_in(name: str, files: FileStore) -> pd.DataFrame:
    """A built-in table, as it comes; it may have to be fetched once.

    Raises:
        SourceError: It cannot be fetched.
    """
    source: Any = SOURCES[name]()
    source.fetch()
    frame: pd.DataFrame = source.load(files)
    return frame


def as_frame(table: object) -> pd.DataFrame:
    """A caller's table with numbers, truth values, dates and text only, as files hold them.

    Categories become what they stand for, and everything else the text that it is written as. The caller's is not
    changed.

    Raises:
        DataError: It is no table, two columns have one name, or a cell holds several values.
    """
    frame = table.to_pandas() if hasattr(table, "to_pandas") else table
    if not isinstance(frame, pd.DataFrame):
        raise DataError(
            f"A {type(table).__name__} is no table.", advice="Give a pandas DataFrame, or the path of a file."
        )
    names = [str(name) for name in frame.columns]
    if doubled := [name for name in names if names.count(name) > 1]:
        raise DataError(f"Two columns are called {quoted(doubled[0])}.", advice="Give each column a name of its own.")
    return pd.DataFrame(
        {name: _plain(frame.iloc[:, place].reset_index(drop=True), name) for place, name in enumerate(names)}
    )


def _plain(values: pd.Series, name: str) -> pd.Series:
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = values.cat.categories
        values = pd.Series(categories.take(values.cat.codes.clip(lower=0).to_numpy()), name=values.name).where(
            values.notna()
        )
    if values.dtype == object:
        if values.map(lambda cell: isinstance(cell, list | dict | set | tuple) or hasattr(cell, "__array__")).any():
            raise DataError(
                "A column holds several values in a cell.",
                where=f"column {quoted(name)}",
                advice="Leave the column out, or give each part a column of its own.",
            )
        values = values.infer_objects()
    if values.dtype == "float16":
        return values.astype("float32")
    if is_number_column(values) or pd.api.types.is_datetime64_any_dtype(values):
        return values
    return as_text(values)


def load_table(table: str | os.PathLike[str], **choices: Any) -> pd.DataFrame:
    """A table as an audit reads it: from a CSV, Parquet or Excel file, or a built-in one by its name.

    Args:
        table: The file; or the name of a built-in table, such as ``"hiring"``, ``"adult"`` or ``"compas"``.
        choices: ``separator``, ``encoding``, ``decimal``, ``sheet`` and ``missing_marks``, as :func:`core.audit` takes
            them.

    Raises:
        EvenhandError: The file cannot be read, or is no table.

    Example:
        >>> from core import load_table
        >>> table = load_table("hiring")
        >>> list(table.columns)[:3]
        ['experience (years)', 'education', 'test score']
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        return brought_table(table, Choices.of(choices), files).load(files)


def load_model(model: str | os.PathLike[str], **choices: Any) -> ModelFile:
    """A model file with choices that only its format has, for :func:`core.audit`; it is opened by the audit.

    Args:
        model: The file: safetensors, ONNX, skops, XGBoost, LightGBM, or a zip of a text model.
        choices: Settings of the format, such as ``activation="tanh"`` of a perceptron's weights.

    Raises:
        EvenhandError: The file cannot be read, its format is refused or unknown, or there is no such setting.

    Example:
        >>> from core import load_model
        >>> load_model("sample_models/hiring_baseline.onnx").format
        'onnx'
    """
    path = Path(model)
    with _reading(path):
        found = recognise(path, path.name)
    fields = sorted(MODEL_FORMATS[found].model_fields.keys() - {"kind", "file"})
    if strange := [name for name in choices if name not in fields]:
        raise SettingsError(
            f"A file of this format has no setting {quoted(strange[0])}.",
            where=path.name,
            advice=f"Choose among {listed(fields)}.",
        )
    return ModelFile(path, found, choices)


def brought_model(model: object, files: FileStore, table: object = None) -> ModelSource | None:
    """A model: a file, settings of one, a transformers pipeline, or another object of this process.

    Args:
        model: The model; None for none.
        files: Where files are kept.
        table: The caller's table, whose columns a function is given as they are kept there.

    Raises:
        EvenhandError: It cannot be read, or its format is refused or unknown.
    """
    if model is None:
        return None
    if isinstance(model, str | os.PathLike):
        model = ModelFile(Path(model), "")
    if isinstance(model, ModelFile):
        ref = kept(model.path, files)
        return _of_file(ref, model.choices, files)
    if isinstance(model, AbstractModelSource):
        return model  # type: ignore[return-value]
    if (pair := _of_transformers(model)) is not None:
        return _of_file(files.put(_zipped(*pair), f"{type(pair[0]).__name__}.zip"), {}, files)
    dtypes = dict(table.dtypes) if isinstance(table, pd.DataFrame) else {}
    return ObjectInMemory.of(model, {str(name): dtype for name, dtype in dtypes.items()})


def _of_file(ref: FileRef, choices: Mapping[str, Any], files: FileStore) -> ModelSource:
    try:
        kind: Any = MODEL_FORMATS[recognise(files.path(ref), ref.name)]
        found: ModelSource = kind.model_validate({"file": ref, **choices})
        return found
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][-1]) if first["loc"] else ""
        raise SettingsError(
            f"The setting {option(name)} of the model cannot be taken: {what_is_wrong(first)}.", where=ref.name
        ) from error


def _of_transformers(model: object) -> tuple[Any, Any] | None:
    """A transformers model with its tokeniser; None where it is something else.

    Raises:
        ModelError: The tokeniser is missing.
    """
    pair: tuple[Any, Any] | None = None
    if isinstance(model, tuple) and len(model) == 2:
        pair = model
    elif hasattr(model, "model") and hasattr(model, "tokenizer"):
        pair = model.model, model.tokenizer
    elif type(model).__module__.startswith("transformers."):
        raise ModelError(
            "A model of texts needs its tokeniser.",
            where=type(model).__name__,
            advice="Give both, model=(model, tokenizer), or the text-classification pipeline.",
        )
    return pair if pair is not None and all(hasattr(one, "save_pretrained") for one in pair) else None


def _zipped(model: Any, tokenizer: Any) -> bytes:
    """What ``save_pretrained`` writes, as a zip whose bytes are the same for the same model."""
    stream = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        for one in (model, tokenizer):
            one.save_pretrained(folder, **({"max_shard_size": "100GB"} if one is model else {}))
        with zipfile.ZipFile(stream, "w") as archive:
            for name in _OF_TRANSFORMERS:
                if (path := Path(folder) / name).is_file():
                    archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return stream.getvalue()


def keep_file(path: str | os.PathLike[str]) -> FileRef:
    """A reference to a file for settings that name one, such as the network of a protected status.

    It is kept among Evenhand's files on this machine.

    Raises:
        EvenhandError: It cannot be read, or there is no room for it.
    """
    return kept(Path(path), FileStore())


def files_named(chosen: Mapping[str, Any], files: FileStore) -> dict[str, Any]:
    """The choices with files in the place of paths and tables, where a choice is a file.

    Raises:
        EvenhandError: One cannot be read.
    """
    given = dict(chosen)
    encoder, known = given.get("encoder"), given.get("known_answers")
    if encoder is not None and not isinstance(encoder, Settings):
        given["encoder"] = encoder_of(Path(encoder))
    if isinstance(known, str | os.PathLike):
        given["known_answers"] = kept(Path(known), files)
    elif known is not None and not isinstance(known, Settings):
        given["known_answers"] = kept_table(known, Choices(), files).file
    return given
