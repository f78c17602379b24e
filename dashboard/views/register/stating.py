"""The form in which a person states what was audited, why the tolerance is acceptable, and what was decided."""

import streamlit as st

from core.register.entry import Entry, Status
from core.register.register import Register
from core.register.stated import Stated, missing, read
from dashboard import forms
from dashboard.messages import say_next, show_facts
from dashboard.text import literal


def show(register: Register, entry: Entry) -> None:
    """The form, or what was stated where nothing can be changed any more; then what is still missing."""
    stated = read(entry.statement)
    if entry.status in (Status.SIGNED, Status.WITHDRAWN):
        show_facts({Stated.model_fields[name].title or name: value for name, value in stated if value})
        return
    with st.form(f"statement_{entry.id}", enter_to_submit=False):
        said = forms.draw(Stated, dict(stated), f"stated.{entry.id}.{entry.revision}")
        if st.form_submit_button("Save the statement", icon=":material/save:") and said not in (None, stated):
            register.change(entry.id, entry.owner, statement=dict(said) if said is not None else {})
            say_next("The statement was saved.")
            st.rerun()
    if lacking := missing(entry.statement):
        told = "".join(f"\n- {literal(one)}" for one in lacking)
        st.info(f"Before it can be signed:\n{told}", icon=":material/checklist:")
