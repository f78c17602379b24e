"""The corners of a table that a column test looks into beside the groups, a family that is fixed before the test."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from core.base.grouping import Grouping
from core.base.thresholds import SMALL_GROUP
from core.contracts.model import AbstractModel
from core.data.bins import is_continuous, quantile_bins
from core.data.cells import as_text
from core.data.encoded import EncodedDataset
from core.language.told import say

RANGES = 10
"""Ranges of about equal size into which a feature that is a number is cut."""
MOST_FEATURES = 20
MOST_PARTS = 20
"""Values of a feature, or combinations of groups, that are looked at: the most frequent ones."""
PREDICTED = say("predicted outcome")


def corners_of(model: AbstractModel, data: EncodedDataset) -> tuple[Grouping, ...]:
    """Predicted outcome, outcome, pairs of protected attributes, and the first 20 features that the model reads.

    A feature of more than 20 different numbers is cut into ten ranges; of others, the 20 most frequent values with at
    least 10 rows are looked at.
    """
    return tuple(one for one in _cuts(model, data) if len(one.groups) > 1)


def _cuts(model: AbstractModel, data: EncodedDataset) -> Iterator[Grouping]:
    frame, roles = data.dataset.frame, data.dataset.roles
    predicted = model.predict_proba(data).argmax(axis=1)
    yield _cut(PREDICTED, pd.Series(np.array(model.classes, dtype=object)[predicted]))
    if roles.outcome:
        yield _cut(roles.outcome, frame[roles.outcome])
    groups = {name: as_text(frame[name]) for name in roles.protected if not is_continuous(frame[name])}
    for one, other in combinations(groups, 2):
        yield _cut(say("{one} and {other}", one=one, other=other), groups[one] + " and " + groups[other])
    features = [name for name in model.reads if name not in roles.protected]
    for name in features[:MOST_FEATURES]:
        yield _cut(name, frame[name])


def _cut(name: str, values: pd.Series) -> Grouping:
    if is_continuous(values):
        codes, parts = quantile_bins(values, RANGES)
        return Grouping(name, parts, codes.astype(np.int16))
    written = as_text(values)
    rows = written.value_counts()
    frequent = sorted(map(str, rows.index[rows >= SMALL_GROUP][:MOST_PARTS]))
    return Grouping(name, tuple(frequent), pd.Index(frequent).get_indexer(pd.Index(written)).astype(np.int16))
