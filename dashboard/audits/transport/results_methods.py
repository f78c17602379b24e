"""Every way to the interval side by side, with what speaks against each here."""

from functools import reduce

import pandas as pd
import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.report import METHODS, told_by_one_way, ways_at_once
from core.audits.transport.verdict import TransportFinding
from core.base.settings import name_of_choice
from core.language.phrases import number, percent
from core.language.told import say, say_as
from core.plan import AuditPlan
from dashboard.fields import tip_of
from dashboard.text import literal
from dashboard.views.results.widgets import widget_key


def show(plan: AuditPlan, finding: TransportFinding) -> None:
    """A row for each way, the one that is read in bold, and what speaks against those in doubt."""
    methods = ways_at_once(finding)
    later = [name_of_choice(TransportDecision, "method", method) for method in METHODS if method not in methods]
    if later and st.toggle(
        say("Also the {ways}: this takes minutes", ways=_and_the(later)), key=widget_key("slow", plan)
    ):
        methods = METHODS
    ways = [finding.under(method=method) for method in methods]
    st.caption(
        say(
            "The verdict rests on the way in bold. Where the ways agree, the result does not depend on how "
            "the uncertainty was computed. {about_ways}",
            about_ways=tip_of(TransportDecision.model_fields["method"]),
        )
    )
    st.table(side_by_side(ways, finding), border="horizontal")
    for way in ways:
        if way.doubts:
            st.markdown(f":material/warning: **{_name(way)}:** {literal(' '.join(way.doubts))}")


def side_by_side(ways: list[TransportFinding], read: TransportFinding) -> pd.DataFrame:
    """Interval, lower bound with its Monte-Carlo error, p-value and validity of every way, as Markdown."""
    rows = {}
    for way in ways:
        ends, bound, p_value = told_by_one_way(way)
        error = LOSS_UNITS[way.loss].factor * way.lower_error
        rows[f"**{_name(way)}**" if way.decision.method == read.decision.method else _name(way)] = (
            literal(ends),
            literal(f"{bound} ± {number(error)}" if error else bound),
            literal(p_value).replace(" ", "\u00a0"),
            f":material/warning:\u00a0{say('doubtful')}" if way.doubts else f":material/check:\u00a0{say('valid')}",
        )
    columns = (
        say("{confidence} interval", confidence=percent(1 - read.decision.alpha)),
        say("Lower bound ± error of the draws"),
        say("p-value"),
        say_as("a method for the bounds", "Here"),
    )
    return pd.DataFrame(
        list(rows.values()),
        columns=list(map(literal, columns)),
        index=pd.Index(list(rows), name=say("Method for the bounds")),
    )


def _and_the(names: list[str]) -> str:
    return reduce(lambda first, last: say("{first}, the {last}", first=first, last=last), names)


def _name(way: TransportFinding) -> str:
    return literal(name_of_choice(TransportDecision, "method", way.decision.method))
