"""A protected attribute that is only guessed: it accuses by bounds, clears nobody, and says what it assumes."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import Audit, audit
from core.base.errors import EvenhandError
from core.inference.estimate import Verdict
from core.inference.guessed_group import GuessedGroup

ACCURACY: dict[str, Any] = {
    "guessed": "name",
    "guessed_group": "f",
    "guessed_right": [480, 500],
    "others_right": [475, 500],
}


def people(share_f: float, share_m: float, rows: int = 3000) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], rows)
    name = np.where(rng.random(rows) < 0.955, sex, np.where(sex == "f", "m", "f"))
    answer = np.where(rng.random(rows) < np.where(sex == "f", share_f, share_m), "yes", "no")
    return pd.DataFrame(
        {"name": name, "race": rng.choice(["a", "b"], rows), "age": rng.integers(18, 70, rows), "says": answer}
    )


def audited(frame: pd.DataFrame, protected: list[str], **settings: Any) -> Audit:
    frame = frame.assign(true=np.random.default_rng(1).choice(["yes", "no"], len(frame)))
    given = {
        "predictions": "says",
        "outcome": "true",
        "favourable": "yes",
        "tests": "group_fairness",
        "progress": False,
    }
    return audit(frame, protected=protected, **given, **{**ACCURACY, **settings})


@pytest.mark.parametrize("protected", [["name"], ["name", "race"]])
def test_a_large_difference_is_shown_and_told_as_guessed(protected: list[str], tmp_path: Path) -> None:
    frame = people(0.2, 0.75)
    found = audited(frame, protected)
    assert found.verdict is Verdict.VIOLATION
    claim = found.claims.to_frame().query("said == 'beyond'").iloc[0]
    assert (claim["who"], claim["against"]) == ("name = f (guessed)", "name = m (guessed)")
    f = frame[frame.name == "f"].says == "yes"
    m = frame[frame.name == "m"].says == "yes"
    counts = GuessedGroup((f.sum(), len(f)), (m.sum(), len(m)), (480, 500), (475, 500))
    share = 1.0 if protected == ["name"] else 0.5
    assert claim["low"] == pytest.approx(-counts.limits(0.05 * share)[1])
    assert "guessed" in found.report(tmp_path / "report.html").read_text()


def test_nobody_is_cleared_even_by_a_guess_that_errs_once_in_a_million() -> None:
    sure = {"guessed_right": [10**6 - 1, 10**6], "others_right": [10**6 - 1, 10**6]}
    found = audited(people(0.5, 0.5), ["name"], delta=0.3, **sure)
    assert found.verdict is Verdict.INSUFFICIENT
    assert any("no difference between its groups is ruled out" in one for one in found["group_fairness"].reasons)
    assert np.isinf(found.claims.to_frame()["high"]).all()


def test_other_attributes_are_judged_as_without_it_and_the_guess_stands_in_no_intersection() -> None:
    found = audited(people(0.5, 0.5), ["name", "race"]).claims.to_frame()
    assert not found["who"].str.contains(" and ").any()
    assert set(found["what"]) == {"selection rate"}
    assert {"race = a", "race = b", "name = f (guessed)", "name = m (guessed)"} <= set(found["who"])


def test_the_chart_shows_what_each_assumption_lets_be_known() -> None:
    finding = audited(people(0.2, 0.75), ["name"])["group_fairness"]
    counted, exact, unrelated, right = finding.parts["groups guessed"]
    assert right.estimate < unrelated.estimate
    assert counted.low < exact.low < unrelated.estimate < exact.high < counted.high
    assert list(finding.pictures["groups guessed"].data[0].x)


def test_rows_that_belong_together_and_people_alike_in_a_column_are_not_judged_by_a_guess() -> None:
    frame = people(0.2, 0.75).assign(house=np.arange(3000) // 3)
    together = audited(frame, ["name"], belongs_to="house")
    assert together.verdict is Verdict.INSUFFICIENT
    alike = audited(people(0.2, 0.75), ["name"], within=["age"])
    assert alike.verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"guessed_right": []}, "needs four things"),
        ({"others_right": [12, 10]}, "needs four things"),
        ({"guessed_group": "women"}, "exactly two groups"),
        ({"guessed": "age"}, "is no protected attribute"),
        ({"measure": "true-positive rate"}, "among all people only"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        _ = audited(people(0.5, 0.5, 300), ["name"], **settings).verdict
