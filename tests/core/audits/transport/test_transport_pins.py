"""Small things of the transport test on which a verdict or a caveat turns, each told apart from its neighbour."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.audits.transport import values
from core.audits.transport.decision import TransportDecision
from core.audits.transport.engine import _halved, _rising
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, MassLimit
from core.audits.transport.similarity import leaving_alone
from core.audits.transport.unseen import EVERYBODY_SEEN, Unseen, unseen_of
from core.audits.transport.verdict import TransportFinding, _covered, _not_seen, _unreliable
from core.base.progress import Progress
from core.base.thresholds import FEWEST_ROWS
from core.contracts.metric import FittedMetric
from core.data.encoded import EncodedDataset
from core.inference.estimate import Verdict
from core.inference.transport.constrained import LIMITED_SPLITS
from core.inference.transport.costs import ClassCost, DenseCost
from core.inference.transport.sample import CellSample
from core.metrics import Expert
from tests.core.audits.transport.cases import Formula, dataset_of, identity, people, probabilities, run
from tests.core.audits.transport.test_transport_unseen import JOB, blocks
from tests.findings import found

LIMIT = (MassLimit(attribute="sex", group="Male", at_most=0.1),)
EVERYWHERE = [(185, "a", sex, good, good) for sex in ("F", "M") for good in ("no", "yes")]


def caveats(detail: object, **decision: object) -> str:
    return " ".join(one.what for one in found(detail, TransportDecision(**decision)).reasons)


def test_each_half_has_the_mean_of_its_own_people_and_leaves_cells_without_them_alone() -> None:
    """Cells: in both halves; in the first only; with nobody but an answer of the model; with nobody and no answer."""
    nan = np.nan
    counts, totals = np.array([[2, 1, 0, 0], [4, 0, 0, 0]]), np.array([[1.0, 0.8, 0, 0], [3.0, 0, 0, 0]])
    sample = CellSample(counts, totals, totals, np.array([nan, 0.4, 0.9, nan]))
    first, second = _halved(sample, ClassCost(np.zeros(4, dtype=np.int64)))
    assert first.losses[:3].tolist() == [0.5, 0.8, 0.9]
    assert second.losses[[0, 2]].tolist() == [0.75, 0.9]
    assert {*first.source, *first.target} == {0, 1, 2}
    assert {*second.source, *second.target} == {0, 2}


def test_a_loss_that_differs_within_cells_is_split_whatever_the_others_do() -> None:
    """Within a cell the decision is always the same, and the probability behind it differs."""
    frame = people(300)
    rng = np.random.default_rng(1)
    frame["chance"] = np.where(frame["good"] == "yes", 0.7, 0.3) + rng.choice([0.0, 0.1], 300)
    data = dataset_of(frame)
    parts = {part.loss: part for part in run(data, probabilities(data))[0].parts}
    assert {loss: bool(part.splits) for loss, part in parts.items()} == {
        loss: bool(part.sample.variances.any()) for loss, part in parts.items()
    }
    assert not parts["0-1"].splits
    assert parts["squared"].splits


def test_with_limits_the_splits_are_few() -> None:
    constrained = run(dataset_of(people()), limits=LIMIT)[0].constrained
    assert constrained is not None
    assert [len(splits) for splits in constrained.splits] == [LIMITED_SPLITS]


@pytest.mark.parametrize(
    ("limits", "method", "told"),
    [
        (LIMIT, "closed form", True),
        (LIMIT, "directional derivative", False),
        (LIMIT, "m out of n", False),
        ((), "closed form", False),
    ],
)
def test_a_method_that_limits_do_not_offer_is_told(limits: tuple[MassLimit, ...], method: str, told: bool) -> None:
    detail = run(dataset_of(people()), limits=limits)[0]
    assert ("With limits this method is not offered" in caveats(detail, method=method)) == told


def test_kinds_that_tell_every_value_apart_are_not_coarse() -> None:
    frame = people()
    frame["age"] = frame["age"] // 20
    whole = (CellColumn(name="age"), CellColumn(name="job"))
    assert not run(dataset_of(frame), columns=whole)[0].coarse
    assert run(dataset_of(frame), columns=whole[:1])[0].coarse
    reads = ("age", "job", "sex", "race")
    assert not run(dataset_of(frame, features=reads), columns=whole)[0].coarse


def test_a_verdict_needs_no_more_than_thirty_people() -> None:
    detail = run(dataset_of(people(400).sample(FEWEST_ROWS, random_state=0).reset_index(drop=True)))[0]
    assert "a verdict needs at least" not in caveats(detail)


@pytest.mark.parametrize(("rows", "told"), [(499, True), (500, False)])
def test_many_hidden_differences_ask_for_five_hundred_people(rows: int, told: bool) -> None:
    frame = people(rows)
    frame["says"] = np.where(frame["age"] < 60, "yes", "no")
    detail = run(dataset_of(frame), columns=(CellColumn(name="job"),))[0]
    assert ("too few where similar people are treated" in caveats(detail)) == told


@pytest.mark.parametrize(("single", "told"), [(30, True), (29, False)])
def test_half_of_the_people_alone_in_their_kind_are_too_many(single: int, told: bool) -> None:
    """Of 60 people so many are one of a kind; the others share their kind with one more."""
    place = np.arange(60)
    shared = place >= single
    frame = pd.DataFrame({"kind": np.where(shared, "shared", [f"k{one}" for one in place]), "age": place})
    frame["sex"] = np.where(shared, "f", np.where(place % 2, "f", "m"))
    frame["good"] = np.where(shared | (place < 10), "yes", "no")
    frame["says"] = np.where(place % 7, "yes", "no")
    roles = {"protected": ("sex",), "features": ("kind", "age")}
    detail = run(dataset_of(frame, **roles), columns=(CellColumn(name="kind"),))[0]
    assert (detail.coarse, detail.alone >= 0.5) == (True, told)
    assert ("are like nobody else" in caveats(detail)) == told


def test_a_bound_that_meets_the_tolerance_does_not_exceed_it() -> None:
    finding = found(run(dataset_of(people()))[0], TransportDecision())
    at = found(finding.detail, TransportDecision(delta=finding.seen.estimate.lower_bound(0.05)))
    below = found(finding.detail, TransportDecision(delta=finding.seen.estimate.lower_bound(0.05) - 1e-9))
    said = [
        any("no part in the search, it is" in one.what for one in one_finding.reasons) for one_finding in (at, below)
    ]
    assert said == [False, below.by_claims is not Verdict.VIOLATION]


def test_a_group_is_called_covered_where_nothing_done_to_it_could_exceed_the_tolerance() -> None:
    """1.5% of the people, half of them judged wrongly already: the other half could add 0.75 points to the mean."""
    frame = pd.DataFrame({"age": 30, "job": "clerk", "race": ["Black"] * 60 + ["White"] * 3_940})
    frame["good"] = ["yes", "no"] * 2_000
    frame["says"] = ["yes", "yes", "no", "no"] * 1_000
    columns = (CellColumn(name="age"), CellColumn(name="job"))
    detail = run(dataset_of(frame, protected=("race",)), columns=columns)[0]
    found_at = {delta: found(detail, TransportDecision(delta=delta)) for delta in (0.02, 0.0076, 0.0074)}
    told = {delta: any("so small a part" in one.what for one in at.reasons) for delta, at in found_at.items()}
    cleared = {delta: at.by_claims is Verdict.NO_VIOLATION for delta, at in found_at.items()}
    assert cleared[0.02]
    assert told == {0.02: True, 0.0076: cleared[0.0076], 0.0074: False}


def test_progress_rises_and_is_not_full_before_the_end() -> None:
    told: list[float] = []
    data = dataset_of(people())
    run(data, probabilities(data), on_progress=lambda progress: told.append(progress.done))
    assert told == sorted(told)
    assert told[len(told) // 2] < 0.95


def test_nobody_moves_to_or_from_a_cell_that_is_left_alone() -> None:
    costs = np.arange(16.0).reshape(4, 4)
    np.fill_diagonal(costs, 0.0)
    alone = np.array([False, True, False, True])
    left = leaving_alone(DenseCost(costs.copy()), alone).rows(0, 4)
    expected = np.where(alone[:, None] | alone, np.inf, costs)
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_array_equal(left, expected)


def test_what_is_hidden_is_what_people_nobody_compares_with_have_left_to_lose() -> None:
    """100 of 840 work where no woman does, 40 of them decided wrongly already: 60 / 840."""
    alone = [(60, "b", "M", "yes", "yes"), (40, "b", "M", "yes", "no")]
    detail, _ = run(blocks(*EVERYWHERE, *alone), columns=JOB)
    assert unseen_of(detail, detail.parts[0], None).hidden == pytest.approx(60 / 840)


@pytest.mark.parametrize(("mixed", "told"), [(20, False), (21, True)])
def test_of_few_people_a_fifth_may_share_their_kind_with_people_treated_otherwise(mixed: int, told: bool) -> None:
    rows = [(mixed // 2, "b", "F", "yes", "yes"), (mixed - mixed // 2, "b", "F", "yes", "no")]
    detail, _ = run(blocks((50, "a", "M", "no", "no"), *rows, (50 - mixed, "a", "F", "yes", "yes")), columns=JOB)
    finding = found(detail, TransportDecision())
    assert finding.part.mixed == pytest.approx(mixed / 100)
    assert any("too few where similar people are treated" in reason.what for reason in finding.reasons) is told


def test_a_budget_of_nothing_clears_nobody_where_it_matters() -> None:
    frame = pd.DataFrame(
        {"age": np.arange(400) * 1.0, "sex": ["Female", "Male"] * 200, "good": ["no"] * 200 + ["yes"] * 200}
    )
    says = frame["good"].where(frame.index != 30, "yes")
    dataset = dataset_of(frame.assign(says=says), protected=("sex",), features=("age",))
    metric = FittedMetric("age", ("age",), np.eye(1), np.empty((0, 1)), np.empty(0))
    detail, _ = run(dataset, columns=(CellColumn(name="age"),), metric=metric, similarity=ByMetric(metric=Expert()))
    for budget, verdict in ((1.0, Verdict.NO_VIOLATION), (0.0, Verdict.INSUFFICIENT)):
        finding = found(detail, TransportDecision(delta=0.95, budget=budget))
        assert finding.budget_matters
        assert finding.verdict is verdict
        assert any("A budget of 0" in reason.what for reason in finding.reasons) is (budget == 0)


def test_the_curve_kept_has_its_first_and_its_last_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_BREAKPOINTS", 3)
    frame = people(200)
    detail, _ = run(dataset_of(frame), metric=identity(2), similarity=ByMetric(metric=Expert()))
    finding = found(detail, TransportDecision())
    assert len(finding.curve.budgets) > 3
    assert len(finding.budgets) == 3
    assert finding.budgets[::2] == tuple(finding.curve.budgets[[0, -1]])


def test_a_value_that_is_not_known_has_no_curve() -> None:
    detail, _ = run(blocks(*EVERYWHERE), columns=JOB)
    finding = found(detail, TransportDecision())
    finding.__dict__["seen"] = replace(finding.seen, undefined="There is none.")
    assert (finding.budgets, finding.values) == ((), ())


def test_cells_know_how_many_of_their_people_the_model_favours() -> None:
    frame = people(300)
    cells = run(dataset_of(frame), columns=(CellColumn(name="job"),))[0].cells
    keys = cells.frame.assign(good=[cells.labels[label] for label in cells.label])
    names = list(keys.columns)
    shares = frame.assign(says=frame["says"] == "yes").groupby(names)["says"].mean()
    assert cells.favourable == pytest.approx([shares[tuple(row)] for row in keys.to_numpy().tolist()])


class MenByAge(Formula):
    """Women are all answered alike, men by their age."""

    def answers(self, data: EncodedDataset) -> np.ndarray:
        frame = data.encoder.inverse(data.x)
        chance = np.where(frame["sex"] == "Male", 0.004 * frame["age"].to_numpy(), 0.4)
        return np.column_stack([1 - chance, chance])


def test_the_order_of_the_rows_does_not_say_who_stands_for_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Women whose answers are alike are asked about as men, three of each kind."""
    monkeypatch.setattr("core.audits.transport.asking.LARGEST_PANEL", 3)
    frame = people(200).assign(sex=np.where(np.arange(200) < 8, "Male", "Female"))
    settings = {"space": "all groups", "similarity": DifferOnlyIn(columns=("sex", "job"))}
    losses = []
    for rows in (np.arange(200), np.random.default_rng(7).permutation(200)):
        turned = frame.iloc[rows].reset_index(drop=True)
        dataset = dataset_of(turned, features=("age", "job", "sex"), predictions=(), protected=("sex",))
        detail, _ = run(dataset, MenByAge(dataset), **settings)
        assert (detail.cells.people == 0).any()
        losses.append([part.sample.losses.tobytes() for part in detail.parts])
    assert losses[0] == losses[1]


def test_progress_of_pieces_that_each_begin_anew_never_falls() -> None:
    told: list[float] = []
    report = _rising(lambda progress: told.append(progress.done))
    for done in (0.2, 0.1, 0.5, 0.4):
        report(Progress(done, ""))
    assert told == [0.2, 0.2, 0.5, 0.5]


def test_few_people_of_whom_nobody_belongs_to_another_are_counted_as_people() -> None:
    finding = found(run(dataset_of(people(40)).take(np.arange(20)))[0], TransportDecision())
    named = replace(finding.result, data=replace(finding.result.data, belongs_to="household"))
    for result in (finding.result, named):
        said = [caveat.what for caveat in _unreliable(TransportFinding(result, finding.decision))]
        assert "Only 20 people were audited; a verdict needs at least 30." in said


def test_people_the_sample_misses_may_use_up_the_tolerance_and_no_more() -> None:
    finding = found(run(dataset_of(people(100)))[0], TransportDecision())
    unseen = Unseen(people=100, alone=0.0, hidden=0.0, room=0.5)
    for less, told in ((0.0, False), (1e-9, True)):
        decision = TransportDecision(delta=unseen.missed(0.05) * 0.5 - less)
        again = TransportFinding(finding.result, decision)
        again.__dict__["unseen"] = unseen
        (caveat,) = _not_seen(again)
        assert ("may miss groups of similar people that make up" in caveat.what) is told


def test_a_bound_for_everybody_that_is_the_tolerance_lies_within_it() -> None:
    finding = found(run(dataset_of(people(100)))[0], TransportDecision())
    again = TransportFinding(finding.result, TransportDecision(delta=finding.upper_bound))
    again.__dict__["unseen"] = EVERYBODY_SEEN
    assert again.by_claims is Verdict.NO_VIOLATION
    assert not any("speaks for the people who were looked at" in caveat.what for caveat in again.own_caveats)


def test_single_people_and_a_rise_of_just_the_tolerance_are_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only one of a group could be judged wrongly, which adds 1 / 2,002."""
    monkeypatch.setattr(TransportFinding, "by_claims", Verdict.NO_VIOLATION)
    single = ((1, "a", "Z", "yes", "yes"), (1, "b", "M", "yes", "yes"))
    detail, _ = run(blocks(*((1_000, "a", "F", good, good) for good in ("no", "yes")), *single), columns=JOB)
    rise = 1 / 2_002
    for delta, told in ((rise, True), (np.nextafter(rise, 0), False)):
        said = [caveat.what for caveat in _covered(found(detail, TransportDecision(delta=delta)))]
        assert any("'M' (1) and 'Z' (1) are so small a part" in what for what in said) is told


@pytest.mark.parametrize(("rows", "told"), [(20, True), (21, False)])
def test_a_group_of_a_tenth_is_small_and_a_larger_one_is_not(
    rows: int, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them could be judged wrongly, which is within a tolerance of a half."""
    monkeypatch.setattr(TransportFinding, "by_claims", Verdict.NO_VIOLATION)
    detail, _ = run(blocks((200 - rows, "a", "F", "no", "no"), (rows, "a", "M", "yes", "yes")), columns=JOB)
    said = [caveat.what for caveat in _covered(found(detail, TransportDecision(delta=0.5)))]
    assert any(f"'M' ({rows}) is so small a part" in what for what in said) is told


def test_strata_without_people_have_nothing_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TransportFinding, "by_claims", Verdict.NO_VIOLATION)
    frame = people(400).assign(sex=np.where(np.arange(400) < 8, "Male", "Female"))
    dataset = dataset_of(frame, features=("age", "job", "sex"), predictions=(), protected=("sex",))
    settings = {"space": "all groups", "similarity": DifferOnlyIn(columns=("sex", "job"))}
    detail, _ = run(dataset, Formula(dataset), **settings)
    assert (detail.cells.people == 0).any()
    said = [caveat.what for caveat in _covered(found(detail, TransportDecision(delta=0.02)))]
    assert any("Male' (8) is so small a part" in what for what in said)
