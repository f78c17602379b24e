"""The form of a selection: the table, the candidates, who counts as similar, and the rule."""

import streamlit as st

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport
from core.workflows.selection.settings import Parts, Rule
from dashboard import forms, session, waiting
from dashboard.audits.transport import setup as cells
from dashboard.jobs import queue as jobs
from dashboard.pages import open_page
from dashboard.session import Draft
from dashboard.text import literal
from dashboard.views.data import page as data
from dashboard.views.selection import candidates as selection_candidates
from dashboard.views.selection import draft as selection_draft
from dashboard.views.selection.draft import SelectionDraft

_WANTED = "selection_wanted"
"""Where the session keeps that the button was clicked, until the page can go on."""


def show() -> None:
    """Choose a table, candidates and a rule, and put them to work."""
    st.title("Choose a model")
    st.write(
        "Of several models Evenhand chooses the most accurate one that the transport test does not find unfair, and "
        "audits it on people who had no part in the choice."
    )
    draft, chosen = session.draft(), selection_draft.load()
    finished = not selection_draft.problem_of_table(draft)
    title = f"Table: {literal(draft.data.title, 60)}" if finished and draft.data is not None else "Table and roles"
    with st.expander(title, expanded=not finished, icon=":material/table:"):
        problem = data.show(draft)
    draft = _fresh_test(session.draft())
    if problem := problem or selection_draft.problem_of_table(draft):
        st.info(f"The candidates come next. {problem}", icon=":material/lock:")
        return
    st.subheader("Candidates", anchor=False)
    chosen = selection_candidates.show(draft, chosen)
    with st.expander("Who counts as similar", icon=":material/group:"):
        unready = cells.show(draft.model_copy(update={"model": None}))
    chosen, valid = _choose_rule(chosen)
    selection_draft.save(chosen)
    draft = session.draft()
    reason = chosen.problem(draft) or unready or ("" if valid else "A setting is not valid yet.")
    _offer_run(chosen, reason)


def _offer_run(chosen: SelectionDraft, reason: str) -> None:
    """The button that puts the selection to work, as soon as nothing speaks against it any more.

    While the page works on an answer the button stays open, as those of the steps do.
    """
    st.button(
        "Choose a model",
        key="selection_run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=bool(reason) and not waiting.is_waiting(),
        on_click=_want,
    )
    if reason:
        st.caption(reason)
    if not st.session_state.get(_WANTED) or (reason and waiting.is_waiting()):
        return
    del st.session_state[_WANTED]
    if not reason:
        plan = chosen.plan(session.draft()).model_dump(mode="json")
        job = jobs.submit("select", {"plan": plan, "source": plan["data"]}, again=True)
        open_page("selection", selection=job.id)


def _want() -> None:
    st.session_state[_WANTED] = True


def _fresh_test(draft: Draft) -> Draft:
    """The draft; where the table or its roles have changed since the page last ran, with columns proposed anew."""
    about = f"{draft.roles.fingerprint} {None if draft.data is None else draft.data.fingerprint}"
    before = st.session_state.get("selection_table", about)
    st.session_state["selection_table"] = about
    if about == before:
        return draft
    for form in ("cells", "costs", "rules"):
        forms.forget(form)
    return session.keep(draft, Transport(draws=draft.settings(Transport).draws))


def _choose_rule(chosen: SelectionDraft) -> tuple[SelectionDraft, bool]:
    """The draft with the rule, the decision settings and the parts; and whether all of them are valid."""
    st.subheader("Rule", anchor=False)
    rule = forms.draw(Rule, dict(chosen.rule), "selection.rule")
    draft = session.draft()
    decision = forms.draw(
        TransportDecision,
        dict(draft.decision(TransportDecision)),
        "selection.reading",
        fields=("delta", "alpha", "loss", "method"),
    )
    with st.expander("Parts of the rows, draws and seed", icon=":material/tune:"):
        parts = forms.draw(Parts, dict(chosen.parts), "selection.parts")
        draws = forms.draw(Transport, dict(draft.settings(Transport)), "selection.test", fields=("draws",))
        seed = st.number_input("Seed", min_value=0, max_value=2**32 - 1, value=draft.seed, step=1, key="selection.seed")
    valid = not (rule is None or decision is None or parts is None or draws is None or seed is None)
    if decision is not None and draws is not None and seed is not None:
        draft = session.keep(draft, decision, draws)
        if draft.seed != seed:
            session.change(seed=int(seed))
    return chosen.model_copy(update={"rule": rule or chosen.rule, "parts": parts or chosen.parts}), valid
