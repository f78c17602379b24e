"""What a scan of subgroups keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SubgroupScan:
    """Subgroups of n people, each set of people once.

    Attributes:
        columns: The columns that were combined, length m.
        values: Names of each column's values or bins, length m.
        members: Value of each subgroup in each column, shape (s, m), int; -1 where the column is not used.
        rows: People in each subgroup, shape (s,), int.
        excess: Mean harm of the subgroup less that of everybody else, shape (s,).
        errors: Standard error of it, shape (s,).
        draws: Bootstrap draws of (excess* - excess) / error*, shape (B, s), float32.
        too_small: Combinations that occur with fewer people than can be judged; they are not among the s.
        scale: Mean harm of everybody, by which numbers are to be divided; 1 where the harm is a share.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    members: np.ndarray
    rows: np.ndarray
    excess: np.ndarray
    errors: np.ndarray
    draws: np.ndarray
    too_small: int
    scale: float
