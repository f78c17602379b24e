"""What to do next is told where the evidence is insufficient, and only there."""

from dataclasses import replace

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.data.encoder import CategoricalColumn, Encoder
from core.inference.estimate import Verdict
from core.metrics import Expert
from tests.builders_transport import make_transport_result


def finding_of(result: TransportResult, delta: float) -> TransportFinding:
    return TransportFinding(result, TransportDecision(delta=delta))


def test_a_clear_verdict_needs_nothing() -> None:
    finding = finding_of(make_transport_result(), 0.0)
    assert finding.verdict is Verdict.VIOLATION
    assert finding.next_steps == ()


def test_an_estimate_near_the_tolerance_does_not_ask_for_more_people() -> None:
    result = make_transport_result()
    told = finding_of(result, round(0.97 * finding_of(result, 0.0).estimate, 4)).next_steps
    assert len(told) == 1
    assert told[0].startswith("What was found lies so near the tolerance that more people may not settle it: ")


def test_mixed_kinds_ask_for_other_kinds_and_for_the_model() -> None:
    result = make_transport_result(mixed=True, rows=400)
    finding = finding_of(result, finding_of(result, 0.0).estimate)
    assert finding.part.mixed > 0.2
    told = " ".join(finding.next_steps)
    assert "Tell people apart by other columns" in told
    assert "Ask for the model itself" in told


def test_what_is_chosen_already_is_not_advised() -> None:
    """A model that reads a protected attribute can be asked; who does so already is told another way."""
    result = make_transport_result(mixed=True, rows=400)
    encoder = Encoder(columns=(CategoricalColumn(name="sex", categories=("Female", "Male")),))
    asked = replace(result, model=replace(result.model, kind="Trees", encoder=encoder))
    chosen = replace(asked, audit=asked.audit.model_copy(update={"space": "all groups"}))
    delta = finding_of(result, 0.0).estimate
    in_the_table, everywhere = (" ".join(finding_of(one, delta).next_steps) for one in (asked, chosen))
    assert "Compare with the same people in every group" in in_the_table
    assert "same people in every group" not in everywhere
    assert "Count as similar who differ in protected attributes only" in everywhere


def test_costs_that_compare_nobody_across_a_protected_attribute_say_so() -> None:
    def told(*free: str) -> str:
        weights = tuple((name, 1e6) for name in ("race", "sex") if name not in free)
        metric = Expert(free=free, weights=weights)
        finding = finding_of(make_transport_result(similarity="metric", metric=metric), 0.0365)
        assert finding.moves.total > 0
        return " ".join(
            one.what for one in finding.reasons if "Everybody is judged like people of the same" in one.what
        )

    assert told("race", "sex") == ""
    assert "the same sex here" in told("race")
    assert "the same race and sex here" in told("charge")
