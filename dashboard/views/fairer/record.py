"""The record of a comparison: every setting, how it was made, and the command that repeats it."""

import streamlit as st

from core.data.labels import labelled_by
from core.language.told import say
from core.report.settings_table import setting_sections
from core.workflows.mitigation.page import facts
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan
from dashboard.messages import show_facts
from dashboard.views.downloads import show_repeatable


def show(plan: MitigationPlan, result: MitigationResult) -> None:
    """The downloads, the command and what the numbers rest on."""
    show_repeatable(MITIGATION, plan, result, "mitigation", facts(labelled_by(result, plan.roles)))
    with st.expander(say("Every setting"), icon=":material/tune:"):
        show_facts({f"{part.title}: {row.label}": row.value for part in setting_sections(plan) for row in part.rows})
