"""The form in which a person states what was audited, why the tolerance is acceptable, and what was decided."""

import streamlit as st

from core.language.told import say
from core.register.entry import Entry, Status
from core.register.register import Register
from core.report.stated import open_fields, stated_fields
from core.report.statement import Statement, required
from dashboard import forms
from dashboard.messages import say_next, show_facts
from dashboard.text import literal
from dashboard.visitor import visitor

_LL144_ONLY = ("unknown", "distributed")


def show(register: Register, entry: Entry, *, may: bool = True) -> None:
    """The form, or what was stated where it cannot be changed or not by them; then what is still missing."""
    stated = entry.statement
    if not may or entry.status in (Status.SIGNED, Status.WITHDRAWN):
        show_facts({field.label: field.value for field in stated_fields(stated).values() if field.value})
        return
    said = ask(stated, f"{entry.id}.{stated.fingerprint}")
    if said is not None:
        register.change(entry.id, visitor(), statement=said)
        say_next(say("The statement was saved."))
        st.rerun()
    show_missing(stated)


def ask(stated: Statement, key: str) -> Statement | None:
    """The form; what it says when it was saved and says something else than before, None otherwise."""
    asked = tuple(name for name in forms.drawable(Statement) if stated.standard == "ll144" or name not in _LL144_ONLY)
    with st.form(f"statement_{key}", enter_to_submit=False):
        st.caption(say("What is marked with \\* has to be filled in before the report is signed."))
        said = forms.draw(Statement, dict(stated), f"stated.{key}", fields=asked, required=required(stated))
        saved = st.form_submit_button(say("Save the statement"), icon=":material/save:")
    return said if saved and said != stated else None


def show_missing(stated: Statement) -> None:
    """What has to be stated before the report may be signed, a sentence each."""
    if lacking := open_fields(stated):
        told = "".join(f"\n- {literal(one)}" for one in lacking)
        st.info(f"{say('Before it can be signed:')}\n{told}", icon=":material/checklist:")
