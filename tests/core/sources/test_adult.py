"""Our Adult is the paper's Adult: the published sums, splits and rows."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder, NumericColumn
from core.sources.public.adult import CONTINUOUS, Adult


@pytest.fixture(scope="module")
def table(real_data: Path) -> pd.DataFrame:
    return Adult(part="all").load(FileStore())


@pytest.fixture(scope="module")
def published(real_data: Path) -> dict[str, Any]:
    """adult_preprocess.json, from the authors' repository."""
    return dict(json.loads((real_data / "reference" / "adult_preprocess.json").read_text()))


def unscaled(frame: pd.DataFrame) -> np.ndarray:
    """The 39 encoded columns with the five numbers in original units."""
    fitted = Encoder.fit(frame, Adult().roles(frame).features)
    columns = tuple(
        NumericColumn(name=column.name) if column.name in CONTINUOUS else column for column in fitted.columns
    )
    return Encoder(columns=columns).transform(frame)


def test_column_sums_and_sums_of_squares_are_the_published_ones(table: pd.DataFrame, published: dict[str, Any]) -> None:
    male, white = (table["sex"] == "Male").to_numpy(), (table["race"] == "White").to_numpy()
    x = np.column_stack([unscaled(table), male, white])
    assert list(x.shape) == published["shape"]
    assert x.sum(axis=0).tolist() == published["col_sums"]
    assert (x**2).sum(axis=0).tolist() == published["col_sumsq"]
    assert (table["income"] == ">50K").sum() == published["y_sum"]


def test_the_encoded_columns_are_the_published_ones_in_order(table: pd.DataFrame, published: dict[str, Any]) -> None:
    names = Encoder.fit(table, Adult().roles(table).features).names
    theirs = [name.replace("marital-stataus", "marital-status").replace("_ ", " = ") for name in published["names"]]
    assert [*names, "sex = Male", "race = White"] == theirs


@pytest.mark.parametrize("seed", [51668, 98539])
def test_the_split_is_the_published_one(table: pd.DataFrame, published: dict[str, Any], seed: int) -> None:
    train = Adult(part="train", split_seed=seed).load(FileStore())
    test = Adult(part="test", split_seed=seed).load(FileStore())
    assert (len(train), len(test)) == (36_177, 9_045)
    first = published["first5_test_index"][str(seed)]
    pd.testing.assert_frame_equal(test.head(5), table.iloc[first].reset_index(drop=True))
    rejoined = pd.concat([train, test]).value_counts().sort_index()
    pd.testing.assert_series_equal(rejoined, table.value_counts().sort_index())


def test_the_scaled_test_rows_are_the_published_ones(real_data: Path) -> None:
    published = np.load(real_data / "reference" / "adult_51668.npz")
    train, test = (Adult(part=part, split_seed=51668).load(FileStore()) for part in ("train", "test"))  # type: ignore[arg-type]
    first = test.head(1_000)
    x = Encoder.fit(train, Adult().roles(train).features).transform(first)
    np.testing.assert_allclose(x, published["x"], rtol=0, atol=1e-9)
    assert ((first["income"] == ">50K") == published["y"]).all()
    assert ((first["sex"] == "Male") == published["gender"]).all()
    assert ((first["race"] == "White") == published["race"]).all()


def test_sex_and_race_are_protected_and_not_read(table: pd.DataFrame) -> None:
    roles = Adult().roles(table)
    dataset = Dataset.build(table, roles)
    assert not set(roles.protected) & set(roles.features)
    assert (len(dataset), dataset.rows_left_out) == (45_222, 0)
    assert dataset.labels == ("<=50K", ">50K")
    assert dataset.groups("race")[1] == ("Non-white", "White")
