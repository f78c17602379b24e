"""Each thing that can be the matter with a table is found, counted and said; a sound table gets no warning."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import DataError
from core.data.quality.health import examine
from core.data.roles import Roles
from tests.core.data.quality.caveats import found

ROWS = 400
ROLES = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "job"), predictions=("score",))


def people(rows: int = ROWS, **changes: object) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    table: dict[str, object] = {
        "number": np.arange(rows),
        "age": rng.normal(40, 10, rows),
        "job": rng.choice(["cook", "clerk", "pilot"], rows),
        "sex": rng.choice(["F", "M"], rows),
        "score": rng.random(rows),
        "hired": rng.choice(["no", "yes"], rows),
    }
    return pd.DataFrame(table | changes)


def test_a_sound_table_has_no_findings() -> None:
    health = examine(people(), ROLES)
    assert health.findings == ()
    assert (health.rows, health.rows_with_missing, health.duplicates) == (ROWS, 0, 0)


def test_the_tables_count_columns_outcomes_and_groups() -> None:
    frame = people()
    health = examine(frame, ROLES)
    columns = health.columns.set_index("column")
    assert columns.loc["number", "role"] == "ignored"
    assert columns.loc[["age", "job"], "kind"].tolist() == ["number", "category"]
    assert columns["distinct"].tolist() == [frame[name].nunique() for name in frame]
    assert dict(zip(health.outcomes["outcome"], health.outcomes["rows"], strict=True)) == dict(
        frame["hired"].value_counts()
    )
    assert health.outcomes["share"].sum() == pytest.approx(1)
    groups = health.groups.set_index("group")
    assert groups.loc["F", "rows"] == (frame["sex"] == "F").sum()
    assert groups.loc["F", "favourable"] == pytest.approx((frame.loc[frame["sex"] == "F", "hired"] == "yes").mean())
    assert groups["enough"].all()


def test_gaps_are_counted_by_column_and_by_row() -> None:
    frame = people().astype({"job": object, "hired": object})
    frame.loc[:9, "job"] = None
    frame.loc[5:19, "age"] = np.nan
    frame.loc[30, "hired"] = None
    health = examine(frame, ROLES)
    assert health.rows_with_missing == 21
    columns = health.columns.set_index("column")
    assert columns["missing"].to_dict() == {"number": 0, "age": 15, "job": 10, "sex": 0, "score": 0, "hired": 1}
    assert columns.loc["age", "share missing"] == 15 / ROWS
    assert (
        found(health, "21 of 400 rows (5.2%). Tests that read these cells would leave these rows out").level
        == "warning"
    )
    assert found(health, "1 row without an outcome").level == "info"


def test_rows_that_are_kept_are_not_said_to_be_left_out() -> None:
    roles = ROLES.model_copy(update={"missing": "own category"})
    ages = people()["age"].astype(float)
    ages[:30] = np.nan
    told = found(examine(people(age=ages), roles), "30 of 400 rows")
    assert (told.level, told.what.endswith("is treated as chosen: own category.")) == ("info", True)


def test_gaps_in_ignored_columns_cost_nothing() -> None:
    assert examine(people(number=None), ROLES).rows_with_missing == 0


def test_an_empty_column_is_serious() -> None:
    assert found(examine(people(job=None), ROLES), "'job' is entirely empty").level == "serious"


def test_words_among_numbers_are_counted_with_the_first_row() -> None:
    ages = people()["age"].map(str).tolist()
    ages[41], ages[7] = "unknown", "forty"
    caveat = found(examine(people(age=ages), ROLES), "2 of 400 cells of 'age'")
    assert caveat.level == "serious"
    assert "'forty' in row 8" in caveat.what
    read_as_numbers = examine(people(age=ages), ROLES.model_copy(update={"numeric": ("age",)}))
    assert read_as_numbers.rows_with_missing == 2
    as_categories = examine(people(age=ages), ROLES.model_copy(update={"categorical": ("age",)}))
    assert not [caveat for caveat in as_categories.findings if caveat.level == "serious"]


def test_numbers_stored_as_text_are_mentioned() -> None:
    ages = np.tile(["20", "30", "40", "50"], ROWS // 4)
    assert found(examine(people(age=ages), ROLES), "numbers stored as text").level == "info"


def test_infinite_values_are_counted_with_the_first_row() -> None:
    frame = people()
    frame.loc[[11, 200], "age"] = [-np.inf, np.inf]
    assert "the first in row 12" in found(examine(frame, ROLES), "2 values of 'age' are infinite").what


def test_constant_columns_are_found() -> None:
    assert found(examine(people(job="cook"), ROLES), "'job' has the same value").level == "info"


def test_repeated_rows_are_counted() -> None:
    frame = people()
    twice = pd.concat([frame, frame.head(50)], ignore_index=True)
    health = examine(twice, ROLES)
    assert health.duplicates == 50
    assert found(health, "50 repeated rows").level == "warning"
    assert health.duplicates == twice[list(ROLES.columns)].duplicated().sum()


def test_people_whom_coarse_columns_make_alike_are_no_copies() -> None:
    """Independent rows of few values coincide; the same rows twice do not."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.integers(0, 3, 2_000) for name in ROLES.columns})
    frame = frame.assign(**{ROLES.outcome: rng.choice(["yes", "no"], 2_000)})
    health = examine(frame, ROLES)
    assert health.duplicates > 1_000
    alike = found(health, f"{health.duplicates:,} rows are the same as an earlier one")
    assert (alike.level, alike.advice) == ("info", "")
    twice = examine(pd.concat([frame, frame], ignore_index=True), ROLES)
    assert found(twice, f"{twice.duplicates:,} repeated rows").level == "warning"


def test_repeated_gaps_are_repeated_rows() -> None:
    frame = people().assign(age=np.nan, score=0.5)
    assert examine(frame, ROLES).duplicates == frame[list(ROLES.columns)].duplicated().sum()


def test_groups_too_small_to_judge_are_named() -> None:
    sex = ["X"] * 29 + ["F"] * 171 + ["M"] * 200
    health = examine(people(sex=sex), ROLES)
    assert "1 of 3 groups of 'sex'" in found(health, "too few to judge").what
    assert health.groups.set_index("group").loc["X", "enough"] == np.False_
    assert not [n for n in examine(people(sex=["X"] * 30 + sex[30:]), ROLES).findings if "too few" in n.what]


def test_one_group_only_is_serious() -> None:
    assert found(examine(people(sex="F"), ROLES), "Everybody belongs").level == "serious"


def test_one_outcome_only_is_serious() -> None:
    assert found(examine(people(hired="yes"), ROLES), "same outcome").level == "serious"


def test_an_outcome_that_is_a_quantity_is_serious() -> None:
    health = examine(people(hired=np.arange(ROWS) / 7), ROLES)
    assert found(health, "400 different values").level == "serious"
    assert found(health, "'yes' does not occur")


def test_a_rare_outcome_is_pointed_out() -> None:
    hired = ["yes"] * 39 + ["no"] * 361
    assert "39 rows (9.8%)" in found(examine(people(hired=hired), ROLES), "'yes' is rare").what


@pytest.mark.parametrize("recode", [{"no": "no", "yes": "yes"}, {"no": 7.5, "yes": -1.0}, {"no": True, "yes": False}])
def test_a_feature_that_is_the_outcome_is_serious(recode: dict[str, object]) -> None:
    frame = people()
    leak = frame.assign(job=frame["hired"].map(recode))
    assert found(examine(leak, ROLES), "'job' says the outcome in other words").level == "serious"
    leak.loc[3, "job"] = recode["no"] if frame.loc[3, "hired"] == "yes" else recode["yes"]
    assert not [caveat for caveat in examine(leak, ROLES).findings if "other words" in caveat.what]


def test_a_feature_that_recodes_a_protected_attribute_is_a_warning() -> None:
    frame = people()
    proxy = frame.assign(job=frame["sex"].map({"F": "Ms", "M": "Mr"}))
    assert found(examine(proxy, ROLES), "'job' says 'sex' in other words").level == "warning"


def test_protected_attributes_and_predictions_among_the_features_are_warnings() -> None:
    roles = ROLES.model_copy(update={"features": ("age", "sex", "score")})
    health = examine(people(), roles)
    assert found(health, "protected attribute 'sex'").level == "warning"
    assert found(health, "'score' is a feature and a prediction").level == "warning"
    assert health.columns.set_index("column").loc["sex", "role"] == "protected, feature"


def test_predictions_that_are_always_right_are_questioned() -> None:
    frame = people()
    assert found(examine(frame.assign(score=frame["hired"] == "yes"), ROLES), "right in every row")


def test_many_categories_are_a_warning() -> None:
    jobs = [f"job {place % 51}" for place in range(ROWS)]
    assert found(examine(people(job=jobs), ROLES), "51 categories").level == "warning"


def test_too_few_rows_are_serious() -> None:
    assert found(examine(people().head(29), ROLES), "29 rows").level == "serious"


def test_no_rows_are_serious_and_nothing_divides_by_zero() -> None:
    with np.errstate(all="raise"):
        assert any("0 rows" in caveat.what for caveat in examine(people().head(0), ROLES).findings)


def test_the_most_serious_comes_first() -> None:
    health = examine(people(job="cook", sex="F").assign(age=np.inf), ROLES)
    levels = [caveat.level for caveat in health.findings]
    assert levels == sorted(levels, key=["serious", "warning", "info"].index)


def test_a_role_for_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="'job'"):
        examine(people().drop(columns="job"), ROLES)


def test_many_groups_are_listed_up_to_a_limit() -> None:
    assert len(examine(people(sex=[f"group {place}" for place in range(ROWS)]), ROLES).groups) == 200
