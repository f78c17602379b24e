"""Section 5.2 of papers/faith.md on COMPAS: sex is not selected, and the chosen model is not rejected."""

from pathlib import Path

import numpy as np
import pytest

from core.audits.transport.decision import TransportDecision
from core.base.files import FileStore
from core.inference.estimate import Verdict
from core.sources import Compas
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import SelectionPlan
from core.workflows.selection.wording import decision_of

DELTA = 0.0365
"""The paper's tolerance (section 5)."""


def selected(seed: int, folder: Path) -> tuple[SelectionPlan, SelectionResult]:
    source = Compas(part="all", preparation="FaiTH paper")
    files = FileStore(folder)
    roles = source.roles(source.load(files))
    plan = SelectionPlan(data=source, roles=roles, seed=seed, decision=TransportDecision(delta=DELTA))
    return plan, run_selection(plan, files)


@pytest.fixture(scope="module")
def case(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[SelectionPlan, SelectionResult]:
    return selected(2, tmp_path_factory.mktemp("compas"))


@pytest.mark.long
def test_the_six_columns_of_the_paper_are_selected_and_sex_is_not(case: tuple[SelectionPlan, SelectionResult]) -> None:
    """Section 5.2: prior crimes or none, more than 3, race, age over 45, misdemeanour, age under 25; 1/λ = 0.0145."""
    _, result = case
    assert result.path is not None
    assert result.chosen is not None
    names = np.array(result.path.encoder.names)
    assert set(names[result.path.used[result.chosen]]) == {
        "priors = none",
        "priors = more than 3",
        "race = Caucasian",
        "age_cat = Greater than 45",
        "age_cat = Less than 25",
        "c_charge_degree = M",
    }
    assert 0.01 < result.path.strengths[result.chosen] < 0.03
    assert not result.path.coefficients[result.chosen, 0, list(names).index("sex = Male")]


@pytest.mark.long
def test_the_hardly_penalised_model_is_found_unfair_and_the_chosen_one_is_not(
    case: tuple[SelectionPlan, SelectionResult],
) -> None:
    """Table 1: logistic regression 0.06, above δ; the ℓ1-selected one 0.02, accuracy 0.66, below."""
    plan, result = case
    assert result.audited is not None
    assert result.candidates[-1].unfairness.lower_bound(0.05) > DELTA
    assert result.finding(decision_of(plan, result)).verdict is Verdict.NO_VIOLATION
    assert result.audited.model.accuracy == pytest.approx(0.66, abs=0.02)


@pytest.mark.long
def test_over_fifty_splits_the_choice_is_as_good_and_as_fair_as_table_1_says(real_data: Path, tmp_path: Path) -> None:
    """Table 1: accuracy 0.66 +- 0.01 and FaiTH 0.02 +- 0.02 over 50 splits; not rejected on average.

    That sex is not selected the paper says of one split. Of these fifty it is left out in 27.
    """
    without_sex, rejected, accuracy, value = 0, 0, [], []
    for seed in range(50):
        plan, result = selected(seed, tmp_path / str(seed))
        assert result.path is not None
        assert result.chosen is not None
        assert result.audited is not None
        sex = result.path.encoder.names.index("sex = Male")
        without_sex += not result.path.used[result.chosen, sex]
        decision = decision_of(plan, result)
        rejected += result.finding(decision).verdict is Verdict.VIOLATION
        value.append(result.finding(decision).estimate)
        accuracy.append(result.audited.model.accuracy)
    print(f"without sex {without_sex}, rejected {rejected}, accuracy {np.mean(accuracy):.4f} +- {np.std(accuracy):.4f}")
    print(f"FaiTH {np.mean(value):.4f} +- {np.std(value):.4f}")
    assert 20 <= without_sex <= 34
    assert rejected <= 5
    assert np.mean(accuracy) == pytest.approx(0.66, abs=0.01)
    assert np.mean(value) == pytest.approx(0.02, abs=0.02)
