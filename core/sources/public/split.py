"""The papers' way to part a table into rows for training and rows for testing."""

from typing import Literal

import numpy as np
import pandas as pd

from core.base.settings import setting
from core.language.told import say, say_as

Part = Literal["all", "train", "test"]
PARTS = {
    "all": say_as("rows", "all"),
    "train": say_as("rows", "train"),
    "test": say_as("rows", "test"),
}
"""What people read for each."""

_TRAIN_SHARE = 0.8

SPLIT_SEED: int = setting(
    0, label=say("Split seed"), help=say("Which rows are for training and which for testing."), ge=0, le=2**32 - 1
)


def part_of_rows(frame: pd.DataFrame, part: Part, seed: int, share: float = _TRAIN_SHARE) -> pd.DataFrame:
    """The first ``share`` (rounded down) of a seeded permutation of the rows, the rest, or every row in file order.

    The permutation is NumPy's legacy one, so that the published splits are met exactly.
    """
    if part == "all":
        return frame
    order = np.random.RandomState(seed).permutation(len(frame))
    trained = int(share * len(frame))
    return frame.iloc[order[:trained] if part == "train" else order[trained:]].reset_index(drop=True)
