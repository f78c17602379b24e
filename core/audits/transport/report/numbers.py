"""Every number of a transport test that a report shows, collected once."""

from dataclasses import dataclass

import numpy as np

from core.audits.transport import maps
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.wording import flow_sentences, verdict_headline, verdict_sentence
from core.inference.resampled import Checked, ResampledEstimate
from core.inference.transport.solution import Certificate
from core.report.numbers import Numbers

MOST_BREAKPOINTS = 200
"""Budgets in the record's curve; of more, evenly spaced ones are kept, the first and the last among them."""


@dataclass(frozen=True)
class CellNumbers:
    """The kinds of people.

    Attributes:
        cells: K.
        people: Audited people.
        alone: Share of them who are the only one of their kind.
        comparable: Share who may be compared with people of another protected group.
        mixed: Share in cells whose members have different losses.
    """

    cells: int
    people: int
    alone: float
    comparable: float
    mixed: float


@dataclass(frozen=True)
class FlowNumbers:
    """How many people of one protected group are compared with those of another."""

    origin: str
    target: str
    people: float


@dataclass(frozen=True)
class TransportNumbers(Numbers):
    """Everything that follows from a transport test under decision settings.

    Attributes:
        loss: The loss read.
        estimate: The audit value (eq. 3.1); NaN, like all that follows from it, where the loss is not to be had.
        interval_low: Lower end of the two-sided interval (eq. 4.1 with its sign corrected).
        interval_high: Upper end.
        lower_bound: One-sided lower bound.
        upper_bound: One-sided upper bound.
        lower_error: Monte-Carlo standard error of the lower bound; 0 where it draws nothing.
        upper_error: Monte-Carlo standard error of the upper bound.
        n: Audited people.
        budget: The budget in force.
        budget_matters: Whether another budget could change the value.
        price: Rise of the value per unit of budget just above this one (the dual ν).
        certificate: Largest violation of the optimality conditions by the plan and its duals.
        cells: The kinds of people.
        flows: People moved between protected groups, largest first.
        sentences: The largest flows in words.
        budgets: Budgets at which the slope of the value changes.
        values: The value at each of them.
        undefined: Why there is no value; empty when there is one.
    """

    loss: Loss
    estimate: float
    interval_low: float
    interval_high: float
    lower_bound: float
    upper_bound: float
    lower_error: float
    upper_error: float
    n: int
    budget: float
    budget_matters: bool
    price: float
    certificate: float
    cells: CellNumbers
    flows: tuple[FlowNumbers, ...]
    sentences: tuple[str, ...]
    budgets: tuple[float, ...]
    values: tuple[float, ...]
    undefined: str


def collect(result: TransportResult, decision: TransportDecision) -> TransportNumbers:
    """All numbers of ``result`` under ``decision``."""
    detail, found = result.detail, result.detail.estimate(decision)
    known = not found.undefined
    solution = detail.solution(decision) if known else None
    interval = found.two_sided(decision.alpha)
    budgets, values = _curve(result, decision) if known else ((), ())
    return TransportNumbers(
        headline=verdict_headline(result, decision),
        sentence=verdict_sentence(result, decision),
        verdict=detail.verdict(decision),
        reasons=detail.reasons(decision),
        p_value=found.p_value(decision.delta),
        loss=decision.loss,
        estimate=found.value,
        interval_low=interval.low,
        interval_high=interval.high,
        lower_bound=found.lower_bound(decision.alpha),
        upper_bound=found.upper_bound(decision.alpha),
        lower_error=found.lower_error(decision.alpha) if isinstance(found, ResampledEstimate | Checked) else 0.0,
        upper_error=found.upper_error(decision.alpha) if isinstance(found, ResampledEstimate | Checked) else 0.0,
        n=found.n,
        budget=detail.budget(decision),
        budget_matters=known and detail.budget_matters(decision),
        price=float("nan") if solution is None else solution.price_low,
        certificate=float("nan") if solution is None else _largest(solution.certificate),
        cells=CellNumbers(
            cells=len(detail.cells),
            people=int(detail.cells.people.sum()),
            alone=detail.alone,
            comparable=detail.comparable_share,
            mixed=detail.part(decision).mixed if known else float("nan"),
        ),
        flows=_flows(result, decision) if known else (),
        sentences=flow_sentences(result, decision),
        budgets=budgets,
        values=values,
        undefined=found.undefined,
    )


def _largest(certificate: Certificate) -> float:
    return max(certificate.primal, certificate.dual, certificate.complementarity)


def _curve(result: TransportResult, decision: TransportDecision) -> tuple[tuple[float, ...], tuple[float, ...]]:
    curve = result.detail.curve(decision)
    kept = np.unique(np.linspace(0, len(curve.budgets) - 1, min(len(curve.budgets), MOST_BREAKPOINTS)).astype(int))
    return tuple(curve.budgets[kept].tolist()), tuple(curve.values[kept].tolist())


def _flows(result: TransportResult, decision: TransportDecision) -> tuple[FlowNumbers, ...]:
    cells = result.detail.cells
    matrix = maps.group_flows(cells, maps.moves_of(result.detail, decision)).sum(axis=0)
    origin, target = np.nonzero(matrix > 0)
    order = np.lexsort((target, origin, -matrix[origin, target]))
    return tuple(
        FlowNumbers(cells.groups[i], cells.groups[j], float(matrix[i, j]))
        for i, j in zip(origin[order], target[order], strict=True)
    )
