"""What a file really is, whatever its name says."""

from pathlib import Path
from typing import Literal

from core.base.errors import DataError
from core.base.files import FileRef
from core.language.phrases import number, quoted
from core.language.told import retold, say
from core.sources.upload.limits import MAXIMUM_BYTES

Format = Literal["CSV", "Parquet", "Excel"]

_BY_SUFFIX: dict[str, Format] = {
    ".csv": "CSV",
    ".tsv": "CSV",
    ".txt": "CSV",
    ".data": "CSV",
    ".test": "CSV",
    ".tab": "CSV",
    ".dat": "CSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".xlsx": "Excel",
}

_MAGIC = (
    (b"PK\x03\x04", say("a ZIP archive or an Excel workbook")),
    (b"PK\x05\x06", say("an empty ZIP archive")),
    (b"PAR1", say("a Parquet file")),
    (b"\xd0\xcf\x11\xe0", say("an old or password-protected Office file")),
    (b"\x1f\x8b", say("a gzip archive")),
    (b"BZh", say("a bzip2 archive")),
    (b"7z\xbc\xaf", say("a 7z archive")),
    (b"\xfd7zXZ", say("an xz archive")),
    (b"%PDF", say("a PDF")),
    (b"\x89PNG", say("a picture")),
    (b"\xff\xd8\xff", say("a picture")),
    (b"GIF8", say("a picture")),
    (b"SQLite format 3", say("a database")),
    (b"\x89HDF", say("an HDF file")),
    (b"ARROW1", say("a Feather file")),
    (b"\x80\x04\x95", say("a Python pickle")),
    (b"\x80\x03", say("a Python pickle")),
    (b"\x80\x05\x95", say("a Python pickle")),
    (b"\x93NUMPY", say("a NumPy array")),
    (b"<!DOCTYPE", say("a web page")),
    (b"<!doctype", say("a web page")),
    (b"<html", say("a web page")),
    (b"<?xml", say("an XML file")),
)

_STARTS: dict[Format, tuple[bytes, ...]] = {"CSV": (), "Parquet": (b"PAR1",), "Excel": (b"PK\x03\x04",)}


def table_format(path: Path, ref: FileRef) -> Format:
    """The format to read a file as, once its name and its first bytes agree.

    Raises:
        DataError: The file is empty, too large, of another format, or not what its name says.
    """
    size = path.stat().st_size
    if size == 0:
        raise DataError(
            say("The file is empty."), where=ref.name, advice=say("Save the table again and bring that file.")
        )
    if size > MAXIMUM_BYTES:
        raise DataError(
            say(
                "The file has {size} MB; at most {most} MB can be read.",
                size=number(size / 2**20, 0),
                most=MAXIMUM_BYTES // 2**20,
            ),
            where=ref.name,
            advice=say("Save it as Parquet, leave out columns, or draw a random sample of the rows."),
        )
    named = _BY_SUFFIX.get(ref.suffix)
    if named is None:
        raise DataError(
            say("Files that end in {suffix} cannot be read as tables.", suffix=quoted(ref.suffix))
            if ref.suffix
            else say("The file's name has no ending that says what it is."),
            where=ref.name,
            advice=say("Save the table as .csv, .parquet or .xlsx."),
        )
    with path.open("rb") as stream:
        head = stream.read(64)
    if _STARTS[named]:
        if not head.startswith(_STARTS[named]):
            raise _mismatch(ref, named, _seen(head) or say("something else"))
    elif seen := _seen(head):
        raise _mismatch(ref, named, seen)
    return named


def _seen(head: bytes) -> str:
    return next((retold(what) for magic, what in _MAGIC if head.startswith(magic)), "")


def _mismatch(ref: FileRef, named: Format, seen: str) -> DataError:
    return DataError(
        say("The file is named like a {named} file but is {seen}.", named=named, seen=seen),
        where=ref.name,
        advice=say("Save the table as .csv, .parquet or .xlsx and bring that file."),
    )
