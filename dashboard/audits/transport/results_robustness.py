"""Robustness: the auditor's limits, every way to the interval, people of one kind, and what tells whether to trust."""

import streamlit as st

from core.audits.transport.loss_units import amount
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import mixed_sentence, proof_text
from core.language.phrases import count, percent, whole
from core.language.told import say
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
    show_chart(finding, "transport draws")  # verbatim
    show_chart(finding, "transport costs")  # verbatim
    show_chart(finding, "transport cells")  # verbatim
    st.markdown(literal(mixed_sentence(finding)))
    st.header(say("Can the numbers be trusted?"), anchor=False)
    show_facts(_checks(finding), say("Check"))


def _checks(finding: TransportFinding) -> dict[str, str]:
    """Named checks with what they found."""
    cells, everybody = finding.cells, finding.detail.asked is not None
    return {
        say("Kinds of people"): say(
            "{n} for {people}", n=whole(cells.cells), people=count(cells.people, "person", "people")
        ),
        say("Alone in their kind"): say("does not matter: everybody is compared with themselves in other groups")
        if everybody
        else say("{alone} of people; one person's answer stands for the kind", alone=percent(round(cells.alone, 3))),
        say("Comparable with another group"): say("{share} of people", share=percent(round(cells.comparable, 3))),
        say("What other random draws would change"): _drawn(finding),
        say("Is there no worse way to move people?"): proof_text(finding.certificate),
    }


def _drawn(finding: TransportFinding) -> str:
    """How far the bounds would move with other random numbers."""
    draws = count(finding.detail.draws, "draw")
    lower, upper = (
        amount(error, finding.loss) if error else "" for error in (finding.lower_error, finding.upper_error)
    )
    if lower and upper:
        return say(
            "of the bounds, the lower by about {lower} and the upper by about {upper} ({draws})",
            lower=lower,
            upper=upper,
            draws=draws,
        )
    if lower:
        return say(
            "of the bounds, the lower by about {lower}; the upper does not depend on draws ({draws})",
            lower=lower,
            draws=draws,
        )
    if upper:
        return say(
            "of the bounds, the upper by about {upper}; the lower does not depend on draws ({draws})",
            upper=upper,
            draws=draws,
        )
    return say("nothing: nothing is drawn")
