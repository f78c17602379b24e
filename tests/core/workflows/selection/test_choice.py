"""The rule: who may be chosen, who is, and what holds for all candidates together."""

import numpy as np
import pytest
from scipy.stats import norm

from core.audits.transport.decision import TransportDecision
from core.inference.several import holm
from core.workflows.selection.choice import (
    ChoiceOutcome,
    admissible,
    choose,
    draws_needed,
    found_unfair_together,
    shown_together,
)
from core.workflows.selection.settings import Rule
from tests.core.workflows.selection.cases import candidate

DECISION = TransportDecision(delta=0.05, alpha=0.05)
PAPER, STRICT = Rule(), Rule(admissible="shown to be fair")
Z = norm.ppf(0.95)


def test_the_papers_rule_admits_a_lower_bound_at_the_tolerance_and_nothing_above() -> None:
    ones = [candidate(0.05 + 0.01 * Z * share) for share in (0.0, 0.999, 1.001, 3.0)]
    assert admissible(ones, PAPER, DECISION).tolist() == [True, True, False, False]


def test_the_stricter_rule_asks_for_the_upper_bound() -> None:
    ones = [candidate(0.05 - 0.01 * Z * share) for share in (3.0, 1.001, 0.999, 0.0)]
    assert admissible(ones, STRICT, DECISION).tolist() == [True, True, False, False]
    assert admissible(ones, PAPER, DECISION).all()


def test_the_most_accurate_admissible_one_is_chosen_and_of_equals_the_first() -> None:
    ones = [candidate(0.0, accuracy=0.6), candidate(0.01, accuracy=0.7), candidate(0.02, accuracy=0.7)]
    assert choose([*ones, candidate(0.5, accuracy=0.9)], PAPER, DECISION).chosen == 1
    assert choose(ones[::-1], PAPER, DECISION).chosen == 0


def test_balanced_accuracy_may_decide_instead() -> None:
    plain, fair = candidate(0.0, accuracy=0.7), candidate(0.0, accuracy=0.6)
    plain = candidate(0.0)
    lopsided = type(plain)(plain.name, plain.fingerprint, np.array([[800, 0], [200, 0]]), plain.unfairness)
    ones = [lopsided, fair]
    assert choose(ones, PAPER, DECISION).chosen == 0
    assert choose(ones, Rule(best="balanced accuracy"), DECISION).chosen == 1
    assert lopsided.gives_one_answer


def test_named_outcomes_when_nothing_may_be_chosen_or_nothing_was_measured() -> None:
    none = choose([candidate(0.5), candidate(0.6)], PAPER, DECISION)
    assert (none.outcome, none.chosen) == (ChoiceOutcome.NOTHING_ADMISSIBLE, None)
    broken = [candidate(0.0, unable="Its fit did not converge."), candidate(np.nan, np.nan, undefined="No loss.")]
    assert choose(broken, PAPER, DECISION).outcome is ChoiceOutcome.NOTHING_MEASURED
    assert not admissible(broken, STRICT, DECISION).any()


def test_rows_that_cannot_show_fairness_bar_the_stricter_rule_only() -> None:
    doubtful = [candidate(0.0, unclear="Too few can be compared.")]
    assert choose(doubtful, PAPER, DECISION).chosen == 0
    assert choose(doubtful, STRICT, DECISION).chosen is None


def test_holms_procedure_in_bounds_is_holms_procedure_in_p_values() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        values, errors = rng.normal(0.03, 0.02, 8), rng.uniform(0.002, 0.02, 8)
        ones = [candidate(value, error) for value, error in zip(values, errors, strict=True)]
        fair = holm(norm.cdf((values - 0.05) / errors)) <= 0.05
        unfair = holm(norm.sf((values - 0.05) / errors)) <= 0.05
        assert shown_together(ones, 0.05, 0.05).tolist() == fair.tolist()
        assert found_unfair_together(ones, 0.05, 0.05).tolist() == unfair.tolist()


def test_holding_for_all_together_asks_more_of_the_stricter_rule_and_leaves_the_papers_alone() -> None:
    ones = [candidate(0.05 - 0.01 * Z * 1.05), candidate(0.2), candidate(0.0, 0.0)]
    together = STRICT.model_copy(update={"together": True})
    assert admissible(ones, STRICT, DECISION).tolist() == [True, False, True]
    assert admissible(ones, together, DECISION).tolist() == [False, False, True]
    assert (admissible(ones, PAPER.model_copy(update={"together": True}), DECISION) == [True, False, True]).all()


@pytest.mark.parametrize(("together", "at_most"), [(True, 0.05), (False, None)])
def test_unfair_models_are_wrongly_shown_fair_no_more_often_than_the_error_rate_only_with_holm(
    together: bool, at_most: float | None
) -> None:
    """Ten independent models just beyond the tolerance: unadjusted 1 - 0.95^10 = 0.40 of selections choose one."""
    rng, repetitions = np.random.default_rng(1), 1500
    rule = STRICT.model_copy(update={"together": together})
    wrong = np.mean(
        [
            choose([candidate(value) for value in rng.normal(0.05 + 1e-9, 0.01, 10)], rule, DECISION).chosen is not None
            for _ in range(repetitions)
        ]
    )
    if at_most is not None:
        assert wrong <= at_most + 2 * np.sqrt(0.05 * 0.95 / repetitions)
    else:
        assert wrong == pytest.approx(1 - 0.95**10, abs=3 * np.sqrt(0.4 * 0.6 / repetitions))


def test_draws_needed_leave_ten_beyond_the_smallest_level() -> None:
    assert draws_needed(30, 0.05) == 6000
