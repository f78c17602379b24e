"""What is the matter with a table, before anything rests on it."""

from dataclasses import dataclass

import pandas as pd

from core.dataset import Roles
from core.errors import Notice


@dataclass(frozen=True)
class Health:
    """The state of a table under the roles of its columns. Nothing has been left out or filled.

    Attributes:
        rows: Rows in the table.
        rows_with_gaps: Rows with at least one missing cell in a column with a role: what "leave out" would cost.
        duplicates: Rows that repeat an earlier row in every column with a role.
        findings: What was noticed, most serious first.
        columns: One row per column of the table: ``column``, ``role``, ``kind`` ("number", "category", "date"),
            ``distinct``, ``missing`` (cells), ``share missing`` (0 to 1).
        outcomes: One row per outcome: ``outcome``, ``rows``, ``share``.
        groups: One row per protected group: ``attribute``, ``group``, ``rows``, ``favourable`` (share with the
            favourable outcome, NaN without one), ``enough`` (30 rows or more).
    """

    rows: int
    rows_with_gaps: int
    duplicates: int
    findings: tuple[Notice, ...]
    columns: pd.DataFrame
    outcomes: pd.DataFrame
    groups: pd.DataFrame


def examine(frame: pd.DataFrame, roles: Roles) -> Health:
    """Look a table over.

    Raises:
        DataError: A column with a role is not in the table.
    """
    raise NotImplementedError
