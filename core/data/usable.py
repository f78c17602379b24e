"""What of a table no test can use: an outcome without classes, one group only, infinite values, too many categories."""

import numpy as np
import pandas as pd

from core.base.errors import DataError
from core.data.cells import as_numbers, as_text, is_number_column, record_number
from core.data.roles import Roles
from core.language.phrases import quoted, several, whole
from core.language.told import say, say_count

MAXIMUM_OUTCOMES = 100
"""More outcomes than this are a measured quantity or a name, not classes."""
MAXIMUM_ENCODED_COLUMNS = 10_000
MAXIMUM_ENCODED_CELLS = 250_000_000
"""A category becomes a column of its own for the model; beyond these the prepared rows no longer fit into memory."""


def refuse_unusable(frame: pd.DataFrame, roles: Roles, labels: tuple[str, ...], people: int | None = None) -> None:
    """Refuse complete rows that no test can do anything with.

    Args:
        frame: The rows.
        roles: What the columns are for.
        labels: The outcome's classes.
        people: How many people the rows stand for; one each if None.

    Raises:
        DataError: The outcome, a protected attribute, a feature or a prediction cannot be used as the roles say.
    """
    _refuse_outcome(frame, roles, labels, len(frame) if people is None else people)
    for name in roles.protected:
        if frame[name].nunique() < 2:
            raise DataError(
                say("Everybody belongs to the same group, so groups cannot be compared."),
                where=say("column {name}", name=quoted(name)),
                advice=say("Choose another protected attribute, or bring rows of other groups."),
            )
    for name in (*roles.features, *roles.predictions):
        if is_number_column(frame[name]):
            _refuse_infinite(frame[name], name)
    _refuse_wide(frame, roles)


def _refuse_outcome(frame: pd.DataFrame, roles: Roles, labels: tuple[str, ...], people: int) -> None:
    column = roles.outcome or roles.decision
    if not column:
        return
    where, values = say("column {name}", name=quoted(column)), frame[column]
    if values.nunique() < 2 and not roles.text:
        only = quoted(as_text(values).iloc[0])
        raise DataError(
            say("Every row has the same outcome, {value}.", value=only)
            if roles.outcome
            else say("Every row has the same decision, {value}.", value=only),
            where=where,
            advice=say("Choose a column with at least two outcomes.")
            if roles.outcome
            else say("Choose a column with at least two decisions."),
        )
    if roles.outcome_type == "number":
        _refuse_infinite(values, roles.outcome)
        return
    if len(labels) > MAXIMUM_OUTCOMES:
        raise DataError(
            say(
                "The outcome has {n} different values; a classification has at most {most}.",
                n=whole(len(labels)),
                most=MAXIMUM_OUTCOMES,
            )
            if roles.outcome
            else say(
                "The decision has {n} different values; a classification has at most {most}.",
                n=whole(len(labels)),
                most=MAXIMUM_OUTCOMES,
            ),
            where=where,
            advice=say(
                "Say that the outcome holds a number, choose a column that says which class a person belongs to, "
                "or group its values first."
            ),
        )
    if len(labels) == people:
        raise DataError(
            say("Every row has an outcome of its own, so there are no classes to compare people within.")
            if roles.outcome
            else say("Every row has a decision of its own, so there are no classes to compare people within."),
            where=where,
            advice=say(
                "Say that the outcome holds a number, or choose a column that says which class a person belongs to."
            ),
        )
    if roles.favourable and roles.favourable not in labels:
        raise DataError(
            say("The favourable value {value} does not occur.", value=quoted(roles.favourable)),
            where=where,
            advice=say("Choose one of {values}.", values=several(labels)),
        )


def _refuse_wide(frame: pd.DataFrame, roles: Roles) -> None:
    widths = {name: 1 if is_number_column(frame[name]) else frame[name].nunique() for name in roles.features}
    width = sum(widths.values())
    if width <= MAXIMUM_ENCODED_COLUMNS and width * len(frame) <= MAXIMUM_ENCODED_CELLS:
        return
    widest = max(widths, key=lambda name: widths[name])
    raise DataError(
        say(
            "The features have too many categories: prepared for a model they would be {columns} columns of "
            "{rows} rows.",
            columns=whole(width),
            rows=whole(len(frame)),
        ),
        where=say(
            "column {name} alone has {n} different values",
            name=quoted(widest),
            n=whole(widths[widest]),
        ),
        advice=say("Leave this column out of the features, group its values, or read it as numbers."),
    )


def _refuse_infinite(values: pd.Series, name: str) -> None:
    infinite = np.isinf(as_numbers(values))
    if infinite.any():
        raise DataError(
            say_count("{n} value is infinite.", "{n} values are infinite.", int(infinite.sum())),
            where=say(
                "column {name}, row {row}",
                name=quoted(name),
                row=record_number(values.index, int(infinite.argmax())),
            ),
            advice=say("Correct the values, or ignore the column."),
        )
