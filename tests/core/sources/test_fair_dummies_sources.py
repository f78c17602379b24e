"""The tables of the fair-dummies paper are UCI's, read as its section 4 reads them."""

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter

from core.base.errors import SourceError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.sources import SOURCES, DataSource
from core.sources.public.communities import FEATURES, FEW, MANY, OUTCOME, PROTECTED, Communities
from core.sources.public.nursery import Nursery

FIVE = ("parents", "has_nurs", "form", "children", "housing")


@pytest.fixture(scope="module")
def communities(real_data: Path) -> pd.DataFrame:
    return Communities(part="all").load(FileStore())


@pytest.fixture(scope="module")
def nursery(real_data: Path) -> pd.DataFrame:
    return Nursery(part="all").load(FileStore())


@pytest.fixture(scope="module")
def records(real_data: Path) -> list[dict[str, str]]:
    """The communities by UCI's own names of the columns."""
    folder = real_data / "communities"
    lines = (folder / "communities.names").read_text().splitlines()
    names = [line.split()[1] for line in lines if line.startswith("@attribute")]
    with (folder / "communities.data").open(newline="") as file:
        return [dict(zip(names, row, strict=True)) for row in csv.reader(file)]


def test_the_features_are_the_complete_columns_under_their_own_names(
    communities: pd.DataFrame, records: list[dict[str, str]]
) -> None:
    """128 columns less 5 identifiers, 22 of the police survey, OtherPerCap, the share of Black residents, the outcome.

    The identifiers county and community have missing cells too.
    """
    incomplete = {name for record in records for name, cell in record.items() if cell == "?"}
    assert len(incomplete) == 25
    left_out = incomplete | {"state", "communityname", "fold", "racepctblack", "ViolentCrimesPerPop"}
    assert set(FEATURES) == set(records[0]) - left_out
    assert len(FEATURES) == 128 - 30
    for name in (*FEATURES, OUTCOME):
        assert communities[name].tolist() == [float(record[name]) for record in records]


def test_the_share_of_black_residents_is_cut_at_a_tenth(
    communities: pd.DataFrame, records: list[dict[str, str]]
) -> None:
    expected = [MANY if float(record["racepctblack"]) > 0.1 else FEW for record in records]
    assert communities[PROTECTED].tolist() == expected
    assert Counter(expected) == {FEW: 1_210, MANY: 784}


def test_crimes_are_a_number_to_estimate(communities: pd.DataFrame) -> None:
    dataset = Dataset.build(communities, Communities().roles(communities))
    assert (len(dataset), dataset.labels, dataset.rows_left_out) == (1_994, (), 0)
    assert dataset.numbers.mean() == pytest.approx(0.238, abs=5e-4)  # communities.names: mean 0.24
    assert PROTECTED not in dataset.roles.features
    assert Encoder.fit(communities, FEATURES).width == len(FEATURES)


def test_two_applications_of_the_fifth_class_are_left_out(real_data: Path, nursery: pd.DataFrame) -> None:
    with (real_data / "nursery" / "nursery_data.csv").open(newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    classes = Counter(row[-1] for row in rows)
    assert (len(rows), classes.pop("recommend")) == (12_960, 2)
    assert Counter(nursery["class"]) == classes
    kept = [row for row in rows if row[-1] != "recommend"]
    for place, name in enumerate((*FIVE, "finance", "social", "health", "class")):
        assert nursery[name].tolist() == [row[place] for row in kept]


def test_finance_is_protected_and_read_by_no_model(nursery: pd.DataFrame) -> None:
    dataset = Dataset.build(nursery, Nursery().roles(nursery))
    assert dataset.labels == ("not_recom", "priority", "spec_prior", "very_recom")
    assert dataset.groups("finance")[1] == ("convenient", "inconv")
    assert "finance" not in dataset.roles.features
    assert Encoder.fit(dataset.frame, dataset.roles.features).width == 3 + 5 + 4 + 4 + 3 + 3 + 3


@pytest.mark.parametrize(("source", "sizes"), [(Communities, (1_196, 798)), (Nursery, (7_774, 5_184))])
def test_three_fifths_are_for_training(
    real_data: Path, source: type[Communities | Nursery], sizes: tuple[int, int]
) -> None:
    """Section 4: 60% to train, 20% to fit the statistic, 20% to test; the audit parts the last two."""
    table = source(part="all").load(FileStore())
    train, test = (source(part=part, split_seed=3).load(FileStore()) for part in ("train", "test"))  # type: ignore[arg-type]
    assert (len(train), len(test)) == sizes
    order = np.random.RandomState(3).permutation(len(table))
    pd.testing.assert_frame_equal(train, table.iloc[order[: sizes[0]]].reset_index(drop=True))
    pd.testing.assert_frame_equal(test, table.iloc[order[sizes[0] :]].reset_index(drop=True))


@pytest.mark.parametrize("source", [Communities, Nursery])
def test_they_are_in_the_table_of_sources_and_in_plans(source: type[Communities | Nursery]) -> None:
    written = source(part="train", split_seed=5)
    assert SOURCES[written.kind] is source
    assert TypeAdapter(DataSource).validate_python(written.model_dump()) == written


@pytest.mark.parametrize("source", [Communities, Nursery])
def test_a_file_that_is_not_the_published_one_is_refused(
    source: type[Communities | Nursery], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = source().kind
    name = {"communities": "communities.data", "nursery": "nursery_data.csv"}[kind]
    (tmp_path / kind).mkdir()
    (tmp_path / kind / name).write_text("1,2,3\n")
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    with pytest.raises(SourceError, match="not the published file"):
        source().load(FileStore())
