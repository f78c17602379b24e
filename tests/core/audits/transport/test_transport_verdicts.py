"""From a reading to a verdict, and what is told beside it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.transport import values
from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, Transport
from core.audits.transport.unseen import within_kinds
from core.audits.transport.verdict import TransportFinding
from core.contracts.metric import FittedMetric
from core.inference.estimate import Estimate, Verdict
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from core.metrics import Expert
from tests.core.audits.transport.cases import dataset_of, identity, run
from tests.findings import found as finding_of
from tests.findings import verdict_of

JOB_AND_TOWN = (CellColumn(name="job"), CellColumn(name="town"))


def groups_of(wrong: dict[tuple[str, str], tuple[int, int]]) -> pd.DataFrame:
    """A table of jobs and sexes with so many people in two towns, so many of them decided wrongly."""
    rows = [
        (job, sex, "yes" if person % 2 else "no", person < errors, "north" if person // 2 % 2 else "south")
        for (job, sex), (people, errors) in wrong.items()
        for person in range(people)
    ]
    frame = pd.DataFrame(rows, columns=["job", "sex", "good", "wrong", "town"])
    turned = frame["good"].map({"yes": "no", "no": "yes"})
    return frame.assign(says=frame["good"].where(~frame["wrong"], turned))


def audited(frame: pd.DataFrame, **settings: Any) -> TransportDetail:
    dataset = dataset_of(frame, protected=("sex",), features=("job", "town"))
    return run(dataset, **{"columns": JOB_AND_TOWN, **settings})[0]


def texts(detail: TransportDetail, decision: TransportDecision) -> str:
    return "\n".join(f"{caveat.level}: {caveat.what}" for caveat in finding_of(detail, decision).reasons)


UNFAIR = {("clerk", "Female"): (300, 150), ("clerk", "Male"): (300, 30)}
ONE_GROUP_WRONG = {("clerk", "Female"): (60, 60), ("clerk", "Male"): (540, 0)}
FAIR = {("clerk", "Female"): (300, 0), ("clerk", "Male"): (300, 0)}


def test_bounds_reach_error_rates_that_the_draws_of_the_settings_do_not() -> None:
    """Many models or tests share an error rate: 200 draws reach 1% for an interval, and 5% of 50 is 0.1%."""
    detail = audited(groups_of(UNFAIR), draws=200)
    usual, strict, strictest = (finding_of(detail, TransportDecision(alpha=alpha)) for alpha in (0.05, 0.001, 0.0001))
    assert len(usual.seen.estimate.roots) == 200
    assert len(strict.seen.estimate.roots) == 20_000
    lows, highs = zip(*((one.lower_bound, one.upper_bound) for one in (usual, strict, strictest)), strict=True)
    assert 1 > highs[2] > highs[1] > highs[0] > lows[0] > lows[1] > lows[2] > 0
    assert usual.seen.value == strict.seen.value


def test_draws_that_would_take_long_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_DRAWN", 10_000)
    finding = finding_of(audited(groups_of(UNFAIR), draws=200), TransportDecision(alpha=0.001))
    assert len(finding.seen.estimate.roots) == 200
    assert finding.upper_bound == 1


def test_the_three_verdicts() -> None:
    unfair, fair = audited(groups_of(UNFAIR)), audited(groups_of(FAIR))
    assert finding_of(unfair, TransportDecision()).verdict is Verdict.VIOLATION
    assert (
        finding_of(audited(groups_of(ONE_GROUP_WRONG)), TransportDecision(delta=0.95)).verdict is Verdict.NO_VIOLATION
    )
    value = finding_of(unfair, TransportDecision()).estimate
    assert finding_of(unfair, TransportDecision(delta=value)).verdict is Verdict.INSUFFICIENT
    assert finding_of(fair, TransportDecision()).verdict is Verdict.NO_VIOLATION
    assert not finding_of(fair, TransportDecision()).reasons


def test_no_verdict_rests_on_a_metric_that_was_learned() -> None:
    learned = replace(identity(2), learned_on=300)
    for people, declared in ((UNFAIR, Verdict.VIOLATION), (FAIR, Verdict.NO_VIOLATION)):
        detail = audited(groups_of(people))
        assert finding_of(detail, TransportDecision(), metric=identity(2)).verdict is declared
        finding = finding_of(detail, TransportDecision(), metric=learned)
        assert finding.verdict is Verdict.INSUFFICIENT
        assert finding.estimate == finding_of(detail, TransportDecision()).estimate
        assert "300 rows" in finding.reasons[0].what
        assert "given exactly this metric" in finding.sentence
        assert "Declare who counts as similar" in finding.next_steps[0]


def test_a_violation_is_also_found_by_every_other_method() -> None:
    unfair = audited(groups_of(UNFAIR))
    for method in ("m out of n, chosen from the data", "directional derivative", "closed form", "Efron"):
        assert finding_of(unfair, TransportDecision(method=method)).verdict is Verdict.VIOLATION


def test_people_nobody_can_be_compared_with_prevent_a_no_violation() -> None:
    blind = audited(
        groups_of({("clerk", "Female"): (200, 0), ("clerk", "Male"): (20, 0), ("driver", "Male"): (300, 0)})
    )
    decision = TransportDecision()
    assert blind.comparable_share == pytest.approx(220 / 520)
    assert verdict_of(finding_of(blind, decision).seen, decision.delta, 0.05) is Verdict.NO_VIOLATION
    assert finding_of(blind, decision).verdict is finding_of(blind, decision).by_claims is Verdict.INSUFFICIENT
    assert "57.7% who can be compared with nobody" in texts(blind, decision)
    assert finding_of(blind, decision).reasons[0].level == "serious"


def test_the_upper_bound_is_held_against_those_who_were_looked_at() -> None:
    detail = audited(groups_of({**ONE_GROUP_WRONG, ("driver", "Male"): (300, 0)}))
    decision = TransportDecision()
    upper = finding_of(detail, decision).seen.upper_bound(0.05)
    assert detail.comparable_share == pytest.approx(2 / 3)
    # A third of the people, none of them wrongly judged, are compared with nobody: they may all be treated worse.
    tight, wide = (TransportDecision(delta=upper + share) for share in (0.33, 0.34))
    assert finding_of(detail, tight).verdict is Verdict.INSUFFICIENT
    assert "33.3% who can be compared with nobody" in texts(detail, tight)
    assert finding_of(detail, wide).verdict is Verdict.NO_VIOLATION


def test_too_few_people_to_have_seen_every_kind_prevent_a_no_violation() -> None:
    small = audited(groups_of({("clerk", "Female"): (20, 0), ("clerk", "Male"): (20, 0)}))
    decision = TransportDecision()
    assert finding_of(small, decision).seen.upper_bound(0.05) == 0.0
    assert finding_of(small, decision).upper_bound == pytest.approx(-np.log(0.05) / 40)
    assert finding_of(small, decision).verdict is Verdict.INSUFFICIENT
    # -log(0.05) / 40 = 7.5%, and 83 people are needed for 3.65%.
    assert "7.5% of the population" in texts(small, decision)
    assert "83 rows" in finding_of(small, decision).reasons[0].advice


def test_people_alone_in_cells_coarser_than_the_model_reads_give_no_verdict() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": np.arange(60) * 2,
            "job": rng.choice(["clerk", "driver"], 60),
            "sex": ["Female", "Male"] * 30,
            "good": rng.choice(["no", "yes"], 60),
        }
    )
    frame["says"] = np.where(frame["sex"] == "Female", frame["good"], np.where(frame["good"] == "yes", "no", "yes"))
    dataset = dataset_of(frame, protected=("sex",), features=("age", "job"))
    everyone = DifferOnlyIn(columns=("sex", "age"))
    edges = tuple(float(edge) for edge in range(2, 120, 2))
    coarse = run(dataset, columns=(CellColumn(name="age", edges=edges), CellColumn(name="job")), similarity=everyone)[0]
    exact = run(dataset, columns=(CellColumn(name="age"), CellColumn(name="job")), similarity=everyone)[0]
    decision = TransportDecision()
    assert (coarse.coarse, exact.coarse) == (True, False)
    assert coarse.cells.alone == exact.cells.alone == 1.0
    assert finding_of(exact, decision).verdict is Verdict.VIOLATION
    assert finding_of(coarse, decision).verdict is Verdict.INSUFFICIENT
    assert "serious: 100% of the people are like nobody else" in texts(coarse, decision)


def test_people_alone_who_are_compared_at_a_distance_may_be_cleared() -> None:
    frame = pd.DataFrame(
        {"age": np.arange(400) * 1.0, "sex": ["Female", "Male"] * 200, "good": ["no"] * 200 + ["yes"] * 200}
    )
    dataset = dataset_of(frame.assign(says=frame["good"]), protected=("sex",), features=("age",))
    metric = FittedMetric("age", ("age",), np.eye(1), np.empty((0, 1)), np.empty(0))
    detail, caveats = run(
        dataset, columns=(CellColumn(name="age"),), metric=metric, similarity=ByMetric(metric=Expert())
    )
    assert detail.cells.alone == 1.0
    assert detail.by_distance
    assert not caveats
    assert finding_of(detail, TransportDecision()).verdict is Verdict.NO_VIOLATION
    nothing = TransportDecision(budget=0.0)
    # No budget could change the value: nobody is wrong.
    assert finding_of(detail, nothing).verdict is Verdict.NO_VIOLATION


def test_mixed_cells_are_told_and_need_both_halves() -> None:
    unfair = audited(groups_of(UNFAIR))
    decision = TransportDecision()
    assert "info: 100% of the people agree with others whom the model treats differently" in texts(unfair, decision)
    found = finding_of(unfair, decision).seen
    assert isinstance(found, Checked)
    doubtful = finding_of(unfair, decision)
    unconfirmed = Checked(found.estimate, CrossFitted((Estimate(0.0, 0.01, found.n),)))
    doubtful.once(("estimate", "0-1", doubtful.budget, decision.method, unfair.draws), lambda: unconfirmed)
    assert doubtful.verdict is Verdict.INSUFFICIENT
    told = next(caveat for caveat in doubtful.reasons if caveat.what.startswith("Searched for among all people"))
    assert told.advice == "", "kinds that hide what decides are not to be made coarser"


def test_many_people_in_mixed_cells_are_told_as_serious_with_what_to_do() -> None:
    few = {("clerk", "Female"): (300, 0), ("clerk", "Male"): (300, 0), ("driver", "Male"): (100, 12)}
    many = {**few, ("clerk", "Male"): (300, 32)}
    told = {
        name: finding_of(audited(groups_of(people)), TransportDecision()).reasons
        for name, people in (("0", few), ("1", many))
    }
    for name, level, share in (("0", "warning", "14%"), ("1", "serious", "57%")):
        hides = next(caveat for caveat in told[name] if "hide" in caveat.what)
        assert hides.level == level
        assert f"{share} of the people are compared with some whom the model treats differently" in hides.what
        assert "more finely" in hides.advice


def test_the_column_that_would_tell_a_mixed_kind_apart_is_named() -> None:
    frame = groups_of({("clerk", "Female"): (400, 0), ("clerk", "Male"): (400, 0)})
    shift = np.where(np.arange(800) // 4 % 2, "early", "late")
    frame = frame.assign(shift=shift, says=np.where(shift == "late", "yes", "no"))
    dataset = dataset_of(frame, protected=("sex",), features=("job", "town", "shift"))
    detail, _ = run(dataset, columns=JOB_AND_TOWN)
    assert detail.hides == "shift"
    finding = finding_of(detail, TransportDecision())
    advice = next(caveat.advice for caveat in finding.reasons if "hide" in caveat.what)
    assert advice.startswith("Tell people apart by 'shift' too.")
    assert "by 'shift'" in finding.sentence
    assert any("'shift'" in limit for limit in finding.assumptions)
    assert run(dataset, columns=(*JOB_AND_TOWN, CellColumn(name="shift")))[0].hides == ""


def test_a_column_that_tells_people_apart_already_is_only_proposed_in_finer_limits() -> None:
    frame = groups_of({("clerk", "Female"): (400, 0), ("clerk", "Male"): (400, 0)})
    hours = np.arange(800) // 4 % 4
    frame = frame.assign(hours=hours, says=np.where(hours > 1, "yes", "no"))
    dataset = dataset_of(frame, protected=("sex",), features=("job", "town", "hours"))
    detail, _ = run(dataset, columns=(*JOB_AND_TOWN, CellColumn(name="hours", edges=(0.5,))))
    assert detail.hides == "hours"
    finding = finding_of(detail, TransportDecision())
    advice = next(caveat.advice for caveat in finding.reasons if "hide" in caveat.what)
    assert advice.startswith("Tell people apart by finer limits of 'hours'.")
    assert "'hours' too" not in advice
    assert "mostly by finer differences in 'hours'" in finding.sentence


def test_kinds_that_hide_what_the_model_decides_on_are_cleared_on_their_condition_only() -> None:
    """At most .9 of everybody could lose within mixed kinds: 2,000 of them, 400 or all of a mixed kind."""
    decision = TransportDecision(delta=0.9)
    for wrong, conditional in ((0, False), (2, False), (40, True)):
        detail = audited(groups_of({("clerk", "Female"): (1000, wrong), ("clerk", "Male"): (1000, wrong)}))
        finding = finding_of(detail, decision)
        assert (finding.verdict, finding.conditional) == (Verdict.NO_VIOLATION, conditional)
        assert ("on average among people who agree in job and town" in finding.sentence) is conditional
    assert "or hide one" in texts(detail, decision)
    assert finding_of(detail, TransportDecision(delta=0.99)).verdict is Verdict.NO_VIOLATION


def test_what_mixed_kinds_may_hide_is_all_who_are_judged_rightly_in_them() -> None:
    """148 of 1,000 are judged rightly in mixed kinds: Clopper and Pearson's upper bound of that share at 2.5%."""
    from scipy.stats import beta

    people = {("clerk", "Female"): (500, 0), ("clerk", "Male"): (350, 0), ("driver", "Female"): (76, 2)}
    detail = audited(groups_of({**people, ("driver", "Male"): (74, 0)}))
    decision = TransportDecision(delta=0.3)
    finding = finding_of(detail, decision)
    found = within_kinds(detail, finding.part, ("sex",), 0.025)
    kinds = finding.detail.cells.frame.assign(label=finding.detail.cells.label, people=finding.detail.cells.people)
    mixed = (
        kinds.assign(mixed=finding.part.sample.variances > 0)
        .groupby(["job", "town", "label"])
        .filter(lambda kind: kind["mixed"].any())
    )
    rightly = int(mixed["people"].sum()) - 2
    assert found == pytest.approx(beta.ppf(0.975, rightly + 1, 1000 - rightly))
    assert within_kinds(detail, replace(finding.part, loss="squared"), ("sex",), 0.025) == np.inf
    assert not finding.conditional


def test_an_attribute_that_everybody_compared_has_in_common_prevents_a_no_violation() -> None:
    """Race decides everything, but people are compared with people of their own race only."""
    frame = pd.concat([groups_of(FAIR).assign(race="a"), groups_of(FAIR).assign(race="b")], ignore_index=True)
    frame.loc[frame["race"] == "b", "says"] = frame["good"].map({"yes": "no", "no": "yes"})
    dataset, decision = dataset_of(frame, features=("job", "town")), TransportDecision()
    by_sex, by_both = (
        run(dataset, columns=JOB_AND_TOWN, similarity=DifferOnlyIn(columns=columns))[0] for columns in (("sex",), ())
    )
    audit = Transport(similarity=DifferOnlyIn(columns=("sex",)))
    blind = finding_of(by_sex, decision, audit=audit)
    assert blind.by_claims is Verdict.NO_VIOLATION
    assert blind.verdict is Verdict.INSUFFICIENT
    assert "People were compared with people of the same race only" in blind.reasons[0].what
    assert finding_of(by_both, decision).verdict is Verdict.VIOLATION


@pytest.mark.parametrize(("people", "verdict"), [(120, Verdict.INSUFFICIENT), (300, Verdict.VIOLATION)])
def test_few_people_in_mixed_cells_carry_no_claim(people: int, verdict: Verdict) -> None:
    unfair = audited(groups_of({("clerk", "Female"): (people, people // 2), ("clerk", "Male"): (people, 1)}))
    decision = TransportDecision()
    assert finding_of(unfair, decision).inference.lower_bound(0.05) > decision.delta
    assert finding_of(unfair, decision).verdict is verdict
    assert ("people are too few where similar people are treated" in texts(unfair, decision)) is (
        verdict is Verdict.INSUFFICIENT
    )


def test_chance_alone_is_no_violation() -> None:
    """With the same error rate everywhere and many small cells the value is well above 0 by chance alone."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "job": rng.integers(40, size=1600).astype(str),
            "sex": rng.choice(["Female", "Male"], 1600),
            "good": rng.choice(["no", "yes"], 1600),
            "town": "south",
        }
    )
    frame["says"] = np.where(rng.random(1600) < 0.3, frame["good"].map({"yes": "no", "no": "yes"}), frame["good"])
    detail = audited(frame, draws=1000)
    decision = TransportDecision()
    found = finding_of(detail, decision).seen
    assert isinstance(found, Checked)
    assert abs(found.value) < 0.02
    assert found.estimate.value > 0.05
    assert found.estimate.lower_bound(0.05) > decision.delta
    assert finding_of(detail, decision).verdict is Verdict.INSUFFICIENT


def test_a_bound_within_its_monte_carlo_error_of_delta_is_told() -> None:
    unfair = audited(groups_of(UNFAIR), draws=200)
    plain = replace(unfair, parts=tuple(replace(part, splits=()) for part in unfair.parts))
    found = finding_of(plain, TransportDecision()).seen
    assert isinstance(found, ResampledEstimate)
    close = TransportDecision(delta=found.lower_bound(0.05) - 0.1 * found.lower_error(0.05))
    assert "The lower bound" in texts(plain, close)
    assert "more bootstrap draws than 200" in "".join(caveat.advice for caveat in finding_of(plain, close).reasons)
    assert "Monte-Carlo" not in texts(plain, TransportDecision(delta=0.01))


def test_a_loss_that_is_not_there_has_no_verdict() -> None:
    detail = audited(groups_of(UNFAIR))
    decision = TransportDecision(loss="squared")
    assert finding_of(detail, decision).verdict is Verdict.INSUFFICIENT
    (only,) = finding_of(detail, decision).reasons
    assert only.level == "serious"
    assert "decisions" in only.what
    assert "0-1" in only.advice


def test_a_method_that_does_not_hold_here_clears_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    fair = audited(groups_of(FAIR))
    assert finding_of(fair, TransportDecision(method="Efron")).doubts == ()
    monkeypatch.setattr(TransportFinding, "doubts", ("The value has a kink.",))
    assert finding_of(fair, TransportDecision(method="Efron")).verdict is Verdict.INSUFFICIENT
    assert "warning: The value has a kink." in texts(fair, TransportDecision(method="Efron"))
    unfair = audited(groups_of(UNFAIR))
    assert finding_of(unfair, TransportDecision(method="Efron")).verdict is Verdict.VIOLATION
    assert "kink" in texts(unfair, TransportDecision(method="Efron"))


def test_the_closed_form_is_doubted_at_a_kink_of_the_value() -> None:
    """The budget is exactly what all useful moves cost: one price is optimal below it, another above."""
    people = {("clerk", "Female"): 60, ("clerk", "Male"): 30, ("driver", "Female"): 120, ("driver", "Male"): 30}
    frame = groups_of({who: (300, errors) for who, errors in people.items()}).assign(score=0.0)
    frame.loc[frame["sex"] == "Male", "score"] = 1.0
    dataset = dataset_of(frame, protected=("sex",), features=("score", "job"))
    metric = FittedMetric("score", ("score", "job"), np.diag([1.0, 0.0]), np.empty((0, 2)), np.empty(0))
    columns = (CellColumn(name="score"), CellColumn(name="job"))
    detail = run(dataset, metric=metric, columns=columns, similarity=ByMetric(metric=Expert()))[0]
    part = finding_of(detail, TransportDecision()).part
    everything = part.envelope.total_cost(part.sample.masses)
    at, beyond = (TransportDecision(method="closed form", budget=everything * share) for share in (1.0, 3.0))
    assert any("kink" in why for why in finding_of(detail, at).doubts)
    assert not finding_of(detail, beyond).doubts
    assert finding_of(detail, at.model_copy(update={"method": "directional derivative"})).doubts == ()


def test_groups_that_the_tolerance_covers_are_named() -> None:
    """All 20 of 600 people of a group wrong is a rise of 3.3 points, within 3.65; of 22 it is not."""
    for men, named in ((20, True), (22, False)):
        detail = audited(groups_of({("clerk", "Female"): (600 - men, 0), ("clerk", "Male"): (men, 0)}))
        told = texts(detail, TransportDecision())
        assert finding_of(detail, TransportDecision()).verdict is Verdict.NO_VIOLATION
        assert (f"warning: Of 'sex', 'Male' ({men}) is so small a part of the people" in told) is named
    assert "so small" not in texts(audited(groups_of(FAIR)), TransportDecision(delta=0.9))


def test_reasons_come_most_serious_first() -> None:
    detail = audited(groups_of({("clerk", "Female"): (21, 1), ("clerk", "Male"): (20, 1), ("driver", "Male"): (60, 2)}))
    for delta in (0.001, 0.0365, 0.4):
        levels = [caveat.level for caveat in finding_of(detail, TransportDecision(delta=delta)).reasons]
        assert levels == sorted(levels, key=("serious", "warning", "info").index)
