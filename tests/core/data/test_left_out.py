"""Who was left out for missing cells, whether that goes with groups or outcomes, and what then is not said."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.data.left_out import LEVEL, chance, count_left_out, goes_with
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.run import find, run_audit

ROLES = Roles(
    outcome="hired",
    favourable="yes",
    protected=("sex",),
    features=("skill",),
    predictions=("answer",),
    missing="leave out",
)


def people(n: int, seed: int = 0) -> pd.DataFrame:
    """People among whom a model errs for one in ten, whatever the sex."""
    rng = np.random.default_rng(seed)
    hired = rng.random(n) < 0.5
    answer = np.where(rng.random(n) < 0.1, ~hired, hired)
    return pd.DataFrame(
        {
            "sex": np.where(rng.random(n) < 0.4, "Female", "Male"),
            "skill": rng.standard_normal(n),
            "hired": np.where(hired, "yes", "no"),
            "answer": np.where(answer, "yes", "no"),
            "region": np.where(rng.random(n) < 0.5, "North", "South"),
        }
    )


def denied_and_missing(frame: pd.DataFrame, share: float, seed: int = 1) -> pd.DataFrame:
    """Of a share of the women the region is not on file, and they are all denied."""
    lost = (frame["sex"] == "Female") & (np.random.default_rng(seed).random(len(frame)) < share)
    return frame.assign(region=frame["region"].mask(lost), answer=frame["answer"].mask(lost, "no"))


def missing_at_random(frame: pd.DataFrame, share: float, seed: int = 1) -> pd.DataFrame:
    return frame.assign(region=frame["region"].mask(np.random.default_rng(seed).random(len(frame)) < share))


def finding(frame: pd.DataFrame, audit: Any, decision: Any) -> Any:
    dataset = Dataset.build(frame, ROLES.model_copy(update={"protected": ("sex", "region")}))
    model = PredictionColumns(columns=("answer",), holds="labels").load(FileStore(), dataset)
    return find(run_audit(model, dataset, audit, seed=0), decision)


def odds(frame: pd.DataFrame) -> Any:
    return finding(frame, EqualizedOdds(learner="linear", dummies=99), EqualizedOddsDecision(delta=0.15))


def test_everybody_is_counted_once_in_the_cell_of_group_and_outcome() -> None:
    frame = people(400).assign(skill=lambda one: one["skill"].mask(one.index < 40))
    frame.loc[:9, "sex"] = None
    frame.loc[5:14, "hired"] = None
    found, _ = Dataset.build(frame, ROLES).left_out
    assert (found.groups, found.outcomes) == (("Female", "Male"), ("no", "yes"))
    assert found.kept.sum() == 360
    assert found.gone.sum() == 40
    assert found.gone[2].sum() == 10
    assert found.gone[:, 2].sum() == 10
    assert found.gone[2, 2] == 5
    for g, o in product(range(2), range(2)):
        here = (frame["sex"] == found.groups[g]) & (frame["hired"] == found.outcomes[o])
        assert found.gone[g, o] == here[:40].sum()
        assert found.kept[g, o] == here[40:].sum()
    shown = {row[0]: row[1:] for row in found.table.rows}
    assert shown["sex: not known"] == ("10", "10", "100%")
    assert shown["hired: not known"] == ("10", "10", "100%")


def test_nobody_left_out_is_told_of_nobody() -> None:
    assert Dataset.build(people(100), ROLES).left_out == ()


def test_a_group_that_is_left_out_as_a_whole_is_told() -> None:
    frame = people(300)
    frame.loc[:19, "sex"] = "Other"
    frame.loc[:19, "skill"] = None
    found, _ = Dataset.build(frame, ROLES).left_out
    assert "Other" in found.groups
    assert found.largest_share == 1.0
    assert any("100% of Other" in words for words in goes_with((found,)))


def test_the_largest_share_counts_the_unknown_wherever_they_may_belong() -> None:
    read = pd.DataFrame({"sex": ["F"] * 6 + ["M"] * 6 + [None] * 2, "hired": ["yes"] * 12 + ["yes", None]})
    without_answers = ROLES.model_copy(update={"predictions": ()})
    (found,) = count_left_out(read, pd.Index([0, 1, 2, 3, 6, 7, 8, 9, 10, 11]), without_answers)
    assert found.largest_share == pytest.approx(4 / 8), "two women, one of unknown sex and one of whom nothing is known"


@pytest.mark.parametrize(("rows", "gone"), [((9, 14), (4, 1)), ((20, 20), (6, 6)), ((5, 40), (3, 5)), ((8, 9), (0, 2))])
def test_the_chance_is_that_of_all_ways_to_leave_so_many_out(rows: tuple[int, int], gone: tuple[int, int]) -> None:
    """Oracle: the hypergeometric probabilities of every table."""
    lost, n = sum(gone), sum(rows)
    ways = np.arange(max(0, lost - rows[1]), min(rows[0], lost) + 1)
    probability = hypergeom.pmf(ways, n, rows[0], lost)
    expected = rows[0] * lost / n
    exact = probability[np.abs(ways - expected) >= abs(gone[0] - expected) - 1e-9].sum()
    assert chance(np.array(rows), np.array(gone)) == pytest.approx(exact, abs=0.04)


def test_leaving_out_at_random_goes_with_nothing_and_leaving_out_by_group_or_outcome_is_found() -> None:
    """Error rate and power over 50 tables each: n = 400, a tenth left out."""
    rng = np.random.default_rng(3)
    found = dict.fromkeys(("random", "group", "outcome", "both"), 0)
    for seed in range(50):
        frame = people(400, seed)
        woman, hired = frame["sex"] == "Female", frame["hired"] == "yes"
        chances = {
            "random": np.full(400, 0.1),
            "group": np.where(woman, 0.2, 0.05),
            "outcome": np.where(hired, 0.2, 0.05),
            "both": np.where(woman == hired, 0.2, 0.02),
        }
        for name, chance_of in chances.items():
            kept = frame.index[rng.random(400) >= chance_of]
            found[name] += bool(goes_with(count_left_out(frame, kept, ROLES)))
    assert found["random"] <= 50 * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / 50) ** 0.5)
    assert min(found["group"], found["outcome"], found["both"]) >= 44


def test_a_model_that_denies_women_of_unknown_region_is_not_cleared_by_the_others() -> None:
    found = odds(denied_and_missing(people(3000), 0.2))
    assert found.own_verdict is Verdict.NO_VIOLATION
    assert found.verdict is Verdict.INSUFFICIENT
    assert found.opening == "Insufficient evidence"
    assert "no violation is found among the" in found.sentence
    assert "of Female are left out and 0% of Male" in found.sentence
    assert found.reasons[0].level == "serious"
    assert any("Fill in" in step for step in found.next_steps)


def test_as_many_of_either_sex_left_out_but_only_of_one_all_denied_is_not_cleared() -> None:
    """Leaving out goes with neither sex nor outcome, but with what the model answered women."""
    frame = missing_at_random(people(4000), 0.2)
    denied = frame["region"].isna() & (frame["sex"] == "Female")
    result = odds(frame.assign(answer=frame["answer"].mask(denied, "no")))
    assert result.own_verdict is Verdict.NO_VIOLATION
    assert result.verdict is Verdict.INSUFFICIENT
    assert "Female, answer no" in result.sentence
    told = [one.outcome for one in result.result.data.left_out]
    assert told == ["hired", "answer"] * 2


def test_leaving_out_at_random_takes_nothing_back() -> None:
    found = odds(missing_at_random(people(3000), 0.2))
    assert found.result.data.rows_left_out > 400
    assert found.verdict is Verdict.NO_VIOLATION


def test_what_is_too_few_to_matter_takes_nothing_back_but_is_told() -> None:
    frame = denied_and_missing(people(6000), 0.01)
    clear = finding(frame, GroupFairness(), GroupFairnessDecision(delta=0.3))
    assert clear.worst_upper_bound <= 0.3
    assert clear.verdict is Verdict.NO_VIOLATION
    assert any("Even the worst treatment" in caveat.what for caveat in clear.reasons)
    apart = odds(frame).under(delta=0.3)
    assert apart.worst_upper_bound > max(gap.high for gap in apart.gaps)
    assert apart.verdict is Verdict.NO_VIOLATION
    close = clear.under(delta=clear.worst_upper_bound - 1e-6)
    assert close.own_verdict is Verdict.NO_VIOLATION
    assert close.verdict is Verdict.INSUFFICIENT


def test_a_violation_stands_and_says_whom_it_is_about() -> None:
    frame = denied_and_missing(people(3000), 0.2)
    wrong = (frame["sex"] == "Female") & (np.arange(3000) % 2 == 0)
    found = odds(frame.assign(answer=frame["answer"].mask(wrong, "no")))
    assert found.verdict is Verdict.VIOLATION
    assert any("about the others only" in caveat.what for caveat in found.reasons)
