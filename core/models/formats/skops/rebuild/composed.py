"""Estimators made of others: pipelines, parts by column, and outcomes on another scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils._indexing import _get_column_indices

from core.language.told import say
from core.models.formats.skops.saved import Saved


def _pipeline(model: Any, saved: Saved) -> None:
    given = saved.get("steps")
    if not isinstance(given, list) or not given or any(not _is_row(step, 2) for step in given):
        raise saved.wrong("steps", say("is not a list of named steps"))
    _check_names(saved, [name for name, _ in given])
    model.steps = []
    for name, step in given:
        where = say("{where}, step {name}", where=saved.where, name=repr(name[:80]))
        model.steps.append((name, _within(saved, where, step, (None, "passthrough"))))
    if any(not hasattr(step, "transform") for _, step in model.steps[:-1] if step not in (None, "passthrough")):
        raise saved.wrong("steps", say("has a model before its last step"))


def _within(saved: Saved, where: str, part: Any, words: tuple[str | None, ...]) -> Any:
    """A part that is rebuilt, or one of ``words`` that stand for one."""
    if (part is None or isinstance(part, str)) and part in words:
        return part
    return saved.part(part, where)


def _columns(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    given = saved.get("transformers_")
    if not isinstance(given, list) or any(not _is_row(part, 3) for part in given):
        raise saved.wrong("transformers_", say("is not a list of named parts with their columns"))
    _check_names(saved, [name for name, _, _ in given])
    table: Any = np.empty((0, width))
    if hasattr(model, "feature_names_in_"):
        table = pd.DataFrame(columns=model.feature_names_in_)
    parts, places = [], {}
    for name, part, chosen in given:
        columns = _selection(saved, chosen)
        places[name] = indices = [int(index) for index in _get_column_indices(table, columns)]
        if any(not 0 <= index < width for index in indices):
            raise saved.wrong("transformers_", say("chooses a column that does not exist"))
        parts.append((name, _part(saved, name, part, len(indices)), columns))
    model.transformers_ = parts
    model.transformers = [part for part in parts if part[0] != "remainder"]
    model._transformer_to_input_indices = places
    model._columns = [columns for _, _, columns in model.transformers]
    model.remainder, model._remainder = "drop", ("remainder", "drop", [])
    sparse = saved.get("sparse_output_")
    if not isinstance(sparse, bool | np.bool_):
        raise saved.wrong("sparse_output_", say("is neither true nor false"))
    model.sparse_output_ = bool(sparse)


def _part(saved: Saved, name: str, part: Any, width: int) -> Any:
    """A part by column; one without columns was never fitted and gives nothing."""
    where = say("{where}, part {name}", where=saved.where, name=repr(name[:80]))
    built = _within(saved, where, part, ("drop", "passthrough")) if width else "drop"
    if not isinstance(built, str) and (
        not hasattr(built, "transform") or getattr(built, "n_features_in_", width) != width
    ):
        raise saved.wrong(
            "transformers_", say("gives {width} columns to a part that does not read as many", width=width)
        )
    return built


def _selection(saved: Saved, chosen: Any) -> Any:
    """Columns by name or place: one, several, a range, or a mark for each."""
    several = chosen.tolist() if isinstance(chosen, np.ndarray) and chosen.ndim == 1 else chosen
    if isinstance(several, str | int | slice) or (
        isinstance(several, list) and all(isinstance(item, str | int | np.integer | np.bool_) for item in several)
    ):
        return chosen
    raise saved.wrong("transformers_", say("chooses columns by something that is neither their names nor their places"))


def _is_row(value: Any, length: int) -> bool:
    return isinstance(value, list | tuple) and len(value) == length and isinstance(value[0], str)


def _check_names(saved: Saved, names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        raise saved.refused(say("The {kind} in the file has two parts of the same name.", kind=saved.kind))


def _transformed_target(model: Any, saved: Saved) -> None:
    model.regressor_ = saved.part(saved.get("regressor_"), say("{where}, regressor", where=saved.where))
    model.transformer_ = saved.part(saved.get("transformer_"), say("{where}, transformer", where=saved.where))
    if not hasattr(model.regressor_, "predict") or not hasattr(model.transformer_, "inverse_transform"):
        raise saved.refused(say("The TransformedTargetRegressor in the file has a part that does not do its work."))
    model._training_dim = 1
    if hasattr(model.regressor_, "feature_names_in_"):
        model.feature_names_in_ = model.regressor_.feature_names_in_


REBUILDERS = {
    Pipeline: _pipeline,
    ColumnTransformer: _columns,
    TransformedTargetRegressor: _transformed_target,
}
