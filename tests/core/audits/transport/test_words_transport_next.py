"""What to do next is told where the evidence is insufficient, and only there."""

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from tests.builders_transport import make_transport_result


def finding_of(result: TransportResult, delta: float) -> TransportFinding:
    return TransportFinding(result, TransportDecision(delta=delta))


def test_a_clear_verdict_needs_nothing() -> None:
    finding = finding_of(make_transport_result(), 0.0)
    assert finding.verdict is Verdict.VIOLATION
    assert finding.next_steps == ()


def test_an_estimate_near_the_tolerance_asks_for_more_people() -> None:
    result = make_transport_result()
    told = finding_of(result, round(0.97 * finding_of(result, 0.0).estimate, 4)).next_steps
    assert len(told) == 1
    assert told[0].startswith("Bring more people: ")


def test_mixed_kinds_ask_for_other_kinds_and_for_the_model() -> None:
    result = make_transport_result(mixed=True, rows=400)
    finding = finding_of(result, finding_of(result, 0.0).estimate)
    assert finding.part.mixed > 0.2
    told = " ".join(finding.next_steps)
    assert "Tell people apart by other columns" in told
    assert "Ask for the model itself" in told
