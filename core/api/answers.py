"""Columns of answers: those of one model, which is one column or one probability a class."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from core.base.errors import SettingsError
from core.data.cells import as_numbers, as_text, ascending, is_number_column
from core.data.roles import Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.models import ModelSource
from core.models.one_a_class import one_a_class
from core.models.predictions import PredictionColumns
from core.models.reading import ROUNDING, Holds


def class_probabilities(frame: pd.DataFrame, roles: Roles, holds: Holds | None) -> PredictionColumns | None:
    """The columns of predictions as one probability for each class; None where they are no such ones.

    Args:
        frame: The table.
        roles: What its columns are for.
        holds: What somebody says that the columns hold; None to tell by names and values.
    """
    if not roles.outcome or roles.outcome_type == "number" or holds not in (None, "class probabilities"):
        return None
    classes = ascending(as_text(frame[roles.outcome].dropna()).unique())
    if holds is not None:
        return PredictionColumns(columns=roles.predictions, holds=holds, classes=classes)
    found = one_a_class([name for name in roles.predictions if _holds_shares(frame[name], classes)], classes)
    if found is None:
        return None
    sums = np.column_stack([as_numbers(frame[name]) for name in found.columns]).sum(axis=1)
    if np.nanmax(np.abs(sums - 1), initial=0.0) > ROUNDING:
        return None
    return PredictionColumns(columns=found.columns, holds="class probabilities", classes=classes)


def require_one(predictions: Sequence[str]) -> None:
    """Refuse columns that are named together and hold answers of several models.

    Raises:
        SettingsError: They are more than one.
    """
    if len(predictions) > 1:
        first, second = (option("predictions", name) for name in predictions[:2])
        raise SettingsError(
            f"{len(predictions)} columns of predictions are named, and an audit is of one model.",
            where=option("predictions"),
            advice=f"Audit each by itself: a run with {first}, another with {second}. Only "
            "columns with one probability for each class of the outcome belong together.",
        )


def told_of_answers(model: ModelSource, roles: Roles) -> Iterator[str]:
    """Which columns of answers are audited, and how they are read, where there are several; a sentence each."""
    if not isinstance(model, PredictionColumns):
        return
    if model.holds == "class probabilities":
        found = one_a_class(model.columns, model.classes)
        each = [f"{quoted(name)} of {quoted(one)}" for name, one in zip(model.columns, model.classes, strict=True)]
        how = "by their names" if found is not None and found.named else "in the order given"
        yield f"Read as the probability of each class, {how}: {listed(each)}."
    if others := [name for name in roles.predictions if name not in model.columns]:
        audited, left = (listed([quoted(name) for name in names]) for names in (model.columns, others))
        yield f"Audited: {audited}. Not audited: {left}; audit each by itself, with {option('predictions')}."


def _holds_shares(values: pd.Series, classes: Sequence[str]) -> bool:
    """Whether a column holds numbers between 0 and 1 that are no outcomes."""
    if not is_number_column(values) or set(as_text(values.dropna())) <= set(classes):
        return False
    numbers = as_numbers(values)
    return bool(np.nanmin(numbers, initial=0.0) >= 0 and np.nanmax(numbers, initial=1.0) <= 1)
