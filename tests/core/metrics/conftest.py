"""Tables with known structure, encoded."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn

Encode = Callable[..., EncodedDataset]


@pytest.fixture(scope="session")
def encode() -> Encode:
    """Encode a frame: features as named, protected as named, an outcome that alternates; numbers stay as they are."""

    def build(frame: pd.DataFrame, features: tuple[str, ...], protected: tuple[str, ...]) -> EncodedDataset:
        table = frame.assign(outcome=np.arange(len(frame)) % 2)
        roles = Roles(outcome="outcome", favourable="1", protected=protected, features=features)
        dataset = Dataset.build(table, roles)
        columns = tuple(
            NumericColumn(name=name)
            if pd.api.types.is_numeric_dtype(frame[name])
            else CategoricalColumn(name=name, categories=tuple(sorted(frame[name].unique())))
            for name in features
        )
        encoder = Encoder(columns=columns)
        return EncodedDataset(
            dataset, encoder, encoder.transform(dataset.frame), dataset.label_codes(("0", "1")), ("0", "1")
        )

    return build


@pytest.fixture(scope="session")
def linear(encode: Encode) -> Callable[..., tuple[EncodedDataset, np.ndarray]]:
    """A population whose group follows a logistic model along a known direction; gives the data and the direction."""

    def build(n: int, seed: int) -> tuple[EncodedDataset, np.ndarray]:
        rng = np.random.default_rng(seed)
        direction = np.array([2.0, -1.0, 0.5, 0.0])
        x = rng.standard_normal((n, 4))
        group = rng.random(n) < 1 / (1 + np.exp(-x @ direction - 0.3))
        frame = pd.DataFrame(x, columns=list("abcd")).assign(sex=np.where(group, "m", "f"))
        return encode(frame, tuple("abcd"), ("sex",)), direction / np.linalg.norm(direction)

    return build


@pytest.fixture(scope="session")
def mixed(encode: Encode) -> EncodedDataset:
    """300 people: two numbers, a job of three categories, one constant, a protected column among the features."""
    rng = np.random.default_rng(5)
    n = 300
    race = rng.choice(["a", "b", "c"], size=n, p=[0.5, 0.3, 0.2])
    sex = np.where(rng.random(n) < 0.5, 0, 1)
    frame = pd.DataFrame(
        {
            "age": rng.standard_normal(n) + (race == "b"),
            "hours": 5 * rng.standard_normal(n) + 3 * sex,
            "job": np.where(
                rng.random(n) < 0.5, rng.choice(["clerk", "cook"], size=n), np.where(race == "c", "cook", "nurse")
            ),
            "nothing": np.ones(n),
            "sex": sex,
            "race": race,
        }
    )
    return encode(frame, ("age", "hours", "job", "nothing", "sex"), ("sex", "race"))
