"""The whole test from a table to its detail: against the linear program solved row by row, laws, and refusals."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from core.audits.transport.decision import TransportDecision
from core.audits.transport.preview import preview
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, ForbiddenPair, OwnCost
from core.base.errors import AuditError
from core.base.files import FileStore
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.metrics import Expert
from tests.core.audits.transport.cases import (
    COLUMNS,
    Formula,
    dataset_of,
    decisions,
    identity,
    people,
    probabilities,
    run,
)
from tests.findings import found as finding_of

READING = TransportDecision()


def value_by_rows(losses: np.ndarray, costs: np.ndarray, budget: float) -> float:
    """Eq. 3.1 with a cell for every row, solved by scipy's HiGHS."""
    n = len(losses)
    allowed = np.flatnonzero(np.isfinite(costs.ravel()))
    source, target = np.divmod(allowed, n)
    leaves = np.zeros((n, len(allowed)))
    leaves[source, np.arange(len(allowed))] = 1.0
    answer = linprog(
        -(losses[target] - losses[source]),
        A_ub=costs.ravel()[allowed][None],
        b_ub=[budget],
        A_eq=leaves,
        b_eq=np.full(n, 1 / n),
        method="highs",
    )
    return float(-answer.fun)


def as_bytes(detail: TransportDetail) -> bytes:
    from core.records.codec import encode
    from core.records.codec_frames import Arrays

    arrays = Arrays()
    tree = encode(detail, TransportDetail, arrays)
    return repr(tree).encode() + b"".join(array.tobytes() for array in arrays)


def test_differing_in_protected_attributes_only_is_the_worst_mean_of_every_class() -> None:
    frame = people()
    detail, _ = run(dataset_of(frame))
    frame = frame.assign(
        loss=(frame["good"] != frame["says"]).astype(float), age=pd.cut(frame["age"], [0, 25, 45, 99], right=False)
    )
    classes = ["good", "age", "job"]
    cells = frame.groupby([*classes, "sex", "race"], observed=True)["loss"].agg(["mean", "size"])
    worst = cells.groupby(level=[0, 1, 2], observed=True)["mean"].transform("max")
    expected = float(((worst - cells["mean"]) * cells["size"]).sum() / len(frame))
    assert finding_of(detail, READING).on_the_same_people == pytest.approx(expected, abs=1e-12)
    assert expected > 0.05
    solution = finding_of(detail, READING).solution
    assert solution.value == pytest.approx(expected, abs=1e-12)
    assert solution.certificate.valid()
    assert not finding_of(detail, READING).budget_matters
    assert detail.proposed_budget == 0.0


def test_a_metrics_value_is_the_linear_program_over_the_rows() -> None:
    frame = people(40, seed=3).assign(kind=np.arange(40))
    dataset = dataset_of(frame, features=("kind", "age", "job"), protected=("sex",))
    model = probabilities(dataset)
    data = model.encode(dataset)
    rng = np.random.default_rng(0)
    root = rng.standard_normal((3, 3))
    metric = FittedMetric("m", data.encoder.names, root @ root.T, np.empty((0, 3)), np.empty(0))
    detail, _ = run(
        dataset,
        model,
        metric=metric,
        columns=(CellColumn(name="kind"),),
        similarity=ByMetric(metric=Expert()),
    )
    assert len(detail.cells) == 40
    costs = np.array([metric.squared_distance(data.x, np.repeat(row[None], 40, axis=0)) for row in data.x])
    costs[data.y[:, None] != data.y] = np.inf
    p = frame["chance"].to_numpy()
    losses = (p - (frame["good"] == "yes")) ** 2
    for budget in (0.0, 0.05, 0.4, 50.0):
        decision = TransportDecision(loss="squared", budget=budget)
        assert finding_of(detail, decision).estimate == pytest.approx(
            value_by_rows(losses.to_numpy(), costs, budget), abs=1e-9
        )
        assert finding_of(detail, decision).solution.certificate.valid()
    assert finding_of(detail, decision).budget_matters
    nearest = np.where(costs > 0, costs, np.inf).min(axis=1)
    assert detail.proposed_budget == pytest.approx(0.1 * nearest.mean(), rel=0.06)
    assert finding_of(detail, TransportDecision()).budget == detail.proposed_budget
    curve = finding_of(detail, decision).curve
    assert curve.at(np.array([0.4]))[0] == pytest.approx(
        finding_of(detail, TransportDecision(loss="squared", budget=0.4)).estimate, abs=1e-12
    )


def test_an_uploaded_matrix_of_the_same_costs_gives_the_same_value() -> None:
    dataset = dataset_of(people())
    cells = preview(dataset, COLUMNS).cells
    classes = cells.frame[["age", "job"]].assign(label=cells.label).apply(tuple, axis=1)
    matrix = np.where(classes.to_numpy()[:, None] == classes.to_numpy(), 0.0, np.inf)
    store = FileStore()
    ref = store.put("\n".join(",".join(map(str, row)) for row in matrix).encode(), "costs.csv")
    own, caveats = run(dataset, similarity=OwnCost(file=ref))
    plain, _ = run(dataset)
    assert finding_of(own, READING).on_the_same_people == pytest.approx(
        finding_of(plain, READING).on_the_same_people, abs=1e-12
    )
    assert not caveats
    open_to_all = store.put(b"\n".join([b",".join([b"0"] * len(cells))] * len(cells)), "zeros.csv")
    mixed, caveats = run(dataset, similarity=OwnCost(file=open_to_all))
    assert any("different recorded outcomes" in caveat.what for caveat in caveats)
    plan = finding_of(mixed, READING).solution.plan
    np.testing.assert_array_equal(cells.label[plan.source], cells.label[plan.target])
    with pytest.raises(AuditError, match="there are"):
        run(dataset, columns=(CellColumn(name="job"),), similarity=OwnCost(file=ref))


def test_forbidden_pairs_carry_no_mass() -> None:
    pair = ForbiddenPair(attribute="sex", origin="Female", target="Male")
    detail, _ = run(dataset_of(people()), forbidden=(pair,))
    free, _ = run(dataset_of(people()))
    plan, sex = finding_of(detail, READING).solution.plan, detail.cells.frame["sex"].to_numpy()
    assert len(plan.mass)
    assert not ((sex[plan.source] == "Female") & (sex[plan.target] == "Male")).any()
    assert 0 < finding_of(detail, READING).on_the_same_people < finding_of(free, READING).on_the_same_people
    back = ForbiddenPair(attribute="sex", origin="Male", target="Female")
    same = [ForbiddenPair(attribute="sex", origin=one, target=one) for one in ("Female", "Male")]
    nobody, _ = run(dataset_of(people()), forbidden=(pair, back, *same))
    assert finding_of(nobody, READING).on_the_same_people == 0.0
    assert not nobody.comparable.any()


@pytest.mark.parametrize(
    ("model_of", "space"),
    [(decisions, "observed"), (probabilities, "observed"), (Formula, "observed"), (Formula, "all groups")],
)
def test_permuting_the_rows_changes_no_byte(model_of: Callable[[Dataset], AbstractModel], space: str) -> None:
    frame = people(200)
    found = []
    for rows in (np.arange(200), np.random.default_rng(7).permutation(200)):
        dataset = dataset_of(frame.iloc[rows].reset_index(drop=True), features=("age", "job", "sex"))
        found.append(as_bytes(run(dataset, model_of(dataset), space=space)[0]))
    assert found[0] == found[1]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_interval() -> None:
    dataset = dataset_of(people())
    assert as_bytes(run(dataset, seed=3)[0]) == as_bytes(run(dataset, seed=3)[0])
    one, other = run(dataset, seed=3)[0], run(dataset, seed=4)[0]
    assert finding_of(one, READING).on_the_same_people == finding_of(other, READING).on_the_same_people
    assert one.seed != other.seed


def test_renaming_groups_changes_no_number() -> None:
    frame = people()
    renamed = frame.assign(
        sex=frame["sex"].map({"Female": "x", "Male": "a"}), race=frame["race"].map({"Black": "9", "White": "1"})
    )
    plain, other = run(dataset_of(frame))[0], run(dataset_of(renamed))[0]
    assert finding_of(plain, READING).on_the_same_people == pytest.approx(
        finding_of(other, READING).on_the_same_people, abs=1e-14
    )
    assert sorted(plain.cells.people) == sorted(other.cells.people)


def test_doubling_the_table_changes_no_value_and_narrows_the_interval() -> None:
    frame = people(300)
    plain = finding_of(run(dataset_of(frame), draws=2000)[0], READING)
    several = dataset_of(pd.concat([frame] * 4, ignore_index=True))
    double = finding_of(run(several, draws=2000)[0], READING)
    assert double.on_the_same_people == pytest.approx(plain.on_the_same_people, abs=1e-12)
    wide, narrow = plain.inference.two_sided(0.1), double.inference.two_sided(0.1)
    assert narrow.high - narrow.low < 0.8 * (wide.high - wide.low)


def test_a_copy_of_everybody_changes_no_value_at_a_distance() -> None:
    frame = people(60)
    values = []
    for table in (frame, pd.concat([frame] * 3, ignore_index=True)):
        dataset = dataset_of(table)
        model = probabilities(dataset)
        metric = identity(model.encoder.width)
        detail, _ = run(dataset, model, metric=metric, similarity=ByMetric(metric=Expert()))
        values.append(
            [finding_of(detail, TransportDecision(loss="squared", budget=b)).estimate for b in (0.0, 0.05, 1.0)]
        )
        # Cells share a class of free moves only if people of both are the same on average.
        assert (finding_of(detail, TransportDecision(loss="squared")).part.envelope.cost > 1e-9).all()
    assert values[0][1] > 0
    # The metric's space is standardised by the table: its scale is the same for a table of copies.
    np.testing.assert_allclose(values[0], values[1], rtol=1e-9, atol=1e-12)


def test_means_of_equal_people_are_no_distance_and_no_loss() -> None:
    """Losses and places agree but for the rounding of means of 1, 3 and 7 people."""
    frame = pd.DataFrame({"age": 33.3, "kind": ["a", "b", "b", "b", *["c"] * 7] * 4, "sex": ["Female", "Male"] * 22})
    frame = frame.assign(good=["no"] * 22 + ["yes"] * 22, chance=np.where(np.arange(44) < 22, 0.123, 0.877))
    frame.loc[0, "age"] = 60.0
    dataset = dataset_of(frame, protected=("sex",), features=("age", "kind"))
    model = probabilities(dataset)
    matrix = np.zeros((model.encoder.width,) * 2)
    matrix[0, 0] = 1.0
    metric = replace(identity(len(matrix)), matrix=matrix)
    detail, _ = run(
        dataset, model, columns=(CellColumn(name="kind"),), metric=metric, similarity=ByMetric(metric=Expert())
    )
    for loss in ("log", "squared"):
        decision = TransportDecision(loss=loss, budget=1.0)
        assert finding_of(detail, decision).estimate == 0.0
        assert not len(finding_of(detail, decision).solution.plan.mass)


def test_a_model_that_treats_everybody_alike_has_the_value_zero() -> None:
    frame = people().assign(says="yes")
    detail, _ = run(dataset_of(frame))
    assert finding_of(detail, READING).on_the_same_people == 0.0
    assert finding_of(detail, READING).seen.upper_bound(0.05) == 0.0


def test_more_ways_to_differ_only_raise_the_value() -> None:
    dataset = dataset_of(people())
    by = {
        columns: finding_of(run(dataset, similarity=DifferOnlyIn(columns=columns))[0], READING).on_the_same_people
        for columns in ((), ("sex",), ("sex", "race"), ("sex", "race", "job"), ("sex", "race", "job", "age"))
    }
    values = list(by.values())
    assert values[0] == values[2]
    assert values[1] < values[2] < values[3] < values[4]


def test_every_group_finds_at_least_what_the_table_shows() -> None:
    dataset = dataset_of(people(60), features=("age", "job", "sex"))
    model = Formula(dataset)
    decision = TransportDecision(loss="squared")
    observed, _ = run(dataset, model)
    every, _ = run(dataset, model, space="all groups")
    assert len(every.cells) > len(observed.cells)
    assert every.comparable_share == 1.0
    assert finding_of(every, decision).estimate > finding_of(observed, decision).estimate
    assert every.losses == ("0-1", "log", "squared")
    assert not np.isnan(every.cells.favourable).any()


def test_people_asked_for_have_their_place_in_a_metric() -> None:
    frame = people(40)
    frame["age"] = np.resize([20, 40, 60], 40)
    dataset = dataset_of(frame, features=("age", "job", "sex"))
    model = Formula(dataset)
    columns = (CellColumn(name="age"), CellColumn(name="job"))
    decision = TransportDecision(loss="squared", budget=0.0)
    within, _ = run(dataset, model, space="all groups", columns=columns)
    sex_is_free = replace(identity(3), matrix=np.diag([1.0, 1.0, 0.0]))
    by_metric, _ = run(
        dataset,
        model,
        space="all groups",
        columns=columns,
        metric=sex_is_free,
        similarity=ByMetric(metric=Expert()),
    )
    assert (within.cells.people == 0).any()
    assert finding_of(by_metric, decision).estimate == pytest.approx(finding_of(within, decision).estimate, abs=1e-12)
    assert finding_of(within, decision).estimate > 0


def test_the_answer_to_a_question_is_kept() -> None:
    detail, _ = run(dataset_of(people()))
    finding = finding_of(detail, READING)
    assert finding.seen is finding.under(delta=0.2, alpha=0.1).seen
    assert finding.solution is finding.under(delta=0.2).solution
    assert finding.under(loss="0-1", budget=1.0).seen is not finding.seen
