"""The sources whose outcome is a number and that need no network."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2, kstest
from sklearn.datasets import load_diabetes

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.sources import SOURCES
from core.sources.public.diabetes import Diabetes
from core.sources.simulated.two_slopes import TwoSlopes

GROUPS = {"majority": ("x2", "x1"), "minority": ("x1", "x2")}
"""The column that matters in each group, and the other one."""


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return Diabetes(part="all").load(FileStore())


@pytest.fixture(scope="module")
def simulated() -> pd.DataFrame:
    return TwoSlopes(rows=100_000, seed=3).load(FileStore())


def test_the_diabetes_data_are_scikit_learns_in_their_own_units(people: pd.DataFrame) -> None:
    """442 people; the outcome runs from 25 to 346, as scikit-learn's description of the data says."""
    published = load_diabetes(scaled=False)
    assert people.shape == (442, 11)
    assert (people["progression"].min(), people["progression"].max()) == (25, 346)
    np.testing.assert_array_equal(people["progression"], published.target)
    for position, name in enumerate(people.columns[:-1]):
        expected = published.data[:, position]
        got = people["sex"].map({"sex 1": 1.0, "sex 2": 2.0}) if name == "sex" else people[name]
        np.testing.assert_array_equal(got, expected, err_msg=name)


def test_no_row_of_the_diabetes_data_is_for_training_and_for_testing(people: pd.DataFrame) -> None:
    parts = [Diabetes(part=part, split_seed=4).load(FileStore()) for part in ("train", "test")]
    assert [len(part) for part in parts] == [132, 310]
    together = pd.concat(parts).sort_values(list(people.columns), ignore_index=True)
    pd.testing.assert_frame_equal(together, people.sort_values(list(people.columns), ignore_index=True))
    assert not Diabetes(part="train", split_seed=5).load(FileStore()).equals(parts[0])


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_follows_a_column_of_its_own(simulated: pd.DataFrame, group: str) -> None:
    own = simulated[simulated["group"] == group]
    matters, other = (own[name] for name in GROUPS[group])
    assert kstest(matters / 3, "norm").pvalue > 1e-3
    assert kstest(other, "norm").pvalue > 1e-3
    assert kstest(own["y"] - 3 * matters, "norm").pvalue > 1e-3


def test_a_tenth_are_the_minority(simulated: pd.DataFrame) -> None:
    count = int((simulated["group"] == "minority").sum())
    assert binomtest(count, len(simulated), 0.1).pvalue > 1e-3


def test_least_squares_errs_as_in_the_paper(simulated: pd.DataFrame) -> None:
    """Section 1.1: root mean squared errors of 1.79 and 5.48 in one sample.

    Exactly: the coefficients tend to (1.5, 243/82), the squared errors to 1.5^2 + (9/82)^2 + 1 and 4.5^2 + (243/82)^2
    + 1. Both groups' squared errors are scaled chi-squares.
    """
    x = simulated[["x1", "x2"]].to_numpy()
    fitted = np.linalg.lstsq(x, simulated["y"].to_numpy(), rcond=None)[0]
    np.testing.assert_allclose(fitted, (1.5, 243 / 82), atol=0.05)
    errors = simulated["y"] - x @ np.array([1.5, 243 / 82])
    for group, expected in {"majority": 2.25 + (9 / 82) ** 2 + 1, "minority": 20.25 + (243 / 82) ** 2 + 1}.items():
        own = errors[simulated["group"] == group]
        assert 1e-3 < chi2.sf((own**2).sum() / expected, len(own)) < 1 - 1e-3
        assert np.sqrt(expected) == pytest.approx({"majority": 1.79, "minority": 5.48}[group], abs=0.03)


def test_the_seed_decides_the_simulated_people() -> None:
    first, again, other = (TwoSlopes(seed=seed).load(FileStore()) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    parts = [len(TwoSlopes(part=part).load(FileStore())) for part in ("train", "test")]
    assert parts == [8_000, 2_000]


@pytest.mark.parametrize("kind", ["diabetes", "two_slopes"])
def test_its_outcome_is_a_number(kind: str) -> None:
    source = SOURCES[kind]()
    frame = source.load(FileStore())
    dataset = Dataset.build(frame, source.roles(pd.DataFrame()))
    assert dataset.labels == ()
    np.testing.assert_array_equal(dataset.numbers, frame[dataset.roles.outcome])
    assert dataset.roles == source.roles(frame)
