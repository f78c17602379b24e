"""What the transport test will look at, what it costs and what it can find, before it is run."""

import math
from dataclasses import replace

import streamlit as st

from core.audits.transport import KIND
from core.audits.transport.decision import CONVENTION, TransportDecision, by_convention
from core.audits.transport.loss_units import amount, tolerated
from core.audits.transport.planning import TransportPilot
from core.audits.transport.settings import ByMetric, CellColumn, Transport
from core.base.thresholds import POWER
from core.language.phrases import count, lower_first, percent, quoted, share_text, whole
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard import forms
from dashboard.audits.pages import Expectation, Tile, proposal, so_many
from dashboard.audits.transport import plan_words
from dashboard.audits.transport import setup as cells
from dashboard.audits.transport.setup_columns import take
from dashboard.draft import Draft
from dashboard.messages import show_caveats

_EXCESS = 0.02

_MIXED = 0.05


def facts(plan: AuditPlan) -> dict[str, str]:
    """What will be run, in words."""
    if not isinstance(plan.audit, Transport):
        return {}
    return {
        KIND.title: say(
            "{who}; tolerated: {rise}, with {confidence} confidence",
            who=plan_words.similar(plan, plan.audit),
            rise=plan_words.tolerated(plan.decision),
            confidence=percent(1 - plan.decision.alpha),
        ),
        **plan_words.rules(plan.audit),
    }


def settings(draft: Draft) -> Transport | None:
    """The number of random draws, as the widget says; None where it is not valid."""
    with st.expander(say("Random draws of the {test}", test=lower_first(KIND.title)), icon=":material/casino:"):
        return forms.draw(Transport, dict(draft.settings(Transport)), "review.transport", fields=("draws",))


def problem(draft: Draft) -> str:
    """Why the test cannot be tried: people cannot be sorted as the settings say."""
    seen = cells.look(draft)
    if seen is None:
        return say("It cannot be worked out like this yet who is alike.")
    show_caveats(caveat for caveat in seen.caveats if caveat.level == "serious")
    return ""


def expectation(draft: Draft, pilot: TransportPilot) -> Expectation:
    """What the pilot says of the test."""
    decision = draft.decision(TransportDecision)
    told = Expectation(
        rows=(Tile(say("People to audit"), whole(pilot.audited)), *_kinds_of_people(draft)),
        seconds=pilot.seconds,
        found="",
        proposal=f"{proposal(decision, tolerated(decision))} {retold(CONVENTION)}" if by_convention(decision) else "",
    )
    similarity = draft.settings(Transport).similarity
    if isinstance(similarity, ByMetric) and similarity.metric.learns_from_rows:
        return replace(
            told,
            warning=say(
                "Warning: Who counts as similar is learned from rows, and this test does not try how much other "
                "rows would change the result. It will show a number and an interval, and give no verdict."
            ),
        )
    if not math.isfinite(pilot.spread):
        return told
    if pilot.mixed > _MIXED:
        offer, finer = _told_apart_by(draft, pilot.hides)
        return replace(
            told,
            mend=offer,
            on_mend=lambda: take(draft, finer),
            info=say(
                "{mixed} of the people would be compared with some whom the model treats differently for another "
                "reason{by}. So the result will be about averages, and only a large violation will be certain. To find "
                "smaller ones, tell people apart by what the model goes by (a step back), or bring more people.",
                mixed=percent(round(pilot.mixed, 2)),
                by=say(", mostly by {column}", column=quoted(pilot.hides)) if pilot.hides else "",
            ),
        )
    needed = so_many(pilot.rows_needed(_EXCESS, decision.alpha, POWER), pilot.audited, "person", "people")
    return replace(
        told,
        found=say(
            "rise by {delta}", delta=amount(pilot.detectable(decision.delta, decision.alpha, POWER), decision.loss)
        ),
        found_help=say(
            "A true rise of at least this is found with probability {power}; tolerated is a rise by {tolerance}.",
            power=share_text(POWER, 0),
            tolerance=tolerated(decision),
        ),
        tried=count(pilot.people, "person", "people"),
        needed=say(
            "To find a true rise by {delta} so often, {needed} would be needed.",
            delta=amount(decision.delta + _EXCESS, decision.loss),
            needed=needed,
        ),
    )


def _told_apart_by(draft: Draft, column: str) -> tuple[str, tuple[CellColumn, ...]]:
    """The columns that tell people apart with this one among them, or with finer limits of it, and an offer of them.

    None where the column is unknown, or taken as finely as Evenhand would take it alone.
    """
    seen, proposal = cells.look(draft), cells.proposal(draft)
    if seen is None or proposal is None:
        return "", ()
    now, finer = tuple(one.column for one in seen.columns), next((c for c in proposal.each if c.name == column), None)
    if finer is None or finer in now:
        return "", ()
    if column in {one.name for one in now}:
        offer = say("Take finer limits of {column}", column=quoted(column))
        return offer, tuple(finer if one.name == column else one for one in now)
    return say("Tell people apart by {column} too", column=quoted(column)), (finer, *now)


def _kinds_of_people(draft: Draft) -> tuple[Tile, ...]:
    """How people are sorted, where that decides anything."""
    seen = cells.look(draft)
    if seen is None or draft.settings(Transport).asks_for_everybody(draft.roles.protected):
        return ()
    help = say(
        "{comparable} of the people can be compared with somebody of another protected group.",
        comparable=percent(round(seen.comparable, 3)),
    )
    return (Tile(say("Kinds of people"), whole(seen.occurring), help),)
