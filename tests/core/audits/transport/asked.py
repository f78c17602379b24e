"""A model that reads protected attributes, and what asking it about the same people gives, by hand."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from core.audits.transport.decision import Loss
from core.audits.transport.losses import losses_of
from core.audits.transport.result import TransportDetail
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from tests.core.audits.transport.cases import Formula, dataset_of, run

READS = ("age", "job", "sex", "race")
LOSSES: tuple[Loss, ...] = ("0-1", "log", "squared")


class Biased(Formula):
    """Sex and race count, and sex counts less for the old: other people are best placed for it."""

    def predict_proba(self, data: EncodedDataset) -> np.ndarray:
        frame = data.encoder.inverse(data.x)
        chance = 0.25 + 0.004 * frame["age"].to_numpy() + 0.1 * (frame["job"] == "clerk").to_numpy()
        if "sex" in frame:
            chance = chance + 0.006 * (frame["sex"] == "Male").to_numpy() * (50 - frame["age"].to_numpy())
        if "race" in frame:
            chance = chance + 0.1 * (frame["race"] == "White").to_numpy() - 0.05 * (frame["race"] == "Asian").to_numpy()
        chance = np.clip(chance, 0.02, 0.98)
        return np.column_stack([1 - chance, chance])


def audited(frame: pd.DataFrame, reads: tuple[str, ...] = READS, **settings: Any) -> TransportDetail:
    dataset = dataset_of(frame, features=reads, predictions=())
    return run(dataset, Biased(dataset, reads), space="all groups", **settings)[0]


def rises(dataset: Dataset, model: Formula, loss: Loss, differ_in: tuple[str, ...]) -> np.ndarray:
    """Largest rise of each person's loss, asking for one combination of values after another; shape (n,)."""

    def losses(frame: pd.DataFrame) -> np.ndarray:
        data = EncodedDataset(
            dataset,
            model.encoder,
            model.encoder.transform(frame),
            dataset.label_codes(dataset.labels),
            dataset.labels,
        )
        return losses_of(model.predict_proba(data), data.y).values[loss]

    values = [sorted(dataset.frame[name].unique()) for name in differ_in]
    every = [losses(dataset.frame.assign(**dict(zip(differ_in, one, strict=True)))) for one in product(*values)]
    worst: np.ndarray = np.max(every, axis=0) - losses(dataset.frame)
    return worst
