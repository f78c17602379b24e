"""Answers the wrong way round: nothing is claimed by any test, whatever the tolerance, and a run of a plan stops."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.audits import KINDS, AuditSettings
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder, NumericColumn
from core.inference.estimate import Verdict
from core.metrics import Expert
from core.models.direction import Direction
from core.models.module import ModuleModel
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.protected_status import NoStatus
from core.report.multiple_tests import Together
from core.report.summary import shown_worse
from core.run import find, run_audit
from core.study import Study
from core.workflows.proposing import default_settings
from tests.builders_text import make_network, make_text_model, make_text_roles, make_texts

FEATURES = ("years", "marks", "sex")
PEOPLE = [name for name, kind in KINDS.items() if kind.reads != "texts"]
TEXTS = [name for name, kind in KINDS.items() if kind.reads == "texts"]
TOLERANCES = {"group_fairness": (0.001, 0.4), "gradient_flow": (1.05, 9.0)}
"""One that an unfair model exceeds and one that it does not, where the ratio is judged, or shares cannot exceed 0.9."""


def people(seed: int = 3, rows: int = 1_000) -> Dataset:
    rng = np.random.default_rng(seed)
    years, marks, sex = rng.standard_normal(rows), rng.standard_normal(rows), rng.integers(0, 2, rows)
    hired = rng.random(rows) < 1 / (1 + np.exp(-1.5 * (years + marks) - sex))
    frame = pd.DataFrame({"years": years, "marks": marks, "sex": sex, "hired": np.where(hired, "yes", "no")})
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=FEATURES))


def model(*, by_sex: float, turned: bool) -> ModuleModel:
    """It hires by years and marks, and by sex if it is unfair; its classes may be named in the wrong order."""
    linear = nn.Linear(3, 2).double()
    weights = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, by_sex]])
    linear.weight.data, linear.bias.data = weights.double(), torch.zeros(2).double()
    columns = tuple(NumericColumn(name=name) for name in FEATURES)
    classes = ("yes", "no") if turned else ("no", "yes")
    return ModuleModel(linear.requires_grad_(False), Encoder(columns=columns), classes, "a model")


def settings_of(kind: str) -> AuditSettings:
    return default_settings(kind, metric=Expert(free=("sex",)), steps=50)


@pytest.mark.parametrize("by_sex", [0.0, 2.0])
@pytest.mark.parametrize("kind", PEOPLE)
def test_of_a_turned_model_nothing_is_claimed_and_nobody_is_named(kind: str, by_sex: float) -> None:
    verdicts = []
    for turned in (False, True):
        result = run_audit(model(by_sex=by_sex, turned=turned), people(), settings_of(kind), seed=1)
        findings = [find(result, KINDS[kind].decision(delta=delta)) for delta in TOLERANCES.get(kind, (0.001, 0.9))]
        verdicts.append({one.verdict for one in findings})
    assert verdicts[0] != {Verdict.INSUFFICIENT}
    assert verdicts[1] == {Verdict.INSUFFICIENT}
    for one in findings:
        assert (one.opening, one.named) == ("Insufficient evidence", "")
        assert one.reasons[0].what.endswith("Answers go against the outcomes, so nothing is claimed.")
        assert one.next_steps == (one.reasons[0].advice,)
        assert "nothing is claimed" in one.sentence
        assert shown_worse(one.verdict, [one]) == ("Whether any group is beyond the tolerance is open.",)
        assert sum("model is right" in caveat.what for caveat in (*one.reasons, *result.caveats)) == 0


@pytest.mark.parametrize("kind", TEXTS)
def test_of_a_turned_model_of_texts_nothing_is_claimed(kind: str) -> None:
    """The outcome is the class whose probability is above its median, and then the other."""
    frame, roles = make_texts(60), make_text_roles().model_copy(update={"outcome": "said", "favourable": "a"})
    begun = Dataset.build(frame.assign(said=np.resize(["a", "b"], 60)), roles)
    reader = make_text_model(begun, network=make_network(classes=("a", "b")))
    given = reader.predict_proba(reader.encode(begun))[:, 0]
    for above, below in (("a", "b"), ("b", "a")):
        said = np.where(given > np.median(given), above, below)
        dataset = Dataset.build(frame.assign(said=said), roles)
        result = run_audit(reader, dataset, default_settings(kind, status=NoStatus()), seed=1)
        for delta in (0.0001, 0.99):
            one = find(result, KINDS[kind].decision(delta=delta))
            assert bool(one.unclaimed) is (above == "b")
            assert not one.unclaimed or (one.verdict, one.opening) == (Verdict.INSUFFICIENT, "Insufficient evidence")


def test_a_model_that_is_merely_bad_is_judged() -> None:
    """Right less often than always answering the most frequent outcome, and not against it: a violation stays one."""
    result = run_audit(model(by_sex=9.0, turned=False), people(), settings_of("group_fairness"), seed=1)
    direction = result.model.direction
    assert direction is not None
    assert not direction.against
    assert find(result, KINDS["group_fairness"].decision(delta=0.001)).verdict is Verdict.VIOLATION


def test_the_audit_of_several_tests_says_once_why_nothing_is_claimed() -> None:
    turned, kinds = model(by_sex=2.0, turned=True), ("equalized_odds", "group_fairness")
    results = tuple(run_audit(turned, people(), settings_of(kind), seed=1) for kind in kinds)
    plans = tuple(
        AuditPlan(
            data={"kind": "two_groups"},
            roles=people().roles,
            model=PredictionColumns(columns=("a",)),
            audit=settings_of(kind),
            decision=KINDS[kind].decision(delta=0.001),
        )
        for kind in kinds
    )
    together = Together.of(Study(plans=plans), results)
    assert together.verdict is Verdict.INSUFFICIENT
    assert together.headline.startswith("Nothing is decided: answers go against the outcomes")
    assert together.sentence == results[0].model.against_outcomes[0].what


def claims(by_sex: float, seed: int, kinds: list[str], rows: int = 1_000) -> int:
    """How many claims all tests make of a turned model of one table."""
    found = 0
    for kind in kinds:
        result = run_audit(model(by_sex=by_sex, turned=True), people(seed, rows), settings_of(kind), seed=seed)
        for delta in TOLERANCES.get(kind, (0.001, 0.9)):
            one = find(result, KINDS[kind].decision(delta=delta))
            found += one.verdict is not Verdict.INSUFFICIENT or bool(one.named)
    return found


@pytest.mark.parametrize("by_sex", [0.0, 2.0])
def test_no_test_claims_anything_of_turned_models_of_some_tables(by_sex: float) -> None:
    quick = [kind for kind in PEOPLE if KINDS[kind].by_predictions]
    assert sum(claims(by_sex, seed, quick) for seed in range(2)) == 0


@pytest.mark.long
@pytest.mark.parametrize("rows", [200, 1_000, 4_000])
@pytest.mark.parametrize("by_sex", [0.0, 2.0])
def test_no_test_claims_anything_of_turned_models_of_many_tables(by_sex: float, rows: int) -> None:
    assert sum(claims(by_sex, seed, PEOPLE, rows) for seed in range(20)) == 0


def test_a_direction_that_is_not_against_changes_nothing() -> None:
    """The same result with and without a direction: the same verdict, headline and reasons."""
    result = run_audit(model(by_sex=2.0, turned=False), people(), settings_of("group_fairness"), seed=1)
    assert isinstance(result.model.direction, Direction)
    without = replace(result, model=replace(result.model, direction=None))
    decision = KINDS["group_fairness"].decision()
    one, other = find(result, decision), find(without, decision)
    assert (one.verdict, one.opening, one.reasons) == (other.verdict, other.opening, other.reasons)
