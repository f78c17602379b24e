"""CSV and its relatives: find out how the file is written, check every record, then read it."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

import pandas as pd

from core.base.errors import Caveat, DataError
from core.language.phrases import count, quoted, several, whole
from core.language.told import say
from core.sources.upload.header import (
    LOOKED_AT,
    about_titles,
    name_columns,
    names_without_header,
    place_of_header,
)
from core.sources.upload.limits import MAXIMUM_COLUMNS, MAXIMUM_ROWS, Kept, check_shape, marks_by_column
from core.sources.upload.written_numbers import may_be_grouped
from core.text.encoding import TextEncoding, find_encoding

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 10_000
_CONSISTENT = 200
_WORDS = re.compile(r"\w[^\w\s]*+\s\W*+\w")
_CODE = re.compile(r"0\d+")
_DECLARED = re.compile(r'"?sep=([,;\t| ])"?\s*', re.IGNORECASE)
_LONGEST_DECLARATION = 16
_LONGEST_LINE = 4_000_000
_HALF = 0.5


@dataclass(frozen=True)
class Dialect:
    """How a file was read.

    Attributes:
        separator: Between fields.
        encoding: Of the letters.
        as_written: Columns whose cells are text that was left as it is written: codes.
        caveats: What a reader has to know about it.
    """

    separator: str
    encoding: str
    as_written: tuple[str, ...]
    caveats: tuple[Caveat, ...]


@dataclass(frozen=True)
class _File:
    """A file with the encoding of its letters, and whether its first line does nothing but declare the separator."""

    path: Path
    text: TextEncoding
    declared: str

    @classmethod
    def of(cls, path: Path, encoding: str) -> "_File":
        text = find_encoding(path, encoding)
        with path.open(encoding=text.codec, newline="") as stream:
            found = _DECLARED.fullmatch(stream.readline(_LONGEST_DECLARATION))
        return cls(path, text, found[1] if found else "")

    def open(self) -> TextIO:
        """The file from its first line that is no declaration."""
        stream = self.path.open(encoding=self.text.codec, newline="")
        if self.declared:
            stream.readline()
        return stream


@dataclass(frozen=True)
class _Checked:
    """What was found in the records.

    Attributes:
        names: What the columns are called.
        above: Records before the first that is read, blank lines not counted.
        sample: The first records.
        records: How many there are.
        caveats: What was done about header and blank lines.
    """

    names: tuple[str, ...]
    above: int
    sample: list[list[str]]
    records: int
    caveats: tuple[Caveat, ...]


def read_delimited(
    path: Path, separator: str, encoding: str, missing_marks: tuple[str, ...], kept_marks: Kept = ()
) -> tuple[pd.DataFrame, Dialect]:
    """Read a CSV file; ``separator`` and ``encoding`` may be ``"auto"``.

    Cells that hold exactly one of ``missing_marks`` are missing, unless it is kept as a value of the column; no other
    cell is changed. Quotes are ``"``. Numbers with a decimal comma, thousands separators or a percent sign stay text,
    and so do columns where a point may part thousands.

    Raises:
        DataError: Letters cannot be read, no separator fits, a record has another number of fields than the header,
            a quote is never closed, or the table is empty, too long or too wide.
    """
    file = _File.of(path, encoding)
    chosen = (file.declared or _find_separator(file)) if separator == "auto" else separator
    checked = _check_records(file, chosen)
    codes = _columns_with(checked, lambda cells: any(_CODE.fullmatch(cell) for cell in cells if cell[:1] == "0"))
    grouped = _columns_with(checked, may_be_grouped)
    try:
        with file.open() as stream:
            _skip(stream, chosen, checked.above)
            frame = pd.read_csv(
                stream,
                sep=chosen,
                header=None,
                names=list(checked.names),
                index_col=False,
                dtype=dict.fromkeys((*codes, *grouped), "str"),
                na_values=marks_by_column(checked.names, missing_marks, kept_marks),
                keep_default_na=False,
                skipinitialspace=True,
                low_memory=False,
            )
    except (pd.errors.ParserError, UnicodeError, ValueError, OverflowError) as error:
        if "EOF inside string" in str(error):  # verbatim
            raise _unclosed(checked.records) from error
        raise DataError(
            say("The file cannot be read as a table."),
            where=str(error).strip().splitlines()[-1][:120],
            advice=say("Open it in a spreadsheet and export it again as CSV."),
        ) from error
    if len(frame) != checked.records:
        raise DataError(
            say(
                "The file's quotes are ambiguous: it has {some} or {others} records, depending on how they are read.",
                some=whole(checked.records),
                others=whole(len(frame)),
            ),
            advice=say("Export the table again with every text cell in quotes."),
        )
    caveats = (*file.text.caveats, *_declared_caveat(file.declared), *checked.caveats, *_code_caveat(codes))
    return frame, Dialect(chosen, file.text.name, codes, caveats)


def _records(stream: TextIO, separator: str) -> Iterator[list[str]]:
    """Every record, blank lines as empty ones.

    Raises:
        DataError: There are more blank lines than a table may have rows, or a line is too long.
    """
    blank = 0
    for record in csv.reader(_lines(stream), delimiter=separator, skipinitialspace=True):
        if not record:
            blank += 1
            if blank > MAXIMUM_ROWS:
                raise DataError(
                    say("The file has more than {most} blank lines.", most=whole(MAXIMUM_ROWS)),
                    advice=say("Remove the blank lines, or export the table again."),
                )
        yield record


def _lines(stream: TextIO) -> Iterator[str]:
    """Every line; one that is too long is not read to its end."""
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE and not line.endswith(("\n", "\r")):
            raise DataError(
                say("A line is longer than {most} characters.", most=whole(_LONGEST_LINE)),
                where=say("line {number}", number=whole(number)),
                advice=say("Is it a table, with a line for each row? Export it again as CSV."),
            )
        yield line


def _skip(stream: TextIO, separator: str, records: int) -> None:
    """Read over so many records that are not blank."""
    if records:
        filled = (record for record in _records(stream, separator) if record)
        for _ in islice(filled, records):
            pass


def _find_separator(file: _File) -> str:
    """The separator that splits the header and gives most of the first records as many fields as it.

    Lines above the header may have any number of fields, where all below it have as many as it. A list of texts has one
    column: then one that occurs nowhere.
    """
    best, best_score, of_texts = "", (0, 0.0, 0), ""
    for separator in SEPARATORS:
        lines: list[list[str]] = []
        try:
            with file.open() as stream:
                filled = (line[: MAXIMUM_COLUMNS + 2] for line in _records(stream, separator) if line)
                lines.extend(islice(filled, _CONSISTENT + 1))
        except csv.Error:
            best = best or (separator if lines and len(lines[0]) > 1 else "")
            continue
        worded = sum(len(line) == 1 and bool(_WORDS.search(line[0])) for line in lines)
        if {len(line) for line in lines} == {1} and 2 * worded > len(lines):
            of_texts = of_texts or separator
        score = _score(lines)
        if score > best_score:
            best, best_score = separator, score
    if of_texts and best_score == (1, 1.0, 2):
        return of_texts
    if not best and not of_texts:
        raise DataError(
            say("Only one column was found, so the separator is not one of comma, semicolon, tab or bar."),
            where=say("header"),
            advice=say("Choose the separator, or bring a table that has an outcome and a protected attribute."),
        )
    return best or of_texts


def _score(lines: list[list[str]]) -> tuple[int, float, int]:
    """How well a separator fits these first lines: how surely, the share of records like the header, its fields."""
    place = place_of_header(lines)
    widths = [len(line) for line in lines[place:]]
    if not widths or widths[0] < 2:
        return (0, 0.0, 0)
    of_rows = len(widths) > 1 and set(widths[1:]) == {widths[0] + 1}
    share = 1.0 if of_rows else widths.count(widths[0]) / len(widths)
    if place:
        return (1, share, widths[0]) if share == 1 else (0, 0.0, 0)
    return (2 if share >= _HALF else 0, share, widths[0])


def _check_records(file: _File, separator: str) -> _Checked:
    """Find the header and count the fields of every record.

    Raises:
        DataError: Records and header differ in width, a quote is never closed, or the table is empty or too large.
    """
    first: list[list[str]] = []
    count_of = _Count()
    try:
        with file.open() as stream:
            lines = count_of.filled(_records(stream, separator))
            for record in islice(lines, LOOKED_AT):
                if len(record) > MAXIMUM_COLUMNS + 1:
                    check_shape(1, len(record))
                first.append(record)
            place = place_of_header(first)
            header = [name.strip() for name in first[place]] if first else []
            for record in chain(first[place + 1 :], lines):
                count_of.add(record, len(header))
                if count_of.records > MAXIMUM_ROWS:
                    break
    except csv.Error as error:
        before = count_of.records or len(first[place_of_header(first) + 1 :])
        raise DataError(
            say(
                "A cell is longer than {most} characters; most likely a quote is opened and never closed.",
                most=whole(csv.field_size_limit()),
            ),
            where=say("record {number}", number=before + 1),
            advice=say("Close the quote, double a quote that is part of the text, or shorten a text that is so long."),
        ) from error
    if not header:
        raise DataError(say("The file holds nothing but blank lines."), advice=say("Bring the table itself."))
    if set(count_of.widths) == {len(header) + 1} and _name_rows(count_of.sample):
        header = ["", *header]
    elif count_of.widths.keys() - {len(header)}:
        raise count_of.ragged(len(header))
    records, sample = count_of.records, count_of.sample
    check_shape(records, len(header))
    told = (*about_titles(first[:place]), *_blank_caveat(count_of.blank))
    names, missing = names_without_header(header, sample)
    if names:
        return _Checked(names, place, [header, *sample], records + 1, (*told, *missing))
    names, odd = name_columns(header)
    return _Checked(names, place + 1, sample, records, (*told, *odd))


@dataclass
class _Count:
    """What is counted of the records below the header.

    Attributes:
        records: How many there are.
        blank: Blank lines of the file.
        widths: How many records have how many fields.
        sample: The first records.
        first_ragged: Number and fields of the first whose fields are not as many as the header's; zeros before.
        last: The last record.
    """

    records: int = 0
    blank: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    sample: list[list[str]] = field(default_factory=list)
    first_ragged: tuple[int, int] = (0, 0)
    last: list[str] = field(default_factory=list)

    def filled(self, records: Iterator[list[str]]) -> Iterator[list[str]]:
        """Those that are not blank."""
        for record in records:
            if record:
                yield record
            else:
                self.blank += 1

    def add(self, record: list[str], width: int) -> None:
        """One more record below a header of this width."""
        self.records += 1
        self.last = record
        self.widths[len(record)] += 1
        if len(record) != width and not self.first_ragged[0]:
            self.first_ragged = self.records, len(record)
        if self.records <= _SAMPLE and len(record) - width in (0, 1):
            self.sample.append(record)

    def ragged(self, width: int) -> DataError:
        """Why records of other widths than the header are refused."""
        number, fields = self.first_ragged
        if number == self.records and any("\n" in cell for cell in self.last):
            return _unclosed(number)
        return DataError(
            say(
                "Another number of fields than the header, which has {width}, in {ragged} of {records}: the "
                "first has {fields}.",
                width=width,
                ragged=whole(self.records - self.widths[width]),
                records=count(self.records, "record"),
                fields=fields,
            ),
            where=say("record {number}", number=number),
            advice=say(
                "Put text that holds the separator in quotes, complete the record, or choose another separator."
            ),
        )


def _name_rows(records: list[list[str]]) -> bool:
    """Whether the first fields may be names of rows, for which R writes no header: all differ, and the last are filled.

    Where the last are all blank, every record ends with a separator.
    """
    return len({record[0] for record in records}) == len(records) and any(record[-1].strip() for record in records)


def _unclosed(record: int) -> DataError:
    return DataError(
        say("A quote is opened and never closed."),
        where=say("record {number}", number=record),
        advice=say("Close the quote, or double a quote that is part of the text."),
    )


def _columns_with(checked: _Checked, holds: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
    """Columns of whose cells in the first records this holds."""
    columns = zip(checked.names, zip(*checked.sample, strict=True), strict=True)
    return tuple(name for name, cells in columns if holds(cells))


def _declared_caveat(declared: str) -> tuple[Caveat, ...]:
    if not declared:
        return ()
    return (Caveat("info", say("The first line says that {mark} separates fields.", mark=quoted(declared))),)


def _blank_caveat(blank: int) -> tuple[Caveat, ...]:
    return (Caveat("info", say("Skipped {rows}.", rows=count(blank, "blank line"))),) if blank else ()


def _code_caveat(codes: tuple[str, ...]) -> tuple[Caveat, ...]:
    if not codes:
        return ()
    names = several(codes)
    return (
        Caveat("info", say("Numbers in {names} start with a zero, so they were kept as text, as codes.", names=names)),
    )
