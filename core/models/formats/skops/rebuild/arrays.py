"""Decision trees as arrays of nodes.

Compiled code follows child and feature numbers without looking, so they must make up a tree: every node but the first
has one parent, which stands before it, and only columns that exist are compared.
"""

from typing import Any

import numpy as np

from core.language.told import say
from core.models.formats.skops.saved import Saved


def check_links(saved: Saved, left: np.ndarray, right: np.ndarray, inner: np.ndarray) -> int:
    """Check that nodes make up one tree.

    Args:
        saved: What the tree belongs to, for sentences.
        left: Numbers of the left children, int64, shape (nodes,).
        right: Numbers of the right ones.
        inner: Which nodes have children.

    Returns:
        How many steps the longest way from the first node takes.

    Raises:
        ModelError: A child comes before its parent, is missing, or has two.
    """
    parents = np.flatnonzero(inner)
    children = np.concatenate([left[parents], right[parents]])
    if (children <= np.tile(parents, 2)).any() or not np.array_equal(np.sort(children), np.arange(1, len(left))):
        raise saved.refused(say("A decision tree in the file points outside itself, or in a circle."))
    depth, level = 0, parents[:1]
    while len(level):
        depth += 1
        below = np.concatenate([left[level], right[level]])
        level = below[inner[below]]
    return depth


def check_splits(saved: Saved, feature: np.ndarray, threshold: np.ndarray, width: int) -> None:
    """Check what inner nodes compare: a column below ``width`` with a number, which may be infinite.

    Raises:
        ModelError: There is no such column, or the threshold is no number.
    """
    if (feature < 0).any() or (feature >= width).any():
        raise saved.refused(say("A decision tree in the file reads a column that does not exist."))
    if np.isnan(threshold).any():
        raise saved.refused(say("A decision tree in the file compares with something that is not a number."))


def records(saved: Saved, value: Any, fields: frozenset[str]) -> np.ndarray:
    """The nodes of a tree as records with at least ``fields``, shape (nodes,), at least one.

    Raises:
        ModelError: It is no such array.
    """
    known = isinstance(value, np.ndarray) and value.ndim == 1 and len(value) and value.dtype.names is not None
    if (
        not known
        or not fields <= set(value.dtype.names)
        or any(value.dtype[name].kind not in "biuf" for name in fields)
    ):
        raise saved.refused(say("A decision tree in the file is not stored as this scikit-learn stores one."))
    nodes: np.ndarray = value
    return nodes


def whole(saved: Saved, nodes: np.ndarray, name: str) -> np.ndarray:
    """A field of whole numbers, int64."""
    if nodes.dtype[name].kind not in "biu":
        raise saved.refused(say("A decision tree in the file counts in something else than whole numbers."))
    return np.asarray(nodes[name].astype(np.int64))
