"""What the sensitivity test of columns will measure, how long it takes and what it can find, before it is run."""

import math
from dataclasses import replace

from core.audits.column_sensitivity.corners import MOST_FEATURES, PREDICTED
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.planning import ColumnSensitivityPilot
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.thresholds import POWER
from core.data.roles import Roles
from core.language.phrases import count, listed, percent, whole
from core.language.told import retold, say
from core.language.units import POINTS
from core.plan import AuditPlan
from dashboard.audits.pages import Expectation, Tile, proposal, so_many
from dashboard.draft import Draft

_EXCESS = 0.02


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    audit, decision = plan.audit, plan.decision
    if not isinstance(audit, ColumnSensitivity) or not isinstance(decision, ColumnSensitivityDecision):
        return {}
    found = {
        say("Column sensitivity test"): say(
            "how far answers move when people are put into another group; tolerated: {delta} on average, "
            "with {confidence} confidence",
            delta=POINTS.tolerance(decision.delta),
            confidence=percent(1 - decision.alpha),
        ),
        say("Parts looked into beside the groups"): say(
            "by {names}; all at once, so that a small part in which the model is biased is not lost in the mean",
            names=listed(_corners(plan.roles)),
        ),
    }
    if audit.through:
        found[say("Features that carry the attribute")] = say(
            "{through}; differences learned from {share} of the rows, which are not measured",
            through=", ".join(audit.through),
            share=percent(audit.share),
        )
    return found


def _corners(roles: Roles) -> tuple[str, ...]:
    pairs = (say("combination of two protected attributes"),) if len(roles.protected) > 1 else ()
    outcome = (roles.outcome,) if roles.outcome else ()
    return (
        retold(PREDICTED),
        *outcome,
        *pairs,
        say("each of the model's first {n} features", n=MOST_FEATURES),
    )


def settings(draft: Draft) -> ColumnSensitivity:
    """What was chosen a step back: the review has no settings of its own."""
    return draft.settings(ColumnSensitivity)


def expectation(draft: Draft, pilot: ColumnSensitivityPilot) -> Expectation:
    """What the pilot says of the test."""
    decision = draft.decision(ColumnSensitivityDecision)
    found = pilot.detectable(decision, POWER)
    known = math.isfinite(found)
    told = Expectation(
        rows=(Tile(say("People to measure"), whole(pilot.audited)),),
        seconds=pilot.seconds,
        found=POINTS.text(found) if known else "",
        found_help=say("A true mean of at least this is found with probability {power}.", power=percent(POWER)),
        proposal=proposal(decision, POINTS.tolerance(decision.delta)),
    )
    if not known:
        warning = say(
            "Warning: The slope has no value, because the model has no gradients. Read the change of the answer."
        )
        return replace(told, warning=warning)
    return replace(
        told,
        tried=count(pilot.people, "person", "people"),
        needed=say(
            "To find a true mean of {delta} so often, {needed} like these would be needed.",
            delta=POINTS.tolerance(decision.delta + _EXCESS),
            needed=so_many(pilot.rows_needed(decision, _EXCESS, POWER), pilot.audited, "person", "people"),
        ),
    )
