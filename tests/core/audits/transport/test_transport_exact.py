"""The same people in every group, told apart by all the model reads: the value is a mean over people, by hand."""

from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.budget import reach
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.flow_wording import flow_sentences
from core.audits.transport.planning import pilot
from core.audits.transport.proposal import proposed_space
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, ForbiddenPair, MassLimit, Transport
from core.audits.transport.verdict import TransportFinding
from core.base.errors import AuditError
from core.contracts.audit import Given
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.inference.transport.costs import ClassCost, ForbiddenPairs
from core.inference.transport.envelope import Envelope
from core.inference.transport.memory import memory_needed
from core.inference.transport.rises import MOST_RISES, by_rise
from core.inference.transport.sample import CellSample
from core.metrics.expert import Expert
from core.run import run_audit
from tests.core.audits.transport.asked import LOSSES, READS, Biased, audited, rises
from tests.core.audits.transport.cases import COLUMNS, dataset_of, identity, people, run
from tests.findings import found as finding_of

ALPHA = 0.05


@pytest.mark.parametrize("loss", ["0-1", "log", "squared"])
@pytest.mark.parametrize("differ_in", [(), ("sex",), ("race",)])
def test_the_value_is_the_mean_of_everybodys_own_largest_rise(loss: Loss, differ_in: tuple[str, ...]) -> None:
    dataset = dataset_of(people(), features=READS, predictions=())
    model = Biased(dataset, READS)
    detail, _ = run(dataset, model, space="all groups", similarity=DifferOnlyIn(columns=differ_in))
    decision = TransportDecision(loss=loss)
    expected = rises(dataset, model, loss, differ_in or ("sex", "race"))
    assert finding_of(detail, decision).estimate == pytest.approx(expected.mean(), abs=1e-12)
    assert expected.mean() > 0.01
    solution = finding_of(detail, decision).solution
    assert solution.value == pytest.approx(expected.mean(), abs=1e-12)
    assert solution.certificate.valid()
    moved = solution.plan.mass.sum() * len(dataset)
    assert moved == pytest.approx((expected > 0).sum())
    part = finding_of(detail, decision).part
    error = np.sqrt(expected.var() / len(dataset))
    closed = finding_of(detail, decision.model_copy(update={"method": "closed form"})).inference
    assert closed.value - closed.lower_bound(ALPHA) == pytest.approx(1.645 * error, rel=0.01)
    assert not part.mixed
    assert not part.splits


def test_columns_and_bins_only_show_people() -> None:
    coarse, none = audited(people()), audited(people(), columns=(CellColumn(name="job"),))
    exact = audited(people(), columns=tuple(CellColumn(name=name) for name in READS))
    for loss in LOSSES:
        value = finding_of(exact, TransportDecision(loss=loss)).estimate
        assert finding_of(coarse, TransportDecision(loss=loss)).estimate == pytest.approx(value, abs=1e-12)
        assert finding_of(none, TransportDecision(loss=loss)).estimate == pytest.approx(value, abs=1e-12)
    assert list(none.cells.frame) == ["job", "sex", "race"]
    assert set(coarse.cells.frame["age"]) == {"under 25", "25 to 44", "45 and over"}


def test_every_class_holds_every_combination_once_with_the_models_own_answer() -> None:
    frame = people(150)
    frame = frame[(frame["sex"] == "Male") | (frame["race"] == "White")].reset_index(drop=True)
    detail = audited(frame)
    cells = detail.cells
    different = len(frame.drop_duplicates(["age", "job", "good"]))
    assert len(cells) == 4 * different
    assert cells.people.sum() == len(frame)
    assert sorted(cells.groups) == ["Female, Black", "Female, White", "Male, Black", "Male, White"]
    assert cells.people[cells.group == cells.groups.index("Female, Black")].sum() == 0
    assert np.isfinite(cells.favourable).all()
    assert all(np.isfinite(part.sample.losses).all() for part in detail.parts)
    assert detail.comparable_share == 1.0
    assert detail.alone == 0.0
    assert not detail.coarse
    counted = frame.groupby(["sex", "race"]).size()
    for place, name in enumerate(cells.groups):
        assert cells.people[cells.group == place].sum() == counted.get(tuple(name.split(", ")), 0)


def test_merged_protected_values_are_asked_for_one_by_one() -> None:
    frame = people()
    frame.loc[::9, "race"] = "Asian"
    dataset = dataset_of(frame, features=READS, predictions=())
    model = Biased(dataset, READS)
    merged = CellColumn(name="race", merged=(("Asian", "Other"), ("Black", "Other")))
    detail, _ = run(dataset, model, space="all groups", columns=(CellColumn(name="age"), merged))
    expected = rises(dataset, model, "squared", ("sex", "race")).mean()
    assert finding_of(detail, TransportDecision(loss="squared")).estimate == pytest.approx(expected, abs=1e-12)
    assert set(detail.cells.frame["race"]) == {"Other", "White"}


def test_numbers_as_protected_values_are_asked_for_one_by_one() -> None:
    frame = people(60).assign(age=np.resize([20, 35, 50, 65], 60))
    dataset = dataset_of(frame, features=READS, protected=("age",), predictions=())
    model = Biased(dataset, READS)
    detail, _ = run(dataset, model, space="all groups")
    expected = rises(dataset, model, "log", ("age",)).mean()
    assert finding_of(detail, TransportDecision(loss="log")).estimate == pytest.approx(expected, abs=1e-12)
    assert len(detail.cells.groups) == 3


def test_only_free_protected_comparisons_are_exact() -> None:
    dataset = dataset_of(people(200), features=READS, predictions=())
    model = Biased(dataset, READS)
    others: tuple[dict[str, Any], ...] = (
        {"space": "observed"},
        {"similarity": DifferOnlyIn(columns=("sex", "job"))},
        {"similarity": ByMetric(metric=Expert()), "metric": identity(4)},
    )
    for settings in others:
        assert run(dataset, model, **{"space": "all groups", **settings})[0].asked is None
    roles = dataset.roles.protected
    assert Transport(space="all groups", similarity=DifferOnlyIn(columns=("race",))).asks_for_everybody(roles)
    assert not Transport(space="all groups", similarity=DifferOnlyIn(columns=("job",))).asks_for_everybody(roles)
    assert not Transport().asks_for_everybody(roles)


def test_no_pair_of_kinds_is_ever_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("costs between pairs")

    monkeypatch.setattr(ClassCost, "rows", refuse)
    monkeypatch.setattr(ClassCost, "blocks", refuse)
    monkeypatch.setattr(ClassCost, "_costs", refuse)
    detail = audited(people())
    for method in ("directional derivative", "m out of n", "closed form"):
        assert finding_of(detail, TransportDecision(method=method)).verdict
    assert len(finding_of(detail, TransportDecision()).curve.budgets) == 1


def test_too_many_kinds_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.transport.exact.LARGEST_EXACT", 500)
    with pytest.raises(AuditError, match="at most 500 can be asked about") as raised:
        audited(people())
    assert "people in the table" in raised.value.advice
    monkeypatch.undo()
    monkeypatch.setattr("core.audits.transport.exact.free_memory", lambda: 1e5)
    with pytest.raises(AuditError, match="GB of memory") as raised:
        audited(people())
    assert "people in the table" in raised.value.advice
    monkeypatch.undo()
    monkeypatch.setattr("core.audits.transport.similarity._SORTS", {"differ_only_in": ("classes", 100)})
    audited(people())
    with pytest.raises(AuditError, match="limits and forbidden comparisons at most 100") as raised:
        audited(people(), limits=(MassLimit(attribute="sex", group="Male", at_most=0.1),))
    assert "Drop limits" in raised.value.advice


def test_forbidden_comparisons_and_limits_hold_among_people_asked_about() -> None:
    frame = people(120)
    dataset = dataset_of(frame, features=READS, predictions=())
    model = Biased(dataset, READS)
    decision = TransportDecision(loss="squared")
    pair = ForbiddenPair(attribute="sex", origin="Female", target="Male")
    forbidden = run(dataset, model, space="all groups", forbidden=(pair,))[0]
    both, race = (rises(dataset, model, "squared", names) for names in (("sex", "race"), ("race",)))
    expected = np.where(frame["sex"] == "Female", race, both).mean()
    assert finding_of(forbidden, decision).estimate == pytest.approx(expected, abs=1e-12)
    none = MassLimit(attribute="sex", group="Male", at_most=0.0)
    limited = run(dataset, model, space="all groups", limits=(none,))[0]
    expected = np.where(frame["sex"] == "Male", 0.0, both).mean()
    assert finding_of(limited, decision).estimate == pytest.approx(expected, abs=1e-9)


def test_copies_of_everybody_change_no_value() -> None:
    frame = people(100)
    plain = audited(frame)
    double = audited(pd.concat([frame, frame], ignore_index=True))
    assert len(plain.cells) == len(double.cells)
    for loss in LOSSES:
        decision = TransportDecision(loss=loss)
        assert finding_of(double, decision).estimate == pytest.approx(finding_of(plain, decision).estimate, abs=1e-14)


@pytest.mark.parametrize("reads", [("age", "job"), ("age", "job", "sex"), READS])
def test_a_model_that_does_not_read_the_attributes_is_not_cleared(reads: tuple[str, ...]) -> None:
    detail = audited(people(), reads)
    decision = TransportDecision(delta=1.0 if len(reads) > 2 else 0.0365)
    asked = detail.asked
    assert asked is not None
    assert set(asked.read) == set(reads) & {"sex", "race"}
    assert set(asked.unread) == {"sex", "race"} - set(reads)
    told = finding_of(detail, decision).reasons
    if reads == ("age", "job"):
        for loss in LOSSES:
            found = finding_of(detail, decision.model_copy(update={"loss": loss})).seen
            assert found.value == found.lower_bound(ALPHA) == found.upper_bound(ALPHA) == 0.0
            assert not len(finding_of(detail, decision.model_copy(update={"loss": loss})).solution.plan.mass)
        assert finding_of(detail, decision).verdict is Verdict.INSUFFICIENT
        assert told[0].level == "serious"
        assert "does not read sex or race" in told[0].what
        assert "People in the table" in told[0].advice
    else:
        assert finding_of(detail, decision).verdict is Verdict.NO_VIOLATION
        assert [caveat.level for caveat in told] == (["warning"] if asked.unread else [])
        assert all("does not read race" in caveat.what for caveat in told)


def test_people_alone_among_the_shown_kinds_are_no_lack() -> None:
    frame = people(300).assign(code=np.arange(300))
    dataset = dataset_of(frame, features=("code", *READS), predictions=())
    model = Biased(dataset, ("code", *READS))
    detail, caveats = run(dataset, model, space="all groups", columns=(CellColumn(name="code"),))
    assert not caveats
    assert finding_of(detail, TransportDecision(delta=0.9)).verdict is Verdict.NO_VIOLATION
    assert finding_of(detail, TransportDecision(delta=0.9)).reasons == ()


def test_sentences_say_what_would_be_said_about_the_same_people() -> None:
    dataset = dataset_of(people(), features=READS, predictions=())
    result = run_audit(Biased(dataset, READS), dataset, Transport(columns=COLUMNS, space="all groups"), seed=0)
    sentences = flow_sentences(TransportFinding(cast(TransportResult, result), TransportDecision()))
    assert sentences
    assert all(" they would be predicted " in sentence for sentence in sentences)


def test_reports_tell_that_the_model_was_asked_about_the_same_people() -> None:
    dataset = dataset_of(people(), features=("age", "job", "sex"), predictions=())
    found = run_audit(Biased(dataset, ("age", "job", "sex")), dataset, Transport(space="all groups"), seed=0)
    finding = TransportFinding(cast(TransportResult, found), TransportDecision())
    facts = {fact.label: fact.value for fact in (*finding.similar, *finding.diagnostics)}
    assert "all that the model reads, unbinned" in facts["Columns shown"]
    assert facts["Protected attributes changed when asking"] == "sex"
    assert facts["Not read by the model"] == "race"
    assert not any("like nobody else" in label for label in facts)
    assert "the same person" in finding.assumptions[0]


def test_free_moves_within_classes_reach_what_a_look_at_every_pair_finds() -> None:
    rng = np.random.default_rng(0)
    codes, group = rng.integers(12, size=60), rng.integers(3, size=60)
    fast, slow = (reach(cost, group) for cost in (ClassCost(codes), ForbiddenPairs(ClassCost(codes), group, ())))
    np.testing.assert_array_equal(fast.nearest, slow.nearest)
    np.testing.assert_array_equal(fast.across, slow.across)
    assert fast.moves == slow.moves


@pytest.mark.parametrize("cells", [300, 3 * MOST_RISES])
def test_people_by_rise_have_the_same_mean_and_spread(cells: int) -> None:
    rng = np.random.default_rng(0)
    count = rng.integers(0, 3, size=(2, cells))
    losses = rng.exponential(size=cells)
    sample = CellSample(count, count * losses, count * losses**2, losses)
    envelope = Envelope.build(sample.losses, ClassCost(rng.integers(cells // 4, size=cells)))
    merged, moves = by_rise(sample, envelope)
    assert len(merged.people) <= MOST_RISES + 1
    assert merged.n == sample.n
    rise, few = envelope.free_gain, moves.free_gain
    mean = sample.masses @ rise
    assert merged.masses @ few == pytest.approx(mean, rel=1e-12)
    spread = sample.masses @ (rise - mean) ** 2
    assert merged.masses @ (few - mean) ** 2 == pytest.approx(spread, rel=1e-5)
    assert not merged.variances.any()


def test_a_pilot_knows_the_spread_and_how_many_kinds_there_will_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.transport.planning.PILOT_PEOPLE", 200)
    dataset = dataset_of(people(400), features=READS, predictions=())
    model = Biased(dataset, READS)
    audit, rng = Transport(columns=COLUMNS, space="all groups"), np.random.default_rng(0)
    decision = TransportDecision(loss="squared")
    found = pilot(audit, Given(model, model.encode(dataset), rng), decision)
    assert found.spread == pytest.approx(rises(dataset, model, "squared", ("sex", "race")).std(), rel=0.15)
    assert found.mixed == 0.0
    assert found.people == 200
    many = memory_needed(2 * 4 * 150, cost="classes")
    assert found.memory == pytest.approx(many, rel=0.2)


def test_the_proposed_space_asks_only_where_that_says_something() -> None:
    roles = Roles(outcome="good", favourable="yes", protected=("sex", "race"))
    assert proposed_space(("age", "sex"), roles, can_be_asked=True) == "all groups"
    assert proposed_space(("age", "sex"), roles, can_be_asked=False) == "observed"
    assert proposed_space(("age", "job"), roles, can_be_asked=True) == "observed"
    assert proposed_space((), roles, can_be_asked=True) == "observed"
