"""The form of a selection: the table, the candidates, who counts as similar, and the rule."""

from typing import get_args

import streamlit as st

from core.audits.transport.decision import TOLD_IN, TransportDecision
from core.audits.transport.proposal import proposed_space
from core.audits.transport.settings import Space, Transport
from core.base.settings import name_of_choice, title_of
from core.language.told import retold, say
from core.workflows.selection.planning import tried_by
from core.workflows.selection.settings import Parts, Rule, SelectionPlan
from dashboard import forms, main_button, session
from dashboard.audits.transport import setup as cells
from dashboard.draft import Draft
from dashboard.jobs.job import Needs
from dashboard.needed import show_memory, too_large
from dashboard.text import literal
from dashboard.views.model.preview import preview_of
from dashboard.views.plan_form import choose_table, put_to_work
from dashboard.views.selection import candidates as selection_candidates
from dashboard.views.selection import draft as selection_draft
from dashboard.views.selection.draft import SelectionDraft
from dashboard.waiting import answer

_SPACES: tuple[Space, ...] = get_args(Space)


def show() -> None:
    """Choose a table, candidates and a rule, and put them to work."""
    st.title(say("Choose a model"))
    st.write(
        say(
            "Of several models Evenhand chooses the most accurate one that the transport test does not find "
            "unfair, and audits it on people who had no part in the choice."
        )
    )
    draft, chosen = session.draft(), session.load_of_page("selection", SelectionDraft)
    problem = choose_table(draft, selection_draft.problem_of_table(draft))
    draft = _fresh_test(session.draft())
    if problem := problem or selection_draft.problem_of_table(draft):
        st.info(f"{say('The candidates come next.')} {literal(problem)}", icon=":material/lock:")
        return
    st.header(say("Candidates"), anchor=False)
    chosen = selection_candidates.show(draft, chosen)
    chosen = _choose_space(draft, chosen)
    with st.expander(say("Who counts as similar"), icon=":material/group:"):
        if chosen.way == "own_models":
            st.caption(
                say(
                    "If you change no column, each model is compared by the columns that an audit of it proposes. They "
                    "can differ a little from those shown here."
                )
            )
        unready = cells.show(draft.model_copy(update={"model": None}))
    chosen, valid = _choose_rule(chosen)
    session.save_of_page("selection", chosen)
    draft = session.draft()
    reason, needs = chosen.problem(draft) or unready or ("" if valid else say("A setting is not valid yet.")), Needs()
    if not reason:
        reason, needs = _expect(chosen.plan(draft))
    if main_button.clicked(
        "selection", say("Choose a model"), reason, key="selection_run", icon=":material/play_arrow:"
    ):
        put_to_work("selection", "select", chosen.plan(session.draft()), needs)


def _expect(plan: SelectionPlan) -> tuple[str, Needs]:
    """Why the selection cannot be run, and what it will take."""
    about = tried_by(plan).model_dump(mode="json")
    tried = answer("pilot_select", {"plan": about, "source": about["data"]}, say("Trying a candidate"))
    if tried is None:
        return say("A candidate has to be tried first."), Needs()
    needs = Needs(memory=tried["memory"])
    with st.container(horizontal=True, key="estimate_selection"):
        show_memory(needs, say("Measured while the rows were read and one candidate was tried."))
    return too_large(needs), needs


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
    st.header(say("Rule"), anchor=False)
    rule = forms.draw(Rule, dict(chosen.rule), "selection.rule")
    draft = session.draft()
    before = draft.decision(TransportDecision)
    decision = forms.draw(
        TransportDecision,
        dict(before),
        "selection.reading",
        fields=("delta", "alpha", "loss", "method"),
        units={"delta": TOLD_IN[before.loss]},
    )
    with st.expander(say("Parts of the rows, draws and seed"), icon=":material/tune:"):
        parts = forms.draw(Parts, dict(chosen.parts), "selection.parts")
        draws = forms.draw(Transport, dict(draft.settings(Transport)), "selection.test", fields=("draws",))
        seed = st.number_input(
            say("Seed"), min_value=0, max_value=2**32 - 1, value=draft.seed, step=1, key="selection.seed"
        )
    valid = not (rule is None or decision is None or parts is None or draws is None or seed is None)
    if decision is not None and draws is not None and seed is not None:
        draft = session.keep(draft, decision, draws)
        if draft.seed != seed:
            session.change(seed=int(seed))
        if TOLD_IN[decision.loss] != TOLD_IN[before.loss]:
            st.rerun()
    return chosen.model_copy(update={"rule": rule or chosen.rule, "parts": parts or chosen.parts}), valid


def _choose_space(draft: Draft, chosen: SelectionDraft) -> SelectionDraft:
    """The draft with what is compared: chosen here where every candidate can be asked about other people."""
    found = _proposed(draft, chosen)
    if found is None:
        return chosen
    proposed, why = found
    if why:
        st.caption(say("People are compared with people in the table. {why}", why=literal(retold(why))))
        return chosen.model_copy(update={"space": None, "proposed_space": "observed"})
    space: Space = st.radio(
        title_of(Transport.model_fields["space"]),
        _SPACES,
        index=_SPACES.index(chosen.space or proposed),
        format_func=lambda one: name_of_choice(Transport, "space", one),
        key=f"selection.space.{proposed}",
        help=say("An audit of one of these models begins with the same choice."),
    )
    kept = space if chosen.space is not None or space != proposed else None
    return chosen.model_copy(update={"space": kept, "proposed_space": proposed})


def _proposed(draft: Draft, chosen: SelectionDraft) -> tuple[Space, str] | None:
    """What an audit of every candidate would begin with, and why some can only be asked about people in the table.

    Where audits of the candidates would begin differently people in the table are proposed; None while models are read.
    """
    roles = draft.roles.roles
    if roles is None:
        return "observed", ""
    if chosen.way == "logistic_path":
        return proposed_space(roles.features, roles, True), ""
    seen = [preview_of(draft.model_copy(update={"model": model})) for model in chosen.models]
    known = [one for one in seen if one is not None]
    if len(known) < len(seen):
        return None
    if why := next((one.answers_only_here for one in known if one.answers_only_here), ""):
        return "observed", why
    begun = [test.space for one in known for test in one.settings if isinstance(test, Transport)]
    return ("all groups" if begun and set(begun) == {"all groups"} else "observed"), ""  # verbatim
