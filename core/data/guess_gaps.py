"""Which columns a test had better not read: each empty cell of a feature leaves its row out."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.data.cells import find_non_numeric, is_number_column
from core.language.phrases import percent, quoted
from core.language.told import say

MOST_LEFT_OUT = 0.2
"""Features may leave out so large a share of the rows together."""
_ENOUGH_ROWS = 20_000


def why_not_read(frame: pd.DataFrame, features: Sequence[str]) -> dict[str, str]:
    """Features that are better not used, each with the reason as what follows its name in a sentence.

    Those with the most empty cells are not used until the others leave out at most a fifth of the rows, nor are
    numbers with other cells among them, of which nobody has said how they are to be read.
    """
    some = frame.iloc[:: -(-len(frame) // _ENOUGH_ROWS) or 1]
    empty = {name: some[name].isna().to_numpy() for name in features}
    left_out, found = np.zeros(len(some), dtype=bool), {}
    for name in sorted(features, key=lambda name: int(empty[name].sum())):
        together = left_out | empty[name]
        if together.mean() <= MOST_LEFT_OUT:
            left_out = together
        else:
            found[name] = say(
                "is empty in {share} of the rows, which would go", share=percent(round(float(empty[name].mean()), 3))
            )
    for name in features:
        mixed = None if name in found or is_number_column(frame[name]) else find_non_numeric(frame[name])
        if mixed is not None and mixed.count:
            found[name] = say("holds numbers, and cells such as {cell} that are none", cell=quoted(mixed.value))
    return found
