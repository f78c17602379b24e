"""CSV and its relatives: find out how the file is written, check every record, then read it."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.errors import DataError, Notice
from core.language.told import say
from core.phrases import count, several, whole
from core.sources.upload.limits import MAXIMUM_ROWS, check_names, check_shape
from core.text.encoding import TextEncoding, find_encoding

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 10_000
_CONSISTENT = 200
_COMMA_NUMBER = re.compile(r"[-+]?\d+,\d+")
_POINT_NUMBER = re.compile(r"[-+]?\d*\.\d+")
_WORDS = re.compile(r"\w[^\w\s]*+\s\W*+\w")
_CODE = re.compile(r"0\d+")


@dataclass(frozen=True)
class Dialect:
    """How a file was read.

    Attributes:
        separator: Between fields.
        encoding: Of the letters.
        decimal: Decimal mark.
        notices: What a reader has to know about it.
    """

    separator: str
    encoding: str
    decimal: str
    notices: tuple[Notice, ...]


def read_delimited(
    path: Path, separator: str, encoding: str, decimal: str, missing_marks: tuple[str, ...]
) -> tuple[pd.DataFrame, Dialect]:
    """Read a CSV file; each of ``separator``, ``encoding`` and ``decimal`` may be ``"auto"``.

    Cells that hold exactly one of ``missing_marks`` are missing; no other cell is changed. Quotes are ``"``.

    Raises:
        DataError: Letters cannot be read, no separator fits, a record has another number of fields than the header,
            a quote is never closed, names are empty or doubled, or the table is empty, too long or too wide.
    """
    text = find_encoding(path, encoding)
    chosen = _find_separator(path, text) if separator == "auto" else separator
    header, sample, records, blank = _check_records(path, text, chosen)
    odd_names = check_names(header)
    mark = _find_decimal(sample, chosen) if decimal == "auto" else decimal
    codes = _code_columns(header, sample)
    try:
        frame = pd.read_csv(
            path,
            sep=chosen,
            encoding=text.codec,
            decimal=mark,
            header=0,
            names=list(header),
            index_col=False,
            dtype=dict.fromkeys(codes, "str"),
            na_values=list(missing_marks),
            keep_default_na=False,
            skipinitialspace=True,
            low_memory=False,
        )
    except (pd.errors.ParserError, UnicodeError, ValueError, OverflowError) as error:
        if "EOF inside string" in str(error):  # verbatim
            raise _unclosed(records) from error
        raise DataError(
            say("The file cannot be read as a table."),
            where=str(error).strip().splitlines()[-1][:120],
            advice=say("Open it in a spreadsheet and export it again as CSV."),
        ) from error
    if len(frame) != records:
        raise DataError(
            say(
                "The file's quotes are ambiguous: it has {some} or {others} records, depending on how they are read.",
                some=whole(records),
                others=whole(len(frame)),
            ),
            advice=say("Export the table again with every text cell in quotes."),
        )
    notices = (*text.notices, *odd_names, *_blank_notice(blank), *_code_notice(codes))
    return frame, Dialect(chosen, text.name, mark, notices)


def _records(path: Path, text: TextEncoding, separator: str) -> Iterator[list[str]]:
    """Every record, blank lines as empty ones.

    Raises:
        DataError: There are more blank lines than a table may have rows.
    """
    blank = 0
    with path.open(encoding=text.codec, newline="") as stream:
        for record in csv.reader(stream, delimiter=separator, skipinitialspace=True):
            if not record:
                blank += 1
                if blank > MAXIMUM_ROWS:
                    raise DataError(
                        say("The file has more than {most} blank lines.", most=whole(MAXIMUM_ROWS)),
                        advice=say("Remove the blank lines, or export the table again."),
                    )
            yield record


def _find_separator(path: Path, text: TextEncoding) -> str:
    """The separator that splits the header and gives most of the first records as many fields as it.

    A list of texts has one column: then one that occurs nowhere.
    """
    best, best_score, of_texts = "", (0.0, 0), ""
    for separator in SEPARATORS:
        widths: list[int] = []
        worded = 0
        try:
            for record in _records(path, text, separator):
                if record:
                    widths.append(len(record))
                    worded += len(record) == 1 and bool(_WORDS.search(record[0]))
                if len(widths) > _CONSISTENT:
                    break
        except csv.Error:
            best = best or (separator if widths[:1] > [1] else "")
            continue
        if set(widths) == {1} and 2 * worded > len(widths):
            of_texts = of_texts or separator
        if not widths or widths[0] < 2:
            continue
        score = (widths.count(widths[0]) / len(widths), widths[0])
        if score > best_score:
            best, best_score = separator, score
    if not best and not of_texts:
        raise DataError(
            say("Only one column was found, so the separator is not one of comma, semicolon, tab or bar."),
            where=say("header"),
            advice=say("Choose the separator, or bring a table that has an outcome and a protected attribute."),
        )
    return best or of_texts


def _check_records(path: Path, text: TextEncoding, separator: str) -> tuple[list[str], list[list[str]], int, int]:
    """Count the fields of every record; returns the header, the first records, and how many records and blank lines.

    Raises:
        DataError: Records and header differ in width, a quote is never closed, or the table is empty or too large.
    """
    header: list[str] = []
    sample: list[list[str]] = []
    record: list[str] = []
    records = blank = ragged = 0
    first_ragged = (0, 0)
    try:
        for record in _records(path, text, separator):
            if not record:
                blank += 1
            elif not header:
                header = [name.strip() for name in record]
                width = len(header)
            else:
                records += 1
                if len(record) != width:
                    ragged += 1
                    first_ragged = first_ragged if ragged > 1 else (records, len(record))
                if records <= _SAMPLE:
                    sample.append(record)
                if records > MAXIMUM_ROWS:
                    break
    except csv.Error as error:
        raise DataError(
            say(
                "A cell is longer than {most} characters; most likely a quote is opened and never closed.",
                most=whole(csv.field_size_limit()),
            ),
            where=say("record {number}", number=records + 1),
            advice=say("Close the quote, double a quote that is part of the text, or shorten a text that is so long."),
        ) from error
    if not header:
        raise DataError(say("The file holds nothing but blank lines."), advice=say("Upload the table itself."))
    if ragged and first_ragged[0] == records and any("\n" in cell for cell in record):
        raise _unclosed(records)
    if ragged:
        number, fields = first_ragged
        raise DataError(
            say(
                "Another number of fields than the header, which has {width}, in {ragged} of {records}: the "
                "first has {fields}.",
                width=width,
                ragged=whole(ragged),
                records=count(records, "record"),
                fields=fields,
            ),
            where=say("record {number}", number=number),
            advice=say(
                "Put text that holds the separator in quotes, complete the record, or choose another separator."
            ),
        )
    check_shape(records, width)
    return header, sample, records, blank


def _unclosed(record: int) -> DataError:
    return DataError(
        say("A quote is opened and never closed."),
        where=say("record {number}", number=record),
        advice=say("Close the quote, or double a quote that is part of the text."),
    )


def _find_decimal(sample: list[list[str]], separator: str) -> str:
    """A comma, where the separator allows one and numbers with a comma outnumber those with a point."""
    if separator == ",":
        return "."
    commas = sum(_COMMA_NUMBER.fullmatch(cell) is not None for record in sample for cell in record)
    points = sum(_POINT_NUMBER.fullmatch(cell) is not None for record in sample for cell in record)
    return "," if commas > points else "."


def _code_columns(header: list[str], sample: list[list[str]]) -> tuple[str, ...]:
    """Columns in whose first records a number starts with a zero: a code, such as a postcode, to be kept as written."""
    return tuple(
        name
        for name, cells in zip(header, zip(*sample, strict=True), strict=True)
        if any(_CODE.fullmatch(cell) for cell in cells if cell[:1] == "0")
    )


def _blank_notice(blank: int) -> tuple[Notice, ...]:
    return (Notice("info", say("Skipped {rows}.", rows=count(blank, "blank line"))),) if blank else ()


def _code_notice(codes: tuple[str, ...]) -> tuple[Notice, ...]:
    if not codes:
        return ()
    names = several(codes)
    return (
        Notice("info", say("Numbers in {names} start with a zero, so they were kept as text, as codes.", names=names)),
    )
