"""Boosted trees, on the columns themselves and on histograms."""

from typing import Any

import numpy as np
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree import DecisionTreeRegressor

from core.language.told import say
from core.models.formats.skops.document import Node
from core.models.formats.skops.rebuild.arrays import check_links, check_splits, records, whole
from core.models.formats.skops.rebuild.forests import tree_within
from core.models.formats.skops.saved import Saved

_FIELDS = frozenset({"value", "feature_idx", "num_threshold", "missing_go_to_left", "left", "right", "is_leaf"})
_PREDICTOR = f"{TreePredictor.__module__}.TreePredictor"


def _outputs(model: Any, saved: Saved) -> int:
    """Trees an iteration: one, or one a class where there are more than two."""
    model.n_trees_per_iteration_ = 1
    if hasattr(model, "predict_proba"):
        model.classes_ = saved.classes()
        k = len(model.classes_)
        model.n_trees_per_iteration_ = 1 if k == 2 else k
    return int(model.n_trees_per_iteration_)


def _boosting(model: Any, saved: Saved) -> None:
    width, outputs = saved.read_width(model), _outputs(model, saved)
    if hasattr(model, "classes_"):
        model.n_classes_ = len(model.classes_)
    trees = saved.get("estimators_")
    if not isinstance(trees, np.ndarray) or trees.dtype != object or trees.ndim != 2 or trees.shape[1] != outputs:
        raise saved.wrong("estimators_", say("does not hold {outputs} trees for each of its steps", outputs=outputs))
    if not len(trees):
        raise saved.wrong("estimators_", say("is empty"))
    model.estimators_ = np.empty(trees.shape, dtype=object)
    for place, tree in np.ndenumerate(trees):
        model.estimators_[place] = tree_within(saved, tree, DecisionTreeRegressor, width, None)
    model.n_estimators_ = len(trees)
    model._loss = model._get_loss(sample_weight=None)
    init = saved.get("init_")
    model.init_ = (
        init if isinstance(init, str) and init == "zero" else saved.part(init, say("{where}, init", where=saved.where))
    )
    start = model._raw_predict_init(np.zeros((1, width)))
    if start.shape != (1, outputs):
        raise saved.wrong("init_", say("does not give one number for each of the model's outputs"))


def _histogram(model: Any, saved: Saved) -> None:
    width, outputs = saved.read_width(model), _outputs(model, saved)
    categorical = saved.node.attributes.get("is_categorical_")
    if "_preprocessor" in saved or (categorical is not None and np.any(categorical)):
        raise saved.refused(
            say(
                "The {kind} in the file splits on categories by itself (categorical_features), which is not read.",
                kind=saved.kind,
            ),
            say("Put a OneHotEncoder or an OrdinalEncoder before it, set categorical_features=None, and fit it again."),
        )
    start = saved.array("_baseline_prediction", (), (1, outputs), (outputs,))
    model._baseline_prediction = np.asarray(start, dtype=np.float64).reshape(1, -1)
    if model._baseline_prediction.shape[1] != outputs:
        raise saved.wrong("_baseline_prediction", say("does not hold {outputs} numbers", outputs=outputs))
    steps = saved.get("_predictors")
    if not isinstance(steps, list) or any(not isinstance(step, list) or len(step) != outputs for step in steps):
        raise saved.wrong("_predictors", say("does not hold {outputs} trees for each of its steps", outputs=outputs))
    model._predictors = [[_predictor(saved, tree, width) for tree in step] for step in steps]
    model._n_features, model.is_categorical_, model._preprocessor = width, None, None
    model._bin_mapper = _BinMapper()
    model._bin_mapper.is_categorical_ = np.zeros(width, dtype=np.uint8)
    model._bin_mapper.bin_thresholds_ = []
    model._loss = model._get_loss(sample_weight=None)


def _predictor(saved: Saved, node: Any, width: int) -> TreePredictor:
    if not isinstance(node, Node) or node.type != _PREDICTOR:
        raise saved.refused(say("The {kind} in the file is not made of trees of its own kind.", kind=saved.kind))
    given = records(saved, node.attributes.get("nodes"), _FIELDS)
    nodes = np.zeros(len(given), PREDICTOR_RECORD_DTYPE)
    inner = given["is_leaf"] == 0
    left, right, feature = (whole(saved, given, name) for name in ("left", "right", "feature_idx"))
    check_links(saved, left, right, inner)
    check_splits(saved, feature[inner], given["num_threshold"][inner], width)
    if "is_categorical" in (given.dtype.names or ()) and given["is_categorical"].any():
        raise saved.refused(say("A decision tree in the file splits on categories, in a packed form that is not read."))
    if not np.isfinite(given["value"]).all():
        raise saved.refused(say("A decision tree in the file answers with something that is not a finite number."))
    for name, values in (("left", left), ("right", right), ("feature_idx", feature)):
        nodes[name] = np.where(inner, values, 0)
    nodes["value"], nodes["num_threshold"], nodes["is_leaf"] = given["value"], given["num_threshold"], ~inner
    nodes["missing_go_to_left"] = given["missing_go_to_left"] != 0
    none = np.zeros((0, 8), dtype=np.uint32)
    return TreePredictor(nodes, none, none)


REBUILDERS = {
    **dict.fromkeys((GradientBoostingClassifier, GradientBoostingRegressor), _boosting),
    **dict.fromkeys((HistGradientBoostingClassifier, HistGradientBoostingRegressor), _histogram),
}
