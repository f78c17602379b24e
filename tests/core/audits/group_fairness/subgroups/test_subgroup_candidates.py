"""Which subgroups there are: against pandas, and by hand on small tables."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.audits.group_fairness.subgroups.candidates import (
    Candidates,
    Column,
    choose_columns,
    find_candidates,
    read_column,
)
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.errors import SettingsError


def column(name: str, codes: list[int] | np.ndarray) -> Column:
    """A column whose values are named by their numbers."""
    codes = np.asarray(codes, dtype=np.int64)
    return Column(name, tuple(map(str, range(int(codes.max()) + 1))), codes)


def people_of(found: Candidates, place: int) -> np.ndarray:
    """Whether each person belongs to a subgroup, shape (n,), bool."""
    return np.isin(found.cells, found.inside[place])


def table(**more: object) -> Dataset:
    """A hundred people; ``more`` are features."""
    half = ["no", "yes"] * 50
    frame = pd.DataFrame({"hired": half, "sex": ["f", "f", "m", "m"] * 25, **more})
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=("sex", *more)))


def test_all_combinations_that_pandas_finds_are_there_once() -> None:
    rng = np.random.default_rng(0)
    columns = tuple(column(name, rng.integers(0, k, 600)) for name, k in (("a", 2), ("b", 3), ("c", 7)))
    frame = pd.DataFrame({one.name: one.codes for one in columns})
    found = find_candidates(columns, 3)
    expected, small = {}, 0
    for width in (1, 2, 3):
        for used in combinations(range(3), width):
            for values, part in frame.groupby([columns[j].name for j in used]):
                member = [-1, -1, -1]
                for j, value in zip(used, values, strict=True):
                    member[j] = value
                small += len(part) < 30
                if len(part) >= 30:
                    expected[tuple(member)] = set(part.index)
    assert found.too_small == small > 0
    assert {tuple(member) for member in found.members.tolist()} == set(expected)
    for place, member in enumerate(found.members.tolist()):
        assert set(np.flatnonzero(people_of(found, place))) == expected[tuple(member)]
        assert found.rows[place] == len(expected[tuple(member)])
    assert (np.diff(found.rows) <= 0).all()


def test_the_simplest_description_of_the_same_people_wins() -> None:
    sex = np.repeat([0, 1], 50)
    found = find_candidates((column("sex", sex), column("again", 1 - sex)), 2)
    assert found.members.tolist() == [[0, -1], [1, -1]]
    assert (found.alike, found.too_small, found.beyond) == (4, 0, 0)


def test_subgroups_of_nearly_everybody_are_too_small_outside() -> None:
    found = find_candidates((column("a", [0] * 71 + [1] * 29),), 1)
    assert (len(found.rows), found.too_small) == (0, 2)
    found = find_candidates((column("a", [0] * 70 + [1] * 30),), 1)
    assert found.rows.tolist() == [70, 30]


def test_the_largest_are_kept_and_the_rest_is_counted() -> None:
    rng = np.random.default_rng(1)
    columns = tuple(column(str(j), rng.integers(0, 4, 3_000)) for j in range(4))
    everything = find_candidates(columns, 3)
    few = find_candidates(columns, 3, most=10)
    assert few.rows.tolist() == everything.rows[:10].tolist()
    assert few.beyond == len(everything.rows) - 10
    assert few.too_small == everything.too_small


def test_numbers_are_cut_into_thirds_with_readable_names() -> None:
    ages = np.arange(100) % 60 + 18
    read = read_column(table(age=ages), "age")
    assert read.values == ("18 to 34", "35 to 51", "52 to 77")
    assert np.bincount(read.codes).tolist() == [34, 34, 32]
    for code, (low, high) in enumerate(((18, 34), (35, 51), (52, 77))):
        assert (ages[read.codes == code].min(), ages[read.codes == code].max()) == (low, high)


@pytest.mark.parametrize(
    ("numbers", "values"),
    [
        (np.r_[np.zeros(80), np.arange(1_001, 1_021)], ("0", "1,001 to 1,020")),
        (np.r_[np.arange(20), np.full(80, 99)], ("0 to 19", "99")),
        (np.r_[np.arange(50) / 1000, 5 + np.arange(50) / 1000], ("0.000 to 0.033", "0.034 to 5.016", "5.017 to 5.049")),
        (np.arange(100) % 5, ("0", "1", "2", "3", "4")),
        (np.arange(100) % 2 / 2, ("0", "0.5")),
    ],
    ids=["mostly zero", "mostly the largest", "decimals", "five values", "halves"],
)
def test_bins_of_awkward_numbers(numbers: np.ndarray, values: tuple[str, ...]) -> None:
    read = read_column(table(x=numbers), "x")
    assert read.values == values
    assert len(np.unique(read.codes)) == len(values)


def test_codes_read_as_categories_are_not_cut() -> None:
    frame = pd.DataFrame({"hired": ["no", "yes"] * 50, "code": np.arange(100) % 10})
    roles = Roles(outcome="hired", favourable="yes", protected=("code",), categorical=("code",))
    assert read_column(Dataset.build(frame, roles), "code").values == tuple("0123456789")


def test_default_columns_and_unknown_ones() -> None:
    data = table(**{f"x{j}": np.arange(100) % 7 for j in range(14)})
    assert choose_columns(data, ()) == ("sex", *(f"x{j}" for j in range(7)))
    assert choose_columns(data, ("x9", "sex", "x9")) == ("x9", "sex")
    with pytest.raises(SettingsError, match="'salary' is neither a protected attribute nor a feature"):
        choose_columns(data, ("sex", "salary"))
    with pytest.raises(SettingsError, match="13 columns make too many"):
        choose_columns(data, tuple(f"x{j}" for j in range(13)))


@pytest.mark.parametrize("scale", [1e-300, 1e-18, 1e-16, 1e-5, 1e14, 1e18, 1e305], ids=str)
@pytest.mark.parametrize("shift", [0, 1, -1], ids=str)
def test_bins_of_numbers_of_any_size_have_names_of_their_own(scale: float, shift: int) -> None:
    numbers = scale * (np.arange(100) % 40 / 7) + shift
    names = read_column(table(x=numbers), "x").values
    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 60
