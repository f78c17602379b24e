"""The form in which a person states what was audited, why the tolerance is acceptable, and what was decided."""

import streamlit as st

from core.register.entry import Entry, Status
from core.register.register import Register
from core.report.stated import open_fields, stated_fields
from core.statement import Statement
from dashboard import forms
from dashboard.messages import say_next, show_facts
from dashboard.text import literal

_LL144_ONLY = ("unknown", "distributed")


def show(register: Register, entry: Entry) -> None:
    """The form, or what was stated where nothing can be changed any more; then what is still missing."""
    stated = entry.statement
    if entry.status in (Status.SIGNED, Status.WITHDRAWN):
        show_facts({field.label: field.value for field in stated_fields(stated).values() if field.value})
        return
    asked = tuple(name for name in forms.drawable(Statement) if stated.standard == "ll144" or name not in _LL144_ONLY)
    with st.form(f"statement_{entry.id}", enter_to_submit=False):
        said = forms.draw(Statement, dict(stated), f"stated.{entry.id}.{entry.revision}", fields=asked)
        if st.form_submit_button("Save the statement", icon=":material/save:") and said not in (None, stated):
            register.change(entry.id, entry.owner, statement=said)
            say_next("The statement was saved.")
            st.rerun()
    if lacking := open_fields(stated):
        told = "".join(f"\n- {literal(one)}" for one in lacking)
        st.info(f"Before it can be signed:\n{told}", icon=":material/checklist:")
