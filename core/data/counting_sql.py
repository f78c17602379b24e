"""The SQL query that makes a table of counts of a table of persons: a row for each combination of what roles name."""

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, get_args

from core.base.errors import DataError
from core.data.roles import Roles
from core.language.phrases import quoted
from core.language.told import say

Dialect = Literal["generic", "PostgreSQL", "BigQuery", "Spark SQL"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
COUNT = "people"
"""What the column is called that counts people."""


def counting_sql(
    roles: Roles,
    table: str,
    dialect: Dialect = "generic",
    limits: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> str:
    """The query that counts the people of each combination of outcome, groups, answers and features.

    Args:
        roles: What the columns are for.
        table: The table's name in the database; dots part the names of schemas.
        dialect: Of which database; they quote names differently. Generic is standard SQL, as SQLite takes it.
        limits: Ascending limits between ranges of columns of numbers; columns without are counted value by value.

    Raises:
        DataError: Rows are texts or belong together, so that counts lose what matters; a name holds characters that
            are not seen; limits do not ascend, or are those of a column without a role.
    """
    lost = roles.text or roles.belongs_to
    if lost:
        raise DataError(
            say("A table of counts cannot keep texts, nor which rows belong together."),
            where=say("column {name}", name=quoted(lost)),
            advice=say("Bring a row for each person, or take back the role."),
        )
    names = (*roles.columns, table)
    if unseen := [name for name in names if any(unicodedata.category(letter).startswith("C") for letter in name)]:
        raise DataError(
            say("A name holds characters that are not seen: {name}.", name=quoted(unseen[0])),
            advice=say("Rename it, so that the query reads as what it does."),
        )
    if strange := [name for name in limits if name not in roles.columns]:
        raise DataError(
            say("The column {name} has no role, so it is not counted.", name=quoted(strange[0])),
            advice=say("Give it a role, or leave out its limits."),
        )
    if wrong := [name for name, ends in limits.items() if not ends or any(a >= b for a, b in pairwise(ends))]:
        raise DataError(
            say("The limits of {name} do not ascend.", name=quoted(wrong[0])),
            advice=say("Write each limit once, smallest first."),
        )
    columns = [(_named(name, dialect), limits.get(name)) for name in roles.columns]
    told = [name if ends is None else _in_ranges(name, ends) for name, ends in columns]
    chosen = list(told)
    for place, (name, ends) in enumerate(columns):
        if ends is not None:
            chosen[place] += f" AS {name}"  # verbatim
    count = COUNT
    while count in roles.columns:
        count += "_"
    rows = ".".join(_named(part, dialect) for part in table.split("."))
    select = ",\n  ".join([*chosen, f"COUNT(*) AS {_named(count, dialect)}"])  # verbatim
    grouped = ",\n  ".join(told)
    return f"SELECT\n  {select}\nFROM {rows}\nGROUP BY\n  {grouped};"  # verbatim


def _named(name: str, dialect: Dialect) -> str:
    """A name of a table or column, quoted."""
    if dialect == "BigQuery":
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    mark = "`" if dialect == "Spark SQL" else '"'
    return mark + name.replace(mark, mark * 2) + mark


def _in_ranges(name: str, ends: Sequence[float]) -> str:
    """A column of numbers in ranges, each with its lower limit; what is missing stays missing."""
    *under, last = names_of_ranges(ends)
    told = [f"{end:.17g}" for end in ends]
    cases = " ".join(f"WHEN {name} < {end} THEN '{one}'" for end, one in zip(told, under, strict=True))  # verbatim
    return f"CASE {cases} WHEN {name} >= {told[-1]} THEN '{last}' END"  # verbatim


def names_of_ranges(ends: Sequence[float]) -> tuple[str, ...]:
    """What the ranges between ascending limits are called, one more than there are limits."""
    told = [f"{end:.17g}" for end in ends]
    between = (f"{a} to under {b}" for a, b in pairwise(told))  # verbatim
    return (f"under {told[0]}", *between, f"{told[-1]} and over")  # verbatim
