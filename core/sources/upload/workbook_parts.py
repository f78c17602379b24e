"""The parts of an Excel workbook, looked through by a real XML parser before the reader makes room for their cells.

Our own pass, as the reader (calamine) is lenient, bounds nothing and holds the rectangle of all cells at once.
"""

import re
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from core.archive import Archive, Limits, open_archive
from core.base.errors import Caveat, DataError
from core.language.phrases import count, whole
from core.language.told import retold, say
from core.sources.upload.limits import MAXIMUM_UNPACKED, check_shape

LIMITS = Limits(
    error=DataError,
    again=say("Open it in a spreadsheet program, save it again and bring that file."),
    smaller=say("Save the sheet as CSV or Parquet."),
    entries=10_000,
    directory=8 * 2**20,
    unpacked=MAXIMUM_UNPACKED,
    entry_bytes=MAXIMUM_UNPACKED,
    zip64=True,
    damaged=say("The Excel file is damaged or cut off."),
)

_WORKBOOK = "xl/workbook.xml"
_OTHER_KINDS = {"content.xml", "mimetype", "xl/workbook.bin"}
"""Parts of other spreadsheet formats, which the reader would try too."""
_TEXTS = "xl/sharedstrings.xml"
"""The part, in lower case, that holds each text once, however many cells have it."""
_MOST_TEXT = 2**29
"""Characters that all cells of a workbook may hold, each text counted as often as a cell has it."""
_LARGE = 2**24
_FILLED = 1 / 16
"""Of a rectangle of so many cells, the share that has to be in the file: the reader makes room for all of them."""
_SHEET = b"sheetData"
_CELL = re.compile(r"([A-Z]{1,6})([1-9]\d{0,6})", re.IGNORECASE | re.ASCII)
_ROW = re.compile(r"[1-9]\d{0,6}", re.ASCII)
_DEEPEST = 256
_LONGEST_NUMBER = 12
_LONGEST_TOKEN = 8 * 2**20


@dataclass
class Counts:
    """What was seen while the archive was unpacked.

    Attributes:
        formulas: Cells that are calculated.
        errors: Cells that hold an error.
        lengths: Characters of each text that cells share.
        text: Characters of all cells that share one.
    """

    formulas: int = 0
    errors: int = 0
    lengths: "array[int]" = field(default_factory=lambda: array("L"))
    text: int = 0

    def caveats(self) -> tuple[Caveat, ...]:
        """Formulas and errors, for the reader."""
        said = []
        if self.formulas:
            said.append(
                Caveat(
                    "info",
                    say(
                        "Read the stored values of {formulas}; none was calculated here.",
                        formulas=count(self.formulas, "formula"),
                    ),
                    say("A formula that was never calculated is a missing cell."),
                )
            )
        if self.errors:
            said.append(
                Caveat(
                    "warning",
                    say("Read {errors} with an error such as #N/A as missing.", errors=count(self.errors, "cell")),
                )
            )
        return tuple(said)


def check_parts(path: Path) -> Counts:
    """Unpack every part once into nothing, counting.

    Raises:
        DataError: The archive is damaged, is no workbook, declares or yields too much, declares XML entities, or has a
            cell beyond the rows and columns that can be read.
    """
    counts = Counts()
    archive = open_archive(path, say("the workbook"), LIMITS)
    names = {part.lower() for part in archive.names}
    if _WORKBOOK not in archive.names or names & _OTHER_KINDS:
        raise DataError(
            say("The file is named like an Excel file but is another kind of ZIP archive."),
            advice=say("Save the table as .csv, .parquet or .xlsx and bring that file."),
        )
    for part in sorted(archive.names, key=lambda part: part.lower() != _TEXTS):
        if part.lower().endswith((".xml", ".rels")):
            _Part(part, counts).read(archive)
        else:
            _refuse_sheet(archive, part)
    return counts


def _refuse_sheet(archive: Archive, part: str) -> None:
    """A sheet must be called ``.xml``, or it would not be looked through."""
    tail = b""
    for piece in archive.pieces(part, LIMITS.entry_bytes):
        if _SHEET in tail + piece:
            raise DataError(
                retold(LIMITS.damaged),
                where=say("{part}: a sheet that is not called .xml", part=part),
                advice=retold(LIMITS.again),
            )
        tail = piece[-len(_SHEET) :]


@dataclass
class _Part:
    """One XML part while it is read: where its cells lie, so that they fit a rectangle that can be held.

    Attributes:
        name: Its path in the archive.
        counts: What is counted over all parts.
        rows: The last row so far.
        columns: The last column so far.
        column: The last column of the present row.
        cells: How many there are.
        depth: Elements that are open.
        shares: Whether the present cell has a text that others may have too.
        value: What stands in it so far: the number of the text.
    """

    name: str
    counts: Counts
    rows: int = 2
    columns: int = 1
    column: int = 0
    cells: int = 0
    depth: int = 0
    shares: bool = False
    value: str = ""
    parser: expat.XMLParserType = field(init=False)

    def __post_init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def read(self, archive: Archive) -> None:
        """Parse the part, piece by piece."""
        fed = 0
        try:
            for piece in archive.pieces(self.name, LIMITS.entry_bytes):
                self.parser.Parse(piece, False)
                fed += len(piece)
                if fed - self.parser.CurrentByteIndex > _LONGEST_TOKEN:
                    raise self._damaged(say("a mark or a text of many megabytes"))
                check_shape(self.rows - 1, self.columns)
            self.parser.Parse(b"", True)
            self._refuse_gaps()
        except expat.ExpatError as error:
            raise self._damaged(str(error)) from error

    def _refuse_gaps(self) -> None:
        cells = self.rows * self.columns
        if cells > _LARGE and self.cells < _FILLED * cells:
            raise DataError(
                say(
                    "The cells of the sheet lie far apart: the last is in row {row} and column {column}, and {filled} "
                    "are filled.",
                    row=whole(self.rows),
                    column=whole(self.columns),
                    filled=whole(self.cells),
                ),
                where=self.name,
                advice=say("Delete what stands far below or beside the table, or save the sheet as CSV."),
            )

    def _doctype(self, *_: object) -> None:
        raise DataError(
            say("The workbook declares XML entities, which no spreadsheet program writes."),
            where=self.name,
            advice=say("Save the table again with a spreadsheet program."),
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._damaged(say("elements nested deeper than {deepest} levels", deepest=_DEEPEST))
        kind = name.rpartition(":")[2]
        if kind == "c":
            self._cell(attributes)
        elif kind == "v" and self.shares:
            self.value = ""
            self.parser.CharacterDataHandler = self._number
        elif kind == "si" and self.name.lower() == _TEXTS:
            self.counts.lengths.append(0)
            self.parser.CharacterDataHandler = self._letters
        elif kind == "f":
            self.counts.formulas += 1
        elif kind == "row":
            self.column = 0
            if "r" in attributes:
                self._reach(attributes["r"] if _ROW.fullmatch(attributes["r"]) else "", self.column)
            else:
                self.rows += 1

    def _end(self, name: str) -> None:
        self.depth -= 1
        if self.parser.CharacterDataHandler is not None and name.rpartition(":")[2] in ("v", "si"):
            self.parser.CharacterDataHandler = None
            if self.shares:
                self._share()

    def _letters(self, text: str) -> None:
        self.counts.lengths[-1] += len(text)

    def _number(self, text: str) -> None:
        self.value = (self.value + text)[:_LONGEST_NUMBER]

    def _share(self) -> None:
        """Count the text of a cell; a number of none is what the reader refuses."""
        number = self.value.strip()
        if number.isdecimal() and int(number) < len(self.counts.lengths):
            self.counts.text += self.counts.lengths[int(number)]
        if self.counts.text > _MOST_TEXT:
            raise DataError(
                say("The cells of the workbook hold more than {most} million characters.", most=_MOST_TEXT >> 20),
                where=self.name,
                advice=say("Shorten long texts, or draw a random sample of the rows."),
            )

    def _cell(self, attributes: dict[str, str]) -> None:
        self.counts.errors += attributes.get("t") == "e"
        self.shares = attributes.get("t") == "s"
        self.cells += 1
        if "r" not in attributes:
            self.column += 1
            self.columns = max(self.columns, self.column)
            return
        place = _CELL.fullmatch(attributes["r"])
        self.column = _column_number(place[1]) if place else 0
        self._reach(place[2] if place else "", self.column)

    def _reach(self, row: str, column: int) -> None:
        if not row:
            raise self._damaged(say("a cell or a row stands at no place of a sheet"))
        self.rows, self.columns = max(self.rows, int(row)), max(self.columns, column)

    def _damaged(self, why: str) -> DataError:
        return DataError(retold(LIMITS.damaged), where=f"{self.name}: {why}", advice=retold(LIMITS.again))


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
