"""An uploaded cost matrix: CSV, one row and one column per group, in the order of the list of groups."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from core.base.errors import AuditError
from core.language.phrases import count, quoted, whole
from core.language.told import localized, say

_FORBIDDEN = frozenset({"", "inf", "+inf", "infinity", "∞"})
_SEPARATORS = (",", ";", "\t")
_FIELD, _MARGIN = 64, 10_000
"""Characters of a number with its separator, generously, and characters a line may have beside numbers."""

LARGEST_COST = 1e12
"""The largest budget decision settings may have; sums of larger numbers would overflow."""


def read_costs(path: Path, size: int) -> np.ndarray:
    """Costs from each cell (row) to each cell (column), shape (K, K); empty or ``inf`` is infinity.

    The file may have a first row and a first column with the cells' numbers, 1 to K, as the list of cells has them.

    Args:
        path: The file.
        size: K, the number of cells.

    Raises:
        AuditError: The file is no CSV text, its size is not that of the cells, an entry is no number, negative or NaN,
            staying in a cell costs something, or rows or columns are in another order than the cells.
    """
    matrix = np.empty((size, size))
    numbers = [str(number) for number in range(1, size + 1)]
    row = 0
    for line, record in _records(path, _FIELD * size + _MARGIN):
        if row == 0 and record[-size:] == numbers and len(record) <= size + 1:
            continue
        if row == 0 and len(record) == size + 1 and not record[0]:
            raise AuditError(
                say("The first row of the cost matrix does not name the groups 1 to {size} in order.", size=size),
                where=say("line {line}", line=line),
                advice=say("Name rows and columns in the order of the list of groups, or leave names out."),
            )
        if row == size:
            raise _wrong_size(say("more rows than that"), size)
        if len(record) == size + 1:
            if record[0] != numbers[row]:
                raise AuditError(
                    say("Row {row} of the cost matrix is named {name}.", row=row + 1, name=quoted(record[0][:40])),
                    where=say("line {line}", line=line),
                    advice=say(
                        "Name rows and columns 1 to {size}, in the order of the list of groups, or leave names out.",
                        size=size,
                    ),
                )
            record = record[1:]  # noqa: PLW2901
        if len(record) != size:
            raise _wrong_size(say("{columns} in line {line}", columns=count(len(record), "column"), line=line), size)
        matrix[row] = [_entry(text, row, column, line) for column, text in enumerate(record)]
        row += 1
    if row != size:
        raise _wrong_size(count(row, "row"), size)
    return matrix


def _records(path: Path, longest: int) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and stripped fields of lines that are not blank; lines have at most ``longest`` characters."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline(longest)
            stream.seek(0)
            separator = max(_SEPARATORS, key=first.count)
            reader = csv.reader(_lines(stream, longest), delimiter=separator)
            for record in reader:
                if record:
                    yield reader.line_num, [field.strip() for field in record]
    except UnicodeDecodeError as error:
        raise AuditError(
            say("The letters of the cost matrix are not stored as UTF-8."),
            advice=say("Save it as CSV in the encoding UTF-8."),
        ) from error
    except csv.Error as error:
        raise AuditError(
            say("The cost matrix cannot be read as CSV."),
            where=str(error),
            advice=say("Write numbers separated by commas."),
        ) from error


def _lines(stream: TextIO, longest: int) -> Iterator[str]:
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise AuditError(
                say(
                    "A line of the cost matrix has more than {longest} characters, far more than its cells need.",
                    longest=whole(longest),
                ),
                where=say("line {number}", number=number),
                advice=say("Write one row and one column per group, in the order of the list of groups."),
            )
        yield line


def _entry(text: str, row: int, column: int, line: int) -> float:
    if text.lower() in _FORBIDDEN:
        if row == column:
            return 0.0
        return math.inf
    where = say("line {line}, group {row} to group {column}", line=line, row=row + 1, column=column + 1)
    advice = say("Write a number, or inf where it is forbidden.")
    try:
        cost = float(text if text.isascii() and "_" not in text else "")
    except ValueError as error:
        raise AuditError(
            say("A cost is no number: {text}.", text=quoted(text[:40])), where=where, advice=advice
        ) from error
    if math.isnan(cost):
        raise AuditError(say("A cost is undefined (NaN)."), where=where, advice=advice)
    if cost > LARGEST_COST:
        raise AuditError(
            say("A cost is too large: {text}.", text=text[:40]),
            where=where,
            advice=say("Costs may be up to {most}, or inf.", most=localized(f"{LARGEST_COST:g}")),
        )
    if cost < 0:
        raise AuditError(
            say("A cost is negative: {text}.", text=text[:40]), where=where, advice=say("Costs are 0 or more.")
        )
    if row == column and cost:
        raise AuditError(
            say("Staying in a cell costs {text}.", text=text[:40]),
            where=where,
            advice=say("Put 0 on the diagonal of the cost matrix."),
        )
    return cost


def _wrong_size(found: str, size: int) -> AuditError:
    return AuditError(
        say("The cost matrix has {found}; there are {groups}.", found=found, groups=count(size, "group")),
        advice=say("Write one row and one column per group, in the order of the list of groups."),
    )
