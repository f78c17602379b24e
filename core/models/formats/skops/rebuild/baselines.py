"""Models that give everybody the same answer."""

from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor

from core.language.told import say
from core.models.formats.skops.saved import Saved

_ROUNDING = 1e-6


def _classifier(model: Any, saved: Saved) -> None:
    if "n_features_in_" in saved:
        saved.read_width(model)
    model.classes_ = saved.classes()
    model.n_classes_, model.n_outputs_ = len(model.classes_), 1
    model.class_prior_ = saved.array("class_prior_", (len(model.classes_),))
    if (model.class_prior_ < 0).any() or abs(model.class_prior_.sum() - 1) > _ROUNDING:
        raise saved.wrong("class_prior_", say("does not hold shares of the classes"))
    model.sparse_output_, model._strategy = False, model.strategy
    if model.strategy == "constant" and not np.isin(model.classes_, [model.constant]).any():
        raise saved.wrong("constant", say("is none of its classes"))
    if model.strategy == "stratified":
        raise saved.refused(
            say(
                "The DummyClassifier in the file draws its answers by chance (strategy='stratified'), so the "
                "same person gets another answer each time."
            ),
            say("Use strategy='prior', which gives the chances themselves, and fit it again."),
        )


def _regressor(model: Any, saved: Saved) -> None:
    if "n_features_in_" in saved:
        saved.read_width(model)
    model.constant_ = saved.array("constant_", (1, -1), kinds="fiu")
    model.n_outputs_ = model.constant_.shape[1]


REBUILDERS = {DummyClassifier: _classifier, DummyRegressor: _regressor}
