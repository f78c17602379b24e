"""Our COMPAS table is ProPublica's after its filters, read as App. G reads it, or as the FaiTH paper does."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.data.quality.health import examine
from core.sources.public.compas import FAITH_FEATURES, PRIORS, Compas


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


@pytest.fixture(scope="module")
def faith(real_data: Path) -> pd.DataFrame:
    return Compas(part="all", preparation="FaiTH paper").load(FileStore())


def test_the_faith_table_is_that_of_the_aif360_toolkit(real_data: Path, faith: pd.DataFrame) -> None:
    """AIF360's ``load_preproc_data_compas`` keeps 5,278 rows; counted here from the file, in its own words."""
    raw = pd.read_csv(real_data / "compas" / "compas-scores-two-years.csv")
    kept = raw[raw["days_b_screening_arrest"].abs() <= 30]
    kept = kept[~kept["race"].isin(["Native American", "Hispanic", "Asian", "Other"])]
    assert len(faith) == len(kept) == 5_278
    priors = ["none" if x <= 0 else "1 to 3" if x <= 3 else "more than 3" for x in kept["priors_count"]]
    assert faith["priors"].tolist() == priors
    for name in ("sex", "race", "age_cat", "c_charge_degree", "two_year_recid"):
        assert faith[name].tolist() == kept[name].tolist()


def test_the_faith_table_has_144_kinds_of_people(faith: pd.DataFrame) -> None:
    """Sec. 5: 2 sexes, 2 races, 3 ages, 3 classes of prior charges, 2 degrees, 2 outcomes; all but two occur."""
    assert len(faith.groupby([*FAITH_FEATURES, "two_year_recid"])) == 142
    kinds = [faith[name].nunique() for name in (*FAITH_FEATURES, "two_year_recid")]
    assert kinds == [2, 2, 3, 3, 2, 2]
    assert set(faith["priors"]) == set(PRIORS)


def test_the_faith_table_is_split_70_to_30(faith: pd.DataFrame) -> None:
    train, test = (
        Compas(part=part, split_seed=4, preparation="FaiTH paper").load(FileStore())  # type: ignore[arg-type]
        for part in ("train", "test")
    )
    assert (len(train), len(test)) == (3_694, 1_584)
    order = np.random.RandomState(4).permutation(5_278)
    pd.testing.assert_frame_equal(test, faith.iloc[order[3_694:]].reset_index(drop=True))


def test_the_faith_table_has_its_roles_and_classes_stay_text(faith: pd.DataFrame) -> None:
    roles = Compas(preparation="FaiTH paper").roles(faith)
    dataset = Dataset.build(faith, roles)
    assert (len(dataset), dataset.labels, dataset.rows_left_out) == (5_278, ("1", "0"), 0)
    assert Encoder.fit(dataset.frame, roles.features).width == 2 + 3 + 3 + 1


def test_records_from_before_the_faith_table_mean_what_they_meant() -> None:
    assert Compas.model_validate({"kind": "compas", "part": "test"}) == Compas(preparation="gradient-flow paper")
