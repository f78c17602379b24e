"""What the fair-dummies test will ask, how long it takes and what it can find, before it is run."""

import math
from typing import Any

import numpy as np
import streamlit as st

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.planning import POWER, EqualizedOddsPilot
from core.audits.equalized_odds.settings import EqualizedOdds
from core.phrases import count, percent, points
from core.plan import AuditPlan
from core.settings import name_of_choice
from dashboard import forms, session
from dashboard.jobs.answers import unpack
from dashboard.session import Draft
from dashboard.waiting import answer, duration

_MOST = 1e9
"""More people than there are to bring."""


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, EqualizedOdds) or not isinstance(decision, EqualizedOddsDecision):
        return {}
    columns = audit.subgroup_columns or ("the protected attributes and the first features",)
    return {
        "Fair-dummies test": f"{name_of_choice(EqualizedOdds, 'asks', audit.asks)}; tolerated: differences of "
        f"{points(decision.delta)} percentage points, with {percent(1 - decision.alpha)} confidence",
        "Subgroups": f"combinations of up to {count(audit.depth, 'column')} among {', '.join(columns)}",
    }


def settings(draft: Draft) -> dict[str, Any]:
    """Settings as the widgets say; None where one is not valid."""
    roles = draft.roles.roles
    drawn_anew = draft.equalized_odds.asks != "demographic parity" and (
        draft.equalized_odds.asks == "calibration" or (roles is not None and roles.outcome_type == "number")
    )
    fields = ("learner", "share", "dummies", *(("resampling",) if drawn_anew else ()), "coverage", "draws")
    with st.expander("Every setting of the fair-dummies test", icon=":material/tune:"):
        return {
            "equalized_odds": forms.draw(
                EqualizedOdds, dict(draft.equalized_odds), "review.fair_dummies", fields=fields
            )
        }


def show(draft: Draft) -> str:
    """The estimate of the test; returns why it cannot be run."""
    decision = draft.equalized_odds_decision
    arguments = session.about_model(draft) | {
        "audit": draft.equalized_odds.model_dump(mode="json"),
        "alpha": decision.alpha,
        "seed": draft.seed,
    }
    tried = answer("pilot_fair_dummies", arguments, "Trying the test on some people")
    if tried is None:
        return "The test cannot be run like this yet."
    _show_pilot(decision, unpack(tried, EqualizedOddsPilot))
    return ""


def _show_pilot(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot) -> None:
    known = np.isfinite(pilot.found)
    with st.container(horizontal=True, key="estimate_fair_dummies"):
        st.metric("People to audit", f"{pilot.audited:,}", border=True)
        st.metric("Time it will take", f"about {duration(pilot.seconds)}", border=True)
        if known.any():
            largest = int(np.nanargmax(pilot.found))
            st.metric(
                "Smallest violation it will find",
                f"about {100 * pilot.found[largest]:.2g} points",
                border=True,
                help=f"If so many in a hundred people of a small group of {pilot.attributes[largest]} got the worst "
                f"answer of those they are compared with, it would be found with probability {POWER:.0%}. It is the "
                "attribute for which violations are hardest to find.",
            )
        if pilot.bound < 1:
            st.metric(
                "Smallest tolerance it can confirm",
                f"about {points(math.ceil(100 * pilot.bound) / 100)} points",
                border=True,
                help="If the groups do not differ at all, every difference is shown to be below this. “No violation "
                "found” can be said of larger tolerances only.",
            )
    _tell_tolerance(decision, pilot)
    if pilot.too_small:
        st.warning(
            f"{count(pilot.too_small, 'combination')} of group and outcome {'has' if pilot.too_small == 1 else 'have'} "
            "fewer than 30 people. They take part in the test, but a violation among them cannot be excluded, so the "
            "audit will not say “no violation found”. Merging small groups or outcomes before the upload helps.",
            icon=":material/warning:",
        )
    if decision.delta == EqualizedOddsDecision().delta:
        st.caption(
            "The tolerance of 10 percentage points is a proposal, no legal threshold; choose your own above, or when "
            "you see the result."
        )


def _tell_tolerance(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot) -> None:
    tried = f"Estimated from {count(pilot.people, 'person', 'people')}; found means found in four audits out of five."
    needed = pilot.rows_needed(decision.delta)
    if pilot.bound <= decision.delta:
        st.caption(f"{tried} These people can show that differences lie within the tolerance, if they do.")
    elif needed < _MOST:
        digits = 10 ** max(0, math.floor(math.log10(needed)) - 1)
        st.caption(
            f"{tried} To show that every difference lies within {points(decision.delta)} points, if there is none, "
            f"about {math.ceil(needed / digits) * digits:,} people would be needed; with these, the verdict will be "
            "“violation found” or “insufficient evidence”."
        )
    else:
        st.caption(f"{tried} Groups are too small here to show that they are treated alike.")
