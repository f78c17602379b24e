"""What is guessed once somebody has named an outcome, and what is said of what the model reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from core import audit
from core.base.errors import ModelError
from core.data.guess_roles import guess_roles

GIVEN: dict[str, Any] = {"outcome": "insured", "favourable": "yes", "protected": "sex", "tests": "group_fairness"}


def people(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """A table whose outcome stands in the middle, under a name that says nothing, before a column of a few values."""
    rng = np.random.default_rng(seed)
    sex, region = rng.choice(["f", "m"], rows), rng.choice(["east", "north", "west"], rows)
    age = rng.integers(20, 60, rows)
    insured = np.where(age + 9 * (sex == "m") + 9 * (region == "east") + rng.normal(0, 9, rows) > 45, "yes", "no")
    return pd.DataFrame({"age": age, "insured": insured, "sex": sex, "region": region})


def fitted(columns: list[str]) -> Pipeline:
    words = [one for one in columns if one != "age"]
    prepared = make_column_transformer((StandardScaler(), ["age"]), (OneHotEncoder(), words))
    table = people(seed=1)
    return make_pipeline(prepared, LogisticRegression()).fit(table[columns], table["insured"])


def test_no_other_column_is_taken_for_the_outcome_that_is_named() -> None:
    table = people()
    assert guess_roles(table).outcome == "region", "what stands last, where nobody says more"
    known = guess_roles(table, told="insured")
    assert (known.outcome, known.features, known.protected) == ("insured", ("age", "region"), ("sex",))


@pytest.mark.parametrize("last", ["region", "age"])
def test_a_file_reads_the_last_column_of_a_table_too(last: str, tmp_path: Path) -> None:
    skops.io.dump(fitted(["age", "sex", "region"]), tmp_path / "model.skops")
    table = people()[[*(name for name in people() if name != last), last]]
    a = audit(table, model=tmp_path / "model.skops", **GIVEN)
    assert set(a.study.plans[0].roles.features) == {"age", "region"}
    assert "Protected attributes that the model reads: 'sex'." in a.guesses


@pytest.mark.parametrize(("columns", "told"), [(["age", "sex", "region"], "'sex'"), (["age", "region"], "none")])
def test_which_protected_attributes_a_model_reads_is_said(columns: list[str], told: str) -> None:
    model = fitted(columns)
    for held in (model, model.predict):
        a = audit(people(), model=held, **GIVEN)
        assert f"Protected attributes that the model reads: {told}." in a.guesses


def test_a_function_that_lacks_a_column_is_given_it_by_the_keyword() -> None:
    model = fitted(["age", "sex", "region"])

    def answers(rows: pd.DataFrame) -> np.ndarray:
        return model.predict_proba(rows)

    with pytest.raises(ModelError, match="protected ones too, by the keyword features") as caught:
        audit(people(), model=answers, **GIVEN)
    assert "roles step" not in str(caught.value)
    a = audit(people(), model=answers, features=["age", "sex", "region"], **GIVEN)
    assert "Protected attributes that the model reads: 'sex'." in a.guesses


def test_columns_that_a_file_does_not_find_are_named_by_the_keyword(tmp_path: Path) -> None:
    skops.io.dump(fitted(["age", "sex", "region"]), tmp_path / "model.skops")
    with pytest.raises(ModelError, match=r"'region'.*name all features by the keyword features"):
        audit(people().drop(columns="region"), model=tmp_path / "model.skops", **GIVEN)
