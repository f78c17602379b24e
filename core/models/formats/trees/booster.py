"""Boosted trees whose parts were checked."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.errors import ModelError, Notice
from core.language.told import say

if TYPE_CHECKING:
    import treelite

MAXIMUM_BYTES = 200 * 2**20
MAXIMUM_NODES = 20_000_000
MOST_FEATURES = 100_000
MOST_OUTPUTS = 1_000
HIGHEST_CATEGORY = 2**20
"""Number of a category; treelite keeps a bit for each up to the highest."""

Gives = Literal["probabilities", "labels", "numbers"]


@dataclass(frozen=True)
class Booster:
    """A model of boosted trees.

    Attributes:
        model: The trees, as treelite holds them.
        library: Who wrote the file ("XGBoost").
        gives: What it answers with.
        outputs: Classes of a classifier, at least 2; 1 for a model that answers with a number.
        features: Names of its columns, in order; empty where the file names none.
        width: How many columns it reads.
        categories: For each categorical column its place and the values in the order of their numbers; no values
            where the file does not tell them.
        notices: What a reader has to know.
    """

    model: "treelite.Model"
    library: str
    gives: Gives
    outputs: int
    features: tuple[str, ...]
    width: int
    categories: dict[int, tuple[str, ...]]
    notices: tuple[Notice, ...] = ()


class BrokenTreesError(Exception):
    """Why the parts of a file are no trees, to be said after a colon."""


def refused(
    problem: str, name: str, advice: str = say("Save the model again with the library that trained it.")
) -> ModelError:
    """That a file of boosted trees cannot be read, and why."""
    return ModelError(say("The boosted trees cannot be read: {problem}.", problem=problem), where=name, advice=advice)


def check_tree(left: np.ndarray, right: np.ndarray) -> None:
    """Check that nodes form one tree from node 0 on; -1 marks a leaf, and nodes nobody leads to are left alone.

    Args:
        left: Place of each node's left child, shape (nodes,), int.
        right: Of its right child.

    Raises:
        BrokenTreesError: A child lies outside the nodes, or a node is reached twice.
    """
    nodes = len(left)
    inner = left >= 0
    if (inner != (right >= 0)).any() or max(left.max(initial=-1), right.max(initial=-1)) >= nodes:
        raise BrokenTreesError(say("a branch leads to a node that does not exist"))
    seen = np.zeros(nodes, dtype=bool)
    level = np.zeros(1, dtype=np.int64)
    while len(level):
        if seen[level].any() or len(np.unique(level)) < len(level):
            raise BrokenTreesError(say("two branches lead to the same node"))
        seen[level] = True
        branching = level[inner[level]]
        level = np.concatenate([left[branching], right[branching]])
