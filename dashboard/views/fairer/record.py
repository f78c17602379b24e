"""The record of a comparison: every setting, how it was made, and the command that repeats it."""

import datetime

import streamlit as st

from core.data.labels import labelled_by
from core.language.told import localized, say
from core.report.names import FileNames
from core.report.settings_table import setting_sections
from core.workflows.mitigation.page import facts
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan
from dashboard.messages import show_facts
from dashboard.views.downloads import command, offer_report_and_record


def show(plan: MitigationPlan, result: MitigationResult) -> None:
    """The downloads, the command and what the numbers rest on."""
    names = FileNames.of(plan.data.title, "mitigation", datetime.date.today())
    with st.container(horizontal=True):
        offer_report_and_record(MITIGATION, plan, result, names)
    st.caption(say("Neither holds a person's row. The record repeats the comparison to the last digit:"))
    st.code(command(names), language="bash", wrap_lines=True)
    show_facts(
        {fact.label: fact.value for fact in facts(labelled_by(result, plan.roles))}
        | {
            say("Run time"): localized(f"{result.seconds:.1f} s"),
            say("Versions"): ", ".join(f"{name} {version}" for name, version in result.versions),
        }
    )
    with st.expander(say("Every setting"), icon=":material/tune:"):
        show_facts({f"{part.title}: {row.label}": row.value for part in setting_sections(plan) for row in part.rows})
