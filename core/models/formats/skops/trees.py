"""Estimators built from a file: what their decision trees point at, and how many threads they use."""

from typing import Any

import numpy as np


def _parts_of(estimator: Any) -> list[Any]:
    """The estimator and everything it is made of, as far as lists, tuples, dicts, arrays and attributes reach."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [estimator]
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, np.ndarray):
            waiting.extend(item.ravel().tolist() if item.dtype == object else [])
        elif type(item).__module__.startswith("sklearn."):
            found.append(item)
            waiting.extend(vars(item).values() if hasattr(item, "__dict__") else [])
    return found


def what_is_wrong_with_trees(estimator: Any) -> str:
    """Why a decision tree in the estimator is not safe to use, one sentence; empty where all are.

    Compiled tree code follows child and feature numbers without looking, so they must lie within the tree.
    """
    width = _tree_width(estimator)
    for item in _parts_of(estimator):
        kind = type(item).__name__
        if kind == "Tree":
            left, right, feature = item.children_left, item.children_right, item.feature
            inner = left != -1
        elif kind == "TreePredictor":
            nodes = item.nodes
            left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
            feature, inner = nodes["feature_idx"], nodes["is_leaf"] == 0
            if (nodes["is_categorical"] != 0).any():
                return "A tree splits on categories in a packed form that is not checked here."
        elif getattr(item, "_preprocessor", None) is not None:
            return "The trees read categories through a preparation of their own that is not checked."
        else:
            continue
        parents = np.flatnonzero(inner)
        if len(left) == 0 or any(
            (child[parents] <= parents).any() or (child[parents] >= len(left)).any() for child in (left, right)
        ):
            return "A decision tree in the file points outside itself."
        if (feature[parents] < 0).any() or (feature[parents] >= width).any():
            return "A decision tree in the file reads a column that does not exist."
    return ""


def _tree_width(estimator: Any) -> int:
    """Inputs of the estimator that answers, behind all preparation: the columns its trees may read."""
    last = estimator
    while hasattr(last, "steps") or hasattr(last, "regressor_"):
        last = last.steps[-1][1] if hasattr(last, "steps") else last.regressor_
    return int(getattr(last, "n_features_in_", 0))


def single_threaded(estimator: Any) -> None:
    """Let every part of the estimator use one thread, so that the same rows always give the same answers."""
    for item in _parts_of(estimator):
        if "n_jobs" in getattr(item, "__dict__", {}):
            item.n_jobs = 1
