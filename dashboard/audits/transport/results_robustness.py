"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.loss_units import amount
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import mixed_sentence, proof_text
from core.language.told import localized, say
from core.phrases import count, percent
from core.plan import AuditPlan
from dashboard.audits.transport import results_limits as limits
from dashboard.audits.transport import results_methods as methods
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.tables import show_facts


def show(plan: AuditPlan, finding: TransportFinding) -> None:
    """The whole tab."""
    if finding.undefined:
        st.info(literal(finding.undefined), icon=":material/info:")
        return
    limits.show(finding)
    if finding.detail.constrained is None:
        st.header(say("Every way to the interval"), anchor=False)
        methods.show(plan, finding)
    show_chart(finding, say("transport cells"))
    st.markdown(literal(mixed_sentence(finding)))
    st.header(say("Can the numbers be trusted?"), anchor=False)
    show_facts(_checks(finding), "Check")


def _checks(finding: TransportFinding) -> dict[str, str]:
    """Named checks with what they found."""
    cells, everybody = finding.cells, finding.detail.asked is not None
    return {
        "Kinds of people": say(
            "{cells} for {people}", cells=localized(f"{cells.cells:,}"), people=count(cells.people, "person", "people")
        ),
        "Alone in their kind": say("does not matter: everybody is compared with themselves in other groups")
        if everybody
        else say("{alone} of people; one person's answer stands for the kind", alone=percent(round(cells.alone, 3))),
        "Comparable with another group": say("{comparable} of people", comparable=percent(round(cells.comparable, 3))),
        "What other random draws would change": _drawn(finding),
        "Is there no worse way to move people?": proof_text(finding.certificate),
    }


def _drawn(finding: TransportFinding) -> str:
    """How far the bounds would move with other random numbers."""
    lower, upper = finding.lower_error, finding.upper_error
    if lower == upper == 0:
        return say("nothing: nothing is drawn")
    ends = [
        say("the {name} by about {error}", name=name, error=amount(error, finding.loss))
        for name, error in (("lower", lower), ("upper", upper))
        if error
    ]
    least = "" if len(ends) == 2 else say("; the {value} does not depend on draws", value="upper" if lower else "lower")
    return say(
        "of the bounds, {ends}{least} ({draws})",
        ends=" and ".join(ends),
        least=least,
        draws=count(finding.detail.draws, "draw"),
    )
