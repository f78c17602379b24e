"""Limits an auditor adds: the value against the plain linear program, its interval, and limits nobody can meet."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import ByMetric, LabelBudget, MassLimit
from core.base.errors import AuditError, SettingsError
from core.inference.estimate import Verdict
from core.metrics import Expert
from tests.core.audits.transport.cases import dataset_of, identity, people, probabilities, run
from tests.findings import found as finding_of

READING = TransportDecision(loss="squared")


def limited(rows: int = 200, protected: tuple[str, ...] = ("sex", "race"), **settings: Any) -> TransportDetail:
    dataset = dataset_of(people(rows), protected=protected)
    return run(dataset, probabilities(dataset), **settings)[0]


def by_linear_program(detail: TransportDetail, rows: list[tuple[np.ndarray, float]]) -> float:
    """Eq. 3.1 over all pairs of one class, with rows (coefficient of leaving each cell, bound) added."""
    part, cells = finding_of(detail, READING).part, detail.cells
    losses, masses = part.sample.losses, part.sample.masses
    classes = cells.frame[["age", "job"]].assign(label=cells.label).apply(tuple, axis=1).to_numpy()
    pairs = np.array([(i, j) for i in range(len(cells)) for j in range(len(cells)) if classes[i] == classes[j]])
    source, target = pairs.T
    leaves = np.zeros((len(cells), len(pairs)))
    leaves[source, np.arange(len(pairs))] = 1.0
    answer = linprog(
        -(losses[target] - losses[source]),
        A_ub=np.array([weight[source] * (source != target) for weight, _ in rows]),
        b_ub=[bound for _, bound in rows],
        A_eq=leaves,
        b_eq=masses,
        method="highs",
    )
    return float(-answer.fun)


def test_a_limit_for_a_group_gives_the_value_of_the_linear_program() -> None:
    limit = MassLimit(attribute="sex", group="Female", at_most=0.05)
    detail = limited(limits=(limit,))
    women = (detail.cells.frame["sex"] == "Female").to_numpy(dtype=float)
    solution = finding_of(detail, READING).solution
    assert solution.value == pytest.approx(by_linear_program(detail, [(women, 0.05)]), abs=1e-9)
    assert finding_of(detail, READING).estimate == solution.value
    assert solution.certificate.valid()
    leaving = solution.plan.mass[women[solution.plan.source] > 0].sum()
    assert leaving == pytest.approx(0.05, abs=1e-9)
    assert 0 < solution.value < finding_of(limited(), READING).estimate


def test_people_may_have_to_be_moved() -> None:
    limit = MassLimit(attribute="sex", group="Male", at_least=0.4)
    detail = limited(protected=("sex",), limits=(limit,))
    men = (detail.cells.frame["sex"] == "Male").to_numpy(dtype=float)
    solution = finding_of(detail, READING).solution
    assert solution.value == pytest.approx(by_linear_program(detail, [(-men, -0.4)]), abs=1e-9)
    assert solution.value < finding_of(limited(protected=("sex",)), READING).estimate


def test_a_limit_that_binds_nowhere_changes_nothing() -> None:
    plain, loose = limited(), limited(limits=(MassLimit(attribute="sex", group="Female", at_most=1.0),))
    one, other = finding_of(plain, READING).seen, finding_of(loose, READING).seen
    assert other.value == pytest.approx(one.value, abs=1e-12)
    for bound in ("lower_bound", "upper_bound"):
        assert getattr(other, bound)(0.05) == pytest.approx(getattr(one, bound)(0.05), abs=2e-3)


def test_budgets_by_outcome_bind_the_people_of_that_outcome() -> None:
    dataset = dataset_of(people(120))
    model = probabilities(dataset)
    settings = {"metric": identity(2), "similarity": ByMetric(metric=Expert())}
    wide = TransportDecision(loss="squared", budget=1e6)
    free = run(dataset, model, **settings)[0]
    none = run(dataset, model, **settings, label_budgets=(LabelBudget(label="no", budget=0.0),))[0]
    plan, label = finding_of(none, wide).solution.plan, none.cells.label
    gains = finding_of(free, wide).part.sample.losses
    costly = finding_of(free, wide).solution.plan
    assert (label[costly.source] == none.cells.labels.index("no")).any()
    for source, target in zip(plan.source, plan.target, strict=True):
        if none.cells.labels[label[source]] == "no":
            same = (none.cells.frame.loc[source, ["age", "job"]] == none.cells.frame.loc[target, ["age", "job"]]).all()
            assert same or gains[source] == gains[target]
    assert finding_of(none, wide).estimate < finding_of(free, wide).estimate
    assert finding_of(none, wide).budget_matters
    curve = finding_of(none, wide).curve
    assert curve.budgets[0] == 0.0
    assert (np.diff(curve.values) >= -1e-9).all()


def test_limits_nobody_can_meet_are_an_outcome_with_the_limit_at_fault() -> None:
    with pytest.raises(
        AuditError, match=r"90.00% of all people are to be moved out of Female \(sex\), and at most 49.50% can be\. Ask"
    ):
        limited(limits=(MassLimit(attribute="sex", group="Female", at_least=0.9),))


def test_a_budget_too_small_for_the_limits_is_an_outcome_of_the_decision() -> None:
    dataset = dataset_of(people(120).assign(job="clerk", sex=["Female", "Male"] * 60), protected=("sex",))
    # With the metric on age alone nobody is at distance 0 from another kind: every move costs something.
    frame = dataset.frame.assign(age=np.arange(120) * 0.5)
    dataset = dataset_of(frame, protected=("sex",), features=("age",))
    detail = run(
        dataset,
        probabilities(dataset),
        columns=(),
        metric=identity(1),
        similarity=ByMetric(metric=Expert()),
        limits=(MassLimit(attribute="sex", group="Male", at_least=0.3),),
    )[0]
    nothing = TransportDecision(loss="squared", budget=0.0)
    assert (
        "30.00% of all people are to be moved out of Male (sex), and at most 0.00% can be"
        in finding_of(detail, nothing).inference.undefined
    )
    assert finding_of(detail, nothing).verdict is Verdict.INSUFFICIENT
    assert finding_of(detail, nothing).reasons[0].level == "serious"
    assert not finding_of(detail, TransportDecision(loss="squared", budget=1e3)).inference.undefined


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"limits": (MassLimit(attribute="job", group="clerk", at_most=0.1),)}, "no protected attribute"),
        ({"limits": (MassLimit(attribute="sex", group="nobody", at_most=0.1),)}, "Nobody among"),
        ({"limits": (MassLimit(attribute="sex", group="Male", at_least=0.3, at_most=0.2),)}, "at most 0.2"),
        ({"label_budgets": (LabelBudget(label="maybe", budget=1.0),)}, "recorded outcome 'maybe'"),
        ({"label_budgets": (LabelBudget(label="no", budget=1.0),) * 2}, "two budgets"),
    ],
)
def test_limits_that_name_what_does_not_exist_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        limited(**settings)
