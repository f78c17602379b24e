"""What the equalized odds test will ask, how long it takes and what it can find, before it is run."""

import math

import numpy as np
import streamlit as st

from core.audits.equalized_odds import KIND
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.planning import EqualizedOddsPilot
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.settings import name_of_choice
from core.base.thresholds import POWER
from core.claims_told import rounded_up
from core.language.phrases import count, lower_first, percent, whole
from core.language.told import say, say_count
from core.language.units import POINTS, Unit
from core.plan import AuditPlan
from dashboard import forms
from dashboard.audits.pages import Expectation, Tile, proposal
from dashboard.draft import Draft
from dashboard.text import literal

_MOST = 1e9
"""More people than there are to bring."""


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, EqualizedOdds) or not isinstance(decision, EqualizedOddsDecision):
        return {}
    if plan.roles.outcome_type == "number":
        tolerated = say(
            "{share} of the standard deviation of {outcome}",
            share=percent(decision.delta),
            outcome=literal(plan.roles.outcome, 40),
        )
    else:
        tolerated = POINTS.tolerance(decision.delta)
    return {
        KIND.title: say(
            "{question}; tolerated: differences of {tolerance}, with {sure} confidence",
            question=name_of_choice(EqualizedOdds, "asks", audit.asks),
            tolerance=tolerated,
            sure=percent(1 - decision.alpha),
        ),
    }


def settings(draft: Draft) -> EqualizedOdds | None:
    """Settings as the widgets say; None where one is not valid."""
    roles, audit = draft.roles.roles, draft.settings(EqualizedOdds)
    numbers = roles is not None and roles.outcome_type == "number"
    by_number = audit.asks == "calibration" or (audit.asks == "equalized odds" and numbers)
    fields = ("learner", "share", "splits", "dummies", "resampling") if by_number else ("dummies",)
    with st.expander(say("Every setting of the {title}", title=lower_first(KIND.title)), icon=":material/tune:"):
        return forms.draw(EqualizedOdds, dict(audit), "review.fair_dummies", fields=fields)


def expectation(draft: Draft, pilot: EqualizedOddsPilot) -> Expectation:
    """What the pilot says of the test."""
    decision, unit = draft.decision(EqualizedOddsDecision), _unit(draft, pilot)
    found, found_help = _smallest_violation(pilot, unit)
    return Expectation(
        rows=(Tile(say("People to audit"), whole(pilot.audited)),),
        seconds=pilot.seconds,
        found=found,
        found_help=found_help,
        more=_smallest_tolerance(pilot, unit),
        tried=count(pilot.people, "person", "people"),
        needed=_people_needed(decision, pilot, unit),
        info=_too_small(pilot) if pilot.too_small else "",
        proposal=proposal(decision, _tolerance(decision, pilot, unit)),
    )


def _unit(draft: Draft, pilot: EqualizedOddsPilot) -> Unit:
    roles = draft.roles.roles
    if math.isnan(pilot.spread) or roles is None:
        return POINTS
    return Unit(pilot.spread, say("units of {outcome}", outcome=literal(roles.outcome, 40)))


def _tolerance(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot, unit: Unit) -> str:
    """The tolerance with its unit; one that is a share of a spread says so."""
    if math.isnan(pilot.spread):
        return POINTS.tolerance(decision.delta)
    share = say("{share} of the standard deviation, {value}", share=percent(decision.delta), value=unit.number(1.0))
    return f"{unit.text(decision.delta)} ({share})"


def _smallest_violation(pilot: EqualizedOddsPilot, unit: Unit) -> tuple[str, str]:
    """The excess over the tolerance of the attribute for which violations are hardest to find, and what it means."""
    if not np.isfinite(pilot.found).any():
        return "", ""
    largest = int(np.nanargmax(pilot.found))
    return (
        say("about {size} {unit} beyond the tolerance", size=unit.number(pilot.found[largest]), unit=unit.name),
        say(
            "If the two groups of {attribute} with the fewest people lay so much further apart than is "
            "tolerated, it would be found with probability {power}. Between larger groups less is enough.",
            attribute=pilot.attributes[largest],
            power=percent(POWER),
        ),
    )


def _smallest_tolerance(pilot: EqualizedOddsPilot, unit: Unit) -> tuple[Tile, ...]:
    if pilot.unbounded:
        return ()
    help = say(
        "If the groups do not differ at all, every difference is shown to be below this in nine tables "
        "of ten. “No violation found” can be said of larger tolerances only."
    )
    return (
        Tile(
            say("Smallest tolerance it can confirm for all groups"),
            say("about {size}", size=unit.text(pilot.bound)),
            help,
        ),
    )


def _too_small(pilot: EqualizedOddsPilot) -> str:
    if math.isnan(pilot.spread):
        few = say_count(
            "{n} combination of group and outcome has too few people: fewer than 30, or than 10 that they belong to.",
            "{n} combinations of group and outcome have too few people: fewer than 30, or than 10 that they belong to.",
            pilot.too_small,
        )
    else:
        few = say_count(
            "{n} pair of groups has too few people with similar outcomes.",
            "{n} pairs of groups have too few people with similar outcomes.",
            pilot.too_small,
        )
    return say(
        "{few} They take part in the test, and a violation among the others can be found. “No violation found” cannot "
        "be said: merge small groups or outcomes before the upload where it shall be.",
        few=few,
    )


def _people_needed(decision: EqualizedOddsDecision, pilot: EqualizedOddsPilot, unit: Unit) -> str:
    needed = pilot.rows_needed(decision.delta)
    if pilot.bound <= decision.delta:
        return say("These people can show that differences lie within the tolerance, if they do.")
    if needed >= _MOST:
        return say("Groups are too small here to show that they are treated alike.")
    return say(
        "These people can show a violation. To show that there is none, that every difference lies within {tolerance}, "
        "takes about {needed} people, in nine tables of ten.",
        tolerance=unit.text(decision.delta),
        needed=whole(rounded_up(needed)),
    )
