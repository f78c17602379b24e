"""Matrices and pairs of rows as people upload them: CSV text, parsed before the settings are built."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Literal, get_args

from core.base.errors import MetricError
from core.language.phrases import whole
from core.language.told import say
from core.metrics.expert import UploadedMatrix

_SNIFFED = 4096


def read_matrix(content: bytes) -> UploadedMatrix:
    """A matrix from CSV: numbers only, or with a header of encoded column names.

    A first column that repeats the header's names (as spreadsheets and pandas write it) is taken for row names.

    Raises:
        MetricError: The file is empty or no text, or an entry is not a finite number.
    """
    records = _records(content, say("matrix"))
    header: tuple[str, ...] = ()
    if _number(records[0][-1]) is None:
        header, records = tuple(records[0]), records[1:]
    if not records:
        raise MetricError(
            say("The matrix has a header and nothing else."), advice=say("Add one line of numbers per column.")
        )
    names = [record[0] for record in records]
    if header and (header[0] in ("", "index") or len(header) == len(records[0]) - 1):
        expected = list(header[-len(records) :])
        if names != expected:
            raise MetricError(
                say("The row names of the matrix differ from its column names."),
                where=say(
                    "first column {name}, header {expected}",
                    name=repr(names[0]),
                    expected=repr(expected[0] if expected else ""),
                ),
                advice=say("Put rows and columns in the same order, or leave row names out."),
            )
        header, records = tuple(expected), [record[1:] for record in records]
    rows = tuple(
        tuple(_entry(text, line, column, header) for column, text in enumerate(record))
        for line, record in enumerate(records)
    )
    return UploadedMatrix(columns=header, rows=rows)


Judgement = Literal["similar", "not similar", "skipped"]
"""What somebody said of a pair."""

_JUDGEMENTS = get_args(Judgement)


def judged_csv(judged: Iterable[tuple[int, int, Judgement]]) -> bytes:
    """Pairs of row numbers counted from 0 and what was said of them, as :func:`read_pairs` reads them."""
    lines = [f"{first + 1},{second + 1},{said}" for first, second, said in judged]
    return "\n".join(["record,other record,judgement", *lines, ""]).encode()  # verbatim


def read_pairs(content: bytes) -> tuple[tuple[int, int], ...]:
    """Comparable pairs from CSV: two row numbers a line, counted from 1 without the table's header.

    A third entry says what was judged; only pairs that are ``similar`` are comparable.

    Returns:
        Pairs of row numbers counted from 0, as :class:`core.metrics.ComparablePairs` keeps them.

    Raises:
        MetricError: The file is empty or no text, a line does not hold two whole numbers from 1 up, or no pair is
            judged similar.
    """
    records = _records(content, say("list of pairs"))
    start = 1 if all(_number(text) is None for text in records[0]) else 0
    if len(records) == start:
        raise MetricError(say("The list of pairs has a header and nothing else."), advice=say("Add one line per pair."))
    lines = [(record, number + 1) for number, record in enumerate(records) if number >= start]
    pairs = [(_pair(record[:2], line), _judgement(record, line)) for record, line in lines]
    if similar := tuple(pair for pair, said in pairs if said == "similar"):
        return similar
    raise MetricError(
        say("No pair of the list is judged similar."), advice=say("Judge more pairs; only similar ones teach a metric.")
    )


def _judgement(record: list[str], line: int) -> str:
    """What was said of a pair; similar where nothing was."""
    if len(record) < 3:
        return "similar"
    if len(record) == 3 and record[2] in _JUDGEMENTS:
        return record[2]
    raise MetricError(
        say(
            "A pair is two row numbers and, where it was judged, one of {words}; this line holds {entries}.",
            words=", ".join(map(repr, _JUDGEMENTS)),
            entries=", ".join(map(repr, record)),
        ),
        where=say("line {line} of the list of pairs", line=line),
        advice=say("Write two row numbers, separated by a comma."),
    )


def _pair(record: list[str], line: int) -> tuple[int, int]:
    numbers = [_number(text) for text in record]
    if len(numbers) != 2 or any(value is None or value != int(value) or value < 1 for value in numbers):
        raise MetricError(
            say(
                "A pair is two row numbers, counted from 1; this line holds {entries}.",
                entries=", ".join(map(repr, record)),
            ),
            where=say("line {line} of the list of pairs", line=line),
            advice=say("Write two row numbers, separated by a comma."),
        )
    first, second = (int(value) - 1 for value in numbers if value is not None)
    return first, second


def _records(content: bytes, what: str) -> list[list[str]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MetricError(
            say("The letters of the {what} are not stored as UTF-8.", what=what),
            where=say("byte {start}", start=whole(error.start + 1)),
            advice=say("Save it as CSV in the encoding UTF-8."),
        ) from error
    separator = max(",;\t", key=text[:_SNIFFED].count)
    try:
        lines = [
            [cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        ]
    except csv.Error as error:
        raise MetricError(
            say("The {what} is not a table.", what=what), where=str(error), advice=say("Save it as CSV.")
        ) from error
    records = [line for line in lines if any(line)]
    if not records:
        raise MetricError(say("The {what} is empty.", what=what), advice=say("Bring a CSV file with one line per row."))
    return records


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _entry(text: str, line: int, column: int, header: tuple[str, ...]) -> float:
    value = _number(text)
    if value is None:
        where = say("row {line}, column {column}", line=line + 1, column=column + 1)
        raise MetricError(
            say("An entry of the matrix is {text}, which is not a finite number.", text=repr(text)),
            where=f"{where} ({header[column]})" if column < len(header) else where,
            advice=say("Write a number with a decimal point."),
        )
    return value
