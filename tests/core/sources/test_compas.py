"""Our COMPAS table is ProPublica's after its filters, read as App. G reads it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.dataset import Dataset
from core.encoder import Encoder
from core.files import FileStore
from core.health import examine
from core.sources.compas import Compas


@pytest.fixture(scope="module")
def table(real_data: Path) -> pd.DataFrame:
    return Compas(part="all").load(FileStore())


def test_the_filtered_table_has_the_rows_of_the_published_file(table: pd.DataFrame) -> None:
    """Counted with the csv module over the published file, rows with -30 <= days_b_screening_arrest <= 30."""
    assert len(table) == 6_172
    assert table["two_year_recid"].sum() == 2_809
    assert (table["race"] == "Caucasian").sum() == 2_103
    assert (table["sex"] == "Female").sum() == 1_175
    assert (table["c_charge_degree"] == "F").sum() == 3_970
    assert table["age_cat"].value_counts().to_dict() == {
        "25 - 45": 3_532,
        "Less than 25": 1_347,
        "Greater than 45": 1_293,
    }


def test_the_filters_are_those_stated(real_data: Path, table: pd.DataFrame) -> None:
    raw = pd.read_csv(real_data / "compas" / "compas-scores-two-years.csv")
    assert len(raw) == 7_214
    near = raw["days_b_screening_arrest"].abs() <= 30
    assert near.sum() == len(table)
    others = (raw["is_recid"] == -1) | (raw["c_charge_degree"] == "O") | raw["score_text"].isna()
    assert not (near & others).any()
    assert (raw.loc[near, "priors_count"].to_numpy() == table["priors_count"].to_numpy()).all()


def test_not_being_charged_again_is_favourable(table: pd.DataFrame) -> None:
    dataset = Dataset.build(table, Compas().roles(table))
    assert dataset.labels == ("1", "0")
    assert len(dataset) == 6_172


def test_sex_and_race_are_read_and_protected_and_the_health_panel_says_so(table: pd.DataFrame) -> None:
    roles = Compas().roles(table)
    assert set(roles.protected) < set(roles.features)
    warned = [finding.what for finding in examine(table, roles).findings if finding.level == "warning"]
    assert len([what for what in warned if "protected attribute" in what]) == 2


def test_the_encoded_columns_are_those_of_appendix_g(real_data: Path, table: pd.DataFrame) -> None:
    """App. G: sex, race, standardised priors_count, three of age_cat, c_charge_degree, computed here from the file."""
    encoder = Encoder.fit(table, Compas().roles(table).features)
    x = encoder.transform(table)
    raw = pd.read_csv(real_data / "compas" / "compas-scores-two-years.csv")
    raw = raw[raw["days_b_screening_arrest"].abs() <= 30]
    priors = raw["priors_count"]
    expected = pd.DataFrame(
        {
            "sex = Male": raw["sex"] == "Male",
            "race = Not-Caucasian": raw["race"] != "Caucasian",
            "priors_count": (priors - priors.mean()) / priors.std(ddof=0),
            "age_cat = 25 - 45": raw["age_cat"] == "25 - 45",
            "age_cat = Greater than 45": raw["age_cat"] == "Greater than 45",
            "age_cat = Less than 25": raw["age_cat"] == "Less than 25",
            "c_charge_degree = M": raw["c_charge_degree"] != "F",
        }
    ).astype(float)
    assert encoder.names == tuple(expected)
    np.testing.assert_allclose(x, expected.to_numpy(), rtol=0, atol=1e-12)
    sums = np.delete(x, 2, axis=1).sum(axis=0)
    assert sums.tolist() == [6_172 - 1_175, 6_172 - 2_103, 3_532, 1_293, 1_347, 6_172 - 3_970]


def test_the_split_parts_the_rows(table: pd.DataFrame) -> None:
    train, test = (Compas(part=part, split_seed=4).load(FileStore()) for part in ("train", "test"))  # type: ignore[arg-type]
    assert (len(train), len(test)) == (4_937, 1_235)
    order = np.random.RandomState(4).permutation(6_172)
    pd.testing.assert_frame_equal(test, table.iloc[order[4_937:]].reset_index(drop=True))
    pd.testing.assert_frame_equal(train, table.iloc[order[:4_937]].reset_index(drop=True))
