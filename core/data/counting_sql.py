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
    fewest: int = 0,
) -> str:
    """The query that counts the people of each combination of outcome, groups, answers and features.

    Combinations of too few people are suppressed, and nobody is lost: they are added up by outcome, groups and answers,
    without features, and what is still too few is one row without any value. An audit takes them for people with gaps.

    Args:
        roles: What the columns are for.
        table: The table's name in the database; dots part the names of schemas.
        dialect: Of which database; they quote names differently. Generic is standard SQL, as SQLite takes it.
        limits: Ascending limits between ranges of columns of numbers; columns without are counted value by value.
        fewest: Fewer people of a combination are suppressed.

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
    rows, people = ".".join(_named(part, dialect) for part in table.split(".")), _named(count, dialect)
    select = ",\n  ".join([*chosen, f"COUNT(*) AS {people}"])  # verbatim
    grouped = ",\n  ".join(told)
    query = f"SELECT\n  {select}\nFROM {rows}\nGROUP BY\n  {grouped}"  # verbatim
    if fewest < 2:
        return f"{query};"
    kept = {_named(name, dialect) for name in (*roles.protected, roles.outcome, roles.decision, *roles.predictions)}
    return _suppressed(query, [(name, name in kept) for name, _ in columns], people, fewest)


def _suppressed(query: str, columns: Sequence[tuple[str, bool]], people: str, fewest: int) -> str:
    """The counts of a query with those below ``fewest`` added up.

    Args:
        query: What counts.
        columns: Each column's quoted name, and whether it stays where counts are added up.
        people: The quoted name of the count.
        fewest: The smallest count that is told of a combination.
    """
    kept = ", ".join(name for name, stays in columns if stays)
    parted = [f"  GROUP BY {kept}"] if kept else []  # verbatim
    everything = ", ".join(name for name, _ in columns)
    some = ", ".join(name if stays else "NULL" for name, stays in columns)  # verbatim
    nothing = ", ".join("NULL" for _ in columns)  # verbatim
    lines = [
        *("WITH evenhand_counted AS (", query, ")"),  # verbatim
        f"SELECT {everything}, {people}",  # verbatim
        f"  FROM evenhand_counted WHERE {people} >= {fewest}",  # verbatim
        *("UNION ALL", f"SELECT {some}, SUM({people})"),  # verbatim
        f"  FROM evenhand_counted WHERE {people} < {fewest}",  # verbatim
        *(*parted, f"  HAVING SUM({people}) >= {fewest}"),  # verbatim
        *("UNION ALL", f"SELECT {nothing}, SUM({people})", "  FROM ("),  # verbatim
        f"  SELECT SUM({people}) AS {people}",  # verbatim
        f"  FROM evenhand_counted WHERE {people} < {fewest}",  # verbatim
        *(*parted, f"  HAVING SUM({people}) < {fewest}"),  # verbatim
        f"  ) AS evenhand_few HAVING SUM({people}) > 0;",  # verbatim
    ]
    return "\n".join(lines)


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
