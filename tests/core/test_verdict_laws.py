"""What holds of every test's verdict, whatever it measures: one table of kinds, one set of laws."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from core.audits import KINDS
from core.data.copies import Copies
from core.inference.estimate import Verdict
from core.report.multiple_tests import Together
from core.result import AuditResult
from core.run import find
from core.study import adjusted
from tests.builders import make_result
from tests.builders_columns import make_column_result
from tests.builders_fair_dummies import make_fair_dummies_result, make_groups_result
from tests.builders_sensitivity import make_sensitivity_result
from tests.builders_transport import make_transport_result
from tests.kinds import SHIPPED

V, N, I = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT  # noqa: E741
ALPHAS = (0.001, 0.01, 0.05, 0.1, 0.3)


@dataclass(frozen=True)
class Law:
    """What the laws need to know of a kind.

    Attributes:
        results: Results of its test builders, fair and unfair.
        deltas: Tolerances, ascending.
        exceeds: Whether a finding's lower bound exceeds its tolerance.
    """

    results: Callable[[], tuple[AuditResult, ...]]
    deltas: tuple[float, ...]
    exceeds: Callable[[Any], bool]


def _bound(finding: Any) -> bool:
    return bool(finding.lower_bound > finding.decision.delta)


SHARES = (0.0, 0.01, 0.05, 0.1, 0.3, 0.9)
LAWS = {
    "gradient_flow": Law(
        lambda: tuple(make_result(excess=excess) for excess in (0.05, 0.27, 0.6)),
        (1.0, 1.05, 1.25, 1.4, 1.7, 2.5),
        _bound,
    ),
    "group_fairness": Law(
        lambda: (
            make_groups_result(),
            make_groups_result("two classes"),
            make_groups_result("two classes", violation=0.0),
        ),
        SHARES,
        lambda finding: any(one.beyond for one in finding.claims),
    ),
    "transport": Law(lambda: tuple(make_transport_result(bias=bias) for bias in (0.0, 0.3, 1.0)), SHARES, _bound),
    "column_sensitivity": Law(
        lambda: tuple(make_column_result(bias=bias) for bias in (0.0, 0.05, 0.12)), SHARES, _bound
    ),
    "text_sensitivity": Law(
        lambda: tuple(make_sensitivity_result(bias=bias) for bias in (0.0, 0.5, 1.0)), SHARES, _bound
    ),
    "equalized_odds": Law(
        lambda: (
            *(make_fair_dummies_result("two classes", violation=violation) for violation in (0.0, 0.1, 0.3)),
            *(make_fair_dummies_result("numbers", violation=violation, attributes=1) for violation in (0.0, 0.1, 0.3)),
        ),
        SHARES,
        lambda finding: any(
            one.lower_bound(finding.decision.alpha) > finding.decision.delta for one in finding.evidence
        ),
    ),
}


@dataclass(frozen=True)
class Reading:
    """What one result says at one tolerance and error rate."""

    p_value: float
    exceeds: bool
    verdict: Verdict


@cache
def readings(kind: str) -> tuple[np.ndarray, ...]:
    """Of each result of a kind: a reading at every tolerance and error rate, shape (tolerances, error rates)."""
    law, found = LAWS[kind], []
    for result in law.results():
        table = np.empty((len(law.deltas), len(ALPHAS)), dtype=object)
        for (row, delta), (column, alpha) in product(enumerate(law.deltas), enumerate(ALPHAS)):
            finding = find(result, KINDS[kind].decision(delta=delta, alpha=alpha))
            table[row, column] = Reading(finding.p_value, law.exceeds(finding), finding.verdict)
        found.append(table)
    return tuple(found)


def test_every_kind_is_in_the_table() -> None:
    assert set(LAWS) == set(SHIPPED)


@pytest.mark.parametrize("kind", LAWS)
def test_the_p_value_is_at_most_alpha_exactly_where_the_lower_bound_exceeds_the_tolerance(kind: str) -> None:
    for table in readings(kind):
        for (row, column), one in np.ndenumerate(table):
            assert (one.p_value <= ALPHAS[column]) == one.exceeds, (LAWS[kind].deltas[row], ALPHAS[column], one)


@pytest.mark.parametrize("kind", LAWS)
def test_a_violation_has_a_small_p_value_and_no_violation_a_large_one(kind: str) -> None:
    seen = set()
    for table in readings(kind):
        for (_, column), one in np.ndenumerate(table):
            seen.add(one.verdict)
            assert one.p_value <= ALPHAS[column] or one.verdict is not V
            assert one.p_value > ALPHAS[column] or one.verdict is not N
    assert seen == {V, N, I}, "the results of the table show every verdict"


@pytest.mark.parametrize("kind", LAWS)
def test_p_value_and_verdict_are_monotone_in_the_tolerance(kind: str) -> None:
    for column in (one for table in readings(kind) for one in table.T):
        assert not any(one.p_value > other.p_value for one, other in pairwise(column))
        order = [(V, I, N).index(one.verdict) for one in column]
        assert order == sorted(order), column


@pytest.mark.parametrize("kind", LAWS)
def test_what_is_said_at_an_error_rate_is_said_at_every_larger_one(kind: str) -> None:
    """Doubts that came with a larger error rate took back "no violation" there."""
    for row in (one for table in readings(kind) for one in table):
        assert not reverses([one.verdict for one in row]), row


@pytest.mark.parametrize("kind", LAWS)
def test_of_rows_that_were_copied_nothing_is_claimed_unless_each_counts_but_once(kind: str) -> None:
    law, kinds = LAWS[kind], KINDS[kind]
    for result in law.results():
        copied = replace(result, data=replace(result.data, copies=Copies(300, 200, 150.0)))
        few = replace(result, data=replace(result.data, copies=Copies(3_000, 200, 150.0)))
        for delta in law.deltas:
            decision = kinds.decision(delta=delta)
            plain, finding = find(result, decision), find(copied, decision)
            assert find(few, decision).verdict is plain.verdict
            if not finding.copies_count:
                assert finding.verdict is plain.verdict
                continue
            assert finding.verdict is I
            assert finding.opening in finding.sentence
            assert finding.reasons[0].what.startswith("200 of 300 rows are exact copies of an earlier one, where")
            assert "200 of 300 rows are exact copies" in finding.sentence
            assert finding.reasons[0].advice in finding.next_steps


def reverses(verdicts: list[Verdict]) -> bool:
    """Whether verdicts at growing error rates take back a violation or no violation."""
    return any(one is not I and other is not one for one, other in pairwise(verdicts))


def test_several_tests_together_keep_the_same_laws() -> None:
    """Every kind's results, two at a time, at every second tolerance."""
    tables = [table for kind in LAWS for table in readings(kind)]
    for one, other in pairwise([*tables, tables[0]]):
        for row in range(0, len(one), 2):
            verdicts = []
            for alpha, *pair in zip(ALPHAS, one[row], other[row], strict=True):
                values = adjusted(tuple(reading.p_value for reading in pair))
                verdict = Together(("a", "b"), tuple(pair), values, (alpha, alpha)).verdict
                assert verdict is not V or any(reading.exceeds for reading in pair)
                assert (verdict is N) == ({reading.verdict for reading in pair} == {N})
                verdicts.append(verdict)
            assert not reverses(verdicts)
