"""A table becomes a dataset: what is refused, how gaps are treated, and that everything is counted."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.base.errors import DataError
from core.data.cells import as_text
from core.data.dataset import Dataset, Missing, Roles
from core.data.missing import MISSING_GROUP
from core.data.table_caveats import caveats_of

ROWS = 60
ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "job"), predictions=("score",))


def people(**changes: object) -> pd.DataFrame:
    """Sixty people; ``changes`` replace columns."""
    rng = np.random.default_rng(3)
    table: dict[str, object] = {
        "age": rng.integers(20, 60, ROWS).astype(float),
        "job": rng.choice(["cook", "clerk", "pilot"], ROWS),
        "sex": rng.choice(["F", "M"], ROWS),
        "score": rng.random(ROWS),
        "hired": rng.choice(["no", "yes"], ROWS),
        "unused": ["x"] * ROWS,
    }
    return pd.DataFrame(table | changes)


def with_missing(*places: tuple[str, int]) -> pd.DataFrame:
    frame = people().astype({"job": object, "sex": object, "hired": object})
    for name, row in places:
        frame.loc[row, name] = None
    return frame


def refusal(frame: pd.DataFrame, roles: Roles = ROLES) -> DataError:
    with pytest.raises(DataError) as caught:
        Dataset.build(frame, roles)
    assert caught.value.advice
    return caught.value


class TestRoles:
    @pytest.mark.parametrize("role", ["features", "protected", "predictions"])
    def test_the_outcome_has_no_second_role(self, role: str) -> None:
        with pytest.raises(ValidationError, match="outcome 'hired' cannot also be"):
            Roles(**{"outcome": "hired", "favourable": "yes", "protected": ("sex",), role: ("hired",)})

    def test_a_column_is_named_once_a_role(self) -> None:
        with pytest.raises(ValidationError, match="named twice"):
            Roles(outcome="y", favourable="1", protected=("sex",), features=("age", "age"))

    def test_a_column_is_read_one_way(self) -> None:
        with pytest.raises(ValidationError, match="choose one"):
            Roles(outcome="y", favourable="1", protected=("sex",), numeric=("age",), categorical=("age",))

    def test_a_protected_attribute_may_be_a_feature(self) -> None:
        both = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("sex", "age"))
        assert both.columns == ("sex", "age", "hired")
        assert list(Dataset.build(people(), both).frame.columns) == ["sex", "age", "hired"]


class TestRefusals:
    def test_a_column_that_is_not_there(self) -> None:
        assert "'job'" in refusal(people().drop(columns="job")).what

    def test_two_columns_of_one_name(self) -> None:
        frame = people()
        assert refusal(pd.concat([frame, frame[["age"]]], axis=1)).where == "column 'age'"

    def test_fewer_than_thirty_rows(self) -> None:
        assert "Only 29" in refusal(people().head(29)).what
        assert len(Dataset.build(people().head(30), ROLES)) == 30

    def test_fewer_than_thirty_rows_after_leaving_out(self) -> None:
        error = refusal(with_missing(*(("age", row) for row in range(31))))
        assert "31 left out" in error.where

    def test_no_rows(self) -> None:
        assert "Only 0" in refusal(people().head(0)).what

    def test_one_outcome_only(self) -> None:
        assert "same outcome, 'yes'" in refusal(people(hired="yes")).what

    def test_an_outcome_that_is_a_quantity(self) -> None:
        rows = 300
        frame = pd.DataFrame({"wage": np.arange(rows) * 1.5, "sex": ["F", "M"] * (rows // 2)})
        assert "300 different" in refusal(frame, Roles(outcome="wage", favourable="0", protected=("sex",))).what

    def test_a_favourable_value_that_does_not_occur(self) -> None:
        error = refusal(people(), ROLES.model_copy(update={"favourable": "Yes"}))
        assert "'no', 'yes'" in error.advice

    def test_one_protected_group_only(self) -> None:
        assert refusal(people(sex="F")).where == "column 'sex'"

    @pytest.mark.parametrize("name", ["age", "score"])
    def test_an_infinite_value_with_its_row(self, name: str) -> None:
        frame = people()
        frame.loc[[16, 40], name] = [np.inf, -np.inf]
        error = refusal(frame)
        assert error.where == f"column {name!r}, row 17"
        assert error.what.startswith("2 values")

    @pytest.mark.parametrize("missing", ["leave out", "median and most frequent", "own category"])
    @pytest.mark.parametrize("name", ["age", "job", "sex", "hired", "score"])
    def test_a_column_that_is_entirely_empty(self, name: str, missing: Missing) -> None:
        roles = ROLES.model_copy(update={"missing": missing})
        assert refusal(people(**{name: None}), roles).where == f"column {name!r}"

    def test_an_empty_column_without_a_role_is_nobodys_business(self) -> None:
        assert Dataset.build(people(unused=None), ROLES).rows_left_out == 0

    def test_words_in_a_column_of_numbers_with_the_first_row(self) -> None:
        ages = people()["age"].map(str).tolist()
        ages[6], ages[9] = "about 40", "n.a."
        error = refusal(people(age=ages))
        assert error.what.startswith("2 of 60 cells are no numbers")
        assert "'about 40'" in error.what
        assert error.where == "column 'age', row 7"


class TestDecision:
    def slipped(self) -> pd.DataFrame:
        ages = people()["age"].map(str).tolist()
        ages[6] = "about 40"
        return people(age=ages)

    def test_slips_become_missing_when_the_column_is_read_as_numbers(self) -> None:
        dataset = Dataset.build(self.slipped(), ROLES.model_copy(update={"numeric": ("age",)}))
        assert dataset.cells_not_numbers == (("age", 1),)
        assert (dataset.rows_left_out, len(dataset)) == (1, ROWS - 1)
        assert dataset.frame["age"].dtype == np.float64
        assert any("1 cell of 'age'" in caveat.what for caveat in caveats_of(dataset))

    def test_slips_are_values_when_the_column_is_read_as_categories(self) -> None:
        dataset = Dataset.build(self.slipped(), ROLES.model_copy(update={"categorical": ("age",)}))
        assert dataset.frame["age"].iloc[6] == "about 40"
        assert dataset.rows_left_out == 0

    def test_numbers_can_be_codes(self) -> None:
        codes = np.tile([1.0, 2.0, 2.5], ROWS // 3)
        dataset = Dataset.build(people(job=codes), ROLES.model_copy(update={"categorical": ("job",)}))
        assert set(dataset.frame["job"]) == {"1", "2", "2.5"}

    def test_words_with_a_few_numbers_among_them_are_categories(self) -> None:
        jobs = ["cook"] * 31 + ["12"] * 29
        assert Dataset.build(people(job=jobs), ROLES).frame["job"].nunique() == 2

    @pytest.mark.parametrize("dtype", ["category", "str", object, "string"])
    def test_text_has_one_type_whatever_it_came_as(self, dtype: str | type) -> None:
        plain = Dataset.build(people(), ROLES)
        other = Dataset.build(people().astype({"job": dtype, "sex": dtype, "hired": dtype}), ROLES)
        pd.testing.assert_frame_equal(plain.frame, other.frame)
        assert plain.fingerprint == other.fingerprint

    @pytest.mark.parametrize("dtype", ["Int64", "Float64", "int32", "float32", "uint8"])
    def test_numbers_have_one_type_whatever_they_came_as(self, dtype: str) -> None:
        built = Dataset.build(people(age=people()["age"].astype(dtype)), ROLES).frame["age"]
        assert str(built.dtype) in ("int64", "float64")
        assert (built.to_numpy() == people()["age"].to_numpy()).all()

    def test_dates_are_read_as_categories(self) -> None:
        days = pd.Series(pd.date_range("2020-01-01", periods=2).repeat(ROWS // 2))
        assert str(Dataset.build(people(job=days), ROLES).frame["job"].dtype) == "str"


class TestGaps:
    GAPS = (("age", 3), ("job", 3), ("job", 4), ("sex", 5), ("hired", 6), ("score", 7))

    def build(self, missing: Missing) -> Dataset:
        return Dataset.build(with_missing(*self.GAPS), ROLES.model_copy(update={"missing": missing}))

    def test_leave_out_takes_every_row_with_a_gap(self) -> None:
        dataset = self.build("leave out")
        assert (dataset.rows_read, dataset.rows_left_out, dataset.cells_imputed) == (ROWS, 5, ())
        assert not set(dataset.frame.index) & {3, 4, 5, 6, 7}

    def test_median_and_most_frequent_fill_features_only(self) -> None:
        dataset = self.build("median and most frequent")
        assert not set(dataset.frame.index) & {5, 6, 7}
        assert dataset.rows_left_out == 3
        assert dataset.cells_imputed == (("age", 1), ("job", 2))
        known = people().drop(index=[6, 7])
        assert dataset.frame.loc[3, "age"] == known["age"].drop(index=3).median()
        assert dataset.frame.loc[4, "job"] == known["job"].drop(index=[3, 4]).mode()[0]

    def test_own_category_keeps_people_whose_group_is_unknown_as_a_group(self) -> None:
        dataset = self.build("own category")
        assert not set(dataset.frame.index) & {6, 7}
        assert dataset.frame.loc[[3, 4], "job"].tolist() == [MISSING_GROUP] * 2
        assert dataset.groups("sex")[1] == (MISSING_GROUP, "F", "M")
        assert dict(dataset.cells_imputed) == {"age": 1, "job": 2, "sex": 1}
        assert len(caveats_of(dataset)) == 4

    def test_own_category_names_a_group_of_numbers_too(self) -> None:
        ages = np.tile([1.0, 2.0], ROWS // 2)
        ages[0] = np.nan
        roles = ROLES.model_copy(update={"missing": "own category", "features": ("job",), "protected": ("age",)})
        assert Dataset.build(people(age=ages), roles).groups("age")[1] == (MISSING_GROUP, "1", "2")

    def test_a_number_that_is_protected_and_read_by_the_model_is_never_filled(self) -> None:
        roles = ROLES.model_copy(update={"missing": "own category", "protected": ("age",)})
        assert Dataset.build(with_missing(("age", 0)), roles).rows_left_out == 1

    def test_the_row_numbers_are_those_of_the_file(self) -> None:
        dataset = Dataset.build(with_missing(("age", 0)).set_index(pd.Index(range(100, 160))), ROLES)
        assert dataset.frame.index[0] == 1
        assert dataset.take(np.array([4, 2])).frame.index.tolist() == [5, 3]

    @given(
        st.lists(
            st.tuples(st.sampled_from(["age", "job", "sex", "hired", "score"]), st.integers(0, ROWS - 1)), max_size=20
        )
    )
    def test_every_row_and_every_cell_is_accounted_for(self, gaps: list[tuple[str, int]]) -> None:
        frame = with_missing(*gaps)
        for missing in ("leave out", "median and most frequent", "own category"):
            dataset = Dataset.build(frame, ROLES.model_copy(update={"missing": missing}))
            assert len(dataset) + dataset.rows_left_out == dataset.rows_read == ROWS
            assert not dataset.frame.isna().to_numpy().any()
            filled = frame.loc[dataset.frame.index, list(ROLES.columns)].isna().sum()
            assert dict(dataset.cells_imputed) == {name: n for name, n in filled.items() if n}


class TestOutcomes:
    def test_the_favourable_outcome_comes_last_of_two(self) -> None:
        assert Dataset.build(people(), ROLES).labels == ("no", "yes")
        assert Dataset.build(people(), ROLES.model_copy(update={"favourable": "no"})).labels == ("yes", "no")

    def test_codes_follow_the_models_classes_and_unknown_outcomes_name_their_row(self) -> None:
        dataset = Dataset.build(people(), ROLES)
        codes = dataset.label_codes(("maybe", "yes", "no"))
        assert (np.array(["maybe", "yes", "no"])[codes] == dataset.frame["hired"].to_numpy()).all()
        with pytest.raises(DataError) as caught:
            dataset.label_codes(("yes", "maybe"))
        first = int((dataset.frame["hired"] == "no").to_numpy().argmax()) + 1
        assert caught.value.where == f"column 'hired', row {first}"

    @pytest.mark.parametrize("outcome", [[0.0, 1.0], [0, 1], ["0", "1"]])
    def test_numbers_and_text_name_the_same_outcomes(self, outcome: list[object]) -> None:
        roles = ROLES.model_copy(update={"favourable": "1"})
        assert Dataset.build(people(hired=outcome * (ROWS // 2)), roles).labels == ("0", "1")

    def test_truth_values_are_outcomes(self) -> None:
        roles = ROLES.model_copy(update={"favourable": "False"})
        assert Dataset.build(people(hired=[True, False] * (ROWS // 2)), roles).labels == ("True", "False")


class TestFingerprint:
    def test_equal_tables_have_equal_fingerprints_and_one_cell_changes_it(self) -> None:
        first, changed = Dataset.build(people(), ROLES), people()
        changed.loc[59, "age"] += 1
        assert first.fingerprint == Dataset.build(people(), ROLES).fingerprint
        assert first.fingerprint != Dataset.build(changed, ROLES).fingerprint
        assert first.fingerprint != Dataset.build(people()[::-1], ROLES).fingerprint


class TestText:
    def test_values_are_written_as_people_write_them(self) -> None:
        values = pd.Series([1.0, 2.5, -0.0, 1e20, 0.1, np.nan, np.inf])
        assert as_text(values).tolist()[:5] == ["1", "2.5", "0", "1e+20", "0.1"]
        assert as_text(values).isna().tolist() == [False] * 5 + [True, False]
        assert as_text(pd.Series([True, False])).tolist() == ["True", "False"]
        assert as_text(pd.Series([np.float32(0.1)], dtype="float32")).tolist() == ["0.1"]
        assert as_text(pd.Series(pd.date_range("2020-01-01", periods=1))).tolist() == ["2020-01-01 00:00:00"]

    @given(st.lists(st.one_of(st.floats(allow_nan=False), st.integers(-5, 5).map(float)), min_size=1, max_size=30))
    def test_what_is_written_depends_on_the_value_alone(self, values: list[float]) -> None:
        together = as_text(pd.Series(values))
        alone = [as_text(pd.Series([value])).iloc[0] for value in values]
        assert together.tolist() == alone
        assert [float(text) for text in alone] == values
