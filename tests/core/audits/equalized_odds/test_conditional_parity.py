"""Demographic parity among people who are alike in columns that may rightly matter (Corbett-Davies et al. 2017)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.question import alike_in
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.run import find, run_audit
from tests.measured import measured

ROLES = Roles(favourable="yes", protected=("sex",), features=("licence", "hours"), predictions=("selected",))


def applicants(rows: int, seed: int, *, beyond: float = 0.0) -> pd.DataFrame:
    """Three men in four have a licence and one woman in four; of those with one 60% are selected, else 20%.

    Args:
        rows: How many.
        seed: Of all draws.
        beyond: By how much fewer women are selected than men who are alike.
    """
    rng = np.random.default_rng(seed)
    woman = rng.random(rows) < 0.5
    licence = rng.random(rows) < np.where(woman, 0.25, 0.75)
    chance = np.where(licence, 0.6, 0.2) - beyond * woman
    return pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "licence": np.where(licence, "yes", "no"),
            "hours": rng.integers(0, 60, rows),
            "selected": np.where(rng.random(rows) < chance, "yes", "no"),
        }
    )


def finding(frame: pd.DataFrame, given: tuple[str, ...], **decision: Any) -> Any:
    dataset = Dataset.build(frame, ROLES)
    model = PredictionColumns(columns=("selected",)).load(FileStore(), dataset)
    audit = EqualizedOdds(asks="demographic parity", given=given, dummies=199)
    return find(run_audit(model, dataset, audit, seed=0), EqualizedOddsDecision(**decision))


def test_what_a_licence_explains_is_no_violation_among_people_alike_in_it() -> None:
    frame = applicants(6_000, 0)
    plain, alike = finding(frame, ()), finding(frame, ("licence",))
    assert plain.verdict is Verdict.VIOLATION
    assert alike.verdict is Verdict.NO_VIOLATION
    assert "people who are alike in licence" in alike.sentence
    assert alike.title == "Conditional demographic parity test"
    assert alike.result.detail.strata.names == ("licence = no", "licence = yes")


def test_what_it_does_not_explain_is_found_and_said() -> None:
    found = finding(applicants(4_000, 1, beyond=0.19), ("licence",))
    assert found.verdict is Verdict.VIOLATION
    assert "People alike in licence get different answers depending on sex" in found.sentence
    assert "among people with licence = " in found.sentence
    assert "legal judgement" in " ".join(found.assumptions)


def test_the_shares_are_those_of_the_table_within_a_stratum() -> None:
    frame = applicants(3_000, 2, beyond=0.1)
    (gap,) = finding(frame, ("licence",)).gaps
    shares = frame.assign(selected=frame["selected"] == "yes").groupby(["licence", "sex"])["selected"].mean().unstack()
    assert gap.value == pytest.approx((shares["m"] - shares["f"]).abs().max())


def test_numbers_are_alike_within_bins_and_columns_together() -> None:
    dataset = Dataset.build(applicants(500, 3), ROLES)
    strata = alike_in(dataset, ("licence", "hours"))
    assert len(strata.names) == len(np.unique(strata.codes)) > 4
    assert all("licence = " in name and " and hours = " in name for name in strata.names)
    hours = dataset.frame["hours"].to_numpy()
    for code in range(len(strata.names)):
        inside = hours[strata.codes == code]
        assert inside.max() - inside.min() < 40


@pytest.mark.parametrize("name", ["sex", "selected", "shoe"])
def test_only_unprotected_features_make_people_alike(name: str) -> None:
    with pytest.raises(SettingsError, match="unprotected features"):
        alike_in(Dataset.build(applicants(100, 4), ROLES), (name,))


def errors(repeats: int, seed: int) -> float:
    """How often a violation is found where women with and without a licence are selected 10 points less often."""
    found = [finding(applicants(1_000, seed + one, beyond=0.1), ("licence",), delta=0.1) for one in range(repeats)]
    return sum(one.verdict is Verdict.VIOLATION for one in found) / repeats


def test_at_the_tolerance_it_keeps_its_error_rate() -> None:
    assert errors(20, 100) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 20)


@pytest.mark.long
def test_at_the_tolerance_it_keeps_its_error_rate_in_many_samples(
    record_property: Callable[[str, object], None],
) -> None:
    rate = errors(400, 1_000)
    design = "decisions among people alike in a column, gap at the tolerance"
    record_property(*measured(design, n=1_000, repeats=400, false_violations=rate))
    assert rate <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
