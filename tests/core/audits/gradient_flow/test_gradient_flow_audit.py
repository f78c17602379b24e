"""Whole audits through run_audit: what they keep, that they repeat, and that a shorter reading is a shorter audit."""

import math
from dataclasses import fields, replace
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from core.audits.gradient_flow import engine
from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.engine import estimate_of
from core.audits.gradient_flow.groups import group_estimates
from core.audits.gradient_flow.people import evenly_spaced
from core.audits.gradient_flow.planning import pilot
from core.audits.gradient_flow.presets import PRESETS
from core.audits.gradient_flow.result import AGREEMENT
from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import CancelledError, EvenhandError, SettingsError
from core.base.progress import Progress
from core.contracts.audit import Given
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.metrics import ComparablePairs, Expert, SensitiveSubspace
from core.result import AuditResult
from core.run import find, run_audit
from tests.core.audits.gradient_flow.cases import model_of, perceptron, settings, table
from tests.findings import found as judged

FREE_X1 = Expert(free=("x1",))
READINGS = [
    GradientFlowDecision(statistic=statistic, delta=delta, stop_at=stop_at)
    for statistic in ("loss ratio", "error-rate ratio")
    for delta in (1.0, 1.25, 2.0)
    for stop_at in (None, 40)
]


def audit_of(audit: GradientFlow, seed: int = 0, n: int = 300) -> AuditResult:
    return run_audit(model_of(perceptron(4, 8, 2, seed=3)), table(n), audit, seed=seed)


@pytest.fixture(scope="module")
def result() -> AuditResult:
    return audit_of(settings(metric=FREE_X1, steps=60, rotations=(10.0, 30.0)))


def test_sums_follow_from_the_rows(result: AuditResult) -> None:
    detail = result.detail
    member = np.eye(len(detail.cells.count))[detail.cell]
    np.testing.assert_allclose(detail.excess[-1], (detail.ratios - 1) @ member, rtol=1e-9)
    np.testing.assert_allclose(detail.excess_squares[-1], (detail.ratios - 1) ** 2 @ member, rtol=1e-9)
    np.testing.assert_array_equal(member.sum(0), detail.cells.count)
    assert (detail.histogram.sum(1) == len(detail.rows)).all()
    assert int(detail.wrong_start.sum()) == len(detail.rows) - np.trace(result.model.confusion)
    estimate = detail.loss_ratio(detail.at(None))
    assert estimate.value == pytest.approx(detail.ratios.mean(), rel=1e-12)
    assert estimate.standard_error == pytest.approx(detail.ratios.std(ddof=1) / len(detail.rows) ** 0.5, rel=1e-9)


def test_a_group_is_the_rows_that_belong_to_it(result: AuditResult) -> None:
    detail, frame = result.detail, table().frame
    for attribute, group in detail.cells.all_groups():
        rows = frame[attribute].to_numpy() == group
        found = detail.loss_ratio(detail.at(None), detail.cells.members(attribute, group))
        assert found.n == rows.sum()
        assert found.value == pytest.approx(detail.ratios[rows].mean(), rel=1e-9)


def test_the_pairs_are_people_of_the_table_for_whom_the_search_found_much(result: AuditResult) -> None:
    pairs, frame = result.detail.pairs, table().frame
    assert len(pairs.rows) == 12
    ratios, cell = result.detail.ratios, result.detail.cell
    larger = [(ratios[cell == cell[row]] > ratios[row]).sum() for row in pairs.rows]
    assert max(larger) < 60 / 5, "of 60 in which six cells take turns, one of which has few rows"
    pd.testing.assert_frame_equal(pairs.before, frame.loc[pairs.rows, ["x0", "x1", "x2", "x3"]].reset_index(drop=True))
    np.testing.assert_allclose(pairs.searched[-1], result.detail.ratios[pairs.rows], rtol=1e-6)
    assert list(pairs.groups.columns) == ["sex", "race"]


def test_possible_people_differ_most_in_what_is_free(result: AuditResult) -> None:
    detail = result.detail
    assert detail.people is not None
    assert detail.changes is not None
    assert detail.changes.rows.tolist() == detail.people.taken.sum(axis=0).tolist()
    assert (detail.changes.changed <= detail.changes.rows[:, None]).all()
    assert detail.changes.order[0] == 1
    found = (detail.people.ratio > 1)[detail.people.taken[:, 0]].sum()
    assert found >= detail.changes.changed[0].max() > 0


def test_rotations_begin_with_the_metric_itself(result: AuditResult) -> None:
    (rotations,) = result.detail.repeated
    assert (rotations.setting, rotations.rows, rotations.at.tolist()) == ("rotations", 300, [0.0, 10.0, 30.0])
    for statistic in ("loss ratio", "error-rate ratio"):
        for index in range(len(result.detail.steps)):
            own, expected = rotations.estimates(statistic, index)[0], result.detail.estimate(statistic, index)
            assert own.value == pytest.approx(expected.value, rel=1e-9)
            assert own.standard_error == pytest.approx(expected.standard_error, rel=1e-9)


def test_each_weight_and_each_penalty_finds_what_an_audit_with_it_finds() -> None:
    metric = SensitiveSubspace()
    audit = settings(
        metric=metric,
        steps=20,
        step_size=0.01,
        other_weights=(2.0, 50.0, 400.0),
        other_penalties=(100.0,),
        metric_resamples=0,
    )
    weights, penalties = audit_of(audit).detail.repeated
    assert weights.at.tolist() == [2.0, audit.regularisation, 400.0]
    assert penalties.at.tolist() == [1.0, 100.0]
    alone = {"other_weights": (), "other_penalties": (), "integrator": "etd2rk"}
    for weight, one in zip(weights.at, weights.estimates("loss ratio", -1), strict=True):
        expected = audit_of(audit.model_copy(update={**alone, "regularisation": weight}))
        assert one.value == pytest.approx(expected.detail.loss_ratio(-1).value, rel=1e-9)
    values = [one.value for one in weights.estimates("loss ratio", -1)]
    assert values == sorted(values, reverse=True)
    ridge = SensitiveSubspace(strength=100.0)
    stronger = audit_of(audit.model_copy(update={**alone, "integrator": "euler", "metric": ridge}))
    found = penalties.estimates("loss ratio", -1)[1].value
    assert found == pytest.approx(stronger.detail.loss_ratio(-1).value, rel=1e-9)


def test_other_values_of_a_setting_are_claims_that_decide_nothing(result: AuditResult) -> None:
    finding = judged(result.detail, GradientFlowDecision(delta=1.0))
    assert finding.parts["rotations"][0].who == "turned by 0°, as chosen"
    assert not set(finding.parts["rotations"]) & set(finding.claims)
    assert finding.tables["rotations"].rows


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"other_weights": (0.0,)}, "lies above 0"),
        ({"other_penalties": (-1.0,)}, "lies above 0"),
        ({"other_penalties": (2.0,)}, "not learned with a penalty"),
    ],
)
def test_values_that_cannot_be_tried_are_refused(choice: dict[str, tuple[float, ...]], words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        settings(metric=FREE_X1, **choice)


def test_an_audit_repeats_bit_for_bit(result: AuditResult) -> None:
    again = audit_of(result.audit)
    for field in fields(result.detail):
        one, two = (getattr(detail, field.name) for detail in (result.detail, again.detail))
        if isinstance(one, np.ndarray):
            assert one.tobytes() == two.tobytes(), field.name
    for field in fields(result.detail.pairs):
        one, two = (getattr(detail.pairs, field.name) for detail in (result.detail, again.detail))
        if isinstance(one, np.ndarray):
            assert one.tobytes() == two.tobytes(), field.name


@pytest.mark.parametrize("integrator", ["euler", "etd2rk"])
@pytest.mark.parametrize("schedule", ["constant", "decreasing"])
def test_a_long_audit_read_early_equals_a_short_one(integrator: str, schedule: str) -> None:
    long, short = (
        audit_of(settings(metric=FREE_X1, steps=steps, integrator=integrator, schedule=schedule)).detail
        for steps in (30, 20)
    )
    for statistic in ("loss ratio", "error-rate ratio"):
        early = judged(long, GradientFlowDecision(statistic=statistic, stop_at=20))
        whole = judged(short, GradientFlowDecision(statistic=statistic))
        assert early.estimate == pytest.approx(whole.estimate, rel=1e-12)
        assert early.inference.standard_error == pytest.approx(whole.inference.standard_error, rel=1e-9)
        assert early.verdict is whole.verdict
        for one, other in zip(group_estimates(early), group_estimates(whole), strict=True):
            assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-6)
    early, whole = judged(long, GradientFlowDecision(stop_at=20)), judged(short, GradientFlowDecision())
    assert early.bootstrap_t(0.05).low == pytest.approx(whole.bootstrap_t(0.05).low, rel=1e-9)


def test_in_single_precision_an_early_reading_agrees_to_rounding() -> None:
    long, short = (audit_of(settings(metric=FREE_X1, steps=steps, precision="float32")).detail for steps in (60, 40))
    early, whole = long.loss_ratio(long.at(40)), short.loss_ratio(short.at(None))
    assert early.value == pytest.approx(whole.value, rel=1e-6)
    assert early.standard_error == pytest.approx(whole.standard_error, rel=1e-5)


@pytest.mark.parametrize("decision", READINGS, ids=str)
def test_the_sweep_agrees_with_the_estimate_at_every_stopping_time(
    result: AuditResult, decision: GradientFlowDecision
) -> None:
    found = judged(replace(result.detail, people=None), decision)
    sweep, index = found.sweep, result.detail.at(decision.stop_at)
    assert sweep.estimate[index] == found.estimate
    assert sweep.lower_bound[index] == found.lower_bound
    assert sweep.upper_bound[index] == found.upper_bound
    assert sweep.flow_time == pytest.approx(0.01 * np.array(sweep.steps))


def test_step_halving_measures_the_discretisation_error(result: AuditResult) -> None:
    coarse, fine = (
        audit_of(settings(metric=FREE_X1, steps=n, step_size=0.6 / n, regularisation=20.0)).detail.halving
        for n in (20, 80)
    )
    assert abs(coarse.error) > abs(fine.error) > 0
    assert coarse.rows == 200
    detail = result.detail
    compared = detail.ratios[evenly_spaced(len(detail.ratios), 200)]
    assert detail.halving.lower_bound == estimate_of(compared).lower_bound(0.05)
    for n, rows in ((2_400, 240), (20_100, 2_000)):
        assert audit_of(settings(metric=FREE_X1, steps=2), n=n).detail.halving.rows == rows


def steep(times: float, **values: object) -> AuditResult:
    """The search by default of a network that turns so many times as sharply."""
    module = perceptron(4, 8, 2, seed=3)
    module[0].weight.data *= times
    audit = GradientFlow(metric=FREE_X1, precision="float64", other_weights=(20.0,), **values)
    return run_audit(model_of(module), table(), audit, seed=0)


def test_steps_that_are_too_long_are_halved_until_it_changes_little() -> None:
    easy, hard = steep(1), steep(30)
    assert (easy.detail.halving.times, easy.detail.gradient_evaluations) == (1, 100)
    found = hard.detail
    times = found.halving.times
    assert times > 1
    assert max(easy.detail.halving.apart, found.halving.apart) <= AGREEMENT
    assert not any("not exact" in caveat.what for caveat in hard.caveats)
    assert found.steps.tolist() == easy.detail.steps.tolist()
    asked = steep(30, steps=50 * times, step_size=0.1 / times).detail
    assert asked.halving.times == 1
    assert found.gradient_evaluations == asked.gradient_evaluations
    np.testing.assert_allclose(found.ratios, asked.ratios, rtol=1e-9)
    np.testing.assert_allclose(found.repeated[0].loss_ratio[:, -1], asked.repeated[0].loss_ratio[:, -1], rtol=1e-9)
    assert [found.flow_time[0], found.flow_time[-1]] == pytest.approx([0.1, 5.0])
    checks = find(hard, GradientFlowDecision()).checks
    assert (checks.integrator, checks.steps_taken) == ("etd2rk", 50 * times)


def test_a_search_that_stays_inexact_says_so_and_published_steps_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "MOST_HALVINGS", 1)
    told = [caveat.what for caveat in steep(100).caveats if "not exact" in caveat.what]
    assert [one.split(" steps, ")[0] for one in told] == ["The search is not exact: with twice its 100"]
    euler = steep(100, integrator="euler", steps=50, step_size=0.01)
    assert (euler.detail.halving.times, euler.detail.gradient_evaluations) == (1, 50)
    assert not any("not exact" in caveat.what for caveat in euler.caveats)


@pytest.mark.parametrize(("regularisation", "free"), [(0.375, 1), (0.25, 1), (0.24, 4)])
def test_a_direction_is_free_if_the_search_ends_before_it_is_held_back(regularisation: float, free: int) -> None:
    """The decay of a direction the metric counts fully is 2 λ, and 2 λ t < 1 at the flow time t = 2."""
    audit = settings(metric=FREE_X1, steps=256, step_size=1 / 128, regularisation=regularisation)
    assert audit_of(audit, n=40).detail.free_directions == free


def test_metric_resamples_learn_again_from_the_held_out_rows() -> None:
    result = audit_of(settings(metric=SensitiveSubspace(), steps=20, metric_resamples=4), n=600)
    assert not any("could not teach" in caveat.what for caveat in result.caveats)
    found = result.detail
    assert found.relearned.rows == len(found.rows) == 420
    for decision in READINGS:
        assert len({estimate.value for estimate in judged(found, decision).relearned_estimates}) > 1
    assert (
        len(np.unique([estimate.value for estimate in judged(found, GradientFlowDecision()).relearned_estimates])) == 4
    )
    assert (found.relearned.angles > 0).all()
    assert (found.relearned.angles < 90).all()
    assert found.relearned.excess.shape[0] == 5
    assert 0 < found.relearned.held_excess[-1].sum() < found.relearned.excess[0, -1].sum()
    assert found.relearned.held_wrong_end.shape == found.relearned.held_excess.shape


def test_a_declared_metric_has_none_to_learn_again() -> None:
    assert audit_of(settings(metric=FREE_X1, steps=5, metric_resamples=8)).detail.relearned is None
    untried = audit_of(settings(metric=SensitiveSubspace(), steps=5, metric_resamples=0)).detail
    assert judged(untried, GradientFlowDecision()).relearned_estimates == ()


def test_comparable_pairs_are_resampled_as_pairs() -> None:
    pairs = tuple((2 * i, 2 * i + 1) for i in range(40))
    audit = settings(metric=ComparablePairs(pairs=pairs, directions=1), steps=5, metric_resamples=3)
    found = audit_of(audit).detail
    assert len(set(found.relearned.angles)) == 3
    assert found.relearned.wrong_end.shape == found.relearned.excess.shape == (4, *found.wrong_end.shape)
    finding = judged(found, GradientFlowDecision(), audit=audit)
    assert not any("left out" in caveat.what for caveat in finding.reasons)
    assert any("learned from pairs of people" in limit for limit in finding.assumptions)
    assert not any("was declared" in limit for limit in finding.assumptions)


def test_pairs_that_all_share_people_cannot_be_learned_again_and_nothing_is_claimed() -> None:
    pairs = tuple((i, i + 1) for i in range(40))
    audit = settings(metric=ComparablePairs(pairs=pairs, directions=1), steps=5, metric_resamples=3)
    finding = judged(audit_of(audit).detail, GradientFlowDecision(delta=1.0), audit=audit)
    assert finding.verdict is Verdict.INSUFFICIENT
    told = [caveat for caveat in finding.reasons if "could not be learned again" in caveat.what]
    assert [caveat.advice for caveat in told] == ["Let more people teach the metric, or declare it."]


def test_a_relearned_metric_is_recorded_at_every_stopping_time() -> None:
    metric = SensitiveSubspace()
    long, short = (
        audit_of(settings(metric=metric, steps=steps, metric_resamples=2), n=600).detail for steps in (60, 40)
    )
    for statistic in ("loss ratio", "error-rate ratio"):
        early = judged(long, GradientFlowDecision(statistic=statistic, stop_at=40)).relearned_estimates
        whole = judged(short, GradientFlowDecision(statistic=statistic)).relearned_estimates
        assert [one.value for one in early] == pytest.approx([one.value for one in whole], rel=1e-3)


def test_the_first_rows_are_all_that_is_audited() -> None:
    found = audit_of(settings(metric=FREE_X1, steps=5, first_rows=100))
    assert found.data.rows_audited == len(found.detail.rows) == 100
    assert found.model.confusion.sum() == 100


def test_settings_that_clash_are_refused_in_words() -> None:
    with pytest.raises(SettingsError, match="rotation"):
        settings(rotations=(0.0,))
    with pytest.raises(SettingsError, match="unstable"):
        audit_of(settings(metric=FREE_X1, regularisation=200.0))


def test_every_preset_is_valid_and_keeps_the_metric() -> None:
    base = settings(metric=FREE_X1, loss_floor=1e-4)
    for name, preset in PRESETS.items():
        applied = preset.apply(base)
        assert preset.fits(applied), name
        assert applied.metric == FREE_X1
        assert applied.loss_floor == 1e-4
        audit_of(applied.model_copy(update={"steps": 5}), n=60)


def test_a_cancelled_audit_stops() -> None:
    def stop(progress: Progress) -> None:
        if progress.done > 0.05:
            raise CancelledError("Stopped.")

    model = model_of(perceptron(4, 8, 2))
    with pytest.raises(CancelledError):
        run_audit(model, table(), settings(metric=FREE_X1, steps=20_000), seed=0, on_progress=stop)


def test_progress_never_falls_and_ends_at_one() -> None:
    seen: list[Progress] = []
    model = model_of(perceptron(4, 8, 2))
    audit = settings(metric=SensitiveSubspace(), steps=20, rotations=(5.0,), metric_resamples=2)
    run_audit(model, table(), audit, seed=0, on_progress=seen.append)
    done = [report.done for report in seen]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1.0)
    assert {report.phase for report in seen} >= {"Checking the step size", "Trying other settings"}


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("statistic", get_args(Statistic))
def test_what_is_foretold_to_be_found_is_what_the_audit_then_tells(statistic: Statistic, times: int) -> None:
    model, dataset, audit = model_of(perceptron(4, 8, 2, seed=3)), table(900), settings(metric=FREE_X1, steps=60)
    if times > 1:
        frame = pd.concat([dataset.frame.assign(person=np.arange(len(dataset)))] * times, ignore_index=True)
        dataset = Dataset.build(frame, dataset.roles.model_copy(update={"belongs_to": "person"}))
    data, rng, decision = model.encode(dataset), np.random.default_rng(0), GradientFlowDecision(statistic=statistic)
    foreseen = pilot(audit, Given(model, data, rng, audit.metric.fit(data, rng)), decision)
    found = find(run_audit(model, dataset, audit, seed=0), decision)
    assert 64 <= foreseen.rows <= 512
    assert (foreseen.audited, foreseen.people) == (900 * times, 500)
    assert foreseen.seconds > 0
    assert foreseen.detectable(decision) == pytest.approx(found.minimum_detectable, rel=0.01 if times == 1 else 0.2)
    needed = [foreseen.rows_needed(decision, excess) for excess in (1e-4, 0.7, 100.0)]
    assert needed[0] == math.inf, "people who could exist are looked for beside 500 rows, however many there are"
    assert 30 == needed[2] <= needed[1] <= 500


def test_of_texts_the_error_of_all_rows_is_foretold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.gradient_flow.pairing.possible_people", lambda *_: None)
    model, dataset, audit = model_of(perceptron(4, 8, 2, seed=3)), table(3000), settings(metric=FREE_X1, steps=60)
    data, rng, decision = model.encode(dataset), np.random.default_rng(0), GradientFlowDecision()
    foreseen = pilot(audit, Given(model, data, rng, audit.metric.fit(data, rng)), decision)
    found = run_audit(model, dataset, audit, seed=0).detail.loss_ratio(-1)
    assert foreseen.people == 0
    assert foreseen.loss.standard_error == pytest.approx(found.standard_error, rel=0.5)
    assert foreseen.rows_needed(decision, 0.002) > 2 * foreseen.rows_needed(decision, 0.005) > 30
    assert foreseen.rows_needed(decision, 1) == 30


def test_a_stuck_search_is_serious_and_no_sign_of_fairness() -> None:
    module = perceptron(4, 8, 2)
    module[0].bias.data = module[0].bias - 1e3
    found = run_audit(model_of(module), table(), settings(metric=FREE_X1, steps=5), seed=0)
    assert any(caveat.level == "serious" and "single row" in caveat.what for caveat in found.caveats)


def test_floored_rows_are_counted_and_told() -> None:
    found = audit_of(settings(metric=FREE_X1, steps=5, loss_floor=0.3))
    assert found.detail.floored_start == (found.detail.loss_start < 0.3).sum() > 0
    assert any("smallest loss replaced" in caveat.what for caveat in found.caveats)
    smallest = float(np.sort(found.detail.loss_start)[3])
    assert audit_of(settings(metric=FREE_X1, steps=5, loss_floor=smallest)).detail.floored_start == 3


def test_an_estimate_on_a_replaced_detail_reads_its_sums(result: AuditResult) -> None:
    doubled = replace(result.detail, excess=2 * result.detail.excess)
    one, two = (detail.loss_ratio(0).value - 1 for detail in (result.detail, doubled))
    assert two == pytest.approx(2 * one)
