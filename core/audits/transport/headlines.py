"""The headline of a transport test: by how much a mean loss would rise, and among whom that holds."""

from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.verdict import TransportFinding
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerated, value_text
from core.language.phrases import listed, percent
from core.language.told import say

_MOST_COLUMNS = 3
"""Columns that are named in a headline."""


def headline(finding: TransportFinding, claim: Claim, said: Said) -> str:
    """By how much the mean loss would rise, or could; no full stop."""
    known = {"what": LOSS_UNITS[finding.loss].name}
    if said == "open":
        return say(
            "Whether judging everybody like the worst-treated similar people would raise {what} by {more} is open: "
            "{missing}",
            **known,
            more=beyond_tolerance(claim),
            missing=needed(finding, claim),
        )
    if said == "within":
        told = say(
            "If everybody were judged like the worst-treated similar people, {what} would rise by {bound}, with {sure} "
            "confidence; {tolerated}",
            **known,
            bound=at_most(claim),
            sure=percent(1 - finding.decision.alpha),
            tolerated=tolerated(claim),
        )
    else:
        told = say(
            "If everybody were judged like the worst-treated similar people, {what} would rise by {value}; {tolerated}",
            **known,
            value=value_text(claim),
            tolerated=tolerated(claim),
        )
    return f"{told}{_condition(finding)}"


def _condition(finding: TransportFinding) -> str:
    """Among whom it holds, where the model treats people of one kind differently, as a sentence of its own."""
    if not finding.conditional or not finding.told_apart:
        return ""
    columns = finding.agree_in
    if len(columns) > _MOST_COLUMNS:
        return say(". Similar people are those alike in {n} columns; what these hide may matter", n=len(columns))
    return say(". Similar people are those alike in {columns}; what these hide may matter", columns=listed(columns))
