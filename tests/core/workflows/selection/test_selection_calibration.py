"""The final audit keeps its level although the model was chosen; what the choice does to the validation rows."""

from pathlib import Path

import numpy as np
import pytest

from core.audits.transport.decision import TransportDecision
from core.base.files import FileStore
from core.inference.estimate import Verdict
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import Parts, Rule
from core.workflows.selection.wording import decision_of
from tests.core.workflows.selection.cases import EVERY_KIND, judged, judged_plan

FLIPPED = ((1,), (3,), (4,), (6,), (8,))
DELTA = 0.05
"""Every candidate of this design has exactly this audit value: one of ten kinds is flipped, half of it is moved."""


def rates(repetitions: int, alpha: float, folder: Path, rule: Rule) -> tuple[float, float]:
    """How often a violation is found by the audit, and how often a model is chosen at all."""
    decision, chosen, violations = TransportDecision(delta=DELTA, alpha=alpha), 0, 0
    for seed in range(repetitions):
        files = FileStore(folder / str(seed))
        frame = judged(1200, FLIPPED, seed=1000 + seed)
        test = EVERY_KIND.model_copy(update={"draws": 400})
        plan = judged_plan(
            frame, files, decision=decision, seed=seed, parts=Parts(validation=1, audit=1), audit=test, rule=rule
        )
        result = run_selection(plan, files)
        chosen += result.chosen is not None
        if result.audited is not None:
            violations += result.finding(decision_of(plan, result)).verdict is Verdict.VIOLATION
    return violations / max(chosen, 1), chosen / repetitions


def test_the_audit_of_the_chosen_model_finds_a_violation_at_the_limit_no_more_often_than_it_may(
    tmp_path: Path,
) -> None:
    violations, chosen = rates(3, 0.1, tmp_path, Rule())
    assert chosen > 0.9
    assert violations <= 0.1 + 2 * np.sqrt(0.1 * 0.9 / 3)


@pytest.mark.long
def test_the_audit_of_the_chosen_model_keeps_its_level(tmp_path: Path) -> None:
    violations, chosen = rates(600, 0.05, tmp_path, Rule())
    assert chosen > 0.9
    assert violations <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / (600 * chosen))


@pytest.mark.long
def test_unfair_models_are_chosen_as_shown_fair_no_more_often_than_the_error_rate(tmp_path: Path) -> None:
    """All five lie at the limit, where the stricter rule should choose none, and with Holm chooses fewer."""
    _, adjusted = rates(400, 0.1, tmp_path / "a", Rule(admissible="shown to be fair", together=True))
    _, each = rates(400, 0.1, tmp_path / "b", Rule(admissible="shown to be fair"))
    assert adjusted <= each <= 0.1 + 2 * np.sqrt(0.1 * 0.9 / 400)
