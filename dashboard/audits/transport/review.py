"""What the transport test will look at, what it costs and what it can find, before it is run."""

import math
from dataclasses import replace

import streamlit as st

from core.audits.transport import KIND
from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import amount, tolerated
from core.audits.transport.planning import TransportPilot
from core.audits.transport.settings import ByMetric, Transport
from core.phrases import count, lower_first, percent
from core.plan import AuditPlan
from core.thresholds import POWER
from dashboard import forms
from dashboard.audits.transport import plan_words
from dashboard.audits.transport import setup as cells
from dashboard.draft import Draft
from dashboard.messages import show_notices
from dashboard.views.review.expectation import Expectation, Tile, is_proposed

_EXCESS = 0.02

_MIXED = 0.05

_GIGABYTE = 1e9

_PUBLISHED = (
    "The tolerance of 3.65 percentage points is the one of the paper that proposed this test: an estimate of how often "
    "courts convict the innocent. It is no legal threshold; choose your own above, or when you see the result."
)


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, Transport):
        return {}
    return {
        KIND.title: f"{plan_words.similar(plan, plan.audit)}; tolerated: {plan_words.tolerated(plan.decision)}, with "
        f"{percent(1 - plan.decision.alpha)} confidence",
        **plan_words.rules(plan.audit),
    }


def settings(draft: Draft) -> Transport | None:
    """The number of random draws, as the widget says; None where it is not valid."""
    with st.expander(f"Random draws of the {lower_first(KIND.title)}", icon=":material/casino:"):
        return forms.draw(Transport, dict(draft.settings(Transport)), "review.transport", fields=("draws",))


def problem(draft: Draft) -> str:
    """Why the test cannot be tried: people cannot be sorted as the settings say."""
    seen = cells.look(draft)
    if seen is None:
        return "People cannot be sorted into kinds like this yet."
    show_notices(notice for notice in seen.notices if notice.level == "serious")
    return ""


def expectation(draft: Draft, pilot: TransportPilot) -> Expectation:
    """What the pilot says of the test."""
    decision = draft.decision(TransportDecision)
    told = Expectation(
        rows=(Tile("People to audit", f"{pilot.audited:,}"), *_kinds_of_people(draft)),
        seconds=pilot.seconds,
        seconds_help=f"It may use up to about {max(pilot.memory / _GIGABYTE, 0.1):.1f} GB of memory.",
        found="",
        proposal=_PUBLISHED if decision.loss == "0-1" and is_proposed(decision) else "",
    )
    similarity = draft.settings(Transport).similarity
    if isinstance(similarity, ByMetric) and similarity.metric.learns_from_rows:
        return replace(
            told,
            warning="Warning: Who counts as similar is learned from rows, and this test does not try how much other "
            "rows would change the result. It will show a number and an interval, and give no verdict.",
        )
    if not math.isfinite(pilot.spread):
        return told
    if pilot.mixed > _MIXED:
        return replace(
            told,
            info=f"{percent(round(pilot.mixed, 2))} of the people are of a kind that the model does not treat alike, "
            "so a violation must be large to be certain. Telling people apart by just what the model goes by (a step "
            "back), or bringing more people, would find smaller ones.",
        )
    needed = count(pilot.rows_needed(_EXCESS, decision.alpha, POWER), "person", "people")
    return replace(
        told,
        found=f"rise by {amount(pilot.detectable(decision.delta, decision.alpha, POWER), decision.loss)}",
        found_help=f"A true rise of at least this is found with probability {POWER:.0%}; tolerated is a rise by "
        f"{tolerated(decision)}.",
        tried=count(pilot.people, "person", "people"),
        needed=f"To find a true rise by {amount(decision.delta + _EXCESS, decision.loss)} so often, about {needed} "
        "would be needed.",
    )


def _kinds_of_people(draft: Draft) -> tuple[Tile, ...]:
    """How people are sorted, where that decides anything."""
    seen = cells.look(draft)
    if seen is None or draft.settings(Transport).asks_for_everybody(draft.roles.protected):
        return ()
    help = (
        f"{percent(round(seen.comparable, 3))} of the people can be compared with somebody of another protected group."
    )
    return (Tile("Kinds of people", f"{seen.count:,}", help),)
