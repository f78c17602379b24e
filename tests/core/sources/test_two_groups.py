"""The simulated population has the moments and the unfair rule of App. E.1."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, kstest

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.sources.simulated.two_groups import TwoGroups

SIGN = {"majority": -1.0, "minority": 1.0}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return TwoGroups(rows=100_000, seed=8).load(FileStore())


def test_the_minority_is_a_tenth(table: pd.DataFrame) -> None:
    count = int((table["group"] == "minority").sum())
    assert binomtest(count, len(table), 0.1).pvalue > 1e-3


@pytest.mark.parametrize("group", SIGN)
def test_coordinates_are_normal_around_the_groups_centre(table: pd.DataFrame, group: str) -> None:
    x = table.loc[table["group"] == group, ["x1", "x2"]].to_numpy()
    assert kstest((x[:, 0] - 1.5 * SIGN[group]) / 0.25, "norm").pvalue > 1e-3
    assert kstest(x[:, 1] / 0.25, "norm").pvalue > 1e-3


@pytest.mark.parametrize("group", SIGN)
def test_half_of_each_group_has_the_favourable_outcome(table: pd.DataFrame, group: str) -> None:
    y = table.loc[table["group"] == group, "y"]
    assert binomtest(int(y.sum()), len(y), 0.5).pvalue > 1e-3


@pytest.mark.parametrize("group", SIGN)
def test_the_outcome_follows_the_groups_rule_up_to_its_noise(table: pd.DataFrame, group: str) -> None:
    own = table[table["group"] == group]
    score = SIGN[group] * 0.2 * (own["x1"] - SIGN[group] * 1.5) - 0.01 * own["x2"]
    clear = score.abs() > 0.05
    assert ((score > 0) == (own["y"] == 1))[clear].all()
    near = score.abs() < 0.005
    assert 0.5 < ((score > 0) == (own["y"] == 1))[near].mean() < 0.75


def test_the_authors_sample_follows_the_centred_rule_and_not_the_printed_one(real_data: Path) -> None:
    published = np.load(real_data / "reference" / "simulation.npz")
    x, y, majority = published["x"], published["y"].astype(bool), published["group"]
    sign = np.where(majority, -1.0, 1.0)
    assert (np.abs(x[:, 0] - 1.5 * sign) < 1.25).all()
    printed = sign * 0.2 * x[:, 0] - 0.01 * x[:, 1]
    centred = sign * 0.2 * (x[:, 0] - 1.5 * sign) - 0.01 * x[:, 1]
    assert (printed > 0.05).all()
    assert 0.4 < y.mean() < 0.6
    assert ((centred > 0) == y)[np.abs(centred) > 0.03].all()


def test_the_seed_decides_the_people() -> None:
    first, again, other = (TwoGroups(seed=seed).load(FileStore()) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    assert len(first) == 400


def test_its_roles_fit_its_table() -> None:
    source = TwoGroups()
    frame = source.load(FileStore())
    assert Dataset.build(frame, source.roles(frame)).labels == ("0", "1")
