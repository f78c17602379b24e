"""What to do next is told where the evidence is insufficient, and only there."""

from typing import cast

from core.audits.transport.decision import TransportDecision
from core.audits.transport.wording_next import next_steps
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from tests.builders_transport import make_transport_plan, make_transport_result


def plan() -> AuditPlan:
    made = make_transport_plan()
    return made.model_copy(update={"model": PredictionColumns(columns=("prediction",))})


def test_a_clear_verdict_needs_nothing() -> None:
    result, decision = make_transport_result(), TransportDecision(delta=0.0)
    assert result.detail.verdict(decision) is Verdict.VIOLATION
    assert next_steps(plan(), result, decision) == ()


def test_an_estimate_near_the_tolerance_asks_for_more_people() -> None:
    result = make_transport_result()
    value = result.detail.estimate(TransportDecision()).value
    told = next_steps(plan(), result, TransportDecision(delta=round(0.97 * value, 4)))
    assert len(told) == 1
    assert told[0].startswith("Bring more people: ")


def test_mixed_kinds_ask_for_other_kinds_and_for_the_model() -> None:
    result = make_transport_result(mixed=True, rows=400)
    decision = TransportDecision(delta=cast(float, result.detail.estimate(TransportDecision()).value))
    assert result.detail.part(decision).mixed > 0.2
    told = " ".join(next_steps(plan(), result, decision))
    assert "Change the kinds of people" in told
    assert "Ask for the model itself" in told
