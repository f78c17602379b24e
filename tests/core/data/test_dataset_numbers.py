"""Outcomes that are numbers: what is refused, what is counted; and people whose group is not known."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.base.errors import DataError
from core.data.dataset import Dataset, Missing, Roles
from core.data.missing import MISSING_GROUP, Counts
from core.data.table_caveats import caveats_of

ROWS = 60
ROLES = Roles(outcome="cost", outcome_type="number", protected=("sex",), features=("age",))


def people(**changes: object) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    table: dict[str, object] = {
        "age": rng.integers(20, 60, ROWS),
        "sex": rng.choice(["F", "M"], ROWS),
        "cost": rng.exponential(100, ROWS),
    }
    return pd.DataFrame(table | changes)


def replaced(name: str, *cells: tuple[int, object]) -> pd.DataFrame:
    frame = people().astype({name: object})
    for row, value in cells:
        frame.loc[row, name] = value
    return frame


def refusal(frame: pd.DataFrame, roles: Roles = ROLES) -> DataError:
    with pytest.raises(DataError) as caught:
        Dataset.build(frame, roles)
    assert caught.value.advice
    return caught.value


def test_the_numbers_are_those_of_the_table_and_there_are_no_classes() -> None:
    dataset = Dataset.build(people(), ROLES)
    assert (dataset.numbers == people()["cost"]).all()
    assert dataset.numbers.dtype == np.float64
    assert dataset.labels == ()
    assert set(dataset.label_codes(())) == {-1}
    assert (dataset.take(np.array([5, 2])).numbers == people()["cost"].to_numpy()[[5, 2]]).all()


def test_classes_have_no_numbers_even_where_they_are_written_as_numbers() -> None:
    frame = people(cost=np.tile([0, 1], ROWS // 2))
    assert np.isnan(Dataset.build(frame, Roles(outcome="cost", favourable="1", protected=("sex",))).numbers).all()


def test_whole_numbers_and_numbers_stored_as_text_are_numbers() -> None:
    whole = np.arange(ROWS)
    for values in (whole, whole.astype(float), [str(value) for value in whole]):
        assert (Dataset.build(people(cost=values), ROLES).numbers == whole).all()


def test_words_among_numbers_count_as_missing_and_are_counted() -> None:
    dataset = Dataset.build(replaced("cost", (4, "unknown"), (9, "n.a."), (11, None)), ROLES)
    assert dataset.cells_not_numbers == (("cost", 2),)
    assert (dataset.rows_left_out, len(dataset)) == (3, ROWS - 3)
    assert np.isfinite(dataset.numbers).all()
    assert any("2 cells of 'cost' as missing" in caveat.what for caveat in caveats_of(dataset))


def test_an_outcome_of_words_is_refused_and_told_from_an_empty_one() -> None:
    error = refusal(people(cost=["low", "high"] * (ROWS // 2)))
    assert (error.what, error.where) == ("No outcome is a number; 'low' is the first.", "column 'cost', row 1")
    assert "holds classes" in error.advice
    assert "entirely empty" in refusal(people(cost=None)).what


def test_an_infinite_outcome_is_refused_with_its_row() -> None:
    error = refusal(replaced("cost", (16, np.inf), (40, -np.inf)))
    assert error.what.startswith("2 values are infinite")
    assert error.where == "column 'cost', row 17"


def test_a_constant_outcome_is_refused() -> None:
    assert "same outcome, '7'" in refusal(people(cost=7)).what


def test_fewer_than_thirty_rows_are_refused() -> None:
    assert "Only 29" in refusal(people().head(29)).what
    assert len(Dataset.build(people().head(30), ROLES)) == 30


@pytest.mark.parametrize("missing", ["median and most frequent", "own category"])
def test_a_missing_number_is_never_filled(missing: Missing) -> None:
    dataset = Dataset.build(replaced("cost", (0, None)), ROLES.model_copy(update={"missing": missing}))
    assert dataset.rows_left_out == 1
    assert dataset.cells_imputed == ()


def test_classes_with_a_value_of_its_own_in_every_row_are_refused_with_the_way_out() -> None:
    error = refusal(people(), Roles(outcome="cost", favourable="1", protected=("sex",)))
    assert "Every row has an outcome of its own" in error.what
    assert "holds a number" in error.advice
    many = pd.DataFrame({"cost": np.arange(400) % 200, "sex": ["F", "M"] * 200})
    assert "holds a number" in refusal(many, Roles(outcome="cost", favourable="1", protected=("sex",))).advice


@pytest.mark.parametrize(
    "changes", [{"favourable": "1"}, {"outcome": ""}, {"categorical": ("cost",)}, {"text": "age", "features": ()}]
)
def test_roles_that_contradict_a_number_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=r"is a number|needs an outcome"):
        Roles(**{**dict(ROLES), **changes})


def test_roles_without_a_type_hold_classes_as_records_of_old_do() -> None:
    assert Roles(outcome="y", favourable="1", protected=("sex",)).outcome_type == "classes"


def unknown(dataset: Dataset) -> Counts:
    """Rows left out whose group is not known, by attribute."""
    return tuple(one for one in dataset.gaps if one[0] in dataset.roles.protected)


class TestUnknownGroups:
    def frame(self) -> pd.DataFrame:
        frame = people(race=np.tile(["a", "b", "c"], ROWS // 3)).astype({"sex": object, "race": object, "cost": object})
        frame.loc[[3, 4], "sex"] = None
        frame.loc[[4, 5, 6], "race"] = None
        frame.loc[7, "cost"] = None
        return frame

    def build(self, missing: Missing) -> Dataset:
        return Dataset.build(self.frame(), ROLES.model_copy(update={"protected": ("sex", "race"), "missing": missing}))

    @pytest.mark.parametrize("missing", ["leave out", "median and most frequent"])
    def test_rows_left_out_are_counted_by_attribute(self, missing: Missing) -> None:
        dataset = self.build(missing)
        assert unknown(dataset) == (("sex", 2), ("race", 3))
        assert dataset.rows_left_out == 5
        told = [caveat.what for caveat in caveats_of(dataset) if "no group counts them" in caveat.what]
        assert told[0].startswith("Left out 2 rows whose 'sex' is missing")
        assert len(told) == 2

    def test_as_a_category_of_their_own_they_are_a_group_and_nobody_is_lost(self) -> None:
        dataset = self.build("own category")
        assert unknown(dataset) == ()
        assert dataset.rows_left_out == 1
        codes, names = dataset.groups("race")
        assert names == (MISSING_GROUP, "a", "b", "c")
        assert (codes == 0).sum() == 3

    def test_a_number_that_is_tested_as_such_gets_no_group_of_words(self) -> None:
        share = np.linspace(0, 1, ROWS)
        share[[2, 3]] = np.nan
        roles = ROLES.model_copy(update={"protected": ("share",), "missing": "own category"})
        dataset = Dataset.build(people(share=share), roles)
        assert dataset.frame["share"].dtype == np.float64
        assert unknown(dataset) == (("share", 2),)

    def test_rows_taken_keep_the_count(self) -> None:
        assert unknown(self.build("leave out").take(np.arange(40))) == (("sex", 2), ("race", 3))
