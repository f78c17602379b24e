"""Rows that belong together in the column test: copies say nothing new, and templates do not make it err."""

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.engine import run, split
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.contracts.audit import Given
from core.data.dataset import Dataset, Roles
from core.inference.estimate import Verdict
from core.workflows.papers.sensitivity import HIRING
from tests.core.audits.column_sensitivity.test_column_sensitivity import logistic, people
from tests.findings import found
from tests.measured import measured

MODEL = logistic((0.4, 0.2, 0.8), -3.0)


def tripled(rows: int = 120) -> tuple[Dataset, Dataset]:
    """People once, and each three times with a column that says so."""
    once = people(rows).frame
    roles = Roles(outcome="hired", favourable="yes", protected=("female",), features=HIRING, belongs_to="person")
    thrice = pd.concat([once] * 3, ignore_index=True).assign(person=np.tile(np.arange(rows), 3))
    return Dataset.build(once.assign(person=np.arange(rows)), roles), Dataset.build(thrice, roles)


def judged(dataset: Dataset, delta: float) -> Any:
    detail, _ = run(ColumnSensitivity(), Given(MODEL, MODEL.encode(dataset), np.random.default_rng(1)))
    return found(detail, ColumnSensitivityDecision(delta=delta))


def test_people_three_times_are_judged_as_people_once() -> None:
    once, thrice = (judged(dataset, 0.1) for dataset in tripled())
    assert thrice.n == 3 * once.n
    for name in ("estimate", "lower_bound", "upper_bound", "interval.low", "interval.high"):
        assert attrgetter(name)(thrice) == pytest.approx(attrgetter(name)(once), rel=1e-9)
    assert thrice.p_value == once.p_value
    assert [one.p_value for one in thrice.excesses] == pytest.approx([one.p_value for one in once.excesses])
    for name in ("low", "high", "differences_high"):
        assert getattr(thrice.group_means, name) == pytest.approx(
            getattr(once.group_means, name), rel=1e-6, nan_ok=True
        )
    flips = thrice.scores.flips, once.scores.flips
    assert flips[0].upper_bound(0.05) == pytest.approx(flips[1].upper_bound(0.05))
    assert flips[0].count == 3 * flips[1].count
    alone = replace(thrice.scores, clusters=None)
    plain = found(replace(thrice.result.detail, attributes=(alone,)), ColumnSensitivityDecision(delta=0.1))
    assert plain.upper_bound - plain.lower_bound < 0.65 * (thrice.upper_bound - thrice.lower_bound)


def test_who_teaches_the_changes_is_nobody_who_is_measured() -> None:
    _, thrice = tripled()
    data = MODEL.encode(thrice)
    taught, measured = split(ColumnSensitivity(through=("hair",)), data, np.random.default_rng(0))
    assert not set(taught.dataset.frame["person"]) & set(measured.dataset.frame["person"])
    assert len(taught) + len(measured) == 360


def of_templates(seed: int, families: int, texts: int, together: float, delta: float) -> ColumnSensitivityDetail:
    """Changes with mean delta: 1 with probability delta, rows of a family alike to this (tetrachoric) correlation."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(families), texts)
    shared = np.sqrt(together) * rng.standard_normal(families)[codes]
    change = norm.cdf(shared + np.sqrt(1 - together) * rng.standard_normal(len(codes)))
    change = np.minimum(1.0, change ** (1 / delta - 1))
    one = AttributeScores(
        "sex", ("f", "m"), np.arange(len(codes)) % 2, True, change, np.zeros(len(codes)), change > 2, ("sex",),
        np.zeros((2, 1)), codes,
    )  # fmt: skip
    return ColumnSensitivityDetail((one,), (), 0, draws=399, seed=1)


def errors(families: int, texts: int, together: float, repeats: int) -> np.ndarray:
    """False violations and false clearings where the mean is .1 + or - 1e-9, by rows and by cluster; shape (2, 2)."""
    wrong = np.zeros((2, 2))
    for seed in range(repeats):
        detail = of_templates(seed, families, texts, together, 0.1)
        for k, clusters in enumerate((None, detail.attributes[0].clusters)):
            one = replace(detail.attributes[0], clusters=clusters)
            finding = found(replace(detail, attributes=(one,)), ColumnSensitivityDecision(delta=0.1))
            wrong[k] += finding.verdict is Verdict.VIOLATION, finding.upper_bound < 0.1
    return wrong / repeats


def test_templates_make_rows_err_and_clusters_not() -> None:
    repeats = 24
    rows, clusters = errors(20, 40, 0.8, repeats)
    assert rows.max() > 0.2
    assert (clusters <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / repeats)).all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("families", "texts", "together"), [(10, 30, 0.2), (20, 70, 0.8), (200, 5, 0.5), (300, 3, 1.0)]
)
def test_error_rates_of_templates_and_copies(
    families: int, texts: int, together: float, record_property: Callable[[str, object], None]
) -> None:
    repeats = 200
    found_wrong = errors(families, texts, together, repeats)
    violations, clearings = found_wrong[1].tolist()
    record_property(
        *measured(
            f"{families} clusters of {texts} rows alike to {together:g}, mean change at the tolerance",
            n=families * texts,
            repeats=repeats,
            false_violations=violations,
            false_clearings=clearings,
        )
    )
    assert (found_wrong[1] <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / repeats)).all(), found_wrong
