"""Tables, models and short ways for the tests of the transport test."""

from typing import Any

import numpy as np
import pandas as pd

from core.audits.transport import engine
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import CellColumn, Transport
from core.base.errors import Caveat
from core.base.files import FileStore
from core.base.progress import OnProgress, ignore_progress
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.models import PredictionColumns

COLUMNS = (CellColumn(name="age", edges=(25, 45)), CellColumn(name="job"))


def people(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """A table with a column of decisions that is unfair to one sex, and one of probabilities."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 70, rows),
            "job": rng.choice(["clerk", "driver"], rows),
            "sex": rng.choice(["Female", "Male"], rows),
            "race": rng.choice(["Black", "White"], rows, p=[0.4, 0.6]),
            "good": rng.choice(["no", "yes"], rows),
        }
    )
    score = 0.45 + 0.2 * (frame["sex"] == "Male") + 0.3 * (frame["good"] == "yes") - 0.2 * (frame["age"] < 25)
    frame["chance"] = score.clip(0.05, 0.95).round(2)
    frame["says"] = np.where(rng.random(rows) < frame["chance"], "yes", "no")
    return frame


def dataset_of(frame: pd.DataFrame, **roles: Any) -> Dataset:
    settled = {
        "outcome": "good",
        "favourable": "yes",
        "protected": ("sex", "race"),
        "features": ("age", "job"),
        "predictions": tuple(name for name in ("says", "chance") if name in frame.columns),
    }
    return Dataset.build(frame, Roles(**{**settled, **roles}))


def decisions(dataset: Dataset) -> AbstractModel:
    return PredictionColumns(columns=("says",)).load(FileStore(), dataset)


def probabilities(dataset: Dataset) -> AbstractModel:
    return PredictionColumns(columns=("chance",), holds="probability").load(FileStore(), dataset)


class Formula(AbstractModel):
    """A model that can be asked: the chance of a good decision is a function of the table's columns."""

    kind = "formula"
    fingerprint = "0" * 64
    name = "formula"

    def __init__(self, dataset: Dataset, features: tuple[str, ...] = ("age", "job", "sex")) -> None:
        self.encoder = Encoder.fit(dataset.frame, features)
        self.classes = dataset.labels
        self.asked = 0

    def answers(self, data: EncodedDataset) -> np.ndarray:
        frame = data.encoder.inverse(data.x)
        chance = 0.3 + 0.004 * frame["age"].to_numpy() + 0.1 * (frame["job"] == "clerk").to_numpy()
        if "sex" in frame:
            chance = chance + 0.15 * (frame["sex"] == "Male").to_numpy()
        self.asked += len(data)
        return np.column_stack([1 - chance, chance])

    def module(self) -> Any:
        raise NotImplementedError


def run(
    dataset: Dataset,
    model: AbstractModel | None = None,
    *,
    seed: int = 0,
    metric: FittedMetric | None = None,
    on_progress: OnProgress = ignore_progress,
    **settings: Any,
) -> tuple[TransportDetail, tuple[Caveat, ...]]:
    audit = Transport(**{"columns": COLUMNS, "draws": 400, **settings})
    chosen = model or decisions(dataset)
    return engine.run(audit, Given(chosen, chosen.encode(dataset), np.random.default_rng(seed), metric, on_progress))


def identity(d: int) -> FittedMetric:
    """Every encoded column counts alike."""
    return FittedMetric("identity", tuple(f"x{i}" for i in range(d)), np.eye(d), np.empty((0, d)), np.empty(0))
