"""What is the matter with a table, before anything rests on it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import Caveat, DataError, most_serious_first
from core.base.thresholds import FEWEST_ROWS
from core.data.bins import is_continuous, quantile_bins
from core.data.cells import Coded, as_numbers, as_text, code_column, is_number_column
from core.data.copies import find_copies
from core.data.counted import Counted
from core.data.look_alikes import about_look_alikes, about_names
from core.data.missing import MISSING_GROUP, read_column, read_judgements
from core.data.quality.checks import (
    about_bins,
    about_column,
    about_groups,
    about_judgements,
    about_table,
    about_texts,
    about_unknown,
)
from core.data.quality.number_outcome import NumberSummary, group_means, summarise_numbers
from core.data.quality.outcome_checks import about_classes, about_numbers
from core.data.roles import Roles
from core.language.phrases import several
from core.language.told import packed, say

MOST_GROUPS_LISTED = 200
BELONGS_TO = "belongs to"  # verbatim
_NO_GROUPS = pd.DataFrame(
    {
        "attribute": pd.array([], dtype="str"),
        "group": pd.array([], dtype="str"),
        "rows": np.array([], dtype=np.int64),
        "favourable": np.array([], dtype=np.float64),
        "mean": np.array([], dtype=np.float64),
        "low": np.array([], dtype=np.float64),
        "high": np.array([], dtype=np.float64),
        "enough": np.array([], dtype=bool),
    }
)


@dataclass(frozen=True)
class Health:
    """The state of a table under the roles of its columns. Nothing has been left out or filled.

    Attributes:
        rows: Rows in the table.
        rows_with_missing: Rows with at least one missing cell in a column with a role: what "leave out" would cost. A
            missing judgement of people costs nothing.
        duplicates: Rows that repeat an earlier row in every column with a role.
        findings: What was noticed, most serious first.
        columns: One row per column of the table: ``column``, ``role``, ``kind`` ("number", "category", "date",
            "text"),
            ``distinct``, ``missing`` (cells), ``share missing`` (0 to 1).
        outcomes: One row per outcome, the most frequent first: ``outcome``, ``rows``, ``share``; empty without one,
            and where it is a number.
        numbers: How an outcome that is a number is spread; None for classes, and if no cell is a finite number.
        groups: One row per protected group, at most 200 an attribute, the largest first; an attribute that is a number
            is in quantile_bins, ascending. Columns ``attribute``, ``group`` (packed), ``rows``, ``favourable`` (share
            with the favourable outcome, or decision, 0 to 1; NaN without one), ``mean`` (of an outcome that is a
            number; NaN for classes) with the ``low`` and ``high`` end of its 95% interval, ``enough`` (30 rows or
            more).
    """

    rows: int
    rows_with_missing: int
    duplicates: int
    findings: tuple[Caveat, ...]
    columns: pd.DataFrame
    outcomes: pd.DataFrame
    groups: pd.DataFrame
    numbers: NumberSummary | None = None


def examine(frame: pd.DataFrame, roles: Roles) -> Health:
    """Look a table over.

    Cells that ``roles`` reads as numbers and that are none count as missing. Where rows stand for several people, all
    of it is of the people, none of whom repeats another.

    Raises:
        DataError: A column with a role is not in the table, or a count of people is none.
    """
    unknown = [name for name in (*roles.columns, roles.counts) if name and name not in frame.columns]
    if unknown:
        raise DataError(
            say("The table has no column {name}.", name=several(unknown)),
            advice=say("Choose the roles again; column names are case-sensitive."),
        )
    counted = Counted.of(frame[roles.counts]) if roles.counts else None
    if counted is not None:
        frame = counted.written_out(frame, some=True)
    by_number = roles.outcome_type == "number"
    outcome = _code_outcome(frame, roles) if roles.outcome else _without_outcome(len(frame))
    protected = [_code_attribute(read_column(frame[name], name, roles), roles) for name in roles.protected]
    incomplete = np.zeros(len(frame), dtype=bool)
    hashes = np.zeros(len(frame), dtype=np.uint64)
    rows: list[tuple[object, ...]] = []
    numbers: NumberSummary | None = None
    findings: list[Caveat] = []
    for name in frame.columns:
        role = _role(str(name), roles)
        values = read_column(frame[name], str(name), roles) if role else frame[name]
        coded = code_column(str(name), values)
        missing = int(coded.missing.sum())
        rows.append(
            (
                name,
                role or "ignored",
                "text" if role == "text" else _kind(values),
                len(coded.distinct),
                missing,
                missing / max(len(frame), 1),
            )
        )
        if role == "judgement":
            findings += about_judgements(frame[name], read_judgements(frame[name])[1])
        elif role and role != BELONGS_TO:
            incomplete |= coded.missing
        if role == "text":
            findings += about_texts(values, coded)
        if role:
            hashes = hashes * np.uint64(1_000_003) + _hash(coded)
            findings += about_column(values, coded, roles, outcome, protected)
        if role == "outcome" and by_number:
            numbers = summarise_numbers(as_numbers(values))
            findings += about_numbers(frame[name], values, numbers)
    duplicates = 0 if counted is not None else len(frame) - len(np.unique(hashes))
    findings += [] if counted is None else counted.caveats(by_person=True)
    outcomes = _count_outcomes(_without_outcome(len(frame)) if by_number else outcome)
    groups = _count_groups(protected, outcome if roles.outcome else _code_decision(frame, roles), roles)
    findings += about_names(map(str, frame.columns))
    findings += about_table(
        len(frame),
        int(incomplete.sum()),
        roles.missing,
        0 if roles.belongs_to else duplicates,
        int(outcome.missing.sum()) if roles.outcome else 0,
        copied=bool(duplicates) and find_copies(frame.drop(columns=list(roles.predictions)), roles.columns).too_many,
    )
    if roles.outcome and not by_number:
        findings += about_classes(outcomes, frame[roles.outcome], roles)
        findings += about_look_alikes(roles.outcome, _rows_of(outcome), favourable=roles.favourable)
    findings += about_bins([attribute for attribute in protected if _is_banded(attribute)])
    for attribute in protected:
        findings += about_unknown(attribute, roles)
        if not _is_banded(attribute):
            findings += about_groups(attribute)
            findings += about_look_alikes(attribute.name, _rows_of(attribute))
    table = pd.DataFrame(rows, columns=["column", "role", "kind", "distinct", "missing", "share missing"])  # verbatim
    return Health(
        rows=len(frame),
        rows_with_missing=int(incomplete.sum()),
        duplicates=duplicates,
        findings=most_serious_first(findings),
        columns=table,
        outcomes=outcomes,
        groups=groups,
        numbers=numbers,
    )


def _code_outcome(frame: pd.DataFrame, roles: Roles) -> Coded:
    """The outcome: classes as text, a number as numbers."""
    values = read_column(frame[roles.outcome], roles.outcome, roles)
    return code_column(roles.outcome, values if roles.outcome_type == "number" else as_text(values))


def _code_attribute(values: pd.Series, roles: Roles) -> Coded:
    """A protected attribute as the dataset will hold it: groups as text, a number that is tested as such as numbers."""
    name = str(values.name)
    if is_continuous(values):
        return code_column(name, values)
    own = roles.missing == "own category" and not (name in roles.features and is_number_column(values))  # verbatim
    written = as_text(values)
    return code_column(name, written.fillna(MISSING_GROUP) if own else written)


def _rows_of(coded: Coded) -> dict[str, int]:
    """How many rows hold each value."""
    size = np.bincount(coded.codes[~coded.missing], minlength=len(coded.distinct))
    return dict(zip(coded.distinct.astype(str), size.tolist(), strict=True))


def _is_banded(attribute: Coded) -> bool:
    return is_number_column(attribute.distinct.to_series())


def _hash(coded: Coded) -> np.ndarray:
    hashed = pd.util.hash_array(np.arange(len(coded.distinct) + 1, dtype=np.uint64))
    return np.asarray(hashed[coded.codes])


def _role(name: str, roles: Roles) -> str:
    held = {
        "text": name == roles.text,
        "judgement": name in roles.annotation,
        "outcome": name == roles.outcome,
        "protected": name in roles.protected,
        "feature": name in roles.features,
        "prediction": name in roles.predictions,
        BELONGS_TO: name == roles.belongs_to,
    }
    return ", ".join(role for role, holds in held.items() if holds)


def _code_decision(frame: pd.DataFrame, roles: Roles) -> Coded:
    """What is decided of whom, where that is all there is to judge and stands in a column."""
    if roles.decision not in frame:
        return _without_outcome(len(frame))
    return code_column(roles.decision, as_text(read_column(frame[roles.decision], roles.decision, roles)))


def _without_outcome(rows: int) -> Coded:
    return Coded("", np.full(rows, -1, dtype=np.int64), pd.Index([], dtype="str"))


def _kind(values: pd.Series) -> str:
    if pd.api.types.is_datetime64_any_dtype(values):
        return "date"
    return "number" if is_number_column(values) else "category"


def _count_outcomes(outcome: Coded) -> pd.DataFrame:
    counts = np.bincount(outcome.codes[~outcome.missing], minlength=len(outcome.distinct))
    order = np.argsort(-counts, kind="stable")
    return pd.DataFrame(
        {
            "outcome": outcome.distinct[order],
            "rows": counts[order],
            "share": counts[order] / max(int(counts.sum()), 1),
        }
    )


def _count_groups(protected: list[Coded], outcome: Coded, roles: Roles) -> pd.DataFrame:
    good = outcome.codes == outcome.distinct.get_indexer(pd.Index([roles.favourable]))[0]
    by_number = roles.outcome_type == "number"
    values = as_numbers(_spread_out(outcome)) if by_number else np.full(len(outcome.codes), np.nan)
    tables = [_NO_GROUPS]
    for attribute in protected:
        banded = _is_banded(attribute)
        codes, names = quantile_bins(_spread_out(attribute)) if banded else (attribute.codes, tuple(attribute.distinct))
        known = (codes >= 0) & ~outcome.missing
        size = np.bincount(codes[codes >= 0], minlength=len(names))
        judged = np.bincount(codes[known], minlength=len(names))
        favoured = np.bincount(codes[known & good], minlength=len(names))
        order = np.arange(len(names)) if banded else np.argsort(-size, kind="stable")[:MOST_GROUPS_LISTED]
        share = favoured / np.where((judged > 0) & (roles.favourable != ""), judged, np.nan)
        mean, low, high = group_means(values, codes, len(names))
        tables.append(
            pd.DataFrame(
                {
                    "attribute": attribute.name,
                    "group": pd.array([packed(names[place]) for place in order], dtype="str"),
                    "rows": size[order],
                    "favourable": share[order],
                    "mean": mean[order],
                    "low": low[order],
                    "high": high[order],
                    "enough": size[order] >= FEWEST_ROWS,
                }
            )
        )
    return pd.concat(tables[1:] or tables, ignore_index=True)


def _spread_out(coded: Coded) -> pd.Series:
    """The column that was coded, of numbers, NaN where a cell is missing."""
    return pd.Series(np.append(coded.distinct.to_numpy(dtype=np.float64), np.nan)[coded.codes])
