"""Bounds that hold where costs are wrong by a factor, the draws' chart, and the paper's ways in a finding."""

import numpy as np
import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.figures.draws import errors
from core.audits.transport.robustness import FACTORS
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from core.inference.transport.costs import QuadraticCost
from core.inference.transport.envelope import Envelope
from tests.builders_transport import make_transport_result


@pytest.fixture(scope="module")
def finding() -> TransportFinding:
    return TransportFinding(make_transport_result(similarity="metric"), TransportDecision())


def test_whatever_the_costs_within_a_factor_the_rise_lies_between_two_budgets() -> None:
    """The law by brute force: a linear program for each of 30 perturbed cost matrices."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(0)
    points, losses, masses, budget = rng.normal(size=(6, 2)), rng.random(6), rng.dirichlet(np.ones(6)), 0.3
    plain = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    curve = Envelope.build(losses, QuadraticCost(points, np.zeros(6, dtype=np.int64))).curve(masses)

    def rise(cost: np.ndarray) -> float:
        moved = (losses[None] - losses[:, None]).ravel()
        from_each = np.kron(np.eye(6), np.ones(6))
        found = linprog(-moved, cost.ravel()[None], [budget], from_each, masses, method="highs")
        return float(-found.fun)

    assert rise(plain) == pytest.approx(float(curve.at(np.array([budget]))[0]), abs=1e-9)
    for factor in FACTORS[1:]:
        low, high = curve.at(np.array([budget / factor, budget * factor]))
        for _ in range(8):
            off = plain * factor ** rng.uniform(-1, 1, plain.shape)
            assert low - 1e-9 <= rise(off) <= high + 1e-9


def test_bounds_widen_with_the_factor_and_begin_with_the_findings_own(finding: TransportFinding) -> None:
    claims = finding.parts["transport costs"]
    assert len(claims) == len(FACTORS)
    assert (claims[0].low, claims[0].high) == (finding.lower_bound, finding.upper_bound)
    assert [one.low for one in claims] == sorted((one.low for one in claims), reverse=True)
    assert [one.high for one in claims] == sorted(one.high for one in claims)
    assert "transport costs" in finding.charts
    assert len(finding.tables["transport costs"].rows) == len(FACTORS)


def test_costs_of_nothing_or_everything_have_no_factor() -> None:
    free = TransportFinding(make_transport_result(), TransportDecision())
    assert free.parts["transport costs"] == ()
    assert "transport costs" not in free.charts


def test_the_draws_are_those_of_the_interval(finding: TransportFinding) -> None:
    drawn = errors(finding)
    assert len(drawn) == finding.detail.draws
    figure = finding.drawing("transport draws").figure
    assert sum(figure.data[0].y) == len(drawn)
    assert figure.layout.shapes[0].x0 == pytest.approx(np.quantile(drawn, 0.025))
    assert not len(errors(finding.under(method="closed form")))
    assert "transport draws" not in finding.under(method="closed form").charts


def test_the_papers_ways_claim_nothing_where_they_are_known_to_fail() -> None:
    few = make_transport_result(rows=200)
    for method in ("m out of n, as published", "numerical"):
        found = TransportFinding(few, TransportDecision(delta=0.0, method=method))
        assert found.doubts
        assert found.verdict is Verdict.INSUFFICIENT
        assert found.reasons
