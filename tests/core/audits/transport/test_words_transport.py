"""The transport test in words: complete, true to the numbers, and never more than was shown."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.audits.transport import flow_wording, loss_units
from core.audits.transport import wording as words
from core.audits.transport.binning import column_text, kind_told
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.flows import GroupMove, Shared, largest_flows
from core.audits.transport.report import similar
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import CellColumn, MassLimit
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import who_is_alike
from core.inference.estimate import Verdict
from tests.builders_transport import make_transport_result
from tests.core.audits.transport.cases import dataset_of, people
from tests.core.audits.transport.cases import run as run_transport
from tests.findings import found

SHAPES: dict[Verdict, tuple[dict[str, Any], float]] = {
    Verdict.VIOLATION: ({}, 1.0),
    Verdict.NO_VIOLATION: ({"bias": 0.1}, 1.0),
    Verdict.INSUFFICIENT: ({}, 0.0),
}
LOSSES: tuple[Loss, ...] = ("0-1", "log", "squared")


POSSIBLE = [
    pytest.param(verdict, loss, id=f"{verdict.name}-{loss}")
    for verdict in SHAPES
    for loss in LOSSES
    if (verdict, loss) != (Verdict.NO_VIOLATION, "log")
]
"""A loss without a largest value excludes nothing."""


@pytest.fixture(scope="module")
def result() -> TransportResult:
    return make_transport_result()


def case(verdict: Verdict, loss: Loss) -> tuple[TransportResult, TransportDecision]:
    """A result and a reading with this verdict; insufficient where the tolerance lies within the interval."""
    settings, share = SHAPES[verdict]
    result = make_transport_result(**settings)
    decision = TransportDecision(loss=loss)
    if not share:
        decision = decision.model_copy(update={"delta": round(TransportFinding(result, decision).estimate, 4)})
    return result, decision


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"-?\d[\d,]*\.?\d*", text)]


@pytest.mark.parametrize(("verdict", "loss"), POSSIBLE)
def test_a_sentence_names_verdict_people_estimate_the_bounds_that_decide_and_tolerance(
    verdict: Verdict, loss: Loss
) -> None:
    result, decision = case(verdict, loss)
    assert TransportFinding(result, decision).verdict is verdict
    sentence = TransportFinding(result, decision).sentence
    estimate, factor = TransportFinding(result, decision).inference, loss_units.LOSS_UNITS[loss].factor
    low, high = estimate.lower_bound(decision.alpha), estimate.upper_bound(decision.alpha)
    decisive = {Verdict.VIOLATION: (low,), Verdict.NO_VIOLATION: (high,)}.get(verdict, (low, high))
    assert sentence.startswith(TransportFinding(result, decision).opening + ": ")
    assert sentence.endswith(".")
    assert max(len(one.split()) for one in sentence.split(". ")) <= 45
    assert loss_units.LOSS_UNITS[loss].name in sentence
    found = numbers(sentence)
    assert 1500 in found
    assert any(value == pytest.approx(factor * decision.delta) for value in found)
    assert np.isfinite(high) == (loss != "log")
    for value in filter(np.isfinite, (estimate.value, *decisive)):
        assert min(abs(factor * value - other) for other in found) <= 0.005


@pytest.mark.parametrize(("verdict", "loss"), POSSIBLE)
def test_no_sentence_promises_more_than_a_test_can(verdict: Verdict, loss: Loss) -> None:
    result, decision = case(verdict, loss)
    for text in (TransportFinding(result, decision).sentence, TransportFinding(result, decision).opening):
        assert not re.search(r"\bfair\b(?! metric)|compliant|unbiased|\bproves?\b", text, re.IGNORECASE)
        if verdict is Verdict.NO_VIOLATION:
            assert "with this definition of similar" in text


def test_the_bound_that_decides_is_in_the_sentence(result: TransportResult) -> None:
    decision = TransportDecision()
    lower = 100 * TransportFinding(result, decision).inference.lower_bound(0.05)
    sentence = TransportFinding(result, decision).sentence
    assert f"With 95% confidence it would rise by at least {lower:.2f}, more than the 3.65 tolerated." in sentence
    kind, upper_decision = case(Verdict.NO_VIOLATION, "squared")
    upper = TransportFinding(kind, upper_decision).inference.upper_bound(0.05)
    assert (
        f"at most {words.number(upper)}, within the 0.0365 tolerated. Equal treatment means"
        in TransportFinding(kind, upper_decision).sentence
    )


def test_similar_people_are_said_to_agree_in_what_makes_kinds_and_to_differ_in_all_else() -> None:
    finding = TransportFinding(*case(Verdict.NO_VIOLATION, "squared"))
    assert finding.verdict is Verdict.NO_VIOLATION
    agree = f"people who agree in {words.listed([column_text(one) for one in kinds_of(finding)])}"
    assert agree in finding.sentence
    assert "the same but for" not in finding.sentence
    assert similar(finding)[0].value == f"{who_is_alike(finding)}; in all else they may differ"


def alike(*columns: CellColumn) -> str:
    """Who counts as similar where these tell people apart."""
    dataset = dataset_of(people(60))
    return who_is_alike(found(run_transport(dataset, columns=columns)[0], TransportDecision()))


def test_which_values_count_as_alike_is_said() -> None:
    age, job = CellColumn(name="age", edges=(30, 45)), CellColumn(name="job")
    in_range = "in the same range of age (under 30; 30 to 44; 45 and over)"
    assert alike(age) == f"people {in_range}"
    assert alike(age, job) == f"people with the same job, and {in_range}"
    assert alike(job) == "people with the same job"
    assert alike(CellColumn(name="sex")) == "all people"
    many = CellColumn(name="age", edges=(21, 25, 31, 35, 41, 45))
    assert alike(many) == "people with the same age in 7 bins"


@pytest.mark.parametrize(
    ("merged", "told"),
    [
        ({"cook": "Other", "driver": "Other"}, "Other (cook, driver)"),
        (dict.fromkeys(("bachelor", "doctor", "master", "pupil"), "bachelor or 3 others"),
         "bachelor or 3 others (bachelor, doctor, master and 1 more)"),
        ({"cook": "cook or driver", "driver": "cook or driver"}, "cook or driver"),
        ({"b": "bachelor or 1 others", "bachelor": "bachelor or 1 others"}, "bachelor or 1 others (b, bachelor)"),
    ],
)  # fmt: skip
def test_values_put_together_are_named_where_their_column_is_told(merged: dict[str, str], told: str) -> None:
    column = CellColumn(name="job", merged=tuple(merged.items()))
    assert kind_told(column, next(iter(merged.values()))) == told
    assert kind_told(column, "clerk") == "clerk"
    assert column_text(column) == f"job (put together: {told})"


def test_the_report_names_the_values_that_were_put_together() -> None:
    result, decision = case(Verdict.NO_VIOLATION, "squared")
    first, *others = result.detail.cells.columns
    merged = CellColumn(name=first.name, merged=(("cook", "Other"), ("driver", "Other")))
    cells = replace(result.detail.cells, columns=(merged, *others))
    changed = replace(result, detail=replace(result.detail, cells=cells))
    facts = {fact.label: fact.value for fact in similar(TransportFinding(changed, decision))}
    assert f"{first.name} (put together: Other (cook, driver))" in facts["Columns that tell people apart"]


def kinds_of(finding: TransportFinding) -> list[CellColumn]:
    """The columns that tell people apart and are not protected."""
    cells = finding.detail.cells
    return [one for one in cells.columns if one.name not in cells.protected]


def test_the_budget_is_told_where_it_counts(result: TransportResult) -> None:
    assert "budget" not in TransportFinding(result, TransportDecision()).sentence
    metric = make_transport_result(similarity="metric")
    sentence = TransportFinding(metric, TransportDecision(budget=0.05)).sentence
    assert "if, within a budget of 0.050, people were judged like similar people" in sentence


def test_error_rates_are_told_in_percentage_points_and_other_losses_as_they_are() -> None:
    assert loss_units.amount(0.061, "0-1") == "6.10 percentage points"
    assert loss_units.amount(0.061, "log") == "0.061"
    assert loss_units.tolerance(TransportDecision(delta=0.0365)) == "3.65"
    assert loss_units.tolerance(TransportDecision(delta=0.07)) == "7"
    assert loss_units.tolerance(TransportDecision(delta=0.0365, loss="squared")) == "0.0365"


def test_a_loss_that_the_answers_do_not_allow_says_why_and_gives_no_number() -> None:
    result, decision = make_transport_result(decisions=True), TransportDecision(loss="log")
    sentence = TransportFinding(result, decision).sentence
    assert sentence == (
        "Insufficient evidence: this test gives no number, because the model gives decisions, not probabilities."
    )
    assert flow_wording.flow_sentences(TransportFinding(result, decision)) == ()


def test_a_verdict_that_is_withheld_says_why(result: TransportResult) -> None:
    """Nobody can be compared across groups, so an upper bound of 0 means nothing."""
    alone = replace(
        make_transport_result(bias=0.0).detail, comparable=np.zeros(len(result.detail.comparable), dtype=bool)
    )
    blind = replace(make_transport_result(bias=0.0), detail=alone)
    sentence = TransportFinding(blind, TransportDecision()).sentence
    assert sentence.startswith("Insufficient evidence: ")
    assert "The upper bound counts those whom the table does not show: 100.0% who can be " in sentence
    assert TransportFinding(blind, TransportDecision()).upper_bound > 0.5


def test_limits_that_cannot_be_met_at_this_budget_say_so() -> None:
    most = MassLimit(attribute="race", group="Black", at_least=0.42)
    result = make_transport_result(rows=400, similarity="metric", limits=(most,))
    sentence = TransportFinding(result, TransportDecision(budget=1e-6)).sentence
    assert sentence.startswith("Insufficient evidence: this test gives no number, because the limits cannot all be met")
    assert flow_wording.flow_sentences(TransportFinding(result, TransportDecision(budget=1e-6))) == ()


def test_moves_that_limits_force_are_told_as_they_are() -> None:
    most = MassLimit(attribute="race", group="Black", at_least=0.4)
    result = make_transport_result(rows=400, limits=(most,))
    told = flow_wording.flow_sentences(TransportFinding(result, TransportDecision()), 20)
    assert any(" have similar people misjudged no more. " in sentence for sentence in told)
    found = TransportFinding(result, TransportDecision()).moves
    assert found.people[result.detail.cells.frame["race"].to_numpy()[found.source] == "Black"].sum() >= 0.4 * 400 - 1e-6


def test_what_rounding_leaves_of_nothing_is_nothing() -> None:
    result, decision = make_transport_result(bias=0.0), TransportDecision(loss="log")
    assert "would rise by 0.00 (" in TransportFinding(result, decision).sentence
    assert flow_wording.flow_sentences(TransportFinding(result, decision)) == ()


def test_the_largest_flows_are_told_with_their_people(result: TransportResult) -> None:
    decision = TransportDecision()
    cells = result.detail.cells
    finding = TransportFinding(result, decision)
    flows = largest_flows(cells, finding.part.sample.losses, finding.moves)
    sentences = flow_wording.flow_sentences(finding, 5)
    assert len(sentences) == 5
    for flow, sentence in zip(flows, sentences, strict=True):
        alike = (cells.group == flow.origin) & (cells.label == flow.label)
        for one in flow.shared:
            alike &= (one.people < flow.people) | cells.frame[one.column].astype(str).isin(one.values).to_numpy()
        assert flow.people <= flow.such == cells.people[alike].sum()
        assert sentence.startswith(
            (f"{flow.people:.0f} people with ", f"{flow.people:.0f} of {flow.such:.0f} people with ")
        )
        own, other = cells.labels[flow.label], cells.labels[1 - flow.label]
        assert f" people with outcome reoffended = {own} (race = " in sentence
        assert f" are predicted reoffended = {other}, " in sentence
        favour = cells.labels[flow.label] == "yes"
        assert (", in their favour;" if favour else ", against them;") in sentence


PAPER = GroupMove(
    people=31.0,
    such=31.0,
    label=0,
    origin=1,
    targets=(2,),
    shares=(1.0,),
    alike=0.0,
    heaviest=0.0,
    loss_before=0.0,
    loss_after=1.0,
    favourable_before=0.0,
    favourable_after=1.0,
    shared=(Shared("age", ("45 and over",), 31.0),),
    changed=(),
)


def told(flow: GroupMove, *, loss: Loss = "0-1", exact: bool = True) -> str:
    cells = make_transport_result(rows=400).detail.cells
    return flow_wording.flow_sentence(cells, flow, loss, outcome="reoffended", exact=exact)


def test_the_papers_own_example_reads_as_in_the_paper() -> None:
    """Section 5.1: 31 Black males older than 45 correctly classified as recidivists, misclassified if White females."""
    assert told(PAPER) == (
        "31 people (race = Black, sex = Male; age = 45 and over) are rightly predicted reoffended = yes. Among people "
        "with race = White and sex = Female they would be predicted reoffended = no, in their favour."
    )


def test_a_conjecture_about_similar_people_is_not_told_as_one_about_the_same() -> None:
    assert told(PAPER, exact=False) == (
        "31 people with outcome reoffended = yes (race = Black, sex = Male; age = 45 and over) have similar people "
        "misjudged more. Of the similar people with race = White and sex = Female, 100% are predicted reoffended "
        "= no, in their favour; of the 31, 0%."
    )
    for change in ({"changed": (("age", 31.0),)}, {"loss_after": 0.8}, {"targets": (1,), "changed": (("age", 31.0),)}):
        assert "they would" not in told(replace(PAPER, **change))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (
            {"people": 1.0, "such": 2.0},
            "1 person (race = Black, sex = Male) is rightly predicted reoffended = yes. Among ",
        ),
        ({"such": 31.4}, "31 people ("),
        ({"people": 876.9, "such": 2000.0}, "about 877 people ("),
        ({"people": 1.0}, "1 person ("),
        ({"people": 1.0}, "that person would be predicted reoffended = no"),
        ({"people": 30.6}, "about 31 people ("),
        ({"people": 0.2}, "less than one person ("),
        ({"people": 1204.0}, "1,204 people ("),
        ({"targets": (0,)}, "Among people with sex = Female they would"),
        (
            {"targets": (1,), "changed": (("age", 31.0),)},
            "Of the similar people of the same group who differ in age, 100% are",
        ),
        (
            {"changed": (("age", 31.0), ("charge", 3.0))},
            "sex = Female who differ in age and charge (3 of 31), 100% are",
        ),
        ({"targets": (2, 3), "shares": (0.5, 0.5)}, "Among people with race = White they would be"),
        ({"targets": (0, 2), "shares": (0.5, 0.5)}, "Among people with sex = Female they would be"),
        ({"targets": (3, 0), "shares": (0.7, 0.3)}, "Among people mostly with race = White they would be"),
        ({"targets": (3, 0, 2), "shares": (0.4, 0.3, 0.3)}, "Among people mostly with race = White they would be"),
        ({"targets": (3, 0), "shares": (0.5, 0.5)}, "Among people of several groups they would be"),
        (
            {"targets": (2, 1), "shares": (0.7, 0.3), "alike": 9.0},
            "Of the similar people mostly with race = White and sex = Female (9 people, weighted to match), 100% are",
        ),
        ({"loss_before": 0.2, "loss_after": 0.8}, "of the 31, 20%."),
        (
            {"alike": 9.0, "loss_after": 0.8},
            "White and sex = Female (9 people, weighted to match), 80% are",
        ),
        (
            {"alike": 9.0, "heaviest": 0.35, "loss_after": 0.8},
            "sex = Female (9 people, weighted to match: one alone for 35% of them), 80% are",
        ),
        ({"loss_before": 0.00001}, "of the 31, 0.1%."),
        ({"loss_before": 0.0, "loss_after": 0.99999}, ", 99.9% are predicted"),
        ({"favourable_before": 1.0, "favourable_after": 0.0}, "= no, against them."),
        ({"favourable_before": 0.4, "favourable_after": 0.6}, "predicted reoffended = no."),
        ({"favourable_after": float("nan")}, "predicted reoffended = no."),
        (
            {"shared": (Shared("age", ("30 to 44", "45 and over"), 31.0),)},
            "sex = Male; age = 30 to 44 or 45 and over) are",
        ),
        ({"shared": ()}, "31 people (race = Black, sex = Male) are"),
        (
            {"shared": (Shared("age", ("45 and over",), 27.0),)},
            "(race = Black, sex = Male) are",
        ),
        (
            {"shared": (Shared("age", ("45 and over",), 27.0),)},
            "favour. Among the 31 are 27 with age = 45 and over.",
        ),
        (
            {"shared": (Shared("age", ("45 and over",), 31.0), Shared("charge", ("felony",), 25.6))},
            "(race = Black, sex = Male; age = 45 and over) are",
        ),
        (
            {"shared": (Shared("age", ("45 and over",), 31.0), Shared("charge", ("felony",), 25.6))},
            ". Among the 31 are 26 with charge = felony.",
        ),
    ],
)
def test_every_kind_of_flow_reads_well(change: dict[str, Any], part: str) -> None:
    sentence = told(replace(PAPER, **{"such": change.get("people", PAPER.people), **change}))
    assert part in sentence
    assert sentence.endswith(".")
    assert "nan" not in sentence


def test_parts_of_people_are_told_as_whole_ones() -> None:
    about = replace(PAPER, people=876.9, shared=(), changed=(("age", 644.0), ("charge", 232.9), ("priors", 876.8)))
    assert "who differ in age (644 of 877), charge (233 of 877) and priors, 100% are" in told(about)


def test_a_value_that_holds_others_says_which() -> None:
    """123 of "Other" and three of another race that was put together with it are no 126 of "Other"."""
    cells = make_transport_result(rows=400).detail.cells
    others = tuple(one for one in cells.columns if one.name != "race")

    def told_of(*held: str, flow: GroupMove = PAPER) -> str:
        merged = CellColumn(name="race", merged=tuple((value, "White") for value in held))
        put_together = replace(cells, columns=(*others, merged))
        return flow_wording.flow_sentence(put_together, flow, "0-1", outcome="reoffended", exact=True)

    assert "with race = White (with Eskimo and Asian) and sex = Female they would" in told_of(
        "Eskimo", "Asian", "White"
    )
    many = told_of("Eskimo", "Asian", "Greek", "White")
    assert "with race = White (with 3 more) and sex = Female" in many
    assert many.endswith(" Here race = White (with 3 more) includes Eskimo, Asian and Greek.")
    assert told_of("Eskimo", "Asian").endswith(" Here race = White includes Eskimo and Asian."), "no value of its own"
    assert "includes" not in told_of("Eskimo", "Asian", flow=replace(PAPER, targets=(PAPER.origin,)))


def test_probabilities_are_told_as_losses() -> None:
    assert told(replace(PAPER, loss_before=0.31, loss_after=0.94), loss="log") == (
        "31 people with outcome reoffended = yes (race = Black, sex = Male; age = 45 and over) have similar people "
        "misjudged more. Of the similar people with race = White and sex = Female, the logarithmic loss is 0.94 on "
        "average; of the 31, 0.31."
    )
    assert "the squared error is 0.311 on average; of the 31, 0.310." in told(
        replace(PAPER, loss_before=0.3104, loss_after=0.3106), loss="squared"
    )


@pytest.mark.parametrize(
    "shape",
    [{"groups": "many"}, {"labels": 3}, {"mixed": True}, {"fine": True}, {"similarity": "metric"}, {"hostile": True}],
)
def test_sentences_of_any_result_are_whole(shape: dict[str, Any]) -> None:
    result = make_transport_result(**shape)
    for loss in result.detail.losses:
        decision = TransportDecision(loss=loss)
        for sentence in (
            *flow_wording.flow_sentences(TransportFinding(result, decision), 8),
            words.price_sentence(TransportFinding(result, decision)),
            words.mixed_sentence(TransportFinding(result, decision)),
            TransportFinding(result, decision).sentence,
        ):
            assert sentence.endswith(".")
            assert "  " not in sentence
            assert "nan" not in sentence
            assert sentence[0].isupper() or sentence[0].isdigit() or sentence.startswith(("about", "less"))


def test_only_unbinned_columns_that_hold_all_the_model_reads_are_exact() -> None:
    fine, binned = (
        TransportFinding(made, TransportDecision())
        for made in (make_transport_result(fine=True), make_transport_result())
    )
    assert any("they would" in sentence for sentence in flow_wording.flow_sentences(fine, 8))
    assert not any("they would" in sentence for sentence in flow_wording.flow_sentences(binned, 8))


def test_the_price_is_told_for_a_step_that_suits_the_budget() -> None:
    result = make_transport_result(similarity="metric")
    for budget, step in ((0.003, "0.0001"), (0.05, "0.01"), (0.2, "0.01")):
        decision = TransportDecision(budget=budget)
        price = 100 * TransportFinding(result, decision).solution.price * float(step)
        assert words.price_sentence(TransportFinding(result, decision)) == (
            f"A further {step} of budget beyond {words.number(budget)} raises the error rate by up to "
            f"{words.number(price)} percentage points."
        )
        more = TransportFinding(result, decision).curve.at(np.array([budget, budget + float(step)]))
        assert 100 * np.diff(more)[0] <= price + 1e-9


def test_where_the_budget_buys_nothing_the_words_say_so(result: TransportResult) -> None:
    assert "size of the budget has no effect" in words.price_sentence(TransportFinding(result, TransportDecision()))
    metric = make_transport_result(similarity="metric")
    assert "would change nothing" in words.price_sentence(TransportFinding(metric, TransportDecision(budget=1e6)))


def test_the_first_bit_of_budget_buys_at_most_all_there_is() -> None:
    metric = make_transport_result(similarity="metric")
    curve = TransportFinding(metric, TransportDecision()).curve
    rest = 100 * (curve.values[-1] - curve.values[0])
    assert words.price_sentence(TransportFinding(metric, TransportDecision(budget=0.0))) == (
        f"A further 0.1 of budget raises the error rate by up to {words.number(rest)} percentage points."
    )


def test_mixed_kinds_are_counted_and_explained(result: TransportResult) -> None:
    assert "not estimated" in words.mixed_sentence(TransportFinding(result, TransportDecision()))
    mixed, decision = make_transport_result(mixed=True), TransportDecision()
    share = TransportFinding(mixed, decision).part.mixed
    assert 0.2 < share < 0.9
    assert words.mixed_sentence(TransportFinding(mixed, decision)).startswith(
        f"{words.percent(round(share, 3))} of people agree with others"
    )


@pytest.mark.parametrize(
    ("people", "plain", "signed"),
    [
        (31.0, "31", "+31"),
        (-31.0, "31", "−31"),
        (0.0, "0", "0"),
        (-0.0, "0", "0"),
        (3.62, "3.6", "+3.6"),
        (30.62, "31", "+31"),
        (-0.01, "< 0.1", "≈ 0"),
        (12_345.0, "12,345", "+12,345"),
        (123.97, "124", "+124"),
    ],
)
def test_people_are_whole_where_they_are_and_where_they_are_many(people: float, plain: str, signed: str) -> None:
    assert flow_wording.people_text(people) == plain
    assert flow_wording.people_text(people, signed=True) == signed
