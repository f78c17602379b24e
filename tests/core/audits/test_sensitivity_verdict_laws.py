"""Laws of the verdicts of both sensitivity tests, by tables of many shapes whose means lie about the tolerance."""

import itertools
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits import KINDS
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail
from core.audits.text_sensitivity.decision import MEASURES, TextSensitivityDecision
from core.base.grouping import Grouping
from core.finding import room_of
from core.inference.estimate import Verdict
from tests.builders_sensitivity import make_sensitivity_detail
from tests.builders_swaps import all_reached
from tests.findings import found

ALPHAS = (0.001, 0.005, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5)
DECISIONS: dict[str, list[Any]] = {
    "column": [ColumnSensitivityDecision(), ColumnSensitivityDecision(measure="slope")],
    "text": [
        TextSensitivityDecision(),
        TextSensitivityDecision(judged="reference", measure="P3"),
        TextSensitivityDecision(judged="reference", measure="CF"),
    ],
}
SEEDS = range(8)


def shapes(rng: np.random.Generator, n: int) -> np.ndarray:
    mean = rng.uniform(0.02, 0.09)
    kind = rng.integers(4)
    if kind == 0:
        return np.minimum(mean * rng.gamma(2, 0.5, n), 1)
    if kind == 1:
        return (rng.random(n) < mean).astype(float)
    if kind == 2:
        return np.full(n, mean)
    return np.minimum(mean * rng.lognormal(-0.7, 1.2, n), 1)


@cache
def column(seed: int) -> Any:
    """One to three attributes, with a small group, and decisions that change for some."""
    rng, n = np.random.default_rng(seed), (25, 60, 400)[seed % 3]
    attributes = []
    for place in range(1 + seed % 3):
        codes = rng.choice(3, n, p=(0.1, 0.3, 0.6))
        change = shapes(rng, n)
        flipped = rng.random(n) < rng.choice([0.0, 0.02, 0.1])
        name = f"attribute {place}"
        slope = 1.2 * change
        empty = np.zeros((3, 0))
        attributes.append(AttributeScores(name, ("a", "b", "c"), codes, True, change, slope, flipped, (), empty))
    return ColumnSensitivityDetail(tuple(attributes), (), 0, 199, seed)


@cache
def text(seed: int) -> Any:
    """Two protected attributes, a second model, and classes that change for some."""
    rng, n = np.random.default_rng(seed), (60, 150)[seed % 2]
    detail = make_sensitivity_detail(texts=n, shown=0, draws=199, seed=seed)
    measures = detail.audited.measures.copy()
    known = np.isfinite(measures[:, MEASURES.index("CF")])
    measures[known, MEASURES.index("CF")] = shapes(rng, int(known.sum()))
    flipped = known & (rng.random(n) < rng.choice([0.0, 0.02, 0.1]))
    members = tuple(Grouping(name, ("a", "b", "c"), rng.choice(3, n, p=(0.1, 0.3, 0.6))) for name in ("gender", "race"))
    audited = replace(detail.audited, measures=measures, flipped=flipped)
    return replace(detail, audited=audited, memberships=members, reach=all_reached(members))


@cache
def result(kind: str, seed: int) -> Any:
    """One result a table, whose bootstraps are drawn once."""
    return found((column if kind == "column" else text)(seed), DECISIONS[kind][0]).result


def judged(kind: str, seed: int, decision: Any, delta: float, alpha: float) -> Any:
    own = decision.model_copy(update={"delta": float(delta), "alpha": alpha})
    return room_of(KINDS[decision.kind]).finding(result(kind, seed), own)


tables = st.sampled_from([(kind, decision) for kind, each in DECISIONS.items() for decision in each])
seeds, alphas = st.sampled_from(SEEDS), st.sampled_from(ALPHAS)
deltas = st.one_of(st.floats(0.0, 0.15), st.just(0.05), st.just(0.0))
ORDER = (Verdict.VIOLATION, Verdict.INSUFFICIENT, Verdict.NO_VIOLATION)


@given(tables, seeds, deltas, alphas, st.booleans())
@settings(max_examples=100, deadline=None)
def test_p_is_at_most_alpha_exactly_where_the_lower_bound_exceeds_delta(
    table: tuple[str, Any], seed: int, delta: float, alpha: float, at_the_bound: bool
) -> None:
    kind, decision = table
    if at_the_bound:
        bound = judged(kind, seed, decision, delta, alpha).lower_bound
        delta = max(0.0, bound) if np.isfinite(bound) else delta
    for near in (delta, max(0.0, np.nextafter(delta, -1.0))):
        one = judged(kind, seed, decision, near, alpha)
        assert (one.p_value <= alpha) == (one.lower_bound > near)
        if one.verdict is Verdict.VIOLATION:
            assert one.p_value <= alpha
        if one.verdict is Verdict.NO_VIOLATION:
            assert one.upper_bound <= near
            assert one.p_value > alpha


@given(tables, seeds, st.lists(deltas, min_size=2, max_size=5), alphas)
@settings(max_examples=50, deadline=None)
def test_verdicts_and_p_values_are_monotone_in_delta(
    table: tuple[str, Any], seed: int, several: list[float], alpha: float
) -> None:
    kind, decision = table
    each = [judged(kind, seed, decision, delta, alpha) for delta in sorted(several)]
    places = [ORDER.index(one.verdict) for one in each]
    assert places == sorted(places)
    p_values = [one.p_value for one in each]
    assert p_values == sorted(p_values)


@given(tables, seeds, deltas)
@settings(max_examples=50, deadline=None)
def test_verdicts_never_reverse_as_alpha_grows(table: tuple[str, Any], seed: int, delta: float) -> None:
    kind, decision = table
    each = [judged(kind, seed, decision, delta, alpha).verdict for alpha in ALPHAS]
    for smaller, larger in itertools.pairwise(each):
        assert smaller is not Verdict.VIOLATION or larger is Verdict.VIOLATION
        assert (smaller, larger) != (Verdict.NO_VIOLATION, Verdict.VIOLATION)


def test_the_tables_of_these_laws_reach_every_verdict() -> None:
    reached = {
        (kind, judged(kind, seed, DECISIONS[kind][0], delta, 0.05).verdict)
        for kind in DECISIONS
        for seed in SEEDS
        for delta in (0.0, 0.05, 0.3)
    }
    assert len(reached) == 6


@pytest.mark.parametrize("seed", SEEDS)
def test_all_attributes_are_judged_whichever_is_shown(seed: int) -> None:
    one = judged("column", seed, ColumnSensitivityDecision(), 0.05, 0.05)
    for name in (attribute.attribute for attribute in column(seed).attributes):
        other = one.under(attribute=name)
        assert (other.sentence, other.p_value, other.lower_bound, other.upper_bound, other.reasons) == (
            one.sentence, one.p_value, one.lower_bound, one.upper_bound, one.reasons,
        )  # fmt: skip
        assert other.scores.attribute == name
    assert one.p_value == pytest.approx(min(each.p_value for each in one.claims))
