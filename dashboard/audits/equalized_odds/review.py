"""What the equalized odds test will ask, how long it takes and what it can find, before it is run."""

import math

import numpy as np
import streamlit as st

from core.audits.equalized_odds import KIND
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.planning import EqualizedOddsPilot
from core.audits.equalized_odds.settings import EqualizedOdds
from core.phrases import count, lower_first, percent
from core.plan import AuditPlan
from core.settings import name_of_choice
from core.thresholds import POWER
from core.units import POINTS, Unit
from dashboard import forms
from dashboard.draft import Draft
from dashboard.text import literal
from dashboard.views.review.expectation import Expectation, Tile, proposal

_MOST = 1e9
"""More people than there are to bring."""


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, EqualizedOdds) or not isinstance(decision, EqualizedOddsDecision):
        return {}
    if plan.roles.outcome_type == "number":
        tolerated = f"{percent(decision.delta)} of the standard deviation of {literal(plan.roles.outcome, 40)}"
    else:
        tolerated = POINTS.tolerance(decision.delta)
    return {
        KIND.title: f"{name_of_choice(EqualizedOdds, 'asks', audit.asks)}; tolerated: differences of {tolerated}, with "
        f"{percent(1 - decision.alpha)} confidence",
    }


def settings(draft: Draft) -> EqualizedOdds | None:
    """Settings as the widgets say; None where one is not valid."""
    roles, audit = draft.roles.roles, draft.settings(EqualizedOdds)
    numbers = roles is not None and roles.outcome_type == "number"
    by_number = audit.asks == "calibration" or (audit.asks == "equalized odds" and numbers)
    fields = ("learner", "share", "splits", "dummies", "resampling") if by_number else ("dummies",)
    with st.expander(f"Every setting of the {lower_first(KIND.title)}", icon=":material/tune:"):
        return forms.draw(EqualizedOdds, dict(audit), "review.fair_dummies", fields=fields)


def problem(draft: Draft) -> str:
    """Nothing speaks against trying the test."""
    return ""


def expectation(draft: Draft, pilot: EqualizedOddsPilot) -> Expectation:
    """What the pilot says of the test."""
    decision, unit = draft.decision(EqualizedOddsDecision), _unit(draft, pilot)
    found, found_help = _smallest_violation(pilot, unit)
    return Expectation(
        rows=(Tile("People to audit", f"{pilot.audited:,}"),),
        seconds=pilot.seconds,
        found=found,
        found_help=found_help,
        more=_smallest_tolerance(pilot, unit),
        tried=count(pilot.people, "person", "people"),
        needed=_people_needed(decision, pilot, unit),
        warning=_too_small(pilot) if pilot.too_small else "",
        proposal=proposal(decision, _tolerance(decision, pilot, unit)),
    )


def _unit(draft: Draft, pilot: EqualizedOddsPilot) -> Unit:
    roles = draft.roles.roles
    if math.isnan(pilot.spread) or roles is None:
        return Unit(100.0, "points")
    return Unit(pilot.spread, f"units of {literal(roles.outcome, 40)}")


def _tolerance(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot, unit: Unit) -> str:
    """The tolerance with its unit; one that is a share of a spread says so."""
    if math.isnan(pilot.spread):
        return POINTS.tolerance(decision.delta)
    share = f"{percent(decision.delta)} of the standard deviation, {unit.number(1.0)}"
    return f"{unit.text(decision.delta)} ({share})"


def _smallest_violation(pilot: EqualizedOddsPilot, unit: Unit) -> tuple[str, str]:
    """The excess over the tolerance of the attribute for which violations are hardest to find, and what it means."""
    if not np.isfinite(pilot.found).any():
        return "", ""
    largest = int(np.nanargmax(pilot.found))
    return (
        f"about {unit.number(pilot.found[largest])} {unit.name} beyond the tolerance",
        f"If the two groups of {pilot.attributes[largest]} with the fewest people lay so much further apart than is "
        f"tolerated, it would be found with probability {POWER:.0%}. Between larger groups less is enough.",
    )


def _smallest_tolerance(pilot: EqualizedOddsPilot, unit: Unit) -> tuple[Tile, ...]:
    if pilot.unbounded:
        return ()
    help = (
        "If the groups do not differ at all, every difference is shown to be below this in nine tables of ten. “No "
        "violation found” can be said of larger tolerances only."
    )
    return (Tile("Smallest tolerance it can confirm", f"about {unit.text(pilot.bound)}", help),)


def _too_small(pilot: EqualizedOddsPilot) -> str:
    if math.isnan(pilot.spread):
        what = "combination of group and outcome", "combinations of group and outcome"
        few = "fewer than 30 people"
    else:
        what, few = ("pair of groups", "pairs of groups"), "too few people with similar outcomes"
    return (
        f"{count(pilot.too_small, *what)} {'has' if pilot.too_small == 1 else 'have'} {few}. They take part in the "
        "test, but a violation among them cannot be excluded, so the audit will not say “no violation found”. "
        "Merging small groups or outcomes before the upload helps."
    )


def _people_needed(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot, unit: Unit) -> str:
    needed = pilot.rows_needed(decision.delta)
    if pilot.bound <= decision.delta:
        return "These people can show that differences lie within the tolerance, if they do."
    if needed >= _MOST:
        return "Groups are too small here to show that they are treated alike."
    digits = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return (
        f"To show that every difference lies within {unit.text(decision.delta)} in nine tables of ten, if there is "
        f"none, about {math.ceil(needed / digits) * digits:,} people would be needed; with these, the verdict will be "
        "“violation found” or “insufficient evidence”."
    )
