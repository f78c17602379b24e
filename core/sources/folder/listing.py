"""The Parquet files of a folder: which there are, what they hold, and whether they are still the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.errors import DataError
from core.base.files import FolderRef
from core.data.counted import MOST_PEOPLE
from core.language.phrases import quoted, whole
from core.language.told import say
from core.sources.upload.columnar import check_types, damaged
from core.sources.upload.limits import MAXIMUM_BYTES, MAXIMUM_COLUMNS, MAXIMUM_ROWS

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".parquet", ".pq")
_TAIL = 8
_MAGIC = b"PAR1"


@dataclass(frozen=True)
class ParquetPart:
    """One file, as it was when the folder was listed.

    Attributes:
        path: Where it lies.
        name: Its name within the folder.
        size: Its bytes.
        changed: When it was last changed, ns.
        footer: SHA-256 of its footer, in which Parquet describes every column of every row group.
    """

    path: str
    name: str
    size: int
    changed: int
    footer: str

    @classmethod
    def of(cls, path: Path, name: str) -> ParquetPart:
        """A file as it is now.

        Raises:
            DataError: It cannot be read, or is no whole Parquet file.
        """
        try:
            known = path.stat()
            with path.open("rb") as stream:
                stream.seek(max(known.st_size - _TAIL, 0))
                tail = stream.read(_TAIL)
                size = int.from_bytes(tail[:4], "little")
                if tail[4:] != _MAGIC or size + _TAIL > known.st_size:
                    raise damaged(ValueError(), where=_file(name))
                stream.seek(known.st_size - _TAIL - size)
                footer = hashlib.sha256(stream.read(size)).hexdigest()
        except OSError as error:
            raise DataError(
                say("A file cannot be read."),
                where=_file(name),
                advice=say("Check whether it is still there and whether you may read it."),
            ) from error
        return cls(str(path), name, known.st_size, known.st_mtime_ns, footer)

    def require_same(self) -> None:
        """See to it that nobody has changed the file since it was listed.

        Raises:
            DataError: Somebody has.
        """
        try:
            known = Path(self.path).stat()
            same = (known.st_size, known.st_mtime_ns) == (self.size, self.changed)
        except OSError:
            same = False
        if not same:
            raise DataError(
                say("A file was changed while its rows were read."),
                where=_file(self.name),
                advice=say("Run the audit again once nobody writes to it."),
            )


@dataclass(frozen=True)
class RowGroup:
    """Rows of a file that lie together.

    Attributes:
        part: The place of the file in the list.
        place: The place of the row group in the file.
        rows: How many rows it has.
    """

    part: int
    place: int
    rows: int


@dataclass(frozen=True)
class Listing:
    """What a folder holds.

    Attributes:
        parts: Its files by name.
        groups: The row groups of all files, in order.
        schema: The columns, alike in all files.
        widths: Bytes of a cell of each column, about, as they are once unpacked.
    """

    parts: tuple[ParquetPart, ...]
    groups: tuple[RowGroup, ...]
    schema: pa.Schema
    widths: dict[str, float]

    @property
    def rows(self) -> int:
        """The rows of all files."""
        return sum(group.rows for group in self.groups)

    def ref(self, name: str) -> FolderRef:
        """The folder, named by names, sizes and footers of its files."""
        told = [(part.name, part.size, part.footer) for part in self.parts]
        digest = hashlib.sha256(repr(told).encode()).hexdigest()
        return FolderRef(name=name, sha256=digest, bytes=sum(part.size for part in self.parts), rows=self.rows)


def list_folder(path: Path) -> Listing:
    """The Parquet files at a path: one file, or all those in a folder and the folders within.

    Raises:
        DataError: There are none, one is damaged or no Parquet file, their columns are not alike, are none that can be
            read, or they have too many rows.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = tuple(ParquetPart.of(one, name) for one, name in _files(path))
    groups, schema, sizes = list[RowGroup](), None, dict[str, int]()
    for place, part in enumerate(parts):
        try:
            known = pq.read_metadata(part.path)
            own = known.schema.to_arrow_schema().remove_metadata()
        except (pa.ArrowException, OSError, ValueError) as error:
            raise damaged(error, where=_file(part.name)) from error
        schema = _checked(own) if schema is None else schema
        _require_alike(schema, own, parts[0].name, part.name)
        for one in range(known.num_row_groups):
            group = known.row_group(one)
            groups.append(RowGroup(place, one, group.num_rows))
            for column in range(group.num_columns):
                chunk = group.column(column)
                sizes[chunk.path_in_schema] = sizes.get(chunk.path_in_schema, 0) + chunk.total_uncompressed_size
    if schema is None:
        raise _no_files(path)
    listing = Listing(parts, tuple(group for group in groups if group.rows), schema, {})
    rows = listing.rows
    if not 0 < rows <= MOST_PEOPLE:
        raise DataError(
            say("The files have {rows} rows; at most {most} can be read.", rows=whole(rows), most=whole(MOST_PEOPLE))
            if rows
            else say("The files have no rows."),
            where=quoted(path.name),
            advice=say("Take one region or year.") if rows else say("Bring a table with at least 30 rows."),
        )
    widths = {field.name: _width(field.type, sizes.get(field.name, 0) / rows) for field in schema}
    return Listing(parts, listing.groups, schema, widths)


def is_large(path: Path) -> bool:
    """Whether a Parquet file has more rows or bytes than an uploaded one may have; not where it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return path.stat().st_size > MAXIMUM_BYTES or pq.read_metadata(path).num_rows > MAXIMUM_ROWS
    except (pa.ArrowException, OSError, ValueError):
        return False


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type that cells are read as: one for all ways to keep text, and what the entries of a dictionary are."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return pa.string()
    return pa.float32() if pa.types.is_float16(kind) else kind


def _width(kind: pa.DataType, unpacked: float) -> float:
    """Bytes of a cell: those of its type, or for text those that the file says, and where it begins."""
    try:
        return float(max(plain_type(kind).bit_width // 8, 1))
    except ValueError:
        return 8 + unpacked


def _file(name: str) -> str:
    return say("file {name}", name=quoted(name))


def _files(path: Path) -> list[tuple[Path, str]]:
    """Each file and its name within the folder, by name; those whose names begin with ``.`` or ``_`` are no data."""
    if path.is_file():
        return [(path, path.resolve().name)]
    found = []
    for one in sorted(path.rglob("*"), key=lambda one: one.relative_to(path).as_posix()):
        within = one.relative_to(path)
        if one.is_dir() or any(name.startswith((".", "_")) for name in within.parts):
            continue
        if split := next((name for name in within.parts[:-1] if "=" in name), ""):
            raise DataError(
                say("Names of folders hold values of a column: {name}.", name=quoted(split)),
                where=quoted(path.name),
                advice=say("Write the column into the files."),
            )
        if one.suffix.lower() not in SUFFIXES:
            raise DataError(
                say("The folder holds a file that is no Parquet file."),
                where=_file(within.as_posix()),
                advice=say("Keep nothing but the Parquet files of one table in the folder."),
            )
        found.append((one, within.as_posix()))
    if not found:
        raise _no_files(path)
    return found


def _no_files(path: Path) -> DataError:
    return DataError(
        say("There is no Parquet file in the folder."),
        where=quoted(path.name),
        advice=say("Choose the folder with the files of the table."),
    )


def _checked(schema: pa.Schema) -> pa.Schema:
    """The columns, if each has a name of its own and a type that can be read."""
    check_types(schema)
    names = schema.names
    if len(names) > MAXIMUM_COLUMNS:
        raise DataError(
            say(
                "The table has {columns} columns; at most {most} can be read.",
                columns=whole(len(names)),
                most=whole(MAXIMUM_COLUMNS),
            ),
            advice=say("Keep the outcome, the protected attributes, the model's columns and its answers."),
        )
    if wrong := next(
        (name for name in names if not name.strip() or name != name.strip() or names.count(name) > 1), None
    ):
        raise DataError(
            say("A column has no name of its own, or one with blanks around it."),
            where=say("column {name}", name=quoted(wrong)),
            advice=say("Rename it in all files."),
        )
    return schema


def _require_alike(first: pa.Schema, own: pa.Schema, name_of_first: str, name: str) -> None:
    """Refuse a file with other columns than the first, or with columns of other types, in any order."""
    expected, found = ({one.name: plain_type(one.type) for one in schema} for schema in (first, own))
    if expected == found and len(own) == len(found):
        return
    column = next(
        name for name in (*expected, *found) if expected.get(name) != found.get(name) or own.names.count(name) > 1
    )
    absent = say("absent")
    raise DataError(
        say(
            "The files differ in the column {column}: {kind} in {first}, {other} in {name}.",
            column=quoted(column),
            kind=str(expected.get(column, absent)),
            first=quoted(name_of_first),
            other=str(found.get(column, absent)),
            name=quoted(name),
        ),
        where=_file(name),
        advice=say("Write all files with the same columns and types."),
    )
