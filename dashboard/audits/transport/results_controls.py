"""What the verdict of a transport test rests on: loss, tolerance, error rate, method and budget."""

import math
from typing import get_args

import streamlit as st

from core.audits.transport.decision import LARGEST, Loss, TransportDecision
from core.audits.transport.figures.budget import axis_end
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.inference.transport.methods import Method
from core.language.told import retold, say
from core.language.units import round_up
from core.plan import AuditPlan
from dashboard.text import literal
from dashboard.views.results.decision import (
    SLIDER_STEPS,
    ErrorRate,
    end_of_slider,
    listed,
    rooms,
    segments,
    side_by_side,
)
from dashboard.views.results.widgets import widget


def show(plan: AuditPlan, start: TransportDecision, result: TransportResult, alpha: ErrorRate) -> TransportDecision:
    """Loss, tolerance, error rate, method, and the budget where it counts."""
    tolerated, other = rooms(say("the loss, the budget or the method"))
    with other:
        loss = _loss(plan, start, result)
        budget = _budget(plan, start, result)
        methods: tuple[Method, ...] = get_args(Method)
        method = listed(start, plan, "method", methods, start.method)
    with tolerated:
        delta, rate = side_by_side(lambda: _tolerance(plan, start, result, loss), alpha)
    return TransportDecision(delta=delta, alpha=rate, budget=budget, loss=loss, method=method)


def _loss(plan: AuditPlan, start: TransportDecision, result: TransportResult) -> Loss:
    """One of the losses that the model's answers allow; why not the others stands below."""
    losses = tuple(dict.fromkeys((*result.detail.losses, start.loss)))
    chosen = segments(start, plan, "loss", losses)
    for why in dict.fromkeys(why for _, why in result.detail.unavailable):
        st.caption(literal(retold(why)))
    return chosen


def _tolerance(plan: AuditPlan, start: TransportDecision, result: TransportResult, loss: Loss) -> float:
    """Each loss has a widget of its own, for a share of wrong decisions is no tolerance for a logarithm."""
    found = TransportFinding(result, start).under(loss=loss, alpha=0.05)
    high = 1.5 * found.interval.high if not found.undefined else 0.0
    end = max(0.1, 1.5 * start.delta, high if math.isfinite(high) else 0.0)
    end = end_of_slider(round_up(end), start.delta)
    unit = LOSS_UNITS[loss].told_in
    shown = unit.shown(start.delta)
    chosen: float = widget(
        st.slider,
        TransportDecision,
        plan,
        "delta",
        0.0,
        unit.shown(min(end, LARGEST[loss], 100.0)),
        shown,
        unit.shown(round_up(end / SLIDER_STEPS) / 2),
        more=f" ({unit.name})" if unit.name else "",
        format="%.3g" if unit.name else "%.4f",
        key=f"delta-{loss}" if loss != "0-1" else "tolerance",
    )
    return start.delta if chosen == shown else unit.entered(chosen)


def _budget(plan: AuditPlan, start: TransportDecision, result: TransportResult) -> float | None:
    """The budget as the plan has it, or as somebody moved it; no widget where it does not count."""
    finding = TransportFinding(result, start)
    ends = [_largest_budget(finding.under(loss=part.loss)) for part in result.detail.parts if part.budget_matters]
    if not ends:
        return start.budget
    proposed = finding.budget
    end = round_up(max(*ends, 1.2 * proposed))
    steps = 0.0, end, proposed, end / SLIDER_STEPS
    chosen: float = widget(st.slider, TransportDecision, plan, "budget", *steps, format="%.3g")
    return start.budget if chosen == proposed else chosen


def _largest_budget(finding: TransportFinding) -> float:
    """Where the axis of budgets ends; with limits, whose curve takes long, where the curve without them ends."""
    if finding.detail.constrained is None:
        return axis_end(finding)
    return finding.part.envelope.total_cost(finding.part.sample.masses)
