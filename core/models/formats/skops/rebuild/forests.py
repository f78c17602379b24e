"""Decision trees and forests."""

from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor
from sklearn.tree._tree import NODE_DTYPE, Tree

from core.language.told import say
from core.models.formats.skops.document import Node
from core.models.formats.skops.rebuild.arrays import check_links, check_splits, records, whole
from core.models.formats.skops.saved import Saved

_FIELDS = frozenset({"left_child", "right_child", "feature", "threshold"})
_LEAF = -1
_ROUNDING = 1e-6


def plant(model: Any, saved: Saved, width: int, classes: np.ndarray | None) -> None:
    """Give a single tree that reads ``width`` columns its checked nodes; regression trees have no ``classes``.

    Raises:
        ModelError: The nodes make up no tree, or a leaf's answer is none.
    """
    model.n_features_in_, model.n_outputs_ = width, 1
    if classes is not None:
        model.classes_, model.n_classes_ = classes, len(classes)
    node = saved.get("tree_")
    tree = Saved(node if isinstance(node, Node) else Node("Tree"), saved.where, saved.part)
    answers = 1 if classes is None else len(classes)
    given = records(tree, tree.get("nodes"), _FIELDS)
    values = np.ascontiguousarray(tree.array("values", (len(given), 1, answers)), dtype=np.float64)
    if classes is not None and ((values < 0).any() or np.abs(values.sum(axis=2) - 1).max() > _ROUNDING):
        raise tree.wrong(
            "values", say("does not hold shares of classes; trees from before scikit-learn 1.3 hold counts")
        )
    nodes = np.zeros(len(given), NODE_DTYPE)
    left, right = whole(tree, given, "left_child"), whole(tree, given, "right_child")
    inner = left != _LEAF
    if (right[~inner] != _LEAF).any():
        raise tree.refused(say("A decision tree in the file points outside itself, or in a circle."))
    depth = check_links(tree, left, right, inner)
    feature, threshold = whole(tree, given, "feature"), given["threshold"]
    check_splits(tree, feature[inner], threshold[inner], width)
    nodes["left_child"], nodes["right_child"] = left, right
    nodes["feature"], nodes["threshold"] = np.where(inner, feature, -2), np.where(inner, threshold, -2.0)
    if "missing_go_to_left" in (given.dtype.names or ()):
        nodes["missing_go_to_left"] = given["missing_go_to_left"] == 1
    model.tree_ = Tree(width, np.array([answers], dtype=np.intp), 1)
    model.tree_.__setstate__(
        {
            "max_depth": depth,
            "node_count": len(nodes),
            "nodes": nodes,
            "values": values,
        }
    )


def tree_within(saved: Saved, node: Any, kind: type, width: int, classes: np.ndarray | None) -> Any:
    """One of the trees that an ensemble is made of."""
    if not isinstance(node, Node) or node.type != f"{kind.__module__}.{kind.__qualname__}":
        raise saved.refused(say("The {kind} in the file is not made of trees of its own kind.", kind=saved.kind))
    model = kind()
    plant(model, Saved(node, saved.where, saved.part), width, classes)
    return model


def _tree(model: Any, saved: Saved) -> None:
    plant(model, saved, saved.read_width(model), saved.classes() if hasattr(model, "predict_proba") else None)


def _forest(model: Any, saved: Saved) -> None:
    width, classes = saved.read_width(model), None
    model.n_outputs_ = 1
    if hasattr(model, "predict_proba"):
        model.classes_ = saved.classes()
        model.n_classes_ = len(model.classes_)
        classes = np.arange(model.n_classes_, dtype=np.float64)
    trees = saved.get("estimators_")
    if not isinstance(trees, list) or not trees:
        raise saved.wrong("estimators_", say("is not a list of trees"))
    kind = type(model.estimator)
    model.estimator_ = model.estimator
    model.estimators_ = [tree_within(saved, tree, kind, width, classes) for tree in trees]


REBUILDERS = {
    **dict.fromkeys(
        (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor),
        _tree,
    ),
    **dict.fromkeys(
        (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor),
        _forest,
    ),
}
