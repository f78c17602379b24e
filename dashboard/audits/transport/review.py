"""What the transport test will look at, what it costs and what it can find, before it is run."""

import math
from typing import Any

import streamlit as st

from core.audits import AuditDecision
from core.audits.transport.decision import TransportDecision
from core.audits.transport.planning import TransportPilot
from core.audits.transport.settings import ByMetric, DifferOnlyIn, Transport
from core.phrases import count, number, percent
from core.plan import AuditPlan
from dashboard import forms, session
from dashboard.audits.gradient_flow.setup import CHOICES
from dashboard.audits.transport import setup as cells
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import CellsLook
from dashboard.messages import show_notices
from dashboard.session import Draft
from dashboard.waiting import answer, duration

_POWER = 0.8
_EXCESS = 0.02
_MIXED = 0.05
_GIGABYTE = 1e9


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, Transport):
        return {}
    return {
        "Transport test": f"{_similar(plan, plan.audit)}; tolerated: {_tolerated(plan.decision)}, with "
        f"{percent(1 - plan.decision.alpha)} confidence",
        **_rules(plan.audit),
    }


def settings(draft: Draft) -> dict[str, Any]:
    """The number of random draws, as the widget says; None where it is not valid."""
    with st.expander("Random draws of the transport test", icon=":material/casino:"):
        drawn = forms.draw(Transport, dict(draft.transport), "review.transport", fields=("draws",))
        return {"transport": drawn}


def show(draft: Draft) -> str:
    """The estimate of the transport test; returns why the audit cannot be run."""
    seen = cells.look(draft)
    if seen is None:
        return "People cannot be sorted into kinds like this yet."
    show_notices(notice for notice in seen.notices if notice.level == "serious")
    decision = draft.transport_decision
    arguments = session.about_model(draft) | {
        "audit": draft.transport.model_dump(mode="json"),
        "decision": TransportDecision(loss=decision.loss, budget=decision.budget).model_dump(mode="json"),
        "cells": seen.count,
        "seed": draft.seed,
    }
    tried = answer("pilot_transport", arguments, "Trying the test on some people")
    if tried is None:
        return "The test cannot be run like this yet."
    shown = None if draft.transport.asks_for_everybody(draft.roles.protected) else seen
    _show_pilot(decision, shown, unpack(tried, TransportPilot))
    return ""


def _show_pilot(decision: TransportDecision, seen: CellsLook | None, pilot: TransportPilot) -> None:
    """The estimate; without the kinds of people where they do not decide anything."""
    known = math.isfinite(pilot.spread)
    with st.container(horizontal=True, key="cells_estimate"):
        st.metric("People to audit", f"{pilot.audited:,}", border=True)
        if seen is not None:
            st.metric(
                "Kinds of people",
                f"{seen.count:,}",
                border=True,
                help=f"{percent(round(seen.comparable, 3))} of the people can be compared with somebody of another "
                "protected group.",
            )
        st.metric(
            "Time it will take",
            f"about {duration(pilot.seconds)}",
            border=True,
            help=f"It may use up to about {max(pilot.memory / _GIGABYTE, 0.1):.1f} GB of memory.",
        )
        if known and pilot.mixed <= _MIXED:
            found = pilot.detectable(decision.delta, decision.alpha, _POWER)
            st.metric(
                "Smallest violation it will find",
                f"rise by {_rise(decision, found)}",
                border=True,
                help=f"A true rise of at least this is found with probability {_POWER:.0%}; tolerated is a rise by "
                f"{_rise(decision, decision.delta)}.",
            )
    if known and pilot.mixed > _MIXED:
        st.info(
            f"{percent(round(pilot.mixed, 2))} of the people are of a kind that the model does not treat alike, so a "
            "violation must be large to be certain. Telling people apart by just what the model goes by (a step back), "
            "or bringing more people, would find smaller ones.",
            icon=":material/info:",
        )
    elif known:
        needed = pilot.rows_needed(_EXCESS, decision.alpha, _POWER)
        st.caption(
            f"Estimated from {count(pilot.people, 'person', 'people')}; found means found in four audits out of five. "
            f"To find a true rise by {_rise(decision, decision.delta + _EXCESS)} so often, about "
            f"{count(needed, 'person', 'people')} would be needed."
        )
    if decision.loss == "0-1" and decision.delta == TransportDecision().delta:
        st.caption(
            "The tolerance of 3.65 percentage points is the one of the paper that proposed this test: an estimate of "
            "how often courts convict the innocent. It is no legal threshold; choose your own above, or when you see "
            "the result."
        )


def _rise(decision: TransportDecision, value: float) -> str:
    """An audit value with its unit."""
    return f"{number(100 * value)} points" if decision.loss == "0-1" else number(value)


def _tolerated(decision: AuditDecision) -> str:
    if isinstance(decision, TransportDecision) and decision.loss == "0-1":
        return f"the error rate rises by {100 * decision.delta:g} percentage points"
    return f"the mean loss rises by {decision.delta:g}"


def _similar(plan: AuditPlan, audit: Transport) -> str:
    if isinstance(audit.similarity, DifferOnlyIn):
        names = audit.similarity.columns or plan.roles.protected
        if audit.asks_for_everybody(plan.roles.protected):
            return f"everybody is compared with themselves in every other group of {', '.join(names)}"
        return f"similar people differ only in {', '.join(names)}"
    if isinstance(audit.similarity, ByMetric):
        return f"similar by a fair metric: “{CHOICES[audit.similarity.metric.kind][0]}”"
    return f"similar by the costs in {audit.similarity.file.name}"


def _rules(audit: Transport) -> dict[str, str]:
    parts = [
        count(len(audit.forbidden), "forbidden comparison") if audit.forbidden else "",
        count(len(audit.limits), "limit for groups", "limits for groups") if audit.limits else "",
        count(len(audit.label_budgets), "budget by outcome", "budgets by outcome") if audit.label_budgets else "",
    ]
    told = ", ".join(part for part in parts if part)
    return {"Rules of your own": told} if told else {}
