"""A column that is the outcome, or the audited score, under another name is left out, by what it tells."""

import numpy as np
import pandas as pd
import pytest

from core.data.dataset import Dataset
from core.data.guess_copies import NEARLY_A_FUNCTION, about_the_same, same_among_features, same_under_another_name
from core.data.guess_roles import guess_roles
from core.data.roles import Roles
from core.language.phrases import percent

ROWS = 2_000


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    """People with a score of ten steps, its three levels, and an outcome with columns made after it."""
    rng = np.random.default_rng(3)
    risk = rng.normal(size=ROWS)
    score = pd.Series(risk + rng.normal(0, 0.3, ROWS)).rank(pct=True).mul(10).apply(np.ceil).astype(int)
    back = risk + rng.normal(0, 1.0, ROWS) > 0.2
    slipped = np.where(rng.random(ROWS) < 0.03, ~back, back)
    return pd.DataFrame(
        {
            "sex": rng.choice(["Female", "Male"], ROWS),
            "income": (30 + 5 * risk + rng.normal(0, 5, ROWS)).round(1),
            "priors": np.clip((risk + rng.normal(0, 1, ROWS)) * 3, 0, None).round(),
            "zz": slipped.astype(int),
            "violent_return": (back & (rng.random(ROWS) < 0.2)).astype(int),
            "band": np.select([score <= 4, score <= 7], ["Low", "Medium"], "High"),
            "decile_score": score,
            "two_year_return": back.astype(int),
        }
    )


def test_a_column_with_any_name_that_tells_the_outcome_is_named(people: pd.DataFrame) -> None:
    found = same_under_another_name(people, ["income", "priors", "zz", "violent_return"], "two_year_return")
    assert list(found) == ["zz", "violent_return"]
    assert found["zz"] == (
        "tells the outcome 'two_year_return' in 97% of the rows, where its most frequent value would be right in "
        f"{percent(round(1 - people.two_year_return.mean(), 3))}"
    )
    assert found["violent_return"].startswith("is named after the outcome, and 100% of the rows with its value '1'")


def test_a_strong_honest_feature_is_none(people: pd.DataFrame) -> None:
    """Knowing it removes three quarters of the errors; the limit is nine tenths."""
    rng = np.random.default_rng(0)
    strong = np.where(rng.random(ROWS) < 0.12, 1 - people.two_year_return, people.two_year_return)
    assert 0.6 < 1 - (strong != people.two_year_return).mean() / people.two_year_return.mean() < NEARLY_A_FUNCTION
    assert same_under_another_name(people.assign(strong=strong), ["strong", "income"], "two_year_return") == {}


@pytest.mark.parametrize(("audited", "other"), [("band", "decile_score"), ("decile_score", "band")])
def test_a_score_and_its_levels_tell_each_other_whichever_is_audited(
    people: pd.DataFrame, audited: str, other: str
) -> None:
    found = same_under_another_name(people, ["income", other], None, [audited])
    assert list(found) == [other]
    assert found[other].endswith("of the rows") or "tells 'band' in" in found[other]


def test_independent_columns_of_many_values_tell_nothing() -> None:
    """What is learned on some rows is judged on others, so that a name of its own for every row tells nothing."""
    rng = np.random.default_rng(1)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"y": rng.integers(0, 2, 60), "many": rng.integers(0, 500, 60).astype(str)})
        assert same_under_another_name(frame, ["many"], "y") == {}


def test_the_guess_leaves_them_out_with_the_reason(people: pd.DataFrame) -> None:
    guess = guess_roles(people)
    assert guess.outcome == "two_year_return" or "two_year_return" in dict(guess.reasons)
    assert not {"zz", "band"} & set(guess.features)
    assert "in 100% of the rows" in dict(guess.ignored)["band"]


def test_a_result_says_so_of_features_that_somebody_chose(people: pd.DataFrame) -> None:
    roles = Roles(outcome="two_year_return", favourable="0", protected=("sex",), features=("income", "zz"))
    (caveat,) = about_the_same(same_among_features(Dataset.build(people, roles)))
    assert caveat.level == "warning"
    assert caveat.what.startswith("The feature 'zz' tells the outcome 'two_year_return' in 97% of the rows")
