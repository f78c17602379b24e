"""Numbers on another scale, column by column."""

from typing import Any

import numpy as np
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from core.language.told import say
from core.models.formats.skops.document import Node
from core.models.formats.skops.saved import Saved


def _spreads(saved: Saved, width: int) -> np.ndarray:
    spreads = saved.array("scale_", (width,))
    if (spreads <= 0).any():
        raise saved.wrong("scale_", say("holds a spread that is not above 0"))
    return spreads


def _standard(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.mean_ = saved.array("mean_", (width,)) if model.with_mean or "mean_" in saved else None
    model.scale_ = _spreads(saved, width) if model.with_std else None
    model.var_ = None if model.scale_ is None else model.scale_**2


def _min_max(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.scale_, model.min_ = _spreads(saved, width), saved.array("min_", (width,))
    low, high = model.feature_range
    if not low < high:
        raise saved.wrong("feature_range", say("does not go from a lower to a higher number"))


def _max_abs(model: Any, saved: Saved) -> None:
    model.scale_ = _spreads(saved, saved.read_width(model))


def _robust(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.center_ = saved.array("center_", (width,)) if model.with_centering else None
    model.scale_ = _spreads(saved, width) if model.with_scaling else None


def _power(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.lambdas_ = saved.array("lambdas_", (width,))
    if model.standardize:
        model._scaler = StandardScaler(copy=False).set_output(transform="default")
        inner = saved.get("_scaler")
        _standard(model._scaler, Saved(inner if isinstance(inner, Node) else Node("scaler"), saved.where, saved.part))
        if model._scaler.n_features_in_ != width:
            raise saved.wrong("lambdas_", say("does not have one exponent for each column that it standardises"))


def _quantile(model: Any, saved: Saved) -> None:
    width = saved.read_width(model)
    model.quantiles_ = saved.array("quantiles_", (-1, width))
    model.n_quantiles_ = len(model.quantiles_)
    if not model.n_quantiles_ or (np.diff(model.quantiles_, axis=0) < 0).any():
        raise saved.wrong("quantiles_", say("is empty or not in order"))
    model.references_ = np.linspace(0, 1, model.n_quantiles_, endpoint=True)


def _function(model: Any, saved: Saved) -> None:
    if model.kw_args or model.inv_kw_args:
        raise saved.refused(
            say(
                "The FunctionTransformer in the file gives its function further arguments (kw_args), which are "
                "not read."
            ),
            say("Use a function that needs none, and fit the model again."),
        )
    if "n_features_in_" in saved:
        saved.read_width(model)


REBUILDERS = {
    StandardScaler: _standard,
    MinMaxScaler: _min_max,
    MaxAbsScaler: _max_abs,
    RobustScaler: _robust,
    PowerTransformer: _power,
    QuantileTransformer: _quantile,
    FunctionTransformer: _function,
}
