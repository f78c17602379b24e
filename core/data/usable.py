"""What of a table no test can use: an outcome without classes, one group only, infinite values, too many categories."""

import numpy as np
import pandas as pd

from core.data.cells import as_numbers, as_text, is_number_column, record_number
from core.data.roles import Roles
from core.errors import DataError
from core.phrases import count, quoted, several

MAXIMUM_OUTCOMES = 100
"""More outcomes than this are a measured quantity or a name, not classes."""
MAXIMUM_ENCODED_COLUMNS = 10_000
MAXIMUM_ENCODED_CELLS = 250_000_000
"""A category becomes a column of its own for the model; beyond these the prepared rows no longer fit into memory."""


def refuse_unusable(frame: pd.DataFrame, roles: Roles, labels: tuple[str, ...]) -> None:
    """Refuse complete rows that no test can do anything with.

    Args:
        frame: The rows.
        roles: What the columns are for.
        labels: The outcome's classes.

    Raises:
        DataError: The outcome, a protected attribute, a feature or a prediction cannot be used as the roles say.
    """
    _refuse_outcome(frame, roles, labels)
    for name in roles.protected:
        if frame[name].nunique() < 2:
            raise DataError(
                "Everybody belongs to the same group, so groups cannot be compared.",
                where=f"column {quoted(name)}",
                advice="Choose another protected attribute, or bring rows of other groups.",
            )
    for name in (*roles.features, *roles.predictions):
        if is_number_column(frame[name]):
            _refuse_infinite(frame[name], name)
    _refuse_wide(frame, roles)


def _refuse_outcome(frame: pd.DataFrame, roles: Roles, labels: tuple[str, ...]) -> None:
    column = roles.outcome or roles.decision
    if not column:
        return
    where, called = f"column {quoted(column)}", "outcome" if roles.outcome else "decision"
    values = frame[column]
    if values.nunique() < 2 and not roles.text:
        raise DataError(
            f"Every row has the same {called}, {quoted(as_text(values).iloc[0])}.",
            where=where,
            advice=f"Choose a column with at least two {called}s.",
        )
    if roles.outcome_type == "number":
        _refuse_infinite(values, roles.outcome)
        return
    if len(labels) > MAXIMUM_OUTCOMES:
        raise DataError(
            f"The {called} has {len(labels):,} different values; a classification has at most {MAXIMUM_OUTCOMES}.",
            where=where,
            advice="Say that the outcome holds a number, choose a column that says which class a person belongs "
            "to, or group its values first.",
        )
    if len(labels) == len(frame):
        raise DataError(
            f"Every row has {'an outcome' if roles.outcome else 'a decision'} of its own, so there are no classes to "
            "compare people within.",
            where=where,
            advice="Say that the outcome holds a number, or choose a column that says which class a person belongs to.",
        )
    if roles.favourable and roles.favourable not in labels:
        raise DataError(
            f"The favourable value {quoted(roles.favourable)} does not occur.",
            where=where,
            advice=f"Choose one of {several(labels)}.",
        )


def _refuse_wide(frame: pd.DataFrame, roles: Roles) -> None:
    widths = {name: 1 if is_number_column(frame[name]) else frame[name].nunique() for name in roles.features}
    width = sum(widths.values())
    if width <= MAXIMUM_ENCODED_COLUMNS and width * len(frame) <= MAXIMUM_ENCODED_CELLS:
        return
    widest = max(widths, key=lambda name: widths[name])
    raise DataError(
        f"The features have too many categories: prepared for a model they would be {width:,} columns of "
        f"{len(frame):,} rows.",
        where=f"column {quoted(widest)} alone has {widths[widest]:,} different values",
        advice="Leave this column out of the features, group its values, or read it as numbers.",
    )


def _refuse_infinite(values: pd.Series, name: str) -> None:
    infinite = np.isinf(as_numbers(values))
    if infinite.any():
        raise DataError(
            f"{count(int(infinite.sum()), 'value is', 'values are')} infinite.",
            where=f"column {quoted(name)}, row {record_number(values.index, int(infinite.argmax()))}",
            advice="Correct the values, or ignore the column.",
        )
