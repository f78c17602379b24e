"""What the audit of groups will look at, and how long it takes, before it is run."""

import streamlit as st

from core.audits.group_fairness import KIND
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.planning import GroupFairnessPilot
from core.audits.group_fairness.settings import GroupFairness
from core.data.roles import Roles
from core.language.phrases import count, lower_first, percent, whole
from core.language.told import say
from core.plan import AuditPlan
from dashboard import forms
from dashboard.audits.pages import Expectation, Tile, proposal
from dashboard.draft import Draft


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, GroupFairness) or not isinstance(decision, GroupFairnessDecision):
        return {}
    against = ", ".join(decision.reference) or say("everybody else")
    return {
        KIND.title: say(
            "each group is compared with {against}, and so are combinations of up to {attributes}; tolerated: a "
            "difference of up to {tolerance}; bounds of all of them together with {sure} confidence",
            against=against,
            attributes=count(audit.depth, "attribute"),
            tolerance=_tolerance(decision, plan.roles),
            sure=percent(1 - decision.alpha),
        ),
    }


def settings(draft: Draft) -> GroupFairness | None:
    """Settings as the widgets say; None where one is not valid."""
    with st.expander(say("Every setting of the {title}", title=lower_first(KIND.title)), icon=":material/tune:"):
        return forms.draw(GroupFairness, dict(draft.settings(GroupFairness)), "review.groups", fields=("coverage",))


def expectation(draft: Draft, pilot: GroupFairnessPilot) -> Expectation:
    """What the pilot says of the audit."""
    decision = draft.decision(GroupFairnessDecision)
    return Expectation(
        rows=(
            Tile(say("People to audit"), whole(pilot.audited)),
            Tile(
                say("Comparisons among those tried"),
                whole(pilot.comparisons),
                say(
                    "Groups and combinations with at least 30 people on both sides; with more people there may be more."
                ),
            ),
        ),
        seconds=pilot.seconds,
        found="",
        tried=count(pilot.people, "person", "people"),
        proposal=proposal(decision, _tolerance(decision, draft.roles.roles)),
    )


def _tolerance(decision: GroupFairnessDecision, roles: Roles | None) -> str:
    """The tolerance before the run, when the spread of an outcome that is a number is not known."""
    numbers = roles is not None and roles.outcome_type == "number"
    return decision.unit(numbers=numbers).tolerance(decision.delta)
